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

#endif
