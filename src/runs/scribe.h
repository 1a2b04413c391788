/* SPDX-License-Identifier: MIT
 *
 * scribe -- seals a large state and writes its file in a process of its own, so
 * that the loop goes on meanwhile. The process is a copy of this one that
 * closes what it was left, writes, says what went wrong and ends; it ends with
 * this one. The row that names the file is for the caller, afterwards.
 */
#ifndef CORDON_RUNS_SCRIBE_H
#define CORDON_RUNS_SCRIBE_H

#include "io/loop.h"
#include "runs/worker.h"
#include "store/store.h"

/* Zero-initialise, set done and data. */
struct scribe {
    void (*done)(struct scribe *s, const struct err *failed); /* or NULL */
    void *data;
    char name[STORE_ID]; /* of the file */
    pid_t pid;           /* 0: nothing is being written */
    struct io_watch watch;
};

struct scribe_job {
    struct loop *loop;
    struct store *store;
    str run;
    str bytes;                   /* of the state; not needed after the start */
    const struct worker *sealer; /* whose state it is; NULL: it is sealed */
};

/* done is called once, from the loop. */
int scribe_start(struct scribe *s, const struct scribe_job *job, struct err *e);
/* What was not done is given up; done is not called. */
void scribe_stop(struct scribe *s);

#endif
