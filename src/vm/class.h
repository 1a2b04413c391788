/* SPDX-License-Identifier: MIT
 *
 * class -- classes made by programs.
 */
#ifndef CORDON_VM_CLASS_H
#define CORDON_VM_CLASS_H

#include "vm/attr.h"

/* type.__new__ without the hooks (__set_name__, __init_subclass__), which the
 * prelude calls: a class of metaclass `meta` from a name, a tuple of bases and
 * a dict. */
val class_new(struct vm *vm, val meta, val name, val bases, val dict);

/* The metaclass that fits all bases; VAL_UNSET: conflict, raised. */
val class_metaclass(struct vm *vm, val meta, val bases);

/* An instance of a class whose __new__ is object's. */
val class_instance(struct vm *vm, val type);

/* The function to which a call of the class comes down once class_instance()
 * has made its self; VAL_UNSET where a call means more. */
val class_maker(struct vm *vm, val type);

/* What a call of a builtin class makes, where its __new__ takes the arguments
 * as they are; VAL_UNSET: it does not, or has raised. */
val class_directly(struct vm *vm, val type, const val *args, size_t npos);

#endif
