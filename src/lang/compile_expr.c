/* SPDX-License-Identifier: MIT
 *
 * Expressions, operators and folding; what grows to the left is in
 * compile_chain.c.
 */
#include <math.h>

#include "base/num.h"
#include "lang/compiler.h"

static unsigned destination(struct emitter *em, int want) {
    return want == ANY ? emit_temp(em, 1) : (unsigned)want;
}

/* Most values are made in the next temporary anyway. */
unsigned expr_next(struct emitter *em, const struct node *n) {
    unsigned reg = em->top;
    int value = expr(em, n, ANY);
    em->top = reg;
    emit_temp(em, 1);
    if (value != (int)reg) emit_abc(em, OP_MOVE, reg, (unsigned)value, 0);
    return reg;
}

void expr_drop(struct emitter *em, const struct node *n) {
    unsigned top = em->top;
    expr(em, n, ANY);
    em->top = top;
}

/* -- constants ------------------------------------------------------------ */

static bool fold_ints(unsigned op, int64_t a, int64_t b, int64_t *out) {
    if (op == BIN_ADD) return !num_add(a, b, out);
    if (op == BIN_SUB) return !num_sub(a, b, out);
    if (op == BIN_MUL) return !num_mul(a, b, out);
    if (op != BIN_LSHIFT || b < 0 || b > 62 || a < 0 || a >> (62 - b))
        return false;
    *out = a << b;
    return true;
}

static bool fold_binary(struct emitter *em, const struct node *n,
                        struct constant *out) {
    struct constant a, b;
    if (n->as.bin.left->kind == N_BinOp ||
        !expr_constant(em, n->as.bin.left, &a) ||
        !expr_constant(em, n->as.bin.right, &b))
        return false;
    if (a.kind == CONST_INT && b.kind == CONST_INT) {
        out->kind = CONST_INT;
        return fold_ints(n->op, a.as.integer, b.as.integer, &out->as.integer);
    }
    /* 1 + 2j */
    bool real = a.kind == CONST_INT || a.kind == CONST_REAL;
    if (!real || b.kind != CONST_COMPLEX ||
        (n->op != BIN_ADD && n->op != BIN_SUB))
        return false;
    double re = a.kind == CONST_INT ? (double)a.as.integer : a.as.real;
    *out = (struct constant){.kind = CONST_COMPLEX};
    out->as.complex.re =
        n->op == BIN_ADD ? re + b.as.complex.re : re - b.as.complex.re;
    out->as.complex.im = n->op == BIN_ADD ? b.as.complex.im : -b.as.complex.im;
    return true;
}

static bool fold_negative(const struct constant *k, struct constant *out) {
    *out = *k;
    if (k->kind == CONST_INT)
        return !num_sub(0, k->as.integer, &out->as.integer);
    if (k->kind == CONST_REAL) out->as.real = -k->as.real;
    if (k->kind == CONST_COMPLEX) {
        out->as.complex.re = -k->as.complex.re;
        out->as.complex.im = -k->as.complex.im;
    }
    return k->kind == CONST_REAL || k->kind == CONST_COMPLEX;
}

static bool fold_tuple(struct emitter *em, const struct nodes *l,
                       struct constant *out) {
    struct compiler *c = em->c;
    uint32_t count = nodes_count(l);
    struct constant *items = NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct constant k;
        if (l->at[i]->kind == N_Starred || !expr_constant(em, l->at[i], &k))
            return false;
        if (!items) items = arena_alloc(c->arena, count * sizeof k, c->e);
        if (!items) {
            c->failed = true;
            return false;
        }
        items[i] = k;
    }
    *out = (struct constant){.kind = CONST_TUPLE, .count = count};
    out->as.items = items;
    return true;
}

bool expr_constant(struct emitter *em, const struct node *n,
                   struct constant *out) {
    struct constant k;
    switch (n->kind) {
    case N_Constant: *out = n->as.constant.value; return true;
    case N_UnaryOp:
        return n->op == UNARY_NEG &&
               expr_constant(em, n->as.unary.operand, &k) &&
               fold_negative(&k, out);
    case N_BinOp: return fold_binary(em, n, out);
    case N_Tuple: return n->op == LOAD && fold_tuple(em, n->as.tuple.elts, out);
    default: return false;
    }
}

/* A number that fits the operand of an instruction. */
bool expr_small_int(const struct node *n, int64_t *out) {
    if (n->kind != N_Constant || n->as.constant.value.kind != CONST_INT)
        return false;
    *out = n->as.constant.value.as.integer;
    return *out >= INT8_MIN && *out <= INT8_MAX;
}

/* -- operators ------------------------------------------------------------ */

static const struct {
    uint8_t plain, in_place;
} binary_ops[] = {
    [BIN_ADD] = {OP_ADD, OP_IADD},
    [BIN_SUB] = {OP_SUB, OP_ISUB},
    [BIN_MUL] = {OP_MUL, OP_IMUL},
    [BIN_DIV] = {OP_DIV, OP_IDIV},
    [BIN_FLOORDIV] = {OP_FLOORDIV, OP_IFLOORDIV},
    [BIN_MOD] = {OP_MOD, OP_IMOD},
    [BIN_MATMUL] = {OP_MATMUL, OP_IMATMUL},
    [BIN_POW] = {OP_POW, OP_IPOW},
    [BIN_LSHIFT] = {OP_LSHIFT, OP_ILSHIFT},
    [BIN_RSHIFT] = {OP_RSHIFT, OP_IRSHIFT},
    [BIN_AND] = {OP_AND, OP_IAND},
    [BIN_OR] = {OP_OR, OP_IOR},
    [BIN_XOR] = {OP_XOR, OP_IXOR},
};

void expr_binary(struct emitter *em, unsigned op, bool in_place, int to,
                 unsigned left, unsigned right) {
    emit_abc(
        em,
        (enum op)(in_place ? binary_ops[op].in_place : binary_ops[op].plain),
        (unsigned)to, left, right);
}

static int unary(struct emitter *em, const struct node *n, int want) {
    static const uint8_t ops[] = {
        [UNARY_INVERT] = OP_INVERT,
        [UNARY_NOT] = OP_NOT,
        [UNARY_POS] = OP_POS,
        [UNARY_NEG] = OP_NEG,
    };
    unsigned top = em->top;
    unsigned value = (unsigned)expr(em, n->as.unary.operand, ANY);
    em->top = top;
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_abc(em, (enum op)ops[n->op], to, value, 0);
    return (int)to;
}

/* -- slices --------------------------------------------------------------- */

static void slice_part(struct emitter *em, const struct node *n) {
    if (n)
        expr_next(em, n);
    else
        emit_abc(em, OP_LOADNONE, emit_temp(em, 1), 0, 0);
}

static int slice(struct emitter *em, const struct node *n, int want) {
    unsigned base = em->top;
    emit_at(em, n);
    slice_part(em, n->as.slice.lower);
    slice_part(em, n->as.slice.upper);
    slice_part(em, n->as.slice.step);
    em->top = base;
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_abc(em, OP_SLICE, to, base, 0);
    return (int)to;
}

/* -- the rest ------------------------------------------------------------- */

static int if_exp(struct emitter *em, const struct node *n, int want) {
    struct label orelse = LABEL, end = LABEL;
    unsigned to = destination(em, want), top = em->top;
    cond_jump(em, n->as.if_exp.test, false, &orelse);
    struct assigned before = assigned_now(em);
    expr(em, n->as.if_exp.body, (int)to);
    em->top = top;
    struct assigned body = assigned_now(em);
    emit_jump(em, &end);
    emit_label(em, &orelse);
    assigned_set(em, before);
    expr(em, n->as.if_exp.orelse, (int)to);
    em->top = top;
    assigned_set(em, assigned_meet(body, assigned_now(em)));
    emit_label(em, &end);
    return (int)to;
}

static int named(struct emitter *em, const struct node *n, int want) {
    uint32_t name = n->as.named.target->as.name.id;
    unsigned to = destination(em, want);
    expr(em, n->as.named.value, (int)to);
    emit_at(em, n);
    name_store(em, name, to);
    return (int)to;
}

static int yield(struct emitter *em, const struct node *n, int want) {
    unsigned top = em->top;
    unsigned value;
    if (n->as.yield.value) {
        value = (unsigned)expr(em, n->as.yield.value, ANY);
    } else {
        value = emit_temp(em, 1);
        emit_at(em, n);
        emit_abc(em, OP_LOADNONE, value, 0, 0);
    }
    em->top = top;
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_abc(em, OP_YIELD, to, value, 0);
    return (int)to;
}

static int yield_from(struct emitter *em, const struct node *n) {
    unsigned to = emit_temp(em, 1);
    expr(em, n->as.yield_from.value, (int)to);
    emit_at(em, n);
    emit_abc(em, OP_ITER, to, to, 0);
    emit_abc(em, OP_DELEGATE, to, to, 0);
    return (int)to;
}

int await_value(struct emitter *em, unsigned reg, bool implicit) {
    emit_abc(em, OP_AWAITABLE, reg, reg, implicit);
    emit_abc(em, OP_DELEGATE, reg, reg, 0);
    return (int)reg;
}

static int await(struct emitter *em, const struct node *n) {
    unsigned to = emit_temp(em, 1);
    expr(em, n->as.await.value, (int)to);
    emit_at(em, n);
    return await_value(em, to, false);
}

/* Kinds whose value is put together in more than one step: they are made in a
 * temporary, and moved where a certain register is asked for. */
static int in_steps(struct emitter *em, const struct node *n) {
    switch (n->kind) {
    case N_Lambda: return func_lambda(em, n);
    case N_GeneratorExp: return func_generator(em, n);
    case N_ListComp:
    case N_SetComp:
    case N_DictComp: return build_comprehension(em, n);
    case N_YieldFrom: return yield_from(em, n);
    case N_Await: return await(em, n);
    case N_BoolOp: return cond_bool(em, n, ANY);
    default: emit_fail(em, "cannot compile %s", node_name(n->kind)); return 0;
    }
}

static int moved(struct emitter *em, const struct node *n, int want) {
    unsigned top = em->top;
    int reg = in_steps(em, n);
    if (want == ANY || reg == want) return reg;
    em->top = top;
    emit_at(em, n);
    emit_abc(em, OP_MOVE, (unsigned)want, (unsigned)reg, 0);
    return want;
}

static int load(struct emitter *em, const struct node *n,
                const struct constant *k, int want) {
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_load(em, to, k);
    return (int)to;
}

int expr(struct emitter *em, const struct node *n, int want) {
    struct constant k;
    if (em->c->failed) return 0;
    if (expr_constant(em, n, &k)) return load(em, n, &k, want);
    switch (n->kind) {
    case N_Name: return name_load(em, n, n->as.name.id, want);
    case N_BinOp:
    case N_Call:
    case N_Attribute:
    case N_Subscript: return chain_expr(em, n, want);
    case N_UnaryOp: return unary(em, n, want);
    case N_Compare: return cond_compare(em, n, want);
    case N_IfExp: return if_exp(em, n, want);
    case N_NamedExpr: return named(em, n, want);
    case N_Tuple:
    case N_List:
    case N_Set: return build_display(em, n, want);
    case N_Dict: return build_dict(em, n, want);
    case N_JoinedStr:
    case N_FormattedValue: return build_joined(em, n, want);
    case N_Slice: return slice(em, n, want);
    case N_Yield: return yield(em, n, want);
    default: return moved(em, n, want);
    }
}
