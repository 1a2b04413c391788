/* SPDX-License-Identifier: MIT
 *
 * program -- the checks of lang/check.h in the world of this interpreter: its
 * builtins and modules, and what the host adds.
 */
#ifndef CORDON_STDLIB_PROGRAM_H
#define CORDON_STDLIB_PROGRAM_H

#include "lang/check.h"

struct program_host {
    const struct check_function *functions;
    size_t nfunctions;
    /* "send(to: str, text='')", or a name alone: takes anything. */
    const char *const *signatures;
    size_t nsignatures;
};

/* Findings in the order of the source; a program that does not parse has that
 * one. Nothing of the program is run. */
int program_check(str source, const struct program_host *host, struct arena *a,
                  struct finding **out, struct err *e);

#endif
