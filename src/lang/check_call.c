/* SPDX-License-Identifier: MIT
 *
 * Arguments against parameters, as a call would bind them.
 */
#include "lang/checker.h"
#include "lang/parse.h"

struct given {
    uint32_t positional; /* before a *spread */
    bool spread;         /* *args: more positional ones may come */
    bool mapping;        /* **kwargs: any name may come */
};

static struct given count_given(const struct node_Call *c) {
    struct given g = {0};
    for (uint32_t i = 0; i < nodes_count(c->args); i++) {
        if (c->args->at[i]->kind == N_Starred) g.spread = true;
        if (!g.spread) g.positional++;
    }
    for (uint32_t i = 0; i < nodes_count(c->keywords); i++)
        if (!c->keywords->at[i]->as.keyword.arg) g.mapping = true;
    return g;
}

/* The position of a parameter that has a name, or -1; *keyword_only tells the
 * two lists apart. Names of another parse are compared as text. */
static const struct node *positional_at(const struct node_arguments *a,
                                        uint32_t i) {
    uint32_t only = nodes_count(a->posonlyargs);
    return i < only ? a->posonlyargs->at[i] : a->args->at[i - only];
}

struct params {
    const struct node_arguments *a;
    const struct name_table *names; /* of the parameters */
    uint32_t only, positional, keyword_only;
};

static str param_name(const struct params *ps, const struct node *arg) {
    return name_text(ps->names, arg->as.arg.arg);
}

static bool has_keyword(const struct node_Call *c, const struct checker *ck,
                        str name) {
    for (uint32_t i = 0; i < nodes_count(c->keywords); i++) {
        uint32_t k = c->keywords->at[i]->as.keyword.arg;
        if (k && str_eq(check_text(ck, k), name)) return true;
    }
    return false;
}

/* -- literal types -------------------------------------------------------- */

static const char *literal_type(const struct node *n) {
    if (n->kind == N_List || n->kind == N_ListComp) return "list";
    if (n->kind == N_Dict || n->kind == N_DictComp) return "dict";
    if (n->kind == N_JoinedStr) return "str";
    if (n->kind != N_Constant) return NULL;
    switch ((enum const_kind)n->as.constant.value.kind) {
    case CONST_INT:
    case CONST_BIG: return "int";
    case CONST_REAL: return "float";
    case CONST_STR: return "str";
    case CONST_TRUE:
    case CONST_FALSE: return "bool";
    case CONST_BYTES: return "bytes";
    case CONST_NONE:
    case CONST_ELLIPSIS:
    case CONST_COMPLEX:
    case CONST_TUPLE:
    case CONST_FROZENSET:
    case CONST_CODE: return NULL;
    }
    return NULL;
}

static bool fits(str want, const char *got) {
    static const char *const known[] = {"str",  "int",  "float", "bool",
                                        "list", "dict", "bytes", NULL};
    bool is_known = false;
    for (size_t i = 0; known[i]; i++)
        is_known |= str_is(want, known[i]);
    if (!is_known || str_is(want, got)) return true;
    bool number = str_is(want, "float") || str_is(want, "int");
    if (str_is(want, "float") && str_is(str_of(got), "int")) return true;
    return number && str_is(str_of(got), "bool");
}

/* Only signatures of tools promise that types are checked. */
static void check_type(struct checker *ck, const struct params *ps, str call,
                       const struct node *param, const struct node *value) {
    const struct node *t = param->as.arg.annotation;
    const char *got = literal_type(value);
    if (!t || t->kind != N_Name || !got || ps->names == &ck->ast->names) return;
    str want = name_text(ps->names, t->as.name.id);
    if (!fits(want, got))
        check_report(ck, value, "%.*s(): '%.*s' must be %.*s, not %s",
                     STR_ARG(call), STR_ARG(param_name(ps, param)),
                     STR_ARG(want), got);
}

/* -- binding -------------------------------------------------------------- */

static void too_many(struct checker *ck, const struct node *call, str name,
                     const struct params *ps, uint32_t given) {
    uint32_t optional = nodes_count(ps->a->defaults), max = ps->positional;
    bool range = optional > 0;
    if (range)
        check_report(ck, call,
                     "%.*s() takes from %u to %u positional arguments but %u "
                     "were given",
                     STR_ARG(name), max - optional, max, given);
    else
        check_report(ck, call,
                     "%.*s() takes %u positional argument%s but %u %s given",
                     STR_ARG(name), max, max == 1 ? "" : "s", given,
                     given == 1 ? "was" : "were");
}

static const char *near_parameter(const struct params *ps, str name,
                                  struct checker *ck) {
    const char *best = NULL;
    size_t best_distance = 3;
    uint32_t total = ps->positional + ps->keyword_only;
    for (uint32_t i = ps->only; i < total; i++) {
        const struct node *p = i < ps->positional
                                   ? positional_at(ps->a, i)
                                   : ps->a->kwonlyargs->at[i - ps->positional];
        str s = param_name(ps, p);
        size_t d = str_distance(name, s, 2);
        if (d >= best_distance) continue;
        best_distance = d;
        best = arena_text(ck->arena, s, ck->e);
    }
    return best;
}

static void unexpected(struct checker *ck, const struct node *keyword, str call,
                       const struct params *ps) {
    str name = check_text(ck, keyword->as.keyword.arg);
    const char *near = near_parameter(ps, name, ck);
    check_report(ck, keyword,
                 "%.*s() got an unexpected keyword argument '%.*s'%s%s%s",
                 STR_ARG(call), STR_ARG(name), near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "");
}

/* Where a keyword goes; NULL where no parameter has its name. */
static const struct node *find_param(const struct params *ps, str name,
                                     uint32_t *position) {
    for (uint32_t i = ps->only; i < ps->positional; i++) {
        const struct node *p = positional_at(ps->a, i);
        *position = i;
        if (str_eq(param_name(ps, p), name)) return p;
    }
    *position = UINT32_MAX;
    for (uint32_t i = 0; i < ps->keyword_only; i++)
        if (str_eq(param_name(ps, ps->a->kwonlyargs->at[i]), name))
            return ps->a->kwonlyargs->at[i];
    return NULL;
}

static void check_keywords(struct checker *ck, const struct node *call,
                           str name, const struct params *ps, struct given g) {
    const struct nodes *l = call->as.call.keywords;
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        const struct node_keyword *k = &l->at[i]->as.keyword;
        uint32_t position;
        if (!k->arg) continue;
        const struct node *p =
            find_param(ps, check_text(ck, k->arg), &position);
        if (!p) {
            if (!ps->a->kwarg) unexpected(ck, l->at[i], name, ps);
        } else if (position < g.positional) {
            check_report(ck, l->at[i],
                         "%.*s() got multiple values for argument '%.*s'",
                         STR_ARG(name), STR_ARG(check_text(ck, k->arg)));
        } else {
            check_type(ck, ps, name, p, k->value);
        }
    }
}

static void check_missing(struct checker *ck, const struct node *call, str name,
                          const struct params *ps, struct given g) {
    const struct node_Call *c = &call->as.call;
    uint32_t required = ps->positional - nodes_count(ps->a->defaults);
    if (g.spread || g.mapping) return;
    for (uint32_t i = g.positional; i < required; i++) {
        str p = param_name(ps, positional_at(ps->a, i));
        if (i >= ps->only && has_keyword(c, ck, p)) continue;
        check_report(ck, call,
                     "%.*s() missing required positional argument: '%.*s'",
                     STR_ARG(name), STR_ARG(p));
        return;
    }
    for (uint32_t i = 0; i < ps->keyword_only; i++) {
        str p = param_name(ps, ps->a->kwonlyargs->at[i]);
        if (ps->a->kw_defaults->at[i] || has_keyword(c, ck, p)) continue;
        check_report(ck, call,
                     "%.*s() missing required keyword-only argument: '%.*s'",
                     STR_ARG(name), STR_ARG(p));
        return;
    }
}

static void check_against(struct checker *ck, const struct node *call, str name,
                          const struct node *args,
                          const struct name_table *names) {
    const struct node_arguments *a = &args->as.arguments;
    struct params ps = {.a = a, .names = names};
    ps.only = nodes_count(a->posonlyargs);
    ps.positional = ps.only + nodes_count(a->args);
    ps.keyword_only = nodes_count(a->kwonlyargs);
    struct given g = count_given(&call->as.call);
    if (g.positional > ps.positional && !a->vararg)
        too_many(ck, call, name, &ps, g.positional);
    for (uint32_t i = 0; i < g.positional && i < ps.positional; i++)
        check_type(ck, &ps, name, positional_at(a, i),
                   call->as.call.args->at[i]);
    check_keywords(ck, call, name, &ps, g);
    check_missing(ck, call, name, &ps, g);
}

void check_call(struct checker *ck, const struct node *call, str name,
                const struct node *args) {
    check_against(ck, call, name, args, &ck->ast->names);
}

void check_signature(struct checker *ck, const struct node *call, str name,
                     const char *signature) {
    struct ast ast;
    struct fault fault;
    struct err e;
    char *text = arena_printf(ck->arena, ck->e, "def f(%s): pass", signature);
    if (!text ||
        parse(str_of(text), ck->world->seed, ck->arena, &ast, &fault, &e))
        return;
    const struct node *def = ast.module->as.module.body->at[0];
    check_against(ck, call, name, def->as.func.args, &ast.names);
}
