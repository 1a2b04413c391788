/* SPDX-License-Identifier: MIT
 *
 * downstream -- one MCP server that is kept running, and what it offers.
 *
 * It is started at once, and again when it dies, with longer and longer pauses
 * when that does not help. Its lists are fetched when it is ready and when it
 * says that they changed; a list that cannot be fetched leaves the last good
 * one in place. A call made while it starts waits for it; a call to a server
 * that is down fails at once, with the reason. Questions that the server asks
 * in the middle of a call go to whoever made the call; one that cannot be told
 * apart between two owners goes to nobody.
 */
#ifndef CORDON_CALL_DOWNSTREAM_H
#define CORDON_CALL_DOWNSTREAM_H

#include "base/buf.h"
#include "mcp/auth.h"
#include "mcp/client.h"

struct downstream;
struct downstream_call;

enum downstream_list {
    DOWN_TOOLS,
    DOWN_PROMPTS,
    DOWN_RESOURCES,
    DOWN_TEMPLATES,
    DOWN_LISTS,
};

enum downstream_state {
    DOWN_STARTING,
    DOWN_READY,
    DOWN_PAUSING, /* it failed, and will be started again */
    DOWN_ENDED,   /* retired */
};

struct downstream_events {
    /* It is about to be started; a failure stands for the start's. NULL: there
     * is nothing to prepare. */
    int (*starting)(void *data, struct downstream *d, struct err *e);
    /* A list was fetched and is not what it was. */
    void (*changed)(void *data, struct downstream *d,
                    enum downstream_list list);
    /* It became ready with all its lists, or failed. */
    void (*settled)(void *data, struct downstream *d);
    /* What it says without being asked and what belongs to no list. */
    void (*notified)(void *data, struct downstream *d, str method,
                     const struct json *params);
    /* A log message of a call that does not take them itself; may be NULL. */
    void (*logged)(void *data, struct downstream *d, str owner,
                   const struct json *params);
    /* A question that no call explains; NULL: refused. */
    void (*asked)(void *data, struct downstream *d, struct mcp_ask *ask);
};

struct downstream_config {
    const char *name;
    /* A program or a URL: see mcp/client.h. */
    const struct child_spec *command;
    const char *url;
    const struct http_header *headers;
    const char *ca_file; /* NULL: the system's */
    struct client *http;
    struct mcp_auth *auth;
    const struct json *can; /* our capabilities towards it */
    int64_t start_ns;       /* 0: 60 s */
    int64_t call_ns;        /* of silence; 0: 60 s */
    bool keep_log;          /* its standard error goes to a file */
    struct log *log;
    const struct downstream_events *events;
    void *data;
};

/* Everything but http, auth, log, events and data is copied. A program that
 * cannot be started is not an error here: it is told through `settled`. */
struct downstream *downstream_new(struct loop *loop,
                                  const struct downstream_config *config,
                                  struct err *e);

/* Lets running calls end (for a while), then the server, in order; gone is
 * called from the loop when nothing is left. No other event follows. */
void downstream_retire(struct downstream *d, void (*gone)(void *data),
                       void *data);
void downstream_free(struct downstream *d); /* at once, without a word */

const char *downstream_name(const struct downstream *d);
enum downstream_state downstream_state(const struct downstream *d);
/* It has been ready or has failed at least once. */
bool downstream_has_settled(const struct downstream *d);
const char *downstream_fault(const struct downstream *d); /* "" when none */
/* The connection, for what is known of the server; NULL unless ready. */
struct mcp_client *downstream_client(const struct downstream *d);
str downstream_instructions(const struct downstream *d);

/* An array, or NULL where none was ever fetched. Valid until `changed`. Tools
 * are there only while `changed` is called: whoever wants them keeps a copy,
 * and thousands of definitions need not be held twice. */
const struct json *downstream_items(const struct downstream *d,
                                    enum downstream_list list);
size_t downstream_count(const struct downstream *d, enum downstream_list list);

/* From now on it tells of updates of this resource, or no longer. Counted. */
void downstream_watch(struct downstream *d, str uri, bool on);

/* -- calls -------------------------------------------------------------------
 */

struct downstream_spec {
    const char *method;
    const struct json *params; /* copied */
    str owner;                 /* on whose behalf: questions never cross */
    int64_t timeout_ns, max_ns;
    void (*done)(void *data, const struct mcp_reply *reply);
    void (*progress)(void *data, const struct json *params);
    void (*asked)(void *data, struct mcp_ask *ask); /* NULL: refused */
    void (*logged)(void *data, const struct json *params);
    void *data;
};

/* done is called exactly once, never from within, unless it is cancelled. */
struct downstream_call *downstream_call(struct downstream *d,
                                        const struct downstream_spec *spec,
                                        struct err *e);
void downstream_cancel(struct downstream_call *call, const char *reason);

/* -- the file of its standard error ------------------------------------------
 */

#define DOWNSTREAM_LOG_MAX ((size_t)1 << 20)

/* Appends the path; nothing is made. */
int downstream_log_path(const char *name, struct buf *out, struct err *e);

#endif
