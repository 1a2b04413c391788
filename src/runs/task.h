/* SPDX-License-Identifier: MIT
 *
 * task -- a CPython program in a sandbox, with tools: the container tier of
 * code mode.
 *
 * Its calls come over the task's socket (sandbox/calls.h) and go through the
 * boundary like every other: same rules, same questions, same rows. CPython
 * does not carry labels, so the values of a call are looked up among what the
 * task has been handed (policy/shown.h); what is not found there is as
 * untrusted as the worst it was handed.
 *
 * It begins with what its cage gives. A tool outside of its set is asked for
 * when it is called (call/needs.h). A host that the proxy refused, or a
 * directory that was not there, is asked for as well; with a yes the program
 * begins again, and calls that were made are not made again: the same
 * call gets the same answer. A task that waits for a person waits as a process;
 * it does not outlive this one.
 */
#ifndef CORDON_RUNS_TASK_H
#define CORDON_RUNS_TASK_H

#include "call/call.h"
#include "call/journal.h"
#include "sandbox/pools.h"
#include "store/store.h"

struct task;

/* A call of an earlier attempt, from its journal. */
struct task_past {
    const struct json *intent;
    const struct json *result; /* NULL: nobody knows what came of it */
};

/* To a tool. */
enum task_right {
    TASK_NONE, /* it does not exist for the program */
    TASK_ASKS, /* outside of its set: it is asked for before the call */
    TASK_HAS,
};

struct task_config {
    struct loop *loop;
    struct boundary *boundary;
    struct store *store;
    struct audit *audit;     /* may be NULL */
    struct pools *pools;     /* of sandboxes; NULL: it starts cold */
    const struct cage *cage; /* what it has from the start; outlives the task */
    str program;
    const char *tier_reason; /* why it needs this tier, asked for first; NULL:
                                it has it */
    str principal, client;
    str user_text;            /* what the user wrote; may be empty */
    const struct label *turn; /* of what the author of the program has been
                                 shown; NULL: nothing */
    bool can_ask;
    enum task_right (*right)(void *data, const struct entry *t); /* NULL: HAS */
    /* Of a run that has its row and records its own end (contained.c): its
     * journal, and what its earlier attempts called and were given. NULL: the
     * task is a run of its own. */
    struct journal *journal;
    const struct task_past *past;
    size_t past_count;
    const struct json **given; /* arguments of needs that were granted */
    size_t given_count;
    uint64_t past_number; /* the highest number of a call so far */
    /* tools.progress(): {"args", "kwargs"}; NULL: there is no such function. */
    void (*progress)(void *data, const struct json *python);
    void (*called)(void *data, str tool, const char *status, int64_t ns);
    /* A question stands, for whoever can put it to a person; may be NULL. */
    void (*asked)(void *data, str approval);
    /* Called once. result is NULL when it could not be run: why says so. The
     * jail is that of the last attempt, for its scratch. */
    void (*done)(void *data, const struct cage_result *result,
                 struct jail *jail, const struct err *why);
    void *data;
};

struct task *task_start(const struct task_config *config, struct err *e);
const char *task_id(const struct task *t);
/* Of all that the program has been handed. */
const struct label *task_label(const struct task *t);
void task_free(struct task *t); /* kills what runs; may be NULL */

#endif
