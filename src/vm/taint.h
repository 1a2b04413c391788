/* SPDX-License-Identifier: MIT
 *
 * taint -- labels on values, and how they flow.
 *
 * A labelled value is an ordinary object of its kind whose header has the
 * label's number. Values that have no object of their own get one: an int or a
 * float that fits a word becomes an object of KIND_INT or KIND_REAL, None and
 * the bools an object that remembers which it stands for (struct oplain). C
 * code works on all of them as it does on large ints, and asks value_plain()
 * where it compares with VAL_NONE or VAL_TRUE.
 *
 * Immutable values are copied to get a label; objects that can change get it in
 * place, so their label only ever rises and every reference sees it. What a
 * container's label says is where its structure came from: order, length, keys.
 *
 * The loop with labels (run.c, compiled twice) works in three moves: before an
 * instruction it joins the labels of the operands (opflows.def); while it is
 * carried out that join is vm->ambient, which every new object gets; and
 * afterwards the join goes to the result. The floor of a frame (its h.label)
 * takes part in every join: it is what control adds to values, in strict runs
 * everywhere and otherwise in code of the template alone, whose branches are
 * means of computing (any(), sorted()) rather than decisions of the program.
 */
#ifndef CORDON_VM_TAINT_H
#define CORDON_VM_TAINT_H

#include "vm/label.h"
#include "vm/native.h"
#include "vm/run.h"

#define NO_JOIN UINT32_MAX

enum {
    FROM_A = 1,
    FROM_B = 2,
    FROM_C = 4,
    FROM_MORE = 8,
    TO_NOWHERE = 0,
    TO_A = 16,
    TO_MOVED = 32, /* a move: the floor alone, and not on what can change */
    TO_CONTROL = 48,
    TO_OBJECT = 64,
    TO_MORE = 80,
    TO_MASK = 0xf0,
};

extern const uint8_t op_flows[256];

/* How labels go through a native (nativeflows.def): a method of the class
 * `owner`, or a function. */
unsigned native_flow_of(const struct vm *vm, val owner, const char *name);

/* -- values -----------------------------------------------------------------
 */

/* v with label joined; VAL_UNSET: MemoryError is raised. */
val taint_attach(struct vm *vm, val v, uint16_t label);
/* Something that has no label itself was chosen by a value that may have. */
void taint_chosen(struct vm *vm, val by);
/* The join of all that v holds. */
uint16_t taint_deep(struct vm *vm, val v);
/* Of a container alone, in place. */
void taint_raise(struct vm *vm, val container, uint16_t label);

/* -- the loop ---------------------------------------------------------------
 */

/* What FROM_MORE stands for in this instruction; the registers it stores from
 * get the floor. */
uint16_t taint_gather(struct vm *vm, struct oframe *f, uint32_t w,
                      uint16_t label);
/* The instruction at words[at] is done: its label goes where opflows.def says.
 * False: an exception is in flight. */
bool taint_finish(struct vm *vm, struct oframe *f, uint32_t w, uint32_t at,
                  uint16_t label);
/* A frame was entered by an instruction of `from`. */
void taint_enter(struct vm *vm, const struct oframe *from, struct oframe *to,
                 uint32_t w, uint16_t label);
/* What the frame returns or yields. */
val taint_answer(struct vm *vm, const struct oframe *f, val v);
/* A generator's frame hands a value on, or its end: that it does depends on its
 * own control. */
void taint_yielded(struct vm *vm, const struct oframe *f);
/* deliver() for a value that may be labelled. */
enum step taint_deliver(struct vm *vm, struct ret ret, val v);
/* The frame's handler got the exception raised at words[at]. */
void taint_caught(struct vm *vm, struct oframe *f, uint32_t at, uint32_t target,
                  val exc);
/* New frames start so. */
void taint_begin(struct vm *vm, struct oframe *f, const struct oframe *caller);
/* Text was printed. */
void taint_print(struct vm *vm);

/* -- natives ----------------------------------------------------------------
 */

/* Calls row->fn on plain arguments with their labels; for runs with labels. */
val taint_native(struct vm *vm, val native, const struct native *row,
                 const val *args, size_t n);

static inline val native_apply(struct vm *vm, val native,
                               const struct native *row, const val *args,
                               size_t n) {
    if (vm->labels) return taint_native(vm, native, row, args, n);
    return row->fn(vm, args, n);
}

/* Of a native's flags: it looks at what its arguments hold; and the number of
 * the first argument that it only stores. */
bool taint_looks_inside(uint32_t flags);
unsigned taint_stored_from(uint32_t flags);

/* The join of the arguments' own labels, and what a step with them made gets
 * it. */
uint16_t taint_arguments(struct vm *vm, const val *args, size_t n);
enum step taint_step(struct vm *vm, enum step step, struct ret ret,
                     const struct oframe *caller, uint16_t label);

#endif
