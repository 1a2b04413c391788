/* SPDX-License-Identifier: MIT
 *
 * agent -- a model, tools and a conversation: asks, carries out, asks again.
 *
 * What keeps it from running away, and the conversation sound:
 *
 * - Only tools that were offered in this round are called, and only calls of an
 *   answer that ended in order.
 * - Every call has exactly one result, in the order of the calls, whatever
 *   happens: refused, failed, stopped, over a limit.
 * - Calls that only read overlap; one that writes waits for those before it and
 *   holds up those after it.
 * - Turns, calls, tokens, cost and time are limited. The same call with the
 *   same result over and over is pointed out to the model, then refused.
 * - What a model got wrong is told to it as data it can act on, and is never
 *   sent to a server in a form that would break the conversation.
 */
#ifndef CORDON_AGENT_AGENT_H
#define CORDON_AGENT_AGENT_H

#include "agent/provider.h"

struct agent;
struct agent_call;

/* What became of a call. Copied by agent_done. */
struct agent_result {
    const struct part_list *content; /* text and images; or NULL */
    str text;                        /* in its stead */
    bool failed;
};

/* Who carries calls out. Nothing else is ever called. */
struct agent_tools {
    /* The tools for this round, by the conversation so far. */
    int (*offer)(void *data, const struct messages *talk, struct arena *a,
                 struct offers *out, struct err *e);
    /* Starts a call; it ends with agent_done(c), now or later. */
    void (*call)(void *data, struct agent_call *c, str name,
                 const struct json *args);
    /* Nobody waits any more; agent_done must not be called after this. */
    void (*cancel)(void *data, struct agent_call *c);
    /* It changes nothing: may run beside others. */
    bool (*reads)(void *data, str name);
    void *data;
};

/* Ends a call. The call is gone afterwards. */
void agent_done(struct agent_call *c, const struct agent_result *r);

/* For whoever carries it out. */
void agent_call_keep(struct agent_call *c, void *state);
void *agent_call_state(const struct agent_call *c);
/* How sure the model was that a tool must be called, where that is less than
 * the config wants; else 1. */
double agent_call_sure(const struct agent_call *c);

/* 0: the default given here; negative: none. */
struct agent_limits {
    int turns;       /* 20 */
    int calls;       /* 200 */
    int concurrent;  /* 32 */
    int64_t tokens;  /* none */
    double cost;     /* none; in the unit of the model's prices */
    int64_t wall_ns; /* none */
};

/* Why it came to rest. */
enum agent_end {
    AGENT_ANSWERED, /* the model is done */
    AGENT_STOPPED,  /* agent_stop */
    AGENT_REFUSED,  /* the model would not, or its vendor would not let it */
    AGENT_LIMITED,  /* a limit was reached; the text says which */
    AGENT_FAILED,   /* the server failed; the text says how */
};
const char *agent_end_name(enum agent_end end);

/* Any of them may be NULL but done. */
struct agent_events {
    void (*delta)(void *data, enum part_kind kind, str text);
    void (*calling)(void *data, const struct part *call);
    void (*called)(void *data, const struct part *call,
                   const struct part *result);
    void (*retry)(void *data, const char *why, int64_t wait_ns);
    /* The model answered without a tool and was not sure of that (0 to 1):
     * agent_insist decides, now or later. */
    void (*unsure)(void *data, double sure);
    /* A message is complete: the moment to store it. */
    void (*message)(void *data, const struct message *m);
    void (*done)(void *data, enum agent_end end, const char *why);
};

struct agent_config {
    struct loop *loop;
    struct client *client;
    const struct model_config *model; /* borrowed, like all that follows */
    const struct agent_tools *tools;  /* NULL: there are none */
    const struct agent_events *events;
    void *data;
    struct agent_limits limits;
    struct choice choice; /* in the first round of a run; then as it likes */
    str system;           /* what the model is told first; empty: nothing */
    bool stream;          /* text is told as it comes */
};

/* The text that tells a model to use tools and never to guess. */
extern const char agent_default_system[];

struct agent *agent_new(const struct agent_config *config, struct err *e);
void agent_free(struct agent *g); /* a may be NULL */

/* The conversation; earlier messages may be put in before the first run. */
struct messages *agent_talk(struct agent *g);
struct arena *agent_arena(struct agent *g);

/* Adds what the user says, and asks. done is called later, once. */
int agent_say(struct agent *g, str text, struct err *e);
/* Asks with the conversation as it is. */
int agent_run(struct agent *g, struct err *e);

/* Turns of the runs to come; 0: as the config has it. */
void agent_set_turns(struct agent *g, int turns);

/* After `unsure`: the answer stands, or the model must use a tool. */
void agent_insist(struct agent *g, bool call);

/* Ends what is under way: calls get the result that they were stopped. done is
 * called. */
void agent_stop(struct agent *g);
bool agent_busy(const struct agent *g);

struct agent_spent {
    int turns, calls;
    struct usage usage;
    double cost;
};
struct agent_spent agent_spent(const struct agent *g); /* of the last run */

/* Takes the last question and everything after it out of the conversation. */
bool agent_undo(struct agent *g);

#endif
