/* SPDX-License-Identifier: MIT
 *
 * sort -- a stable sort in C for keys that compare without Python code.
 *
 * Numbers and text are given a rank, a 64-bit word that sorts as they do, and
 * are sorted by radix; what ties or has no rank (tuples, lists ...) is merged
 * by comparison.
 */
#ifndef CORDON_VM_SORT_H
#define CORDON_VM_SORT_H

#include "vm/ops.h"

/* Sorts items[0..n) by keys[0..n) (the items themselves when keys is items).
 * Both arrays are read; the sorted items go to out, which may be items. -1:
 * raised, or slow: then nothing was written. */
int sort_by_keys(struct vm *vm, const val *keys, const val *items, uint64_t n,
                 bool reverse, val *out);

/* What the argument `reverse` says, which is a number in Python and not a truth
 * value; VAL_UNSET is "not given". -1: raised, or slow. */
int sort_reverse(struct vm *vm, val reverse);

#endif
