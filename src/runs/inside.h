/* SPDX-License-Identifier: MIT
 *
 * inside -- what the files of code mode share.
 */
#ifndef CORDON_RUNS_INSIDE_H
#define CORDON_RUNS_INSIDE_H

#include "base/map.h"
#include "call/journal.h"
#include "policy/bridge.h"
#include "runs/runs.h"

#define RUN_BYTES     ((size_t)64 << 20) /* of memory beside the interpreter */
#define OUTCOME_BYTES ((size_t)16 << 20)
#define CALLS_SHOWN   100

struct runs {
    struct runs_config config;
    struct map runs;      /* id -> struct run, those this process holds */
    struct map sessions;  /* id -> struct session */
    struct io_timer poll; /* for answers, while somebody waits */
    int64_t polled;       /* answers up to then were seen; wall ns */
    unsigned polls;
};

/* A session that keeps variables. */
struct session {
    char id[64];
    cordon_session *vm;    /* NULL: in the store only */
    struct bridge *bridge; /* of its labels; beside vm */
    struct run *busy;      /* the run that uses it */
    int64_t created;
    uint64_t calls; /* made in it so far */
};

/* One call of a run that has not ended. */
struct run_call {
    struct run *run;
    struct run_call *next;
    struct arena arena; /* of its arguments and of the answer */
    uint64_t id;        /* of the interpreter */
    struct call *call;
    struct entry *tool; /* held; NULL: unknown */
    bool pending;       /* the program goes on meanwhile */
    bool over;          /* the answer below is there */
    enum call_status status;
    str json;                    /* the value */
    const struct labels *labels; /* of it */
    str type, message;           /* the exception */
    int64_t began;
};

enum run_stage {
    RUN_FRESH,   /* not begun */
    RUN_GOING,   /* the interpreter works, or waits for calls */
    RUN_PAUSING, /* a question was put: other calls are awaited first */
    RUN_PAUSED,  /* in the store; no interpreter */
    RUN_OVER,
};

struct run {
    struct runs *runs;
    struct arena arena;
    char id[STORE_ID];
    str program, principal, client, session_id, user_text;
    str conversation; /* never empty once filled */
    str scopes;       /* p NULL: not limited by them */
    const char *kind;
    bool can_ask, cancelled, expired;
    struct cordon_limits limits;
    int64_t created, expires;
    struct journal journal;
    struct session *session; /* or NULL */
    cordon_session *vm;      /* its own, or the session's */
    struct bridge *own_bridge;
    struct bridge **bridge; /* its own, or the session's */
    struct bridge_literals literals;
    enum run_stage stage;
    bool driving;               /* inside drive() */
    bool blocked;               /* in CORDON_CALL, not in CORDON_WAIT */
    struct run_call *calls;     /* in flight */
    struct map memory;          /* call number -> struct memory */
    uint64_t diverged;          /* a call that is not the one of before */
    bool taken_over;            /* another process began it */
    bool second_try;            /* an unknown call may be made again */
    char approval[STORE_ID];    /* it waits for, or that was answered */
    uint64_t asked_call;        /* the call that waits for it */
    enum approval_state answer; /* while it is woken */
    struct buf timeline; /* JSON items of calls that ended, with commas */
    size_t call_count;
    struct run_waiter *waiters;
    struct store_wait written;
    struct run *next; /* of a list while answers are handed out */
    enum run_state end_state;
    const struct json *outcome; /* once it ended or paused */
};

/* -- drive.c ----------------------------------------------------------------
 */

/* Runs the interpreter until it waits for something or ends. */
void run_drive(struct run *r, enum cordon_status status);
void run_stop_calls(struct run *r, const char *reason);
void run_drop_calls(struct run *r); /* as a crash would */

/* -- functions.c ------------------------------------------------------------
 */

/* What the program can call. program empty: every tool. */
cordon_options *run_options(struct run *r, struct err *e);

/* The tool and the arguments of the call the interpreter waits for. The tool is
 * NULL where it is not known; then *name is what was called. */
int run_bind(struct run *r, struct run_call *c, struct entry **tool, str *name,
             const struct json **args, struct err *e);

bool run_allows(const struct run *r, const struct entry *t);

/* -- recall.c ---------------------------------------------------------------
 */

/* What the journal has of a call from before. */
struct memory {
    const struct json *intent; /* or NULL */
    const struct json *result; /* or NULL */
};

/* Reads the journal; the journal's next number is set behind it. */
int run_recall(struct run *r, struct err *e);
const struct memory *run_memory(struct run *r, uint64_t call); /* or NULL */

/* -- labels.c ---------------------------------------------------------------
 */

int run_labels_keep(const struct labels *from, struct arena *a,
                    const struct labels **out, struct err *e);
int run_labels_begin(struct run *r, struct err *e);
enum cordon_status run_labels_resume(struct run_call *c);
int run_labels_resolve(struct run_call *c);
void run_labels_end(struct run *r, enum cordon_status status);
int run_labels_save(struct run *r, struct err *e);
int run_labels_load(struct run *r, struct err *e);

/* -- pause.c ----------------------------------------------------------------
 */

void run_pause(struct run *r);
/* It waits for an answer that nobody gave yet. */
bool run_question_stands(struct run *r);
/* The interpreter as it was; status as it was then. */
int run_restore(struct run *r, enum cordon_status *status, struct err *e);
void run_watch(struct runs *rs);

/* -- sessions.c -------------------------------------------------------------
 */

int session_take(struct run *r, struct err *e);
void session_give_back(struct run *r);
void sessions_fini(struct runs *rs);

/* -- outcome.c --------------------------------------------------------------
 */

void outcome_add_call(struct run *r, const struct run_call *c, const char *name,
                      const char *status);
int outcome_ended(struct run *r, enum cordon_status status,
                  const struct json **out, struct err *e);
int outcome_failed(struct run *r, const char *type, const char *message,
                   const struct json **out, struct err *e);
int outcome_waiting(struct run *r, const struct json **out, struct err *e);

/* -- runs.c -----------------------------------------------------------------
 */

/* Records how it ended and tells those who wait, once that is on disk. */
void run_end(struct run *r, enum run_state state, const struct json *outcome);
void run_fail(struct run *r, const char *type, const char *message);
void run_tell(struct run *r, enum run_state state);
void run_progress(struct run *r, double done, double total, str message);

#endif
