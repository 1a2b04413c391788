/* SPDX-License-Identifier: MIT
 *
 * nursery -- a small process from which workers are forked.
 *
 * A forked process has a copy of all its parent had in memory. Whoever holds
 * secrets, connections and other people's data starts a nursery before it has
 * any, and takes its workers from there: what a worker was born with is the
 * interpreter and nothing else. The workers are children of the process that
 * started the nursery, which is told when they end.
 */
#ifndef CORDON_RUNS_NURSERY_H
#define CORDON_RUNS_NURSERY_H

#include <sys/types.h>

#include "base/err.h"

struct nursery;

/* Forks the calling process. */
int nursery_start(struct nursery **out, struct err *e);
void nursery_free(struct nursery *n); /* n may be NULL; workers live on */

/* Asks for one more worker. */
int nursery_ask(struct nursery *n, struct err *e);
/* Readable when one is there. */
int nursery_fd(const struct nursery *n);
/* Does not wait. 1: a worker for worker_adopt, 0: there is none yet, -1: there
 * will be none. */
int nursery_take(struct nursery *n, int *fd, pid_t *pid, struct err *e);

#endif
