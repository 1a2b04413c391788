/* SPDX-License-Identifier: MIT
 *
 * worker -- the interpreter in a process that can only read and write.
 *
 * A worker is a child that holds one session of cordon.h and, from before it
 * sees the first byte of a program, nothing else: sandbox/worker.h took away
 * every descriptor but one socket and every system call but a few. What the
 * program asks for (a call of a tool) leaves as a message; what it gets comes
 * as one. A bug in the interpreter is then a bug in a process that owns
 * nothing.
 *
 * The parent speaks to it through this header, one request at a time:
 *
 *     worker_start  ->  worker_run  ->  worker_next ... until an end
 *                                   <-  worker_answer, worker_later ...
 *
 * worker_run, worker_answer and the like only send; worker_next tells what came
 * of it. For an event loop: worker_fd() is readable when worker_next will not
 * wait. One worker serves one session and is never handed to another; many can
 * be alive at once. Killing one (worker_kill) is always safe.
 *
 * On the wire: frames of a 4-byte length (of what follows), a 1-byte type
 * (frames.def) and a body of numbers, counted texts and JSON. Both sides check
 * everything they read; what a worker sends is as untrusted as the program. The
 * key of snapshots stays with the parent, which seals what the worker saved.
 *
 * The process is forked from the parent: a parent that holds secrets should
 * start its workers from a child of its own that never had them.
 */
#ifndef CORDON_RUNS_WORKER_H
#define CORDON_RUNS_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "cordon.h"

struct worker;

struct worker_function {
    const char *name;
    unsigned flags; /* CORDON_READ_ONLY */
};

/* How snapshots are sealed. Handed in, so that programs that take none are not
 * linked with it. */
struct worker_sealing {
    int (*seal)(struct buf *bytes, const uint8_t key[32], struct err *e);
    int (*open)(str bytes, const uint8_t key[32], struct err *e);
};
extern const struct worker_sealing worker_sealing;

/* What a session is made with; zeros are the defaults of cordon.h. */
struct worker_options {
    struct cordon_limits limits;
    const struct worker_function *functions;
    size_t nfunctions;
    enum cordon_labels labels;
    bool at_once; /* printed text comes as it is printed, not in pieces */
    str snapshot; /* a session to go on with instead; p NULL: none */
    const struct worker_sealing *sealing; /* &worker_sealing, or NULL: there
                                             are no snapshots */
    const uint8_t *key;                   /* of snapshots, 32 bytes */
};

/* What came of a request. Texts belong to the worker and are good until the
 * next call of a function of this header with it. */
enum worker_event_kind {
    WORKER_OUTPUT,   /* text was printed; more follows */
    WORKER_CALL,     /* answer it, or say later */
    WORKER_WAIT,     /* resolve one of these, then worker_continue */
    WORKER_DONE,     /* the result as JSON (or why it has none) */
    WORKER_RAISED,   /* the traceback */
    WORKER_LIMIT,    /* likewise */
    WORKER_FAILED,   /* the interpreter could not: text says why */
    WORKER_SNAPSHOT, /* the bytes asked for */
    WORKER_GONE      /* the process ended; text says how */
};

struct worker_event {
    enum worker_event_kind kind;
    str text;  /* OUTPUT, DONE (JSON), RAISED, LIMIT, FAILED, SNAPSHOT, GONE */
    str error; /* DONE without JSON, RAISED, LIMIT: one line */
    str traceback;   /* RAISED, LIMIT; DONE: what sys.exit("text") said */
    int exit_status; /* DONE, RAISED: as cordon_exit_status */
    /* CALL */
    uint64_t id;
    str name;
    str args;   /* {"args": [...], "kwargs": {...}} */
    str labels; /* [["/args/0", 3], ...]: places with a label other than 0 */
    cordon_label_id label, control; /* DONE, RAISED: of result or traceback */
    cordon_label_id output_label;   /* at every stop: of what was printed */
    /* WAIT */
    const uint64_t *ids;
    size_t nids;
    struct cordon_usage usage; /* at every stop */
};

/* Starts a process, locks it and has it make the session. */
int worker_start(const struct worker_options *o, struct worker **out,
                 struct err *e);
/* Ends the process whatever it does, and frees. */
void worker_free(struct worker *w);
int worker_fd(const struct worker *w);
pid_t worker_pid(const struct worker *w);

/* -- requests ---------------------------------------------------------------
 */

int worker_set(struct worker *w, const char *name, str json, struct err *e);
int worker_run(struct worker *w, str code, const char *filename, struct err *e);
int worker_answer(struct worker *w, str json, struct err *e);
int worker_answer_error(struct worker *w, const char *type, const char *message,
                        struct err *e);
/* The call is being made: the program goes on with a pending value. */
int worker_later(struct worker *w, struct err *e);
int worker_resolve(struct worker *w, uint64_t id, str json, struct err *e);
int worker_resolve_error(struct worker *w, uint64_t id, const char *type,
                         const char *message, struct err *e);
int worker_continue(struct worker *w, struct err *e);
/* Between a stop and the next request: WORKER_SNAPSHOT follows. */
int worker_snapshot(struct worker *w, struct err *e);
/* The run ends with WORKER_LIMIT at its next step. May be called while it
 * runs, from a signal handler too. */
void worker_cancel(struct worker *w);

/* The next event; waits at most timeout_ms (-1: as long as it takes). 1: *event
 * is filled, 0: time is up, -1: the worker broke the protocol and is ended. */
int worker_next(struct worker *w, int timeout_ms, struct worker_event *event,
                struct err *e);

/* -- labels -----------------------------------------------------------------
 *
 * The worker numbers labels as cordon_label_number() does; these wait for its
 * answer. Rules give the places of a JSON value their labels: the last one that
 * fits counts. A path is a JSON pointer in which "*" stands for any one step; a
 * rule holds for the values at and below its path. `structure` is for the
 * containers there instead: their length, order and keys.
 */
struct worker_label_rule {
    const char *path;
    cordon_label_id label;
    bool structure;
};

int worker_label(struct worker *w, const struct cordon_label *label,
                 cordon_label_id *out, struct err *e);
int worker_label_read(struct worker *w, cordon_label_id id,
                      struct cordon_label *out, struct err *e);
/* For the answer, value or input sent next. */
int worker_label_rules(struct worker *w, const struct worker_label_rule *rules,
                       size_t n, struct err *e);
/* Of errors sent from now on; of literals in programs run from now on, except
 * those whose text is one of `trusted`. */
int worker_label_errors(struct worker *w, cordon_label_id id, struct err *e);
int worker_label_literals(struct worker *w, cordon_label_id id,
                          const str *trusted, size_t n, struct err *e);

#endif
