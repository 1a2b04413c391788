/* SPDX-License-Identifier: MIT
 *
 * template -- builds what all runs share: classes, natives, names, prelude.
 */
#ifndef CORDON_VM_TEMPLATE_H
#define CORDON_VM_TEMPLATE_H

#include "vm/engine.h"

/* Fills *engine, which is zero. */
int template_build(struct engine *engine, struct err *e);

/* The engine's template as bytes, and an engine from such bytes, which stay the
 * caller's; refused when they were made by another build. */
int template_save(const struct engine *engine, struct buf *out, struct err *e);
int template_use(struct engine *engine, str bytes, struct err *e);
void template_drop(struct engine *engine);

/* Fills the table of natives. Numbers are given in the order of the tables,
 * before anything is made of them, so that a program with a ready template has
 * the same ones. */
int natives_number(struct engine *engine, struct err *e);

/* Where the template's objects begin. */
uint64_t template_first(const struct vm *vm);

/* Methods and getters of a builtin exception, or NULL (objexc.c). */
const struct native_type *exc_native_type(const char *name);

/* Builtins that are the interpreter's own (core.c). */
extern const struct native core_natives[];

/* What stdlib provides: the sources of the prelude, in order, and the rows of
 * modules.def; both end with a zero. */
struct prelude_part {
    const char *file; /* as tracebacks would show it */
    const char *text;
};
extern const struct prelude_part prelude_parts[];
extern const struct native_module *const stdlib_modules[];

#endif
