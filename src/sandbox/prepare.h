/* SPDX-License-Identifier: MIT
 *
 * prepare -- what some tiers make once and keep: the machine of tier microvm,
 * the program of a module of tier wasm. That takes seconds, so it is done by a
 * process beside us, which the caller can wait for among other things.
 */
#ifndef CORDON_SANDBOX_PREPARE_H
#define CORDON_SANDBOX_PREPARE_H

#include "sandbox/cage.h"

#include <sys/types.h>

struct prepare {
    pid_t pid;
    int fd; /* readable when it ended; -1: none runs */
};

#define PREPARE_NONE ((struct prepare){.pid = -1, .fd = -1})

/* Whether something has to be made for this cage. */
bool prepare_wanted(const struct cage *c);

int prepare_start(const struct cage *c, struct prepare *out, struct err *e);

/* Once fd is readable: 0, or why it was not made. */
int prepare_end(struct prepare *p, struct err *e);

void prepare_stop(struct prepare *p); /* nothing where none runs */

#endif
