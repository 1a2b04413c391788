/* SPDX-License-Identifier: MIT
 *
 * bound_inside -- what the files of bound share. Not for others.
 */
#ifndef CORDON_AGENT_BOUND_INSIDE_H
#define CORDON_AGENT_BOUND_INSIDE_H

#include "agent/bound.h"
#include "tools/select/session.h"

#define BOUND_CALL_BYTES ((size_t)256 << 20)

struct bound_call {
    struct bound *bound;
    struct bound_call *next, **link;
    struct agent_call *call; /* NULL: nobody waits any more */
    struct call *under_way;  /* NULL: a person is asked, or it just began */
    str name;
    const struct json *args;
    uint64_t number; /* the same when it is made again with an approval */
    char approval[STORE_ID];
    char doubt[96]; /* why a person is asked in any case; empty: they are not */
    char run[STORE_ID];      /* of run_code; empty: it is a call of a tool */
    struct arena arena;      /* of need */
    const struct json *need; /* arguments of the question whether its program
                                may run; NULL: it is not asked */
    struct run_waiter waiter;
};

struct bound {
    struct bound_config config;
    const str *only;
    size_t only_count;
    struct select_session session;
    struct entry **held; /* of the round, so that none goes away meanwhile */
    size_t held_count;
    struct bound_call *calls;
    uint64_t number;
    struct arena memory; /* of the definitions of code mode's tools */
    const struct json *code_tools[3];
    struct provider *needs;      /* once a person was to be asked */
    bool code_offered;           /* in this round */
    const struct messages *talk; /* of this round */
};

bool bound_wants(const struct bound *b, const struct entry *t);
str bound_last_words(const struct messages *talk);

/* Appends what fits the conversation now to the session (bound_select.c). */
int bound_select(struct bound *b, struct registry *r,
                 const struct messages *talk, struct err *e);

/* Each ends a call. */
void bound_finish(struct bound_call *c, const struct agent_result *r);
void bound_finish_text(struct bound_call *c, str text, bool failed);
void bound_finish_outcome(struct bound_call *c, const struct call_outcome *o);
void bound_drop(struct bound_call *c);

/* Puts the question of an outcome before a person, unless it was put before. */
void bound_put(struct bound_call *c, str approval);

/* -- code mode's three tools (bound_code.c) ----------------------------------
 */

int code_open(struct bound *b, struct err *e);
void code_close(struct bound *b);
int code_offer(struct bound *b, struct arena *a, struct offers *out,
               struct err *e);
/* Is it one of the three, offered in this round? */
bool code_has(const struct bound *b, str name);
bool code_reads(const struct bound *b, str name); /* and changes nothing */
void code_call(struct bound_call *c);
void bound_code_ask(struct bound_call *c); /* whether it may run */
void code_answer(
    struct bound_call *c); /* the person's answer is in the store */
void code_cancel(struct bound_call *c);

#endif
