/* SPDX-License-Identifier: MIT
 *
 * Parameters of functions and lambdas, and type parameters.
 */
#include "lang/parser.h"

/* What has been read so far. */
struct params {
    bool lambda;
    bool slash; /* "/" came by */
    bool star;  /* "*" or "*args" came by */
    bool bare;  /* ... as a bare "*" without a name behind it yet */
    bool kwarg; /* "**kwargs" came by */
    uint32_t npos, nposonly, ndefaults, nkwonly;
    struct node *vararg, *kw;
    uint32_t mark;        /* items: parameter, default or NULL, alternating */
    struct token bare_at; /* the bare "*" */
};

static enum token_kind closer(const struct params *ps) {
    return ps->lambda ? TOK_COLON : TOK_RPAREN;
}

/* A name with its annotation. */
static struct node *one(struct parser *p, const struct params *ps,
                        bool star_annotation) {
    uint32_t start = cur(p)->start;
    if (kind(p) == TOK_LPAREN) {
        uint32_t depth = cur(p)->depth, i = p->at + 1;
        while (i + 1 < p->ntokens && !(p->tokens[i].kind == TOK_RPAREN &&
                                       p->tokens[i].depth == depth + 1))
            i++;
        return parse_bad_span(p, start, p->tokens[i].end,
                              "%s parameters cannot be parenthesized",
                              ps->lambda ? "Lambda expression" : "Function");
    }
    uint32_t name = parse_take_name(p);
    if (!name) return NULL;
    struct node *annotation = NULL;
    if (!ps->lambda && parse_accept(p, TOK_COLON)) {
        if (star_annotation && kind(p) == TOK_STAR)
            annotation = parse_star_named(p);
        else
            annotation = parse_expression(p);
        if (!annotation) return NULL;
    }
    struct node *n = parse_make(p, N_arg, start);
    if (!n) return NULL;
    n->as.arg.arg = name;
    n->as.arg.annotation = annotation;
    return n;
}

static int plain(struct parser *p, struct params *ps) {
    struct token name = *cur(p);
    struct node *n = one(p, ps, false), *value = NULL;
    if (!n) return -1;
    if (ps->kwarg) {
        parse_bad_node(p, n, "arguments cannot follow var-keyword argument");
        return -1;
    }
    if (parse_accept(p, TOK_ASSIGN)) {
        if (kind(p) == closer(ps) || kind(p) == TOK_COMMA) {
            parse_bad_span(p, p->last_end - 1, p->last_end,
                           "expected default value expression");
            return -1;
        }
        value = parse_expression(p);
        if (!value) return -1;
    }
    if (ps->star) {
        ps->nkwonly++;
        ps->bare = false;
    } else {
        ps->npos++;
        if (!value && ps->ndefaults) {
            parse_bad_span(
                p, name.start, name.end,
                "parameter without a default follows parameter with a "
                "default");
            return -1;
        }
        ps->ndefaults += value != NULL;
    }
    return parse_push(p, n) || parse_push(p, value) ? -1 : 0;
}

static int slash(struct parser *p, struct params *ps) {
    const struct token *t = cur(p);
    const char *why = NULL;
    if (ps->slash)
        why = "/ may appear only once";
    else if (ps->star)
        why = "/ must be ahead of *";
    else if (ps->npos == 0 && parse_ahead(p, 1) == TOK_COMMA)
        why = "at least one argument must precede /";
    if (why) {
        parse_bad_span(p, t->start, t->end, "%s", why);
        return -1;
    }
    if (ps->npos == 0 || ps->kwarg) return parse_bad_token(p), -1;
    ps->slash = true;
    ps->nposonly = ps->npos;
    parse_advance(p);
    if (kind(p) == TOK_STAR) {
        parse_bad_span(p, cur(p)->start, cur(p)->end,
                       "expected comma between / and *");
        return -1;
    }
    return 0;
}

static int star(struct parser *p, struct params *ps) {
    struct token t = *cur(p);
    if (ps->kwarg || ps->star) {
        parse_bad_span(p, t.start, t.end,
                       ps->kwarg
                           ? "arguments cannot follow var-keyword argument"
                           : "* argument may appear only once");
        return -1;
    }
    parse_advance(p);
    ps->star = true;
    if (kind(p) == TOK_COMMA || kind(p) == closer(ps)) {
        ps->bare = true;
        ps->bare_at = t;
        return 0;
    }
    ps->vararg = one(p, ps, true);
    if (!ps->vararg) return -1;
    if (kind(p) == TOK_ASSIGN) {
        parse_bad_span(p, cur(p)->start, cur(p)->end,
                       "var-positional argument cannot have default value");
        return -1;
    }
    return 0;
}

static int no_names_after_star(struct parser *p, const struct params *ps) {
    parse_bad_span(p, ps->bare_at.start, ps->bare_at.end,
                   "named arguments must follow bare *");
    return -1;
}

static int double_star(struct parser *p, struct params *ps) {
    if (ps->bare) return no_names_after_star(p, ps);
    if (ps->kwarg) {
        parse_bad_span(p, cur(p)->start, cur(p)->end,
                       "arguments cannot follow var-keyword argument");
        return -1;
    }
    parse_advance(p);
    ps->kw = one(p, ps, false);
    if (!ps->kw) return -1;
    ps->kwarg = true;
    if (kind(p) == TOK_ASSIGN) {
        parse_bad_span(p, cur(p)->start, cur(p)->end,
                       "var-keyword argument cannot have default value");
        return -1;
    }
    return 0;
}

/* Lists from the alternating stack: every second entry of items[from..to), or
 * only those that are there. */
static int collect(struct parser *p, uint32_t from, uint32_t to, bool keep_null,
                   struct nodes **out) {
    uint32_t mark = p->nitems;
    for (uint32_t i = from; i < to; i += 2)
        if ((keep_null || p->items[i]) && parse_push(p, p->items[i])) return -1;
    return parse_take_list(p, mark, out);
}

static struct node *finish(struct parser *p, struct params *ps,
                           uint32_t start) {
    struct node *n = parse_make(p, N_arguments, start);
    if (!n) return NULL;
    struct node_arguments *a = &n->as.arguments;
    uint32_t only = ps->mark + 2 * ps->nposonly;
    uint32_t pos = ps->mark + 2 * ps->npos, end = pos + 2 * ps->nkwonly;
    if (collect(p, ps->mark, only, false, &a->posonlyargs) ||
        collect(p, only, pos, false, &a->args) ||
        collect(p, ps->mark + 1, pos, false, &a->defaults) ||
        collect(p, pos, end, false, &a->kwonlyargs) ||
        collect(p, pos + 1, end, true, &a->kw_defaults))
        return NULL;
    a->vararg = ps->vararg;
    a->kwarg = ps->kw;
    p->nitems = ps->mark;
    return n;
}

struct node *parse_parameters(struct parser *p, bool lambda) {
    struct params ps = {.lambda = lambda, .mark = p->nitems};
    uint32_t start = cur(p)->start;
    while (kind(p) != closer(&ps)) {
        int bad;
        if (kind(p) == TOK_SLASH)
            bad = slash(p, &ps);
        else if (kind(p) == TOK_STAR)
            bad = star(p, &ps);
        else if (kind(p) == TOK_POWER)
            bad = double_star(p, &ps);
        else
            bad = plain(p, &ps);
        if (bad) return NULL;
        if (!parse_accept(p, TOK_COMMA)) break;
    }
    if (ps.bare) {
        no_names_after_star(p, &ps);
        return NULL;
    }
    return finish(p, &ps, start);
}

/* -- type parameters ------------------------------------------------------ */

static struct node *type_parameter(struct parser *p) {
    uint32_t start = cur(p)->start;
    enum node_kind k = N_TypeVar;
    if (parse_accept(p, TOK_STAR))
        k = N_TypeVarTuple;
    else if (parse_accept(p, TOK_POWER))
        k = N_ParamSpec;
    uint32_t name = parse_take_name(p);
    if (!name) return NULL;
    struct node *bound = NULL;
    if (kind(p) == TOK_COLON) {
        uint32_t at = cur(p)->start;
        parse_advance(p);
        bound = parse_expression(p);
        if (!bound) return NULL;
        if (k != N_TypeVar)
            return parse_bad_span(
                p, at, at + 1, "cannot use %s with %s",
                bound->kind == N_Tuple ? "constraints" : "bound",
                k == N_ParamSpec ? "ParamSpec" : "TypeVarTuple");
    }
    struct node *n = parse_make(p, k, start);
    if (!n) return NULL;
    n->as.type_var.name = name; /* first in all three kinds */
    if (k == N_TypeVar) n->as.type_var.bound = bound;
    return n;
}

/* "[T, *Ts, **P]" where there is one. */
int parse_type_parameters(struct parser *p, struct nodes **out) {
    uint32_t mark = p->nitems;
    *out = NULL;
    if (!parse_accept(p, TOK_LBRACKET)) return 0;
    do {
        if (kind(p) == TOK_RBRACKET && p->nitems > mark) break;
        struct node *n = type_parameter(p);
        if (!n || parse_push(p, n)) return -1;
    } while (parse_accept(p, TOK_COMMA));
    return parse_expect(p, TOK_RBRACKET) ? -1 : parse_take_list(p, mark, out);
}
