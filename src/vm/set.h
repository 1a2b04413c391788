/* SPDX-License-Identifier: MIT
 *
 * set -- sets from the inside.
 *
 * The table and its probing follow CPython's set step by step, so that a set
 * of ints (whose hashes are the same numbers) is walked in the same order.
 */
#ifndef CORDON_VM_SET_H
#define CORDON_VM_SET_H

#include "vm/ops.h"

/* Free: both words 0. Deleted: key 0, hash not. */
struct set_entry {
    val hash; /* as an inline int, see dict.h */
    val key;
};

static inline struct oset *set_at(const struct vm *vm, val set) {
    return heap_kind(&vm->heap, set, KIND_SET);
}

/* NULL while nothing was ever added. */
struct set_entry *set_entries(const struct vm *vm, const struct oset *s,
                              uint64_t *slots);

val set_new_as(struct vm *vm, val type, bool frozen);
val set_copy(struct vm *vm, val set); /* set or frozenset, never a subclass */
void set_clear(struct vm *vm, val set);

/* Slot of an item: -1 absent, -2 raised or slow. */
int64_t set_find(struct vm *vm, val set, val item);
int set_add_hashed(struct vm *vm, val set, int64_t hash, val item);
/* An item known to be absent. */
int set_add_new(struct vm *vm, val set, int64_t hash, val item);
void set_del_at(struct vm *vm, val set, uint64_t slot);
/* A list of the numbers of all slots with this hash. */
val set_same_hash(struct vm *vm, val set, int64_t hash);
val set_pop(struct vm *vm, val set);
int set_merge(struct vm *vm, val set, val other);
/* What a set is asked for or relieved of: of another set its frozen form. */
val set_as_key(struct vm *vm, val item);
/* An entry of another set: its slot here as of set_find; added. */
int64_t set_find_entry(struct vm *vm, val set, const struct set_entry *e);
int set_add_entry(struct vm *vm, val set, const struct set_entry *e);
/* A smaller table, where many items have left. */
int set_squeeze(struct vm *vm, val set);

/* The operators and their in-place forms on two sets. */
val set_or(struct vm *vm, val a, val b);
val set_and(struct vm *vm, val a, val b);
val set_minus(struct vm *vm, val a, val b);
val set_xor(struct vm *vm, val a, val b);
int set_minus_update(struct vm *vm, val a, val b);
int set_xor_update(struct vm *vm, val a, val b);
/* a takes over what is in b, which is left empty. */
void set_swap(struct vm *vm, val a, val b);
int set_subset(struct vm *vm, val a, val b);

#endif
