/* SPDX-License-Identifier: MIT
 *
 * The proxy as a part of `cordon serve`: there where models are configured.
 */
#include "base/mem.h"
#include "cli/models.h"
#include "cli/serve.h"

#define ROOM ((size_t)16 << 20)

/* A proxy and the settings it was made of. */
struct generation {
    struct generation *older;
    struct arena arena;
    struct proxy *proxy;
    bool keys;
};

/* After a change of the configuration requests that came before it are
 * answered by the proxy they came to. */
struct part_proxy {
    struct generation *now;
};

static void drop(struct generation *g) {
    if (!g) return;
    proxy_free(g->proxy);
    arena_fini(&g->arena);
    mem_free(g);
}

static void drop_idle(struct generation *g) {
    while (g->older) {
        struct generation *old = g->older;
        if (!proxy_idle(old->proxy)) {
            g = old;
            continue;
        }
        g->older = old->older;
        drop(old);
    }
}

static void handle(void *data, struct exchange *x,
                   const struct front_caller *who) {
    struct part_proxy *p = data;
    struct proxy_caller caller = {STR("local"), {NULL, 0}};
    if (who) caller = (struct proxy_caller){who->principal, who->scopes};
    drop_idle(p->now);
    if (!proxy_handle(p->now->proxy, x, &caller))
        front_refuse(x, 404, "not_found", "no such path");
}

static bool screen(void *data, struct exchange *x) {
    struct part_proxy *p = data;
    return proxy_screen(p->now->proxy, x);
}

static void handle_metrics(void *data, struct exchange *x,
                           const struct front_caller *who) {
    static const struct http_header text[] = {
        {"Content-Type", "text/plain; version=0.0.4"}, {NULL, NULL}};
    struct part_proxy *p = data;
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct err e;
    (void)who;
    if (proxy_metrics(p->now->proxy, &out, &e) ||
        exchange_answer(x, 200, text, buf_str(&out), &e))
        exchange_end(x);
}

/* With keys of its own the proxy lets in whom it knows. */
static int mount(struct serve *s, struct part_proxy *p, bool keys,
                 struct err *e) {
    static const char *const paths[] = {"/v1/chat/completions", "/v1/responses",
                                        "/v1/messages", "/v1/models"};
    struct front_route route = {
        .open = keys, .handle = handle, .screen = screen, .data = p};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        route.prefix = paths[i];
        if (front_mount(s->front, &route, e)) return -1;
    }
    route = (struct front_route){
        .prefix = "/metrics/proxy", .handle = handle_metrics, .data = p};
    return front_mount(s->front, &route, e);
}

static bool allows(void *data, str scopes, str tool) {
    const struct serve *s = data;
    return front_allows(s->front, scopes, tool);
}

static struct generation *make(struct serve *s, const struct json *root,
                               const struct proxy *before, struct err *e) {
    struct proxy_config config;
    struct generation *g = mem_zalloc(1, sizeof *g, e);
    if (!g) return NULL;
    g->arena = ARENA_MAX(ROOM);
    if (models_proxy(root, s->authority.secrets, &g->arena, &config, e)) {
        drop(g);
        return NULL;
    }
    config.loop = s->loop;
    config.client = s->http;
    config.log = s->log;
    config.audit = s->authority.audit;
    config.standing = serve_standing(s);
    config.own.boundary = s->authority.boundary;
    config.own.allows = allows;
    config.own.data = s;
    g->keys = config.key_count > 0;
    g->proxy = proxy_new(&config, before, e);
    if (g->proxy) return g;
    drop(g);
    return NULL;
}

static void on_settled(struct hub_waiter *w) {
    *(bool *)w->data = true;
}

/* Models shall not miss the tools that are offered from the first request on:
 * nobody is told where to connect before the servers had their time. */
static int settle(struct serve *s, struct err *e) {
    bool ready = false;
    struct hub_waiter w = {.done = on_settled, .data = &ready};
    hub_wait(s->hub, &w);
    while (!ready)
        if (loop_step(s->loop, -1, e)) return -1;
    return 0;
}

int serve_proxy_start(struct serve *s, struct err *e) {
    if (!s->front || !json_get(s->settings, "models")) return 0;
    struct part_proxy *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return -1;
    s->parts[SERVE_proxy] = p;
    p->now = make(s, s->settings, NULL, e);
    if (!p->now || mount(s, p, p->now->keys, e)) return -1;
    return json_pointer(s->settings, STR("/proxy/execute")) ? settle(s, e) : 0;
}

int serve_proxy_reload(struct serve *s, const struct json *root,
                       struct err *e) {
    struct part_proxy *p = s->parts[SERVE_proxy];
    if (!p || !json_get(root, "models")) return 0;
    struct generation *g = make(s, root, p->now->proxy, e);
    if (!g) return -1;
    if (g->keys != p->now->keys) {
        drop(g);
        return fail(e, ERR_UNSUPPORTED,
                    "proxy.keys: whether keys are wanted is decided at the "
                    "start");
    }
    g->older = p->now;
    p->now = g;
    drop_idle(g);
    return 0;
}

void serve_proxy_end(struct serve *s) {
    struct part_proxy *p = s->parts[SERVE_proxy];
    if (!p) return;
    while (p->now) {
        struct generation *g = p->now;
        p->now = g->older;
        drop(g);
    }
    mem_free(p);
    s->parts[SERVE_proxy] = NULL;
}
