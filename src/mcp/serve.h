/* SPDX-License-Identifier: MIT
 *
 * serve -- inside the serving side: what requests, sessions, subscriptions and
 * transports know of each other. Users include server.h.
 */
#ifndef CORDON_MCP_SERVE_H
#define CORDON_MCP_SERVE_H

#include "base/crypto.h"
#include "base/hash.h"
#include "base/map.h"
#include "mcp/server.h"

enum {
    MCP_MESSAGE_MAX = 64 << 20, /* bytes of one message, either way */
    MCP_REQUEST_TREE = 1 << 30, /* bytes of a parsed request */
    MCP_SESSIONS_MAX = 10000,
    MCP_NEEDS_MAX = 32,      /* questions to the client in one round */
    MCP_ROUNDS_MAX = 32,     /* rounds of one request */
    MCP_WATCHED_MAX = 10000, /* resources one client may watch */
};

struct peer;
struct mcp_event;

/* Where messages of a request go. The transport owns it. */
struct mcp_channel {
    /* A notification or request of ours that belongs to the request. */
    int (*send)(struct mcp_channel *c, str message, struct err *e);
    /* The answer, with the HTTP status it wants, or "" for none; nothing
     * follows. */
    void (*finish)(struct mcp_channel *c, str message, unsigned status);
};

struct mcp_need {
    const char *key, *method;
    const struct json *params;
    uint64_t id;               /* of our request to a legacy client */
    const struct json *answer; /* its result */
    bool answered;
};

enum mcp_task_status {
    TASK_WORKING,
    TASK_ASKING,
    TASK_COMPLETED, /* this and what follows are ends */
    TASK_FAILED,
    TASK_CANCELLED,
};

/* What a request is once it was answered with a promise. */
struct mcp_task {
    char id[HASH_ID_SIZE];
    uint64_t number; /* later ones have higher ones */
    int64_t ttl_ms;  /* from its beginning */
    enum mcp_task_status status;
    int64_t created_ns, updated_ns;
    const struct json *result, *error; /* in the request's arena */
    size_t kept;                       /* of server->task_kept */
    char *message;         /* how far it is, or NULL; in the arena */
    struct io_timer timer; /* the end of its life */
    bool running; /* the service owes an answer and holds the request */
    bool expired; /* nobody may ask for it any more */
};

struct mcp_request {
    struct mcp_server *server;
    struct mcp_session *session;      /* legacy; NULL in the modern era */
    struct mcp_channel *channel;      /* NULL: the client is gone */
    struct mcp_request *next, **link; /* in server->requests */
    const void *owner;  /* the connection it came on, for its end */
    struct arena arena; /* the message and all that is made for it */
    struct rpc_message msg;
    enum mcp_method method;
    enum mcp_era era;
    enum mcp_revision revision;
    struct mcp_who who;                /* in the arena */
    const struct json *caps;           /* of the client; may be NULL */
    const struct json *progress_token; /* NULL: no progress wanted */
    int log_level;                     /* -1: no log messages wanted */
    struct mcp_need needs[MCP_NEEDS_MAX];
    size_t need_count;  /* needs of all rounds */
    size_t round_start; /* first need of this round */
    unsigned rounds;
    str memo;
    void *state;
    bool cancelled, waiting;
    bool listening; /* an open subscriptions/listen */
    bool is_task;   /* answered; `task` holds what comes of it */
    struct mcp_task task;
    struct mcp_request *awaits; /* the task whose end a tasks/result is for */
};

/* A legacy client between initialize and the end. */
struct mcp_session {
    struct mcp_server *server;
    struct mcp_session *next, **link;
    char id[HASH_ID_SIZE];
    int64_t used_at; /* as loop_now() */
    enum mcp_revision revision;
    struct arena arena; /* what the client said of itself */
    str principal;      /* who began it: nobody else may use it */
    const struct json *caps;
    int log_level;
    struct map watched;         /* resource URIs -> (void *)1 */
    struct mcp_channel *stream; /* for what belongs to no request, or NULL */
    uint64_t next_id;           /* of our requests */
    struct mcp_event *events, **events_end; /* see replay.c */
    size_t events_size;
    uint64_t last_stream; /* number of the newest request's over HTTP */
    struct peer *streams; /* open or lost ones: of requests that run, and the
                             GET stream */
};

struct mcp_server {
    struct loop *loop;
    struct mcp_service service;
    struct log *log;
    struct mcp_request *requests;
    struct mcp_session *sessions;
    struct map by_id;   /* id -> session */
    size_t events_size; /* kept for lost streams, in all */
    size_t task_count;
    uint64_t last_task;      /* number of the newest */
    size_t task_kept;        /* bytes of those that completed */
    struct buf scratch;      /* memory for the next answer */
    uint8_t key[CRYPTO_KEY]; /* seals memos */
};

/* -- requests (request.c) ----------------------------------------------------
 */

/* A request with an empty arena, listed with the server. */
struct mcp_request *request_new(struct mcp_server *s, struct mcp_channel *c,
                                const void *owner, struct err *e);
void mcp_request_end(struct mcp_request *r); /* forget it, answered or not */

/* Refuses with an HTTP status of its own. */
void refuse_with(struct mcp_request *r, unsigned status, int code,
                 const struct json *data, const char *text);

/* Answers, but keeps the request: nothing more can be sent for it. */
void answer_and_detach(struct mcp_request *r, const struct json *result);

/* The client went away or cancelled: the service is told. */
void request_cancelled(struct mcp_request *r);
struct mcp_request *request_find(struct mcp_server *s, const void *owner,
                                 const struct json *id);

/* -- dispatch (core.c) --------------------------------------------------------
 */

/* Takes a sorted request whose era, caps and session are set and runs it. */
void core_dispatch(struct mcp_request *r);
void core_notification(struct mcp_server *s, struct mcp_session *session,
                       const void *owner, const struct rpc_message *m);

/* Fills caps, progress token and log level from the _meta of a modern request
 * and the session of a legacy one. */
void core_read_meta(struct mcp_request *r);

/* The checks that a modern request passes on any transport, in this order (the
 * headers of HTTP come between): version, then envelope and method. False after
 * it was refused. */
bool core_accept_version(struct mcp_request *r);
bool core_accept_modern(struct mcp_request *r);

/* A request says of itself that it is modern. */
bool core_is_modern(const struct rpc_message *m);

/* False after the request was refused because its era is not served. */
bool core_accept_era(struct mcp_request *r);

/* -- HTTP headers of the modern era (header.c) --------------------------------
 */

struct exchange;

/* The version first, so that what differs is told before what is unknown. */
bool header_check_version(struct mcp_request *r, const struct exchange *x);
bool header_check(struct mcp_request *r, const struct exchange *x);

/* -- sessions (session.c) -----------------------------------------------------
 */

struct mcp_session *session_new(struct mcp_server *s, str principal,
                                struct err *e);
struct mcp_session *session_find(struct mcp_server *s, str id, str principal);
void session_free(struct mcp_session *session);

/* Sends a request of ours on behalf of r; its answer comes to
 * session_take_answer. Asked again it is the same request. */
int session_ask(struct mcp_request *r, struct mcp_channel *c,
                struct mcp_need *need, struct err *e);

/* A result or error that the client sent for one of our requests. */
void session_take_answer(struct mcp_session *session,
                         const struct rpc_message *m);

/* -- streams that were lost (replay.c, http.c) --------------------------------
 */

void replay_keep(struct mcp_session *s, uint64_t stream, uint64_t number,
                 str event);
bool replay_has(const struct mcp_session *s, uint64_t stream);
/* Sends what was kept of the stream after that event. */
int replay_after(const struct mcp_session *s, uint64_t stream, uint64_t number,
                 int (*send)(void *data, str event, struct err *e), void *data,
                 struct err *e);
void replay_forget(struct mcp_session *s);

/* The session ends: its streams belong to nobody. */
void http_forget(struct mcp_session *s);
/* The server ends, and its connections are gone. */
void http_drop(struct mcp_session *s);
/* Somebody is connected to one of its streams. */
bool http_is_open(const struct mcp_session *s);

/* -- what the client must tell (input.c) --------------------------------------
 */

/* Opens requestState and inputResponses of a modern request; false after it
 * was refused. */
bool input_open(struct mcp_request *r);

/* All questions of this round are answered: run the service again. */
void input_complete(struct mcp_request *r);

/* -- tasks (task.c) ----------------------------------------------------------
 */

enum { TASK_MS = 15 * 60 * 1000 }; /* the longest life of one */

void task_request(struct mcp_request *r); /* tasks/... */

/* Answers with the promise and keeps the request as the task. On failure it is
 * a request still. */
int task_promise(struct mcp_request *r, int64_t ttl_ms, struct err *e);
bool task_has_room(const struct mcp_request *r); /* for one more of theirs */
bool task_ended(const struct mcp_task *t);
void task_put(struct json_build *b, const struct mcp_request *p);
bool task_is_for(const struct mcp_request *p, const struct mcp_request *r);
void task_set(struct mcp_request *p, enum mcp_task_status status);
/* The client's answers are there: it works again. */
void task_resume(struct mcp_request *p);
/* Nobody will ask for it any more: it ends, at once or with its work. */
void task_expire(struct mcp_request *p);
/* Whoever holds the answer to its questions learns that there is none. */
void task_abandon(struct mcp_request *p);

/* What answering, refusing and asking mean for a task. */
void task_complete(struct mcp_request *r, const struct json *result);
void task_fail(struct mcp_request *r, int code, const struct json *data,
               const char *text);
void task_ask(struct mcp_request *r, str memo);
/* Progress of a task is what tasks/get says of it. */
void task_note(struct mcp_request *r, double progress, double total,
               const char *message);

/* -- tasks of the legacy era (task_legacy.c) ---------------------------------
 */

/* A tools/call that is to be a task becomes one. False after it was refused. */
bool task_open(struct mcp_request *r);
/* tasks/get, cancel, list, result; p is the task that is named, or NULL. */
void task_legacy_request(struct mcp_request *r, struct mcp_request *p);
/* Its status is another: the client is told, and who waits for its end. */
void task_changed(struct mcp_request *p);
/* It expired: who waits for its end learns that. */
void task_forget(struct mcp_request *p);
/* Where messages about it go, or NULL. */
struct mcp_channel *task_channel(const struct mcp_request *p);
/* What messages about it carry in _meta; nothing when r is none of these. */
void task_put_related(struct json_build *b, const struct mcp_request *r);

/* -- subscriptions (watch.c) -------------------------------------------------
 */

void watch_listen(struct mcp_request *r);
void watch_subscribe(struct mcp_request *r, bool on);

#endif
