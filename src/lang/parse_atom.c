/* SPDX-License-Identifier: MIT
 *
 * Atoms, displays and comprehensions, and the chain of calls, subscripts and
 * attributes behind an atom.
 */
#include "lang/literal.h"
#include "lang/parser.h"

/* -- comprehensions ------------------------------------------------------- */

bool parse_starts_for(const struct parser *p) {
    return kind(p) == TOK_FOR ||
           (kind(p) == TOK_ASYNC && parse_ahead(p, 1) == TOK_FOR);
}

static struct node *for_clause(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    bool async = parse_accept(p, TOK_ASYNC);
    parse_advance(p);
    struct node *target = parse_for_target(p);
    if (!target || parse_expect(p, TOK_IN)) return NULL;
    struct node *iter = parse_disjunction(p);
    if (!iter) return NULL;
    while (parse_accept(p, TOK_IF)) {
        struct node *test = parse_disjunction(p);
        if (!test || parse_push(p, test)) return NULL;
    }
    struct node *n = parse_make(p, N_comprehension, start);
    if (!n || parse_take_list(p, mark, &n->as.generator.ifs)) return NULL;
    n->number = async;
    n->as.generator.target = target;
    n->as.generator.iter = iter;
    return n;
}

int parse_for_clauses(struct parser *p, struct nodes **out) {
    uint32_t mark = p->nitems;
    while (parse_starts_for(p)) {
        struct node *n = for_clause(p);
        if (!n || parse_push(p, n)) return -1;
    }
    return parse_take_list(p, mark, out);
}

/* Behind the element of a comprehension, up to its closing bracket. */
static struct node *comprehension(struct parser *p, enum node_kind k,
                                  struct node *elt, uint32_t start,
                                  enum token_kind close) {
    if (elt->kind == N_Starred)
        return parse_bad_node(
            p, elt, "iterable unpacking cannot be used in comprehension");
    struct nodes *generators;
    if (parse_for_clauses(p, &generators)) return NULL;
    if (kind(p) != close) return parse_bad_list(p);
    parse_advance(p);
    struct node *n = parse_make(p, k, start);
    if (!n) return NULL;
    /* List, set and generator comprehensions have the same parts. */
    n->as.comp.elt = elt;
    n->as.comp.generators = generators;
    return n;
}

/* -- displays ------------------------------------------------------------- */

/* More entries behind the first one and its comma, up to `close`. */
static int more_items(struct parser *p, enum token_kind close) {
    uint32_t first = p->items[p->nitems - 1]->start;
    while (parse_accept(p, TOK_COMMA)) {
        if (kind(p) == close) break;
        struct node *n = parse_star_named(p);
        if (!n || parse_push(p, n)) return -1;
        if (parse_starts_for(p)) {
            if (close != TOK_RPAREN)
                parse_bad_span(
                    p, first, n->end,
                    "did you forget parentheses around the comprehension "
                    "target?");
            parse_bad_token(p);
            return -1;
        }
    }
    if (parse_accept(p, close)) return 0;
    parse_bad_list(p);
    return -1;
}

static struct node *list(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    parse_advance(p);
    if (!parse_accept(p, TOK_RBRACKET)) {
        struct node *first = parse_star_named(p);
        if (!first) return NULL;
        if (parse_starts_for(p))
            return comprehension(p, N_ListComp, first, start, TOK_RBRACKET);
        if (parse_push(p, first) || more_items(p, TOK_RBRACKET)) return NULL;
    }
    struct node *n = parse_make(p, N_List, start);
    if (!n || parse_take_list(p, mark, &n->as.list.elts)) return NULL;
    return n;
}

static struct node *tuple(struct parser *p, struct node *first,
                          uint32_t start) {
    uint32_t mark = p->nitems;
    if (first && (parse_push(p, first) || more_items(p, TOK_RPAREN)))
        return NULL;
    struct node *n = parse_make(p, N_Tuple, start);
    if (!n || parse_take_list(p, mark, &n->as.tuple.elts)) return NULL;
    n->flags = NODE_PAREN;
    return n;
}

static struct node *double_star(struct parser *p) {
    struct token stars = *cur(p);
    uint32_t at = p->at;
    parse_advance(p);
    struct node *value = parse_expression(p);
    if (value && kind(p) == TOK_RPAREN)
        return parse_bad_span(p, stars.start, stars.end,
                              "cannot use double starred expression here");
    p->at = at;
    return parse_bad_token(p);
}

/* A tuple, a generator, or an expression in parentheses. */
static struct node *group(struct parser *p) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    if (parse_accept(p, TOK_RPAREN)) return tuple(p, NULL, start);
    if (kind(p) == TOK_POWER) return double_star(p);
    struct node *n;
    if (kind(p) == TOK_YIELD) {
        n = parse_yield_or_star(p);
    } else {
        n = parse_star_named(p);
        if (n && parse_starts_for(p))
            return comprehension(p, N_GeneratorExp, n, start, TOK_RPAREN);
        if (n && kind(p) == TOK_COMMA) return tuple(p, n, start);
    }
    if (!n) return NULL;
    if (kind(p) != TOK_RPAREN) return parse_bad_list(p);
    if (n->kind == N_Starred)
        return parse_bad_node(p, n, "cannot use starred expression here");
    parse_advance(p);
    n->flags |= NODE_PAREN;
    return n;
}

static struct node *set(struct parser *p, struct node *first, uint32_t start) {
    uint32_t mark = p->nitems;
    if (parse_starts_for(p))
        return comprehension(p, N_SetComp, first, start, TOK_RBRACE);
    if (parse_push(p, first) || more_items(p, TOK_RBRACE)) return NULL;
    struct node *n = parse_make(p, N_Set, start);
    if (!n || parse_take_list(p, mark, &n->as.set.elts)) return NULL;
    return n;
}

/* The value of a dict entry; stands behind its colon, which is at `at`. */
static struct node *dict_value(struct parser *p, uint32_t at) {
    if (kind(p) == TOK_STAR) {
        struct node *n = parse_star_named(p);
        if (!n) return NULL;
        return parse_bad_node(p, n,
                              "cannot use a starred expression in a dictionary "
                              "value");
    }
    if (kind(p) == TOK_RBRACE || kind(p) == TOK_COMMA)
        return parse_bad_span(
            p, at, at + 1, "expression expected after dictionary key and ':'");
    return parse_expression(p);
}

/* Behind a key, at its colon: pushes key and value. */
static int dict_pair(struct parser *p, struct node *key) {
    uint32_t at = cur(p)->start;
    if (!parse_accept(p, TOK_COLON)) {
        parse_bad_span(p, key->end - 1, key->end,
                       "':' expected after dictionary key");
        return -1;
    }
    struct node *value = dict_value(p, at);
    if (!value) return -1;
    return parse_push(p, key) || parse_push(p, value) ? -1 : 0;
}

/* `key: value`, or `**mapping` with NULL for its key. */
static int dict_entry(struct parser *p) {
    if (parse_accept(p, TOK_POWER)) {
        struct node *value = parse_bitwise_or(p);
        return !value || parse_push(p, NULL) || parse_push(p, value) ? -1 : 0;
    }
    struct node *key = parse_expression(p);
    return key ? dict_pair(p, key) : -1;
}

/* Takes the pushed pairs apart into two lists. */
static int take_pairs(struct parser *p, uint32_t mark, struct node *n) {
    struct nodes *all, *values = NULL;
    if (parse_take_list(p, mark, &all)) return -1;
    uint32_t count = nodes_count(all) / 2;
    if (count == 0) return 0;
    values = arena_alloc(p->arena,
                         sizeof *values + count * sizeof values->at[0], p->e);
    if (!values) return -1;
    for (uint32_t i = 0; i < count; i++) {
        values->at[i] = all->at[2 * i + 1];
        all->at[i] = all->at[2 * i];
    }
    values->count = all->count = count;
    n->as.dict.keys = all;
    n->as.dict.values = values;
    return 0;
}

static struct node *dict_comp(struct parser *p, uint32_t mark, uint32_t start) {
    struct node *key = p->items[mark], *value = p->items[mark + 1];
    p->nitems = mark;
    if (!key)
        return parse_bad_span(
            p, start + 1, value->start,
            "dict unpacking cannot be used in dict comprehension");
    struct nodes *generators;
    if (parse_for_clauses(p, &generators)) return NULL;
    if (kind(p) != TOK_RBRACE) return parse_bad_list(p);
    parse_advance(p);
    struct node *n = parse_make(p, N_DictComp, start);
    if (!n) return NULL;
    n->as.dict_comp.key = key;
    n->as.dict_comp.value = value;
    n->as.dict_comp.generators = generators;
    return n;
}

/* Behind the first entry, which is on the stack from `mark` on. */
static struct node *dict_rest(struct parser *p, uint32_t mark, uint32_t start) {
    if (parse_starts_for(p)) return dict_comp(p, mark, start);
    while (parse_accept(p, TOK_COMMA) && kind(p) != TOK_RBRACE)
        if (dict_entry(p)) return NULL;
    if (kind(p) != TOK_RBRACE) return parse_bad_list(p);
    parse_advance(p);
    struct node *n = parse_make(p, N_Dict, start);
    if (!n || take_pairs(p, mark, n)) return NULL;
    return n;
}

/* Whether a colon follows the first expression decides. */
static struct node *dict_or_set(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    parse_advance(p);
    if (parse_accept(p, TOK_RBRACE)) return parse_make(p, N_Dict, start);
    if (kind(p) == TOK_POWER)
        return dict_entry(p) ? NULL : dict_rest(p, mark, start);
    struct node *first = parse_star_named(p);
    if (!first) return NULL;
    if (kind(p) != TOK_COLON) return set(p, first, start);
    bool named = first->kind == N_NamedExpr && !(first->flags & NODE_PAREN);
    if (first->kind == N_Starred || named) return parse_bad_token(p);
    return dict_pair(p, first) ? NULL : dict_rest(p, mark, start);
}

/* -- atoms ---------------------------------------------------------------- */

static struct node *number(struct parser *p) {
    struct token t = *cur(p);
    parse_advance(p);
    struct node *n = parse_make(p, N_Constant, t.start);
    if (!n || literal_number(token_str(p, &t), &t, p->arena,
                             &n->as.constant.value, &p->fault, p->e))
        return NULL;
    return n;
}

static struct node *word_constant(struct parser *p, enum const_kind k) {
    uint32_t start = cur(p)->start;
    parse_advance(p);
    struct node *n = parse_make(p, N_Constant, start);
    if (n) n->as.constant.value.kind = k;
    return n;
}

static struct node *name(struct parser *p) {
    uint32_t start = cur(p)->start, id = parse_take_name(p);
    struct node *n = id ? parse_make(p, N_Name, start) : NULL;
    if (n) n->as.name.id = id;
    return n;
}

struct node *parse_atom(struct parser *p) {
    enum token_kind k = kind(p);
    if (k == TOK_NAME) return name(p);
    if (k == TOK_NUMBER) return number(p);
    if (k == TOK_STRING || k == TOK_FSTRING_START) return parse_strings(p);
    if (k == TOK_LPAREN) return group(p);
    if (k == TOK_LBRACKET) return list(p);
    if (k == TOK_LBRACE) return dict_or_set(p);
    if (k == TOK_NONE) return word_constant(p, CONST_NONE);
    if (k == TOK_TRUE) return word_constant(p, CONST_TRUE);
    if (k == TOK_FALSE) return word_constant(p, CONST_FALSE);
    if (k == TOK_ELLIPSIS) return word_constant(p, CONST_ELLIPSIS);
    return parse_bad_token(p);
}

static struct node *call(struct parser *p, struct node *func, uint32_t start) {
    uint32_t open = cur(p)->start;
    parse_advance(p);
    struct nodes *args, *keywords;
    if (parse_call_arguments(p, &args, &keywords, open)) return NULL;
    struct node *n = parse_make(p, N_Call, start);
    if (!n) return NULL;
    n->as.call.func = func;
    n->as.call.args = args;
    n->as.call.keywords = keywords;
    return n;
}

static struct node *subscript(struct parser *p, struct node *value,
                              uint32_t start) {
    parse_advance(p);
    struct node *slice = parse_slices(p);
    if (!slice) return NULL;
    if (kind(p) != TOK_RBRACKET) return parse_bad_list(p);
    parse_advance(p);
    struct node *n = parse_make(p, N_Subscript, start);
    if (!n) return NULL;
    n->as.subscript.value = value;
    n->as.subscript.slice = slice;
    return n;
}

static struct node *attribute(struct parser *p, struct node *value,
                              uint32_t start) {
    parse_advance(p);
    uint32_t attr = parse_take_name(p);
    struct node *n = attr ? parse_make(p, N_Attribute, start) : NULL;
    if (!n) return NULL;
    n->as.attribute.value = value;
    n->as.attribute.attr = attr;
    return n;
}

struct node *parse_primary(struct parser *p) {
    uint32_t start = cur(p)->start;
    struct node *n = parse_atom(p);
    while (n) {
        if (kind(p) == TOK_DOT)
            n = attribute(p, n, start);
        else if (kind(p) == TOK_LPAREN)
            n = call(p, n, start);
        else if (kind(p) == TOK_LBRACKET)
            n = subscript(p, n, start);
        else
            break;
    }
    return n;
}
