/* SPDX-License-Identifier: MIT
 *
 * Calls: the callee in a register, self or unset in the next, arguments
 * behind them.
 */
#include "lang/compiler.h"

enum { MAX_SPREAD = 40 }; /* more arguments go through a list and a dict */

/* -- arguments ------------------------------------------------------------ */

static bool needs_spread(const struct nodes *args,
                         const struct nodes *keywords) {
    if (nodes_count(args) + nodes_count(keywords) > MAX_SPREAD) return true;
    for (uint32_t i = 0; i < nodes_count(args); i++)
        if (args->at[i]->kind == N_Starred) return true;
    for (uint32_t i = 0; i < nodes_count(keywords); i++)
        if (!keywords->at[i]->as.keyword.arg) return true;
    return false;
}

/* Positional arguments as a list; the first `given` stand in registers. */
static void spread_list(struct emitter *em, unsigned base, unsigned given,
                        const struct nodes *args) {
    unsigned list = base + 2;
    emit_abc(em, OP_LIST, list, base + 2, given);
    em->top = list + 1;
    for (uint32_t i = 0; i < nodes_count(args); i++) {
        const struct node *n = args->at[i];
        bool star = n->kind == N_Starred;
        unsigned top = em->top;
        unsigned v = (unsigned)expr(em, star ? n->as.starred.value : n, ANY);
        em->top = top;
        emit_at(em, n);
        emit_abc(em, star ? OP_EXTEND : OP_APPEND, list, v, star);
    }
}

static void spread_dict(struct emitter *em, unsigned base,
                        const struct nodes *keywords) {
    unsigned map = emit_temp(em, 1);
    if (nodes_count(keywords) == 0) {
        emit_abc(em, OP_UNSET, map, 0, 0);
        return;
    }
    emit_abc(em, OP_MAP, map, map, 0);
    for (uint32_t i = 0; i < keywords->count; i++) {
        const struct node_keyword *k = &keywords->at[i]->as.keyword;
        unsigned top = em->top;
        unsigned one = map;
        if (k->arg) { /* as a dict of one, so that repetition is noticed */
            unsigned key = emit_temp(em, 2);
            emit_at(em, keywords->at[i]);
            emit_load_text(em, key, name_text(&em->c->ast->names, k->arg));
            expr(em, k->value, (int)key + 1);
            emit_at(em, keywords->at[i]);
            emit_abc(em, OP_MAP, key, key, 1);
            one = key;
        } else {
            one = (unsigned)expr(em, k->value, ANY);
        }
        em->top = top;
        emit_at(em, keywords->at[i]);
        emit_abc(em, OP_MERGEKW, map, one, base);
    }
}

static void call_keywords(struct emitter *em, unsigned base, unsigned count,
                          const struct nodes *keywords) {
    struct compiler *c = em->c;
    struct constant k = {.kind = CONST_TUPLE, .count = keywords->count};
    struct constant *names =
        arena_alloc(c->arena, keywords->count * sizeof *names, c->e);
    if (!names) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; i < keywords->count; i++)
        names[i] = (struct constant){
            .kind = CONST_STR,
            .as.text =
                name_text(&c->ast->names, keywords->at[i]->as.keyword.arg)};
    k.as.items = names;
    uint32_t at = emit_const(em, &k);
    emit_abc(em, OP_CALLKW, base, count, 0);
    emit_word(em, at);
}

void call_finish(struct emitter *em, unsigned base, unsigned given,
                 const struct nodes *args, const struct nodes *keywords) {
    uint32_t start = em->start, end = em->end;
    if (needs_spread(args, keywords)) {
        spread_list(em, base, given, args);
        spread_dict(em, base, keywords);
        em->start = start;
        em->end = end;
        emit_abc(em, OP_CALLEX, base, 0, 0);
    } else {
        for (uint32_t i = 0; i < nodes_count(args); i++)
            expr_next(em, args->at[i]);
        for (uint32_t i = 0; i < nodes_count(keywords); i++)
            expr_next(em, keywords->at[i]->as.keyword.value);
        unsigned count = given + nodes_count(args) + nodes_count(keywords);
        em->start = start;
        em->end = end;
        if (keywords)
            call_keywords(em, base, count, keywords);
        else
            emit_abc(em, OP_CALL, base, count, 0);
    }
    em->top = base + 1;
}

unsigned call_helper(struct emitter *em, enum prelude number) {
    unsigned base = emit_temp(em, 2);
    emit_abx(em, OP_PRELUDE, base, number);
    emit_abc(em, OP_UNSET, base + 1, 0, 0);
    return base;
}

/* -- super() -------------------------------------------------------------- */

/* `super()` in a function, where the name is the builtin. */
bool call_is_super(struct emitter *em, const struct node *n) {
    if (n->kind != N_Call || n->as.call.args || n->as.call.keywords)
        return false;
    const struct node *f = n->as.call.func;
    if (f->kind != N_Name ||
        !str_is(name_text(&em->c->ast->names, f->as.name.id), "super"))
        return false;
    const struct variable *v = scope_find(em->scope, f->as.name.id);
    return v && v->place == VAR_GLOBAL && em->unit->kind == SCOPE_FUNCTION;
}

static const struct node *first_parameter(const struct scope *unit) {
    const struct node *n = unit->node;
    const struct node *args =
        n->kind == N_Lambda ? n->as.lambda.args : n->as.func.args;
    const struct node_arguments *a = &args->as.arguments;
    if (a->posonlyargs) return a->posonlyargs->at[0];
    return a->args ? a->args->at[0] : NULL;
}

/* The class and the object that super() means, in two registers. False: it has
 * neither, and the call itself says so. */
static bool super_pair(struct emitter *em, const struct node *n, unsigned at) {
    const struct node *self = first_parameter(em->unit);
    uint32_t cls = name_find(&em->c->ast->names, STR("__class__"));
    const struct variable *v = cls ? scope_find(em->scope, cls) : NULL;
    if (!self || !v || v->place == VAR_GLOBAL) return false;
    struct scope *inner = em->scope;
    name_load(em, n, cls, (int)at);
    em->scope = em->unit; /* the parameter, whatever a comprehension calls so */
    name_load(em, n, self->as.arg.arg, (int)at + 1);
    em->scope = inner;
    return true;
}

/* The super object, where more than an attribute of it is wanted. */
unsigned call_super(struct emitter *em, const struct node *n) {
    unsigned base = emit_temp(em, 2);
    name_load(em, n->as.call.func, n->as.call.func->as.name.id, (int)base);
    emit_abc(em, OP_UNSET, base + 1, 0, 0);
    unsigned pair = emit_temp(em, 2);
    bool found = super_pair(em, n, pair);
    emit_at(em, n);
    emit_abc(em, OP_CALL, base, found ? 2 : 0, 0);
    em->top = base + 1;
    return base;
}

/* `super().name` without making the super object. */
bool call_super_attribute(struct emitter *em, const struct node *n,
                          unsigned to) {
    unsigned pair = emit_temp(em, 2);
    if (!super_pair(em, n, pair)) return false;
    emit_at(em, n);
    emit_named(em, OP_GETSUPER, to, pair, n->as.attribute.attr);
    em->top = pair;
    return true;
}
