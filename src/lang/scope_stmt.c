/* SPDX-License-Identifier: MIT
 *
 * Statements: what they bind, and what may not stand where.
 */
#include "lang/scoper.h"

static bool in_function(const struct scoper *sc) {
    return sc->scope->unit->kind == SCOPE_FUNCTION;
}

/* Where await may stand: an async function, or a program's top level. */
static bool may_await(const struct scoper *sc) {
    const struct scope *u = sc->scope->unit;
    return u->async || u->kind == SCOPE_MODULE;
}

/* -- functions and classes ------------------------------------------------ */

static int bind_name(struct scoper *sc, uint32_t *name, const struct node *n,
                     unsigned flags) {
    *name = scope_mangle(sc, *name);
    if (!*name) return -1;
    if (*name == sc->name_debug)
        return scope_bad(sc, n, "cannot assign to __debug__");
    return scope_bind(sc, *name, flags);
}

static int parameter(struct scoper *sc, struct node *arg) {
    if (!arg) return 0;
    uint32_t name = scope_mangle(sc, arg->as.arg.arg);
    if (!name) return -1;
    arg->as.arg.arg = name;
    if (name == sc->name_debug)
        return scope_bad(sc, arg, "cannot assign to __debug__");
    struct variable *v = scope_find(sc->scope, name);
    if (v && v->flags & VAR_PARAM)
        return scope_bad(sc, arg,
                         "duplicate argument '%.*s' in function definition",
                         STR_ARG(scope_text(sc, name)));
    return scope_bind(sc, name, VAR_PARAM);
}

static int parameters(struct scoper *sc, const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (parameter(sc, l->at[i])) return -1;
    return 0;
}

/* In the order of registers: see lang/bytecode.h. */
static int all_parameters(struct scoper *sc, const struct node *args) {
    const struct node_arguments *a = &args->as.arguments;
    return parameters(sc, a->posonlyargs) || parameters(sc, a->args) ||
           parameters(sc, a->kwonlyargs) || parameter(sc, a->vararg) ||
           parameter(sc, a->kwarg);
}

/* Opens the scope of a function, reads it, closes it. Defaults were read in
 * the scope around it. */
int scope_function(struct scoper *sc, struct node *n, struct node *args,
                   struct nodes *body, struct node *value, struct scope **out) {
    struct scoper saved = *sc;
    struct scope *s = scope_open(sc, SCOPE_FUNCTION, n);
    if (!s) return -1;
    s->async = n->kind == N_AsyncFunctionDef;
    sc->loops = sc->star_try = 0;
    sc->in_iterable = false;
    sc->value_return = NULL;
    if (all_parameters(sc, args)) return -1;
    if (value ? scope_expr(sc, value) : scope_statements(sc, body)) return -1;
    if (s->async && s->generator && sc->value_return)
        return scope_bad(sc, sc->value_return,
                         "'return' with value in async generator");
    scope_close(sc);
    *out = s;
    sc->loops = saved.loops;
    sc->star_try = saved.star_try;
    sc->star_loops = saved.star_loops;
    sc->in_iterable = saved.in_iterable;
    sc->value_return = saved.value_return;
    return 0;
}

static int type_parameters(struct scoper *sc, struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        struct node *n = l->at[i];
        if (bind_name(sc, &n->as.type_var.name, n, 0)) return -1;
    }
    return 0;
}

static int function(struct scoper *sc, struct node *n) {
    struct node_FunctionDef *f = &n->as.func;
    const struct node_arguments *a = &f->args->as.arguments;
    if (scope_exprs(sc, f->decorators) || scope_exprs(sc, a->defaults) ||
        scope_exprs(sc, a->kw_defaults) ||
        type_parameters(sc, f->type_params) || bind_name(sc, &f->name, n, 0) ||
        scope_function(sc, n, f->args, f->body, NULL, &f->scope))
        return -1;
    return scope_annotations(sc, n);
}

static int class_def(struct scoper *sc, struct node *n) {
    struct node_ClassDef *c = &n->as.class_def;
    if (scope_exprs(sc, c->decorators) || type_parameters(sc, c->type_params) ||
        scope_call(sc, c->bases, c->keywords))
        return -1;
    uint32_t plain = c->name;
    if (bind_name(sc, &c->name, n, 0)) return -1;
    struct scoper saved = *sc;
    struct scope *s = scope_open(sc, SCOPE_CLASS, n);
    if (!s) return -1;
    s->class_name = plain;
    sc->loops = sc->star_try = 0;
    if (scope_statements(sc, c->body)) return -1;
    c->scope = s;
    scope_close(sc);
    sc->loops = saved.loops;
    sc->star_try = saved.star_try;
    sc->star_loops = saved.star_loops;
    return 0;
}

/* -- global, nonlocal ----------------------------------------------------- */

static int check_declared(struct scoper *sc, const struct node *n,
                          uint32_t name, const char *what) {
    const struct variable *v = scope_find(sc->scope, name);
    str s = scope_text(sc, name);
    if (!v) return 0;
    if (v->flags & VAR_PARAM)
        return scope_bad(sc, n, "name '%.*s' is parameter and %s", STR_ARG(s),
                         what);
    bool other = n->kind == N_Global ? v->flags & VAR_IS_NONLOCAL
                                     : v->flags & VAR_IS_GLOBAL;
    if (other)
        return scope_bad(sc, n, "name '%.*s' is nonlocal and global",
                         STR_ARG(s));
    if (v->flags & (VAR_IS_GLOBAL | VAR_IS_NONLOCAL)) return 0;
    if (v->flags & VAR_ANNOTATED)
        return scope_bad(sc, n, "annotated name '%.*s' can't be %s", STR_ARG(s),
                         what);
    if (v->flags & VAR_BOUND)
        return scope_bad(sc, n,
                         "name '%.*s' is assigned to before %s declaration",
                         STR_ARG(s), what);
    if (v->flags & VAR_USED)
        return scope_bad(sc, n, "name '%.*s' is used prior to %s declaration",
                         STR_ARG(s), what);
    return 0;
}

static int declare(struct scoper *sc, struct node *n) {
    bool global = n->kind == N_Global;
    struct idents *l = n->as.global.names;
    if (!global && sc->scope->kind == SCOPE_MODULE)
        return scope_bad(sc, n,
                         "nonlocal declaration not allowed at module level");
    for (uint32_t i = 0; i < l->count; i++) {
        l->at[i] = scope_mangle(sc, l->at[i]);
        if (!l->at[i]) return -1;
        if (check_declared(sc, n, l->at[i], global ? "global" : "nonlocal"))
            return -1;
        if (!scope_mention(sc, sc->scope, l->at[i],
                           global ? VAR_IS_GLOBAL : VAR_IS_NONLOCAL))
            return -1;
    }
    if (global) return 0;
    struct scope_nonlocal *waiting =
        arena_alloc(sc->arena, sizeof *waiting, sc->e);
    if (!waiting) return -1;
    *waiting = (struct scope_nonlocal){n, sc->scope, sc->nonlocals};
    sc->nonlocals = waiting;
    return 0;
}

/* -- import --------------------------------------------------------------- */

static int aliases(struct scoper *sc, struct nodes *l) {
    for (uint32_t i = 0; i < l->count; i++) {
        struct node *n = l->at[i];
        uint32_t *name = &n->as.alias.asname;
        if (!*name) {
            str s = scope_text(sc, n->as.alias.name), rest = s;
            uint32_t top =
                name_add(&sc->ast->names, str_cut(&rest, '.'), sc->e);
            if (!top || bind_name(sc, &top, n, 0)) return -1;
        } else if (bind_name(sc, name, n, 0)) {
            return -1;
        }
    }
    return 0;
}

static bool is_future(str s) {
    static const char *const features[] = {"nested_scopes",
                                           "generators",
                                           "division",
                                           "absolute_import",
                                           "with_statement",
                                           "print_function",
                                           "unicode_literals",
                                           "barry_as_FLUFL",
                                           "generator_stop",
                                           "annotations",
                                           NULL};
    for (size_t i = 0; features[i]; i++)
        if (str_is(s, features[i])) return true;
    return false;
}

static int future(struct scoper *sc, struct node *n) {
    struct nodes *l = n->as.from.names;
    if (sc->code_began)
        return scope_bad(sc, n,
                         "from __future__ imports must occur at the beginning "
                         "of the file");
    for (uint32_t i = 0; i < l->count; i++) {
        str s = scope_text(sc, l->at[i]->as.alias.name);
        if (str_is(s, "braces")) return scope_bad(sc, n, "not a chance");
        if (!is_future(s))
            return scope_bad(sc, n, "future feature %.*s is not defined",
                             STR_ARG(s));
        if (str_is(s, "annotations")) sc->as_text = true;
    }
    return aliases(sc, l);
}

static int import_from(struct scoper *sc, struct node *n) {
    struct nodes *l = n->as.from.names;
    if (n->as.from.module == sc->name_future && sc->name_future)
        return future(sc, n);
    if (!str_is(scope_text(sc, l->at[0]->as.alias.name), "*"))
        return aliases(sc, l);
    if (sc->scope->kind != SCOPE_MODULE)
        return scope_bad(sc, l->at[0], "import * only allowed at module level");
    return 0;
}

/* -- assignment ----------------------------------------------------------- */

static int assign(struct scoper *sc, struct node *n) {
    struct nodes *l = n->as.assign.targets;
    if (scope_expr(sc, n->as.assign.value)) return -1;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->at[i]->kind == N_Starred)
            return scope_bad(sc, l->at[i],
                             "starred assignment target must be in a list or "
                             "tuple");
        if (scope_target(sc, l->at[i])) return -1;
    }
    return 0;
}

static int annotated(struct scoper *sc, struct node *n) {
    struct node *t = n->as.ann.target;
    if (n->as.ann.value && scope_expr(sc, n->as.ann.value)) return -1;
    if (n->number) { /* a plain name */
        uint32_t name = scope_mangle(sc, t->as.name.id);
        const struct variable *v = scope_find(sc->scope, name);
        unsigned declared = VAR_IS_GLOBAL | VAR_IS_NONLOCAL;
        if (v && v->flags & declared && sc->scope->kind != SCOPE_MODULE)
            return scope_bad(sc, n, "annotated name '%.*s' can't be %s",
                             STR_ARG(scope_text(sc, name)),
                             v->flags & VAR_IS_GLOBAL ? "global" : "nonlocal");
        t->as.name.id = name;
        if (bind_name(sc, &t->as.name.id, t, VAR_ANNOTATED)) return -1;
    } else if (scope_target(sc, t)) {
        return -1;
    }
    if (!scope_keeps_annotations(sc->ast, sc->scope)) return 0;
    if (sc->as_text && scope_as_text(sc, &n->as.ann.annotation)) return -1;
    return scope_expr(sc, n->as.ann.annotation);
}

static int augmented(struct scoper *sc, struct node *n) {
    struct node *t = n->as.aug.target;
    if (scope_expr(sc, n->as.aug.value)) return -1;
    if (t->kind != N_Name) return scope_target(sc, t);
    if (bind_name(sc, &t->as.name.id, t, 0)) return -1;
    return scope_use(sc, t->as.name.id);
}

static int delete (struct scoper *sc, struct nodes *l) {
    for (uint32_t i = 0; i < l->count; i++)
        if (scope_target(sc, l->at[i])) return -1;
    return 0;
}

/* -- control flow --------------------------------------------------------- */

static int body(struct scoper *sc, struct nodes *l) {
    return scope_statements(sc, l);
}

static int loop_body(struct scoper *sc, struct nodes *l) {
    sc->loops++;
    int bad = body(sc, l);
    sc->loops--;
    return bad;
}

static int for_loop(struct scoper *sc, struct node *n) {
    if (n->kind == N_AsyncFor && !may_await(sc))
        return scope_bad(sc, n, "'async for' outside async function");
    struct node_For *f = &n->as.loop;
    if (f->target->kind == N_Starred)
        return scope_bad(sc, f->target,
                         "starred assignment target must be in a list or "
                         "tuple");
    return scope_expr(sc, f->iter) || scope_target(sc, f->target) ||
           loop_body(sc, f->body) || body(sc, f->orelse);
}

static int with(struct scoper *sc, struct node *n) {
    if (n->kind == N_AsyncWith && !may_await(sc))
        return scope_bad(sc, n, "'async with' outside async function");
    struct nodes *l = n->as.with.items;
    for (uint32_t i = 0; i < l->count; i++) {
        struct node_withitem *item = &l->at[i]->as.withitem;
        if (scope_expr(sc, item->context_expr)) return -1;
        if (item->optional_vars && scope_target(sc, item->optional_vars))
            return -1;
    }
    return body(sc, n->as.with.body);
}

static int handler(struct scoper *sc, struct node *n, bool star) {
    struct node_ExceptHandler *h = &n->as.handler;
    if (h->type && scope_expr(sc, h->type)) return -1;
    if (h->name && bind_name(sc, &h->name, n, VAR_DELETED)) return -1;
    if (!star) return body(sc, h->body);
    uint32_t loops = sc->star_loops;
    sc->star_loops = sc->loops;
    sc->star_try++;
    int bad = body(sc, h->body);
    sc->star_try--;
    sc->star_loops = loops;
    return bad;
}

static int try_statement(struct scoper *sc, struct node *n) {
    struct node_Try *t = &n->as.try_;
    struct nodes *l = t->handlers;
    if (body(sc, t->body)) return -1;
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        if (!l->at[i]->as.handler.type && i + 1 < l->count)
            return scope_bad(sc, l->at[i], "default 'except:' must be last");
        if (handler(sc, l->at[i], n->kind == N_TryStar)) return -1;
    }
    return body(sc, t->orelse) || body(sc, t->finalbody);
}

static int leaves_star(struct scoper *sc, const struct node *n) {
    return scope_bad(sc, n,
                     "'break', 'continue' and 'return' cannot appear in an "
                     "except* block");
}

static int return_statement(struct scoper *sc, struct node *n) {
    if (!in_function(sc)) return scope_bad(sc, n, "'return' outside function");
    if (sc->star_try) return leaves_star(sc, n);
    if (!n->as.ret.value) return 0;
    if (!sc->value_return) sc->value_return = n;
    return scope_expr(sc, n->as.ret.value);
}

static int loop_exit(struct scoper *sc, struct node *n) {
    if (sc->loops == 0)
        return scope_bad(sc, n,
                         n->kind == N_Break
                             ? "'break' outside loop"
                             : "'continue' not properly in loop");
    if (sc->star_try && sc->loops == sc->star_loops) return leaves_star(sc, n);
    return 0;
}

/* A chain of elifs is walked in a loop. */
static int if_statement(struct scoper *sc, struct node *n) {
    for (;;) {
        if (scope_expr(sc, n->as.cond.test) || body(sc, n->as.cond.body))
            return -1;
        struct nodes *orelse = n->as.cond.orelse;
        bool elif = orelse && orelse->at[0]->kind == N_If &&
                    orelse->at[0]->flags & NODE_ELIF;
        if (!elif) return body(sc, orelse);
        n = orelse->at[0];
    }
}

static int type_alias(struct scoper *sc, struct node *n) {
    struct node_TypeAlias *t = &n->as.type_alias;
    if (type_parameters(sc, t->type_params) ||
        bind_name(sc, &t->name->as.name.id, n, 0))
        return -1;
    return scope_lazily(sc, &t->value);
}

static int maybe(struct scoper *sc, struct node *n) {
    return n ? scope_expr(sc, n) : 0;
}

static int statement(struct scoper *sc, struct node *n) {
    switch (n->kind) {
    case N_FunctionDef:
    case N_AsyncFunctionDef: return function(sc, n);
    case N_ClassDef: return class_def(sc, n);
    case N_Return: return return_statement(sc, n);
    case N_Delete: return delete (sc, n->as.del.targets);
    case N_Assign: return assign(sc, n);
    case N_TypeAlias: return type_alias(sc, n);
    case N_AugAssign: return augmented(sc, n);
    case N_AnnAssign: return annotated(sc, n);
    case N_For:
    case N_AsyncFor: return for_loop(sc, n);
    case N_While:
        return scope_expr(sc, n->as.loop_while.test) ||
               loop_body(sc, n->as.loop_while.body) ||
               body(sc, n->as.loop_while.orelse);
    case N_If: return if_statement(sc, n);
    case N_With:
    case N_AsyncWith: return with(sc, n);
    case N_Match: return scope_match(sc, n);
    case N_Raise:
        return maybe(sc, n->as.raise.exc) || maybe(sc, n->as.raise.cause);
    case N_Try:
    case N_TryStar: return try_statement(sc, n);
    case N_Assert:
        return scope_expr(sc, n->as.assert_.test) ||
               maybe(sc, n->as.assert_.msg);
    case N_Import: return aliases(sc, n->as.import.names);
    case N_ImportFrom: return import_from(sc, n);
    case N_Global:
    case N_Nonlocal: return declare(sc, n);
    case N_Break:
    case N_Continue: return loop_exit(sc, n);
    case N_Expr: return scope_expr(sc, n->as.expr.value);
    default: return 0; /* pass */
    }
}

/* The docstring and other __future__ imports may stand before one. */
static bool before_code(const struct scoper *sc, const struct node *n,
                        uint32_t i) {
    if (n->kind == N_ImportFrom) return n->as.from.module == sc->name_future;
    return i == 0 && n->kind == N_Expr &&
           n->as.expr.value->kind == N_Constant &&
           n->as.expr.value->as.constant.value.kind == CONST_STR;
}

int scope_statements(struct scoper *sc, struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        if (!before_code(sc, l->at[i], i)) sc->code_began = true;
        if (statement(sc, l->at[i])) return -1;
    }
    return 0;
}
