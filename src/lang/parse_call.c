/* SPDX-License-Identifier: MIT
 *
 * Arguments of calls and classes, and what stands in square brackets.
 */
#include "lang/parser.h"

struct args {
    uint32_t mark; /* they are on the stack from here */
    bool keyword;  /* a name=value came by */
    bool mapping;  /* a **mapping came by */
};

static struct node *keyword(struct parser *p, uint32_t name, uint32_t start,
                            struct node *value) {
    struct node *n = value ? parse_make(p, N_keyword, start) : NULL;
    if (!n) return NULL;
    n->as.keyword.arg = name;
    n->as.keyword.value = value;
    return n;
}

static struct node *keyword_argument(struct parser *p) {
    uint32_t start = cur(p)->start, name = parse_take_name(p);
    if (!name) return NULL;
    uint32_t equals = cur(p)->end;
    parse_advance(p);
    struct node *value = parse_expression(p);
    if (value && parse_starts_for(p))
        return parse_bad_span(
            p, start, equals,
            "invalid syntax. Maybe you meant '==' or ':=' instead "
            "of '='?");
    return keyword(p, name, start, value);
}

static struct node *star_argument(struct parser *p, const struct args *args) {
    uint32_t start = cur(p)->start;
    if (args->mapping)
        return parse_bad_span(
            p, start, start + 1,
            "iterable argument unpacking follows keyword argument "
            "unpacking");
    parse_advance(p);
    struct node *value = parse_expression(p);
    struct node *n = value ? parse_make(p, N_Starred, start) : NULL;
    if (n) n->as.starred.value = value;
    return n;
}

static bool is_word_constant(const struct node *n) {
    return n->kind == N_Constant && n->as.constant.value.kind <= CONST_FALSE;
}

static struct node *positional(struct parser *p, const struct args *args) {
    struct node *n;
    if (kind(p) == TOK_NAME && parse_ahead(p, 1) == TOK_WALRUS)
        n = parse_named_expression(p);
    else
        n = parse_expression(p);
    if (!n) return NULL;
    if (kind(p) == TOK_WALRUS)
        return parse_bad_node(p, n, "cannot use assignment expressions with %s",
                              parse_expr_name(n));
    if (kind(p) == TOK_ASSIGN) {
        uint32_t end = cur(p)->end;
        if (is_word_constant(n) && !(n->flags & NODE_PAREN))
            return parse_bad_span(p, n->start, end, "cannot assign to %s",
                                  parse_expr_name(n));
        return parse_bad_span(
            p, n->start, end,
            "expression cannot contain assignment, perhaps you "
            "meant \"==\"?");
    }
    if (parse_starts_for(p)) return n;
    if (args->keyword || args->mapping)
        return parse_bad_span(p, cur(p)->start, cur(p)->end,
                              "positional argument follows keyword argument%s",
                              args->mapping ? " unpacking" : "");
    return n;
}

/* `f(x for x in y)`: the call's parentheses are the generator's. */
static struct node *generator_argument(struct parser *p, struct node *elt,
                                       bool only, uint32_t open) {
    struct nodes *generators;
    if (parse_for_clauses(p, &generators)) return NULL;
    uint32_t end = p->last_end;
    if (!only || kind(p) == TOK_COMMA)
        return parse_bad_span(p, elt->start, end,
                              "Generator expression must be parenthesized");
    if (kind(p) != TOK_RPAREN) return parse_bad_list(p);
    struct node *n = parse_make(p, N_GeneratorExp, open);
    if (!n) return NULL;
    n->end = cur(p)->end;
    n->as.gen_comp.elt = elt;
    n->as.gen_comp.generators = generators;
    return n;
}

static struct node *argument(struct parser *p, struct args *args,
                             uint32_t open) {
    if (kind(p) == TOK_POWER) {
        uint32_t start = cur(p)->start;
        parse_advance(p);
        args->mapping = true;
        return keyword(p, NAME_NONE, start, parse_expression(p));
    }
    if (kind(p) == TOK_STAR) return star_argument(p, args);
    if (kind(p) == TOK_NAME && parse_ahead(p, 1) == TOK_ASSIGN) {
        args->keyword = true;
        return keyword_argument(p);
    }
    bool only = p->nitems == args->mark;
    struct node *n = positional(p, args);
    if (n && parse_starts_for(p)) return generator_argument(p, n, only, open);
    return n;
}

/* Both lists keep their order; keywords are sorted out of the stack. */
static int split(struct parser *p, uint32_t mark, struct nodes **args,
                 struct nodes **keywords) {
    uint32_t end = p->nitems, n = 0;
    for (uint32_t i = mark; i < end; i++)
        if (p->items[i]->kind == N_keyword && parse_push(p, p->items[i]))
            return -1;
    if (parse_take_list(p, end, keywords)) return -1;
    for (uint32_t i = mark; i < end; i++)
        if (p->items[i]->kind != N_keyword) p->items[mark + n++] = p->items[i];
    p->nitems = mark + n;
    return parse_take_list(p, mark, args);
}

int parse_call_arguments(struct parser *p, struct nodes **args,
                         struct nodes **keywords, uint32_t open) {
    struct args state = {.mark = p->nitems};
    while (kind(p) != TOK_RPAREN) {
        struct node *n = argument(p, &state, open);
        if (!n || parse_push(p, n)) return -1;
        if (!parse_accept(p, TOK_COMMA)) break;
    }
    if (kind(p) != TOK_RPAREN) {
        parse_bad_list(p);
        return -1;
    }
    parse_advance(p);
    return split(p, state.mark, args, keywords);
}

/* -- subscripts ----------------------------------------------------------- */

static bool ends_slice(const struct parser *p) {
    return kind(p) == TOK_COLON || kind(p) == TOK_COMMA ||
           kind(p) == TOK_RBRACKET;
}

/* Behind the lower bound, at the colon. */
static struct node *slice_rest(struct parser *p, struct node *lower,
                               uint32_t start) {
    struct node *upper = NULL, *step = NULL;
    parse_advance(p);
    if (!ends_slice(p) && !(upper = parse_expression(p))) return NULL;
    if (parse_accept(p, TOK_COLON) && !ends_slice(p) &&
        !(step = parse_expression(p)))
        return NULL;
    struct node *n = parse_make(p, N_Slice, start);
    if (!n) return NULL;
    n->as.slice.lower = lower;
    n->as.slice.upper = upper;
    n->as.slice.step = step;
    return n;
}

static struct node *slice(struct parser *p) {
    uint32_t start = cur(p)->start;
    if (kind(p) == TOK_COLON) return slice_rest(p, NULL, start);
    struct node *n = parse_star_named(p);
    if (!n || kind(p) != TOK_COLON || n->kind == N_Starred) return n;
    return slice_rest(p, n, start);
}

struct node *parse_slices(struct parser *p) {
    uint32_t start = cur(p)->start, mark = p->nitems;
    struct node *first = slice(p);
    if (!first) return NULL;
    if (kind(p) != TOK_COMMA && first->kind != N_Starred) return first;
    if (parse_push(p, first)) return NULL;
    while (parse_accept(p, TOK_COMMA) && kind(p) != TOK_RBRACKET) {
        struct node *next = slice(p);
        if (!next || parse_push(p, next)) return NULL;
    }
    struct node *n = parse_make(p, N_Tuple, start);
    if (!n || parse_take_list(p, mark, &n->as.tuple.elts)) return NULL;
    return n;
}
