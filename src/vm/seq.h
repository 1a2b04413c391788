/* SPDX-License-Identifier: MIT
 *
 * seq -- what sequences share: indices, slices, repetition.
 */
#ifndef CORDON_VM_SEQ_H
#define CORDON_VM_SEQ_H

#include "vm/ops.h"

/* A slice resolved against a length: items start, start + step, ... count of
 * them, all within the sequence. */
struct span {
    int64_t start, step;
    uint64_t count;
};

/* 0, or -1: TypeError, ValueError for a step of 0, slow for __index__. */
int slice_span(struct vm *vm, val slice, uint64_t len, struct span *out);

/* start, stop and step as slice.indices() has them, for an int of any size. */
int slice_far(struct vm *vm, val slice, val len, val out[3]);

/* Index `key` counted from the end when negative; IndexError with `words` when
 * outside. The key is an int or bool. */
int seq_index(struct vm *vm, val key, uint64_t len, const char *words,
              uint64_t *out);

/* How many repetitions `by` asks for (negative: none) of n items of the given
 * size in bytes; MemoryError when the heap could never hold them. */
int seq_repeat(struct vm *vm, val by, uint64_t n, uint64_t size,
               uint64_t *times);

/* start and end of find(sub, start, end) as indices within 0..len. */
int seq_bounds(struct vm *vm, val start, val end, uint64_t len, uint64_t *from,
               uint64_t *to);

/* List and tuple from items that are not to be looked at again. */
val list_new_as(struct vm *vm, val type);
val list_of_span(struct vm *vm, val list, const struct span *s);
val list_repeat(struct vm *vm, const val *items, uint64_t n, uint64_t times);
val tuple_new_as(struct vm *vm, val type, const val *items, size_t n);
/* A tuple of n unset items for the caller to fill in. */
val tuple_alloc(struct vm *vm, size_t n, val **items);

/* Room for n items in all without moving. */
int list_reserve(struct vm *vm, val list, uint64_t n);
/* Makes room: afterwards list has n items; new ones must be filled in. */
int list_resize(struct vm *vm, val list, uint64_t n);
int list_insert(struct vm *vm, val list, uint64_t at, val item);
val list_take(struct vm *vm, val list, uint64_t at); /* removes and returns */
void list_clear(struct vm *vm, val list);
int list_set_span(struct vm *vm, val list, val slice, val items);
int list_del_span(struct vm *vm, val list, val slice);
val list_concat(struct vm *vm, val a, val b);

/* Range items; the length may be any int. */
val range_len(struct vm *vm, val range);
val range_item(struct vm *vm, val range, val index); /* index is within */
val range_slice(struct vm *vm, val range, val slice);
/* -1 not in it (or not an int), else its index; -2 raised. */
val range_find(struct vm *vm, val range, val item, bool *found);

#endif
