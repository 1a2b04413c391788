/* SPDX-License-Identifier: MIT
 *
 * dict -- dicts from the inside, for the files that implement them, their views
 * and iterators, and for prelude helpers that compare keys in Python.
 */
#ifndef CORDON_VM_DICT_H
#define CORDON_VM_DICT_H

#include "vm/ops.h"

/* Hashes are kept as inline ints: the collector sees no reference in them. */
struct dict_entry {
    val hash;
    val key; /* VAL_UNSET: deleted */
    val value;
};

static inline struct odict *dict_at(const struct vm *vm, val dict) {
    return heap_kind(&vm->heap, dict, KIND_DICT);
}

/* Own form only. */
static inline struct dict_entry *dict_entries(const struct vm *vm,
                                              const struct odict *d) {
    if (!d->store) return NULL;
    struct ostore *s = heap_at(&vm->heap, d->store);
    return (struct dict_entry *)s->data;
}

/* A dict of class `type` (dict or derived from it). */
val dict_new_as(struct vm *vm, val type);
/* A mappingproxy of a dict: what cls.__dict__ is. */
val dict_proxy(struct vm *vm, val dict);
/* The dict of a mappingproxy; anything else is itself. */
val dict_proxied(const struct vm *vm, val v);
/* Values by the positions of a shape; copies them. */
val dict_from_shape(struct vm *vm, val shape, const val *values);

/* Turns the shared form into the own form. */
int dict_own(struct vm *vm, val dict);

/* Entry number of a key: -1 absent, -2 raised or slow. */
int64_t dict_find(struct vm *vm, val dict, val key);
/* Own form: a list of the numbers of all entries with this hash, for comparing
 * their keys in Python. */
val dict_same_hash(struct vm *vm, val dict, int64_t hash);
/* A key known to be absent. */
int dict_add(struct vm *vm, val dict, int64_t hash, val key, val value);
val dict_key_at(const struct vm *vm, val dict, uint64_t entry);
val *dict_value_at(const struct vm *vm, val dict, uint64_t entry);
int dict_del_at(struct vm *vm, val dict, uint64_t entry);
/* No entry before this one is in use. */
uint64_t dict_first(const struct vm *vm, const struct odict *d);

void dict_clear(struct vm *vm, val dict);
/* Nothing is added any more: gives back what the own form has room for. */
void dict_trim(struct vm *vm, val dict);
val dict_copy(struct vm *vm, val dict);

#endif
