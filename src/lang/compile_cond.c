/* SPDX-License-Identifier: MIT
 *
 * Truth: conditions as jumps, comparisons, and/or.
 */
#include "lang/compiler.h"

static unsigned destination(struct emitter *em, int want) {
    return want == ANY ? emit_temp(em, 1) : (unsigned)want;
}

/* -- comparisons ---------------------------------------------------------- */

static const struct {
    uint8_t value; /* the instruction that gives a bool */
    uint8_t jump;  /* ... that jumps; `when` is inverted for the negated */
    bool negated;
} compare_ops[] = {
    [CMP_EQ] = {OP_EQ, OP_JEQ, false}, [CMP_NE] = {OP_NE, OP_JNE, false},
    [CMP_LT] = {OP_LT, OP_JLT, false}, [CMP_LE] = {OP_LE, OP_JLE, false},
    [CMP_GT] = {OP_GT, OP_JGT, false}, [CMP_GE] = {OP_GE, OP_JGE, false},
    [CMP_IS] = {OP_IS, OP_JIS, false}, [CMP_IS_NOT] = {OP_ISNOT, OP_JIS, true},
    [CMP_IN] = {OP_IN, OP_JIN, false}, [CMP_NOT_IN] = {OP_NOTIN, OP_JIN, true},
};

/* With a small int on the right; 0: there is no such instruction. */
static unsigned immediate_op(unsigned op) {
    static const uint8_t ops[] = {[CMP_EQ] = OP_JEQI,
                                  [CMP_LT] = OP_JLTI,
                                  [CMP_LE] = OP_JLEI,
                                  [CMP_GT] = OP_JGTI,
                                  [CMP_GE] = OP_JGEI};
    return op < sizeof ops ? ops[op] : 0;
}

static bool is_none(const struct node *n) {
    return n->kind == N_Constant && n->as.constant.value.kind == CONST_NONE;
}

/* `x in [1, 2]`: a list that nobody else can see is a constant tuple. */
static unsigned operand(struct emitter *em, const struct node *n, unsigned op) {
    struct node tuple;
    bool in = op == CMP_IN || op == CMP_NOT_IN;
    if (in && n->kind == N_List && n->as.list.elts) {
        struct constant k;
        tuple =
            (struct node){.kind = N_Tuple, .start = n->start, .end = n->end};
        tuple.as.tuple.elts = n->as.list.elts;
        if (expr_constant(em, &tuple, &k))
            return (unsigned)expr(em, &tuple, ANY);
    }
    return (unsigned)expr(em, n, ANY);
}

/* One comparison of `left` with node `right` as a jump. The right value goes
 * to register `keep`, where one is given. */
static void compare_jump(struct emitter *em, const struct node *n,
                         unsigned left, unsigned op, const struct node *right,
                         bool when, struct label *l, int keep) {
    bool is = op == CMP_IS || op == CMP_IS_NOT;
    bool flag = compare_ops[op].negated ? !when : when;
    int64_t i;
    if (is && is_none(right) && keep < 0) {
        emit_at(em, n);
        emit_branch(em, OP_JNONE, left, 0, flag, l);
        return;
    }
    unsigned immediate = keep < 0 ? immediate_op(op) : 0;
    if (immediate && expr_small_int(right, &i)) {
        emit_at(em, n);
        emit_branch(em, (enum op)immediate, left, (uint8_t)i, when, l);
        return;
    }
    unsigned value =
        keep < 0 ? operand(em, right, op) : (unsigned)expr(em, right, keep);
    emit_at(em, n);
    emit_branch(em, (enum op)compare_ops[op].jump, left, value, flag, l);
}

/* Middle values of `a < b < c` are evaluated once; two registers take turns
 * in holding them. */
static void compare_chain_jump(struct emitter *em, const struct node *n,
                               bool when, struct label *l) {
    const struct node_Compare *c = &n->as.compare;
    uint32_t last = c->comparators->count - 1;
    struct label no = LABEL;
    unsigned top = em->top, held = last ? emit_temp(em, 2) : 0;
    unsigned inner = em->top;
    unsigned left = (unsigned)expr(em, c->left, ANY);
    struct assigned after = assigned_now(em); /* by what always runs */
    for (uint32_t i = 0; i < last; i++) {
        unsigned keep = held + i % 2;
        compare_jump(em, n, left, c->ops[i], c->comparators->at[i], false,
                     when ? &no : l, (int)keep);
        if (i == 0) after = assigned_now(em);
        em->top = inner;
        left = keep;
    }
    compare_jump(em, n, left, c->ops[last], c->comparators->at[last], when, l,
                 ANY);
    if (last) assigned_set(em, after);
    em->top = top;
    emit_label(em, &no);
}

static int compare_one(struct emitter *em, const struct node *n, int want) {
    const struct node_Compare *c = &n->as.compare;
    unsigned top = em->top, op = c->ops[0];
    unsigned left = (unsigned)expr(em, c->left, ANY);
    unsigned right = operand(em, c->comparators->at[0], op);
    em->top = top;
    unsigned to = destination(em, want);
    emit_at(em, n);
    emit_abc(em, (enum op)compare_ops[op].value, to, left, right);
    return (int)to;
}

/* `a < b < c` is `a < b and b < c`: the value is that of the first comparison
 * that is false, which need not be a bool. */
int cond_compare(struct emitter *em, const struct node *n, int want) {
    const struct node_Compare *c = &n->as.compare;
    if (c->comparators->count == 1) return compare_one(em, n, want);
    struct label end = LABEL;
    unsigned to = emit_temp(em, 1), held = emit_temp(em, 2), top = em->top;
    unsigned left = (unsigned)expr(em, c->left, ANY);
    struct assigned after = assigned_now(em);
    for (uint32_t i = 0; i < c->comparators->count; i++) {
        unsigned right = held + i % 2;
        expr(em, c->comparators->at[i], (int)right);
        if (i == 0) after = assigned_now(em);
        em->top = top;
        emit_at(em, n);
        emit_abc(em, (enum op)compare_ops[c->ops[i]].value, to, left, right);
        if (i + 1 < c->comparators->count)
            emit_branch(em, OP_JTRUTH, to, 0, false, &end);
        left = right;
    }
    assigned_set(em, after);
    emit_label(em, &end);
    em->top = to + 1;
    if (want == ANY) return (int)to;
    em->top = to;
    emit_abc(em, OP_MOVE, (unsigned)want, to, 0);
    return want;
}

/* -- and, or -------------------------------------------------------------- */

/* The value of the first part that decides. Later parts may not have run. */
int cond_bool(struct emitter *em, const struct node *n, int want) {
    const struct nodes *l = n->as.bool_op.values;
    struct label end = LABEL;
    unsigned to = destination(em, want), top = em->top;
    struct assigned after = assigned_now(em);
    for (uint32_t i = 0; i < l->count; i++) {
        expr(em, l->at[i], (int)to);
        em->top = top;
        if (i == 0) after = assigned_now(em);
        emit_at(em, n);
        if (i + 1 < l->count)
            emit_branch(em, OP_JTRUTH, to, 0, n->op == BOOL_OR, &end);
    }
    assigned_set(em, after);
    emit_label(em, &end);
    return (int)to;
}

static void bool_jump(struct emitter *em, const struct node *n, bool when,
                      struct label *l) {
    const struct nodes *parts = n->as.bool_op.values;
    bool decides = n->op == BOOL_OR; /* a part with this truth ends it */
    struct label end = LABEL;
    struct assigned after = assigned_now(em);
    for (uint32_t i = 0; i < parts->count; i++) {
        if (i + 1 == parts->count)
            cond_jump(em, parts->at[i], when, l);
        else
            cond_jump(em, parts->at[i], decides, decides == when ? l : &end);
        if (i == 0) after = assigned_now(em);
    }
    assigned_set(em, after);
    emit_label(em, &end);
}

/* -- any condition -------------------------------------------------------- */

static bool known_truth(const struct node *n, bool *truth) {
    if (n->kind != N_Constant) return false;
    const struct constant *k = &n->as.constant.value;
    if (k->kind > CONST_FALSE && k->kind != CONST_INT) return false;
    *truth =
        k->kind == CONST_TRUE || (k->kind == CONST_INT && k->as.integer != 0);
    return true;
}

void cond_jump(struct emitter *em, const struct node *n, bool when,
               struct label *l) {
    bool truth;
    while (n->kind == N_UnaryOp && n->op == UNARY_NOT) {
        n = n->as.unary.operand;
        when = !when;
    }
    emit_at(em, n);
    if (known_truth(n, &truth)) {
        if (truth == when) emit_jump(em, l);
        return;
    }
    if (n->kind == N_BoolOp) {
        bool_jump(em, n, when, l);
        return;
    }
    if (n->kind == N_Compare) {
        compare_chain_jump(em, n, when, l);
        return;
    }
    unsigned top = em->top;
    unsigned value = (unsigned)expr(em, n, ANY);
    em->top = top;
    emit_at(em, n);
    emit_branch(em, OP_JTRUTH, value, 0, when, l);
}
