/* SPDX-License-Identifier: MIT */
#include "mcp/auth_browser.h"

#include <stdio.h>

#include "base/mem.h"
#include "io/child.h"
#include "io/server.h"
#include "io/url.h"

enum { QUERY_MAX = 64 << 10, BODY_MAX = 1024, CONNECTIONS = 16 };
#define PATIENCE ((int64_t)300 * 1000000000)

struct auth_browser {
    struct loop *loop;
    struct auth_browser_config config;
    struct server *server;
    char redirect_uri[64];
    struct mcp_auth *auth; /* waits for the answer; NULL: nobody */
    struct io_timer timer;
    struct child opener;
};

/* -- the answer --------------------------------------------------------------
 */

static int copy_parameter(struct exchange *x, const char *name,
                          struct buf *query, struct err *e) {
    str v = exchange_query(x, name);
    if (!v.p) return 0;
    if (query->len && buf_add_char(query, '&', e)) return -1;
    if (buf_addf(query, e, "%s=", name)) return -1;
    return url_encode(v, query, e);
}

static int read_answer(struct exchange *x, struct buf *query, struct err *e) {
    static const char *const names[] = {"code", "state", "iss", "error",
                                        "error_description"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (copy_parameter(x, names[i], query, e)) return -1;
    return 0;
}

static void reply(struct exchange *x, unsigned status, const char *text) {
    struct err e;
    static const struct http_header headers[] = {
        {"Content-Type", "text/plain; charset=utf-8"},
        {"Cache-Control", "no-store"},
        {NULL, NULL}};
    (void)exchange_answer(x, status, headers, str_of(text), &e);
}

static void take_answer(struct auth_browser *b, struct exchange *x) {
    AUTO_BUF struct buf query = BUF_MAX(QUERY_MAX);
    struct err e;
    struct mcp_auth *a = b->auth;
    if (read_answer(x, &query, &e)) {
        reply(x, 400, "This answer is too long.\n");
        return;
    }
    reply(x, 200, "Done. You can close this page.\n");
    b->auth = NULL;
    loop_timer_stop(&b->timer);
    mcp_auth_redirected(a, buf_str(&query));
}

/* Only the redirect counts: a stray request must not end the login. */
static void handle(void *data, struct exchange *x) {
    struct auth_browser *b = data;
    bool expected = str_is(exchange_path(x), "/callback") &&
                    str_is(exchange_method(x), "GET") &&
                    exchange_query(x, "state").p && b->auth;
    if (expected)
        take_answer(b, x);
    else
        reply(x, 404, "Nothing here.\n");
}

static void on_timer(struct io_timer *t) {
    struct auth_browser *b = t->data;
    struct mcp_auth *a = b->auth;
    b->auth = NULL;
    if (a) mcp_auth_abandoned(a, "nobody logged in in time");
}

/* -- the visit ---------------------------------------------------------------
 */

static void on_opener_exit(struct child *c, int status) {
    (void)c;
    (void)status;
}

/* What the opener says is of no interest, and whether there is one neither:
 * the URL was shown. */
static void start_opener(struct auth_browser *b, const char *url) {
    struct err e;
    const char *const argv[] = {b->config.opener, url, NULL};
    const struct child_spec spec = {
        .argv = argv, .env = b->config.env, .keep_stderr = true};
    child_fini(&b->opener);
    (void)child_start(&b->opener, b->loop, &spec, on_opener_exit, b, &e);
}

void auth_browser_visit(void *browser, struct mcp_auth *a, const char *url) {
    struct auth_browser *b = browser;
    struct err e;
    if (b->config.show) b->config.show(b->config.data, url);
    if (b->config.opener) start_opener(b, url);
    b->auth = a;
    int64_t ns = b->config.patience_ns ? b->config.patience_ns : PATIENCE;
    if (loop_timer(b->loop, &b->timer, ns, &e)) {
        b->auth = NULL;
        mcp_auth_abandoned(a, e.text);
    }
}

const char *auth_browser_redirect_uri(const struct auth_browser *b) {
    return b->redirect_uri;
}

/* -- life --------------------------------------------------------------------
 */

struct auth_browser *auth_browser_new(struct loop *loop,
                                      const struct auth_browser_config *config,
                                      struct err *e) {
    struct auth_browser *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return NULL;
    *b = (struct auth_browser){
        .loop = loop,
        .config = *config,
        .timer = {.fn = on_timer, .data = b},
        .opener = {.in = -1, .out = -1, .err = -1, .pidfd.fd = -1}};
    const struct server_config listen = {.address = "127.0.0.1:0",
                                         .body_max = BODY_MAX,
                                         .connections = CONNECTIONS,
                                         .handle = handle,
                                         .data = b};
    b->server = server_new(loop, &listen, e);
    if (!b->server) {
        mem_free(b);
        return NULL;
    }
    (void)snprintf(b->redirect_uri, sizeof b->redirect_uri,
                   "http://127.0.0.1:%u/callback", server_port(b->server));
    return b;
}

void auth_browser_free(struct auth_browser *b) {
    if (!b) return;
    loop_timer_stop(&b->timer);
    child_fini(&b->opener);
    server_free(b->server);
    mem_free(b);
}
