/* SPDX-License-Identifier: MIT
 *
 * try and with.
 *
 * A finally's body is compiled once. Whoever leaves through it says where to
 * go on in a state register: 0 falls out of the statement, 1 raises the
 * exception again, larger numbers are return, break and continue. Registers of
 * the statement: exception, the one handled before it, one raised meanwhile,
 * state, return value.
 *
 * Handlers keep the exception and the one handled before it (EXCENTER) in two
 * registers; one raised in the handler's body arrives in a third, ends the
 * handling and goes on.
 */
#include "lang/compiler.h"

/* -- except --------------------------------------------------------------- */

/* Tests for the handler's class; jumps when the exception is another. */
static void match_class(struct emitter *em, const struct node *h, unsigned exc,
                        struct label *next) {
    const struct node *type = h->as.handler.type;
    if (!type) return;
    unsigned top = em->top;
    unsigned cls = (unsigned)expr(em, type, ANY);
    unsigned t = emit_temp(em, 1);
    emit_at(em, type);
    emit_abc(em, OP_EXCMATCH, t, exc, cls);
    emit_branch(em, OP_JTRUTH, t, 0, false, next);
    em->top = top;
}

/* What runs when an exception leaves the handlers: nothing is handled here
 * any more. */
static void handler_failed(struct emitter *em, const struct block *b) {
    emit_handler_at(em, b->tag);
    emit_abc(em, OP_EXCLEAVE, b->reg, 0, 0);
    if (b->name) name_unbind(em, b->name);
    emit_abc(em, OP_RERAISE, b->reg + 2, 0, 0);
}

/* One clause; falls to `next` when it does not match. */
static void clause(struct emitter *em, const struct node *h, unsigned exc,
                   struct label *next, struct label *end) {
    struct block b = {.reg = exc};
    block_open(em, &b, BLOCK_HANDLER);
    match_class(em, h, exc, next);
    b.name = h->as.handler.name;
    emit_at(em, h);
    if (b.name) name_store(em, b.name, exc);
    stmt_body(em, h->as.handler.body);
    block_close(em, &b);
    if (!em->unreachable) {
        emit_at(em, h);
        emit_abc(em, OP_EXCLEAVE, exc, 0, 0);
        if (b.name) name_unbind(em, b.name);
        emit_jump(em, end);
    }
    struct assigned after = assigned_now(em);
    emit_at(em, h);
    handler_failed(em, &b);
    assigned_set(em, after);
}

struct assigned try_guarded(struct emitter *em, const struct nodes *body,
                            const struct nodes *orelse,
                            const struct nodes *handlers, unsigned exc,
                            struct label *end) {
    struct block b = {.reg = exc};
    block_open(em, &b, BLOCK_TRY);
    stmt_body(em, body);
    block_close(em, &b);
    if (!em->unreachable) stmt_body(em, orelse);
    struct assigned after = assigned_now(em);
    if (!em->unreachable) emit_jump(em, end);
    emit_at(em, handlers->at[0]);
    emit_handler_at(em, b.tag);
    emit_abc(em, OP_EXCENTER, exc, 0, 0);
    return after;
}

/* Body, clauses and else, without the finally. */
static void try_except(struct emitter *em, const struct node_Try *t) {
    if (!t->handlers) {
        stmt_body(em, t->body);
        return;
    }
    struct label end = LABEL;
    struct assigned before = assigned_now(em);
    unsigned exc = emit_temp(em, 3);
    struct assigned after =
        try_guarded(em, t->body, t->orelse, t->handlers, exc, &end);
    bool all = false;
    for (uint32_t i = 0; i < t->handlers->count && !all; i++) {
        const struct node *h = t->handlers->at[i];
        struct label next = LABEL;
        assigned_set(em, before);
        em->unreachable = false;
        clause(em, h, exc, &next, &end);
        after = assigned_meet(after, assigned_now(em));
        emit_label(em, &next);
        all = h->as.handler.type == NULL;
    }
    if (!all) {
        emit_abc(em, OP_EXCLEAVE, exc, 0, 0);
        emit_abc(em, OP_RERAISE, exc, 0, 0);
    }
    assigned_set(em, after);
    emit_label(em, &end);
}

/* -- finally -------------------------------------------------------------- */

/* Where to go on once the body has run. */
static void after_finally(struct emitter *em, struct block *b) {
    struct label no = LABEL, done = LABEL;
    unsigned state = b->reg + 3;
    emit_branch(em, OP_JEQI, state, 0, true, &done);
    emit_branch(em, OP_JEQI, state, 1, false, &no);
    emit_abc(em, OP_EXCLEAVE, b->reg, 0, 0);
    emit_abc(em, OP_RERAISE, b->reg, 0, 0);
    emit_label(em, &no);
    for (struct way_out *w = b->ways; w; w = w->next) {
        struct label other = LABEL;
        emit_branch(em, OP_JEQI, state, (uint8_t)w->number, false, &other);
        int value = w->loop ? -1 : (int)b->reg + 4;
        if (flow_leave(em, w->loop, w->loop, w->is_break, value)) {
            if (w->loop)
                emit_jump(em, w->is_break ? w->loop->break_to
                                          : w->loop->continue_to);
            else
                emit_abc(em, OP_RETURN, (unsigned)value, 0, 0);
        }
        flow_resume(em, w->loop);
        emit_label(em, &other);
    }
    emit_label(em, &done);
}

static void final_body(struct emitter *em, const struct nodes *body,
                       struct block *outer) {
    struct block b = {.reg = outer->reg};
    struct label over = LABEL;
    block_open(em, &b, BLOCK_FINAL);
    stmt_body(em, body);
    block_close(em, &b);
    bool ends = !em->unreachable;
    if (ends) emit_jump(em, &over);
    /* an exception in it: that which brought us here is not handled now */
    struct label no = LABEL;
    emit_handler_at(em, b.tag);
    emit_branch(em, OP_JEQI, b.reg + 3, 1, false, &no);
    emit_abc(em, OP_EXCLEAVE, b.reg, 0, 0);
    emit_label(em, &no);
    emit_abc(em, OP_RERAISE, b.reg + 2, 0, 0);
    emit_label(em, &over);
    if (ends) after_finally(em, outer);
}

static void try_finally(struct emitter *em, const struct node *n) {
    const struct node_Try *t = &n->as.try_;
    struct label body = LABEL;
    struct assigned before = assigned_now(em);
    unsigned reg = emit_temp(em, 5);
    struct block b = {.reg = reg, .body = &body};
    block_open(em, &b, BLOCK_FINALLY);
    if (n->kind == N_TryStar)
        star_handlers(em, n);
    else
        try_except(em, t);
    block_close(em, &b);
    bool ends = !em->unreachable;
    struct assigned after = assigned_now(em);
    emit_at(em, t->finalbody->at[0]);
    if (ends) {
        emit_abx(em, OP_LOADI, reg + 3, 0);
        emit_jump(em, &body);
    }
    emit_handler_at(em, b.tag);
    emit_abc(em, OP_EXCENTER, reg, 0, 0);
    emit_abx(em, OP_LOADI, reg + 3, 1);
    emit_label(em, &body);
    assigned_set(em, before);
    em->unreachable = false;
    final_body(em, t->finalbody, &b);
    if (!em->unreachable && ends) {
        struct assigned now = assigned_now(em);
        for (int i = 0; i < 4; i++)
            now.bits[i] |= after.bits[i];
        assigned_set(em, now);
    }
    if (!ends) em->unreachable = true;
}

void try_statement(struct emitter *em, const struct node *n) {
    if (n->as.try_.finalbody)
        try_finally(em, n);
    else if (n->kind == N_TryStar)
        star_handlers(em, n);
    else
        try_except(em, &n->as.try_);
}

/* -- with ----------------------------------------------------------------- */

/* Registers: exception, handled before, raised meanwhile, __exit__ and its
 * self. */
static void call_exit(struct emitter *em, const struct block *b,
                      unsigned base) {
    emit_abc(em, OP_MOVE, base, b->reg + 3, 0);
    emit_abc(em, OP_MOVE, base + 1, b->reg + 4, 0);
}

/* __exit__(None, None, None) */
void with_leave(struct emitter *em, const struct block *b) {
    unsigned base = emit_temp(em, 5);
    uint32_t start = em->start, end = em->end;
    emit_at(em, b->node);
    call_exit(em, b, base);
    for (unsigned i = 2; i < 5; i++)
        emit_abc(em, OP_LOADNONE, base + i, 0, 0);
    emit_abc(em, OP_CALL, base, 3, 0);
    if (b->async) await_value(em, base, true);
    em->start = start;
    em->end = end;
    em->top = base;
}

/* __exit__(type, value, traceback); true swallows the exception. */
static void with_failed(struct emitter *em, struct block *b,
                        struct label *end) {
    struct block h = {.reg = b->reg};
    struct label swallow = LABEL;
    unsigned base = emit_temp(em, 5);
    emit_at(em, b->node);
    emit_handler_at(em, b->tag);
    emit_abc(em, OP_EXCENTER, b->reg, 0, 0);
    block_open(em, &h, BLOCK_HANDLER);
    call_exit(em, b, base);
    emit_named(em, OP_GETA, base + 2, b->reg, emit_intern(em, "__class__"));
    emit_abc(em, OP_MOVE, base + 3, b->reg, 0);
    emit_named(em, OP_GETA, base + 4, b->reg, emit_intern(em, "__traceback__"));
    emit_abc(em, OP_CALL, base, 3, 0);
    if (b->async) await_value(em, base, true);
    emit_branch(em, OP_JTRUTH, base, 0, true, &swallow);
    block_close(em, &h);
    emit_abc(em, OP_EXCLEAVE, b->reg, 0, 0);
    emit_abc(em, OP_RERAISE, b->reg, 0, 0);
    handler_failed(em, &h);
    emit_label(em, &swallow);
    emit_abc(em, OP_EXCLEAVE, b->reg, 0, 0);
    emit_jump(em, end);
    em->top = base;
}

/* One manager; the rest of the list is its body. */
static void with_item(struct emitter *em, const struct node *n, uint32_t i) {
    const struct nodes *l = n->as.with.items;
    if (i == l->count) {
        stmt_body(em, n->as.with.body);
        return;
    }
    const struct node_withitem *item = &l->at[i]->as.withitem;
    const struct node *at = item->context_expr;
    bool async = n->kind == N_AsyncWith;
    struct label end = LABEL;
    unsigned reg = emit_temp(em, 5);
    unsigned base = emit_temp(em, 2);
    unsigned manager = (unsigned)expr(em, at, ANY);
    emit_at(em, at);
    emit_abc(em, OP_GETSPECIAL, base, manager,
             async ? SPECIAL_AENTER : SPECIAL_ENTER);
    emit_abc(em, OP_GETSPECIAL, reg + 3, manager,
             async ? SPECIAL_AEXIT : SPECIAL_EXIT);
    em->top = base + 2;
    emit_abc(em, OP_CALL, base, 0, 0);
    if (async) await_value(em, base, true);
    struct block b = {.reg = reg, .node = at, .async = async};
    block_open(em, &b, BLOCK_WITH);
    if (item->optional_vars) stmt_assign(em, item->optional_vars, base);
    em->top = base;
    struct assigned before = assigned_now(em);
    with_item(em, n, i + 1);
    block_close(em, &b);
    bool ends = !em->unreachable;
    struct assigned after = assigned_now(em);
    if (ends) {
        with_leave(em, &b);
        emit_jump(em, &end);
    }
    with_failed(em, &b, &end);
    /* an exception that was swallowed leaves what came before the body */
    assigned_set(em, assigned_meet(after, before));
    emit_label(em, &end);
}

enum { MAX_MANAGERS = 32 }; /* in one statement: registers and C stack */

void with_statement(struct emitter *em, const struct node *n) {
    emit_at(em, n);
    if (n->as.with.items->count > MAX_MANAGERS)
        emit_fail(em, "more than %d context managers", MAX_MANAGERS);
    else
        with_item(em, n, 0);
}
