/* SPDX-License-Identifier: MIT
 *
 * worker -- the tightest wall: a process that can only read and write.
 *
 * For code of ours that handles what an attacker wrote (the interpreter's
 * worker, pid 1 of a sandbox): after worker_lock the process has the
 * descriptors it was given and nothing else. It cannot open, connect, start,
 * signal, map code, or look at a file; any other system call ends it with
 * SIGSYS. There is no way back and no child to inherit it: fork is one of the
 * calls it lost.
 */
#ifndef CORDON_SANDBOX_WORKER_H
#define CORDON_SANDBOX_WORKER_H

#include "base/err.h"

enum worker_memory {
    WORKER_FIXED, /* all memory was mapped before: not even brk */
    WORKER_GROWS, /* anonymous memory may be mapped, never executable */
};

/* keep lists descriptors in ascending order; all others are closed. Threads
 * must not exist. On failure the process may be partly locked: end it. */
int worker_lock(const int *keep, size_t count, enum worker_memory memory,
                struct err *e);

/* Only these calls from now on; any other ends the process. Needs
 * no_new_privs or privilege. */
int worker_allow(const int *calls, size_t count, struct err *e);

#endif
