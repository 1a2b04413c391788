/* SPDX-License-Identifier: MIT
 *
 * aside -- one short question to a model, within a budget.
 *
 * For small decisions beside the conversation: which of these tools, what would
 * somebody ask this one for. The answer is waited for, in a loop of its own, or
 * comes in the caller's loop. What the model answers is text from outside.
 */
#ifndef CORDON_AGENT_ASIDE_H
#define CORDON_AGENT_ASIDE_H

#include "agent/provider.h"
#include "base/log.h"
#include "tools/registry.h"

struct aside;

/* The config's strings must outlive it. */
struct aside *aside_new(const struct model_config *config, struct err *e);
void aside_free(struct aside *a); /* a may be NULL */

/* Appends what the model wrote; ERR_TIMEOUT when it took longer. */
int aside_ask(struct aside *a, str instruction, str question,
              int64_t max_tokens, int64_t budget_ns, struct buf *answer,
              struct err *e);

/* A question whose answer comes in somebody's loop. */
struct aside_question {
    void (*done)(struct aside_question *q); /* may free it; NULL: nobody */
    void *data;
    struct buf answer; /* what the model wrote */
    bool over;
    bool failed;
    struct err why;
    struct turn *turn;
};

/* done is called once, within the budget or a little later; not before this
 * returns. q is zero but for done and data. */
int aside_start(struct aside *a, struct loop *loop, struct client *client,
                str instruction, str question, int64_t max_tokens,
                int64_t budget_ns, struct aside_question *q, struct err *e);
void aside_stop(struct aside_question *q); /* and frees what it has */

/* A router for tools/select/select.h: the model picks from the best of the
 * ranking, shown as stubs. Numbers that are none of theirs are passed over; an
 * answer without any is a failure, and the ranking stands. After a failure the
 * model is left alone for a while, so that a dead one is not waited for again
 * and again; the last picks are kept for requests that come again. */
#define ROUTER_REST_S 30
#define ROUTER_KEPT   16 /* requests */
#define ROUTER_PICKS  20
#define ROUTER_ASKED  32 /* questions under way at once */

struct model_router {
    struct aside *aside;
    struct log *log; /* told of failures; or NULL */
    /* For those who need not be kept waiting; NULL: everybody waits. */
    struct loop *loop;
    struct client *client;
    int64_t rest_until_ns;
    struct {
        uint64_t key; /* of request and options; 0: none */
        size_t picks[ROUTER_PICKS];
        size_t count;
    } kept[ROUTER_KEPT];
    size_t kept_at;
    struct router_question *questions;
    size_t question_count;
};

struct router model_router(struct model_router *r, int64_t budget_ns);

/* Ends the questions under way. told: whoever waits is called, and selects
 * without this one; else nobody is. */
void model_router_end(struct model_router *r, bool told);

/* Up to max requests that a tool answers, in a user's words, one a line. */
int aside_examples(struct aside *a, const struct entry *t, size_t max,
                   int64_t budget_ns, struct arena *arena,
                   const struct json **out, struct err *e);

#endif
