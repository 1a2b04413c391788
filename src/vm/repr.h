/* SPDX-License-Identifier: MIT
 *
 * repr -- text of values by layout, for methods of builtin classes.
 */
#ifndef CORDON_VM_REPR_H
#define CORDON_VM_REPR_H

#include "vm/text.h"

/* A container whose text is being written: it shows as [...] inside itself. */
struct repr_active {
    val v;
    const struct repr_active *outer;
};

/* Adds repr(v); -1 raised or slow. The class of v is asked first. */
int repr_add(struct build *b, val v, const struct repr_active *outer);

/* The same without asking v's own class: list.__repr__. */
val kind_repr(struct vm *vm, val v);
val kind_str(struct vm *vm, val v);

/* Values that are no data: functions, classes, modules, instances. */
void repr_other(struct build *b, val v);

void repr_text(struct build *b, val text);
void repr_bytes(struct build *b, str s);
void build_cstr(struct build *b, const char *text);

/* "module.Class" for user classes, "Class" for builtin ones. */
void repr_class_name(struct build *b, val type);

#endif
