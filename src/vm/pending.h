/* SPDX-License-Identifier: MIT
 *
 * pending -- values that the host still owes.
 *
 * A call answered "not yet" gives a box (struct obox). Boxes are moved like any
 * value; before an instruction that would look at one, the run stops and waits
 * for it (VM_WAIT), with nothing of the instruction done yet, and later begins
 * it again. So no C code below the loop ever sees a box but in passing.
 *
 * root.pending is the list of boxes, in the order of their calls; while there
 * is one, the loop is compiled with these checks (run_pending.c). When all are
 * settled, every reference to a box in the heap is replaced by its value and
 * the list is dropped: runs that wait for nothing pay nothing.
 */
#ifndef CORDON_VM_PENDING_H
#define CORDON_VM_PENDING_H

#include "vm/run.h"

enum {
    BOX_FAILED = 1, /* inner is the exception */
    BOX_RAISED = 2, /* which the program has seen */
};

/* The call in root.call goes on: its value is a box. False: MemoryError. */
bool pending_add(struct vm *vm);

/* The box of this call, or VAL_UNSET: there is none, or it has its value. */
val pending_find(const struct vm *vm, uint64_t id);
void pending_settle(struct vm *vm, val box, val value, bool failed);

/* Before the instruction w at words[at] of the running frame. */
enum step pending_check(struct vm *vm, struct oframe *f, uint32_t w,
                        uint32_t at);

/* AWAITABLE begins again on what drives the value, which may be pending. */
enum step pending_await(struct vm *vm, uint32_t w);

/* A host call is about to leave: what it must wait for is in root.waiting. */
bool pending_bars(struct vm *vm, val call, bool read_only);

/* What root.waiting names is there: it is forgotten, and boxes that are settled
 * are replaced in `call` (or unset) and, when all are, everywhere. False: one
 * of them failed, and that is raised. */
bool pending_over(struct vm *vm, val call);
/* The run ended: what has not come raises where it is used from now on. */
void pending_abandon(struct vm *vm);
bool pending_waits(const struct vm *vm); /* one of root.waiting is missing */

#endif
