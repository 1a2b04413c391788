/* SPDX-License-Identifier: MIT
 *
 * The proxy as a part of `cordon serve`: there where models are configured.
 */
#include "base/mem.h"
#include "cli/models.h"
#include "cli/serve.h"

#define ROOM ((size_t)16 << 20)

struct part_proxy {
    struct arena arena;
    struct proxy *proxy;
};

static void handle(void *data, struct exchange *x,
                   const struct front_caller *who) {
    struct part_proxy *p = data;
    (void)who;
    if (!proxy_handle(p->proxy, x))
        front_refuse(x, 404, "not_found", "no such path");
}

static void handle_metrics(void *data, struct exchange *x,
                           const struct front_caller *who) {
    static const struct http_header text[] = {
        {"Content-Type", "text/plain; version=0.0.4"}, {NULL, NULL}};
    struct part_proxy *p = data;
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct err e;
    (void)who;
    if (proxy_metrics(p->proxy, &out, &e) ||
        exchange_answer(x, 200, text, buf_str(&out), &e))
        exchange_end(x);
}

/* With keys of its own the proxy lets in whom it knows. */
static int mount(struct serve *s, struct part_proxy *p, bool keys,
                 struct err *e) {
    static const char *const paths[] = {"/v1/chat/completions", "/v1/responses",
                                        "/v1/messages", "/v1/models"};
    struct front_route route = {.open = keys, .handle = handle, .data = p};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        route.prefix = paths[i];
        if (front_mount(s->front, &route, e)) return -1;
    }
    route = (struct front_route){
        .prefix = "/metrics/proxy", .handle = handle_metrics, .data = p};
    return front_mount(s->front, &route, e);
}

int serve_proxy_start(struct serve *s, struct err *e) {
    struct proxy_config config;
    if (!s->front || !json_get(s->settings, "models")) return 0;
    struct part_proxy *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return -1;
    s->parts[SERVE_proxy] = p;
    p->arena = ARENA_MAX(ROOM);
    if (models_proxy(s->settings, s->authority.secrets, &p->arena, &config, e))
        return -1;
    config.loop = s->loop;
    config.client = s->http;
    config.log = s->log;
    p->proxy = proxy_new(&config, e);
    return p->proxy ? mount(s, p, config.key_count > 0, e) : -1;
}

void serve_proxy_end(struct serve *s) {
    struct part_proxy *p = s->parts[SERVE_proxy];
    if (!p) return;
    proxy_free(p->proxy);
    arena_fini(&p->arena);
    mem_free(p);
    s->parts[SERVE_proxy] = NULL;
}
