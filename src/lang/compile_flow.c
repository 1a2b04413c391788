/* SPDX-License-Identifier: MIT
 *
 * if, loops, and the ways out of blocks.
 */
#include "lang/compiler.h"

/* -- blocks --------------------------------------------------------------- */

void block_open(struct emitter *em, struct block *b, enum block_kind kind) {
    b->kind = kind;
    b->outer = em->block;
    b->range_start = emit_pc(em);
    if (kind != BLOCK_LOOP) b->tag = emit_handler_tag(em);
    em->block = b;
}

/* The register that receives the exception: the block's, or the one behind a
 * handler's own pair. */
static unsigned exception_reg(const struct block *b) {
    return b->kind == BLOCK_HANDLER || b->kind == BLOCK_FINAL ? b->reg + 2
                                                              : b->reg;
}

void block_end_range(struct emitter *em, struct block *b) {
    if (b->kind != BLOCK_LOOP)
        emit_handler(em, b->range_start, emit_pc(em), b->tag, exception_reg(b));
    b->range_start = emit_pc(em);
}

void block_close(struct emitter *em, struct block *b) {
    block_end_range(em, b);
    em->block = b->outer;
}

/* -- leaving -------------------------------------------------------------- */

/* return and the like inside a finally: its body runs first, and then what
 * `way` says. Registers of the block: see compile_try.c. */
static void through_finally(struct emitter *em, struct block *b,
                            struct block *loop, bool is_break, int value) {
    struct way_out *w = b->ways;
    while (w && !(w->loop == loop && w->is_break == is_break))
        w = w->next;
    if (!w) {
        w = arena_zalloc(em->c->arena, 1, sizeof *w, em->c->e);
        if (!w) {
            em->c->failed = true;
            return;
        }
        *w = (struct way_out){b->ways, loop, is_break,
                              (int16_t)(2 + b->nways++)};
        b->ways = w;
    }
    if (value >= 0) emit_abc(em, OP_MOVE, b->reg + 4, (unsigned)value, 0);
    emit_abx(em, OP_LOADI, b->reg + 3, (uint16_t)w->number);
    emit_jump(em, b->body);
}

static void leave_handler(struct emitter *em, const struct block *b) {
    emit_abc(em, OP_EXCLEAVE, b->reg, 0, 0);
    if (b->name) name_unbind(em, b->name);
}

/* A finally's own body was entered with an exception only in state 1. */
static void leave_final(struct emitter *em, const struct block *b) {
    struct label no = LABEL;
    emit_branch(em, OP_JEQI, b->reg + 3, 1, false, &no);
    emit_abc(em, OP_EXCLEAVE, b->reg, 0, 0);
    emit_label(em, &no);
}

/* Code that leaves a block is not covered by it: ranges end where it begins,
 * and flow_resume() lets them go on behind it. */
bool flow_leave(struct emitter *em, struct block *stop, struct block *loop,
                bool is_break, int value) {
    for (struct block *b = em->block; b != stop; b = b->outer) {
        block_end_range(em, b);
        b->left = true;
        switch (b->kind) {
        case BLOCK_HANDLER: leave_handler(em, b); break;
        case BLOCK_FINAL: leave_final(em, b); break;
        case BLOCK_WITH: with_leave(em, b); break;
        case BLOCK_FINALLY:
            through_finally(em, b, loop, is_break, value);
            return false;
        case BLOCK_LOOP:
        case BLOCK_TRY: break;
        }
    }
    return true;
}

void flow_resume(struct emitter *em, struct block *stop) {
    for (struct block *b = em->block; b != stop && b->left; b = b->outer) {
        b->range_start = emit_pc(em);
        b->left = false;
    }
}

static bool anything_to_leave(const struct emitter *em) {
    for (const struct block *b = em->block; b; b = b->outer)
        if (b->kind != BLOCK_LOOP && b->kind != BLOCK_TRY) return true;
    return false;
}

void flow_return(struct emitter *em, const struct node *n) {
    const struct node *value = n->as.ret.value;
    int reg = ANY;
    bool leaves = anything_to_leave(em);
    if (value) reg = leaves ? (int)expr_next(em, value) : expr(em, value, ANY);
    emit_at(em, n);
    if (leaves && reg == ANY) {
        reg = (int)emit_temp(em, 1);
        emit_abc(em, OP_LOADNONE, (unsigned)reg, 0, 0);
    }
    if (flow_leave(em, NULL, NULL, false, reg)) {
        if (reg == ANY)
            emit_abc(em, OP_RETNONE, 0, 0, 0);
        else
            emit_abc(em, OP_RETURN, (unsigned)reg, 0, 0);
    }
    flow_resume(em, NULL);
    em->unreachable = true;
}

void flow_jump(struct emitter *em, const struct node *n) {
    bool is_break = n->kind == N_Break;
    struct block *loop = em->block;
    while (loop && loop->kind != BLOCK_LOOP)
        loop = loop->outer;
    emit_at(em, n);
    if (!loop) {
        emit_fail(em, "'%s' outside loop", is_break ? "break" : "continue");
        return;
    }
    if (flow_leave(em, loop, loop, is_break, -1))
        emit_jump(em, is_break ? loop->break_to : loop->continue_to);
    flow_resume(em, loop);
    em->unreachable = true;
}

/* -- if ------------------------------------------------------------------- */

static bool has_elif(const struct node *n) {
    const struct nodes *l = n->as.cond.orelse;
    return l && l->at[0]->kind == N_If && l->at[0]->flags & NODE_ELIF;
}

/* A condition that is a constant decides which block there is. */
static bool constant_truth(const struct node *n, bool *truth) {
    if (n->kind != N_Constant) return false;
    uint32_t k = n->as.constant.value.kind;
    *truth = k == CONST_TRUE ||
             (k == CONST_INT && n->as.constant.value.as.integer != 0);
    return k == CONST_TRUE || k == CONST_FALSE || k == CONST_NONE ||
           k == CONST_INT;
}

void flow_if(struct emitter *em, const struct node *n) {
    struct label end = LABEL;
    struct assigned after = {.unreachable = true};
    for (;;) {
        struct label orelse = LABEL;
        bool truth, known = constant_truth(n->as.cond.test, &truth);
        if (!known) cond_jump(em, n->as.cond.test, false, &orelse);
        struct assigned before = assigned_now(em);
        if (known && !truth) em->unreachable = true;
        stmt_body(em, n->as.cond.body);
        after = assigned_meet(after, assigned_now(em));
        bool more = n->as.cond.orelse != NULL;
        if (more && !em->unreachable) emit_jump(em, &end);
        emit_label(em, &orelse);
        assigned_set(em, before);
        if (known && truth) em->unreachable = true;
        if (!has_elif(n)) break;
        n = n->as.cond.orelse->at[0];
        if (em->unreachable) break;
    }
    if (!em->unreachable && !has_elif(n)) stmt_body(em, n->as.cond.orelse);
    assigned_set(em, assigned_meet(after, assigned_now(em)));
    emit_label(em, &end);
}

/* -- loops ---------------------------------------------------------------- */

/* What holds behind a loop: what held before it, for its body may not have
 * run. A `while True` without break is not left. */
struct loop {
    struct block block;
    struct label again, end, orelse;
};

static void loop_open(struct emitter *em, struct loop *l) {
    *l = (struct loop){.again = LABEL, .end = LABEL, .orelse = LABEL};
    l->block.break_to = &l->end;
    l->block.continue_to = &l->again;
    block_open(em, &l->block, BLOCK_LOOP);
}

static void loop_close(struct emitter *em, struct loop *l,
                       const struct nodes *orelse, struct assigned before) {
    block_close(em, &l->block);
    emit_label(em, &l->orelse);
    assigned_set(em, before);
    stmt_body(em, orelse);
    bool broken = l->end.chain >= 0;
    if (broken) assigned_set(em, before);
    emit_label(em, &l->end);
}

/* The test stands at the end as well: one jump for each round. */
void flow_while(struct emitter *em, const struct node *n) {
    const struct node_While *w = &n->as.loop_while;
    bool truth, known = constant_truth(w->test, &truth);
    struct loop l;
    loop_open(em, &l);
    struct label top = LABEL;
    if (!known) cond_jump(em, w->test, false, &l.orelse);
    struct assigned before = assigned_now(em);
    if (known && !truth) em->unreachable = true;
    emit_label(em, &top);
    stmt_body(em, w->body);
    if (known && !truth) {
        loop_close(em, &l, w->orelse, before);
        return;
    }
    emit_label(em, &l.again);
    em->unreachable = false;
    if (!known) {
        cond_jump(em, w->test, true, &top);
        loop_close(em, &l, w->orelse, before);
        return;
    }
    emit_jump(em, &top);
    block_close(em, &l.block);
    bool broken = l.end.chain >= 0;
    assigned_set(em, before);
    em->unreachable = !broken;
    emit_label(em, &l.end);
}

void flow_for(struct emitter *em, const struct node *n) {
    const struct node_For *f = &n->as.loop;
    const struct node *t = f->target;
    struct loop l;
    unsigned iter = expr_next(em, f->iter);
    emit_at(em, f->iter);
    emit_abc(em, OP_ITER, iter, iter, 0);
    int reg = t->kind == N_Name ? name_register(em, t->as.name.id) : ANY;
    unsigned item = reg == ANY ? emit_temp(em, 1) : (unsigned)reg;
    struct assigned before = assigned_now(em);
    loop_open(em, &l);
    emit_label(em, &l.again);
    emit_at(em, f->iter);
    emit_branch(em, OP_FOR, iter, item, 0, &l.orelse);
    if (reg == ANY)
        stmt_assign(em, t, item);
    else
        name_assigned(em, t->as.name.id);
    stmt_body(em, f->body);
    emit_at(em, f->iter);
    if (!em->unreachable) emit_jump(em, &l.again);
    loop_close(em, &l, f->orelse, before);
}

/* -- async for ------------------------------------------------------------ */

static void call_special(struct emitter *em, unsigned base, unsigned object,
                         enum special special) {
    emit_abc(em, OP_GETSPECIAL, base, object, special);
    emit_abc(em, OP_CALL, base, 0, 0);
}

void flow_aiter(struct emitter *em, unsigned reg) {
    unsigned base = emit_temp(em, 2);
    call_special(em, base, reg, SPECIAL_AITER);
    emit_abc(em, OP_MOVE, reg, base, 0);
    em->top = base;
}

/* StopAsyncIteration of the iterator itself ends the loop. */
unsigned flow_anext(struct emitter *em, unsigned iter, struct label *end) {
    struct label got = LABEL, other = LABEL;
    unsigned base = emit_temp(em, 2);
    unsigned exc = emit_temp(em, 3);
    struct block b = {.reg = exc};
    block_open(em, &b, BLOCK_TRY);
    call_special(em, base, iter, SPECIAL_ANEXT);
    await_value(em, base, true);
    block_close(em, &b);
    emit_jump(em, &got);
    emit_handler_at(em, b.tag);
    emit_abx(em, OP_GETG, exc + 1,
             (unsigned)emit_global(em, emit_intern(em, "StopAsyncIteration")));
    emit_abc(em, OP_EXCMATCH, exc + 2, exc, exc + 1);
    emit_branch(em, OP_JTRUTH, exc + 2, 0, true, end);
    emit_label(em, &other);
    emit_abc(em, OP_RERAISE, exc, 0, 0);
    emit_label(em, &got);
    em->top = base + 1;
    return base;
}

void flow_async_for(struct emitter *em, const struct node *n) {
    const struct node_AsyncFor *f = &n->as.async_loop;
    struct loop l;
    unsigned iter = expr_next(em, f->iter);
    emit_at(em, f->iter);
    flow_aiter(em, iter);
    struct assigned before = assigned_now(em);
    loop_open(em, &l);
    emit_label(em, &l.again);
    emit_at(em, f->iter);
    unsigned top = em->top;
    unsigned item = flow_anext(em, iter, &l.orelse);
    stmt_assign(em, f->target, item);
    em->top = top;
    stmt_body(em, f->body);
    emit_at(em, f->iter);
    if (!em->unreachable) emit_jump(em, &l.again);
    loop_close(em, &l, f->orelse, before);
}
