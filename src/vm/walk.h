/* SPDX-License-Identifier: MIT
 *
 * walk -- every value that a value holds, however deep, each container once.
 *
 * Items, entries, attributes, what an iterator goes over: what C code can come
 * upon that is handed the value. Not what only Python code reaches (variables
 * of a generator, cells of a function).
 */
#ifndef CORDON_VM_WALK_H
#define CORDON_VM_WALK_H

#include "vm/vm.h"

/* fn may change the value where it stands. */
typedef void walk_fn(void *user, val *where);

/* -1: memory is short, and part was not visited. */
int walk(struct vm *vm, val *from, walk_fn *fn, void *user);

/* Has values in it. */
bool walk_holds(const struct obj *o);

#endif
