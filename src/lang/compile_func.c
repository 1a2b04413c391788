/* SPDX-License-Identifier: MIT
 *
 * Units inside units: functions, lambdas, generator expressions, classes.
 */
#include "lang/compiler.h"

/* -- a unit --------------------------------------------------------------- */

static str qualified(struct emitter *em, str name) {
    struct compiler *c = em->c;
    const struct emitter *outer = em->outer;
    if (!outer || outer->unit->kind == SCOPE_MODULE) return name;
    const struct variable *v = NULL;
    uint32_t id = name_find(&c->ast->names, name);
    if (id) v = scope_find(outer->scope, id);
    if (v && v->place == VAR_GLOBAL && v->flags & VAR_IS_GLOBAL) return name;
    bool function = outer->unit->kind != SCOPE_CLASS;
    char *text =
        arena_printf(c->arena, c->e, "%.*s%s%.*s", STR_ARG(outer->qualname),
                     function ? ".<locals>." : ".", STR_ARG(name));
    if (!text) c->failed = true;
    return str_of(text);
}

static void begin(struct emitter *em, struct emitter *outer, struct scope *s,
                  str name, const struct node *args) {
    emit_init(em, outer->c, outer, s);
    emit_at(em, s->node);
    em->qualname = qualified(em, name);
    name_open_unit(em, args ? &args->as.arguments : NULL);
}

static struct code_unit *finish(struct emitter *em, str name, unsigned flags) {
    struct code_unit *u = emit_finish(em);
    if (!u) return NULL;
    u->name = name;
    u->qualname = em->qualname;
    u->flags = flags;
    u->first_line = lines_place(&em->c->lines, em->unit->node->start).line;
    if (em->outer && em->outer->unit->kind != SCOPE_MODULE)
        u->flags |= CODE_NESTED;
    u->captures = name_captures(em->outer, em->unit);
    return u;
}

static void set_parameters(struct code_unit *u, const struct node *args) {
    const struct node_arguments *a = &args->as.arguments;
    u->nposonly = (uint16_t)nodes_count(a->posonlyargs);
    u->nargs = (uint16_t)(u->nposonly + nodes_count(a->args));
    u->nkwonly = (uint16_t)nodes_count(a->kwonlyargs);
    if (a->vararg) u->flags |= CODE_VARARGS;
    if (a->kwarg) u->flags |= CODE_VARKW;
}

static unsigned flags_of(const struct scope *s) {
    return (s->generator ? CODE_GENERATOR : 0u) |
           (s->async ? CODE_COROUTINE : 0u);
}

static void closure(struct emitter *em, unsigned reg,
                    const struct code_unit *u) {
    struct constant k = {.kind = CONST_CODE, .as.code = u};
    uint32_t at = emit_const(em, &k);
    if (at > UINT16_MAX) emit_fail(em, "too many constants in one function");
    emit_abx(em, OP_CLOSURE, reg, at);
}

/* -- functions ------------------------------------------------------------ */

/* Keyword-only defaults as a dict, or unset. */
static void keyword_defaults(struct emitter *em, const struct node_arguments *a,
                             unsigned reg) {
    bool any = false;
    for (uint32_t i = 0; i < nodes_count(a->kw_defaults); i++) {
        const struct node *value = a->kw_defaults->at[i];
        if (!value) continue;
        if (!any) emit_abc(em, OP_MAP, reg, reg, 0);
        any = true;
        unsigned key = emit_temp(em, 1);
        str name =
            name_text(&em->c->ast->names, a->kwonlyargs->at[i]->as.arg.arg);
        emit_load_text(em, key, name);
        unsigned v = (unsigned)expr(em, value, ANY);
        emit_abc(em, OP_PUTMAP, reg, key, v);
        em->top = key;
    }
    if (!any) emit_abc(em, OP_UNSET, reg, 0, 0);
}

/* Defaults into two neighbouring registers, where CLOSURE looks for them. */
static unsigned defaults(struct emitter *em, const struct node *args) {
    const struct node_arguments *a = &args->as.arguments;
    unsigned reg = emit_temp(em, 2);
    if (a->defaults) {
        struct node tuple = {
            .kind = N_Tuple, .start = args->start, .end = args->end};
        tuple.as.tuple.elts = a->defaults;
        expr(em, &tuple, (int)reg);
        em->top = reg + 2;
    } else {
        emit_abc(em, OP_UNSET, reg, 0, 0);
    }
    keyword_defaults(em, a, reg + 1);
    return reg;
}

static str docstring(const struct nodes *body) {
    const struct node *first = nodes_count(body) ? body->at[0] : NULL;
    if (!first || first->kind != N_Expr) return (str){NULL, 0};
    const struct node *value = first->as.expr.value;
    if (value->kind != N_Constant || value->as.constant.value.kind != CONST_STR)
        return (str){NULL, 0};
    return value->as.constant.value.as.text;
}

static const struct code_unit *function_unit(struct emitter *em,
                                             const struct node *n) {
    const struct node_FunctionDef *f = &n->as.func;
    str name = name_text(&em->c->ast->names, f->name);
    struct emitter inner;
    begin(&inner, em, f->scope, name, f->args);
    stmt_body(&inner, f->body);
    emit_abc(&inner, OP_RETNONE, 0, 0, 0);
    struct code_unit *u = finish(&inner, name, flags_of(f->scope));
    if (!u) return NULL;
    set_parameters(u, f->args);
    u->doc = docstring(f->body);
    if (f->scope->annotate) u->flags |= CODE_ANNOTATED;
    return u;
}

/* Decorators stand as callees below their argument: the result of each call is
 * the argument of the one before. */
static unsigned decorators(struct emitter *em, const struct nodes *l) {
    unsigned base = em->top;
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        expr_next(em, l->at[i]);
        emit_at(em, l->at[i]);
        emit_abc(em, OP_UNSET, emit_temp(em, 1), 0, 0);
    }
    return base;
}

static unsigned decorate(struct emitter *em, const struct nodes *l,
                         unsigned base) {
    for (uint32_t i = nodes_count(l); i > 0; i--) {
        emit_at(em, l->at[i - 1]);
        emit_abc(em, OP_CALL, base + 2 * (i - 1), 1, 0);
    }
    return base;
}

/* T = typing.TypeVar("T") for each, in the scope around. */
void func_type_parameters(struct emitter *em, const struct nodes *l) {
    static const char *const makers[] = {"TypeVar", "ParamSpec",
                                         "TypeVarTuple"};
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        const struct node *n = l->at[i];
        unsigned base = emit_temp(em, 3);
        uint32_t name = n->as.type_var.name;
        emit_at(em, n);
        emit_abx(em, OP_IMPORT, base, emit_name(em, emit_intern(em, "typing")));
        emit_named(em, OP_GETM, base, base,
                   emit_intern(em, makers[n->kind - N_TypeVar]));
        emit_load_text(em, base + 2, name_text(&em->c->ast->names, name));
        emit_abc(em, OP_CALL, base, 1, 0);
        name_store(em, name, base);
        em->top = base;
    }
}

void func_load_parameters(struct emitter *em, const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        unsigned to = emit_temp(em, 1);
        (void)name_load(em, l->at[i], l->at[i]->as.type_var.name, (int)to);
    }
}

/* typing._keep_type_params(made, *parameters) */
static void keep_parameters(struct emitter *em, const struct nodes *l,
                            unsigned made) {
    unsigned top = em->top;
    if (nodes_count(l) == 0) return;
    unsigned base = emit_temp(em, 3);
    emit_abx(em, OP_IMPORT, base, emit_name(em, emit_intern(em, "typing")));
    emit_named(em, OP_GETM, base, base, emit_intern(em, "_keep_type_params"));
    emit_abc(em, OP_MOVE, base + 2, made, 0);
    func_load_parameters(em, l);
    emit_abc(em, OP_CALL, base, 1 + nodes_count(l), 0);
    em->top = top;
}

void func_def(struct emitter *em, const struct node *n) {
    const struct node_FunctionDef *f = &n->as.func;
    unsigned top = em->top;
    unsigned base = decorators(em, f->decorators);
    func_type_parameters(em, f->type_params);
    emit_at(em, n);
    unsigned reg = defaults(em, f->args);
    if (f->scope->annotate) func_lambda(em, f->scope->annotate);
    const struct code_unit *u = function_unit(em, n);
    emit_at(em, n);
    closure(em, reg, u);
    keep_parameters(em, f->type_params, reg);
    if (f->decorators) reg = decorate(em, f->decorators, base);
    emit_at(em, n);
    name_store(em, f->name, reg);
    em->top = top;
}

int func_lambda(struct emitter *em, const struct node *n) {
    const struct node_Lambda *l = &n->as.lambda;
    str name = STR("<lambda>");
    struct emitter inner;
    emit_at(em, n);
    unsigned reg = defaults(em, l->args);
    begin(&inner, em, l->scope, name, l->args);
    unsigned v = (unsigned)expr(&inner, l->body, ANY);
    emit_at(&inner, l->body);
    emit_abc(&inner, OP_RETURN, v, 0, 0);
    struct code_unit *u = finish(&inner, name, flags_of(l->scope));
    if (!u) return (int)reg;
    set_parameters(u, l->args);
    emit_at(em, n);
    closure(em, reg, u);
    em->top = reg + 1;
    return (int)reg;
}

/* -- generator expressions ------------------------------------------------ */

static void yield_item(struct emitter *em, const struct node *n,
                       unsigned result) {
    (void)result;
    unsigned top = em->top;
    unsigned v = (unsigned)expr(em, n->as.gen_comp.elt, ANY);
    em->top = top;
    unsigned sent = emit_temp(em, 1);
    emit_at(em, n->as.gen_comp.elt);
    emit_abc(em, OP_YIELD, sent, v, 0);
    em->top = top;
}

/* A function of the iterator, called at once. */
int func_generator(struct emitter *em, const struct node *n) {
    const struct nodes *l = n->as.gen_comp.generators;
    struct scope *s = n->as.gen_comp.scope;
    str name = STR("<genexpr>");
    unsigned base = emit_temp(em, 2);
    unsigned iter = expr_next(em, l->at[0]->as.generator.iter);
    emit_at(em, l->at[0]->as.generator.iter);
    if (l->at[0]->number)
        flow_aiter(em, iter);
    else
        emit_abc(em, OP_ITER, iter, iter, 0);
    struct emitter inner;
    begin(&inner, em, s, name, NULL);
    build_loops(&inner, l, 0, 0, yield_item, n, 0);
    emit_abc(&inner, OP_RETNONE, 0, 0, 0);
    struct code_unit *u =
        finish(&inner, name, flags_of(s) | CODE_COMPREHENSION);
    if (!u) return (int)base;
    u->nargs = u->nposonly = 1;
    emit_at(em, n);
    emit_abc(em, OP_UNSET, base, 0, 0);
    emit_abc(em, OP_UNSET, base + 1, 0, 0);
    closure(em, base, u);
    emit_abc(em, OP_CALL, base, 1, 0);
    em->top = base + 1;
    return (int)base;
}

/* -- classes -------------------------------------------------------------- */

static void class_text(struct emitter *em, const char *name, str text) {
    unsigned t = emit_temp(em, 1);
    emit_load_text(em, t, text);
    emit_abx(em, OP_SETN, t, emit_name(em, emit_intern(em, name)));
    em->top--;
}

static bool has_annotations(const struct scope *s) {
    for (uint32_t i = 0; i < s->nvars; i++)
        if (s->vars[i].flags & VAR_ANNOTATED) return true;
    return false;
}

static void class_head(struct emitter *em, const struct node *n) {
    unsigned t = emit_temp(em, 1);
    emit_abx(em, OP_GETG, t,
             (unsigned)emit_global(em, emit_intern(em, "__name__")));
    emit_abx(em, OP_SETN, t, emit_name(em, emit_intern(em, "__module__")));
    class_text(em, "__qualname__", em->qualname);
    str doc = docstring(n->as.class_def.body);
    if (doc.p) class_text(em, "__doc__", doc);
    if (has_annotations(em->unit)) {
        emit_abc(em, OP_MAP, t, t, 0);
        emit_abx(em, OP_SETN, t,
                 emit_name(em, emit_intern(em, "__annotations__")));
    }
    em->top = t;
}

/* Methods that need their class find it in this cell, which build_class fills
 * when the class is made. */
static void class_cell(struct emitter *em) {
    if (!em->unit->uses_class_cell) return;
    uint32_t name = emit_intern(em, "__class__");
    const struct variable *v = scope_find(em->unit, name);
    if (!v) return;
    emit_abx(em, OP_SETN, v->number,
             emit_name(em, emit_intern(em, "__classcell__")));
}

static const struct code_unit *class_unit(struct emitter *em,
                                          const struct node *n) {
    const struct node_ClassDef *c = &n->as.class_def;
    str name = name_text(&em->c->ast->names, c->name);
    struct emitter inner;
    begin(&inner, em, c->scope, name, NULL);
    class_head(&inner, n);
    stmt_body(&inner, c->body);
    emit_at(&inner, n);
    class_cell(&inner);
    emit_abc(&inner, OP_RETNONE, 0, 0, 0);
    struct code_unit *u = finish(&inner, name, CODE_NAMES);
    if (!u) return NULL;
    u->nargs = u->nposonly = 1;
    u->doc = docstring(c->body);
    return u;
}

void func_class(struct emitter *em, const struct node *n) {
    const struct node_ClassDef *c = &n->as.class_def;
    unsigned top = em->top;
    unsigned deco = decorators(em, c->decorators);
    func_type_parameters(em, c->type_params);
    emit_at(em, n);
    unsigned base = emit_temp(em, 4);
    emit_abc(em, OP_BUILDCLASS, base, 0, 0);
    emit_abc(em, OP_UNSET, base + 1, 0, 0);
    emit_abc(em, OP_UNSET, base + 2, 0, 0);
    emit_abc(em, OP_UNSET, base + 3, 0, 0);
    const struct code_unit *u = class_unit(em, n);
    emit_at(em, n);
    closure(em, base + 2, u);
    emit_load_text(em, base + 3, name_text(&em->c->ast->names, c->name));
    call_finish(em, base, 2, c->bases, c->keywords);
    keep_parameters(em, c->type_params, base);
    if (c->decorators) base = decorate(em, c->decorators, deco);
    emit_at(em, n);
    name_store(em, c->name, base);
    em->top = top;
}
