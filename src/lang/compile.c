/* SPDX-License-Identifier: MIT */
#include "lang/compile.h"

#include "base/utf8.h"
#include "lang/compiler.h"
#include "lang/parse.h"

/* The last statement's value is the program's, where it has one. */
static void module_body(struct emitter *em, const struct nodes *l) {
    uint32_t count = nodes_count(l);
    const struct node *last = count ? l->at[count - 1] : NULL;
    bool value = last && last->kind == N_Expr;
    for (uint32_t i = 0; i < count - value; i++) {
        struct nodes *one = arena_alloc(
            em->c->arena, sizeof *one + sizeof one->at[0], em->c->e);
        if (!one) em->c->failed = true;
        if (em->c->failed) return;
        one->count = 1;
        one->at[0] = l->at[i];
        stmt_body(em, one);
    }
    if (!value || em->unreachable) return;
    unsigned v = (unsigned)expr(em, last->as.expr.value, ANY);
    emit_at(em, last);
    emit_abc(em, OP_RESULT, v, 0, 0);
}

/* A module that keeps annotations begins with none. */
static void module_annotations(struct emitter *em) {
    if (!scope_keeps_annotations(em->c->ast, em->unit)) return;
    unsigned t = emit_temp(em, 1);
    emit_abc(em, OP_MAP, t, t, 0);
    emit_abx(em, OP_SETG, t,
             (unsigned)emit_global(em, emit_intern(em, "__annotations__")));
    em->top = t;
}

static const struct code_unit *module(struct compiler *c) {
    struct node *n = c->ast->module;
    struct emitter em;
    emit_init(&em, c, NULL, n->as.module.scope);
    em.qualname = STR("<module>");
    emit_at(&em, n);
    name_open_unit(&em, NULL);
    module_annotations(&em);
    module_body(&em, n->as.module.body);
    emit_abc(&em, OP_RETNONE, 0, 0, 0);
    struct code_unit *u = emit_finish(&em);
    if (!u) return NULL;
    u->name = u->qualname = STR("<module>");
    u->flags = CODE_MODULE;
    u->first_line = 1;
    return u;
}

static int compile_ast(struct compiler *c, const struct code_unit **out) {
    c->nslots = c->ast->names.count;
    if (c->nslots)
        c->slots = arena_zalloc(c->arena, c->nslots, sizeof *c->slots, c->e);
    if (c->nslots && !c->slots) return -1;
    if (lines_init(&c->lines, c->ast->source, c->arena, c->e)) return -1;
    *out = module(c);
    return *out ? 0 : -1;
}

int compile_source(str source, const struct compile_env *env, struct arena *a,
                   const struct code_unit **out, struct fault *fault,
                   struct err *e) {
    struct ast ast;
    if (parse(source, env->seed, a, &ast, fault, e) ||
        scope_analyse(&ast, a, fault, e))
        return -1;
    struct compiler c = {
        .ast = &ast, .arena = a, .env = env, .fault = fault, .e = e};
    if (compile_ast(&c, out) == 0) return 0;
    if (fault->kind)
        err_set(e, ERR_INVALID, "line %u: %s: %s",
                place_of(source, fault->start).line, fault_type(fault->kind),
                fault->text);
    return -1;
}
