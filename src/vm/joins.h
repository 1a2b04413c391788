/* SPDX-License-Identifier: MIT
 *
 * joins -- where the ways that part at a branch meet again.
 *
 * Up to there the branch decides what is executed; from there on it does not.
 * That is the branch's nearest post-dominator, which is computed for all of a
 * code object when one of its branches is first decided by a labelled value,
 * and kept beside the code.
 */
#ifndef CORDON_VM_JOINS_H
#define CORDON_VM_JOINS_H

#include "vm/vm.h"

/* For the instruction at words[at]: the index of the word where its ways meet,
 * or NO_JOIN: only at the end, or it cannot be said. */
uint32_t joins_at(struct vm *vm, val code, uint32_t at);

/* Where the ways from two instructions meet. */
uint32_t joins_of_two(struct vm *vm, val code, uint32_t a, uint32_t b);

/* Words that the instruction takes which begins with w. */
unsigned joins_words(uint32_t w);

#endif
