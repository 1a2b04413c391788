/* SPDX-License-Identifier: MIT
 *
 * match, its cases and their patterns.
 */
#include <string.h>

#include "lang/parser.h"

static struct node *pattern(struct parser *p);
static struct node *or_pattern(struct parser *p);

static struct node *capture(struct parser *p, uint32_t name, uint32_t start) {
    struct node *n = parse_make(p, N_MatchAs, start);
    if (n) n->as.match_as.name = name;
    return n;
}

static struct node *value_pattern(struct parser *p, struct node *value) {
    struct node *n = value ? parse_make(p, N_MatchValue, value->start) : NULL;
    if (n) n->as.match_value.value = value;
    return n;
}

/* -- literals and names --------------------------------------------------- */

static bool is_number(const struct node *n, bool imaginary) {
    if (n->kind == N_UnaryOp && n->op == UNARY_NEG) n = n->as.unary.operand;
    if (n->kind != N_Constant) return false;
    uint32_t k = n->as.constant.value.kind;
    if (imaginary) return k == CONST_COMPLEX;
    return k == CONST_INT || k == CONST_BIG || k == CONST_REAL;
}

static struct node *signed_number(struct parser *p) {
    uint32_t start = cur(p)->start;
    bool minus = parse_accept(p, TOK_MINUS);
    if (kind(p) != TOK_NUMBER) return parse_bad_token(p);
    struct node *n = parse_atom(p);
    if (!n || !minus) return n;
    struct node *neg = parse_make(p, N_UnaryOp, start);
    if (!neg) return NULL;
    neg->op = UNARY_NEG;
    neg->as.unary.operand = n;
    return neg;
}

/* "-1", "1 + 2j". */
static struct node *number_value(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *left = signed_number(p);
    if (!left || (kind(p) != TOK_PLUS && kind(p) != TOK_MINUS)) return left;
    bool minus = kind(p) == TOK_MINUS;
    parse_advance(p);
    if (kind(p) != TOK_NUMBER) return parse_bad_token(p);
    struct node *right = parse_atom(p);
    if (!right) return NULL;
    if (!is_number(left, false))
        return parse_bad_node(p, left,
                              "real number required in complex literal");
    if (!is_number(right, true))
        return parse_bad_node(p, right,
                              "imaginary number required in complex literal");
    struct node *n = parse_make(p, N_BinOp, start);
    if (!n) return NULL;
    n->op = minus ? BIN_SUB : BIN_ADD;
    n->as.bin.left = left;
    n->as.bin.right = right;
    return n;
}

static struct node *singleton(struct parser *p) {
    uint32_t start = cur(p)->start;
    enum token_kind k = kind(p);
    parse_advance(p);
    struct node *n = parse_make(p, N_MatchSingleton, start);
    if (!n) return NULL;
    n->as.match_singleton.value.kind = k == TOK_NONE   ? CONST_NONE
                                       : k == TOK_TRUE ? CONST_TRUE
                                                       : CONST_FALSE;
    return n;
}

static struct node *name_or_attr(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *n = parse_atom(p);
    while (n && parse_accept(p, TOK_DOT)) {
        struct node *value = n;
        uint32_t attr = parse_take_name(p);
        n = attr ? parse_make(p, N_Attribute, start) : NULL;
        if (!n) return NULL;
        n->as.attribute.value = value;
        n->as.attribute.attr = attr;
    }
    return n;
}

/* -- class patterns ------------------------------------------------------- */

static int push_ident(struct parser *p, struct idents **l, uint32_t room,
                      uint32_t name) {
    if (!*l) {
        *l = arena_alloc(p->arena, sizeof **l + room * sizeof(*l)->at[0], p->e);
        if (!*l) return -1;
        (*l)->count = 0;
    }
    (*l)->at[(*l)->count++] = name;
    return 0;
}

/* "NAME=" occurrences up to the closing bracket: room for the names. */
static uint32_t count_keywords(const struct parser *p) {
    uint32_t depth = cur(p)->depth, n = 0;
    for (uint32_t i = p->at; i < p->ntokens; i++) {
        const struct token *t = &p->tokens[i];
        if (t->depth < depth) break;
        n += t->depth == depth && t->kind == TOK_ASSIGN;
    }
    return n;
}

static struct node *class_pattern(struct parser *p, struct node *cls) {
    uint32_t mark = p->nitems, room;
    struct nodes *patterns = NULL, *kwd_patterns = NULL;
    struct idents *attrs = NULL;
    parse_advance(p);
    room = count_keywords(p);
    while (kind(p) != TOK_RPAREN) {
        bool keyword = kind(p) == TOK_NAME && parse_ahead(p, 1) == TOK_ASSIGN;
        if (keyword && !attrs && parse_take_list(p, mark, &patterns))
            return NULL;
        if (keyword) {
            uint32_t name = parse_take_name(p);
            if (!name || push_ident(p, &attrs, room, name)) return NULL;
            parse_advance(p);
        }
        struct node *n = pattern(p);
        if (!n || parse_push(p, n)) return NULL;
        if (!keyword && attrs)
            return parse_bad_node(
                p, n, "positional patterns follow keyword patterns");
        if (!parse_accept(p, TOK_COMMA)) break;
    }
    if (parse_expect(p, TOK_RPAREN) ||
        parse_take_list(p, mark, attrs ? &kwd_patterns : &patterns))
        return NULL;
    struct node *n = parse_make(p, N_MatchClass, cls->start);
    if (!n) return NULL;
    n->as.match_class =
        (struct node_MatchClass){cls, patterns, attrs, kwd_patterns};
    return n;
}

/* A capture, a dotted value, or a class. */
static struct node *name_pattern(struct parser *p) {
    uint32_t start = cur(p)->start;
    bool wildcard = parse_is_word(p, 0, "_");
    struct node *n = name_or_attr(p);
    if (!n) return NULL;
    if (kind(p) == TOK_LPAREN) return class_pattern(p, n);
    if (n->kind == N_Attribute) return value_pattern(p, n);
    if (kind(p) == TOK_ASSIGN) return parse_bad_token(p);
    return capture(p, wildcard ? NAME_NONE : n->as.name.id, start);
}

/* -- sequences and mappings ----------------------------------------------- */

static struct node *star_pattern(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    bool wildcard = parse_is_word(p, 0, "_");
    uint32_t name = parse_take_name(p);
    struct node *n = name ? parse_make(p, N_MatchStar, start) : NULL;
    if (n) n->as.match_star.name = wildcard ? NAME_NONE : name;
    return n;
}

static struct node *maybe_star(struct parser *p) {
    return kind(p) == TOK_STAR ? star_pattern(p) : pattern(p);
}

static struct node *sequence_node(struct parser *p, uint32_t mark,
                                  uint32_t start) {
    struct node *n = parse_make(p, N_MatchSequence, start);
    if (!n || parse_take_list(p, mark, &n->as.match_sequence.patterns))
        return NULL;
    return n;
}

/* "[...]" and "(...)"; one pattern in parentheses is only grouped. */
static struct node *bracketed(struct parser *p, enum token_kind close) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    bool comma = close == TOK_RBRACKET;
    parse_advance(p);
    if (kind(p) == close) comma = true;
    while (kind(p) != close) {
        struct node *n = maybe_star(p);
        if (!n || parse_push(p, n)) return NULL;
        if (!parse_accept(p, TOK_COMMA)) break;
        comma = true;
    }
    if (parse_expect(p, close)) return NULL;
    struct node *only = comma ? NULL : p->items[mark];
    if (!only || only->kind == N_MatchStar)
        return sequence_node(p, mark, start);
    p->nitems = mark;
    return only;
}

static struct node *mapping_key(struct parser *p) {
    enum token_kind k = kind(p);
    if (k == TOK_NUMBER || k == TOK_MINUS) return number_value(p);
    if (k == TOK_STRING || k == TOK_FSTRING_START || k == TOK_NONE ||
        k == TOK_TRUE || k == TOK_FALSE)
        return parse_atom(p);
    if (k == TOK_NAME && parse_ahead(p, 1) == TOK_DOT) return name_or_attr(p);
    return parse_bad_token(p);
}

static int mapping_items(struct parser *p, uint32_t *rest) {
    *rest = NAME_NONE;
    while (kind(p) != TOK_RBRACE && !*rest) {
        if (parse_accept(p, TOK_POWER)) {
            *rest = parse_take_name(p);
            if (!*rest) return -1;
        } else {
            struct node *key = mapping_key(p);
            if (!key || parse_expect(p, TOK_COLON)) return -1;
            struct node *value = pattern(p);
            if (!value || parse_push(p, key) || parse_push(p, value)) return -1;
        }
        if (!parse_accept(p, TOK_COMMA)) break;
    }
    return parse_expect(p, TOK_RBRACE);
}

static struct node *mapping_pattern(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems, rest;
    parse_advance(p);
    if (mapping_items(p, &rest)) return NULL;
    struct node *n = parse_make(p, N_MatchMapping, start);
    if (!n) return NULL;
    n->as.match_mapping.rest = rest;
    uint32_t pairs = (p->nitems - mark) / 2;
    /* Keys first, then patterns: both halves become lists. */
    for (uint32_t i = 0; i < pairs; i++)
        if (parse_push(p, p->items[mark + 2 * i + 1])) return NULL;
    if (parse_take_list(p, mark + 2 * pairs, &n->as.match_mapping.patterns))
        return NULL;
    for (uint32_t i = 0; i < pairs; i++)
        p->items[mark + i] = p->items[mark + 2 * i];
    p->nitems = mark + pairs;
    return parse_take_list(p, mark, &n->as.match_mapping.keys) ? NULL : n;
}

/* -- patterns ------------------------------------------------------------- */

static struct node *closed_pattern(struct parser *p) {
    enum token_kind k = kind(p);
    if (k == TOK_NAME) return name_pattern(p);
    if (k == TOK_NUMBER || k == TOK_MINUS)
        return value_pattern(p, number_value(p));
    if (k == TOK_STRING || k == TOK_FSTRING_START) {
        struct node *s = parse_strings(p);
        if (s && s->kind == N_JoinedStr)
            return parse_bad_node(
                p, s,
                "patterns may only match literals and attribute "
                "lookups");
        return value_pattern(p, s);
    }
    if (k == TOK_NONE || k == TOK_TRUE || k == TOK_FALSE) return singleton(p);
    if (k == TOK_LPAREN) return bracketed(p, TOK_RPAREN);
    if (k == TOK_LBRACKET) return bracketed(p, TOK_RBRACKET);
    if (k == TOK_LBRACE) return mapping_pattern(p);
    return parse_bad_token(p);
}

static struct node *or_pattern(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    struct node *first = closed_pattern(p);
    if (!first || kind(p) != TOK_PIPE) return first;
    if (parse_push(p, first)) return NULL;
    while (parse_accept(p, TOK_PIPE)) {
        struct node *next = closed_pattern(p);
        if (!next || parse_push(p, next)) return NULL;
    }
    struct node *n = parse_make(p, N_MatchOr, start);
    if (!n || parse_take_list(p, mark, &n->as.match_or.patterns)) return NULL;
    return n;
}

/* Behind "as". */
static struct node *as_pattern(struct parser *p, struct node *inner,
                               uint32_t start) {
    if (parse_is_word(p, 0, "_"))
        return parse_bad_span(p, cur(p)->start, cur(p)->end,
                              "cannot use '_' as a target");
    if (kind(p) != TOK_NAME) {
        if (!parse_starts_expression(p)) return parse_bad_token(p);
        struct node *bad = parse_expression(p);
        return bad ? parse_bad_node(p, bad, "invalid pattern target") : NULL;
    }
    uint32_t name = parse_take_name(p);
    struct node *n = name ? capture(p, name, start) : NULL;
    if (n) n->as.match_as.pattern = inner;
    return n;
}

static struct node *pattern(struct parser *p) {
    uint32_t start = cur(p)->start;
    if (parse_enter(p)) return NULL;
    struct node *n = or_pattern(p);
    if (n && parse_accept(p, TOK_AS)) n = as_pattern(p, n, start);
    leave(p);
    return n;
}

/* A case's pattern: a sequence may go without brackets. */
static struct node *patterns(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    struct node *first = maybe_star(p);
    if (!first) return NULL;
    if (kind(p) != TOK_COMMA && first->kind != N_MatchStar) return first;
    if (kind(p) != TOK_COMMA) return parse_bad_token(p);
    if (parse_push(p, first)) return NULL;
    while (parse_accept(p, TOK_COMMA)) {
        if (kind(p) == TOK_COLON || kind(p) == TOK_IF) break;
        struct node *next = maybe_star(p);
        if (!next || parse_push(p, next)) return NULL;
    }
    return sequence_node(p, mark, start);
}

/* -- match and case ------------------------------------------------------- */

static struct node *match_case(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *guard = NULL;
    struct nodes *body;
    if (!parse_is_word(p, 0, "case")) return parse_bad_token(p);
    parse_advance(p);
    struct node *pat = patterns(p);
    if (!pat) return NULL;
    if (parse_accept(p, TOK_IF) && !(guard = parse_named_expression(p)))
        return NULL;
    if (parse_colon(p) || parse_block(p, start, "'case' statement", &body))
        return NULL;
    struct node *n = parse_make(p, N_match_case, start);
    if (!n) return NULL;
    n->as.match_case.pattern = pat;
    n->as.match_case.guard = guard;
    n->as.match_case.body = body;
    return n;
}

/* A line that starts with the name "match" is a match statement if it ends
 * with a colon outside brackets, or could be nothing else. */
bool parse_starts_match(const struct parser *p) {
    if (!parse_is_word(p, 0, "match")) return false;
    if (p->ntokens < 3 || p->at + 2 >= p->ntokens) return false;
    const struct token *last = &p->tokens[p->ntokens - 1];
    if (last->kind != TOK_NEWLINE) return false;
    enum token_kind next = parse_ahead(p, 1);
    if (last[-1].kind == TOK_COLON && last[-1].depth == cur(p)->depth)
        return next != TOK_ASSIGN && next != TOK_COLON && next != TOK_DOT &&
               next != TOK_COMMA;
    /* `match x` with the colon forgotten */
    return next == TOK_NAME || next == TOK_NUMBER || next == TOK_STRING;
}

static struct node *subject(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    struct node *first = parse_star_named(p);
    if (!first || (kind(p) != TOK_COMMA && first->kind != N_Starred))
        return first;
    if (kind(p) != TOK_COMMA) return parse_bad_token(p);
    if (parse_push(p, first)) return NULL;
    while (parse_accept(p, TOK_COMMA)) {
        if (kind(p) == TOK_COLON) break;
        struct node *next = parse_star_named(p);
        if (!next || parse_push(p, next)) return NULL;
    }
    struct node *n = parse_make(p, N_Tuple, start);
    if (!n || parse_take_list(p, mark, &n->as.tuple.elts)) return NULL;
    return n;
}

struct node *parse_match_statement(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    parse_advance(p);
    struct node *value = subject(p);
    if (!value || parse_colon(p) || parse_expect(p, TOK_NEWLINE)) return NULL;
    if (kind(p) != TOK_INDENT)
        return parse_bad_indent(
            p,
            "expected an indented block after 'match' statement "
            "on line %u",
            place_of(p->text, start).line);
    parse_advance(p);
    while (kind(p) != TOK_DEDENT && kind(p) != TOK_END) {
        struct node *c = match_case(p);
        if (!c || parse_push(p, c)) return NULL;
    }
    parse_accept(p, TOK_DEDENT);
    struct node *n = parse_make(p, N_Match, start);
    if (!n || parse_take_list(p, mark, &n->as.match.cases)) return NULL;
    n->as.match.subject = value;
    return n;
}
