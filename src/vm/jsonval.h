/* SPDX-License-Identifier: MIT
 *
 * jsonval -- values to JSON text and back, for what crosses to the host.
 */
#ifndef CORDON_VM_JSONVAL_H
#define CORDON_VM_JSONVAL_H

#include "vm/label.h"
#include "vm/vm.h"

/* Appends v as JSON. What JSON has no word for (a set, an object) is an error
 * that names its class. */
int jsonval_write(struct vm *vm, val v, struct buf *out, struct err *e);

/* The value of a text. VAL_UNSET: *e, or MemoryError is raised. */
val jsonval_read(struct vm *vm, str text, struct err *e);

/* As jsonval_read; label says the label of each place. Needs vm->labels. */
val jsonval_read_labelled(struct vm *vm, str text, cordon_label_fn *label,
                          void *user, struct err *e);

/* Tells fn the label of every place in v, under the path [root]; -1: it nests
 * too deeply for JSON. */
int jsonval_places(struct vm *vm, const char *root, val v, cordon_place_fn *fn,
                   void *user);

#endif
