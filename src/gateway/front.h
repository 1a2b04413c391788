/* SPDX-License-Identifier: MIT
 *
 * front -- the one HTTP server: who may come in, and to whom they are handed.
 *
 * Every request passes the same checks before its handler sees it: the Host it
 * was meant for, the Origin it comes from (a web page that resolves its own
 * name to this machine shows by these), who sends it, and how much they have
 * asked lately. A long body is not read before it is known who sends it. What
 * is served (MCP, the OpenAI-compatible proxy, the HTTP API, the page) is
 * mounted by path.
 */
#ifndef CORDON_GATEWAY_FRONT_H
#define CORDON_GATEWAY_FRONT_H

#include "base/log.h"
#include "io/client.h"
#include "io/server.h"
#include "json/json.h"

struct front;

/* Who asks. Lives until the handler returns. */
struct front_caller {
    str principal; /* the token's name or the token's subject; "local" where
                      no token is wanted */
    str scopes;    /* separated by spaces; p NULL: not limited by scopes */
};

struct front_route {
    const char *prefix; /* "/mcp": it and everything below; the longest that
                           fits is taken */
    bool open;          /* answered without a token: health, metadata */
    void (*handle)(void *data, struct exchange *x,
                   const struct front_caller *who);
    /* Whether a long body may come, where the route has checks of its own;
     * false: it has answered. NULL: from everybody who is let in. */
    bool (*screen)(void *data, struct exchange *x);
    void *data;
};

struct front_config {
    const char *address;
    /* The "serve.http" object of the configuration, with references in place;
     * NULL: nothing is set. */
    const struct json *settings;
    struct client *http; /* to fetch keys with; NULL: none are fetched */
    struct log *log;
};

/* Listens at once; routes may be added before the loop runs. Without tokens and
 * without an authorization server only a loopback address is accepted. */
struct front *front_new(struct loop *loop, const struct front_config *config,
                        struct err *e);
void front_free(struct front *g); /* open exchanges are told gone */

int front_mount(struct front *g, const struct front_route *route,
                struct err *e);
unsigned front_port(const struct front *g);

/* New tokens, hosts and limits; the address stays. The old ones stay when these
 * are wrong. */
int front_reload(struct front *g, const struct json *settings, struct err *e);

/* Accepts no more connections. */
void front_quiesce(struct front *g);

/* What a set of scopes may use: patterns of names from "scopes" in the
 * settings. True for everyone where nothing is set. */
bool front_allows(const struct front *g, str scopes, str name);

/* Whether the words of one list ("a b") stand in the other. */
bool front_has_scope(str scopes, str wanted);

/* {"error": {"message", "type"}} with a status, for handlers. */
void front_refuse(struct exchange *x, unsigned status, const char *type,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
