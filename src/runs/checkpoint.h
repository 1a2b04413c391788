/* SPDX-License-Identifier: MIT
 *
 * checkpoint -- a folder that a container job keeps between its attempts.
 *
 * The job writes to it from its sandbox and finds it as it was when it begins
 * again. What is in it is the program's: nothing of it is followed or believed.
 */
#ifndef CORDON_RUNS_CHECKPOINT_H
#define CORDON_RUNS_CHECKPOINT_H

#include "base/buf.h"

#define CHECKPOINT_AT    "/checkpoint" /* where the program finds it */
#define CHECKPOINT_ENV   "CORDON_CHECKPOINT"
#define CHECKPOINT_BYTES ((uint64_t)256 << 20)
#define CHECKPOINT_FILES 10000 /* and folders */

/* The folder of a run below `all`, made where it is not there. */
int checkpoint_make(const char *all, const char *run, struct buf *path,
                    struct err *e);
/* 0: it is within its bounds; else what is too much. */
int checkpoint_check(const char *path, struct err *e);
/* With everything in it; one that is not there is none. */
int checkpoint_remove(const char *all, const char *run, struct err *e);

/* Each of those below `all`, by the run's id. */
typedef void checkpoint_fn(void *data, const char *run);
void checkpoint_each(const char *all, checkpoint_fn *fn, void *data);

#endif
