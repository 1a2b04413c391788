/* SPDX-License-Identifier: MIT
 *
 * aside -- one short question to a model, waited for, within a budget.
 *
 * For small decisions beside the conversation: which of these tools, what would
 * somebody ask this one for. It has a loop of its own, so it may be asked from
 * within another. What the model answers is text from outside.
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

/* A router for tools/select/select.h: the model picks from the best of the
 * ranking, shown as stubs. Numbers that are none of theirs are passed over; an
 * answer without any is a failure, and the ranking stands. After a failure the
 * model is left alone for a while, so that a dead one is not waited for again
 * and again; the last picks are kept for requests that come again. */
#define ROUTER_REST_S 30
#define ROUTER_KEPT   16 /* requests */
#define ROUTER_PICKS  20

struct model_router {
    struct aside *aside;
    struct log *log; /* told of failures; or NULL */
    int64_t rest_until_ns;
    struct {
        uint64_t key; /* of request and options; 0: none */
        size_t picks[ROUTER_PICKS];
        size_t count;
    } kept[ROUTER_KEPT];
    size_t kept_at;
};

struct router model_router(struct model_router *r, int64_t budget_ns);

/* Up to max requests that a tool answers, in a user's words, one a line. */
int aside_examples(struct aside *a, const struct entry *t, size_t max,
                   int64_t budget_ns, struct arena *arena,
                   const struct json **out, struct err *e);

#endif
