/* SPDX-License-Identifier: MIT */
#include "vm/bigint.h"
#include "vm/seq.h"
#include "vm/slots.h"

static const struct oslice *slice_at(const struct vm *vm, val slice) {
    return heap_kind(&vm->heap, slice, KIND_SLICE);
}

val slice_new(struct vm *vm, val start, val stop, val step) {
    struct oslice *s = heap_new(vm, KIND_SLICE, TYPE_VAL(slice), sizeof *s);
    if (!s) return VAL_UNSET;
    s->start = value_plain(vm, start);
    s->stop = value_plain(vm, stop);
    s->step = value_plain(vm, step);
    return heap_ref(&vm->heap, s);
}

static val slice_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val step = args[3] ? args[3] : VAL_NONE;
    if (!args[2]) return slice_new(vm, VAL_NONE, args[1], VAL_NONE);
    return slice_new(vm, args[1], args[2], step);
}

static val slice_indices_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t near;
    val items[3];
    if (!int_is(vm, args[1]) && value_index(vm, args[1], &near))
        return VAL_UNSET;
    if (int_sign(vm, args[1]) < 0)
        return vm_raise(vm, EXC_ValueError, "length should not be negative");
    val len = int_plain(vm, args[1]);
    if (!len || slice_far(vm, args[0], len, items)) return VAL_UNSET;
    return tuple_new(vm, items, 3);
}

static val slice_start(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return slice_at(vm, args[0])->start;
}

static val slice_stop(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return slice_at(vm, args[0])->stop;
}

static val slice_step(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return slice_at(vm, args[0])->step;
}

static const struct native methods[] = {
    {"__new__", "cls, start, stop=None, step=None, /", slice_make,
     "What a[start:stop:step] passes to __getitem__.", NULL},
    {"indices", "self, length, /", slice_indices_method,
     "(start, stop, step) for a sequence of this length.", "_slice_indices"},
#define SLOTS_COMPARE
#include "vm/slots.def"
    {0},
};

static const struct native getters[] = {
    {"start", "self", slice_start, "The first index or None.", NULL},
    {"stop", "self", slice_stop, "The end or None.", NULL},
    {"step", "self", slice_step, "The step or None.", NULL},
    {0},
};

const struct native_type native_slice = {
    "slice",
    KIND_SLICE,
    NULL,
    TYPE_FINAL,
    methods,
    getters,
    "A range of indices, as in a[1:9:2].",
};
