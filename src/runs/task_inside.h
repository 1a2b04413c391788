/* SPDX-License-Identifier: MIT
 *
 * task_inside -- what the files of a task share.
 */
#ifndef CORDON_RUNS_TASK_INSIDE_H
#define CORDON_RUNS_TASK_INSIDE_H

#include "call/journal.h"
#include "runs/task.h"

/* A call that was made: the same call gets the same answer in a later attempt.
 */
struct made {
    const struct entry *tool; /* held */
    const struct json *args;
    const struct json *value;
    uint64_t attempt; /* in which it was last handed out */
    uint64_t number;  /* of the call; 0: it is not needed any more */
    bool unknown;     /* it was cut off: there is no value */
    struct made *next;
};

/* A call that has not ended. */
struct asking {
    struct task *task;
    struct asking *next;
    struct arena arena;
    int64_t id;      /* of the program's question; NEED: one of ours */
    uint64_t number; /* of the call; 0: it has none yet */
    bool lacks;      /* the tool itself is asked for first */
    struct entry *tool;
    const struct json *args;
    const struct labels *labels;
    struct call *call;       /* at the boundary; NULL: a person is waited for */
    char approval[STORE_ID]; /* the question, or "" */
    bool again;              /* which is whether to make it once more */
    int64_t began;           /* mono ns */
};

#define NEED (-1)

/* A tool that it was given. */
struct task_tool {
    str name;
    struct task_tool *next;
};

struct task {
    struct task_config config;
    struct arena arena;
    char id[STORE_ID];
    struct cage cage; /* with what was granted since */
    struct journal own;
    struct journal *journal; /* our own, or the run's */
    struct shown *shown;     /* what the program was handed */
    struct jail *jail;       /* of this attempt; NULL: between two */
    struct io_watch watch;
    struct io_timer poll;
    struct cage_result result; /* of the last attempt */
    bool has_result;
    uint64_t attempt, calls;
    struct asking *asking;
    struct made *made;
    struct task_tool *given;
    bool over;
};

/* -- task.c -----------------------------------------------------------------
 */

/* One more attempt, with what the cage has now. */
void task_begin(struct task *t);
void task_end(struct task *t, const struct err *why);
/* Of the row of a task that is a run of its own. */
void task_set_state(struct task *t, enum run_state state, str result);

/* -- task_calls.c -----------------------------------------------------------
 */

/* The tools that the program may name, for its cage. */
int task_name_tools(struct task *t, struct err *e);
/* A call of the program: what jail_on_call wants. */
void task_on_call(void *task, struct jail *j, const struct task_call *call);
/* Makes a call of ours; its outcome comes to task_need_done. */
void task_ask_need(struct task *t, const char *tool, const struct json *args);
/* Cancels what has not ended. */
void task_stop_calls(struct task *t, const char *why);
/* What an attempt before this one called. */
int task_take_past(struct task *t, const struct task_past *p, struct err *e);

/* -- task_needs.c -----------------------------------------------------------
 */

/* The attempt ended: asks for what it lacked and returns true, or there is
 * nothing to ask for. */
bool task_find_need(struct task *t);
void task_need_done(struct task *t, const struct json *need, bool granted);
/* It has that from now on. */
int task_grant(struct task *t, const struct json *need, struct err *e);
/* Likewise, and so do later attempts of a run. */
int task_keep_grant(struct task *t, const struct json *need, struct err *e);

#endif
