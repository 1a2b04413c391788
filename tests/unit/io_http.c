/* SPDX-License-Identifier: MIT
 *
 * Our HTTP client against our HTTP server, in one loop, on loopback.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "io/client.h"
#include "io/server.h"
#include "test.h"

enum { MS = 1000000 };

struct place {
    struct loop *loop;
    struct server *server;
    struct client *client;
    struct exchange *held; /* a request the handler has not answered */
    bool gone;             /* its client went away */
    struct io_timer timer;
    int steps;
};

struct reply {
    bool done, failed;
    unsigned status;
    struct err err;
    struct buf body;
    char type[64];
};

static void note_gone(void *data) {
    ((struct place *)data)->gone = true;
}

static void echo(struct place *p, struct exchange *x) {
    (void)p;
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    str agent = exchange_header(x, "x-test"), q = exchange_query(x, "q");
    CHECK(!exchange_header(x, "expect").p);
    CHECK_OK(buf_addf(&out, &e, "%.*s %.*s q=%.*s h=%.*s %.*s",
                      STR_ARG(exchange_method(x)), STR_ARG(exchange_path(x)),
                      STR_ARG(q), STR_ARG(agent), STR_ARG(exchange_body(x))),
             &e);
    const struct http_header headers[] = {{"Content-Type", "text/plain"},
                                          {NULL, NULL}};
    CHECK_OK(exchange_answer(x, 200, headers, buf_str(&out), &e), &e);
}

static void stream_step(struct io_timer *t) {
    struct place *p = t->data;
    struct err e;
    char line[32];
    (void)snprintf(line, sizeof line, "data: %d\n\n", p->steps);
    CHECK_OK(exchange_send(p->held, str_of(line), &e), &e);
    if (++p->steps == 3)
        exchange_end(p->held);
    else
        CHECK_OK(loop_timer(p->loop, t, 2 * MS, &e), &e);
}

static void handle(void *data, struct exchange *x) {
    struct place *p = data;
    struct err e;
    str path = exchange_path(x);
    if (str_is(path, "/hold") || str_is(path, "/stream")) {
        p->held = x;
        exchange_on_gone(x, note_gone, p);
    }
    if (str_is(path, "/stream")) {
        CHECK_OK(exchange_stream(x, 200, NULL, 1000, &e), &e);
        p->timer = (struct io_timer){.fn = stream_step, .data = p};
        CHECK_OK(loop_timer(p->loop, &p->timer, 2 * MS, &e), &e);
    } else if (!str_is(path, "/hold")) {
        echo(p, x);
    }
}

static void open_with(struct place *p, size_t body_max,
                      void (*screen)(void *data, struct exchange *x)) {
    struct err e;
    *p = (struct place){.loop = loop_new(&e)};
    struct server_config config = {.address = "127.0.0.1:0",
                                   .body_max = body_max,
                                   .handle = handle,
                                   .screen = screen,
                                   .data = p};
    p->server = server_new(p->loop, &config, &e);
    CHECK_OK(p->server ? 0 : -1, &e);
    p->client = client_new(p->loop, &e);
    CHECK_OK(p->client ? 0 : -1, &e);
}

static void open_place(struct place *p) {
    open_with(p, 1000, NULL);
}

static void close_place(struct place *p) {
    client_free(p->client);
    server_free(p->server);
    loop_free(p->loop);
}

static void take_done(void *data, struct request *r, const struct err *e) {
    struct reply *reply = data;
    struct err e2;
    reply->done = true;
    reply->status = request_status(r);
    if (e) {
        reply->failed = true;
        reply->err = *e;
    }
    str type = request_header(r, "content-type");
    (void)snprintf(reply->type, sizeof reply->type, "%.*s", STR_ARG(type));
    CHECK_OK(buf_add_str(&reply->body, request_answer(r), &e2), &e2);
}

static const struct request_events whole = {.done = take_done};

static struct request *ask(struct place *p, struct reply *reply,
                           const char *path, str body,
                           struct request_spec spec) {
    struct err e;
    char url[128];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u%s",
                   server_port(p->server), path);
    const struct http_header headers[] = {{"X-Test", "yes"}, {NULL, NULL}};
    spec.url = url;
    spec.headers = headers;
    spec.body = body;
    spec.events = &whole;
    spec.data = reply;
    *reply = (struct reply){.body = BUF_MAX(1 << 20)};
    struct request *r = client_start(p->client, &spec, &e);
    CHECK_OK(r ? 0 : -1, &e);
    return r;
}

static void await(struct place *p, const bool *flag) {
    struct err e;
    while (!*flag)
        CHECK_OK(loop_step(p->loop, -1, &e), &e);
}

static void ask_and_await(struct place *p, struct reply *reply,
                          const char *path, str body) {
    (void)ask(p, reply, path, body, (struct request_spec){0});
    await(p, &reply->done);
}

TEST(a_request_and_its_answer_arrive_whole) {
    struct place p;
    struct reply r;
    open_place(&p);
    ask_and_await(&p, &r, "/a%20b?q=1%262", STR("body"));
    CHECK(!r.failed);
    CHECK_EQ(r.status, 200);
    CHECK_TEXT(r.type, "text/plain");
    CHECK_STR(buf_str(&r.body), "POST /a b q=1&2 h=yes body");
    buf_fini(&r.body);
    close_place(&p);
}

TEST(a_body_over_the_maximum_is_refused_with_413) {
    struct place p;
    struct reply r;
    open_place(&p);
    static char big[200000];
    memset(big, 'x', sizeof big);
    ask_and_await(&p, &r, "/", (str){big, sizeof big});
    CHECK_EQ(r.status, 413);
    buf_fini(&r.body);
    close_place(&p);
}

/* -- bodies that wait to be let in -------------------------------------------
 */

static str long_body(void) {
    static char text[60000];
    memset(text, 'x', sizeof text);
    return (str){text, sizeof text};
}

/* By the path: now or later, and what. */
static void screen(void *data, struct exchange *x) {
    struct place *p = data;
    struct err e;
    str path = exchange_path(x);
    CHECK_EQ(exchange_body(x).n, 0);
    p->steps++;
    if (str_is(path, "/yes"))
        exchange_read_on(x);
    else if (str_is(path, "/no"))
        CHECK_OK(exchange_answer(x, 401, NULL, STR("no"), &e), &e);
    else
        p->held = x;
    exchange_on_gone(x, note_gone, p);
}

TEST(a_long_body_is_read_when_the_screener_lets_it_in) {
    struct place p;
    struct reply r;
    open_with(&p, 100000, screen);
    ask_and_await(&p, &r, "/yes", long_body());
    CHECK_EQ(r.status, 200);
    CHECK(r.body.len > long_body().n);
    buf_fini(&r.body);
    ask_and_await(&p, &r, "/no", long_body());
    CHECK_EQ(r.status, 401);
    buf_fini(&r.body);
    ask_and_await(&p, &r, "/no", STR("short"));
    CHECK_EQ(r.status, 200);
    buf_fini(&r.body);
    CHECK_EQ(p.steps, 2);
    close_place(&p);
}

TEST(a_screener_may_take_its_time) {
    struct place p;
    struct reply r;
    struct err e;
    open_with(&p, 100000, screen);
    for (int yes = 0; yes < 2; yes++) {
        p.held = NULL;
        (void)ask(&p, &r, "/later", long_body(), (struct request_spec){0});
        while (!p.held)
            CHECK_OK(loop_step(p.loop, -1, &e), &e);
        for (int i = 0; i < 5; i++)
            CHECK_OK(loop_step(p.loop, 2 * MS, &e), &e);
        CHECK(!r.done);
        if (yes)
            exchange_read_on(p.held);
        else
            CHECK_OK(exchange_answer(p.held, 401, NULL, STR("no"), &e), &e);
        await(&p, &r.done);
        CHECK_EQ(r.status, yes ? 200 : 401);
        buf_fini(&r.body);
    }
    CHECK_EQ(p.steps, 2);
    close_place(&p);
}

TEST(who_goes_while_it_is_screened_is_gone) {
    struct place p;
    struct reply r;
    struct err e;
    open_with(&p, 100000, screen);
    struct request *q =
        ask(&p, &r, "/later", long_body(), (struct request_spec){0});
    while (!p.held)
        CHECK_OK(loop_step(p.loop, -1, &e), &e);
    request_cancel(q);
    while (!p.gone)
        CHECK_OK(loop_step(p.loop, -1, &e), &e);
    buf_fini(&r.body);
    close_place(&p);
}

TEST(a_stream_arrives_piece_by_piece_and_ends) {
    struct place p;
    struct reply r;
    open_place(&p);
    ask_and_await(&p, &r, "/stream", (str){NULL, 0});
    CHECK(!r.failed && !p.gone);
    CHECK_STR(buf_str(&r.body), "data: 0\n\ndata: 1\n\ndata: 2\n\n");
    buf_fini(&r.body);
    close_place(&p);
}

TEST(an_answer_may_come_later) {
    struct place p;
    struct reply r;
    struct err e;
    open_place(&p);
    (void)ask(&p, &r, "/hold", (str){NULL, 0}, (struct request_spec){0});
    while (!p.held)
        CHECK_OK(loop_step(p.loop, -1, &e), &e);
    CHECK_OK(exchange_answer(p.held, 404, NULL, STR("late"), &e), &e);
    await(&p, &r.done);
    CHECK_EQ(r.status, 404);
    CHECK_STR(buf_str(&r.body), "late");
    buf_fini(&r.body);
    close_place(&p);
}

TEST(no_answer_in_time_is_an_error_that_says_so) {
    struct place p;
    struct reply r;
    open_place(&p);
    (void)ask(&p, &r, "/hold", (str){NULL, 0},
              (struct request_spec){.timeout_ns = 30 * MS});
    await(&p, &r.done);
    CHECK(r.failed);
    CHECK_EQ(r.err.kind, ERR_TIMEOUT);
    buf_fini(&r.body);
    close_place(&p);
}

TEST(an_answer_over_the_maximum_ends_the_request) {
    struct place p;
    struct reply r;
    open_place(&p);
    (void)ask(&p, &r, "/", STR("0123456789"),
              (struct request_spec){.answer_max = 12});
    await(&p, &r.done);
    CHECK(r.failed);
    CHECK_EQ(r.err.kind, ERR_LIMIT);
    buf_fini(&r.body);
    close_place(&p);
}

TEST(a_guarded_request_does_not_reach_loopback) {
    struct place p;
    struct reply r;
    open_place(&p);
    (void)ask(&p, &r, "/", STR("x"),
              (struct request_spec){.guard = guard_public_only});
    await(&p, &r.done);
    CHECK(r.failed);
    CHECK_EQ(r.err.kind, ERR_DENIED);
    CHECK_HAS(r.err.text, "not allowed");
    buf_fini(&r.body);
    close_place(&p);
}

TEST(a_cancelled_request_tells_the_server_that_its_client_is_gone) {
    struct place p;
    struct reply r;
    struct err e;
    open_place(&p);
    struct request *q =
        ask(&p, &r, "/stream", (str){NULL, 0}, (struct request_spec){0});
    while (p.steps == 0)
        CHECK_OK(loop_step(p.loop, -1, &e), &e);
    request_cancel(q);
    p.steps = 0;
    while (!p.gone)
        CHECK_OK(loop_step(p.loop, -1, &e), &e);
    loop_timer_stop(&p.timer);
    CHECK(!r.done);
    buf_fini(&r.body);
    close_place(&p);
}

/* A reader that starts a request and cancels another one while libcurl is
 * calling it. */
struct busy_reader {
    struct place *place;
    struct reply first, second;
    struct request *other;
    int pieces;
};

static int start_and_cancel(void *data, struct request *r, str piece) {
    struct busy_reader *b = data;
    (void)r;
    (void)piece;
    if (b->pieces++ > 0) return 0;
    (void)ask(b->place, &b->second, "/n", STR("x"), (struct request_spec){0});
    request_cancel(b->other);
    return 0;
}

static void take_first(void *data, struct request *r, const struct err *e) {
    take_done(&((struct busy_reader *)data)->first, r, e);
}

TEST(a_reader_may_start_and_cancel_other_requests) {
    struct place p;
    struct reply never;
    struct busy_reader b = {.place = &p, .first.body = BUF_MAX(100)};
    struct err e;
    char url[64];
    static const struct request_events events = {.body = start_and_cancel,
                                                 .done = take_first};
    open_place(&p);
    b.other =
        ask(&p, &never, "/hold", (str){NULL, 0}, (struct request_spec){0});
    while (!p.held)
        CHECK_OK(loop_step(p.loop, -1, &e), &e);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u/stream",
                   server_port(p.server));
    const struct request_spec spec = {
        .url = url, .events = &events, .data = &b};
    CHECK(client_start(p.client, &spec, &e));
    await(&p, &b.first.done);
    await(&p, &b.second.done);
    CHECK(!b.first.failed && b.pieces >= 1);
    CHECK_EQ(b.second.status, 200);
    CHECK(!never.done);
    buf_fini(&never.body);
    buf_fini(&b.second.body);
    close_place(&p);
}

TEST(many_requests_at_once_are_all_answered) {
    struct place p;
    static struct reply r[100];
    open_place(&p);
    for (int i = 0; i < 100; i++)
        (void)ask(&p, &r[i], "/n", STR("x"), (struct request_spec){0});
    for (int i = 0; i < 100; i++) {
        await(&p, &r[i].done);
        CHECK_EQ(r[i].status, 200);
        buf_fini(&r[i].body);
    }
    close_place(&p);
}

TEST(an_address_in_use_is_a_clear_error) {
    struct place p;
    struct err e;
    open_place(&p);
    char address[32];
    (void)snprintf(address, sizeof address, "127.0.0.1:%u",
                   server_port(p.server));
    struct server_config config = {.address = address, .handle = handle};
    CHECK(!server_new(p.loop, &config, &e));
    CHECK_HAS(e.text, "Address already in use");
    CHECK_HAS(e.text, address);
    config.address = "nonsense";
    CHECK(!server_new(p.loop, &config, &e));
    CHECK_HAS(e.text, "is not HOST:PORT");
    close_place(&p);
}

TEST(a_header_with_a_line_break_is_refused) {
    struct place p;
    struct err e;
    open_place(&p);
    const struct http_header bad[] = {{"X", "a\r\nEvil: 1"}, {NULL, NULL}};
    struct request_spec spec = {
        .url = "http://127.0.0.1:1/", .headers = bad, .events = &whole};
    CHECK(!client_start(p.client, &spec, &e));
    CHECK_EQ(e.kind, ERR_INVALID);
    close_place(&p);
}

static bool is_public(const char *text) {
    struct sockaddr_in a4 = {.sin_family = AF_INET};
    struct sockaddr_in6 a6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &a4.sin_addr) == 1)
        return guard_public_only(NULL, (struct sockaddr *)&a4);
    CHECK_EQ(inet_pton(AF_INET6, text, &a6.sin6_addr), 1);
    return guard_public_only(NULL, (struct sockaddr *)&a6);
}

TEST(the_guard_knows_what_is_public) {
    const char *const public_ones[] = {
        "1.1.1.1",         "8.8.8.8",        "172.32.0.1",      "192.169.0.1",
        "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::101:101"};
    const char *const others[] = {"127.0.0.1",
                                  "10.1.2.3",
                                  "172.31.255.255",
                                  "192.168.1.1",
                                  "169.254.169.254",
                                  "100.64.0.1",
                                  "0.0.0.0",
                                  "255.255.255.255",
                                  "224.0.0.1",
                                  "::1",
                                  "::",
                                  "fe80::1",
                                  "fc00::1",
                                  "ff02::1",
                                  "::ffff:127.0.0.1",
                                  "2002:7f00:1::",
                                  "64:ff9b::7f00:1",
                                  "::7f00:1",
                                  "2001:0:1::",
                                  "100::1",
                                  "198.18.0.1"};
    for (size_t i = 0; i < sizeof public_ones / sizeof *public_ones; i++)
        if (!is_public(public_ones[i]))
            test_fail(__FILE__, __LINE__, "%s", public_ones[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_public(others[i]))
            test_fail(__FILE__, __LINE__, "%s", others[i]);
}
