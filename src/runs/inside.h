/* SPDX-License-Identifier: MIT
 *
 * inside -- what the files of code mode share.
 */
#ifndef CORDON_RUNS_INSIDE_H
#define CORDON_RUNS_INSIDE_H

#include "base/map.h"
#include "call/journal.h"
#include "runs/runs.h"
#include "runs/scribe.h"
#include "runs/seats.h"

struct jw;

#define RUN_BYTES     ((size_t)64 << 20) /* of memory beside the interpreter */
#define OUTCOME_BYTES ((size_t)16 << 20)
#define CALLS_SHOWN   100

struct runs {
    struct runs_config config;
    struct seats *seats;
    struct map runs;      /* id -> struct run, those this process holds */
    struct map sessions;  /* id -> struct session */
    struct io_timer poll; /* for answers, while somebody waits */
    struct io_timer tidy; /* for what is over long since */
    struct io_task lost;  /* lets go of runs that others have now */
    int64_t polled;       /* answers up to then were seen; wall ns */
    unsigned polls;
};

/* A session that a run uses; its variables are in the store. */
struct session {
    char id[64];
    struct run *busy; /* the run that uses it */
    int64_t created;
};

/* One call of a run that has not ended. */
struct run_call {
    struct run *run;
    struct run_call *next;
    struct arena arena;         /* of its arguments and of the answer */
    uint64_t id;                /* of the interpreter */
    str name;                   /* as the program calls it */
    const struct json *python;  /* {"args", "kwargs"} */
    const struct labels *given; /* of those */
    const struct json *bound;   /* the arguments, by name */
    struct call *call;
    struct entry *tool; /* held; NULL: unknown */
    bool pending;       /* the program goes on meanwhile */
    bool asked_first;   /* for the tool itself: see tool_need.c */
    bool over;          /* the answer below is there */
    enum call_status status;
    str json;                    /* the value */
    const struct labels *labels; /* of it */
    str type, message;           /* the exception */
    int64_t began;
};

/* What it was given: a tool outside its set, or a thing that its sandbox did
 * not have (call/needs.h). */
struct run_grant {
    str tool; /* or empty */
    const struct json *need;
    struct run_grant *next;
};

enum run_stage {
    RUN_FRESH,   /* not begun */
    RUN_GOING,   /* the interpreter works, or waits for calls */
    RUN_PAUSING, /* a question was put: other calls are awaited first */
    RUN_PAUSED,  /* in the store; no interpreter */
    RUN_FALLEN,  /* its worker died: calls are awaited, then it begins again */
    RUN_OVER,
};

/* What its interpreter does. */
enum run_vm {
    VM_NONE,    /* there is none, or only in the store */
    VM_PARKED,  /* likewise, and `state` has it */
    VM_SETUP,   /* a worker takes it up */
    VM_BUSY,    /* it runs */
    VM_STOPPED, /* it waits for answers */
    VM_SAVING,  /* its state was asked for */
    VM_WRITING, /* and is being written (scribe.h) */
    VM_AHEAD,   /* it is saved, and goes on to see which like calls follow */
};

enum run_save {
    SAVE_PARK,  /* to give the worker away */
    SAVE_PAUSE, /* to wait for a person */
    SAVE_KEEP,  /* so that not all is done again after a crash */
    SAVE_END,   /* the session's variables */
};

struct run {
    struct runs *runs;
    struct arena arena;
    char id[STORE_ID];
    str program, principal, client, session_id, user_text;
    str conversation; /* never empty once filled */
    str scopes;       /* p NULL: not limited by them */
    str notify;       /* URL, or empty */
    const char *kind;
    bool contains;               /* it runs in the container tier */
    const char *tier_why;        /* which is asked for first; NULL: it has it */
    struct contained *contained; /* while it does */
    const char *asks_class;      /* how much it may take, which is asked for
                                    first; NULL: it has it */
    struct call *class_call;     /* which asks; or NULL */
    uint64_t attempts, attempts_max;
    bool can_ask, cancelled, expired;
    struct cordon_limits limits;
    int64_t created, expires;
    uint64_t seed[2]; /* of the interpreter's randomness */
    struct journal journal;
    struct session *session; /* or NULL */
    struct seat seat;
    enum run_vm vm;
    enum run_save saving;
    struct scribe scribe;
    bool entering;             /* the stop of its session comes first */
    bool at_call;              /* stopped at a call, not at a value */
    bool delivered;            /* values, since it stopped */
    bool halted;               /* stopped in the middle of its work */
    bool refused;              /* nobody said that the call may be made again */
    unsigned falls;            /* workers that died under it */
    int64_t since;             /* its worker is busy; mono ns */
    int64_t kept;              /* its state was saved last; mono ns */
    int64_t keep_every;        /* ns */
    struct buf state, origins; /* of a snapshot to go on with */
    struct buf output;         /* printed */
    struct buf draws;          /* not journalled yet */
    struct buf past, whole;    /* drawn before, since the snapshot and ever */
    bool based;                /* there is a snapshot in the store */
    struct cordon_usage usage;
    int64_t told;      /* its progress was recorded last; mono ns */
    int64_t started;   /* it works; mono ns */
    int64_t paced;     /* its pace is measured since; mono ns, 0: not yet */
    double paced_from; /* what was done then */
    enum run_stage stage;
    struct run_call *asking; /* the call it is stopped at */
    struct run_call *calls;  /* that have not ended, asking among them */
    struct map memory;       /* call number -> struct memory */
    struct run_grant *grants;
    uint64_t diverged;          /* a call that is not the one of before */
    bool taken_over;            /* another process began it */
    bool second_try;            /* an unknown call may be made again */
    char approval[STORE_ID];    /* it waits for, or that was answered */
    uint64_t asked_call;        /* the call that waits for it */
    size_t ahead;               /* like calls that were seen to follow */
    enum approval_state answer; /* while it is woken */
    struct buf timeline; /* JSON items of calls that ended, with commas */
    size_t call_count;
    struct run_waiter *waiters;
    struct store_wait written;
    struct io_timer retry; /* of writing its end, when memory was short, or of
                              saving its state, when the disk is full */
    unsigned save_tries;
    struct run *next; /* of a list while answers are handed out */
    enum run_state end_state;
    const struct json *outcome; /* once it ended or paused */
};

/* -- drive.c ----------------------------------------------------------------
 */

/* Begins, or goes on from `state`; it needs a worker. */
void run_start(struct run *r);
/* Does what can be done now. */
void run_advance(struct run *r);
/* It is time to save the state of a job. */
bool run_should_keep(const struct run *r);
/* Gives up its worker. */
void run_unseat(struct run *r);
/* Enough was seen of what will follow: from now on it waits. */
void run_ahead_over(struct run *r);
void run_go_ahead(struct run *r); /* to see which like calls follow */
void run_fail_with(struct run *r, const char *type, str message);
void run_unsent(struct run *r, const struct err *e);

/* -- calls.c ----------------------------------------------------------------
 */

/* What the program asks for at a stop; NULL: memory is short. */
struct run_call *run_call_new(struct run *r, const struct worker_event *ev,
                              struct err *e);
/* Makes it, or finds what came of it before. */
void run_call_begin(struct run_call *c);
/* It may use its tool now: makes it. */
void run_call_granted(struct run_call *c);
/* It ended, or waits for a person, before it was made. */
void run_call_ended(struct run_call *c, const struct call_outcome *o);
/* Who makes it. */
struct caller run_caller(const struct run_call *c);
/* It is not made: is it one more of the kind a person is being asked about? */
bool run_call_foresee(struct run_call *c);
void run_call_free(struct run_call *c);
void run_stop_calls(struct run *r, const char *reason);
void run_drop_calls(struct run *r); /* as a crash would */

/* -- functions.c ------------------------------------------------------------
 */

/* What the program can call, for a worker and for the check of a program. */
int run_functions(struct run *r, struct arena *a,
                  const struct worker_function **out, size_t *n, struct err *e);
int run_signatures(struct run *r, struct arena *a,
                   const struct check_function **out, size_t *n, struct err *e);

/* The tool and the arguments of a call. The tool is NULL where it is not known;
 * then *name is what was called. */
int run_bind(struct run *r, struct run_call *c, struct entry **tool, str *name,
             const struct json **args, struct err *e);

/* It is in the set of the run, or was given to it. */
bool run_allows(const struct run *r, const struct entry *t);

/* -- tool_need.c ------------------------------------------------------------
 */

/* Who asks for what a run lacks: Cordon, on behalf of the run. */
struct caller run_in_need(const struct run *r);

/* Policy lets the run ask for a tool outside its set. */
bool run_may_ask_for(const struct run *r, const struct entry *t);
/* Its program names it, and it may. */
bool run_wants(const struct run *r, const struct entry *t);
/* Asks for the tool of a call; run_call_granted or run_call_refused follows. */
void run_ask_for_tool(struct run_call *c);
int run_grant(struct run *r, str tool, struct err *e);
bool run_was_granted(const struct run *r, str tool);

/* -- class.c ----------------------------------------------------------------
 */

/* The limits of a class, and whether the run has it. */
int run_take_class(struct run *r, str name, struct cordon_limits *out,
                   struct err *e);
/* The class that it asked for when it was submitted; "" for none. */
void run_recall_class(struct run *r, str name);
/* Asks for it; run_start, run_paused or run_fail follows. */
void run_ask_for_class(struct run *r);
void run_stop_asking(struct run *r);

/* -- recall.c ---------------------------------------------------------------
 */

/* What the journal has of a call from before. */
struct memory {
    const struct json *intent; /* or NULL */
    const struct json *result; /* or NULL */
};

/* Reads the journal; the journal's next number is set behind it. */
int run_recall(struct run *r, struct err *e);
/* Likewise, of a run that is begun again: what it had done so far is not in
 * memory any more. */
int run_remember(struct run *r, struct err *e);
/* It begins with its journal alone. */
void run_forget_state(struct run *r);
const struct memory *run_memory(struct run *r, uint64_t call); /* or NULL */

/* -- labels.c ---------------------------------------------------------------
 */

int run_labels_keep(const struct labels *from, struct arena *a,
                    const struct labels **out, struct err *e);
/* What the model has been shown, to the worker. */
int run_labels_turn(struct run *r, struct err *e);
int run_labels_literals(struct run *r, const struct worker_event *checked,
                        struct err *e);
/* Of the arguments object, where policy wants them. */
int run_labels_call(struct run_call *c, const struct labels **out,
                    struct err *e);
/* What the model is shown of the end. */
void run_labels_end(struct run *r, const struct worker_event *ev);

/* -- save.c -----------------------------------------------------------------
 */

/* Asks the worker for the state; run_saved or run_unsaved follows. */
void run_save(struct run *r, enum run_save why);
void run_saved(struct run *r, const struct worker_event *ev);
void run_unsaved(struct run *r, const struct worker_event *ev);
/* The state that is in memory goes to the store, and the run to sleep. */
void run_store_parked(struct run *r);
/* How long a job works between two savings, at least; ns. */
int64_t run_keeps_every(const struct run *r);

/* -- pause.c ----------------------------------------------------------------
 */

/* The state, or the file that has it, is the one to begin with from now on. */
int run_keep_state(struct run *r, str state, str file, str origins,
                   struct err *e);
int run_load_state(struct run *r, struct err *e);
/* It is saved: from now on it waits for a person. */
void run_paused(struct run *r);
/* It waits for an answer that nobody gave yet. */
bool run_question_stands(struct run *r);
void run_watch(struct runs *rs);
/* Somebody else changed something in the store. */
void run_woken(void *runs, str id);

/* -- sessions.c -------------------------------------------------------------
 */

/* Its variables become the state that the run begins with. */
int session_take(struct run *r, struct err *e);
int session_put(struct run *r, str state, str origins, struct err *e);
void session_give_back(struct run *r);
void sessions_fini(struct runs *rs);

/* -- progress.c -------------------------------------------------------------
 */

/* tools.progress(done, total, message) of the program. */
int run_note_progress(struct run_call *c, struct err *e);

/* -- tier.c -----------------------------------------------------------------
 */

/* The one that was asked for. */
int run_take_tier(struct run *r, const struct run_request *q, struct err *e);
/* Of a new run that named none: whether it needs CPython, and may have it. */
int run_choose_tier(struct run *r, struct err *e);

/* -- contained.c ------------------------------------------------------------
 */

/* Begins an attempt. */
void contained_start(struct run *r);
void contained_stop(struct run *r); /* kills it; nothing is told */
/* It ended: its checkpoint folder is not needed any more. */
void contained_forget(struct run *r);
void contained_tidy(struct runs *rs); /* those of runs that are over */

/* -- outcome.c --------------------------------------------------------------
 */

/* Bytes that are too many for it are in the store for a week. */
int outcome_keep(struct run *r, str owner, const char *type, str bytes,
                 char id[STORE_ID], struct err *e);
/* "calls" and "usage". */
void outcome_put_work(struct jw *w, struct run *r);
void outcome_add_call(struct run *r, const struct run_call *c, const char *name,
                      const char *status);
int outcome_ended(struct run *r, const struct worker_event *ev,
                  const struct json **out, struct err *e);
int outcome_checked(struct run *r, const struct json *problems,
                    const struct json **out, struct err *e);
int outcome_failed(struct run *r, const char *type, const char *message,
                   const struct json **out, struct err *e);
int outcome_waiting(struct run *r, const struct json **out, struct err *e);
/* The same with a word of warning. */
int outcome_warn(struct run *r, str text, const struct json **outcome,
                 struct err *e);

/* -- runs.c -----------------------------------------------------------------
 */

void run_free(struct run *r);
void run_tell(struct run *r, enum run_state state);
void run_progress(struct run *r, double done, double total, str message);

/* -- request.c --------------------------------------------------------------
 */

int run_fill(struct run *r, const struct run_request *q, struct err *e);
int run_record(struct run *r, struct err *e); /* adds its row */
int run_from_row(struct run *r, const struct store_run *row, struct err *e);
/* As the options of a run have it; zeros where they have none. */
void run_read_seed(str text, uint64_t seed[2]);

/* -- end.c ------------------------------------------------------------------
 */

/* Records how it ended and tells those who wait, once that is on disk. */
void run_end(struct run *r, enum run_state state, const struct json *outcome);
void run_fail(struct run *r, const char *type, const char *message);

/* -- rows.c -----------------------------------------------------------------
 */

/* A run whose submission cannot be written down is not taken on. */
int run_audit_submit(struct run *r, struct err *e);
void run_audit_end(struct run *r);

#endif
