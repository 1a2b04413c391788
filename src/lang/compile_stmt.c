/* SPDX-License-Identifier: MIT
 *
 * Simple statements: assignment in all its forms, del, import, raise ...
 */
#include "lang/compiler.h"

/* -- targets -------------------------------------------------------------- */

static struct nodes *elements(const struct node *n) {
    return n->kind == N_Tuple ? n->as.tuple.elts : n->as.list.elts;
}

static int star_position(const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++)
        if (l->at[i]->kind == N_Starred) return (int)i;
    return -1;
}

static const struct node *unstarred(const struct node *n) {
    return n->kind == N_Starred ? n->as.starred.value : n;
}

/* Items go to temporaries first: targets are assigned from left to right, and
 * a target's own expressions run in between. */
static void unpack(struct emitter *em, const struct node *n, unsigned reg) {
    const struct nodes *l = elements(n);
    uint32_t count = nodes_count(l);
    int star = star_position(l);
    if (count > EMIT_NEAR) {
        emit_fail(em, "too many targets in one assignment");
        return;
    }
    unsigned base = emit_temp(em, count ? count : 1);
    emit_at(em, n);
    if (star < 0) {
        emit_abc(em, OP_UNPACK, base, reg, count);
    } else {
        emit_abc(em, OP_UNPACKEX, base, reg, 0);
        emit_word(em, (uint32_t)star | (count - (uint32_t)star - 1) << 16);
    }
    for (uint32_t i = 0; i < count; i++)
        stmt_assign(em, unstarred(l->at[i]), base + i);
    em->top = base;
}

static void assign_subscript(struct emitter *em, const struct node *n,
                             unsigned reg) {
    unsigned top = em->top;
    unsigned value = (unsigned)expr(em, n->as.subscript.value, ANY);
    unsigned key = (unsigned)expr(em, n->as.subscript.slice, ANY);
    em->top = top;
    emit_at(em, n);
    emit_abc(em, OP_SETI, value, key, reg);
}

static void assign_attribute(struct emitter *em, const struct node *n,
                             unsigned reg) {
    unsigned top = em->top;
    unsigned value = (unsigned)expr(em, n->as.attribute.value, ANY);
    em->top = top;
    emit_at(em, n);
    emit_named(em, OP_SETA, value, reg, n->as.attribute.attr);
}

void stmt_assign(struct emitter *em, const struct node *target, unsigned reg) {
    switch (target->kind) {
    case N_Name:
        emit_at(em, target);
        name_store(em, target->as.name.id, reg);
        break;
    case N_Attribute: assign_attribute(em, target, reg); break;
    case N_Subscript: assign_subscript(em, target, reg); break;
    case N_Starred: stmt_assign(em, target->as.starred.value, reg); break;
    default: unpack(em, target, reg);
    }
}

void stmt_delete(struct emitter *em, const struct node *n) {
    unsigned top = em->top;
    emit_at(em, n);
    if (n->kind == N_Name) {
        name_delete(em, n->as.name.id);
    } else if (n->kind == N_Attribute) {
        unsigned value = (unsigned)expr(em, n->as.attribute.value, ANY);
        emit_at(em, n);
        emit_named(em, OP_DELA, value, 0, n->as.attribute.attr);
    } else if (n->kind == N_Subscript) {
        unsigned value = (unsigned)expr(em, n->as.subscript.value, ANY);
        unsigned key = (unsigned)expr(em, n->as.subscript.slice, ANY);
        emit_at(em, n);
        emit_abc(em, OP_DELI, value, key, 0);
    } else {
        for (uint32_t i = 0; i < nodes_count(elements(n)); i++)
            stmt_delete(em, elements(n)->at[i]);
    }
    em->top = top;
}

/* -- assignment ----------------------------------------------------------- */

/* `a, b = b, a` without a tuple in between. */
static bool parallel(struct emitter *em, const struct node *target,
                     const struct node *value) {
    if (target->kind != N_Tuple || value->kind != N_Tuple) return false;
    const struct nodes *l = target->as.tuple.elts, *v = value->as.tuple.elts;
    uint32_t count = nodes_count(l);
    if (count != nodes_count(v) || count == 0 || count > 8) return false;
    if (star_position(l) >= 0 || star_position(v) >= 0) return false;
    unsigned base = em->top;
    for (uint32_t i = 0; i < count; i++)
        expr_next(em, v->at[i]);
    for (uint32_t i = 0; i < count; i++)
        stmt_assign(em, l->at[i], base + i);
    em->top = base;
    return true;
}

static void assign(struct emitter *em, const struct node *n) {
    const struct nodes *l = n->as.assign.targets;
    const struct node *value = n->as.assign.value, *first = l->at[0];
    int reg = ANY;
    if (l->count == 1 && parallel(em, first, value)) return;
    if (l->count == 1 && first->kind == N_Name)
        reg = name_register(em, first->as.name.id);
    if (reg != ANY) { /* straight into the variable */
        expr(em, value, reg);
        name_assigned(em, first->as.name.id);
        return;
    }
    unsigned v = (unsigned)expr(em, value, ANY);
    for (uint32_t i = 0; i < l->count; i++)
        stmt_assign(em, l->at[i], v);
}

/* The target's object and key are evaluated once. */
static void augmented(struct emitter *em, const struct node *n) {
    const struct node *t = n->as.aug.target, *value = n->as.aug.value;
    if (t->kind == N_Name) {
        uint32_t name = t->as.name.id;
        int reg = name_register(em, name);
        unsigned old = (unsigned)name_load(em, t, name, ANY);
        int64_t i;
        bool small =
            (n->op == BIN_ADD || n->op == BIN_SUB) && expr_small_int(value, &i);
        unsigned right = small ? 0 : (unsigned)expr(em, value, ANY);
        unsigned to = reg == ANY ? emit_temp(em, 1) : (unsigned)reg;
        emit_at(em, n);
        if (small)
            emit_abc(em, n->op == BIN_ADD ? OP_IADDI : OP_ISUBI, to, old,
                     (uint8_t)i);
        else
            expr_binary(em, n->op, true, (int)to, old, right);
        if (reg == ANY) name_store(em, name, to);
        return;
    }
    bool item = t->kind == N_Subscript;
    const struct node *object =
        item ? t->as.subscript.value : t->as.attribute.value;
    unsigned on = (unsigned)expr(em, object, ANY), key = 0;
    if (item) key = (unsigned)expr(em, t->as.subscript.slice, ANY);
    unsigned old = emit_temp(em, 1);
    emit_at(em, t);
    if (item)
        emit_abc(em, OP_GETI, old, on, key);
    else
        emit_named(em, OP_GETA, old, on, t->as.attribute.attr);
    unsigned right = (unsigned)expr(em, value, ANY);
    emit_at(em, n);
    expr_binary(em, n->op, true, (int)old, old, right);
    emit_at(em, t);
    if (item)
        emit_abc(em, OP_SETI, on, key, old);
    else
        emit_named(em, OP_SETA, on, old, t->as.attribute.attr);
}

/* The annotation is kept in __annotations__ of the class or module. */
static void annotated(struct emitter *em, const struct node *n) {
    const struct node_AnnAssign *a = &n->as.ann;
    if (a->value) {
        unsigned v = (unsigned)expr(em, a->value, ANY);
        stmt_assign(em, a->target, v);
    }
    if (!scope_keeps_annotations(em->c->ast, em->scope) || !n->number) return;
    unsigned map = emit_temp(em, 2);
    unsigned type = (unsigned)expr(em, a->annotation, ANY);
    uint32_t kept = emit_intern(em, "__annotations__");
    emit_at(em, n);
    if (em->scope->kind == SCOPE_CLASS)
        emit_abx(em, OP_GETN, map, emit_name(em, kept));
    else
        emit_abx(em, OP_GETG, map, (unsigned)emit_global(em, kept));
    emit_load_text(em, map + 1,
                   name_text(&em->c->ast->names, a->target->as.name.id));
    emit_abc(em, OP_SETI, map, map + 1, type);
}

/* -- import --------------------------------------------------------------- */

static void import_module(struct emitter *em, unsigned reg, uint32_t name) {
    emit_abx(em, OP_IMPORT, reg, emit_name(em, name));
}

/* `import a.b` binds a; `import a.b as c` binds a.b. */
static void import(struct emitter *em, const struct node *n) {
    const struct nodes *l = n->as.import.names;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct node_alias *a = &l->at[i]->as.alias;
        unsigned reg = emit_temp(em, 1);
        uint32_t bind = a->asname;
        emit_at(em, n);
        import_module(em, reg, a->name);
        if (!bind) {
            str rest = name_text(&em->c->ast->names, a->name);
            str top = str_cut(&rest, '.');
            bind = name_find(&em->c->ast->names, top);
            if (rest.p) import_module(em, reg, bind);
        }
        name_store(em, bind, reg);
        em->top = reg;
    }
}

/* ".x" for a relative import, which has nothing to be relative to. */
static uint32_t module_name(struct emitter *em, const struct node *n) {
    struct compiler *c = em->c;
    if (n->number == 0) return n->as.from.module;
    str name = name_text(&c->ast->names, n->as.from.module);
    char *text = arena_printf(c->arena, c->e, ".%.*s", STR_ARG(name));
    if (!text) c->failed = true;
    return text ? emit_intern(em, text) : NAME_NONE;
}

static void import_from(struct emitter *em, const struct node *n) {
    const struct nodes *l = n->as.from.names;
    str module = name_text(&em->c->ast->names, n->as.from.module);
    if (n->number == 0 && str_is(module, "__future__")) return;
    unsigned reg = emit_temp(em, 2);
    emit_at(em, n);
    import_module(em, reg, module_name(em, n));
    for (uint32_t i = 0; i < l->count; i++) {
        const struct node_alias *a = &l->at[i]->as.alias;
        emit_at(em, l->at[i]);
        if (str_is(name_text(&em->c->ast->names, a->name), "*")) {
            emit_abc(em, OP_IMPORTALL, reg, 0, 0);
            return;
        }
        emit_named(em, OP_IMPORTFROM, reg + 1, reg, a->name);
        name_store(em, a->asname ? a->asname : a->name, reg + 1);
    }
}

/* -- the rest ------------------------------------------------------------- */

static void raise(struct emitter *em, const struct node *n) {
    const struct node_Raise *r = &n->as.raise;
    if (!r->exc) {
        emit_at(em, n);
        emit_abc(em, OP_RERAISE, 0, 1, 0);
    } else {
        unsigned reg = expr_next(em, r->exc);
        if (r->cause) expr_next(em, r->cause);
        emit_at(em, n);
        emit_abc(em, OP_RAISE, reg, r->cause != NULL, 0);
    }
    em->unreachable = true;
}

static void assert_(struct emitter *em, const struct node *n) {
    const struct node_Assert *a = &n->as.assert_;
    struct label good = LABEL;
    cond_jump(em, a->test, true, &good);
    struct assigned before = assigned_now(em);
    unsigned base = emit_temp(em, 2);
    emit_at(em, a->test);
    emit_abx(em, OP_GETG, base,
             (unsigned)emit_global(em, emit_intern(em, "AssertionError")));
    emit_abc(em, OP_UNSET, base + 1, 0, 0);
    if (a->msg) expr_next(em, a->msg);
    emit_at(em, a->test);
    emit_abc(em, OP_CALL, base, a->msg != NULL, 0);
    emit_abc(em, OP_RAISE, base, 0, 0);
    assigned_set(em, before);
    emit_label(em, &good);
}

/* typing._type_alias(name, lambda: value, *parameters) */
static void type_alias(struct emitter *em, const struct node *n) {
    const struct node_TypeAlias *t = &n->as.type_alias;
    uint32_t count = nodes_count(t->type_params);
    func_type_parameters(em, t->type_params);
    unsigned base = emit_temp(em, 3);
    emit_at(em, n);
    emit_abx(em, OP_IMPORT, base, emit_name(em, emit_intern(em, "typing")));
    emit_named(em, OP_GETM, base, base, emit_intern(em, "_type_alias"));
    emit_load_text(em, base + 2,
                   name_text(&em->c->ast->names, t->name->as.name.id));
    expr_next(em, t->value);
    func_load_parameters(em, t->type_params);
    emit_at(em, n);
    emit_abc(em, OP_CALL, base, 2 + count, 0);
    em->top = base + 1;
    stmt_assign(em, t->name, base);
    em->top = base;
}

static void statement(struct emitter *em, const struct node *n) {
    switch (n->kind) {
    case N_FunctionDef:
    case N_AsyncFunctionDef: func_def(em, n); break;
    case N_ClassDef: func_class(em, n); break;
    case N_Return: flow_return(em, n); break;
    case N_Delete:
        for (uint32_t i = 0; i < n->as.del.targets->count; i++)
            stmt_delete(em, n->as.del.targets->at[i]);
        break;
    case N_Assign: assign(em, n); break;
    case N_TypeAlias: type_alias(em, n); break;
    case N_AugAssign: augmented(em, n); break;
    case N_AnnAssign: annotated(em, n); break;
    case N_For: flow_for(em, n); break;
    case N_AsyncFor: flow_async_for(em, n); break;
    case N_While: flow_while(em, n); break;
    case N_If: flow_if(em, n); break;
    case N_With:
    case N_AsyncWith: with_statement(em, n); break;
    case N_Match: match_statement(em, n); break;
    case N_Raise: raise(em, n); break;
    case N_Try:
    case N_TryStar: try_statement(em, n); break;
    case N_Assert: assert_(em, n); break;
    case N_Import: import(em, n); break;
    case N_ImportFrom: import_from(em, n); break;
    case N_Break:
    case N_Continue: flow_jump(em, n); break;
    case N_Expr: expr_drop(em, n->as.expr.value); break;
    default: break; /* pass, global, nonlocal */
    }
}

/* What can never run is not compiled. */
void stmt_body(struct emitter *em, const struct nodes *l) {
    for (uint32_t i = 0; i < nodes_count(l); i++) {
        unsigned top = em->top;
        if (em->unreachable || em->c->failed) return;
        statement(em, l->at[i]);
        em->top = top;
    }
}
