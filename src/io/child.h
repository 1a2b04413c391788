/* SPDX-License-Identifier: MIT
 *
 * child -- a program started by us, talked to over pipes, ended in order.
 *
 * A child leads its own session, so that the whole family (npx, its shell, the
 * server) can be signalled; it dies with us (PR_SET_PDEATHSIG); it inherits no
 * descriptor but its three, no signal mask and no ignored signals. Its end is
 * seen through a pidfd: there is no SIGCHLD handler and no race over pids.
 */
#ifndef CORDON_IO_CHILD_H
#define CORDON_IO_CHILD_H

#include "io/loop.h"

struct child_spec {
    const char *const *argv; /* NULL-terminated; argv[0] looked up in the PATH
                                of env */
    const char *const *env;  /* NULL-terminated; NULL: empty */
    const char *cwd;         /* NULL: ours */
    bool keep_stderr;        /* the child writes to our stderr; else a pipe */
};

struct child {
    pid_t pid; /* 0 after the exit was seen */
    int in;    /* our end of its stdin; -1 once taken */
    int out;   /* our end of its stdout */
    int err;   /* our end of its stderr, or -1 */
    struct io_watch pidfd;
    struct io_timer timer; /* the next step of child_stop */
    int stop_step;
    int64_t grace_ns;
    void (*exited)(struct child *c, int status); /* status of waitpid */
    void *data;
};

/* Starts it. A program that cannot be executed is an error here, with the
 * reason, not an exit later. exited is called once, from the loop. */
int child_start(struct child *c, struct loop *loop,
                const struct child_spec *spec,
                void (*exited)(struct child *c, int status), void *data,
                struct err *e);

/* Ends it in order: the caller closes its stdin; after grace it gets SIGTERM,
 * after another grace SIGKILL, its whole session each time. */
int child_stop(struct child *c, int64_t grace_ns, struct err *e);

/* SIGKILL to the session and reaps at once; exited is not called. Closes what
 * was not taken. Safe on a child that never started (zeroed, pid 0). */
void child_fini(struct child *c);

/* "exited with status 3", "killed by SIGSEGV". */
void child_describe(int status, char out[64]);

#endif
