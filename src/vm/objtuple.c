/* SPDX-License-Identifier: MIT */
#include "vm/alloc.h"
#include "vm/seq.h"
#include "vm/slots.h"

#define FEW 8 /* items that are copied one by one */

val tuple_alloc(struct vm *vm, size_t n, val **items) {
    if (n > UINT32_MAX / 16) return vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    struct otuple *t =
        heap_new(vm, KIND_TUPLE, TYPE_VAL(tuple), sizeof *t + n * sizeof(val));
    if (!t) return VAL_UNSET;
    t->len = (uint32_t)n;
    *items = t->item;
    return heap_ref(&vm->heap, t);
}

val tuple_new_as(struct vm *vm, val type, const val *items, size_t n) {
    if (type == TYPE_VAL(tuple)) return tuple_new(vm, items, n);
    if (n > UINT32_MAX / 16) return vm_raise_args(vm, EXC_MemoryError, NULL, 0);
    struct otuple *t =
        value_new(vm, KIND_TUPLE, type, sizeof *t + n * sizeof(val));
    if (!t) return VAL_UNSET;
    t->len = (uint32_t)n;
    if (n) memcpy(t->item, items, n * sizeof(val));
    return heap_ref(&vm->heap, t);
}

val tuple_new(struct vm *vm, const val *items, size_t n) {
    if (n == 0) return VAL_EMPTY_TUPLE;
    if (n <= FEW) {
        struct otuple *t = alloc_raw(vm, KIND_TUPLE, TYPE_VAL(tuple),
                                     sizeof *t + n * sizeof(val));
        if (!t) return VAL_UNSET;
        t->len = (uint32_t)n;
        t->hash = 0;
        for (size_t i = 0; i < n; i++)
            t->item[i] = items[i];
        return heap_ref(&vm->heap, t);
    }
    val *out = NULL;
    val t = tuple_alloc(vm, n, &out);
    if (t) memcpy(out, items, n * sizeof(val));
    return t;
}

/* -- methods ----------------------------------------------------------------
 */

static val tuple_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val type = args[0], from = args[1];
    if (!from) return tuple_new_as(vm, type, NULL, 0);
    if (type == TYPE_VAL(tuple) && type_of(vm, from) == type) return from;
    const val *items;
    uint64_t len;
    if (value_items(vm, from, &items, &len)) return VAL_UNSET;
    if (!vm_charge(vm, len)) return VAL_UNSET;
    return tuple_new_as(vm, type, items, len);
}

static val tuple_count(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const val *items = tuple_items(vm, args[0]);
    int64_t count = 0;
    if (!vm_charge(vm, tuple_len(vm, args[0]))) return VAL_UNSET;
    for (uint32_t i = 0; i < tuple_len(vm, args[0]); i++) {
        int same = value_equal(vm, items[i], args[1]);
        if (same < 0) return VAL_UNSET;
        count += same;
    }
    return val_of_int(count);
}

static val tuple_index(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t from, to;
    uint32_t len = tuple_len(vm, args[0]);
    if (seq_bounds(vm, args[2], args[3], len, &from, &to)) return VAL_UNSET;
    if (!vm_charge(vm, len)) return VAL_UNSET;
    for (uint64_t i = from; i < to; i++) {
        int same = value_equal(vm, tuple_items(vm, args[0])[i], args[1]);
        if (same < 0) return VAL_UNSET;
        if (same) return val_of_int((int64_t)i);
    }
    return vm_raise(vm, EXC_ValueError, "tuple.index(x): x not in tuple");
}

static const struct native methods[] = {
    {"__new__", "cls, iterable=(), /", tuple_make,
     "A tuple of the items of an iterable.", "_tuple_new"},
    {"count", "self, value, /", tuple_count, "How often value occurs.",
     "_seq_count"},
    {"index", "self, value, start=0, stop=9223372036854775807, /", tuple_index,
     "First index of value.", "_seq_index"},
#define SLOTS_SEQUENCE
#define SLOTS_ADD
#define SLOTS_MUL
#define SLOTS_COMPARE
#define SLOTS_HASH
#define SLOTS_GENERIC
#include "vm/slots.def"
    {0},
};

const struct native_type native_tuple = {
    "tuple",
    KIND_TUPLE,
    NULL,
    0,
    methods,
    NULL,
    "An immutable sequence of values.",
};
