/* SPDX-License-Identifier: MIT */
#include "lang/check.h"

#include "lang/checker.h"

static void walk(struct checker *ck, const struct node *n);

void check_report(struct checker *ck, const struct node *n, const char *fmt,
                  ...) {
    if (ck->guarded || ck->failed || ck->count >= CHECK_MAX) return;
    struct fault f = {0};
    va_list ap;
    va_start(ap, fmt);
    fault_vset(&f, FAULT_SYNTAX, n->start, n->end, fmt, ap);
    va_end(ap);
    struct finding *new = arena_zalloc(ck->arena, 1, sizeof *new, ck->e);
    char *text = new ? arena_text(ck->arena, str_of(f.text), ck->e) : NULL;
    if (!text) {
        ck->failed = true;
        return;
    }
    *new = (struct finding){n->start, n->end, text, NULL};
    *ck->last = new;
    ck->last = &new->next;
    ck->count++;
}

/* -- names ---------------------------------------------------------------- */

static bool is_dunder(str s) {
    return str_starts(s, STR("__")) && str_ends(s, STR("__"));
}

/* The name means a global or a builtin here. */
static bool is_global(const struct checker *ck, uint32_t name) {
    const struct variable *v = scope_find(ck->scope, name);
    if (!v) return true;
    return v->place == VAR_GLOBAL ||
           (v->place == VAR_NAME && !(v->flags & VAR_BOUND));
}

/* A builtin that the program nowhere gives another meaning. */
static bool is_builtin(const struct checker *ck, uint32_t name) {
    return is_global(ck, name) && check_fact(ck, name)->binds == 0;
}

/* A name of the program's own that is nearly this one. */
static const char *near_own(struct checker *ck, str s) {
    str best = {NULL, 0};
    size_t best_distance = s.n < 3 ? 0 : s.n < 5 ? 2 : 3;
    for (uint32_t i = 1; i < ck->nfacts && ck->nfacts < 10000; i++) {
        if (ck->facts[i].binds == 0) continue;
        size_t d = str_distance(s, check_text(ck, i), 2);
        if (d >= best_distance) continue;
        best_distance = d;
        best = check_text(ck, i);
    }
    return best.p ? arena_text(ck->arena, best, ck->e) : NULL;
}

static void check_name(struct checker *ck, const struct node *n) {
    uint32_t name = n->as.name.id;
    str s = check_text(ck, name);
    if (n->op != LOAD || ck->dynamic || !is_builtin(ck, name) || is_dunder(s))
        return;
    const struct check_world *w = ck->world;
    if (check_space(ck, s) || check_function(ck, STR(""), s) ||
        w->has_name(w->user, STR(""), s))
        return;
    const char *near = near_own(ck, s);
    if (!near) near = check_near_space(ck, s);
    if (!near) near = w->nearest(w->user, STR(""), s);
    check_report(ck, n, "name '%.*s' is not defined%s%s%s", STR_ARG(s),
                 near ? "; did you mean '" : "", near ? near : "",
                 near ? "'?" : "");
}

/* -- modules -------------------------------------------------------------- */

/* A module of the interpreter goes before functions of the host under the same
 * name, as in import. */
static bool is_space(const struct checker *ck, str module) {
    const struct check_world *w = ck->world;
    return check_space(ck, module) && !w->has_module(w->user, module);
}

static void check_module(struct checker *ck, const struct node *n,
                         uint32_t module) {
    str s = check_text(ck, module);
    const struct check_world *w = ck->world;
    if (check_space(ck, s) || w->has_module(w->user, s)) return;
    const char *why = w->no_module(w->user, s);
    if (why)
        check_report(ck, n, "%s", why);
    else
        check_report(ck, n, "No module named '%.*s'", STR_ARG(s));
}

static void check_member(struct checker *ck, const struct node *n, str module,
                         str name, bool from) {
    const struct check_world *w = ck->world;
    if (is_dunder(name)) return;
    if (is_space(ck, module)) {
        if (!check_function(ck, module, name))
            check_unknown_function(ck, n, module, name);
        return;
    }
    if (!w->has_module(w->user, module) || w->has_name(w->user, module, name))
        return;
    const char *near = w->nearest(w->user, module, name);
    const char *before = near ? "; did you mean '" : "";
    const char *after = near ? "'?" : "";
    if (from)
        check_report(ck, n, "cannot import name '%.*s' from '%.*s'%s%s%s",
                     STR_ARG(name), STR_ARG(module), before, near ? near : "",
                     after);
    else
        check_report(ck, n, "module '%.*s' has no attribute '%.*s'%s%s%s",
                     STR_ARG(module), STR_ARG(name), before, near ? near : "",
                     after);
}

static void check_import(struct checker *ck, const struct node *n) {
    const struct nodes *l = n->as.import.names;
    for (uint32_t i = 0; i < l->count; i++)
        check_module(ck, l->at[i], l->at[i]->as.alias.name);
}

static void check_from(struct checker *ck, const struct node *n) {
    const struct nodes *l = n->as.from.names;
    str module = check_text(ck, n->as.from.module);
    if (n->number || str_is(module, "__future__")) return;
    check_module(ck, n, n->as.from.module);
    for (uint32_t i = 0; i < l->count; i++) {
        str name = check_text(ck, l->at[i]->as.alias.name);
        if (!str_is(name, "*")) check_member(ck, l->at[i], module, name, true);
    }
}

/* The module an expression is the name of, or an empty text. */
static str module_of(const struct checker *ck, const struct node *n) {
    if (n->kind != N_Name || !is_global(ck, n->as.name.id)) return STR("");
    const struct fact *f = check_fact(ck, n->as.name.id);
    if (f->kind != FACT_MODULE || f->binds != 1) return STR("");
    return check_text(ck, f->module);
}

/* The space of host functions an expression is the name of, or empty. */
static str space_of(const struct checker *ck, const struct node *n) {
    str module = module_of(ck, n);
    if (module.n && is_space(ck, module)) return module;
    if (n->kind != N_Name || ck->dynamic || !is_builtin(ck, n->as.name.id))
        return STR("");
    str s = check_text(ck, n->as.name.id);
    return check_space(ck, s) ? s : STR("");
}

static void check_attribute(struct checker *ck, const struct node *n) {
    str space = space_of(ck, n->as.attribute.value);
    str name = check_text(ck, n->as.attribute.attr);
    str module = module_of(ck, n->as.attribute.value);
    if (n->op != LOAD) return;
    if (space.n && !is_dunder(name) && !check_function(ck, space, name))
        check_unknown_function(ck, n, space, name);
    else if (!space.n && module.n)
        check_member(ck, n, module, name, false);
}

/* -- calls ---------------------------------------------------------------- */

static void check_known(struct checker *ck, const struct node *call, str module,
                        str name) {
    const struct check_world *w = ck->world;
    const struct check_function *tool =
        is_space(ck, module) ? check_function(ck, module, name) : NULL;
    const char *signature = tool ? NULL : w->signature(w->user, module, name);
    if (tool) check_tool(ck, call, tool);
    if (signature) check_signature(ck, call, name, signature);
}

static void check_callee(struct checker *ck, const struct node *n) {
    const struct node *f = n->as.call.func;
    if (f->kind == N_Attribute) {
        str space = space_of(ck, f->as.attribute.value);
        str module = module_of(ck, f->as.attribute.value);
        str name = check_text(ck, f->as.attribute.attr);
        const struct check_function *tool = check_function(ck, space, name);
        if (tool && tool->space.n)
            check_tool(ck, n, tool);
        else if (module.n)
            check_known(ck, n, module, name);
        return;
    }
    if (f->kind != N_Name || !is_global(ck, f->as.name.id)) return;
    const struct fact *fact = check_fact(ck, f->as.name.id);
    str name = check_text(ck, f->as.name.id);
    const struct check_function *tool = check_function(ck, STR(""), name);
    if (fact->binds == 0 && !ck->dynamic && tool) {
        check_tool(ck, n, tool);
    } else if (fact->binds == 0 && !ck->dynamic) {
        check_known(ck, n, STR(""), name);
    } else if (fact->binds == 1 && fact->kind == FACT_MEMBER) {
        check_known(ck, n, check_text(ck, fact->module),
                    check_text(ck, fact->member));
    } else if (fact->binds == 1 && fact->kind == FACT_FUNCTION) {
        check_call(ck, n, name, fact->args);
    }
}

/* -- the walk ------------------------------------------------------------- */

static void walk_list(struct checker *ck, const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (l->at[i]) walk(ck, l->at[i]);
}

static struct scope *scope_of(const struct node *n) {
    switch (n->kind) {
    case N_FunctionDef:
    case N_AsyncFunctionDef: return n->as.func.scope;
    case N_ClassDef: return n->as.class_def.scope;
    case N_Lambda: return n->as.lambda.scope;
    case N_DictComp: return n->as.dict_comp.scope;
    case N_ListComp:
    case N_SetComp:
    case N_GeneratorExp: return n->as.comp.scope;
    default: return NULL;
    }
}

/* `TYPE_CHECKING` or `typing.TYPE_CHECKING`, which is false. */
static bool for_types(const struct checker *ck, const struct node *n) {
    uint32_t name = n->kind == N_Name        ? n->as.name.id
                    : n->kind == N_Attribute ? n->as.attribute.attr
                                             : 0;
    return name && str_is(check_text(ck, name), "TYPE_CHECKING");
}

/* What may fail on purpose: bodies of try with handlers, and of `with`, whose
 * manager may swallow exceptions; and what does not run at all. */
static bool guards(const struct checker *ck, const struct node *n) {
    if (n->kind == N_If) return for_types(ck, n->as.cond.test);
    if (n->kind == N_With || n->kind == N_AsyncWith) return true;
    return (n->kind == N_Try || n->kind == N_TryStar) && n->as.try_.handlers;
}

static void own_checks(struct checker *ck, const struct node *n) {
    switch (n->kind) {
    case N_Name: check_name(ck, n); break;
    case N_Attribute: check_attribute(ck, n); break;
    case N_Call: check_callee(ck, n); break;
    case N_Import: check_import(ck, n); break;
    case N_ImportFrom: check_from(ck, n); break;
    default: break;
    }
}

/* Annotations are not evaluated, or not before they are asked for. */
static bool is_annotation(const struct node *n, const struct node *one) {
    if (n->kind == N_AnnAssign) return one == n->as.ann.annotation;
    if (n->kind == N_arg) return true;
    bool function = n->kind == N_FunctionDef || n->kind == N_AsyncFunctionDef;
    return function && one == n->as.func.returns;
}

static void walk_parts(struct checker *ck, const struct node *n,
                       const struct node *next) {
    const struct part *p = node_parts((enum node_kind)n->kind);
    for (; p->name; p++) {
        const char *at = (const char *)n + p->offset;
        if (p->kind == PART_ONE) {
            const struct node *one = *(struct node *const *)at;
            if (one && one != next && !is_annotation(n, one)) walk(ck, one);
        } else if (p->kind == PART_MANY) {
            const struct nodes *l = *(struct nodes *const *)at;
            bool is_next = next && l && l->count == 1 && l->at[0] == next;
            if (!is_next) walk_list(ck, l);
        }
    }
}

/* Decorators, defaults and bases of a definition are looked up in its own
 * scope here: a name that only the scope around it binds is global to neither,
 * so nothing is reported that should not be. */
static void walk(struct checker *ck, const struct node *n) {
    while (n && !ck->failed) {
        const struct node *next = node_left(n);
        bool elif = n->kind == N_If && n->as.cond.orelse &&
                    n->as.cond.orelse->at[0]->flags & NODE_ELIF;
        if (elif) next = n->as.cond.orelse->at[0];
        own_checks(ck, n);
        struct scope *inner = scope_of(n), *outer = ck->scope;
        bool guard = guards(ck, n);
        if (inner) ck->scope = inner;
        ck->guarded += guard;
        walk_parts(ck, n, next);
        ck->guarded -= guard;
        ck->scope = outer;
        n = next;
    }
}

int check_source(str source, const struct check_world *world, struct arena *a,
                 struct finding **out, struct fault *fault, struct err *e) {
    struct ast ast;
    if (parse(source, world->seed, a, &ast, fault, e) ||
        scope_analyse(&ast, a, fault, e))
        return -1;
    struct checker ck = {.ast = &ast,
                         .world = world,
                         .arena = a,
                         .e = e,
                         .scope = ast.module->as.module.scope};
    ck.last = &ck.first;
    if (check_facts(&ck)) return -1;
    walk_list(&ck, ast.module->as.module.body);
    if (ck.failed) return -1;
    *out = ck.first;
    return 0;
}
