/* SPDX-License-Identifier: MIT
 *
 * Whole lists, and word of their changes.
 */
#include <string.h>

#include "base/mem.h"
#include "mcp/client_conn.h"
#include "json/build.h"

#define CHANGE_WAIT (100 * CONN_MS)
#define WATCH_LEAST (500 * CONN_MS)
#define WATCH_MOST  (60 * CONN_SECOND)

enum { CURSOR_MAX = 64 << 10, ITEMS_MAX = 100000, BYTES_MAX = 256 << 20 };

/* -- all pages ---------------------------------------------------------------
 */

struct listing {
    struct mcp_client *client;
    struct listing *next, **link; /* in client->listings */
    struct mcp_list_spec spec;    /* method and key are in `arena` */
    struct arena arena;
    struct arena items_arena; /* of `items` alone */
    struct json_build items;
    size_t count, pages;
    struct mcp_listing out;
};

static int ask_page(struct listing *l, const struct json *cursor,
                    struct err *e);

static void listing_free(struct listing *l) {
    *l->link = l->next;
    if (l->next) l->next->link = l->link;
    arena_fini(&l->items_arena);
    arena_fini(&l->arena);
    mem_free(l);
}

void conn_list_stop(struct mcp_client *c) {
    while (c->listings)
        listing_free(c->listings);
}

static void listing_end(struct listing *l, const struct err *why) {
    struct err e;
    build_end(&l->items);
    if (!why && build_done(&l->items, &l->out.items, &e)) why = &e;
    if (why) l->out.items = NULL;
    l->out.err = why;
    l->spec.done(l->spec.data, &l->out);
    listing_free(l);
}

/* Over HTTP a modern tool whose headers cannot be built cannot be called. */
static bool excluded(struct listing *l, const struct json *item) {
    struct mcp_client *c = l->client;
    if (c->era != MCP_MODERN || !c->config.url ||
        strcmp(l->spec.method, "tools/list") != 0)
        return false;
    const char *fault = params_fault(item);
    if (!fault) return false;
    str name = json_get_text(item, "name", STR("?"));
    conn_log(c, LOG_WARN, "tool '%.*s' is left out: %s", STR_ARG(name), fault);
    return true;
}

/* The shortest time and the narrowest scope of all pages. */
static void take_hints(struct listing *l, const struct json *result) {
    int64_t ttl = json_get_int(result, "ttlMs", -1);
    str scope = json_get_text(result, "cacheScope", STR(""));
    if (l->pages == 1 || ttl < l->out.ttl_ms) l->out.ttl_ms = ttl;
    l->out.shared = (l->pages == 1 || l->out.shared) && str_is(scope, "public");
}

static int take_page(struct listing *l, const struct json *result,
                     struct err *e) {
    const struct json *items = json_get(result, l->spec.key);
    l->pages++;
    take_hints(l, result);
    if (!items || json_type(items) != JSON_ARRAY)
        return fail(e, ERR_PEER, "%s: no list of %s", l->spec.method,
                    l->spec.key);
    l->count += json_len(items);
    if (l->count > l->spec.items_max || l->pages > CONN_PAGES_MAX)
        return fail(e, ERR_LIMIT, "%s: more than %zu items", l->spec.method,
                    l->spec.items_max);
    const struct json *item = json_first(items);
    for (size_t i = json_len(items); i > 0; i--, item = json_skip(item)) {
        if (excluded(l, item))
            l->out.excluded++;
        else
            build_copy(&l->items, item);
    }
    return 0;
}

static void on_page(void *data, const struct mcp_reply *reply) {
    struct listing *l = data;
    struct err e;
    if (!reply->result) {
        listing_end(l, reply->err);
        return;
    }
    const struct json *cursor = json_get(reply->result, "nextCursor");
    if (cursor && json_type(cursor) != JSON_STRING) cursor = NULL;
    if (take_page(l, reply->result, &e) || (cursor && ask_page(l, cursor, &e)))
        listing_end(l, &e);
    else if (!cursor)
        listing_end(l, NULL);
}

/* Cursors are opaque; the empty one is one too. */
static int ask_page(struct listing *l, const struct json *cursor,
                    struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(CURSOR_MAX);
    struct mcp_call_spec spec = {
        .method = l->spec.method, .raw = true, .done = on_page, .data = l};
    struct json_build b = JSON_BUILD(&a);
    build_object(&b);
    if (cursor) build_put(&b, "cursor", cursor);
    build_end(&b);
    if (build_done(&b, &spec.params, e)) return -1;
    return mcp_call(l->client, &spec, e) ? 0 : -1;
}

static struct listing *listing_new(struct mcp_client *c,
                                   const struct mcp_list_spec *spec,
                                   struct err *e) {
    struct listing *l = mem_zalloc(1, sizeof *l, e);
    if (!l) return NULL;
    l->client = c;
    l->next = c->listings;
    l->link = &c->listings;
    if (l->next) l->next->link = &l->next;
    c->listings = l;
    l->spec = *spec;
    if (!l->spec.items_max) l->spec.items_max = ITEMS_MAX;
    l->arena = ARENA_MAX(CURSOR_MAX);
    l->items_arena =
        ARENA_MAX(spec->bytes_max ? spec->bytes_max : (size_t)BYTES_MAX);
    l->items = JSON_BUILD(&l->items_arena);
    build_array(&l->items);
    l->spec.method = arena_text(&l->arena, str_of(spec->method), e);
    if (l->spec.method)
        l->spec.key = arena_text(&l->arena, str_of(spec->key), e);
    if (l->spec.method && l->spec.key) return l;
    listing_free(l);
    return NULL;
}

int mcp_list_all(struct mcp_client *c, const struct mcp_list_spec *spec,
                 struct err *e) {
    struct listing *l = listing_new(c, spec, e);
    if (!l) return -1;
    if (ask_page(l, NULL, e) == 0) return 0;
    listing_free(l);
    return -1;
}

/* -- changes -----------------------------------------------------------------
 */

static const char *const change_names[CONN_LISTS] = {
    [CONN_TOOLS] = "notifications/tools/list_changed",
    [CONN_PROMPTS] = "notifications/prompts/list_changed",
    [CONN_RESOURCES] = "notifications/resources/list_changed",
};

static void tell_changes(struct io_timer *t) {
    struct mcp_client *c = t->data;
    conn_enter(c);
    for (int i = 0; i < CONN_LISTS && !c->dead; i++) {
        if (!c->changed[i]) continue;
        c->changed[i] = false;
        c->config.events->notified(c->config.data, c, str_of(change_names[i]),
                                   NULL);
    }
    conn_leave(c);
}

/* The first change starts the wait and later ones do not prolong it: a storm
 * is told of, ten times a second at most. */
void conn_list_changed(struct mcp_client *c, enum conn_list list) {
    struct err e;
    if (!c->config.events->notified) return;
    c->changed[list] = true;
    if (!c->change_timer.place)
        (void)loop_timer(c->loop, &c->change_timer, CHANGE_WAIT, &e);
}

/* -- subscriptions -----------------------------------------------------------
 */

static void build_filter(const struct mcp_watch *w, struct json_build *b) {
    build_object(b);
    build_key(b, STR("notifications"));
    build_object(b);
    if (w->tools) build_put_bool(b, "toolsListChanged", true);
    if (w->prompts) build_put_bool(b, "promptsListChanged", true);
    if (w->resources) build_put_bool(b, "resourcesListChanged", true);
    if (w->uris && w->uris[0]) {
        build_key(b, STR("resourceSubscriptions"));
        build_array(b);
        for (size_t i = 0; w->uris[i]; i++)
            build_text(b, str_of(w->uris[i]));
        build_end(b);
    }
    build_end(b);
    build_end(b);
}

/* The stream ended: opened again, after a while that doubles each time; a
 * server that does not know the method is not asked again. */
static void on_listen_end(void *data, const struct mcp_reply *reply) {
    struct mcp_client *c = data;
    struct err e;
    c->listen = NULL;
    if (c->state != CONN_READY) return;
    if (reply->error && rpc_error_code(reply->error) == RPC_NO_METHOD) return;
    (void)loop_timer(c->loop, &c->watch_timer, c->watch_wait, &e);
    c->watch_wait *= 2;
    if (c->watch_wait > WATCH_MOST) c->watch_wait = WATCH_MOST;
}

static int listen_modern(struct mcp_client *c, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(64 << 20);
    struct json_build b = JSON_BUILD(&a);
    struct mcp_call_spec spec = {.method = "subscriptions/listen",
                                 .timeout_ns = -1,
                                 .max_ns = -1,
                                 .raw = true,
                                 .done = on_listen_end,
                                 .data = c};
    build_filter(&c->watch, &b);
    if (build_done(&b, &spec.params, e)) return -1;
    if (c->listen) mcp_call_cancel(c->listen, "replaced");
    c->listen = mcp_call(c, &spec, e);
    return c->listen ? 0 : -1;
}

static void ignore(void *data, const struct mcp_reply *reply) {
    struct mcp_client *c = data;
    if (!reply->result)
        conn_log(c, LOG_WARN, "a resource is not watched: %s",
                 reply->err->text);
}

static int subscribe_legacy(struct mcp_client *c, const char *method,
                            const char *uri, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct json_build b = JSON_BUILD(&a);
    struct mcp_call_spec spec = {.method = method, .done = ignore, .data = c};
    build_object(&b);
    build_put_text(&b, "uri", str_of(uri));
    build_end(&b);
    if (build_done(&b, &spec.params, e)) return -1;
    return mcp_call(c, &spec, e) ? 0 : -1;
}

static int subscribe_all(struct mcp_client *c, const char *method,
                         struct err *e) {
    for (size_t i = 0; c->watch.uris && c->watch.uris[i]; i++)
        if (subscribe_legacy(c, method, c->watch.uris[i], e)) return -1;
    return 0;
}

static int watch_now(struct mcp_client *c, struct err *e) {
    return c->era == MCP_MODERN ? listen_modern(c, e)
                                : subscribe_all(c, "resources/subscribe", e);
}

void conn_watch_again(struct mcp_client *c) {
    struct err e;
    if (c->watching && watch_now(c, &e))
        conn_log(c, LOG_WARN, "changes are not watched: %s", e.text);
}

static void on_watch_timer(struct io_timer *t) {
    struct mcp_client *c = t->data;
    if (c->state == CONN_READY && !c->listen) conn_watch_again(c);
}

void conn_list_start(struct mcp_client *c) {
    c->change_timer = (struct io_timer){.fn = tell_changes, .data = c};
    c->watch_timer = (struct io_timer){.fn = on_watch_timer, .data = c};
    c->watch_wait = WATCH_LEAST;
}

static int copy_watch(struct mcp_client *c, const struct mcp_watch *w,
                      struct err *e) {
    size_t n = 0;
    while (w->uris && w->uris[n])
        if (++n > CONN_WATCHED_MAX)
            return fail(e, ERR_LIMIT, "more than %d resources to watch",
                        CONN_WATCHED_MAX);
    struct arena memory = ARENA_MAX(c->watch_memory.max);
    const char **uris = arena_zalloc(&memory, n + 1, sizeof *uris, e);
    for (size_t i = 0; uris && i < n; i++)
        if (!(uris[i] = arena_text(&memory, str_of(w->uris[i]), e)))
            uris = NULL;
    if (!uris) {
        arena_fini(&memory);
        return -1;
    }
    arena_fini(&c->watch_memory);
    c->watch_memory = memory;
    c->watch = *w;
    c->watch.uris = uris;
    return 0;
}

int mcp_client_watch(struct mcp_client *c, const struct mcp_watch *watch,
                     struct err *e) {
    if (c->watching && c->era == MCP_LEGACY &&
        subscribe_all(c, "resources/unsubscribe", e))
        return -1;
    c->watching = false;
    if (copy_watch(c, watch, e)) return -1;
    c->watching = true;
    c->watch_wait = WATCH_LEAST;
    return c->state == CONN_READY ? watch_now(c, e) : 0;
}
