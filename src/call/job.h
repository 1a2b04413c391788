/* SPDX-License-Identifier: MIT
 *
 * job -- work that blocks, done by a process of its own.
 *
 * The process is a copy of this one that has nothing but its memory and one
 * pipe; what it writes there comes back when it ends. It dies with us and at
 * its deadline.
 */
#ifndef CORDON_CALL_JOB_H
#define CORDON_CALL_JOB_H

#include "base/buf.h"
#include "io/loop.h"

#include <sys/types.h>

struct job {
    struct loop *loop;
    pid_t pid;
    struct io_watch out;
    struct io_timer timer;
    struct buf answer; /* at most answer_max bytes */
    /* Once: e is NULL when it ended by itself; the answer is valid until the
     * function returns. */
    void (*done)(struct job *j, const struct err *e);
    void *data;
};

/* work runs in the copy: what it adds to out is the answer. loop, done and data
 * are set by the caller. */
int job_start(struct job *j, void (*work)(void *context, struct buf *out),
              void *context, size_t answer_max, int64_t timeout_ns,
              struct err *e);

/* Ends it; done is not called. Safe on one that ended. */
void job_cancel(struct job *j);

#endif
