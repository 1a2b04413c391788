/* SPDX-License-Identifier: MIT
 *
 * The client over HTTP, against servers scripted here, in one loop.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "io/server.h"
#include "mcp/auth.h"
#include "mcp/client.h"
#include "mcp/rpc.h"
#include "test.h"
#include "json/build.h"
#include "json/write.h"

enum { MS = 1000000 };

struct stage {
    struct loop *loop;
    struct server *server;
    struct client *http;
    struct mcp_client *client;
    struct mcp_auth *auth;
    char url[128], origin[64];
    void (*play)(struct stage *s, struct exchange *x);
    struct buf log; /* one line per request */
    int requests, calls;
    struct exchange *held;
    bool gone;
    int64_t connect_ns;
    char back[512]; /* what a slow person brings */
    /* what the client told */
    int ready, asks, notices;
    bool closed;
    struct err err;
};

struct answer {
    bool done;
    struct buf text;
    struct err err;
};

/* -- the server's side -------------------------------------------------------
 */

static const char *text_of(str s) {
    static char room[8][512];
    static int next;
    char *to = room[next++ % 8];
    (void)snprintf(to, sizeof room[0], "%.*s", STR_ARG(s));
    return to;
}

static const char *header(struct exchange *x, const char *name) {
    str v = exchange_header(x, name);
    return v.p ? text_of(v) : "-";
}

static void note(struct stage *s, struct exchange *x) {
    struct err e;
    str body = exchange_body(x), rest = body;
    ptrdiff_t at = body.p ? str_find(body, STR("\"method\":\"")) : -1;
    str method = STR("-");
    if (at >= 0) {
        rest = str_sub(body, (size_t)at + 10, body.n);
        method = str_cut(&rest, '"');
    }
    CHECK_OK(
        buf_addf(&s->log, &e, "%s %s %s %s %s\n", text_of(exchange_method(x)),
                 text_of(method), header(x, "mcp-session-id"),
                 header(x, "mcp-protocol-version"), header(x, "last-event-id")),
        &e);
}

static bool is(struct exchange *x, const char *method) {
    char want[128];
    str body = exchange_body(x);
    (void)snprintf(want, sizeof want, "\"method\":\"%s\"", method);
    return body.p && str_find(body, str_of(want)) >= 0;
}

static long long id_of(struct exchange *x) {
    str body = exchange_body(x);
    long long id = -1;
    ptrdiff_t at = body.p ? str_find(body, STR("\"id\":")) : -1;
    if (at >= 0) (void)sscanf(body.p + at + 5, "%lld", &id);
    return id;
}

static void answer(struct exchange *x, unsigned status, const char *type,
                   const char *more, const char *more_value, const char *text) {
    struct err e;
    const struct http_header headers[] = {
        {"Content-Type", type}, {more, more_value}, {NULL, NULL}};
    CHECK_OK(exchange_answer(x, status, headers, str_of(text), &e), &e);
}

static void plain(struct exchange *x, unsigned status) {
    answer(x, status, "text/plain", NULL, NULL, "words");
}

static const char *wrap(struct exchange *x, const char *result) {
    static char text[8192];
    (void)snprintf(text, sizeof text,
                   "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":%s}", id_of(x),
                   result);
    return text;
}

static void json(struct exchange *x, const char *result) {
    answer(x, 200, "application/json", NULL, NULL, wrap(x, result));
}

static void error(struct exchange *x, unsigned status, int code) {
    char text[256];
    (void)snprintf(text, sizeof text,
                   "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"error\":{\"code\":%d,"
                   "\"message\":\"no\"}}",
                   id_of(x), code);
    answer(x, status, "application/json", NULL, NULL, text);
}

static void open_events(struct exchange *x) {
    struct err e;
    const struct http_header headers[] = {{"Content-Type", "text/event-stream"},
                                          {NULL, NULL}};
    CHECK_OK(exchange_stream(x, 200, headers, 1 << 20, &e), &e);
}

static void say(struct exchange *x, const char *text) {
    struct err e;
    CHECK_OK(exchange_send(x, str_of(text), &e), &e);
}

#define INITIALIZED                                                           \
    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":" \
    "{\"name\":\"h\"}}"

/* A legacy server with sessions; false when the request is for the test. */
static bool legacy(struct stage *s, struct exchange *x, const char *session) {
    (void)s;
    if (is(x, "initialize"))
        answer(x, 200, "application/json", "Mcp-Session-Id", session,
               wrap(x, INITIALIZED));
    else if (is(x, "server/discover"))
        error(x, 400, -32600);
    else if (str_is(exchange_method(x), "GET") ||
             str_is(exchange_method(x), "DELETE"))
        plain(x, 405);
    else if (id_of(x) < 0)
        plain(x, 202);
    else
        return false;
    return true;
}

static bool modern(struct exchange *x) {
    if (!is(x, "server/discover")) return false;
    json(x, "{\"resultType\":\"complete\",\"supportedVersions\":"
            "[\"2026-07-28\"],\"capabilities\":{}}");
    return true;
}

/* -- the client's side -------------------------------------------------------
 */

static void on_ready(void *data, struct mcp_client *c) {
    (void)c;
    ((struct stage *)data)->ready++;
}

static void on_closed(void *data, struct mcp_client *c, const struct err *e) {
    struct stage *s = data;
    (void)c;
    s->closed = true;
    if (e) s->err = *e;
}

static void on_notified(void *data, struct mcp_client *c, str method,
                        const struct json *params) {
    (void)c;
    (void)method;
    (void)params;
    ((struct stage *)data)->notices++;
}

static void on_asked(void *data, struct mcp_client *c, struct mcp_ask *ask) {
    AUTO_ARENA struct arena a = ARENA_MAX(10000);
    const struct json *v;
    struct err e;
    (void)c;
    ((struct stage *)data)->asks++;
    CHECK(mcp_ask_call(ask));
    CHECK_OK(json_parse(STR("{\"roots\":[]}"), NULL, &a, &v, &e), &e);
    mcp_ask_answer(ask, v);
}

static const struct mcp_client_events events = {on_ready, on_closed,
                                                on_notified, on_asked, NULL};

static void handle(void *data, struct exchange *x) {
    struct stage *s = data;
    s->requests++;
    note(s, x);
    s->play(s, x);
}

static void set(struct stage *s,
                void (*play)(struct stage *s, struct exchange *x)) {
    struct err e;
    *s = (struct stage){
        .loop = loop_new(&e), .play = play, .log = BUF_MAX(100000)};
    const struct server_config config = {
        .address = "127.0.0.1:0", .handle = handle, .data = s};
    s->server = server_new(s->loop, &config, &e);
    CHECK_OK(s->server ? 0 : -1, &e);
    s->http = client_new(s->loop, &e);
    CHECK(s->http);
    (void)snprintf(s->origin, sizeof s->origin, "http://127.0.0.1:%u",
                   server_port(s->server));
    (void)snprintf(s->url, sizeof s->url, "%s/mcp", s->origin);
}

static void step(struct stage *s) {
    struct err e;
    CHECK_OK(loop_step(s->loop, -1, &e), &e);
}

static void meet(struct stage *s, enum mcp_start start) {
    struct err e;
    const struct mcp_client_config config = {.url = s->url,
                                             .http = s->http,
                                             .auth = s->auth,
                                             .start = start,
                                             .connect_ns = s->connect_ns,
                                             .name = "t",
                                             .version = "1",
                                             .events = &events,
                                             .data = s};
    s->client = mcp_client_new(s->loop, &config, &e);
    CHECK_OK(s->client ? 0 : -1, &e);
    while (!s->ready && !s->closed)
        step(s);
}

static void clear(struct stage *s) {
    mcp_client_free(s->client);
    mcp_auth_free(s->auth);
    client_free(s->http);
    server_free(s->server);
    loop_free(s->loop);
    buf_fini(&s->log);
}

static void on_reply(void *data, const struct mcp_reply *reply) {
    struct answer *a = data;
    struct err e;
    a->done = true;
    if (reply->result)
        CHECK_OK(json_write(reply->result, JSON_COMPACT, &a->text, &e), &e);
    if (reply->err) a->err = *reply->err;
}

static struct mcp_call *begin(struct stage *s, struct answer *a,
                              const char *method, const char *params) {
    AUTO_ARENA struct arena memory = ARENA_MAX(100000);
    struct err e;
    *a = (struct answer){.text = BUF_MAX(1 << 20)};
    struct mcp_call_spec spec = {.method = method, .done = on_reply, .data = a};
    if (params)
        CHECK_OK(json_parse(str_of(params), NULL, &memory, &spec.params, &e),
                 &e);
    struct mcp_call *call = mcp_call(s->client, &spec, &e);
    CHECK_OK(call ? 0 : -1, &e);
    return call;
}

static void ask(struct stage *s, struct answer *a, const char *method,
                const char *params) {
    (void)begin(s, a, method, params);
    while (!a->done)
        step(s);
}

static void expect(struct stage *s, const char *method, const char *want) {
    struct answer a;
    ask(s, &a, method, NULL);
    if (!a.text.len) test_fail(__FILE__, __LINE__, "%s", a.err.text);
    CHECK_STR(buf_str(&a.text), want);
    buf_fini(&a.text);
}

/* -- legacy ------------------------------------------------------------------
 */

static void play_legacy(struct stage *s, struct exchange *x) {
    if (!legacy(s, x, "s1")) json(x, "{\"ok\":1}");
}

TEST(a_legacy_session_is_kept_and_deleted) {
    struct stage s;
    set(&s, play_legacy);
    meet(&s, MCP_PROBE);
    CHECK_EQ(mcp_client_era(s.client), MCP_LEGACY);
    expect(&s, "tools/list", "{\"ok\":1}");
    mcp_client_close(s.client);
    while (!s.closed)
        step(&s);
    const char *log = buf_text(&s.log);
    CHECK_HAS(log, "POST server/discover - 2026-07-28 -\n");
    CHECK_HAS(log, "POST initialize - - -\n");
    CHECK_HAS(log, "POST notifications/initialized s1 2025-11-25 -\n");
    CHECK_HAS(log, "POST tools/list s1 2025-11-25 -\n");
    CHECK_HAS(log, "GET - s1 2025-11-25 -\n");
    CHECK_HAS(log, "DELETE - s1 2025-11-25 -\n");
    clear(&s);
}

static void play_expiry(struct stage *s, struct exchange *x) {
    bool old = str_is(exchange_header(x, "mcp-session-id"), "s1");
    if (old && s->calls > 0 && !is(x, "initialize"))
        plain(x, 404);
    else if (!legacy(s, x, s->calls > 0 ? "s2" : "s1"))
        s->calls++, json(x, "{\"ok\":1}");
}

TEST(an_expired_session_is_replaced_and_the_call_sent_again) {
    struct stage s;
    struct answer a, b;
    set(&s, play_expiry);
    meet(&s, MCP_START_LEGACY);
    expect(&s, "first", "{\"ok\":1}");
    (void)begin(&s, &a, "second", NULL);
    (void)begin(&s, &b, "third", NULL);
    while (!a.done || !b.done)
        step(&s);
    CHECK_STR(buf_str(&a.text), "{\"ok\":1}");
    CHECK_STR(buf_str(&b.text), "{\"ok\":1}");
    CHECK_EQ(s.ready, 2);
    CHECK_HAS(buf_text(&s.log), "POST second s2");
    CHECK_HAS(buf_text(&s.log), "POST third s2");
    buf_fini(&a.text);
    buf_fini(&b.text);
    clear(&s);
}

static void play_stream(struct stage *s, struct exchange *x) {
    char text[512];
    if (str_find(exchange_body(x), STR("\"id\":\"q\",\"result\":{\"roots\"")) >=
        0) {
        plain(x, 202);
        say(s->held, ": almost\n\n");
        (void)snprintf(text, sizeof text,
                       "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":%d,"
                       "\r\ndata: \"result\":{\"ok\":2}}\r\n\r\n",
                       s->calls);
        say(s->held, text);
        exchange_end(s->held);
    } else if (!legacy(s, x, "s1")) {
        s->held = x;
        s->calls = (int)id_of(x);
        open_events(x);
        say(x, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n"
               "data: junk\n\n"
               "data: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":"
               "\"roots/list\"}\n\n");
    }
}

TEST(a_stream_brings_notices_questions_and_the_answer) {
    struct stage s;
    set(&s, play_stream);
    meet(&s, MCP_START_LEGACY);
    expect(&s, "tools/call", "{\"ok\":2}");
    CHECK_EQ(s.notices, 1);
    CHECK_EQ(s.asks, 1);
    CHECK_EQ(mcp_client_counts(s.client).junk, 1);
    clear(&s);
}

static void play_cut(struct stage *s, struct exchange *x) {
    char text[256];
    str last = exchange_header(x, "last-event-id");
    if (last.p && str_is(last, "e1")) {
        open_events(x);
        say(x, "id: e2\nretry: 10\ndata:\n\n");
        exchange_end(x);
    } else if (last.p) {
        (void)snprintf(
            text, sizeof text,
            "data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n\n",
            s->calls);
        open_events(x);
        say(x, text);
        exchange_end(x);
    } else if (!legacy(s, x, "s1")) {
        s->calls = (int)id_of(x);
        open_events(x);
        say(x, "id: e1\nretry: 20\ndata:\n\n");
        exchange_end(x);
    }
}

TEST(a_stream_that_breaks_off_is_resumed_until_the_answer_is_there) {
    struct stage s;
    set(&s, play_cut);
    meet(&s, MCP_START_LEGACY);
    expect(&s, "tools/call", "{}");
    CHECK_HAS(buf_text(&s.log), "GET - s1 2025-11-25 e1\n");
    CHECK_HAS(buf_text(&s.log), "GET - s1 2025-11-25 e2\n");
    /* With the answer there the stream is not asked for again. */
    int seen = s.requests;
    expect(&s, "tools/call", "{}");
    CHECK_EQ(s.requests - seen, 3);
    clear(&s);
}

static void play_500(struct stage *s, struct exchange *x) {
    if (!legacy(s, x, "s1")) plain(x, 500);
}

TEST(a_failure_of_the_server_is_told_with_its_status) {
    struct stage s;
    struct answer a;
    set(&s, play_500);
    meet(&s, MCP_START_LEGACY);
    ask(&s, &a, "tools/list", NULL);
    CHECK_HAS(a.err.text, "HTTP 500");
    clear(&s);
}

TEST(nobody_at_the_address_is_a_clear_error) {
    struct stage s;
    set(&s, play_legacy);
    (void)snprintf(s.url, sizeof s.url, "http://127.0.0.1:1/mcp");
    meet(&s, MCP_PROBE);
    CHECK(s.closed);
    CHECK_HAS(s.err.text, "127.0.0.1:1");
    clear(&s);
}

/* -- modern ------------------------------------------------------------------
 */

static void play_headers(struct stage *s, struct exchange *x) {
    if (modern(x)) return;
    if (is(x, "tools/list")) {
        json(x, "{\"resultType\":\"complete\",\"ttlMs\":5,\"cacheScope\":"
                "\"public\",\"tools\":["
                "{\"name\":\"good\",\"inputSchema\":{\"type\":\"object\","
                "\"properties\":{\"r\":{\"type\":\"string\",\"x-mcp-header\":"
                "\"Region\"},\"n\":{\"type\":\"object\",\"properties\":{\"k\":"
                "{\"type\":\"integer\",\"x-mcp-header\":\"Deep\"}}}}}},"
                "{\"name\":\"bad1\",\"inputSchema\":{\"properties\":{\"r\":"
                "{\"type\":\"number\",\"x-mcp-header\":\"R\"}}}},"
                "{\"name\":\"bad2\",\"inputSchema\":{\"properties\":{\"r\":"
                "{\"type\":\"string\",\"x-mcp-header\":\"a b\"}}}},"
                "{\"name\":\"bad3\",\"inputSchema\":{\"properties\":{\"r\":"
                "{\"type\":\"array\",\"items\":{\"type\":\"string\","
                "\"x-mcp-header\":\"R\"}}}}},"
                "{\"name\":\"bad4\",\"inputSchema\":{\"properties\":{\"r\":"
                "{\"type\":\"string\",\"x-mcp-header\":\"R\"},\"s\":{\"type\":"
                "\"string\",\"x-mcp-header\":\"r\"}}}}]}");
        return;
    }
    char text[512];
    (void)snprintf(text, sizeof text, "{\"h\":\"%s|%s|%s|%s\"}",
                   header(x, "mcp-method"), header(x, "mcp-name"),
                   header(x, "mcp-param-region"), header(x, "mcp-param-deep"));
    s->calls++;
    json(x, text);
}

struct listed {
    bool done, shared;
    size_t count, excluded;
    int64_t ttl;
};

static void on_listing(void *data, const struct mcp_listing *l) {
    CHECK(l->items);
    *(struct listed *)data = (struct listed){
        true, l->shared, json_len(l->items), l->excluded, l->ttl_ms};
}

TEST(modern_requests_carry_their_headers) {
    struct stage s;
    struct answer a;
    struct listed l = {0};
    struct err e;
    set(&s, play_headers);
    meet(&s, MCP_PROBE);
    CHECK_EQ(mcp_client_era(s.client), MCP_MODERN);
    const struct mcp_list_spec spec = {
        .method = "tools/list", .key = "tools", .done = on_listing, .data = &l};
    CHECK_OK(mcp_list_all(s.client, &spec, &e), &e);
    while (!l.done)
        step(&s);
    CHECK_EQ(l.count, 1);
    CHECK_EQ(l.excluded, 4);
    CHECK_EQ(l.ttl, 5);
    CHECK(l.shared);
    ask(&s, &a, "tools/call",
        "{\"name\":\"good\",\"arguments\":{\"r\":\"eu\",\"n\":{\"k\":42}}}");
    CHECK_HAS(buf_text(&a.text), "tools/call|good|eu|42");
    buf_fini(&a.text);
    ask(&s, &a, "tools/call",
        "{\"name\":\"good\",\"arguments\":{\"r\":\" \xc3\xa9\",\"n\":null}}");
    CHECK_HAS(buf_text(&a.text), "tools/call|good|=?base64?IMOp?=|-");
    buf_fini(&a.text);
    ask(&s, &a, "resources/read", "{\"uri\":\"=?base64?eA==?=\"}");
    CHECK_HAS(buf_text(&a.text),
              "resources/read|=?base64?PT9iYXNlNjQ/ZUE9PT89?=|-|-");
    buf_fini(&a.text);
    clear(&s);
}

static void note_gone(void *data) {
    ((struct stage *)data)->gone = true;
}

static void play_hold(struct stage *s, struct exchange *x) {
    if (modern(x)) return;
    s->held = x;
    exchange_on_gone(x, note_gone, s);
    open_events(x);
    say(x, ": hello\n\n");
}

static void nudge(struct io_timer *t) {
    struct stage *s = t->data;
    struct err e;
    if (s->gone) return;
    (void)exchange_send(s->held, STR(": ping\n\n"), &e);
    CHECK_OK(loop_timer(s->loop, t, 5 * MS, &e), &e);
}

TEST(a_modern_call_is_cancelled_by_cutting_its_stream) {
    struct stage s;
    struct answer a;
    struct err e;
    set(&s, play_hold);
    meet(&s, MCP_PROBE);
    struct mcp_call *call = begin(&s, &a, "tools/call", NULL);
    while (!s.held)
        step(&s);
    mcp_call_cancel(call, "enough");
    struct io_timer t = {.fn = nudge, .data = &s};
    CHECK_OK(loop_timer(s.loop, &t, 5 * MS, &e), &e);
    while (!s.gone)
        step(&s);
    loop_timer_stop(&t);
    CHECK(!a.done);
    CHECK(!strstr(buf_text(&s.log), "cancelled"));
    clear(&s);
}

static void play_half(struct stage *s, struct exchange *x) {
    (void)s;
    if (modern(x)) return;
    open_events(x);
    say(x, "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n/x\"}\n\n");
    exchange_end(x);
}

TEST(a_modern_stream_without_an_answer_fails_the_call) {
    struct stage s;
    struct answer a;
    set(&s, play_half);
    meet(&s, MCP_PROBE);
    ask(&s, &a, "tools/call", NULL);
    CHECK_HAS(a.err.text, "ended before the answer");
    clear(&s);
}

static void play_listen(struct stage *s, struct exchange *x) {
    if (modern(x)) return;
    CHECK(is(x, "subscriptions/listen"));
    CHECK(str_find(exchange_body(x), STR("\"toolsListChanged\":true")) >= 0);
    CHECK(str_find(exchange_body(x), STR("[\"a:b\"]")) >= 0);
    open_events(x);
    say(x, "data: {\"jsonrpc\":\"2.0\",\"method\":"
           "\"notifications/tools/list_changed\"}\n\n");
    if (s->calls++ == 0)
        exchange_end(x); /* lost, and opened again */
    else
        s->held = x;
}

TEST(a_subscription_is_opened_again_when_it_is_lost) {
    struct stage s;
    struct err e;
    set(&s, play_listen);
    meet(&s, MCP_PROBE);
    const struct mcp_watch watch = {.tools = true,
                                    .uris = (const char *const[]){"a:b", NULL}};
    CHECK_OK(mcp_client_watch(s.client, &watch, &e), &e);
    while (s.notices < 2)
        step(&s);
    CHECK_EQ(s.calls, 2);
    clear(&s);
}

/* -- HTTP+SSE ----------------------------------------------------------------
 */

static void play_old(struct stage *s, struct exchange *x) {
    char text[9000];
    bool get = str_is(exchange_method(x), "GET");
    if (str_is(exchange_path(x), "/mcp") && get) {
        s->held = x;
        open_events(x);
        say(x, s->calls == 99 ? "event: endpoint\ndata: http://evil/\n\n"
                              : "event: endpoint\ndata: /post?s=1\n\n");
    } else if (str_is(exchange_path(x), "/mcp")) {
        plain(x, 405);
    } else {
        CHECK_STR(exchange_query(x, "s"), "1");
        (void)snprintf(
            text, sizeof text, "event: message\ndata: %s\n\n",
            wrap(x, is(x, "initialize") ? INITIALIZED : "{\"old\":1}"));
        if (id_of(x) >= 0) say(s->held, text);
        plain(x, 202);
    }
}

TEST(the_oldest_transport_is_found_and_spoken) {
    struct stage s;
    set(&s, play_old);
    meet(&s, MCP_PROBE);
    if (s.closed) test_fail(__FILE__, __LINE__, "%s", s.err.text);
    expect(&s, "tools/list", "{\"old\":1}");
    clear(&s);
}

TEST(an_endpoint_of_another_origin_is_refused) {
    struct stage s;
    set(&s, play_old);
    s.calls = 99;
    meet(&s, MCP_PROBE);
    CHECK(s.closed);
    CHECK_HAS(s.err.text, "elsewhere");
    clear(&s);
}

/* -- authorisation -----------------------------------------------------------
 */

/* Each '$' stands for the server's origin. */
static void metadata(struct stage *s, struct exchange *x, const char *text) {
    AUTO_BUF struct buf out = BUF_MAX(4096);
    struct err e;
    for (; *text; text++)
        CHECK_OK(*text == '$' ? buf_add_text(&out, s->origin, &e)
                              : buf_add_char(&out, *text, &e),
                 &e);
    answer(x, 200, "application/json", NULL, NULL, buf_text(&out));
}

static void play_auth(struct stage *s, struct exchange *x) {
    char challenge[256], want[64];
    str path = exchange_path(x), body = exchange_body(x);
    (void)snprintf(want, sizeof want, "Bearer token%d", s->calls);
    if (str_is(path, "/.well-known/oauth-protected-resource/mcp")) {
        metadata(s, x,
                 "{\"resource\":\"$/mcp\",\"authorization_servers\":"
                 "[\"$\"],\"scopes_supported\":[\"a\",\"b\"]}");
    } else if (str_is(path, "/.well-known/oauth-authorization-server")) {
        metadata(s, x,
                 "{\"issuer\":\"$\",\"token_endpoint\":\"$/token\","
                 "\"authorization_endpoint\":\"$/authorize\","
                 "\"registration_endpoint\":\"$/register\","
                 "\"code_challenge_methods_supported\":[\"S256\"]}");
    } else if (str_is(path, "/register")) {
        answer(x, 201, "application/json", NULL, NULL,
               "{\"client_id\":\"me\",\"client_secret\":\"s3\"}");
    } else if (str_is(path, "/token")) {
        char text[256];
        s->calls++;
        CHECK_STR(exchange_header(x, "authorization"), "Basic bWU6czM=");
        CHECK(str_find(body, s->calls == 1
                                 ? STR("grant_type=authorization_code")
                                 : STR("grant_type=refresh_token")) >= 0);
        (void)snprintf(
            text, sizeof text,
            "{\"access_token\":\"token%d\",\"token_type\":\"Bearer\","
            "\"refresh_token\":\"r\",\"expires_in\":60}",
            s->calls);
        answer(x, 200, "application/json", NULL, NULL, text);
    } else if (s->calls == 0 ||
               !str_is(exchange_header(x, "authorization"), want)) {
        (void)snprintf(challenge, sizeof challenge,
                       "Bearer realm=\"x, y\", resource_metadata=\"%s/.well-"
                       "known/oauth-protected-resource/mcp\"",
                       s->origin);
        answer(x, 401, "text/plain", "WWW-Authenticate", challenge, "");
    } else if (!legacy(s, x, "s1")) {
        json(x, "{\"ok\":1}");
    }
}

/* A person who agrees at once. */
static void on_visit(void *data, struct mcp_auth *a, const char *url) {
    struct stage *s = data;
    char back[512];
    const char *state = strstr(url, "state=");
    CHECK(state);
    CHECK_HAS(url, "code_challenge_method=S256");
    CHECK_HAS(url, "scope=a%20b");
    CHECK_HAS(url, "client_id=me");
    (void)s;
    (void)snprintf(back, sizeof back,
                   "http://127.0.0.1:9/cb?code=c&state=%.43s", state + 6);
    mcp_auth_redirected(a, str_of(back));
}

static void identify(struct stage *s, const char *store) {
    struct err e;
    const struct mcp_auth_config config = {.http = s->http,
                                           .server = s->url,
                                           .store = store,
                                           .redirect_uri =
                                               "http://127.0.0.1:9/cb",
                                           .visit = on_visit,
                                           .data = s};
    s->auth = mcp_auth_new(s->loop, &config, &e);
    CHECK_OK(s->auth ? 0 : -1, &e);
}

TEST(a_token_is_got_used_kept_and_refreshed) {
    struct stage s;
    struct stat st;
    (void)test_folder();
    set(&s, play_auth);
    identify(&s, "sub/tokens.json");
    meet(&s, MCP_START_LEGACY);
    if (s.closed) test_fail(__FILE__, __LINE__, "%s", s.err.text);
    CHECK_EQ(s.calls, 1);
    CHECK_EQ(stat("sub/tokens.json", &st), 0);
    CHECK_EQ(st.st_mode & 0777, 0600);
    CHECK_EQ(stat("sub", &st), 0);
    CHECK_EQ(st.st_mode & 0777, 0700);
    expect(&s, "tools/list", "{\"ok\":1}");

    /* Another run has the token without asking anybody. */
    mcp_client_free(s.client);
    mcp_auth_free(s.auth);
    s.ready = 0;
    int before = s.requests;
    identify(&s, "sub/tokens.json");
    meet(&s, MCP_START_LEGACY);
    CHECK_EQ(s.calls, 1);
    CHECK(s.requests - before <= 3);

    /* A token that went bad is refreshed. */
    struct answer a;
    s.calls++;
    ask(&s, &a, "tools/list", NULL);
    CHECK_STR(buf_str(&a.text), "{\"ok\":1}");
    CHECK_EQ(s.calls, 3);
    buf_fini(&a.text);
    clear(&s);
}

/* The oldest transport, on a server that asks for a token only there. */
static void play_old_auth(struct stage *s, struct exchange *x) {
    char want[64];
    str path = exchange_path(x);
    bool post = str_is(exchange_method(x), "POST");
    (void)snprintf(want, sizeof want, "Bearer token%d", s->calls);
    if (str_is(path, "/mcp") && post)
        plain(x, 405);
    else if (s->calls && str_is(exchange_header(x, "authorization"), want))
        play_old(s, x);
    else
        play_auth(s, x);
}

TEST(the_oldest_transport_logs_in_and_refreshes_too) {
    struct stage s;
    (void)test_folder();
    set(&s, play_old_auth);
    identify(&s, "tokens.json");
    meet(&s, MCP_PROBE);
    if (s.closed) test_fail(__FILE__, __LINE__, "%s", s.err.text);
    CHECK_EQ(s.calls, 1);
    s.calls++; /* the token goes bad */
    expect(&s, "tools/list", "{\"old\":1}");
    CHECK_EQ(s.calls, 3);
    clear(&s);
}

static void come_back(struct io_timer *t) {
    struct stage *s = t->data;
    mcp_auth_redirected(s->auth, str_of(s->back));
}

static void on_slow_visit(void *data, struct mcp_auth *a, const char *url) {
    struct stage *s = data;
    static struct io_timer t;
    struct err e;
    (void)a;
    (void)snprintf(s->back, sizeof s->back, "code=c&state=%.43s",
                   strstr(url, "state=") + 6);
    t = (struct io_timer){.fn = come_back, .data = s};
    CHECK_OK(loop_timer(s->loop, &t, 300 * MS, &e), &e);
}

TEST(no_time_passes_for_a_call_while_a_person_logs_in) {
    struct stage s;
    struct err e;
    set(&s, play_auth);
    s.connect_ns = 150 * MS;
    const struct mcp_auth_config config = {.http = s.http,
                                           .server = s.url,
                                           .redirect_uri =
                                               "http://127.0.0.1:9/cb",
                                           .visit = on_slow_visit,
                                           .data = &s};
    s.auth = mcp_auth_new(s.loop, &config, &e);
    meet(&s, MCP_START_LEGACY);
    if (s.closed) test_fail(__FILE__, __LINE__, "%s", s.err.text);
    CHECK_EQ(s.ready, 1);
    clear(&s);
}

TEST(a_token_file_that_others_can_read_is_refused) {
    struct stage s;
    struct err e;
    (void)test_folder();
    set(&s, play_auth);
    CHECK_OK(file_replace("tokens", STR("{\"entries\":[]}"), 0644, &e), &e);
    const struct mcp_auth_config config = {
        .http = s.http, .server = s.url, .store = "tokens"};
    CHECK(!mcp_auth_new(s.loop, &config, &e));
    CHECK_EQ(e.kind, ERR_DENIED);
    clear(&s);
}

static void play_foreign(struct stage *s, struct exchange *x) {
    (void)s;
    if (str_starts(exchange_path(x), STR("/.well-known/oauth-protected")))
        answer(x, 200, "application/json", NULL, NULL,
               "{\"resource\":\"https://other.example/mcp\","
               "\"authorization_servers\":[\"https://a.example\"]}");
    else
        answer(x, 401, "text/plain", "WWW-Authenticate", "Bearer", "");
}

TEST(metadata_about_another_server_is_refused) {
    struct stage s;
    set(&s, play_foreign);
    identify(&s, NULL);
    meet(&s, MCP_PROBE);
    CHECK(s.closed);
    CHECK_EQ(s.err.kind, ERR_DENIED);
    CHECK_HAS(s.err.text, "other.example");
    clear(&s);
}

static void play_never(struct stage *s, struct exchange *x) {
    if (str_is(exchange_path(x), "/mcp"))
        s->notices++,
            answer(x, 403, "text/plain", "WWW-Authenticate",
                   "Bearer error=\"insufficient_scope\", scope=\"z\"", "");
    else if (str_is(exchange_path(x), "/token"))
        s->calls = 0, play_auth(s, x);
    else
        play_auth(s, x);
}

static void on_any_visit(void *data, struct mcp_auth *a, const char *url) {
    char back[512];
    (void)data;
    (void)snprintf(back, sizeof back, "code=c&state=%.43s",
                   strstr(url, "state=") + 6);
    mcp_auth_redirected(a, str_of(back));
}

TEST(asking_for_ever_more_scope_has_an_end) {
    struct stage s;
    struct err e;
    set(&s, play_never);
    const struct mcp_auth_config config = {.http = s.http,
                                           .server = s.url,
                                           .redirect_uri =
                                               "http://127.0.0.1:9/cb",
                                           .visit = on_any_visit,
                                           .data = &s};
    s.auth = mcp_auth_new(s.loop, &config, &e);
    meet(&s, MCP_START_LEGACY);
    CHECK(s.closed);
    CHECK_EQ(s.err.kind, ERR_DENIED);
    CHECK_EQ(s.notices, 4);
    clear(&s);
}

/* What a server on the Internet names is not looked for on this machine. */
struct outcome {
    bool done;
    struct err err;
};

static void on_token(void *data, const struct err *e) {
    struct outcome *o = data;
    o->done = true;
    if (e) o->err = *e;
}

TEST(a_public_server_cannot_send_us_to_this_machine) {
    static const char *const places[] = {"https://127.0.0.1",
                                         "https://localhost", "https://[::1]",
                                         "http://127.0.0.1"};
    struct stage s;
    struct err e;
    set(&s, play_auth);
    const struct mcp_auth_config config = {.http = s.http,
                                           .server = "https://mcp.example/"};
    s.auth = mcp_auth_new(s.loop, &config, &e);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct outcome o = {0};
        char header_text[128];
        (void)snprintf(header_text, sizeof header_text,
                       "Bearer resource_metadata=\"%s:%u/x\"", places[i],
                       server_port(s.server));
        const struct mcp_challenge challenge = {
            .status = 401, .authenticate = str_of(header_text)};
        struct mcp_auth_waiter w = {.done = on_token, .data = &o};
        CHECK(mcp_auth_want(s.auth, &challenge, &w));
        while (!o.done)
            step(&s);
        CHECK_EQ(o.err.kind, ERR_DENIED);
    }
    CHECK_EQ(s.requests, 0);
    clear(&s);
}

static void on_bad_visit(void *data, struct mcp_auth *a, const char *url) {
    char back[512];
    struct stage *s = data;
    (void)snprintf(back, sizeof back, "code=c&state=%.43s%s",
                   s->asks == 0 ? "wrong" : strstr(url, "state=") + 6,
                   s->asks == 1 ? "&iss=https%3A%2F%2Fevil.example" : "");
    s->asks++;
    if (s->asks == 3)
        mcp_auth_abandoned(a, "the person said no");
    else
        mcp_auth_redirected(a, str_of(back));
}

TEST(a_wrong_state_issuer_or_refusal_ends_the_login) {
    static const char *const why[] = {"not to our question", "evil.example",
                                      "said no"};
    struct stage s;
    struct err e;
    set(&s, play_auth);
    const struct mcp_auth_config config = {.http = s.http,
                                           .server = s.url,
                                           .redirect_uri =
                                               "http://127.0.0.1:9/cb",
                                           .visit = on_bad_visit,
                                           .data = &s};
    s.auth = mcp_auth_new(s.loop, &config, &e);
    for (int i = 0; i < 3; i++) {
        s.closed = false;
        meet(&s, MCP_START_LEGACY);
        CHECK(s.closed);
        CHECK_HAS(s.err.text, why[i]);
        mcp_client_free(s.client);
        s.client = NULL;
    }
    CHECK_EQ(s.calls, 0);
    clear(&s);
}
