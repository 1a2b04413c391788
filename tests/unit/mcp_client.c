/* SPDX-License-Identifier: MIT
 *
 * The client against servers that behave, and servers that do not. A server is
 * this very program, started again with MCP_PEER in its environment.
 */
#include "mcp/client.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mcp/rpc.h"
#include "test.h"
#include "json/write.h"

enum { MS = 1000000 };

/* -- the servers -------------------------------------------------------------
 */

#define SAY(...) (void)(printf(__VA_ARGS__), putchar('\n'), fflush(stdout))

static char line[1 << 20];

static bool is(const char *method) {
    char want[128];
    (void)snprintf(want, sizeof want, "\"method\":\"%s\"", method);
    return strstr(line, want) != NULL;
}

static long id_of(void) {
    const char *p = strstr(line, "\"id\":");
    return p ? strtol(p + 5, NULL, 10) : -1;
}

static void result(long id, const char *json) {
    SAY("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":%s}", id, json);
}

static void no_method(void) {
    SAY("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"error\":{\"code\":-32601,"
        "\"message\":\"Method not found\"}}",
        id_of());
}

/* The handshake in one era; true when the line was part of it. */
static bool greet(bool modern) {
    if (is("server/discover") && modern)
        result(id_of(), "{\"resultType\":\"complete\",\"supportedVersions\":"
                        "[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},"
                        "\"instructions\":\"be kind\",\"_meta\":{\"io."
                        "modelcontextprotocol/serverInfo\":{\"name\":\"m\"}}}");
    else if (is("initialize") && !modern)
        result(id_of(), "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":"
                        "{},\"serverInfo\":{\"name\":\"l\"}}");
    else if (is("server/discover") || is("initialize"))
        no_method();
    else
        return is("notifications/initialized");
    return true;
}

static void slow_write(const char *text) {
    for (; *text; text++) {
        (void)!write(1, text, 1);
        (void)usleep(200);
    }
}

static void peer_plain(bool modern) {
    if (greet(modern)) return;
    if (is("tools/call"))
        result(id_of(), "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],"
                        "\"unknown\":[1,{\"x\":1.50}]}");
    else if (id_of() >= 0)
        no_method();
}

static void peer_legacy(void) {
    peer_plain(false);
}

static void peer_modern(void) {
    peer_plain(true);
}

static void peer_junk(void) {
    char text[256];
    SAY("Welcome to the server!");
    SAY("{\"half\": ");
    SAY("[]");
    SAY("\xff\xfe");
    SAY("%s", "");
    if (greet(false)) return;
    (void)snprintf(text, sizeof text,
                   "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"t\":"
                   "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}}\r\n",
                   id_of());
    slow_write(text);
}

static void peer_crash(void) {
    if (greet(false)) return;
    (void)fprintf(stderr, "some words\nout of coffee\n");
    abort();
}

static void peer_exit(void) {
    (void)fprintf(stderr, "no key\n");
    exit(3);
}

static void peer_hang(void) {
    if (greet(false)) return;
    if (is("notifications/cancelled"))
        SAY("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/seen\"}");
}

static void peer_late(void) {
    static long first;
    if (greet(false) || !is("tools/call")) return;
    if (!first) {
        first = id_of();
        return;
    }
    result(first, "{\"n\":1}");
    result(id_of(), "{\"n\":2}");
    result(id_of(), "{\"n\":3}");
    SAY("{\"jsonrpc\":\"2.0\",\"id\":\"%ld\",\"result\":{\"n\":4}}", id_of());
}

static void peer_storm(void) {
    if (is("notifications/initialized"))
        for (int i = 0; i < 500; i++) {
            SAY("{\"jsonrpc\":\"2.0\",\"method\":"
                "\"notifications/tools/list_changed\"}");
        }
    (void)greet(false);
}

static void peer_asking(void) {
    static long call;
    if (greet(false)) return;
    if (is("tools/call")) {
        call = id_of();
        SAY("{\"jsonrpc\":\"2.0\",\"id\":\"q1\",\"method\":\"ping\"}");
        SAY("{\"jsonrpc\":\"2.0\",\"id\":\"q2\",\"method\":\"roots/list\"}");
        SAY("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x/y\",\"params\":{}}");
        return;
    }
    static int answers;
    static char all[1000];
    size_t n = strlen(all);
    line[strcspn(line, "\n")] = '\0';
    (void)snprintf(all + n, sizeof all - n, "%s%.300s", n ? "," : "", line);
    if (++answers < 3) return;
    char text[1200];
    (void)snprintf(text, sizeof text, "{\"all\":[%s]}", all);
    result(call, text);
}

/* Asks twice, then answers with what it got. */
static void peer_input(void) {
    static int round;
    char text[4096];
    if (greet(true)) return;
    const char *responses = strstr(line, "\"inputResponses\"");
    round++;
    if (round == 1) {
        result(id_of(), "{\"resultType\":\"input_required\",\"inputRequests\":"
                        "{\"a\":{\"method\":\"roots/list\"},\"b\":{\"method\":"
                        "\"roots/list\"}},\"requestState\":\"s \\u0001{1}\"}");
    } else if (round == 2) {
        bool good = responses && strstr(line, "\"a\":{\"roots\":[]}") &&
                    strstr(line, "\"b\":{\"roots\":[]}") &&
                    strstr(line, "\"requestState\":\"s \\u0001{1}\"");
        (void)snprintf(text, sizeof text,
                       "{\"resultType\":\"input_required\",\"inputRequests\":"
                       "{\"%s\":{\"method\":\"roots/list\"}}}",
                       good ? "c" : "bad");
        result(id_of(), text);
    } else {
        bool good = responses && strstr(line, "\"c\":{\"roots\":[]}") &&
                    !strstr(line, "requestState") && !strstr(line, "\"a\":");
        result(id_of(), good ? "{\"resultType\":\"complete\",\"ok\":true}"
                             : "{\"resultType\":\"complete\",\"ok\":false}");
    }
}

static void peer_endless(void) {
    if (greet(true)) return;
    result(id_of(), "{\"resultType\":\"input_required\",\"requestState\":1}");
}

static void peer_task(void) {
    static int polls;
    if (greet(true)) return;
    if (is("tools/call"))
        result(id_of(), "{\"resultType\":\"task\",\"taskId\":\"t1\",\"status\":"
                        "\"working\",\"pollIntervalMs\":1}");
    else if (is("tasks/update"))
        result(id_of(), "{\"resultType\":\"complete\"}");
    else if (++polls == 2)
        result(id_of(), "{\"resultType\":\"complete\",\"taskId\":\"t1\","
                        "\"status\":\"input_required\",\"inputRequests\":"
                        "{\"k\":{\"method\":\"roots/list\"}}}");
    else if (polls < 4)
        result(id_of(), "{\"resultType\":\"complete\",\"taskId\":\"t1\","
                        "\"status\":\"working\",\"statusMessage\":\"half\","
                        "\"pollIntervalMs\":1}");
    else
        result(id_of(), "{\"resultType\":\"complete\",\"taskId\":\"t1\","
                        "\"status\":\"completed\",\"result\":{\"done\":4}}");
}

/* One of the legacy era: the client must say that it wants a task. */
static void peer_old_task(void) {
    static int polls;
    static long token = -1, fetched = -1;
    bool working;
    const char *given = strstr(line, "\"progressToken\":");
    if (is("tools/call") && given) token = strtol(given + 16, NULL, 10);
    if (is("tools/call")) polls = 0;
    if (is("initialize")) {
        result(id_of(), "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{"
                        "\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}},"
                        "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
    } else if (is("tools/list")) {
        result(id_of(), "{\"tools\":[{\"name\":\"t\",\"execution\":{"
                        "\"taskSupport\":\"required\"}},{\"name\":\"u\"}]}");
    } else if (strstr(line, "\"name\":\"u\"")) {
        result(id_of(), strstr(line, "\"task\"") ? "{\"bad\":1}" : "{\"u\":1}");
    } else if (is("tools/call") && !strstr(line, "\"task\":{}")) {
        /* So does the official SDK. */
        if (strstr(line, "\"name\":\"t\""))
            result(id_of(), "{\"isError\":true}");
        else
            no_method();
    } else if (is("tools/call")) {
        result(id_of(), "{\"task\":{\"taskId\":\"t1\",\"status\":\"working\","
                        "\"pollInterval\":1}}");
    } else if (is("tasks/get") && strstr(line, "\"taskId\":\"t1\"")) {
        working = ++polls < 3;
        if (token >= 0 && working)
            SAY("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                "\"params\":{\"progressToken\":%ld,\"progress\":%d,"
                "\"message\":\"half\"}}",
                token, polls);
        result(id_of(), working
                            ? "{\"taskId\":\"t1\",\"status\":\"working\","
                              "\"pollInterval\":1}"
                            : "{\"taskId\":\"t1\",\"status\":\"completed\"}");
    } else if (is("tasks/result") && token >= 0) {
        fetched = id_of();
        SAY("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\","
            "\"params\":{\"_meta\":{\"io.modelcontextprotocol/related-task\":"
            "{\"taskId\":\"t1\"}}}}");
    } else if (is("tasks/result") && strstr(line, "\"taskId\":\"t1\"")) {
        result(id_of(), "{\"done\":5}");
    } else if (fetched >= 0 && strstr(line, "\"roots\"")) {
        result(fetched, "{\"done\":6}");
    } else if (id_of() >= 0) {
        no_method();
    }
}

static void peer_pages(void) {
    if (greet(false)) return;
    if (strstr(line, "\"cursor\":\"\""))
        result(id_of(), "{\"tools\":[{\"name\":\"b\"}],\"nextCursor\":\"x\"}");
    else if (strstr(line, "\"cursor\":\"x\""))
        result(id_of(), "{\"tools\":[{\"name\":\"c\"}]}");
    else
        result(id_of(), "{\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"\"}");
}

static void peer_circle(void) {
    if (greet(false)) return;
    result(id_of(), "{\"tools\":[{},{},{}],\"nextCursor\":\"again\"}");
}

static void peer_mute(void) {
    if (!is("server/discover")) (void)greet(false);
}

static void peer_huge(void) {
    if (greet(false)) return;
    static char big[5 << 20];
    memset(big, 'x', sizeof big - 1);
    result(id_of(), "{\"never\":1}x");
    SAY("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":"
        "{\"t\":\"%s%s\"}}",
        big, big);
    SAY("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{\"t\":\"%s\"}}", id_of(),
        big);
}

static void peer_progress(void) {
    if (greet(false)) return;
    long id = id_of();
    for (int i = 0; i < 8; i++) {
        SAY("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
            "\"params\":{\"progressToken\":%ld,\"progress\":%d}}",
            id, i);
        (void)usleep(50000);
    }
    if (strstr(line, "finish")) result(id, "{}");
}

static void peer_deaf(void) {
    if (greet(false)) return;
    (void)signal(SIGTERM, SIG_IGN);
    for (;;)
        (void)pause();
}

/* Leaves behind a process that holds its output open. */
static void peer_fork(void) {
    if (greet(false)) return;
    if (fork() == 0)
        for (;;)
            (void)pause();
    exit(5);
}

static void peer_future(void) {
    if (is("initialize"))
        result(id_of(), "{\"protocolVersion\":\"2031-01-01\"}");
    else
        (void)greet(false);
}

static const struct {
    const char *name;
    void (*take)(void);
} peers[] = {
    {"legacy", peer_legacy},     {"modern", peer_modern},
    {"junk", peer_junk},         {"crash", peer_crash},
    {"exit", peer_exit},         {"hang", peer_hang},
    {"late", peer_late},         {"storm", peer_storm},
    {"asking", peer_asking},     {"input", peer_input},
    {"endless", peer_endless},   {"task", peer_task},
    {"old-task", peer_old_task}, {"pages", peer_pages},
    {"circle", peer_circle},     {"mute", peer_mute},
    {"huge", peer_huge},         {"progress", peer_progress},
    {"deaf", peer_deaf},         {"future", peer_future},
    {"fork", peer_fork},
};

__attribute__((constructor)) static void be_a_peer(void) {
    const char *name = getenv("MCP_PEER");
    if (!name) return;
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        if (strcmp(peers[i].name, name) != 0) continue;
        while (fgets(line, sizeof line, stdin))
            peers[i].take();
    }
    exit(0);
}

/* -- the client's side -------------------------------------------------------
 */

struct seat {
    struct loop *loop;
    struct mcp_client *client;
    bool ready, closed, failed;
    struct err err;
    int notices, changes, asks, progress;
    void *asked_in;          /* the call that the last question is part of */
    struct mcp_ask *held[2]; /* with hold set: questions not answered yet */
    bool hold, free_on_reply;
};

struct answer {
    struct seat *seat;
    bool done;
    int count;
    struct buf text; /* of the result */
    int code;        /* of the server's error */
    struct err err;
};

static void on_ready(void *data, struct mcp_client *c) {
    (void)c;
    ((struct seat *)data)->ready = true;
}

static void on_closed(void *data, struct mcp_client *c, const struct err *e) {
    struct seat *s = data;
    (void)c;
    CHECK(!s->closed);
    s->closed = true;
    s->failed = e != NULL;
    if (e) s->err = *e;
}

static void on_notified(void *data, struct mcp_client *c, str method,
                        const struct json *params) {
    struct seat *s = data;
    (void)c;
    (void)params;
    if (str_ends(method, STR("list_changed")))
        s->changes++;
    else
        s->notices++;
}

static void answer_roots(struct mcp_ask *ask) {
    AUTO_ARENA struct arena a = ARENA_MAX(10000);
    const struct json *v;
    struct err e;
    CHECK_OK(json_parse(STR("{\"roots\":[]}"), NULL, &a, &v, &e), &e);
    mcp_ask_answer(ask, v);
}

static void on_asked(void *data, struct mcp_client *c, struct mcp_ask *ask) {
    struct seat *s = data;
    (void)c;
    s->asks++;
    s->asked_in = mcp_ask_call(ask);
    if (s->hold)
        s->held[s->asks - 1] = ask;
    else if (str_is(mcp_ask_method(ask), "roots/list"))
        answer_roots(ask);
    else
        mcp_ask_refuse(ask, RPC_NO_METHOD, "no");
}

static const struct mcp_client_events events = {on_ready, on_closed,
                                                on_notified, on_asked, NULL};

static int sit(struct seat *s, const char *peer,
               struct mcp_client_config config, struct err *e) {
    char env[64];
    (void)snprintf(env, sizeof env, "MCP_PEER=%s", peer);
    const struct child_spec command = {
        .argv = (const char *const[]){"/proc/self/exe", NULL},
        .env = (const char *const[]){env, NULL}};
    config.command = &command;
    config.name = "test";
    config.version = "1";
    config.events = &events;
    config.data = s;
    s->client = mcp_client_new(s->loop, &config, e);
    return s->client ? 0 : -1;
}

static void step(struct seat *s) {
    struct err e;
    CHECK_OK(loop_step(s->loop, -1, &e), &e);
}

static void open_seat(struct seat *s, const char *peer,
                      struct mcp_client_config config) {
    struct err e;
    *s = (struct seat){.loop = loop_new(&e)};
    CHECK_OK(sit(s, peer, config, &e), &e);
    while (!s->ready && !s->closed)
        step(s);
}

static void close_seat(struct seat *s) {
    mcp_client_free(s->client);
    loop_free(s->loop);
}

static void on_reply(void *data, const struct mcp_reply *reply) {
    struct answer *a = data;
    struct err e;
    a->done = true;
    a->count++;
    CHECK(!reply->result == (reply->err != NULL));
    if (reply->result)
        CHECK_OK(json_write(reply->result, JSON_COMPACT, &a->text, &e), &e);
    if (reply->err) a->err = *reply->err;
    if (reply->error) a->code = rpc_error_code(reply->error);
    if (a->seat->free_on_reply) mcp_client_free(a->seat->client);
}

static void on_progress(void *data, const struct json *params) {
    struct answer *a = data;
    CHECK_EQ(json_get_int(params, "progress", -1), a->seat->progress);
    a->seat->progress++;
}

static struct mcp_call *begin(struct seat *s, struct answer *a,
                              struct mcp_call_spec spec) {
    struct err e;
    *a = (struct answer){.seat = s, .text = BUF_MAX(20 << 20)};
    if (!spec.method) spec.method = "tools/call";
    spec.done = on_reply;
    spec.data = a;
    struct mcp_call *call = mcp_call(s->client, &spec, &e);
    CHECK_OK(call ? 0 : -1, &e);
    return call;
}

static void ask(struct seat *s, struct answer *a, struct mcp_call_spec spec) {
    (void)begin(s, a, spec);
    while (!a->done)
        step(s);
}

#define DEFAULTS ((struct mcp_client_config){0})
#define PLAIN    ((struct mcp_call_spec){0})

/* -- handshake ---------------------------------------------------------------
 */

TEST(a_legacy_server_is_found_by_asking) {
    struct seat s;
    open_seat(&s, "legacy", DEFAULTS);
    CHECK(s.ready);
    CHECK_EQ(mcp_client_era(s.client), MCP_LEGACY);
    CHECK_EQ(mcp_client_revision(s.client), MCP_2025_06_18);
    CHECK_STR(json_get_text(mcp_client_server(s.client), "name", STR("")), "l");
    close_seat(&s);
}

TEST(a_modern_server_is_found_by_asking) {
    struct seat s;
    open_seat(&s, "modern", DEFAULTS);
    CHECK(s.ready);
    CHECK_EQ(mcp_client_era(s.client), MCP_MODERN);
    CHECK_STR(json_get_text(mcp_client_server(s.client), "name", STR("")), "m");
    CHECK_STR(mcp_client_instructions(s.client), "be kind");
    CHECK(json_get(mcp_client_capabilities(s.client), "tools"));
    close_seat(&s);
}

TEST(a_server_that_ignores_the_probe_is_initialized) {
    struct seat s;
    open_seat(&s, "mute", (struct mcp_client_config){.probe_ns = 20 * MS});
    CHECK(s.ready);
    CHECK_EQ(mcp_client_era(s.client), MCP_LEGACY);
    close_seat(&s);
}

TEST(a_server_that_says_nothing_is_given_up_in_time) {
    struct seat s;
    open_seat(&s, "nobody", DEFAULTS);
    CHECK(s.closed && s.failed);
    close_seat(&s);
    struct err e;
    s = (struct seat){.loop = loop_new(&e)};
    const struct child_spec sleeper = {
        .argv = (const char *const[]){"/bin/sleep", "60", NULL}};
    const struct mcp_client_config config = {.command = &sleeper,
                                             .name = "t",
                                             .version = "1",
                                             .connect_ns = 100 * MS,
                                             .probe_ns = 30 * MS,
                                             .events = &events,
                                             .data = &s};
    s.client = mcp_client_new(s.loop, &config, &e);
    while (!s.closed)
        step(&s);
    CHECK_EQ(s.err.kind, ERR_TIMEOUT);
    close_seat(&s);
}

TEST(a_program_that_cannot_be_started_is_an_error_at_once) {
    struct err e;
    struct seat s = {.loop = loop_new(&e)};
    const struct child_spec command = {
        .argv = (const char *const[]){"/no/such/program", NULL}};
    const struct mcp_client_config config = {.command = &command,
                                             .events = &events};
    CHECK(!mcp_client_new(s.loop, &config, &e));
    CHECK_HAS(e.text, "/no/such/program");
    loop_free(s.loop);
}

TEST(an_exit_during_the_handshake_is_told_with_the_last_words) {
    struct seat s;
    open_seat(&s, "exit", DEFAULTS);
    CHECK(s.closed && s.failed && !s.ready);
    CHECK_HAS(s.err.text, "exited with status 3");
    CHECK_HAS(s.err.text, "no key");
    close_seat(&s);
}

TEST(an_unknown_revision_is_refused) {
    struct seat s;
    open_seat(&s, "future", DEFAULTS);
    CHECK(s.closed && !s.ready);
    CHECK_HAS(s.err.text, "2031-01-01");
    close_seat(&s);
}

/* -- calls -------------------------------------------------------------------
 */

TEST(results_come_back_whole_with_everything_unknown) {
    static const char *const both[] = {"legacy", "modern"};
    for (int i = 0; i < 2; i++) {
        struct seat s;
        struct answer a;
        open_seat(&s, both[i], DEFAULTS);
        ask(&s, &a, PLAIN);
        CHECK_STR(buf_str(&a.text),
                  "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],"
                  "\"unknown\":[1,{\"x\":1.5}]}");
        buf_fini(&a.text);
        ask(&s, &a, (struct mcp_call_spec){.method = "no/such"});
        CHECK_EQ(a.code, RPC_NO_METHOD);
        CHECK_HAS(a.err.text, "Method not found");
        close_seat(&s);
    }
}

TEST(junk_between_messages_is_counted_and_split_characters_arrive) {
    struct seat s;
    struct answer a;
    open_seat(&s, "junk", DEFAULTS);
    CHECK(s.ready);
    ask(&s, &a, PLAIN);
    CHECK_STR(buf_str(&a.text),
              "{\"t\":\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}");
    CHECK(mcp_client_counts(s.client).junk >= 8);
    buf_fini(&a.text);
    close_seat(&s);
}

TEST(a_crash_ends_all_calls_at_once_with_the_reason) {
    struct seat s;
    struct answer a, b;
    struct err e;
    open_seat(&s, "crash", DEFAULTS);
    (void)begin(&s, &a, PLAIN);
    (void)begin(&s, &b, PLAIN);
    while (!s.closed)
        step(&s);
    CHECK(a.done && b.done);
    CHECK_HAS(a.err.text, "killed by SIGABRT");
    CHECK_HAS(b.err.text, "out of coffee");
    const struct mcp_call_spec spec = {.method = "x", .done = on_reply};
    CHECK(!mcp_call(s.client, &spec, &e));
    CHECK_HAS(e.text, "not connected");
    close_seat(&s);
}

TEST(a_server_that_exits_and_leaves_a_child_is_gone) {
    struct seat s;
    struct answer a;
    open_seat(&s, "fork", DEFAULTS);
    (void)begin(&s, &a, PLAIN);
    while (!s.closed)
        step(&s);
    CHECK(a.done);
    CHECK_HAS(a.err.text, "exited with status 5");
    close_seat(&s);
}

TEST(a_call_without_answer_times_out_and_is_cancelled) {
    struct seat s;
    struct answer a;
    open_seat(&s, "hang", DEFAULTS);
    ask(&s, &a, (struct mcp_call_spec){.timeout_ns = 50 * MS});
    CHECK_EQ(a.err.kind, ERR_TIMEOUT);
    while (!s.notices)
        step(&s);
    close_seat(&s);
}

TEST(a_cancelled_call_is_told_to_the_server_and_to_nobody_else) {
    struct seat s;
    struct answer a;
    open_seat(&s, "hang", DEFAULTS);
    mcp_call_cancel(begin(&s, &a, PLAIN), "changed my mind");
    while (!s.notices)
        step(&s);
    CHECK(!a.done);
    close_seat(&s);
}

TEST(late_and_double_answers_find_nobody) {
    struct seat s;
    struct answer a, b;
    open_seat(&s, "late", DEFAULTS);
    ask(&s, &a, (struct mcp_call_spec){.timeout_ns = 30 * MS});
    ask(&s, &b, PLAIN);
    CHECK_STR(buf_str(&b.text), "{\"n\":2}");
    while (mcp_client_counts(s.client).late < 3)
        step(&s);
    CHECK_EQ(a.count, 1);
    CHECK_EQ(b.count, 1);
    buf_fini(&b.text);
    close_seat(&s);
}

TEST(progress_keeps_a_call_alive_up_to_its_hard_end) {
    struct seat s;
    struct answer a;
    open_seat(&s, "progress", DEFAULTS);
    ask(&s, &a,
        (struct mcp_call_spec){.method = "finish",
                               .timeout_ns = 250 * MS,
                               .progress = on_progress});
    CHECK_EQ(a.err.kind, 0);
    CHECK_STR(buf_str(&a.text), "{}");
    CHECK_EQ(s.progress, 8);
    buf_fini(&a.text);
    s.progress = 0;
    ask(&s, &a,
        (struct mcp_call_spec){.timeout_ns = 250 * MS,
                               .max_ns = 200 * MS,
                               .progress = on_progress});
    CHECK_EQ(a.err.kind, ERR_TIMEOUT);
    CHECK(s.progress < 8);
    close_seat(&s);
}

TEST(a_huge_message_passes_and_one_over_the_maximum_is_dropped) {
    struct seat s;
    struct answer a;
    open_seat(&s, "huge", (struct mcp_client_config){.message_max = 6 << 20});
    ask(&s, &a, PLAIN);
    CHECK(a.text.len > (5 << 20));
    CHECK_EQ(mcp_client_counts(s.client).overlong, 1);
    CHECK_EQ(s.notices, 0);
    buf_fini(&a.text);
    close_seat(&s);
}

TEST(many_calls_at_once_are_all_answered) {
    struct seat s;
    static struct answer a[500];
    open_seat(&s, "legacy", DEFAULTS);
    for (int i = 0; i < 500; i++)
        (void)begin(&s, &a[i], PLAIN);
    for (int i = 0; i < 500; i++) {
        while (!a[i].done)
            step(&s);
        CHECK(a[i].text.len > 10);
        buf_fini(&a[i].text);
    }
    close_seat(&s);
}

TEST(a_callback_may_free_the_client) {
    struct seat s;
    struct answer a, b;
    open_seat(&s, "legacy", DEFAULTS);
    (void)begin(&s, &b, PLAIN);
    s.free_on_reply = true;
    (void)begin(&s, &a, PLAIN);
    while (!b.done)
        step(&s);
    CHECK(!a.done);
    buf_fini(&b.text);
    loop_free(s.loop);
}

/* -- lists and changes -------------------------------------------------------
 */

struct listed {
    bool done;
    struct buf text;
    struct err err;
    size_t excluded;
};

static void on_listing(void *data, const struct mcp_listing *l) {
    struct listed *to = data;
    struct err e;
    to->done = true;
    to->excluded = l->excluded;
    if (l->items)
        CHECK_OK(json_write(l->items, JSON_COMPACT, &to->text, &e), &e);
    if (l->err) to->err = *l->err;
}

static void list_tools(struct seat *s, struct listed *l, size_t max) {
    struct err e;
    *l = (struct listed){.text = BUF_MAX(1 << 20)};
    const struct mcp_list_spec spec = {.method = "tools/list",
                                       .key = "tools",
                                       .items_max = max,
                                       .done = on_listing,
                                       .data = l};
    CHECK_OK(mcp_list_all(s->client, &spec, &e), &e);
    while (!l->done)
        step(s);
}

TEST(all_pages_are_collected_and_the_empty_cursor_is_one) {
    struct seat s;
    struct listed l;
    open_seat(&s, "pages", DEFAULTS);
    list_tools(&s, &l, 0);
    CHECK_STR(buf_str(&l.text),
              "[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"}]");
    buf_fini(&l.text);
    close_seat(&s);
}

TEST(a_list_without_end_is_cut_off) {
    struct seat s;
    struct listed l;
    open_seat(&s, "circle", DEFAULTS);
    list_tools(&s, &l, 100);
    CHECK_EQ(l.err.kind, ERR_LIMIT);
    close_seat(&s);
}

static void tick(struct io_timer *t) {
    *(bool *)t->data = true;
}

TEST(a_storm_of_changes_is_told_once) {
    struct seat s;
    struct err e;
    bool over = false;
    struct io_timer t = {.fn = tick, .data = &over};
    open_seat(&s, "storm", DEFAULTS);
    CHECK_OK(loop_timer(s.loop, &t, (int64_t)400 * MS, &e), &e);
    while (!over)
        step(&s);
    CHECK(s.changes >= 1 && s.changes <= 3);
    close_seat(&s);
}

/* -- questions of the server -------------------------------------------------
 */

TEST(a_legacy_server_gets_answers_to_its_questions) {
    struct seat s;
    struct answer a;
    open_seat(&s, "asking", DEFAULTS);
    ask(&s, &a, PLAIN);
    CHECK_EQ(s.asks, 2); /* the ping is answered without a word */
    CHECK_HAS(buf_text(&a.text),
              "{\"jsonrpc\":\"2.0\",\"id\":\"q1\",\"result\":{}}");
    CHECK_HAS(buf_text(&a.text), "\"id\":\"q2\",\"result\":{\"roots\":[]}}");
    CHECK_HAS(buf_text(&a.text), "\"id\":7,\"error\":{\"code\":-32601");
    buf_fini(&a.text);
    close_seat(&s);
}

TEST(a_question_may_be_answered_after_its_client_is_gone) {
    struct seat s;
    struct answer a;
    open_seat(&s, "asking", DEFAULTS);
    s.hold = true;
    struct mcp_call *call = begin(&s, &a, PLAIN);
    while (s.asks < 2)
        step(&s);
    mcp_call_cancel(call, "over");
    mcp_client_free(s.client);
    answer_roots(s.held[0]);
    mcp_ask_refuse(s.held[1], RPC_INTERNAL, "too late");
    loop_free(s.loop);
}

TEST(input_is_given_in_rounds_with_exactly_the_state) {
    struct seat s;
    struct answer a;
    open_seat(&s, "input", DEFAULTS);
    ask(&s, &a, PLAIN);
    CHECK_EQ(s.asks, 3);
    CHECK_STR(buf_str(&a.text), "{\"resultType\":\"complete\",\"ok\":true}");
    buf_fini(&a.text);
    close_seat(&s);
}

TEST(input_can_be_given_later_or_refused) {
    struct seat s;
    struct answer a;
    open_seat(&s, "input", DEFAULTS);
    s.hold = true;
    (void)begin(&s, &a, PLAIN);
    while (s.asks < 2)
        step(&s);
    s.hold = false;
    answer_roots(s.held[0]);
    CHECK(!a.done);
    mcp_ask_refuse(s.held[1], RPC_INTERNAL, "not today");
    CHECK(a.done);
    CHECK_EQ(a.err.kind, ERR_DENIED);
    CHECK_HAS(a.err.text, "not today");
    close_seat(&s);
}

TEST(a_raw_call_hands_out_the_question_itself) {
    struct seat s;
    struct answer a;
    open_seat(&s, "input", DEFAULTS);
    ask(&s, &a, (struct mcp_call_spec){.raw = true});
    CHECK_HAS(buf_text(&a.text), "input_required");
    CHECK_EQ(s.asks, 0);
    buf_fini(&a.text);
    close_seat(&s);
}

TEST(a_server_that_asks_without_end_is_cut_off) {
    struct seat s;
    struct answer a;
    open_seat(&s, "endless", DEFAULTS);
    ask(&s, &a, PLAIN);
    CHECK_EQ(a.err.kind, ERR_LIMIT);
    close_seat(&s);
}

static void on_note(void *data, const struct json *params) {
    struct answer *a = data;
    CHECK_STR(json_get_text(params, "message", STR("")), "half");
    a->seat->progress++;
}

TEST(a_task_is_waited_for) {
    struct seat s;
    struct answer a;
    open_seat(&s, "task", DEFAULTS);
    ask(&s, &a, (struct mcp_call_spec){.progress = on_note});
    CHECK_STR(buf_str(&a.text), "{\"done\":4}");
    CHECK_EQ(s.progress, 1); /* said twice, heard once */
    CHECK_EQ(s.asks, 1);
    buf_fini(&a.text);
    close_seat(&s);
}

TEST(a_tool_that_a_legacy_server_has_only_as_a_task_is_called_so) {
    struct seat s;
    struct answer a;
    open_seat(&s, "old-task", DEFAULTS);
    ask(&s, &a, PLAIN);
    CHECK_STR(buf_str(&a.text), "{\"done\":5}");
    buf_fini(&a.text);
    close_seat(&s);
}

TEST(what_is_told_and_asked_about_a_legacy_task_belongs_to_its_call) {
    struct seat s;
    struct answer a, other;
    open_seat(&s, "old-task", DEFAULTS);
    ask(&s, &other, PLAIN);
    ask(&s, &a, (struct mcp_call_spec){.progress = on_note});
    CHECK_STR(buf_str(&a.text), "{\"done\":6}");
    CHECK_EQ(s.progress, 2); /* under the token of its first message */
    CHECK_EQ(s.asks, 1);
    CHECK(s.asked_in == &a);
    buf_fini(&a.text);
    buf_fini(&other.text);
    close_seat(&s);
}

TEST(what_a_list_says_of_tasks_is_kept) {
    AUTO_ARENA struct arena arena = ARENA_MAX(100000);
    static const char *const names[] = {"{\"name\":\"t\"}", "{\"name\":\"u\"}"};
    static const char *const want[] = {"{\"done\":5}", "{\"u\":1}"};
    struct seat s;
    struct listed l;
    struct err e;
    open_seat(&s, "old-task", DEFAULTS);
    list_tools(&s, &l, 0);
    buf_fini(&l.text);
    for (int i = 0; i < 2; i++) {
        struct mcp_call_spec spec = PLAIN;
        struct answer a;
        CHECK_OK(json_parse(str_of(names[i]), NULL, &arena, &spec.params, &e),
                 &e);
        ask(&s, &a, spec);
        CHECK_TEXT(buf_text(&a.text), want[i]);
        buf_fini(&a.text);
    }
    close_seat(&s);
}

TEST(a_form_is_filled_with_defaults) {
    AUTO_ARENA struct arena a = ARENA_MAX(100000);
    AUTO_BUF struct buf out = BUF_MAX(1000);
    const struct json *schema, *entered, *content;
    struct err e;
    CHECK_OK(json_parse(STR("{\"properties\":{\"a\":{\"default\":1},\"b\":"
                            "{\"default\":[true]},\"c\":{},\"d\":{}}}"),
                        NULL, &a, &schema, &e),
             &e);
    CHECK_OK(json_parse(STR("{\"a\":2,\"d\":\"x\",\"z\":0}"), NULL, &a,
                        &entered, &e),
             &e);
    CHECK_OK(mcp_form_content(schema, entered, &a, &content, &e), &e);
    CHECK_OK(json_write(content, JSON_COMPACT, &out, &e), &e);
    CHECK_STR(buf_str(&out), "{\"a\":2,\"b\":[true],\"d\":\"x\"}");
}

/* -- the end -----------------------------------------------------------------
 */

TEST(an_orderly_close_ends_the_program_and_the_calls) {
    struct seat s;
    struct answer a;
    open_seat(&s, "hang", DEFAULTS);
    (void)begin(&s, &a, PLAIN);
    mcp_client_close(s.client);
    while (!s.closed)
        step(&s);
    CHECK(!s.failed);
    CHECK(a.done);
    CHECK_HAS(a.err.text, "closed");
    close_seat(&s);
}

TEST(a_program_that_ignores_everything_is_killed_with_its_client) {
    struct seat s;
    struct answer a;
    open_seat(&s, "deaf", DEFAULTS);
    (void)begin(&s, &a, PLAIN);
    close_seat(&s); /* waits for the child: it would hang here */
    CHECK(!a.done);
}

/* A whole life up to the handshake's first message. */
static int start_and_free(void) {
    struct err e;
    struct loop *loop = loop_new(&e);
    if (!loop) return -1;
    struct seat s = {.loop = loop};
    int r = sit(&s, "legacy", DEFAULTS, &e);
    if (r == 0) mcp_client_free(s.client);
    loop_free(loop);
    return r;
}

TEST(starting_survives_every_failed_allocation) {
    TORTURE(start_and_free());
}
