/* SPDX-License-Identifier: MIT
 *
 * jail -- a task that runs: started, watched, ended, its result told.
 *
 * A jail has one descriptor to wait on; when it is readable, jail_step does
 * what is due. jail_run does both until the end. The cage must outlive the
 * jail. A jail that is freed is killed first; nothing of it stays.
 */
#ifndef CORDON_SANDBOX_JAIL_H
#define CORDON_SANDBOX_JAIL_H

#include "sandbox/cage.h"
#include "sandbox/calls.h"

struct jail;

enum jail_stream {
    STREAM_KEEP, /* into the result, up to limits.output */
    STREAM_COPY, /* to a descriptor, up to limits.output */
    STREAM_GIVE, /* the task gets the descriptor itself, without limit */
};

struct jail_io {
    int in; /* the task's standard input; -1: empty */
    struct {
        enum jail_stream mode;
        int fd; /* for COPY and GIVE */
    } out, err;
};

#define JAIL_IO_KEEP ((struct jail_io){.in = -1})

/* Our own streams; with keep, the output goes into the result instead. */
struct jail_io jail_io_ours(bool keep);

int jail_start(const struct cage *c, const struct jail_io *io,
               struct jail **out, struct err *e);

/* The same in a slot of a pool (pool.h), which must outlive the jail, on behalf
 * of somebody whom no other owner's tasks must meet. */
struct pool;
int jail_start_in(struct pool *pool, str owner, const struct cage *c,
                  const struct jail_io *io, struct jail **out, struct err *e);

int jail_fd(const struct jail *j);

/* What is done when a task with cage.tools calls one. fn is called from
 * jail_step; it answers at once or later, once for each call. An answer that
 * is too large fails with ERR_LIMIT and leaves the call to another answer.
 * Without fn every call is refused. */
typedef void jail_call_fn(void *context, struct jail *j,
                          const struct task_call *call);
void jail_on_call(struct jail *j, jail_call_fn *fn, void *context);
int jail_answer(struct jail *j, int64_t id, const struct json *result,
                struct err *e);
int jail_refuse(struct jail *j, int64_t id, const char *type,
                const char *message, struct err *e);

/* 0: it goes on; 1: it ended, ask for the result; -1: it did not start, or
 * watching it failed. */
int jail_step(struct jail *j, struct err *e);

/* Blocks until the end. */
int jail_wait(struct jail *j, struct err *e);

void jail_signal(struct jail *j, int signal); /* to the program */
void jail_kill(struct jail *j);               /* everything, at once */

/* After the end: the caller owns the result (cage_result_fini). */
void jail_result_take(struct jail *j, struct cage_result *out);

/* After the end: the scratch directory as it was left, for collect.h. Only
 * where the cage says keep_scratch. */
int jail_scratch(const struct jail *j);

void jail_free(struct jail *j); /* NULL is fine */

/* Start, wait, take, free. */
int jail_run(const struct cage *c, const struct jail_io *io,
             struct cage_result *out, struct err *e);

#endif
