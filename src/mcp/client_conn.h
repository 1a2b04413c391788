/* SPDX-License-Identifier: MIT
 *
 * client_conn -- inside the client: what connection, calls, questions and
 * transports know of each other. Users include client.h.
 */
#ifndef CORDON_MCP_CLIENT_CONN_H
#define CORDON_MCP_CLIENT_CONN_H

#include "base/map.h"
#include "mcp/client.h"
#include "mcp/rpc.h"

enum {
    CONN_MESSAGE_MAX = 64 << 20,
    CONN_TREE_MAX = 1 << 30, /* bytes of one parsed message */
    CONN_CALLS_MAX = 100000, /* in flight */
    CONN_ASKS_MAX = 1000,    /* questions not yet answered */
    CONN_ROUNDS_MAX = 32,    /* of input for one call */
    CONN_INPUTS_MAX = 32,    /* questions in one round */
    CONN_PAGES_MAX = 10000,
    CONN_WATCHED_MAX = 10000, /* resources */
};
#define CONN_MS     ((int64_t)1000000)
#define CONN_SECOND ((int64_t)1000000000)

enum conn_state {
    CONN_STARTING, /* only the handshake's own calls are sent */
    CONN_READY,
    CONN_CLOSING, /* asked to; `closed` is to come */
    CONN_CLOSED,
};

struct listing;

enum conn_list { CONN_TOOLS, CONN_PROMPTS, CONN_RESOURCES, CONN_LISTS };

/* A way to the server. The struct begins each transport's own. */
struct conn_link {
    /* Sends what a call, a notification or an answer to a question consists
     * of; call is NULL for the latter two. */
    int (*send)(struct conn_link *l, struct mcp_call *call, str message,
                struct err *e);
    /* The call is over or given up: forgets what it kept for it. `tell` asks
     * for the era's way to say so to the server. */
    void (*drop)(struct conn_link *l, struct mcp_call *call, bool tell,
                 const char *reason);
    /* The handshake is done: streams may be opened, queued things sent. */
    void (*ready)(struct conn_link *l);
    /* Ends in order; conn_closed follows. */
    void (*close)(struct conn_link *l);
    void (*free)(struct conn_link *l);
};

struct mcp_client {
    struct loop *loop;
    struct mcp_client_config config; /* texts are in `memory` */
    struct arena memory;
    struct conn_link *link;
    struct conn_link *former; /* that led nowhere */
    enum conn_state state;
    enum mcp_era era;
    enum mcp_revision revision;
    bool pinned;              /* modern without having asked */
    unsigned depth;           /* of callbacks: see conn_enter */
    bool dead;                /* freed inside a callback */
    struct io_task free_task; /* frees it at the end of the turn */
    struct io_timer connect_timer, probe_timer, change_timer, watch_timer;
    struct mcp_call *discover, *initialize; /* of a handshake under way */
    struct err refused;                     /* why discover did not do */
    struct arena about; /* what the server said of itself: */
    const struct json *server, *capabilities;
    str instructions;
    int64_t last_id;
    struct map by_id;       /* id (8 bytes) -> struct mcp_call */
    struct mcp_call *calls; /* all of them */
    struct mcp_ask *asks;   /* not yet answered */
    size_t ask_count;
    struct mcp_client_counts counts;
    bool changed[CONN_LISTS]; /* waits for change_timer */
    struct arena watch_memory;
    struct mcp_watch watch; /* what was asked for last */
    bool watching;
    struct listing *listings; /* under way */
    struct mcp_call *listen;  /* the open subscriptions/listen */
    int64_t watch_wait;       /* before it is opened again */
    struct map params;        /* tool name -> struct tool_params */
};

/* What became of a call's last message. */
struct mcp_call {
    struct mcp_client *client;
    struct mcp_call *next, **link;
    int64_t id;         /* of the message sent last */
    struct arena arena; /* everything below */
    const char *method;
    const struct json *params; /* an object or NULL */
    const char *log_level;
    enum mcp_era era; /* it is written for */
    bool raw;
    bool handshake;          /* one of our own, sent before ready */
    bool relisted;           /* tools were listed again for its headers */
    struct mcp_call *helper; /* that listing, while it runs */
    void (*done)(void *data, const struct mcp_reply *reply);
    void (*progress)(void *data, const struct json *params);
    void *data;
    struct io_timer timer; /* of silence, of a hard end, of polling */
    int64_t timeout_ns;    /* of silence; negative: none */
    int64_t ends_at;       /* whatever happens; INT64_MAX: never */
    int64_t paused_at;     /* 0: it is not */
    unsigned rounds;
    bool as_task;            /* a legacy server wants it to be a task */
    int64_t token;           /* id of the message that became a task */
    const char *task;        /* the task that stands for it, or NULL */
    const char *task_method; /* the request about it now under way */
    str told;                /* what it last said of its progress */
    int64_t poll_ns;
    /* The questions of an input-required result. */
    const struct json *state; /* requestState, or NULL */
    struct mcp_ask *inputs[CONN_INPUTS_MAX];
    size_t input_count, inputs_open;
    unsigned status; /* of the HTTP answer that failed it, or 0 */
    void *wire;      /* what the transport keeps for it */
};

struct mcp_ask {
    struct mcp_client *client; /* NULL: nobody waits for it any more */
    struct mcp_ask *next, **link;
    struct arena arena;
    struct rpc_message msg;    /* a legacy request; id NULL: an input */
    struct mcp_call *call;     /* the call it belongs to, or NULL */
    str key;                   /* of an input */
    const struct json *answer; /* to an input */
    bool handed;               /* given to `asked` and not answered yet */
};

/* -- connection (client.c) ---------------------------------------------------
 */

/* Around everything that may call back: while inside, the client is not freed
 * under our feet. */
void conn_enter(struct mcp_client *c);
void conn_leave(struct mcp_client *c);

void conn_ready(struct mcp_client *c);
/* The connection broke: every call ends with e, then `closed`. */
void conn_lost(struct mcp_client *c, const struct err *e);
void conn_closed(struct mcp_client *c); /* after link->close */
void conn_log(struct mcp_client *c, enum log_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* -- handshake (client_start.c) ----------------------------------------------
 */

int conn_begin(struct mcp_client *c, struct err *e);
/* The session is gone: a new one, over the same link. */
void conn_renew(struct mcp_client *c);
void conn_stop_timers(struct mcp_client *c);
void conn_pause(struct mcp_client *c, bool pause); /* the time for it */

/* -- what comes in (client_take.c) -------------------------------------------
 */

/* One message; `on` is the call whose stream it came on, or NULL. Returns
 * false when it was none. */
bool conn_take(struct mcp_client *c, struct mcp_call *on, str text);

/* -- calls (client_call.c) ---------------------------------------------------
 */

struct mcp_call *call_new(struct mcp_client *c,
                          const struct mcp_call_spec *spec, struct err *e);
/* Sends it (again) under a new id. */
int call_send(struct mcp_call *call, struct err *e);
struct mcp_call *call_find(struct mcp_client *c, int64_t id);
void call_reply(struct mcp_call *call, const struct rpc_message *m);
void call_fail(struct mcp_call *call, const struct err *e);
void call_end(struct mcp_call *call, const struct mcp_reply *reply);
void call_free(struct mcp_call *call);
void call_touch(struct mcp_call *call); /* a sign of life */
/* While it is paused no time passes for it, nor for a handshake it is of. */
void call_pause(struct mcp_call *call, bool pause);

/* The request's text, with _meta and answers to questions. */
int call_write(struct mcp_call *call, struct buf *out, struct err *e);
/* The notification that it is given up. */
int call_write_cancelled(struct mcp_call *call, const char *reason,
                         struct buf *out, struct err *e);
/* The value of its Mcp-Name header; p NULL: none. */
str call_name(const struct mcp_call *call);

/* -- results that are not the end (client_rounds.c) --------------------------
 */

/* A legacy server that makes tasks of calls. */
bool rounds_has_tasks(const struct mcp_client *c);
/* It has this tool only as a task: true when it is called so. */
bool rounds_as_task(struct mcp_call *call, const struct json *error);
/* True when the call goes on: questions to answer, a task to wait for. */
bool rounds_take(struct mcp_call *call, const struct json *result);
void rounds_answered(struct mcp_ask *ask);
void rounds_poll(struct mcp_call *call);
void rounds_forget(struct mcp_call *call); /* its questions */

/* -- questions (client_ask.c) ------------------------------------------------
 */

void ask_take(struct mcp_client *c, struct mcp_call *on,
              const struct rpc_message *m);
struct mcp_ask *ask_new(struct mcp_client *c, struct mcp_call *call, str method,
                        const struct json *params, struct err *e);
void ask_hand(struct mcp_ask *ask);
void ask_orphan(struct mcp_ask *ask); /* nobody waits for the answer */

/* -- lists and changes (client_list.c) ---------------------------------------
 */

void conn_list_changed(struct mcp_client *c, enum conn_list list);
void conn_list_start(struct mcp_client *c); /* timers */
void conn_list_stop(struct mcp_client *c);  /* lists under way are forgotten */
void conn_watch_again(struct mcp_client *c);

/* -- declared headers (client_params.c) --------------------------------------
 */

/* NULL, or why the tool's x-mcp-header declarations break the rules. */
const char *params_fault(const struct json *tool);
/* Remembers what the tools of a tools/list result declare. */
int params_learn(struct mcp_client *c, const struct json *result,
                 struct err *e);
/* The tool of the call is there only as a task. */
bool params_only_task(const struct mcp_call *call);
void params_forget(struct mcp_client *c);

/* Calls add(data, name, value) for each Mcp-Param header of a tools/call. */
int params_each(struct mcp_call *call,
                int (*add)(void *data, const char *name, str value,
                           struct err *e),
                void *data, struct err *e);
/* A header value: as it is, or as =?base64?...?= where it must be. */
int params_encode(str value, struct buf *out, struct err *e);

/* -- transports ---------------------------------------------------------------
 */

struct conn_link *transport_stdio(struct mcp_client *c, struct err *e);
struct conn_link *transport_http(struct mcp_client *c, struct err *e);

/* HTTP+SSE of 2024-11-05, once Streamable HTTP was refused. */
struct conn_link *transport_sse(struct mcp_client *c, struct err *e);

#endif
