/* SPDX-License-Identifier: MIT
 *
 * slow -- the rest of the loop's slow paths, one per instruction or event.
 *
 * `w` is the instruction; operands are read from the running frame.
 */
#ifndef CORDON_VM_SLOW_H
#define CORDON_VM_SLOW_H

#include "vm/run.h"

/* -- names (slow_name.c) ------------------------------------------------------
 */
enum step slow_unbound(struct vm *vm, unsigned varname);
enum step slow_unbound_cell(struct vm *vm, uint32_t w);
enum step slow_unbound_free(struct vm *vm, unsigned number);
enum step slow_global(struct vm *vm, unsigned slot);
enum step slow_get_name(struct vm *vm, uint32_t w);
enum step slow_set_name(struct vm *vm, uint32_t w);
enum step slow_del_name(struct vm *vm, uint32_t w);
enum step slow_get_free_name(struct vm *vm, uint32_t w);
enum step slow_make_cell(struct vm *vm, uint32_t w);
enum step slow_closure(struct vm *vm, uint32_t w);

/* -- displays and unpacking (slow_make.c)
 * -------------------------------------- */
enum step slow_make_set(struct vm *vm, uint32_t w);
enum step slow_make_dict(struct vm *vm, uint32_t w);
enum step slow_add_set(struct vm *vm, uint32_t w);
enum step slow_extend(struct vm *vm, uint32_t w);
enum step slow_update_set(struct vm *vm, uint32_t w);
enum step slow_update_map(struct vm *vm, uint32_t w);
enum step slow_merge_keywords(struct vm *vm, uint32_t w);
enum step slow_unpack(struct vm *vm, uint32_t w);
enum step slow_unpack_star(struct vm *vm, uint32_t w);
enum step slow_format(struct vm *vm, uint32_t w);
enum step slow_get_special(struct vm *vm, uint32_t w);

/* -- exceptions (slow_raise.c)
 * -------------------------------------------------- */
enum step slow_raise(struct vm *vm, val what, val cause);
enum step slow_reraise(struct vm *vm, val exc); /* unset: the handled one */
enum step slow_match_exception(struct vm *vm, uint32_t w);
/* A frame ended by an exception was left; did its caller want just that? */
enum step slow_caught(struct vm *vm, struct ret ret, bool was_generator);

/* -- generators (gen.c)
 * ---------------------------------------------------------- */
enum step gen_delegate(struct vm *vm, uint32_t w);
enum step slow_awaitable(struct vm *vm, uint32_t w);
/* The exception in flight leaves a generator's frame. */
void gen_failed(struct vm *vm, struct oframe *f);
/* A generator ended with value: what that means for who resumed it. */
enum step gen_end(struct vm *vm, struct ret ret, val value, bool async);

/* -- modules (import.c)
 * ----------------------------------------------------------- */
enum step slow_import(struct vm *vm, uint32_t w);
enum step slow_import_from(struct vm *vm, val module, val name, struct ret ret);
enum step slow_import_all(struct vm *vm, val module);

#endif
