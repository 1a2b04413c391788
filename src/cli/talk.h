/* SPDX-License-Identifier: MIT
 *
 * talk -- a conversation with a model: everything `cordon ask` and `cordon
 * chat` share. The configured servers are started, the model is found, calls go
 * through the boundary, messages into the store.
 */
#ifndef CORDON_CLI_TALK_H
#define CORDON_CLI_TALK_H

#include "agent/bound.h"
#include "cli/authority.h"
#include "cli/models.h"
#include "gateway/hub.h"

struct talk {
    struct cli *cli;
    struct loop *loop;
    struct client *http;
    struct authority authority;
    struct hub *hub;
    struct arena arena;
    const struct json *settings;
    struct model_config model;
    struct bound *bound;
    struct agent_tools tools;
    struct agent *agent;
    struct agent_events events; /* the caller's, with ours put in between */
    const struct agent_events *wanted;
    void *data;
    char thread[STORE_ID]; /* of the store; empty: not kept */
    uint64_t seq;          /* of the last message kept */
    str title;
    bool over; /* the last run came to its end */
    enum agent_end end;
    char why[512];
};

/* What the caller decides; zero is a sound choice. */
struct talk_options {
    const struct agent_events *events; /* done may be NULL in it */
    void *data;
    void (*approve)(void *data, struct bound_call *c, str approval);
    const char *resume; /* a conversation to go on with; "last": the newest */
    bool stream;
    bool forget;     /* nothing is kept */
    const str *only; /* patterns of tools */
    size_t only_count;
};

/* Reads --model, --provider, --system, --policy, --tools and --max-* of the
 * command. On failure nothing is left open. */
int talk_open(struct talk *t, struct cli *cli, const struct talk_options *o,
              struct err *e);
void talk_close(struct talk *t);

/* Says it, and waits until the agent rests. */
int talk_say(struct talk *t, str text, struct err *e);

/* Takes back the last question and what came of it, in the store too. */
bool talk_undo(struct talk *t);

/* "cordon log": the text of a stored message. */
int talk_show_message(const struct json *body, bool color, struct buf *out,
                      struct err *e);

#endif
