/* SPDX-License-Identifier: MIT
 *
 * bind -- signatures of natives, and putting a call's arguments in their order.
 */
#ifndef CORDON_VM_BIND_H
#define CORDON_VM_BIND_H

#include "vm/builtin.h"

/* Parses row's signature (self: calls have one in front); the parameter names
 * go to *names as a tuple. -1 and *e: the row is wrong (a mistake of ours). */
int bind_parse(struct vm *vm, const struct native *row, bool self,
               struct nsig *sig, val *names, struct err *e);

#define BOUND_MAX 32 /* arguments that need no heap memory to be bound */

/* A call's arguments in the order the native gets them. */
struct bound {
    const struct native *row;
    const val *args;
    size_t n;
    val few[BOUND_MAX];
};

/* args[0..npos) (self first where it takes one), then values for the names in
 * kwnames (tuple or unset). False: TypeError raised. */
bool native_bind(struct vm *vm, val native, const val *args, size_t npos,
                 val kwnames, struct bound *out);

/* Calls a NATIVE_SPREAD with positional arguments alone, `first` (or unset) in
 * front of them; *out as natives answer. False: they do not suit it, and
 * nothing was done. */
bool native_spread(struct vm *vm, const struct onative *o, val first,
                   const val *args, size_t n, val *out);

/* Binds and calls; VAL_UNSET: raised, or slow_wanted. For tests and for natives
 * known not to need Python. */
val native_call(struct vm *vm, val native, const val *args, size_t npos,
                val kwnames);

#endif
