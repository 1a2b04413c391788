/* SPDX-License-Identifier: MIT
 *
 * Expressions: what they use and, through := and comprehensions, bind.
 */
#include "lang/scoper.h"

/* -- targets -------------------------------------------------------------- */

static int target_list(struct scoper *sc, struct node *n, struct nodes *l) {
    bool star = false;
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        struct node *t = l->at[i];
        if (t->kind == N_Starred && star)
            return scope_bad(sc, n,
                             "multiple starred expressions in assignment");
        star |= t->kind == N_Starred;
        if (scope_target(sc, t)) return -1;
    }
    return 0;
}

static int name_target(struct scoper *sc, struct node *n) {
    uint32_t name = scope_mangle(sc, n->as.name.id);
    if (!name) return -1;
    n->as.name.id = name;
    bool del = n->op == DEL;
    if (name == sc->name_debug)
        return scope_bad(sc, n, "cannot %s __debug__",
                         del ? "delete" : "assign to");
    return scope_bind(sc, name, del ? VAR_DELETED | VAR_USED : 0);
}

int scope_target(struct scoper *sc, struct node *n) {
    switch (n->kind) {
    case N_Name: return name_target(sc, n);
    case N_Starred: return scope_target(sc, n->as.starred.value);
    case N_Tuple: return target_list(sc, n, n->as.tuple.elts);
    case N_List: return target_list(sc, n, n->as.list.elts);
    default: return scope_expr(sc, n);
    }
}

/* -- comprehensions ------------------------------------------------------- */

static const char *comprehension_name(const struct node *n) {
    if (n->kind == N_ListComp) return "list comprehension";
    if (n->kind == N_SetComp) return "set comprehension";
    if (n->kind == N_DictComp) return "dict comprehension";
    return "generator expression";
}

/* Targets of `for` in a comprehension are its own. */
static void mark_iteration(struct scope *s, const struct node *t) {
    if (t->kind == N_Name) {
        struct variable *v = scope_find(s, t->as.name.id);
        if (v) v->flags |= VAR_ITERATION;
    }
    const struct nodes *l = NULL;
    if (t->kind == N_Tuple) l = t->as.tuple.elts;
    if (t->kind == N_List) l = t->as.list.elts;
    if (t->kind == N_Starred) mark_iteration(s, t->as.starred.value);
    for (uint32_t i = 0; i < nodes_count(l); i++)
        mark_iteration(s, l->at[i]);
}

static int iterable(struct scoper *sc, struct node *n) {
    bool before = sc->in_iterable;
    sc->in_iterable = true;
    int bad = scope_expr(sc, n);
    sc->in_iterable = before;
    return bad;
}

static int clauses(struct scoper *sc, struct nodes *l) {
    for (uint32_t i = 0; i < l->count; i++) {
        struct node_comprehension *g = &l->at[i]->as.generator;
        if (i > 0 && iterable(sc, g->iter)) return -1;
        if (scope_target(sc, g->target)) return -1;
        mark_iteration(sc->scope, g->target);
        if (scope_exprs(sc, g->ifs)) return -1;
    }
    return 0;
}

static bool has_async(const struct nodes *l) {
    for (uint32_t i = 0; i < l->count; i++)
        if (l->at[i]->number) return true;
    return false;
}

/* A generator expression around an asynchronous comprehension becomes
 * asynchronous itself. */
static bool may_iterate_async(struct scoper *sc) {
    struct scope *s = sc->scope->unit;
    for (; s->kind == SCOPE_GENERATOR; s = s->parent->unit)
        s->async = true;
    return s->async || s->kind == SCOPE_MODULE;
}

static int comprehension(struct scoper *sc, struct node *n, struct nodes *l,
                         struct node *one, struct node *two,
                         struct scope **out) {
    bool generator = n->kind == N_GeneratorExp;
    if (has_async(l) && !generator && !may_iterate_async(sc))
        return scope_bad(sc, n,
                         "asynchronous comprehension outside of an "
                         "asynchronous function");
    /* The first iterable belongs to the scope around. */
    if (iterable(sc, l->at[0]->as.generator.iter)) return -1;
    struct scope *s =
        scope_open(sc, generator ? SCOPE_GENERATOR : SCOPE_COMPREHENSION, n);
    if (!s) return -1;
    bool before = sc->in_iterable;
    sc->in_iterable = false;
    s->async = has_async(l);
    s->generator = generator;
    if (clauses(sc, l) || scope_expr(sc, one) || (two && scope_expr(sc, two)))
        return -1;
    sc->in_iterable = before;
    scope_close(sc);
    *out = s;
    return 0;
}

static bool is_comprehension(const struct scope *s) {
    return s->kind == SCOPE_COMPREHENSION || s->kind == SCOPE_GENERATOR;
}

/* := binds in the scope around all comprehensions. */
static int walrus(struct scoper *sc, struct node *n) {
    struct node *t = n->as.named.target;
    uint32_t name = scope_mangle(sc, t->as.name.id);
    if (!name) return -1;
    t->as.name.id = name;
    str text = scope_text(sc, name);
    if (sc->in_iterable)
        return scope_bad(sc, n,
                         "assignment expression cannot be used in a "
                         "comprehension iterable expression");
    if (name == sc->name_debug)
        return scope_bad(sc, t, "cannot assign to __debug__");
    struct scope *s = sc->scope;
    for (; is_comprehension(s); s = s->parent) {
        struct variable *v = scope_mention(sc, s, name, VAR_USED);
        if (!v) return -1;
        if (v->flags & VAR_ITERATION)
            return scope_bad(sc, t,
                             "assignment expression cannot rebind "
                             "comprehension iteration variable '%.*s'",
                             STR_ARG(text));
    }
    if (s != sc->scope && s->kind == SCOPE_CLASS)
        return scope_bad(sc, t,
                         "assignment expression within a comprehension cannot "
                         "be used in a class body");
    if (!scope_mention(sc, s, name, VAR_BOUND | VAR_WALRUS)) return -1;
    return scope_expr(sc, n->as.named.value);
}

/* -- yield, await --------------------------------------------------------- */

static int yield(struct scoper *sc, struct node *n, struct node *value) {
    struct scope *s = sc->scope;
    if (is_comprehension(s))
        return scope_bad(sc, n, "'yield' inside %s",
                         comprehension_name(s->node));
    if (s->kind != SCOPE_FUNCTION)
        return scope_bad(sc, n, "'yield' outside function");
    if (n->kind == N_YieldFrom && s->async)
        return scope_bad(sc, n, "'yield from' inside async function");
    s->generator = true;
    return value ? scope_expr(sc, value) : 0;
}

static int await(struct scoper *sc, struct node *n) {
    struct scope *s = sc->scope, *unit = s->unit;
    if (unit->kind == SCOPE_CLASS)
        return scope_bad(sc, n, "'await' outside function");
    if (unit->kind == SCOPE_FUNCTION && !unit->async)
        return scope_bad(sc, n, "'await' outside async function");
    if (unit->kind == SCOPE_GENERATOR) unit->async = true;
    return scope_expr(sc, n->as.await.value);
}

/* -- calls and displays --------------------------------------------------- */

int scope_elements(struct scoper *sc, struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        struct node *n = l->at[i];
        if (n && n->kind == N_Starred) n = n->as.starred.value;
        if (n && scope_expr(sc, n)) return -1;
    }
    return 0;
}

static int check_repeated(struct scoper *sc, struct nodes *l, uint32_t i) {
    uint32_t name = l->at[i]->as.keyword.arg;
    for (uint32_t k = 0; name && k < i; k++)
        if (l->at[k]->as.keyword.arg == name)
            return scope_bad(sc, l->at[i], "keyword argument repeated: %.*s",
                             STR_ARG(scope_text(sc, name)));
    return 0;
}

/* More keywords than anybody writes would make the check slow. */
enum { MAX_KEYWORDS = 4096 };

int scope_call(struct scoper *sc, struct nodes *args, struct nodes *keywords) {
    if (scope_elements(sc, args)) return -1;
    if (nodes_count(keywords) > MAX_KEYWORDS)
        return scope_bad(sc, keywords->at[MAX_KEYWORDS],
                         "more than %d keyword arguments", MAX_KEYWORDS);
    for (uint32_t i = 0; i < nodes_count(keywords); i++) {
        struct node_keyword *k = &keywords->at[i]->as.keyword;
        if (k->arg && !(k->arg = scope_mangle(sc, k->arg))) return -1;
        if (k->arg && k->arg == sc->name_debug)
            return scope_bad(sc, keywords->at[i], "cannot assign to __debug__");
        if (check_repeated(sc, keywords, i) || scope_expr(sc, k->value))
            return -1;
    }
    return 0;
}

static int lambda(struct scoper *sc, struct node *n) {
    struct node_Lambda *l = &n->as.lambda;
    const struct node_arguments *a = &l->args->as.arguments;
    if (scope_exprs(sc, a->defaults) || scope_exprs(sc, a->kw_defaults))
        return -1;
    return scope_function(sc, n, l->args, NULL, l->body, &l->scope);
}

int scope_exprs(struct scoper *sc, struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (l->at[i] && scope_expr(sc, l->at[i])) return -1;
    return 0;
}

/* Kinds without a rule of their own: every part in turn. */
static int parts(struct scoper *sc, struct node *n) {
    const struct part *p = node_parts((enum node_kind)n->kind);
    for (; p->name; p++) {
        char *at = (char *)n + p->offset;
        struct node *one = p->kind == PART_ONE ? *(struct node **)at : NULL;
        if (one && scope_expr(sc, one)) return -1;
        if (p->kind == PART_MANY && scope_exprs(sc, *(struct nodes **)at))
            return -1;
    }
    return 0;
}

/* The link of a chain without its left side. */
static int chain_link(struct scoper *sc, struct node *n) {
    if (n->kind == N_BinOp) return scope_expr(sc, n->as.bin.right);
    if (n->kind == N_Call)
        return scope_call(sc, n->as.call.args, n->as.call.keywords);
    if (n->kind == N_Subscript) {
        struct node *s = n->as.subscript.slice;
        if (s->kind == N_Tuple) return scope_elements(sc, s->as.tuple.elts);
        return scope_expr(sc, s);
    }
    uint32_t attr = scope_mangle(sc, n->as.attribute.attr);
    if (!attr) return -1;
    n->as.attribute.attr = attr;
    if (n->op == STORE && attr == sc->name_debug)
        return scope_bad(sc, n, "cannot assign to __debug__");
    return 0;
}

static int name(struct scoper *sc, struct node *n) {
    uint32_t id = scope_mangle(sc, n->as.name.id);
    if (!id) return -1;
    n->as.name.id = id;
    return scope_use(sc, id);
}

int scope_expr(struct scoper *sc, struct node *n) {
    for (struct node *left; (left = node_left(n)); n = left)
        if (chain_link(sc, n)) return -1;
    switch (n->kind) {
    case N_Name: return name(sc, n);
    case N_Constant: return 0;
    case N_NamedExpr: return walrus(sc, n);
    case N_Lambda: return lambda(sc, n);
    case N_ListComp:
    case N_SetComp:
    case N_GeneratorExp:
        return comprehension(sc, n, n->as.comp.generators, n->as.comp.elt, NULL,
                             &n->as.comp.scope);
    case N_DictComp:
        return comprehension(sc, n, n->as.dict_comp.generators,
                             n->as.dict_comp.key, n->as.dict_comp.value,
                             &n->as.dict_comp.scope);
    case N_Yield: return yield(sc, n, n->as.yield.value);
    case N_YieldFrom: return yield(sc, n, n->as.yield_from.value);
    case N_Await: return await(sc, n);
    case N_List: return scope_elements(sc, n->as.list.elts);
    case N_Tuple: return scope_elements(sc, n->as.tuple.elts);
    case N_Set: return scope_elements(sc, n->as.set.elts);
    case N_Starred:
        return scope_bad(sc, n, "can't use starred expression here");
    default: return parts(sc, n);
    }
}
