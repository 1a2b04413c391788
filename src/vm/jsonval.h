/* SPDX-License-Identifier: MIT
 *
 * jsonval -- values to JSON text and back, for what crosses to the host.
 */
#ifndef CORDON_VM_JSONVAL_H
#define CORDON_VM_JSONVAL_H

#include "vm/vm.h"

/* Appends v as JSON. What JSON has no word for (a set, an object) is an error
 * that names its class. */
int jsonval_write(struct vm *vm, val v, struct buf *out, struct err *e);

/* The value of a text. VAL_UNSET: *e, or MemoryError is raised. */
val jsonval_read(struct vm *vm, str text, struct err *e);

#endif
