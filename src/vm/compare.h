/* SPDX-License-Identifier: MIT
 *
 * compare -- comparison by layout, for the methods of builtin classes.
 *
 * The functions of ops.h ask a value's class first; these do not, so that
 * list.__contains__(self, x) can be called from a subclass's own method.
 */
#ifndef CORDON_VM_COMPARE_H
#define CORDON_VM_COMPARE_H

#include "vm/ops.h"

enum op compare_reflected(enum op op);
const char *compare_symbol(enum op op);
val compare_sets(struct vm *vm, enum op op, val a, val b);
int kind_contains(struct vm *vm, val container, val item);
/* -1 when v has no length, -2 when an exception was raised. */
int64_t kind_len(struct vm *vm, val v);
int kind_hash(struct vm *vm, val v, int64_t *out);
/* The hash of a tuple from those of its items, given as ints. */
int hash_lanes(struct vm *vm, const val *hashes, uint64_t n, int64_t *out);
/* For tables that too many keys collide in (hash.c). The key of the run is
 * drawn first; false: there is none to be had. */
bool hash_secret_ready(struct vm *vm);
/* False: an instance of a user's class is in it, or it is nested too deep. */
bool hash_secret(struct vm *vm, val key, uint64_t *out);
uint64_t hash_secret_bytes(struct vm *vm, str s);
/* A search that met this many keys with the hash of the one looked for, or this
 * many at all, was led astray. Chance does neither: not even in tables as large
 * as a heap can hold. */
enum { HASH_TWINS = 16, HASH_PROBES = 1024 };

int bytes_contains(struct vm *vm, val bytes, val item);

#endif
