/* SPDX-License-Identifier: MIT
 *
 * traceback -- where an exception came through, as CPython 3.11 shows it.
 */
#ifndef CORDON_VM_TRACEBACK_H
#define CORDON_VM_TRACEBACK_H

#include "vm/code.h"
#include "vm/vm.h"

/* "  File ..., line ..., in ..." with source line and carets, for each frame.
 */
int traceback_text(struct vm *vm, val tb, struct buf *out, struct err *e);

/* The source line of an instruction, 0 when unknown. */
uint32_t traceback_line(const struct vm *vm, val code, uint32_t pc);

#endif
