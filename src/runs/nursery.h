/* SPDX-License-Identifier: MIT
 *
 * nursery -- a small process from which workers are forked.
 *
 * A forked process has a copy of all its parent had in memory. Whoever holds
 * secrets, connections and other people's data starts a nursery before it has
 * any, and takes its workers from there: what a worker was born with is the
 * interpreter and nothing else. The workers are children of the process that
 * started the nursery, which is told when they end; nursery and workers end
 * with it, however it ends.
 */
#ifndef CORDON_RUNS_NURSERY_H
#define CORDON_RUNS_NURSERY_H

#include <sys/types.h>

#include "base/err.h"

struct nursery;

/* Forks the calling process. */
int nursery_start(struct nursery **out, struct err *e);
/* n may be NULL. Workers that were taken live on; the others end. */
void nursery_free(struct nursery *n);

/* Asks for one more worker. */
int nursery_ask(struct nursery *n, struct err *e);
/* Readable when one is there. */
int nursery_fd(const struct nursery *n);
enum nursery_birth {
    NURSERY_GONE,   /* there will be none any more */
    NURSERY_NONE,   /* not yet */
    NURSERY_FAILED, /* one that was asked for could not be made */
    NURSERY_BORN,   /* *fd and *pid are for worker_adopt */
};
/* Does not wait. e says why it is GONE or FAILED. */
enum nursery_birth nursery_take(struct nursery *n, int *fd, pid_t *pid,
                                struct err *e);

#endif
