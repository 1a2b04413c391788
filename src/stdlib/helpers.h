/* SPDX-License-Identifier: MIT
 *
 * helpers -- what the prelude needs to know about builtin values. */
#ifndef CORDON_STDLIB_HELPERS_H
#define CORDON_STDLIB_HELPERS_H

#include "vm/native.h"

#define HELPER(name, signature) \
    val help_##name(struct vm *vm, const val *args, size_t n);
#include "stdlib/helpers.def"
#undef HELPER

/* Whether the program put something in the place of sys.stdout; *sys is the
 * module then. */
bool stdout_replaced(struct vm *vm, val *sys);

#endif
