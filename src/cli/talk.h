/* SPDX-License-Identifier: MIT
 *
 * talk -- a conversation with a model: everything `cordon ask` and `cordon
 * chat` share. The configured servers are started, the model is found, calls go
 * through the boundary, messages into the store.
 */
#ifndef CORDON_CLI_TALK_H
#define CORDON_CLI_TALK_H

#include "agent/bound.h"
#include "call/sources.h"
#include "cli/authority.h"
#include "cli/models.h"
#include "cli/selecting.h"
#include "gateway/hub.h"

struct attached;

struct talk {
    struct cli *cli;
    struct loop *loop;
    struct client *http;
    struct authority authority;
    struct samples *samples; /* servers' questions to models */
    struct hub *hub;
    struct sources *sources; /* the configuration's own tools */
    struct nursery *nursery; /* of workers, started before there are secrets */
    struct runs *runs;       /* code mode; NULL: nothing is recorded */
    struct selecting *selecting;
    struct arena arena;
    const struct json *settings;
    struct model_config model;
    struct bound *bound;
    struct agent_tools tools;
    struct agent *agent;
    struct agent_events events; /* the caller's, with ours put in between */
    const struct agent_events *wanted;
    void *data;
    char session[STORE_ID]; /* what the model is shown belongs to it */
    char thread[STORE_ID];  /* of the store; empty: not kept */
    uint64_t seq;           /* of the last message kept */
    str title;
    bool over; /* the last run came to its end */
    enum agent_end end;
    char why[512];
    /* -- a question whose resources or prompt are fetched (talk_attach.c) */
    void (*on_attached)(void *data, str server, str what, size_t bytes);
    str said;
    struct attached *attached;
    size_t fetching; /* that are not there yet */
    bool starting;   /* talk_begin is at work */
};

/* What the caller decides; zero is a sound choice. */
struct talk_options {
    const struct agent_events *events; /* done may be NULL in it */
    void *data;
    void (*approve)(void *data, struct bound_call *c, str approval);
    void (*attached)(void *data, str server, str what, size_t bytes);
    const char *resume; /* a conversation to go on with; "last": the newest */
    const char *choice; /* --choice; or NULL */
    bool stream;
    bool forget;     /* nothing is kept */
    const str *only; /* patterns of tools */
    size_t only_count;
};

/* Reads --model, --provider, --system, --policy, --mode, --tools and --max-* of
 * the command. On failure nothing is left open. */
int talk_open(struct talk *t, struct cli *cli, const struct talk_options *o,
              struct err *e);
void talk_close(struct talk *t);

/* Says it, with the resources it names as @server:uri, or what a server's
 * prompt says for /server:prompt ARGS; done is told later. */
int talk_begin(struct talk *t, str text, struct err *e);
bool talk_is_prompt(const struct talk *t, str line);

/* Ends what is under way; done is told. */
void talk_stop(struct talk *t);

/* Says it, and waits until the agent rests. */
int talk_say(struct talk *t, str text, struct err *e);

/* Takes back the last question and what came of it, in the store too. */
bool talk_undo(struct talk *t);

/* "cordon log": the text of a stored message. */
int talk_show_message(const struct json *body, bool color, struct buf *out,
                      struct err *e);

/* What there is, and what the policy says of it, for people. */
int talk_show_tools(struct talk *t, str query, bool color, struct buf *out,
                    struct err *e);
int talk_show_policy(struct talk *t, bool color, struct buf *out,
                     struct err *e);

/* The index-th name that begins as what was typed: a command, @server:uri or
 * /server:prompt. */
bool talk_complete(struct talk *t, str typed, size_t index, struct buf *out);

#endif
