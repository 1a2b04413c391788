/* SPDX-License-Identifier: MIT
 *
 * Calls of the host's functions, against their parameters: names, number, types
 * of literals. What a call lacks and what it gives under an unknown name are
 * seen together, so that one is suggested for the other.
 */
#include "lang/checker.h"

#define NEAR_NAMES 3

/* -- which function ------------------------------------------------------- */

const struct check_function *check_function(const struct checker *ck, str space,
                                            str name) {
    const struct check_world *w = ck->world;
    for (size_t i = 0; i < w->nfunctions; i++)
        if (str_eq(w->functions[i].space, space) &&
            str_eq(w->functions[i].name, name))
            return &w->functions[i];
    return NULL;
}

bool check_space(const struct checker *ck, str space) {
    const struct check_world *w = ck->world;
    for (size_t i = 0; space.n && i < w->nfunctions; i++)
        if (str_eq(w->functions[i].space, space)) return true;
    return false;
}

/* Smaller is nearer; SIZE_MAX: not alike. */
static size_t unlike(str a, str b) {
    if (a.n >= 3 && b.n >= 3 && (str_find(a, b) >= 0 || str_find(b, a) >= 0))
        return 3;
    size_t most = a.n < 3 ? 0 : a.n < 6 ? 1 : 2;
    size_t d = str_distance(a, b, most);
    return d <= most ? d : SIZE_MAX;
}

const char *check_near_space(struct checker *ck, str name) {
    const struct check_world *w = ck->world;
    str best = {NULL, 0};
    size_t nearest = 3;
    for (size_t i = 0; i < w->nfunctions; i++) {
        const struct check_function *f = &w->functions[i];
        str top = f->space.n ? f->space : f->name;
        size_t d = unlike(name, top);
        if (d >= nearest) continue;
        nearest = d;
        best = top;
    }
    return best.p ? arena_text(ck->arena, best, ck->e) : NULL;
}

/* The nearest names of a space, " 'a', 'b'", the nearest first. */
static const char *near_names(struct checker *ck, str space, str name) {
    const struct check_world *w = ck->world;
    const char *text = "";
    size_t shown = 0;
    for (size_t want = 0; want <= 3; want++)
        for (size_t i = 0; i < w->nfunctions && shown < NEAR_NAMES; i++) {
            const struct check_function *f = &w->functions[i];
            if (!str_eq(f->space, space) || unlike(name, f->name) != want)
                continue;
            text = arena_printf(ck->arena, ck->e, "%s%s'%.*s%s%.*s'", text,
                                shown ? ", " : "", STR_ARG(space),
                                space.n ? "." : "", STR_ARG(f->name));
            if (!text) return "";
            shown++;
        }
    return text;
}

void check_unknown_function(struct checker *ck, const struct node *n, str space,
                            str name) {
    const char *near = near_names(ck, space, name);
    check_report(ck, n, "there is no '%.*s.%.*s'%s%s%s", STR_ARG(space),
                 STR_ARG(name), near[0] ? "; did you mean " : "", near,
                 near[0] ? "?" : "");
}

/* -- types ---------------------------------------------------------------- */

static unsigned type_of(const struct node *n) {
    if (n->kind == N_List || n->kind == N_ListComp) return CHECK_LIST;
    if (n->kind == N_Dict || n->kind == N_DictComp) return CHECK_DICT;
    if (n->kind == N_JoinedStr) return CHECK_STR;
    if (n->kind != N_Constant) return 0;
    switch ((enum const_kind)n->as.constant.value.kind) {
    case CONST_INT:
    case CONST_BIG: return CHECK_INT;
    case CONST_REAL: return CHECK_FLOAT;
    case CONST_STR: return CHECK_STR;
    case CONST_TRUE:
    case CONST_FALSE: return CHECK_BOOL;
    case CONST_NONE: return CHECK_NONE;
    case CONST_BYTES:
    case CONST_ELLIPSIS:
    case CONST_COMPLEX:
    case CONST_TUPLE:
    case CONST_FROZENSET:
    case CONST_CODE: return 0;
    }
    return 0;
}

static const struct {
    unsigned type;
    const char *word;
} words[] = {{CHECK_STR, "str"},   {CHECK_INT, "int"},   {CHECK_FLOAT, "float"},
             {CHECK_BOOL, "bool"}, {CHECK_LIST, "list"}, {CHECK_DICT, "dict"},
             {CHECK_NONE, "None"}};

/* "str or int" */
static const char *types_text(struct checker *ck, unsigned types) {
    const char *text = "";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!(types & words[i].type)) continue;
        text = arena_printf(ck->arena, ck->e, "%s%s%s", text,
                            text[0] ? " or " : "", words[i].word);
        if (!text) return "";
    }
    return text;
}

/* What the boundary turns into the type without loss is let through: "5" for an
 * int, one value for a list of them, None for what may be left out. */
static bool suits(const struct check_param *p, const struct node *value) {
    unsigned got = type_of(value), want = p->types;
    if (!got || !want || got & want) return true;
    if (got == CHECK_INT && want & CHECK_FLOAT) return true;
    if (got == CHECK_NONE && !p->required) return true;
    if (want & CHECK_LIST && got != CHECK_DICT) return true;
    if (got != CHECK_STR || value->kind != N_Constant) return false;
    str s = value->as.constant.value.as.text;
    bool text = s.n > 0 && ((s.p[0] >= 'a' && s.p[0] <= 'z') ||
                            (s.p[0] >= 'A' && s.p[0] <= 'Z'));
    return !text || want & CHECK_BOOL;
}

/* -- a call --------------------------------------------------------------- */

struct call {
    struct checker *ck;
    const struct node *node;
    const struct check_function *f;
    const char *name; /* "mail.send" */
    uint32_t positional;
    bool spread, mapping; /* *args, **kwargs: anything may come */
};

static void check_value(struct call *c, const struct check_param *p,
                        const struct node *value) {
    if (suits(p, value)) return;
    check_report(c->ck, value, "%s(): '%.*s' must be %s, not %s", c->name,
                 STR_ARG(p->name), types_text(c->ck, p->types),
                 types_text(c->ck, type_of(value)));
}

static bool given(const struct call *c, size_t i) {
    const struct nodes *l = c->node->as.call.keywords;
    if (i < c->positional) return true;
    for (uint32_t k = 0; k < nodes_count(l); k++) {
        uint32_t arg = l->at[k]->as.keyword.arg;
        if (arg && str_eq(check_text(c->ck, arg), c->f->params[i].name))
            return true;
    }
    return false;
}

/* The one parameter that is required and not given; -1: none, or several. */
static ptrdiff_t only_missing(const struct call *c) {
    ptrdiff_t found = -1;
    for (size_t i = 0; i < c->f->count; i++) {
        if (!c->f->params[i].required || given(c, i)) continue;
        if (found >= 0) return -1;
        found = (ptrdiff_t)i;
    }
    return found;
}

/* The parameter a keyword was perhaps meant to be, or -1. */
static ptrdiff_t meant(const struct call *c, const struct node *keyword) {
    str name = check_text(c->ck, keyword->as.keyword.arg);
    ptrdiff_t best = -1;
    size_t nearest = SIZE_MAX;
    for (size_t i = 0; i < c->f->count; i++) {
        size_t d = given(c, i) ? SIZE_MAX : unlike(name, c->f->params[i].name);
        if (d >= nearest) continue;
        nearest = d;
        best = (ptrdiff_t)i;
    }
    if (best >= 0) return best;
    best = only_missing(c);
    if (best < 0 || !suits(&c->f->params[best], keyword->as.keyword.value))
        return -1;
    return best;
}

/* True: a missing parameter was suggested for it. */
static bool check_unknown_keyword(struct call *c, const struct node *k) {
    ptrdiff_t near = meant(c, k);
    str name = check_text(c->ck, k->as.keyword.arg);
    str other = near >= 0 ? c->f->params[near].name : STR("");
    check_report(c->ck, k, "%s() has no parameter '%.*s'%s%.*s%s", c->name,
                 STR_ARG(name), near >= 0 ? "; did you mean '" : "",
                 STR_ARG(other), near >= 0 ? "'?" : "");
    return near >= 0 && c->f->params[near].required;
}

static bool check_keyword(struct call *c, const struct node *k) {
    str name = check_text(c->ck, k->as.keyword.arg);
    for (size_t i = 0; i < c->f->count; i++) {
        if (!str_eq(c->f->params[i].name, name)) continue;
        if (i < c->positional)
            check_report(c->ck, k, "%s() got multiple values for '%.*s'",
                         c->name, STR_ARG(name));
        else
            check_value(c, &c->f->params[i], k->as.keyword.value);
        return false;
    }
    return !c->f->open && check_unknown_keyword(c, k);
}

static void check_missing(struct call *c) {
    for (size_t i = c->positional; i < c->f->count; i++) {
        const struct check_param *p = &c->f->params[i];
        if (!p->required || given(c, i)) continue;
        check_report(c->ck, c->node, "%s() misses its argument '%.*s'", c->name,
                     STR_ARG(p->name));
        return;
    }
}

static void check_arguments(struct call *c) {
    const struct node_Call *n = &c->node->as.call;
    bool explained = false;
    if (c->positional > c->f->count)
        check_report(c->ck, c->node, "%s() takes %zu argument%s, not %u",
                     c->name, c->f->count, c->f->count == 1 ? "" : "s",
                     c->positional);
    for (uint32_t i = 0; i < c->positional && i < c->f->count; i++)
        check_value(c, &c->f->params[i], n->args->at[i]);
    for (uint32_t i = 0; i < nodes_count(n->keywords); i++)
        if (n->keywords->at[i]->as.keyword.arg)
            explained |= check_keyword(c, n->keywords->at[i]);
    if (!c->spread && !c->mapping && !explained) check_missing(c);
}

void check_tool(struct checker *ck, const struct node *call,
                const struct check_function *f) {
    struct call c = {.ck = ck, .node = call, .f = f};
    const struct node_Call *n = &call->as.call;
    c.name = arena_printf(ck->arena, ck->e, "%.*s%s%.*s", STR_ARG(f->space),
                          f->space.n ? "." : "", STR_ARG(f->name));
    if (!c.name) return;
    for (uint32_t i = 0; i < nodes_count(n->args); i++) {
        c.spread |= n->args->at[i]->kind == N_Starred;
        if (!c.spread) c.positional++;
    }
    for (uint32_t i = 0; i < nodes_count(n->keywords); i++)
        c.mapping |= !n->keywords->at[i]->as.keyword.arg;
    check_arguments(&c);
}
