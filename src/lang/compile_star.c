/* SPDX-License-Identifier: MIT
 *
 * except*: each clause gets the part of the group that it matches.
 *
 * Registers: exception, handled before, raised meanwhile, the part not yet
 * matched (None: nothing left), the list of what is to be raised at the end.
 */
#include "lang/compiler.h"

/* (match, rest) of the part that is left. */
static void split(struct emitter *em, const struct node *h, unsigned reg,
                  unsigned match) {
    unsigned base = call_helper(em, PRELUDE_group_split);
    unsigned args = emit_temp(em, 2);
    emit_abc(em, OP_MOVE, args, reg + 3, 0);
    expr(em, h->as.handler.type, (int)args + 1);
    emit_at(em, h->as.handler.type);
    emit_abc(em, OP_CALL, base, 2, 0);
    emit_abc(em, OP_UNPACK, args, base, 2);
    emit_abc(em, OP_MOVE, match, args, 0);
    emit_abc(em, OP_MOVE, reg + 3, args + 1, 0);
    em->top = base;
}

/* What a clause raises joins the list; the next clause runs all the same. */
static void clause(struct emitter *em, const struct node *h, unsigned reg) {
    struct label next = LABEL, failed = LABEL;
    unsigned match = emit_temp(em, 3);
    emit_at(em, h);
    emit_branch(em, OP_JNONE, reg + 3, 0, true, &next);
    split(em, h, reg, match);
    emit_at(em, h);
    emit_branch(em, OP_JNONE, match, 0, true, &next);
    emit_abc(em, OP_EXCENTER, match, 0, 0);
    struct block b = {.reg = match};
    block_open(em, &b, BLOCK_HANDLER);
    b.name = h->as.handler.name;
    if (b.name) name_store(em, b.name, match);
    stmt_body(em, h->as.handler.body);
    block_close(em, &b);
    emit_at(em, h);
    em->unreachable = false;
    emit_abc(em, OP_EXCLEAVE, match, 0, 0);
    if (b.name) name_unbind(em, b.name);
    emit_jump(em, &next);
    emit_handler_at(em, b.tag);
    emit_abc(em, OP_EXCLEAVE, match, 0, 0);
    if (b.name) name_unbind(em, b.name);
    emit_abc(em, OP_APPEND, reg + 4, match + 2, 0);
    emit_label(em, &failed);
    emit_label(em, &next);
    em->top = match;
}

/* Raises what is left and what was raised, if anything. */
static void finish(struct emitter *em, unsigned reg, struct label *end) {
    struct label none = LABEL;
    emit_branch(em, OP_JNONE, reg + 3, 0, true, &none);
    emit_abc(em, OP_APPEND, reg + 4, reg + 3, 0);
    emit_label(em, &none);
    unsigned base = call_helper(em, PRELUDE_group_join);
    unsigned args = emit_temp(em, 2);
    emit_abc(em, OP_MOVE, args, reg, 0);
    emit_abc(em, OP_MOVE, args + 1, reg + 4, 0);
    emit_abc(em, OP_CALL, base, 2, 0);
    emit_abc(em, OP_EXCLEAVE, reg, 0, 0);
    emit_branch(em, OP_JNONE, base, 0, true, end);
    emit_abc(em, OP_RERAISE, base, 0, 0);
    em->top = base;
}

void star_handlers(struct emitter *em, const struct node *n) {
    const struct node_TryStar *t = &n->as.try_star;
    struct label end = LABEL;
    struct assigned before = assigned_now(em);
    unsigned reg = emit_temp(em, 5);
    struct assigned after =
        try_guarded(em, t->body, t->orelse, t->handlers, reg, &end);
    struct block h = {.reg = reg};
    block_open(em, &h, BLOCK_HANDLER);
    emit_abc(em, OP_MOVE, reg + 3, reg, 0);
    emit_abc(em, OP_LIST, reg + 4, reg + 4, 0);
    for (uint32_t i = 0; i < t->handlers->count; i++) {
        assigned_set(em, before);
        em->unreachable = false;
        clause(em, t->handlers->at[i], reg);
    }
    assigned_set(em, before);
    em->unreachable = false;
    block_close(em, &h);
    finish(em, reg, &end);
    emit_handler_at(em, h.tag);
    emit_abc(em, OP_EXCLEAVE, reg, 0, 0);
    emit_abc(em, OP_RERAISE, reg + 2, 0, 0);
    assigned_set(em, assigned_meet(after, before));
    emit_label(em, &end);
}
