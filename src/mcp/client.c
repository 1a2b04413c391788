/* SPDX-License-Identifier: MIT
 *
 * The life of a connection.
 */
#include "mcp/client.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mcp/client_conn.h"
#include "json/build.h"

enum { MEMORY_MAX = 4 << 20, ABOUT_MAX = 16 << 20, HEADERS_MAX = 1000 };

static void destroy(struct mcp_client *c);

void conn_enter(struct mcp_client *c) {
    c->depth++;
}

void conn_leave(struct mcp_client *c) {
    c->depth--;
}

void conn_log(struct mcp_client *c, enum log_level level, const char *fmt,
              ...) {
    if (!c->config.log) return;
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    log_line(c->config.log, level, "mcp: %s", text);
}

/* -- a copy of the configuration ---------------------------------------------
 */

static int copy_text(struct arena *a, const char **text, struct err *e) {
    if (!*text) return 0;
    *text = arena_text(a, str_of(*text), e);
    return *text ? 0 : -1;
}

static int copy_headers(struct arena *a, const struct http_header **headers,
                        struct err *e) {
    size_t n = 0;
    while (*headers && (*headers)[n].name)
        if (++n > HEADERS_MAX) return fail(e, ERR_LIMIT, "too many headers");
    struct http_header *copy = arena_zalloc(a, n + 1, sizeof *copy, e);
    if (!copy) return -1;
    for (size_t i = 0; i < n; i++) {
        copy[i] = (*headers)[i];
        if (copy_text(a, &copy[i].name, e) || copy_text(a, &copy[i].value, e))
            return -1;
    }
    *headers = copy;
    return 0;
}

static int copy_json(struct arena *a, const struct json **v, struct err *e) {
    if (!*v) return 0;
    struct json_build b = JSON_BUILD(a);
    build_copy(&b, *v);
    return build_done(&b, v, e);
}

static int64_t or_default(int64_t v, int64_t fallback) {
    return v ? v : fallback;
}

static int copy_config(struct mcp_client *c,
                       const struct mcp_client_config *config, struct err *e) {
    struct arena *a = &c->memory;
    struct mcp_client_config *to = &c->config;
    *to = *config;
    to->connect_ns = or_default(to->connect_ns, 60 * CONN_SECOND);
    to->probe_ns = or_default(to->probe_ns, 5 * CONN_SECOND);
    to->call_ns = or_default(to->call_ns, 60 * CONN_SECOND);
    to->call_max_ns = or_default(to->call_max_ns, 600 * CONN_SECOND);
    if (!to->message_max) to->message_max = CONN_MESSAGE_MAX;
    if (!to->revision) to->revision = MCP_NEWEST_LEGACY;
    if (copy_text(a, &to->url, e) || copy_text(a, &to->name, e) ||
        copy_text(a, &to->version, e) || copy_text(a, &to->ca_file, e))
        return -1;
    return copy_headers(a, &to->headers, e) || copy_json(a, &to->can, e) ? -1
                                                                         : 0;
}

/* -- from the beginning to the end -------------------------------------------
 */

static void free_later(struct io_task *t) {
    destroy(t->data);
}

static int start(struct mcp_client *c, struct err *e) {
    if (!c->config.command == !c->config.url)
        return fail(e, ERR_INVALID, "a server is a command or a URL");
    if (c->config.url && !c->config.http)
        return fail(e, ERR_INVALID, "a URL needs the HTTP client");
    c->link = c->config.command ? transport_stdio(c, e) : transport_http(c, e);
    if (!c->link) return -1;
    c->config.command = NULL; /* not copied, and not needed any more */
    return conn_begin(c, e);
}

struct mcp_client *mcp_client_new(struct loop *loop,
                                  const struct mcp_client_config *config,
                                  struct err *e) {
    struct mcp_client *c = mem_zalloc(1, sizeof *c, e);
    if (!c) return NULL;
    c->loop = loop;
    c->memory = ARENA_MAX(MEMORY_MAX);
    c->about = ARENA_MAX(ABOUT_MAX);
    c->watch_memory = ARENA_MAX(MEMORY_MAX);
    c->by_id = MAP_MAX(CONN_CALLS_MAX);
    c->params = MAP_MAX(CONN_CALLS_MAX);
    c->free_task = (struct io_task){.fn = free_later, .data = c};
    conn_list_start(c);
    if (copy_config(c, config, e) || start(c, e)) {
        destroy(c);
        return NULL;
    }
    return c;
}

static void destroy(struct mcp_client *c) {
    c->dead = true;
    conn_stop_timers(c);
    while (c->calls)
        call_free(c->calls);
    while (c->asks)
        ask_orphan(c->asks);
    conn_list_stop(c);
    if (c->link) c->link->free(c->link);
    if (c->former) c->former->free(c->former);
    params_forget(c);
    map_fini(&c->by_id);
    arena_fini(&c->watch_memory);
    arena_fini(&c->about);
    arena_fini(&c->memory);
    loop_unpost(c->loop, &c->free_task);
    mem_free(c);
}

void mcp_client_free(struct mcp_client *c) {
    if (!c || c->dead) return;
    if (!c->depth) {
        destroy(c);
        return;
    }
    c->dead = true;
    loop_post(c->loop, &c->free_task);
}

void conn_ready(struct mcp_client *c) {
    c->state = CONN_READY;
    loop_timer_stop(&c->connect_timer);
    loop_timer_stop(&c->probe_timer);
    conn_enter(c);
    c->link->ready(c->link);
    if (!c->dead) c->config.events->ready(c->config.data, c);
    if (!c->dead && c->state == CONN_READY) conn_watch_again(c);
    conn_leave(c);
}

static void end_calls(struct mcp_client *c, const struct err *e) {
    while (c->calls && !c->dead)
        call_fail(c->calls, e);
    while (c->asks)
        ask_orphan(c->asks);
}

static void finish(struct mcp_client *c, const struct err *e) {
    static const struct err closing = {ERR_PEER, "the connection was closed"};
    if (c->state == CONN_CLOSED || c->dead) return;
    c->state = CONN_CLOSED;
    conn_stop_timers(c);
    conn_enter(c);
    end_calls(c, e ? e : &closing);
    if (!c->dead) c->config.events->closed(c->config.data, c, e);
    conn_leave(c);
}

void conn_lost(struct mcp_client *c, const struct err *e) {
    struct err copy = *e; /* it may be one of a call that ends now */
    finish(c, c->state == CONN_CLOSING ? NULL : &copy);
}

void conn_closed(struct mcp_client *c) {
    finish(c, NULL);
}

void mcp_client_close(struct mcp_client *c) {
    if (c->state >= CONN_CLOSING) return;
    c->state = CONN_CLOSING;
    loop_timer_stop(&c->connect_timer);
    loop_timer_stop(&c->probe_timer);
    c->link->close(c->link);
}

/* -- what is known -----------------------------------------------------------
 */

enum mcp_era mcp_client_era(const struct mcp_client *c) {
    return c->era;
}

enum mcp_revision mcp_client_revision(const struct mcp_client *c) {
    return c->revision;
}

const struct json *mcp_client_server(const struct mcp_client *c) {
    return c->server;
}

const struct json *mcp_client_capabilities(const struct mcp_client *c) {
    return c->capabilities;
}

str mcp_client_instructions(const struct mcp_client *c) {
    return c->instructions;
}

struct mcp_client_counts mcp_client_counts(const struct mcp_client *c) {
    return c->counts;
}
