/* SPDX-License-Identifier: MIT
 *
 * client -- a connection to one MCP server, of either era, in the loop.
 *
 * The server is a program (messages are lines on its pipes) or a URL
 * (Streamable HTTP, and HTTP+SSE for the oldest). Which era it speaks is found
 * out by asking: see enum mcp_start. After `ready` calls may be made, any
 * number at once; each ends exactly once, with the server's result, the
 * server's error, or the reason why there is none. A server that dies, hangs or
 * babbles ends its calls, never ours.
 *
 * Any callback may cancel calls and free the client. Values handed to a
 * callback live until it returns.
 */
#ifndef CORDON_MCP_CLIENT_H
#define CORDON_MCP_CLIENT_H

#include "base/log.h"
#include "io/child.h"
#include "io/client.h"
#include "mcp/protocol.h"
#include "json/json.h"

struct mcp_client;
struct mcp_call;
struct mcp_ask;
struct mcp_auth;

enum mcp_start {
    MCP_PROBE,        /* server/discover, then initialize */
    MCP_START_LEGACY, /* initialize at once */
    MCP_START_MODERN, /* the newest revision, without asking */
};

struct mcp_client_events {
    /* Calls may be made. Called again when a new session replaced an expired
     * one. */
    void (*ready)(void *data, struct mcp_client *c);
    /* The connection is over, or could not be made; every call was ended
     * before. e is NULL after mcp_client_close. Called once. */
    void (*closed)(void *data, struct mcp_client *c, const struct err *e);
    /* Something the server says without being asked. list_changed comes at
     * most once in 100 ms for each list. May be NULL. */
    void (*notified)(void *data, struct mcp_client *c, str method,
                     const struct json *params);
    /* The server wants something (roots/list, sampling/createMessage,
     * elicitation/create): mcp_ask_answer or mcp_ask_refuse, now or later.
     * NULL: everything is refused. */
    void (*asked)(void *data, struct mcp_client *c, struct mcp_ask *ask);
    /* A line the program wrote to its standard error. May be NULL. */
    void (*said)(void *data, struct mcp_client *c, str line);
};

struct mcp_client_config {
    /* One of the two. */
    const struct child_spec *command;
    const char *url;

    /* For a URL: the HTTP client, more headers, who may be connected to (NULL:
     * everyone), and who gets tokens (NULL: an answer 401 is an error). */
    struct client *http;
    const struct http_header *headers;
    bool (*guard)(void *data, const struct sockaddr *address);
    const char *ca_file;
    struct mcp_auth *auth;

    enum mcp_start start;
    const char *name, *version; /* of us, told to the server */
    const struct json *can;     /* our capabilities; NULL: none */
    enum mcp_revision revision; /* the newest to speak in the legacy era;
                                   MCP_2024_11_05 (0): the newest there is */
    struct log *log;            /* may be NULL */
    int64_t connect_ns;         /* until ready; 0: 60 s */
    int64_t probe_ns;           /* for server/discover alone; 0: 5 s */
    int64_t call_ns;            /* without progress; 0: 60 s */
    int64_t call_max_ns;        /* with it; 0: 10 min */
    size_t message_max;         /* bytes; 0: 64 MiB */

    const struct mcp_client_events *events;
    void *data;
};

/* Starts connecting; all that is pointed to but http, auth, log, events and
 * data is copied. */
struct mcp_client *mcp_client_new(struct loop *loop,
                                  const struct mcp_client_config *config,
                                  struct err *e);

/* Ends in order (session deleted, end of file and then signals to a program);
 * `closed` follows. */
void mcp_client_close(struct mcp_client *c);

/* Ends at once; nothing is called any more. */
void mcp_client_free(struct mcp_client *c);

/* -- what is known of the server, after ready --------------------------------
 */

enum mcp_era mcp_client_era(const struct mcp_client *c);
enum mcp_revision mcp_client_revision(const struct mcp_client *c);
/* Objects, or NULL where the server did not say. */
const struct json *mcp_client_server(const struct mcp_client *c);
const struct json *mcp_client_capabilities(const struct mcp_client *c);
str mcp_client_instructions(const struct mcp_client *c);

struct mcp_client_counts {
    uint64_t junk; /* lines or events that were no message */
    uint64_t overlong;
    uint64_t late;   /* answers nobody waited for any more */
    uint64_t errput; /* bytes on the program's standard error */
};
struct mcp_client_counts mcp_client_counts(const struct mcp_client *c);

/* -- calls -------------------------------------------------------------------
 */

struct mcp_reply {
    const struct json *result; /* an object, or NULL */
    const struct json *error;  /* the server's error object, or NULL */
    const struct err *err;     /* why there is no result; set with error too */
};

struct mcp_call_spec {
    const char *method;
    const struct json *params; /* an object or NULL; copied */
    int64_t timeout_ns;        /* 0: the config's; negative: none */
    int64_t max_ns;            /* likewise */
    const char *log_level;     /* wants log messages of this call (modern) */
    /* Input-required and task results are handed out as they are. Otherwise
     * the questions go to `asked`, tasks are waited for, and the final result
     * is what comes. */
    bool raw;
    void (*done)(void *data, const struct mcp_reply *reply);
    void (*progress)(void *data, const struct json *params); /* may be NULL */
    void *data;
};

/* NULL when it could not be sent at all; then done is not called. */
struct mcp_call *mcp_call(struct mcp_client *c,
                          const struct mcp_call_spec *spec, struct err *e);

/* Gives up: the server is told, done is not called. */
void mcp_call_cancel(struct mcp_call *call, const char *reason);

int mcp_notify(struct mcp_client *c, const char *method,
               const struct json *params, struct err *e);

/* -- lists -------------------------------------------------------------------
 */

struct mcp_listing {
    const struct json *items; /* an array over all pages, or NULL */
    int64_t ttl_ms;           /* how long it may be kept; -1: not told */
    bool shared;              /* it is the same for everyone */
    size_t excluded;          /* tools left out for invalid headers */
    const struct err *err;    /* why there is none */
};

struct mcp_list_spec {
    const char *method; /* "tools/list" ... */
    const char *key;    /* the member that holds the items: "tools" */
    size_t items_max;   /* 0: 100,000 */
    size_t bytes_max;   /* of the parsed whole; 0: 256 MiB */
    void (*done)(void *data, const struct mcp_listing *listing);
    void *data;
};

/* Collects all pages. Over HTTP in the modern era tools whose declared headers
 * break the rules are left out: they cannot be called. */
int mcp_list_all(struct mcp_client *c, const struct mcp_list_spec *spec,
                 struct err *e);

/* -- staying informed --------------------------------------------------------
 */

struct mcp_watch {
    bool tools, prompts, resources; /* list_changed of these */
    const char *const *uris;        /* resources, ended by NULL; may be NULL */
};

/* From now on notified() is called for these, and no longer for what an
 * earlier call named. Renewed by itself when the stream or session is lost.
 * Legacy servers send list_changed anyhow. */
int mcp_client_watch(struct mcp_client *c, const struct mcp_watch *watch,
                     struct err *e);

/* -- questions of the server -------------------------------------------------
 */

str mcp_ask_method(const struct mcp_ask *ask);
const struct json *mcp_ask_params(const struct mcp_ask *ask); /* or NULL */
void *mcp_ask_call(const struct mcp_ask *ask); /* data of the call that brought
                                                  it; NULL: not known */

/* Each ends it. After mcp_client_free or the end of its call an ask may still
 * be answered; nothing is sent then. */
void mcp_ask_answer(struct mcp_ask *ask, const struct json *result);
void mcp_ask_refuse(struct mcp_ask *ask, int code, const char *message);

/* The content of an accepted form: the schema's defaults, under what the person
 * entered (an object or NULL). Lives in the arena. */
int mcp_form_content(const struct json *schema, const struct json *entered,
                     struct arena *a, const struct json **out, struct err *e);

#endif
