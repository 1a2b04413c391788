/* SPDX-License-Identifier: MIT
 *
 * runs -- code mode: a program that calls tools, from its submission to its
 * result, whatever happens in between.
 *
 * A program runs in a locked worker process of its own (worker.h). A run is a
 * row in the store, and a journal. Its calls go through the
 * boundary; reads overlap, writes keep their order. A call that a person must
 * allow pauses it: its state is kept, it holds no interpreter, and it goes on
 * when the answer is there, in this process or the next. After a crash it
 * begins again from what is kept, and calls that were made are not made again.
 *
 * How a run ended is data that a model can act on:
 *
 *     {"run": "r_...", "state": "done", "value": ..., "output": "...",
 *      "calls": [{"tool", "status", "ms"}], "usage": {...}}
 *     {"state": "failed", "error": {"type", "message", "traceback"}, ...}
 *     {"state": "waiting", "waiting": {"approval", "tool", "reason"}, ...}
 *
 * A program that needs CPython runs in a sandbox (task.h) once it was given
 * that tier; {"tier": "container", "files", "pictures"} are of its outcome.
 */
#ifndef CORDON_RUNS_RUNS_H
#define CORDON_RUNS_RUNS_H

#include "call/call.h"
#include "cordon.h"
#include "store/store.h"

struct runs;
struct nursery;
struct pools;
struct secrets;
struct tls_way;

struct runs_config {
    struct loop *loop;
    struct boundary *boundary;
    struct store *store;         /* never NULL */
    struct audit *audit;         /* may be NULL */
    struct cordon_limits limits; /* where a run does not say; 0: default */
    size_t open_max;  /* runs of a principal that have not ended; 0: 100 */
    size_t shown_max; /* bytes of output, and of value, shown; 0: 16 KiB */
    struct nursery *nursery; /* started before there were secrets; NULL: one is
                                started now */
    size_t workers;          /* processes that run programs at once; 0: 16 */
    int64_t keep_ns; /* ended runs stay in the store this long; 0: 30 days */
    const char *checkpoints; /* a folder, for jobs in the container tier; NULL:
                                there is no such tier */
    bool container; /* runs have it when they need it; false: they ask */
    bool any_class; /* likewise of what is asked for in classes.def */
    const struct json *sandbox; /* what is there beyond the least; or NULL */
    struct secrets *secrets;    /* that it refers to; or NULL */
    const struct tls_way *tls;  /* see cage.h; or NULL */
    struct pools *pools;        /* of sandboxes; NULL: each starts cold */
    int64_t save_ns; /* the state of a job that works is saved this often; 0:
                        every 5 s */
    /* Whether scopes let a caller use a tool; NULL: they always do. */
    bool (*allows)(void *data, str scopes, str tool);
    void *data;
};

struct runs *runs_new(const struct runs_config *config, struct err *e);

/* Runs that have not ended stay as they are in the store; those who wait for
 * them are not told. */
void runs_free(struct runs *rs);

/* Who waits for a run. Told once, when it ended or waits for a person; text in
 * the outcome lives until it returns. */
struct run_waiter {
    void (*done)(struct run_waiter *w, enum run_state state,
                 const struct json *outcome);
    /* A call began or ended, or a tool told its progress; may be NULL. */
    void (*progress)(struct run_waiter *w, double done, double total,
                     str message);
    void *data;
    struct run_waiter *next;
    void *run; /* NULL while it waits for nothing */
};

struct run_request {
    str program;
    str session;      /* keeps variables; empty: none */
    str conversation; /* what its model has been shown belongs to; empty: the
                         session, or the run alone */
    str principal, client;
    str scopes;        /* p NULL: not limited by scopes */
    const char *kind;  /* "run" or "job"; NULL: "run" */
    str resources;     /* a name of classes.def; empty: short, of a job long */
    str tier;          /* "script", ours, or "container", CPython in a sandbox;
                          empty: what its imports need */
    uint64_t attempts; /* of a container job that is killed or out of time; 0:
                          3, at most 20 */
    str notify;        /* URL that is told when it ended; empty: none */
    str user_text;     /* what the user wrote: its words are trusted literals */
    bool can_ask;      /* someone will see its questions */
    int64_t expires;   /* wall clock ns; 0: never */
    struct cordon_limits limits;
    struct run_waiter *waiter; /* may be NULL */
};

/* The run is on disk before anything of it happens. Refused when the store
 * cannot take it (ERR_SYSTEM and the like) or the principal has too many
 * (ERR_LIMIT); what is wrong with the program is told by its outcome. */
int runs_submit(struct runs *rs, const struct run_request *q, char id[STORE_ID],
                struct err *e);

/* Waits for a run of this process or takes it over. Of one that has ended, or
 * whose question nobody has answered, w is told before this returns. */
int runs_wait(struct runs *rs, str id, struct run_waiter *w, struct err *e);
void runs_unwait(struct runs *rs, struct run_waiter *w);

/* The URLs that are still to be told of ended runs are in the space "notify" of
 * the store, by the run: {"url", "state", "tries", "due"}. */

/* Takes over every run that nobody works on. The count is returned. */
int runs_recover(struct runs *rs, struct err *e);

int runs_cancel(struct runs *rs, str id, const char *reason, struct err *e);

/* Ends a session: its variables are gone. */
int runs_end_session(struct runs *rs, str session, struct err *e);

/* Runs that this process works on, and those of them that wait for a person. */
void runs_count(const struct runs *rs, size_t *active, size_t *waiting);

#endif
