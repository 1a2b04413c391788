/* SPDX-License-Identifier: MIT
 *
 * downstream_link -- inside downstream: life, calls and lists of one server.
 */
#ifndef CORDON_CALL_DOWNSTREAM_LINK_H
#define CORDON_CALL_DOWNSTREAM_LINK_H

#include "base/crypto.h"
#include "base/map.h"
#include "call/downstream.h"

#define DOWN_MS     ((int64_t)1000000)
#define DOWN_SECOND ((int64_t)1000000000)
enum { DOWN_CALLS_MAX = 20000, DOWN_WATCHED_MAX = 10000 };

struct down_list {
    struct downstream *d;
    struct arena memory;
    const struct json *items; /* the last good one; not kept of tools */
    size_t count;
    uint8_t digest[CRYPTO_SHA256]; /* of its text, to see whether it changed */
    bool known;                    /* it was fetched once */
    bool fetching;
    bool again; /* it changed while it was fetched */
};

struct downstream {
    struct loop *loop;
    struct arena memory; /* of the configuration's texts */
    struct downstream_config config;
    struct child_spec command;
    enum downstream_state state;
    bool settled;
    bool retiring;
    unsigned failures; /* in a row */
    char fault[512];
    struct mcp_client *client;
    uint64_t client_number; /* lists fetched from an earlier one are dropped */
    struct io_timer timer;  /* the next start, calm, or the end of patience */
    struct io_task task;    /* what must not happen inside a callback */
    struct down_list lists[DOWN_LISTS];
    size_t fetching;    /* lists under way */
    struct map watched; /* uri -> count */
    struct downstream_call *calls;
    size_t call_count;
    char *instructions;
    int log_fd;
    size_t log_size;
    void (*gone)(void *data);
    void *gone_data;
};

struct downstream_call {
    struct downstream *d;
    struct downstream_call *next, **link; /* newest first */
    struct arena memory;                  /* of the spec's texts */
    struct downstream_spec spec;
    struct mcp_call *call; /* NULL while it waits for the start */
};

/* -- calls (downstream_call.c) -----------------------------------------------
 */

void calls_send(struct downstream *d); /* those that waited */
void calls_fail(struct downstream *d, const struct err *why);
void calls_asked(struct downstream *d, struct mcp_ask *ask);
void calls_logged(struct downstream *d, const struct json *params);

/* -- lists (downstream_list.c) -----------------------------------------------
 */

void lists_fetch(struct downstream *d);
void lists_changed(struct downstream *d, enum downstream_list list);
void lists_watch(struct downstream *d);
void lists_fini(struct downstream *d);

/* The first fetching is done: it is as ready as it gets. */
void downstream_settle(struct downstream *d);
/* A call ended: a server that retires may have waited for it. */
void downstream_maybe_close(struct downstream *d);

/* -- its standard error (downstream_log.c) -----------------------------------
 */

void down_log_line(struct downstream *d, str line);

#endif
