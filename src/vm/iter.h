/* SPDX-License-Identifier: MIT
 *
 * iter -- iterators over builtin containers, all of one layout (struct oiter).
 *
 * ITER_FRAME wraps a generator of the prelude: the C constructors of map, zip,
 * enumerate, filter and reversed make one through vm_slow() when the source is
 * an iterator in Python or a function must be called. Its class is map, zip ...
 * and the loop resumes the generator in `source` in its place.
 */
#ifndef CORDON_VM_ITER_H
#define CORDON_VM_ITER_H

#include "vm/ops.h"

/* What `source`, `pos` and `extra` hold. */
enum iter_what {
    ITER_LIST,      /* list; pos the next index */
    ITER_DEQUE,     /* list; pos; extra[0] its len and extra[1] its head, which
                       must stay as they are */
    ITER_LIST_BACK, /* list; pos one more than the next index */
    ITER_TUPLE,     /* tuple; pos */
    ITER_TEXT,      /* str; pos the byte offset of the next code point */
    ITER_TEXT_BACK, /* str; pos one past the next code point, in bytes */
    ITER_BYTES,     /* bytes or bytearray; pos */
    ITER_RANGE,     /* VAL_NONE; pos the next value (int64), extra[0] how many
                       remain, extra[1] the step: inline ints */
    ITER_RANGE_BIG, /* range of big ints; extra[0] the next index, an int,
                       extra[1] the length */
    ITER_KEYS,      /* dict; pos entry, extra[0] its len as an inline int */
    ITER_VALUES,
    ITER_ITEMS,
    ITER_KEYS_BACK,
    ITER_VALUES_BACK,
    ITER_ITEMS_BACK,
    ITER_SET,           /* set; pos slot, extra[0] its len */
    ITER_ENUMERATE,     /* an iterator; extra[0] the next number; pos how many
                           iterators are nested in it */
    ITER_ZIP,           /* tuple of iterators; state 1: strict; pos likewise */
    ITER_SEQUENCE_BACK, /* tuple, range, bytes; pos one more than next index */
    ITER_FRAME,         /* a generator to resume instead */
    ITER_ASEND          /* what __anext__ and asend give: an asynchronous
                           generator, extra[0] to send, extra[1] to throw; only
                           await drives it */
};

enum iter_step {
    ITER_RAISED = -1, /* or slow_wanted: an iterator in Python is inside */
    ITER_END = 0,
    ITER_ITEM = 1
};

static inline struct oiter *iter_at(const struct vm *vm, val iter) {
    return heap_kind(&vm->heap, iter, KIND_ITER);
}

/* A fresh iterator of class `type` with nothing filled in but these. */
val iter_make(struct vm *vm, val type, enum iter_what what, val source);

/* It needs no Python code, nor does any iterator in it. */
static inline bool iter_is_plain(const struct vm *vm, val v) {
    return vm_is(vm, v, KIND_ITER) && iter_at(vm, v)->what != ITER_FRAME;
}

/* C steps through nested iterators only so deep; beyond, Python does. */
#define ITER_NESTING 64
static inline uint64_t iter_nesting(const struct vm *vm, val v) {
    const struct oiter *it = iter_at(vm, v);
    bool nests = it->what == ITER_ENUMERATE || it->what == ITER_ZIP;
    return nests ? it->pos : 0;
}

/* Over the list of a deque, which may not change meanwhile. */
val iter_over_deque(struct vm *vm, val items);

/* reversed(v), as iter_new. */
val iter_reversed(struct vm *vm, val v);

/* iter(v) for builtin kinds: containers give a new iterator, iterators and
 * generators themselves. TypeError "'int' object is not iterable"; vm_slow when
 * v's class defines __iter__ or __getitem__ in Python. */
val iter_new(struct vm *vm, val v);

/* The same by layout, without asking v's own class. */
val kind_iter(struct vm *vm, val v);
val kind_reversed(struct vm *vm, val v);

/* Only for KIND_ITER; ITER_FRAME and other kinds answer slow_wanted. */
enum iter_step iter_next(struct vm *vm, val iter, val *item);

/* A list of all remaining items. Nothing is consumed when it ends in
 * slow_wanted or an exception. */
val iter_drain(struct vm *vm, val iter);

/* How many items are certainly left, 0 when unknown. */
uint64_t iter_hint(struct vm *vm, val iter);

/* An iterator whose items come from a generator, shown as class `type`. */
val iter_over_frame(struct vm *vm, val type, val generator);

#endif
