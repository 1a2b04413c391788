/* SPDX-License-Identifier: MIT
 *
 * load -- source text to code objects, modules, and the start of a run.
 */
#ifndef CORDON_VM_LOAD_H
#define CORDON_VM_LOAD_H

#include "base/arena.h"
#include "vm/engine.h"

/* Compiles text for `module`, whose slots its globals get, and returns the code
 * object. VAL_UNSET: SyntaxError or MemoryError is raised. */
val load_source(struct vm *vm, str text, const char *filename, val module);

/* Likewise for a module of ours that is kept as text, when a run imports it. */
val load_library(struct vm *vm, str text, const char *filename, val module);

/* One function from text that a module of ours wrote with names in it which the
 * program chose. Whatever they are, it sees no more than the program does. */
val load_made(struct vm *vm, str text, val module_name);

/* The literals of a program as load_source would ask the host for the label of
 * each. Nothing is loaded; a program that does not compile has none. */
int load_literals(str source, struct arena *a, void (*fn)(void *user, str text),
                  void *user, struct err *e);

/* A module whose globals begin with the entries of dict `names` (or unset). */
val module_new(struct vm *vm, val name, val names);

/* Programs may import this module by its name. */
int import_offer(struct vm *vm, val name, val module);
/* A fresh copy of a template's module, the slots numbered alike. */
val module_clone(struct vm *vm, val module);
/* The slot of a global, made when new; -1: MemoryError. */
int64_t module_slot(struct vm *vm, val module, val name);
val module_get(struct vm *vm, val module, str name); /* VAL_UNSET: absent */
/* The builtin that a global of the module stands for while it has no value. The
 * prelude's private names trust who calls them: they are for code of ours. */
val module_builtin(struct vm *vm, val module, str name, bool ours);
int module_set(struct vm *vm, val module, val name, val v);

/* Makes the frame that runs module code; vm_run() then goes on from it. */
int vm_start(struct vm *vm, val code, val module);
/* Likewise for a function; its value will be in root.value. */
int vm_start_call(struct vm *vm, val func, const val *args, size_t n);
/* The answer to the call in root.call, or the exception in flight instead. */
void vm_resume(struct vm *vm, val answer);
/* No frame is left: after an end of any kind. */
void vm_clear(struct vm *vm);

/* Runs until the program ends or waits. */
enum vm_status vm_run(struct vm *vm);
/* vm_run() where vm->labels or root.pending is set; it calls these itself. */
enum vm_status vm_run_labels(struct vm *vm);
enum vm_status vm_run_pending(struct vm *vm);

#endif
