/* SPDX-License-Identifier: MIT
 *
 * Chains: operators, attributes, subscripts and calls on the value of their
 * left side. They can be as long as the source, so they are taken apart with a
 * stack of their own and made from the innermost out.
 */
#include "lang/compiler.h"

static unsigned destination(struct emitter *em, int want) {
    return want == ANY ? emit_temp(em, 1) : (unsigned)want;
}

/* `left` is the value of the left side; its register may be given back. */
static unsigned binary(struct emitter *em, const struct node *n, unsigned left,
                       unsigned top, int want) {
    int64_t i;
    bool add = n->op == BIN_ADD, sub = n->op == BIN_SUB;
    if ((add || sub) && expr_small_int(n->as.bin.right, &i)) {
        em->top = top;
        unsigned to = destination(em, want);
        emit_at(em, n);
        emit_abc(em, add ? OP_ADDI : OP_SUBI, to, left, (uint8_t)i);
        return to;
    }
    unsigned right = (unsigned)expr(em, n->as.bin.right, ANY);
    em->top = top;
    unsigned to = destination(em, want);
    emit_at(em, n);
    expr_binary(em, n->op, false, (int)to, left, right);
    return to;
}

static unsigned attribute(struct emitter *em, const struct node *n,
                          unsigned value, unsigned top, int want) {
    em->top = top;
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_named(em, OP_GETA, to, value, n->as.attribute.attr);
    return to;
}

static unsigned subscript(struct emitter *em, const struct node *n,
                          unsigned value, unsigned top, int want) {
    int64_t i;
    const struct node *s = n->as.subscript.slice;
    bool small = expr_small_int(s, &i);
    unsigned key = small ? 0 : (unsigned)expr(em, s, ANY);
    em->top = top;
    unsigned to = destination(em, want);
    emit_at(em, n);
    if (small)
        emit_abc(em, OP_GETII, to, value, (uint8_t)i);
    else
        emit_abc(em, OP_GETI, to, value, key);
    return to;
}

/* -- calls ---------------------------------------------------------------- */

/* A call's callee and self, in registers `base` and the next. */
static void method(struct emitter *em, const struct node *n, unsigned value,
                   unsigned base) {
    em->top = base;
    emit_temp(em, 2);
    emit_at(em, n);
    emit_named(em, OP_GETM, base, value, n->as.attribute.attr);
}

/* The last word, when it loads a global into `base`: as a callee. */
static bool global_callee(struct emitter *em, const struct node *first,
                          unsigned base) {
    uint32_t n = em->words.count, *words = em->words.at;
    if (first->kind != N_Name || !n || INS_OP(words[n - 1]) != OP_GETG ||
        INS_A(words[n - 1]) != base)
        return false;
    words[n - 1] = (words[n - 1] & ~0xffu) | OP_GETGC;
    return true;
}

static void plain_callee(struct emitter *em, const struct node *n,
                         unsigned value, unsigned base) {
    em->top = base;
    emit_temp(em, 2);
    if (value == base && global_callee(em, n->as.call.func, base)) return;
    emit_at(em, n);
    if (value != base)
        emit_abc(em, OP_CALLEE, base, value, 0);
    else
        emit_abc(em, OP_UNSET, base + 1, 0, 0);
}

/* -- chains --------------------------------------------------------------- */

struct chain {
    struct vec links; /* outermost first */
    const struct node *first;
    unsigned top;   /* registers from here on are the chain's */
    unsigned value; /* of the part made so far */
    bool placed;    /* value is a callee with its self behind it */
};

static bool is_callee(const struct chain *c, uint32_t i) {
    const struct node **at = c->links.at;
    return i > 0 && at[i - 1]->kind == N_Call;
}

/* The start of a chain, with `super().name` in one go. Gives the number of
 * links that are left. */
static uint32_t chain_start(struct emitter *em, struct chain *c) {
    const struct node **at = c->links.at;
    uint32_t n = c->links.count;
    const struct node *inner = n ? at[n - 1] : NULL;
    if (inner && inner->kind == N_Attribute && call_is_super(em, c->first)) {
        unsigned base = emit_temp(em, 2);
        if (call_super_attribute(em, inner, base)) {
            c->value = base;
            c->placed = is_callee(c, n - 1);
            if (c->placed) emit_abc(em, OP_UNSET, base + 1, 0, 0);
            return n - 1;
        }
        em->top = base;
    }
    if (call_is_super(em, c->first))
        c->value = call_super(em, c->first);
    else
        c->value = (unsigned)expr(em, c->first, ANY);
    return n;
}

static void chain_link(struct emitter *em, struct chain *c, uint32_t i,
                       int want) {
    const struct node **at = c->links.at;
    const struct node *n = at[i];
    if (n->kind == N_Call) {
        if (!c->placed) plain_callee(em, n, c->value, c->top);
        emit_at(em, n);
        call_finish(em, c->top, 0, n->as.call.args, n->as.call.keywords);
        c->value = c->top;
        c->placed = false;
    } else if (n->kind == N_Attribute && is_callee(c, i)) {
        method(em, n, c->value, c->top);
        c->placed = true;
    } else if (n->kind == N_BinOp) {
        c->value = binary(em, n, c->value, c->top, want);
    } else if (n->kind == N_Attribute) {
        c->value = attribute(em, n, c->value, c->top, want);
    } else {
        c->value = subscript(em, n, c->value, c->top, want);
    }
}

int chain_expr(struct emitter *em, const struct node *n, int want) {
    struct chain c = {.first = n, .top = em->top};
    for (struct node *left; (left = node_left(c.first)); c.first = left) {
        if (call_is_super(em, c.first)) break;
        const struct node **at = vec_add(em->c, &c.links, sizeof *at);
        if (!at) return 0;
        *at = c.first;
    }
    uint32_t left = chain_start(em, &c);
    for (uint32_t i = left; i > 0 && !em->c->failed; i--)
        chain_link(em, &c, i - 1, i == 1 ? want : ANY);
    if (want == ANY || (int)c.value == want) return (int)c.value;
    em->top = c.top;
    emit_at(em, n);
    emit_abc(em, OP_MOVE, (unsigned)want, c.value, 0);
    return want;
}
