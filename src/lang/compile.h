/* SPDX-License-Identifier: MIT
 *
 * compile -- Python source text to bytecode, in one call.
 *
 * Source, arena and environment stay the caller's; the units point into both
 * source and arena. Nothing is kept between calls.
 */
#ifndef CORDON_LANG_COMPILE_H
#define CORDON_LANG_COMPILE_H

#include "base/arena.h"
#include "lang/bytecode.h"
#include "lang/fault.h"

struct compile_env {
    /* The slot of a global name in the module the code will run in; names it
     * has not seen get the next one. Below 0: there is no slot left. */
    int (*global_slot)(void *user, str name);
    void *user;
    uint64_t seed[2]; /* keys the table of names; any value, best random */
};

/* The module's code. -1: *fault says what is wrong with the source; where
 * fault->kind is FAULT_NONE the failure is another (memory, a limit). */
int compile_source(str source, const struct compile_env *env, struct arena *a,
                   const struct code_unit **out, struct fault *fault,
                   struct err *e);

#endif
