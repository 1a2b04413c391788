/* SPDX-License-Identifier: MIT
 *
 * template -- builds what all runs share: classes, natives, names, prelude.
 */
#ifndef CORDON_VM_TEMPLATE_H
#define CORDON_VM_TEMPLATE_H

#include "vm/engine.h"

/* Where the engine of this process comes from. Programs are linked with a
 * template that was made when they were built (see Makefile), and with it comes
 * an origin that has its bytes. Without it, as in tests of parts, the linker
 * takes template.c and the sources of the modules, and it is built here. */
struct template_origin {
    const char *image, *image_end;                      /* or NULL */
    int (*build)(struct engine *engine, struct err *e); /* or NULL */
};
extern const struct template_origin template_origin
    __attribute__((visibility("hidden")));

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
uint64_t template_first(void);

/* Methods and getters of a builtin exception, or NULL (objexc.c). */
const struct native_type *exc_native_type(const char *name);

/* Builtins that are the interpreter's own (core.c). */
extern const struct native core_natives[];

/* What stdlib provides: the rows of modules.def, the sources of the prelude, in
 * order, and those of modules; all end with a zero. */
struct python_source {
    const char *name; /* of the module, or of the file for tracebacks */
    const char *text;
    bool as_text; /* the template keeps the text, and the import compiles it */
};
extern const struct native_module *const stdlib_modules[];
extern const struct python_source prelude_sources[];
extern const struct python_source module_sources[];

#endif
