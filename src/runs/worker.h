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
 * worker_start forks the calling process: for a program that holds no secrets.
 * One that does takes its workers from a nursery (nursery.h) and adopts them;
 * then nothing here waits for a worker: requests are queued, and worker_next
 * with a timeout of 0 says what has come.
 */
#ifndef CORDON_RUNS_WORKER_H
#define CORDON_RUNS_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "cordon.h"

struct worker;
struct arena;
struct check_function; /* lang/check.h */
struct label;          /* policy/label.h, like the next */
struct labels;

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
    bool at_once;     /* printed text comes as it is printed, not in pieces */
    bool display;     /* a result is printed as repr, and bound to _ */
    bool no_result;   /* nobody asks for results: they are not told */
    bool record;      /* every stop tells what the program drew: clocks */
    uint64_t seed[2]; /* of randomness; zeros: one is drawn */
    str snapshot; /* a session to go on with instead, and the origins of its */
    str origins;  /* labels; p NULL: none. A stop as it was then follows. */
    str draws;    /* what a run drew before (clocks): it draws that again */
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
    WORKER_READY,    /* the session is made */
    WORKER_CHECKED,  /* what is wrong with a program, and its literals */
    WORKER_SNAPSHOT, /* the bytes asked for, not sealed yet: worker_seal */
    WORKER_PAUSED,   /* worker_pause was asked for: worker_continue */
    WORKER_GONE      /* the process ended; text says how */
};

struct worker_event {
    enum worker_event_kind kind;
    str text; /* OUTPUT, DONE (JSON), RAISED, LIMIT, FAILED, SNAPSHOT, GONE;
                 CHECKED: findings as JSON */
    enum cordon_stream stream; /* OUTPUT */
    str error;                 /* DONE without JSON, RAISED, LIMIT: one line */
    str traceback;   /* RAISED, LIMIT; DONE: what sys.exit("text") said */
    str repr;        /* DONE without JSON */
    int exit_status; /* DONE, RAISED: as cordon_exit_status */
    bool exited;     /* DONE: as cordon_exited */
    /* CALL */
    uint64_t id;
    str name;
    str args;    /* {"args": [...], "kwargs": {...}} */
    str labels;  /* for worker_read_labels */
    str label;   /* DONE, RAISED: of result or traceback; worker_read_label */
    str printed; /* label of what was printed; at every stop */
    str origins; /* SNAPSHOT: what the labels in it stand for */
    /* WAIT */
    const uint64_t *ids;
    size_t nids;
    const str *literals; /* CHECKED: of the program */
    size_t nliterals;
    struct cordon_usage usage; /* at every stop */
    str draws;                 /* likewise: since the last one */
};

/* Starts a process, locks it and has it make the session. */
int worker_start(const struct worker_options *o, struct worker **out,
                 struct err *e);
/* A locked process of a nursery, which becomes the worker's own: when this
 * fails, it has been ended. Requests are queued (worker_flush) from now on. */
int worker_adopt(int fd, pid_t pid, struct worker **out, struct err *e);
/* WORKER_READY follows, or WORKER_FAILED. */
int worker_setup(struct worker *w, const struct worker_options *o,
                 struct err *e);
/* Ends the process whatever it does, and frees. */
void worker_free(struct worker *w);
/* Likewise, without waiting until it has ended: whoever calls waits for the pid
 * that is returned, later; 0: it is gone. */
pid_t worker_end(struct worker *w);
int worker_fd(const struct worker *w);
pid_t worker_pid(const struct worker *w);
/* The process has ended, and there is nothing more to read. */
bool worker_gone(const struct worker *w);

/* -- requests ---------------------------------------------------------------
 *
 * labels may be NULL: the value has none. An empty type is a ToolError.
 */

int worker_set(struct worker *w, const char *name, str json,
               const struct labels *labels, struct err *e);
/* Nothing of it is run: WORKER_CHECKED follows. */
int worker_check(struct worker *w, str code,
                 const struct check_function *functions, size_t n,
                 struct err *e);
int worker_run(struct worker *w, str code, const char *filename, struct err *e);
int worker_answer(struct worker *w, str json, const struct labels *labels,
                  struct err *e);
int worker_answer_error(struct worker *w, str type, str message, struct err *e);
/* The call is being made: the program goes on with a pending value. */
int worker_later(struct worker *w, struct err *e);
/* One that is not pending is left alone. */
int worker_resolve(struct worker *w, uint64_t id, str json,
                   const struct labels *labels, struct err *e);
int worker_resolve_error(struct worker *w, uint64_t id, str type, str message,
                         struct err *e);
int worker_continue(struct worker *w, struct err *e);
/* Between a stop and the next request: WORKER_SNAPSHOT follows. */
int worker_snapshot(struct worker *w, struct err *e);
/* Appends the bytes of its snapshot as the worker's, and whole: sealed with the
 * key. Only this side has that. */
int worker_seal(const struct worker *w, str bytes, struct buf *out,
                struct err *e);
/* The run ends with WORKER_LIMIT at its next step. May be called while it
 * runs, from a signal handler too. */
void worker_cancel(struct worker *w);
/* It stops soon with WORKER_PAUSED, unless it stops for something else before;
 * then that may come after the next request. No value may be resolved at such a
 * stop, which a replay would not have. */
void worker_pause(struct worker *w);

/* Of an adopted one: 1 when the kernel has taken all requests, 0 when it would
 * have to wait, -1 when the worker is gone. */
int worker_flush(struct worker *w, struct err *e);

/* The next event; waits at most timeout_ms (-1: as long as it takes). 1: *event
 * is filled, 0: time is up, -1: the worker broke the protocol and is ended.
 * While it is waited for, a worker that answers at once is kept on the
 * processor of who waits. */
int worker_next(struct worker *w, int timeout_ms, struct worker_event *event,
                struct err *e);

/* -- labels -------------------------------------------------------------------
 */

/* Of literals in programs run from now on, and of errors sent. */
int worker_turn(struct worker *w, const struct label *literals,
                const struct label *errors, struct err *e);
/* Literals with a label of their own; after worker_turn. */
struct worker_literal {
    str text;
    const struct label *label;
};
int worker_literals(struct worker *w, const struct worker_literal *literals,
                    size_t n, struct err *e);

/* What an event says of labels, copied to the arena. Paths begin with "/args"
 * or "/kwargs"; *out is never NULL. */
int worker_read_labels(str bytes, struct arena *a, const struct labels **out,
                       struct err *e);
int worker_read_label(str bytes, struct arena *a, struct label *out,
                      struct err *e);

#endif
