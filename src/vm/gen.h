/* SPDX-License-Identifier: MIT
 *
 * gen -- how a generator's frame is entered and left (see gen.c).
 */
#ifndef CORDON_VM_GEN_H
#define CORDON_VM_GEN_H

#include "vm/run.h"

enum gen_state { GEN_CREATED, GEN_SUSPENDED, GEN_RUNNING, GEN_CLOSED };

/* The instruction that a suspended generator stands behind. */
static inline uint32_t gen_word_at(const struct vm *vm, const struct ogen *g) {
    const struct oframe *f = heap_at(&vm->heap, g->frame);
    return code_words(vm, f->code)[f->pc - 1];
}

/* Its frame runs on top of the running one. */
static inline void gen_enter(struct vm *vm, struct ogen *g, struct ret ret) {
    struct root *root = vm_root(vm);
    struct oframe *f = heap_at(&vm->heap, g->frame);
    f->back = root->frame;
    if (!f->handled) f->handled = vm_frame(vm)->handled;
    f->ret_how = ret.how;
    f->ret_reg = ret.reg;
    f->state = ret.state;
    f->ret_word = ret.word;
    root->frame = g->frame;
    root->depth++;
    g->state = GEN_RUNNING;
}

/* Takes the running generator's frame off again. */
static inline struct ret gen_leave(struct vm *vm, struct oframe *f) {
    struct root *root = vm_root(vm);
    const struct oframe *back = heap_at(&vm->heap, f->back);
    if (f->handled == back->handled) f->handled = VAL_UNSET;
    root->frame = f->back;
    root->depth--;
    f->back = VAL_UNSET;
    return (struct ret){f->ret_how, f->ret_reg, f->state, f->ret_word};
}

#endif
