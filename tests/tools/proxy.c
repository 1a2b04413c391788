/* SPDX-License-Identifier: MIT
 *
 * proxy CONFIG: the proxy alone, on a port of its own, for tests and bench.
 * Prints "PORT"; GET /metrics has its counts. Ends when standard input does.
 */
#include "cli/models.h"
#include "cli/settings.h"

#include <stdio.h>
#include <unistd.h>

#define ROOM ((size_t)16 << 20)

struct harness {
    struct loop *loop;
    struct proxy *proxy;
    struct io_watch input;
};

static void handle(void *data, struct exchange *x) {
    struct harness *h = data;
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    struct err e;
    if (proxy_handle(h->proxy, x)) return;
    if (str_is(exchange_path(x), "/metrics") &&
        proxy_metrics(h->proxy, &out, &e) == 0)
        (void)exchange_answer(x, 200, NULL, buf_str(&out), &e);
    else
        (void)exchange_answer(x, 404, NULL, STR("no such path\n"), &e);
}

static void on_input(struct io_watch *w, uint32_t events) {
    struct harness *h = w->data;
    char c[64];
    (void)events;
    if (read(0, c, sizeof c) <= 0) loop_stop(h->loop);
}

static int run(const char *path, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_LOOP struct loop *loop = loop_new(e);
    struct harness h = {.loop = loop};
    struct secrets *secrets = secrets_new(e);
    const struct json *root;
    struct proxy_config config;
    if (!loop || !secrets || config_load(path, settings_keys(), &a, &root, e) ||
        models_proxy(root, secrets, &a, &config, e))
        return -1;
    struct log log = LOG_TO(2, LOG_WARN);
    struct client *client = client_new(loop, e);
    config.loop = loop;
    config.client = client;
    config.log = &log;
    h.proxy = client ? proxy_new(&config, e) : NULL;
    if (!h.proxy) return -1;
    struct server_config sc = {
        .address = "127.0.0.1:0", .handle = handle, .data = &h};
    struct server *server = server_new(loop, &sc, e);
    h.input = (struct io_watch){.fd = 0, .fn = on_input, .data = &h};
    if (!server || loop_watch(loop, &h.input, EPOLLIN, e)) return -1;
    printf("%u\n", server_port(server));
    fflush(stdout);
    int result = loop_run(loop, e);
    loop_unwatch(&h.input);
    server_free(server);
    proxy_free(h.proxy);
    client_free(client);
    secrets_free(secrets);
    return result;
}

int main(int argc, char **argv) {
    struct err e;
    if (argc == 2 && run(argv[1], &e) == 0) return 0;
    fprintf(stderr, "proxy: %s\n", argc == 2 ? e.text : "usage: proxy CONFIG");
    return 1;
}
