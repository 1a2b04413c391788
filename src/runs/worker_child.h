/* SPDX-License-Identifier: MIT
 *
 * worker_child -- the other side of worker.h, in the locked process.
 */
#ifndef CORDON_RUNS_WORKER_CHILD_H
#define CORDON_RUNS_WORKER_CHILD_H

#include <sys/types.h>

#define WORKER_UNLOCKED 3 /* exit status: the kernel would not lock it */

/* Locks the process down to fd and serves frames until the other side closes
 * it. It dies with the parent, in the middle of a program too. Does not
 * return. */
__attribute__((noreturn)) void worker_child(int fd, pid_t parent);

#endif
