/* SPDX-License-Identifier: MIT
 *
 * exc -- exceptions as objects, and the one in flight.
 *
 * root.exception is the exception in flight; VAL_UNSET from a native or an
 * operation means it was set. Raising records as context what the running frame
 * is handling. The loop adds a line of traceback for each frame it unwinds.
 */
#ifndef CORDON_VM_EXC_H
#define CORDON_VM_EXC_H

#include "vm/builtin.h"

/* An instance of an exception class; __init__ is not called. */
val exc_new(struct vm *vm, val type, const val *args, size_t n);

/* Puts exc in flight, with its context; the value is VAL_UNSET. */
val exc_raise(struct vm *vm, val exc);

/* MemoryError, made from the reserve. */
void exc_memory(struct vm *vm);

/* LimitExceeded; words say which limit. */
val exc_limit(struct vm *vm, enum vm_limit limit);

/* Takes the exception in flight. */
val exc_take(struct vm *vm);

/* The exception in flight, if any, is an instance of the builtin class. */
bool exc_is(struct vm *vm, enum exc exc);

bool exc_matches(struct vm *vm, val exc, enum exc which);

/* str(exc) and repr(exc) as the builtin classes define them. */
val exc_str(struct vm *vm, val exc);
val exc_repr(struct vm *vm, val exc);

/* Another line in front of the traceback. */
void exc_add_line(struct vm *vm, val exc, val code, uint32_t pc);

/* SyntaxError and its kin, with position and line as CPython's have. */
struct fault;
val exc_syntax(struct vm *vm, const struct fault *fault, str source,
               const char *filename);

/* The text CPython prints for an uncaught exception, causes and contexts
 * included, ending in a newline. */
int exc_print(struct vm *vm, val exc, struct buf *out, struct err *e);

static inline struct oexc *exc_at(const struct vm *vm, val exc) {
    return (struct oexc *)vm_obj(vm, exc);
}

#endif
