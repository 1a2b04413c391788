/* SPDX-License-Identifier: MIT
 *
 * hub -- many MCP servers as one: what a host sees of them.
 *
 * Servers are started side by side; a slow or dead one holds up nobody. Their
 * tools go into the registry, and every call to one goes through the boundary;
 * prompts and resources are passed on under names of their own. A server of
 * either era can be used by a host of either era: what it asks in the middle of
 * a request reaches the host the way the host's era has it.
 *
 * What a host is offered is the surface: the few constant tools of code mode, a
 * chosen few, or everything.
 */
#ifndef CORDON_GATEWAY_HUB_H
#define CORDON_GATEWAY_HUB_H

#include "call/call.h"
#include "gateway/servers.h"
#include "io/client.h"
#include "mcp/server.h"
#include "json/write.h"

struct hub;
struct samples;

enum hub_surface {
    HUB_CODE,   /* the hub's own tools, constant; see hub_config.direct */
    HUB_SELECT, /* and a chosen few of the servers' */
    HUB_ALL,    /* everything the servers have */
};

struct pin_keeper;

struct hub_config {
    struct loop *loop;
    struct log *log;
    struct client *http; /* for servers with a URL */
    struct boundary *boundary;
    struct audit *audit;     /* where answers of people are recorded; or NULL */
    struct pin_keeper *pins; /* keys of hosts; NULL: any key is taken */
    const struct registry_keys *registry_keys; /* NULL: signatures of packages
                                                  are not looked at */
    enum hub_surface surface;
    size_t direct;   /* HUB_CODE: up to so many tools of servers are offered
                        beside the hub's own; 0: none */
    int64_t wait_ns; /* how long the first list waits for servers; 0: 10 s */
    /* Whether scopes let a caller use a tool; NULL: they always do. */
    bool (*allows)(void *data, str scopes, str name);
    void *data;
    struct samples *samples; /* who answers servers' questions to models, where
                                that was allowed; NULL: only hosts */
};

struct hub *hub_new(const struct hub_config *config, struct err *e);

/* Starts what is new in the configuration, ends what is gone, restarts what
 * changed and leaves the rest alone. On failure everything stays. */
int hub_configure(struct hub *h, const struct json *root,
                  const struct servers_context *context, struct err *e);

/* What transports serve. */
struct mcp_server *hub_server(struct hub *h);
struct boundary *hub_boundary(struct hub *h);
enum hub_surface hub_surface(const struct hub *h);

/* Every server has been ready or has failed once. */
bool hub_settled(const struct hub *h);
/* Called once when that is so (at once if it is), or when wait_ns is over. */
struct hub_waiter {
    void (*done)(struct hub_waiter *w);
    void *data;
    struct hub_waiter *next, **link;
};
void hub_wait(struct hub *h, struct hub_waiter *w);
void hub_unwait(struct hub_waiter *w);

/* Tools became callable or stopped being so: hosts are told. */
void hub_tools_changed(struct hub *h);

/* One line a server: name, state, tools, fault. For people and the API. */
void hub_write_state(const struct hub *h, struct jw *w);

/* Ends every server in order; gone is called when none is left. */
void hub_close(struct hub *h, void (*gone)(void *data), void *data);
void hub_free(struct hub *h); /* after the transports */

/* -- resources and prompts, for a host in this process ------------------------
 */

enum hub_kind { HUB_RESOURCE, HUB_PROMPT };

/* What the configuration itself declares is under this name. */
#define HUB_CONFIG_NAME "config"

/* Each that a server lists, by the server's name. */
void hub_each(const struct hub *h, enum hub_kind kind,
              void (*each)(void *data, str server, const struct json *item),
              void *data);
bool hub_has_server(const struct hub *h, str name);

struct hub_fetch;
struct hub_wish {
    enum hub_kind kind;
    str server;
    str name;                /* a URI or a prompt's name, as the server's */
    const struct json *args; /* of a prompt: an object of texts, or NULL */
    /* Called once, now or later; result is NULL when there is none. */
    void (*done)(void *data, const struct json *result, const struct err *e);
    void *data;
};

/* 0: done was or will be called; *out is what to cancel it by, NULL once it was
 * called. -1: it will not be. */
int hub_fetch(struct hub *h, const struct hub_wish *w, struct hub_fetch **out,
              struct err *e);
void hub_fetch_cancel(struct hub_fetch *f); /* done is not called */

/* -- tools of the surface itself ---------------------------------------------
 */

struct hub_tool {
    const char *definition; /* JSON text: name, description, inputSchema */
    /* Ends with mcp_answer or mcp_refuse, now or later. */
    void (*call)(void *data, struct hub *h, struct mcp_request *r,
                 const struct json *arguments);
    /* Nobody wants the answer; it must still be given. May be NULL. */
    void (*cancelled)(void *data, struct mcp_request *r);
    void *data;
};

/* Before the first request. */
int hub_add_tool(struct hub *h, const struct hub_tool *tool, struct err *e);

/* Answers with one text, isError or not. */
void hub_answer_text(struct mcp_request *r, str text, bool is_error);

#endif
