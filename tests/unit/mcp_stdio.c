/* SPDX-License-Identifier: MIT
 *
 * A small service behind the stdio transport, spoken to line by line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "mcp/serve.h"
#include "test.h"
#include "json/build.h"

static const struct json none[] = {{.head = JSON_OBJECT, .as.span = 1}};

struct place {
    struct loop *loop;
    struct log log;
    struct mcp_server *server;
    struct mcp_request *held; /* tools/call "hold" */
    bool cancelled, abandoned, done;
    int fd; /* the client's end */
    struct buf heard;
};

static void answer_with(struct mcp_request *r, const char *key, str text) {
    struct json_build b = JSON_BUILD(mcp_arena(r));
    const struct json *v;
    struct err e;
    build_object(&b);
    build_put_text(&b, key, text);
    build_end(&b);
    CHECK_OK(build_done(&b, &v, &e), &e);
    mcp_answer(r, v);
}

/* Tools: hold (never answers by itself), ask (a form, then its answer), and the
 * same as tasks; must-be is a task or refused. */
static void handle(void *data, struct mcp_request *r) {
    struct place *p = data;
    str name = json_get_text(mcp_params(r), "name", STR(""));
    bool required = str_is(name, "must-be");
    if ((required || str_starts(name, STR("task-"))) &&
        mcp_make_task(r, required) == MCP_TASK_REFUSED)
        return;
    if (str_is(name, "hold") || str_is(name, "task-hold")) {
        p->held = r;
    } else if (str_is(name, "ask") || str_is(name, "task-ask")) {
        const struct json *input = mcp_input(r, "q");
        if (input) {
            answer_with(r, "said", json_get_text(input, "action", STR("?")));
        } else {
            mcp_need(r, "q", "elicitation/create", none);
            mcp_wait(r, STR("memo"));
        }
    } else {
        answer_with(r, "method", str_of(mcp_method_name(mcp_method(r))));
    }
}

static void cancelled(void *data, struct mcp_request *r) {
    struct place *p = data;
    p->cancelled = true;
    mcp_answer(r, none);
}

static void abandoned(void *data, str memo) {
    CHECK(str_is(memo, "memo"));
    ((struct place *)data)->abandoned = true;
}

static const struct json *capabilities(void *data, enum mcp_era era) {
    (void)data, (void)era;
    return none;
}

static void note_done(void *data) {
    ((struct place *)data)->done = true;
}

static void open_place(struct place *p) {
    struct err e;
    int ends[2];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    *p = (struct place){.loop = loop_new(&e),
                        .log = LOG_TO(2, LOG_ERROR),
                        .fd = ends[1],
                        .heard = BUF_MAX(1 << 20)};
    CHECK_EQ(fcntl(p->fd, F_SETFL, O_NONBLOCK), 0);
    struct mcp_service service = {.name = "test",
                                  .version = "1",
                                  .capabilities = capabilities,
                                  .handle = handle,
                                  .cancelled = cancelled,
                                  .abandoned = abandoned,
                                  .data = p};
    p->server = mcp_server_new(p->loop, &service, &p->log, &e);
    CHECK_OK(p->server ? 0 : -1, &e);
    CHECK_OK(mcp_serve_stdio(p->server, ends[0], ends[0], note_done, p, &e),
             &e);
}

static void close_place(struct place *p) {
    struct err e;
    fd_auto_close(&p->fd);
    while (!p->done)
        CHECK_OK(loop_step(p->loop, -1, &e), &e);
    mcp_server_free(p->server);
    buf_fini(&p->heard);
    loop_free(p->loop);
}

/* Says one line and returns all that came back meanwhile. */
static const char *say(struct place *p, const char *line) {
    struct err e;
    char chunk[65536];
    buf_truncate(&p->heard, 0);
    CHECK_OK(fd_write_all(p->fd, str_of(line), &e), &e);
    CHECK_OK(fd_write_all(p->fd, STR("\n"), &e), &e);
    for (int i = 0; i < 4; i++)
        CHECK_OK(loop_step(p->loop, 0, &e), &e);
    for (ssize_t n; (n = read(p->fd, chunk, sizeof chunk)) > 0;)
        CHECK_OK(buf_add(&p->heard, chunk, (size_t)n, &e), &e);
    return buf_text(&p->heard);
}

#define HELLO                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"    \
    "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"elicitation\":{}" \
    "},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}"
#define META                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}"
#define CALL(id, name)                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\"," \
    "\"params\":{\"name\":\"" name "\"}}"

TEST(a_legacy_client_gets_its_own_revision_and_then_answers) {
    struct place p;
    open_place(&p);
    CHECK_HAS(say(&p, CALL("1", "x")), "first request must be initialize");
    CHECK_HAS(say(&p, HELLO), "\"protocolVersion\":\"2025-06-18\"");
    CHECK_TEXT(say(&p, "{\"jsonrpc\":\"2.0\",\"method\":"
                       "\"notifications/initialized\"}"),
               "");
    CHECK_TEXT(say(&p, CALL("\"1\"", "x")),
               "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"method\":"
               "\"tools/call\"}}\n");
    close_place(&p);
}

TEST(a_modern_client_needs_no_handshake) {
    struct place p;
    open_place(&p);
    const char *got =
        say(&p, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\","
                "\"params\":{" META "}}");
    CHECK_HAS(got, "\"resultType\":\"complete\"");
    CHECK_HAS(got, "\"ttlMs\":0");
    CHECK_HAS(say(&p, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\","
                      "\"params\":{" META "}}"),
              "-32601");
    close_place(&p);
}

TEST(what_is_no_message_is_refused_and_the_next_line_is_heard) {
    struct place p;
    open_place(&p);
    CHECK_HAS(say(&p, "{\"jsonrpc\":\"2.0\","), "-32700");
    CHECK_HAS(say(&p, "[]"), "-32600");
    CHECK_HAS(say(&p, "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}"),
              "-32600");
    CHECK_HAS(say(&p, "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"x\"}"),
              "\"id\":3");
    CHECK_TEXT(say(&p, "  "), "");
    CHECK_HAS(say(&p, HELLO), "protocolVersion");
    close_place(&p);
}

TEST(a_cancelled_request_gets_no_answer) {
    struct place p;
    open_place(&p);
    (void)say(&p, HELLO);
    CHECK_TEXT(say(&p, CALL("5", "hold")), "");
    CHECK_TEXT(say(&p, "{\"jsonrpc\":\"2.0\",\"method\":"
                       "\"notifications/cancelled\",\"params\":{\"requestId\":"
                       "\"5\"}}"),
               ""); /* the id is 5, not "5" */
    CHECK(!p.cancelled);
    CHECK_TEXT(say(&p, "{\"jsonrpc\":\"2.0\",\"method\":"
                       "\"notifications/cancelled\",\"params\":{\"requestId\":"
                       "5}}"),
               "");
    CHECK(p.cancelled);
    close_place(&p);
}

TEST(a_legacy_client_is_asked_while_its_request_waits) {
    struct place p;
    open_place(&p);
    (void)say(&p, HELLO);
    CHECK_HAS(say(&p, CALL("9", "ask")),
              "\"id\":1,\"method\":\"elicitation/create\"");
    CHECK_HAS(say(&p, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":"
                      "\"accept\"}}"),
              "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"said\":\"accept\"}");
    CHECK_TEXT(say(&p, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"), "");
    CHECK_HAS(say(&p, CALL("10", "ask")), "\"id\":2,");
    CHECK_HAS(say(&p, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-1,"
                      "\"message\":\"no\"}}"),
              "the client refused elicitation/create: no");
    close_place(&p);
}

TEST(a_modern_client_carries_the_state_itself) {
    struct place p;
    open_place(&p);
    const char *got =
        say(&p, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
                "\"tools/call\",\"params\":{\"name\":\"ask\"," META "}}");
    CHECK_HAS(got, "\"resultType\":\"input_required\"");
    const char *at = strstr(got, "\"requestState\":\"");
    CHECK(at);
    char state[512], line[2048];
    CHECK_EQ(sscanf(at, "\"requestState\":\"%500[^\"]", state), 1);
    (void)snprintf(line, sizeof line,
                   "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\","
                   "\"params\":{\"name\":\"ask\"," META
                   ",\"requestState\":\"%s\",\"inputResponses\":{\"q\":{"
                   "\"action\":\"decline\"}}}}",
                   state);
    CHECK_HAS(say(&p, line), "\"said\":\"decline\"");
    char *name = strstr(line, "\"ask\"");
    memcpy(name, "\"asp\"", 5); /* the same state for another call */
    CHECK_HAS(say(&p, line), "requestState is not one");
    close_place(&p);
}

TEST(requests_that_wait_when_the_client_leaves_are_cancelled) {
    struct place p;
    open_place(&p);
    (void)say(&p, HELLO);
    (void)say(&p, CALL("1", "hold"));
    (void)say(&p, CALL("2", "ask"));
    close_place(&p);
    CHECK(p.cancelled);
}

TEST(a_batch_is_for_the_one_revision_that_had_them) {
    struct place p;
    open_place(&p);
    (void)say(&p, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
                  "\"params\":{\"protocolVersion\":\"2025-03-26\"}}");
    const char *got = say(&p, "[" CALL("1", "a") "," CALL("2", "b") "]");
    CHECK_HAS(got, "\"id\":1");
    CHECK_HAS(got, "\"id\":2");
    close_place(&p);
}

/* -- tasks -------------------------------------------------------------------
 */

#define TASK_META                                                            \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},"    \
    "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}"

static const char *call_task(struct place *p, const char *name) {
    char line[1024];
    (void)snprintf(line, sizeof line,
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                   "\"params\":{\"name\":\"%s\"," TASK_META "}}",
                   name);
    return say(p, line);
}

static const char *about_task(struct place *p, const char *method,
                              const char *task) {
    char line[1024];
    (void)snprintf(line, sizeof line,
                   "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/%s\","
                   "\"params\":{\"taskId\":\"%s\"," TASK_META "}}",
                   method, task);
    return say(p, line);
}

static void read_task(const char *got, char id[64]) {
    const char *at = strstr(got, "\"taskId\":\"");
    CHECK(at);
    CHECK_EQ(sscanf(at, "\"taskId\":\"%60[^\"]", id), 1);
}

TEST(a_task_that_asks_and_is_cancelled_is_abandoned) {
    struct place p;
    char id[64];
    open_place(&p);
    read_task(call_task(&p, "task-ask"), id);
    CHECK_HAS(about_task(&p, "get", id), "\"status\":\"input_required\"");
    CHECK(!p.abandoned);
    CHECK_HAS(about_task(&p, "cancel", id), "\"resultType\":\"complete\"");
    CHECK(p.abandoned);
    CHECK_HAS(about_task(&p, "get", id), "\"status\":\"cancelled\"");
    close_place(&p);
}

TEST(a_task_that_runs_and_is_cancelled_is_stopped) {
    struct place p;
    char id[64];
    open_place(&p);
    read_task(call_task(&p, "task-hold"), id);
    CHECK(!strstr(about_task(&p, "get", id), "statusMessage"));
    mcp_progress(p.held, 1, 4, NULL);
    CHECK_HAS(about_task(&p, "get", id), "\"statusMessage\":\"1 of 4\"");
    mcp_progress(p.held, 2, 4, "half");
    CHECK_HAS(about_task(&p, "get", id), "\"statusMessage\":\"half\"");
    CHECK_HAS(about_task(&p, "cancel", id), "\"resultType\":\"complete\"");
    CHECK(p.cancelled);
    CHECK_HAS(about_task(&p, "get", id), "\"status\":\"cancelled\"");
    close_place(&p);
}

TEST(one_client_has_so_many_tasks_and_no_more) {
    struct place p;
    open_place(&p);
    for (int i = 0; i < 200; i++)
        CHECK_HAS(call_task(&p, "task-x"), "\"resultType\":\"task\"");
    CHECK_HAS(call_task(&p, "task-x"), "\"resultType\":\"complete\"");
    CHECK_HAS(call_task(&p, "must-be"), "too many tasks");
    close_place(&p);
}

TEST(a_new_session_takes_the_place_of_the_most_silent) {
    struct place p;
    struct err e;
    char first[HASH_ID_SIZE];
    open_place(&p);
    (void)say(&p, HELLO); /* the pipe's own is the oldest, and stays */
    for (int i = 1; i < MCP_SESSIONS_MAX; i++) {
        struct mcp_session *session = session_new(p.server, STR("a"), &e);
        CHECK_OK(session ? 0 : -1, &e);
        session->used_at += i;
        if (i == 1) memcpy(first, session->id, sizeof first);
    }
    CHECK(session_find(p.server, str_of(first), STR("a")));
    CHECK(!session_find(p.server, str_of(first), STR("b")));
    session_find(p.server, str_of(first), STR("a"))->used_at = 0;
    CHECK(session_new(p.server, STR("b"), &e));
    CHECK(!session_find(p.server, str_of(first), STR("a")));
    CHECK_EQ(p.server->by_id.live, MCP_SESSIONS_MAX);
    CHECK_HAS(say(&p, CALL("1", "x")), "\"method\"");
    close_place(&p);
}
