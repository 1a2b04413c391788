/* SPDX-License-Identifier: MIT
 *
 * run -- how the loop and its slow paths work together.
 *
 * A slow path is a C function that completes one instruction or starts the
 * Python call that will. It works on the running frame (root.frame), whose pc
 * stands behind the whole instruction, and says what the loop does next. Where
 * its result comes from a Python call, struct ret travels with the new frame
 * and deliver() finishes the instruction when the value is there.
 */
#ifndef CORDON_VM_RUN_H
#define CORDON_VM_RUN_H

#include "vm/code.h"
#include "vm/type.h"

enum step {
    STEP_DONE,  /* go on at the running frame's pc */
    STEP_RAISE, /* an exception is in flight */
    STEP_FRAME, /* another frame runs now */
    STEP_STOP   /* leave the loop; vm->status says why */
};

/* Where a result goes: see enum ret_how. */
struct ret {
    uint8_t how;
    uint8_t reg;
    uint8_t state;
    uint32_t word; /* the instruction */
};

static inline struct ret ret_reg(unsigned reg) {
    return (struct ret){RET_VALUE, (uint8_t)reg, 0, 0};
}

static inline struct oframe *vm_frame(struct vm *vm) {
    return heap_at(&vm->heap, vm_root(vm)->frame);
}

static inline struct ocode *frame_code(const struct vm *vm,
                                       const struct oframe *f) {
    return heap_at(&vm->heap, f->code);
}

static inline uint32_t *code_words(const struct vm *vm, val code) {
    struct ocode *c = heap_at(&vm->heap, code);
    return (uint32_t *)((struct ostore *)heap_at(&vm->heap, c->words))->data;
}

/* Hands a finished value to the running frame. */
enum step deliver(struct vm *vm, struct ret ret, val value);
/* As deliver for VAL_UNSET too: an exception, or the loop's stand-in. */
enum step deliver_truth(struct vm *vm, uint32_t word, bool truth);

/* -- calls (call.c) ---------------------------------------------------------
 */

/* args[-1] may be overwritten: room for a self in front. Values of the keywords
 * named by kwnames (tuple or unset) follow the npos positional ones. */
enum step call_any(struct vm *vm, val callee, val *args, size_t npos,
                   val kwnames, struct ret ret);
enum step call_in_prelude(struct vm *vm, enum prelude_id id, const val *args,
                          size_t n, struct ret ret);
/* The prelude function of a native that answered vm_slow(). */
struct bound;
enum step call_stand_in(struct vm *vm, val native, const struct bound *b,
                        struct ret ret);
/* CALLEX: a list or tuple, and a dict or unset. */
enum step call_spread(struct vm *vm, val callee, val self, val args,
                      val keywords, struct ret ret);
/* The running frame is left: its caller runs. */
void frame_pop(struct vm *vm);
/* A frame from the free list of its size class, or NULL where there is none.
 * What frames use is not counted as it comes and goes: a frame's hole counts as
 * live until the next collection. */
static inline struct oframe *frame_take(struct vm *vm, unsigned class) {
    uint64_t at = vm->heap.holes[class];
    if (!at) return NULL;
    struct ofree *hole = heap_at(&vm->heap, at);
    vm->heap.holes[class] = hole->next;
    return (struct oframe *)hole;
}
static inline void frame_give(struct vm *vm, val at, struct oframe *f) {
    unsigned class = f->size_class;
    if (!class) {
        heap_free(vm, at);
        return;
    }
    struct ofree *hole = (struct ofree *)f;
    hole->h = (struct obj){.kind = KIND_FREE, .type = class};
    hole->next = vm->heap.holes[class];
    vm->heap.holes[class] = at;
}
/* A frame for a function, arguments not filled in; NULL: raised. */
struct oframe *frame_push(struct vm *vm, val func, struct ret ret);
enum step call_too_deep(struct vm *vm);

/* -- objects ----------------------------------------------------------------
 */

enum step attr_get(struct vm *vm, val o, val name, struct ret ret);
enum step attr_set(struct vm *vm, val o, val name, val v, struct ret ret);
enum step attr_del(struct vm *vm, val o, val name, struct ret ret);
enum step class_call_plain(struct vm *vm, val type, val *args, size_t npos,
                           val kwnames, struct ret ret); /* type.__call__ */
enum step class_call(struct vm *vm, val type, val *args, size_t npos,
                     val kwnames, struct ret ret);

/* -- operators (operate.c) --------------------------------------------------
 */

enum step operate_binary(struct vm *vm, enum op op, val a, val b,
                         struct ret ret);
enum step operate_unary(struct vm *vm, enum op op, val v, struct ret ret);
enum step operate_compare(struct vm *vm, enum op op, val a, val b,
                          struct ret ret);
enum step operate_truth(struct vm *vm, val v, struct ret ret);
enum step operate_contains(struct vm *vm, val container, val item,
                           struct ret ret);
enum step operate_getitem(struct vm *vm, val o, val key, struct ret ret);
enum step operate_setitem(struct vm *vm, val o, val key, val v);
enum step operate_delitem(struct vm *vm, val o, val key);
/* struct ret.state of a comparison. */
enum {
    COMPARE_ATTEMPT = 3,
    COMPARE_INVERT = 4,     /* != answered by __eq__ */
    COMPARE_RIGHT_TRIED = 8 /* the right side went first */
};
/* Goes on after a method answered NotImplemented. */
enum step operate_binary_next(struct vm *vm, struct ret ret);
enum step operate_compare_next(struct vm *vm, struct ret ret);

/* -- iteration, generators --------------------------------------------------
 */

enum step iterate(struct vm *vm, val v, struct ret ret); /* iter(v) */
enum step iterate_next(struct vm *vm, val it, struct ret ret);
val gen_new(struct vm *vm, struct oframe *f);
/* Resumes with a value sent in (unset: the first time, or None) or, when exc is
 * set, an exception thrown in. */
enum step gen_resume(struct vm *vm, val gen, val sent, val exc, struct ret ret);
enum step gen_yield(struct vm *vm, val value);
enum step gen_return(struct vm *vm, val value);

/* -- natives that push frames -------------------------------------------------
 */

/* args[-1] may be overwritten. */
typedef enum step native_step(struct vm *vm, val *args, size_t n,
                              struct ret ret);
#define STEP(name) native_step step_##name;
#include "vm/steps.def"
#undef STEP

#endif
