/* SPDX-License-Identifier: MIT
 *
 * Results that are not the end of a call: the server needs something first
 * (input_required), or has made a task of it. Questions go to the user of the
 * client; the call is then sent again with the answers and with exactly the
 * state the server gave. A task is asked for until it is over.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/client_conn.h"
#include "json/build.h"

#define POLL_LEAST (50 * CONN_MS)
#define POLL_MOST  (60 * CONN_SECOND)
enum { MESSAGE_MAX = 500 };

static void fail_call(struct mcp_call *call, enum err_kind kind,
                      const char *text) {
    struct err e;
    err_set(&e, kind, "%s: %s", call->method, text);
    call_fail(call, &e);
}

void rounds_forget(struct mcp_call *call) {
    for (size_t i = 0; i < call->input_count; i++)
        ask_orphan(call->inputs[i]);
    call->input_count = call->inputs_open = 0;
}

static int copy(struct mcp_call *call, const struct json *v,
                const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(&call->arena);
    build_copy(&b, v);
    return build_done(&b, out, e);
}

/* -- questions ---------------------------------------------------------------
 */

static int add_input(struct mcp_call *call, const struct json *key,
                     struct err *e) {
    str method = json_get_text(key + 1, "method", STR(""));
    const struct json *params = json_get(key + 1, "params");
    if (call->input_count == CONN_INPUTS_MAX)
        return fail(e, ERR_LIMIT, "%s: more than %d questions", call->method,
                    CONN_INPUTS_MAX);
    struct mcp_ask *ask = ask_new(call->client, call, method, params, e);
    if (!ask) return -1;
    if (arena_dup(&ask->arena, json_str(key), &ask->key, e)) {
        ask_orphan(ask);
        return -1;
    }
    call->inputs[call->input_count++] = ask;
    return 0;
}

static int take_inputs(struct mcp_call *call, const struct json *result,
                       struct err *e) {
    const struct json *state = json_get(result, "requestState");
    const struct json *requests = json_get(result, "inputRequests");
    rounds_forget(call);
    call->state = NULL;
    if (++call->rounds > CONN_ROUNDS_MAX)
        return fail(e, ERR_LIMIT, "%s: the server asks without end",
                    call->method);
    if (!state && !requests)
        return fail(e, ERR_PEER, "%s: the server asks for nothing",
                    call->method);
    if (state && copy(call, state, &call->state, e)) return -1;
    if (!requests) return 0;
    if (json_type(requests) != JSON_OBJECT)
        return fail(e, ERR_PEER, "%s: inputRequests is no object",
                    call->method);
    const struct json *key = json_first(requests);
    for (size_t i = json_len(requests); i > 0; i--, key = json_skip(key + 1))
        if (add_input(call, key, e)) return -1;
    return 0;
}

static void send_again(struct mcp_call *call) {
    struct err e;
    if (call->task) call->task_method = "tasks/update";
    if (call_send(call, &e)) {
        call_fail(call, &e);
        return;
    }
    rounds_forget(call);
    call->state = NULL;
}

/* The user may answer at once, from within ask_hand; the count is set before,
 * and one more holds the round open until all were handed out. */
static void hand_out(struct mcp_call *call) {
    struct mcp_client *c = call->client;
    struct mcp_ask *asks[CONN_INPUTS_MAX];
    int64_t id = call->id;
    size_t n = call->input_count;
    for (size_t i = 0; i < n; i++)
        asks[i] = call->inputs[i];
    call->inputs_open = n + 1;
    for (size_t i = 0; i < n; i++) {
        ask_hand(asks[i]);
        if (c->dead || call_find(c, id) != call) return;
    }
    if (--call->inputs_open == 0) send_again(call);
}

void rounds_answered(struct mcp_ask *ask) {
    struct mcp_call *call = ask->call;
    if (--call->inputs_open == 0) send_again(call);
}

/* -- tasks -------------------------------------------------------------------
 */

/* What a task says of itself is its progress, once. True when the call is gone:
 * the user may end it. */
static bool tell_progress(struct mcp_call *call, const struct json *result) {
    struct mcp_client *c = call->client;
    int64_t id = call->id;
    str message = str_sub(json_get_text(result, "statusMessage", STR("")), 0,
                          MESSAGE_MAX);
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct json_build b = JSON_BUILD(&a);
    const struct json *params;
    struct err e;
    message.n = utf8_valid(message.p, message.n);
    if (!call->progress || !message.n || str_eq(message, call->told) ||
        arena_dup(&call->arena, message, &call->told, &e))
        return false;
    build_object(&b);
    build_put_text(&b, "message", message);
    build_end(&b);
    if (build_done(&b, &params, &e)) return false;
    call->progress(call->data, params);
    return c->dead || call_find(c, id) != call;
}

static void wait_for_task(struct mcp_call *call, const struct json *result) {
    struct mcp_client *c = call->client;
    struct err e;
    if (tell_progress(call, result)) return;
    const char *key =
        call->era == MCP_MODERN ? "pollIntervalMs" : "pollInterval";
    int64_t ms = json_get_int(result, key, 1000);
    int64_t ns = ms < 0 || ms > POLL_MOST / CONN_MS ? POLL_MOST : ms * CONN_MS;
    if (ns < POLL_LEAST) ns = POLL_LEAST;
    int64_t left = call->ends_at - loop_now(c->loop);
    if (left <= 0) {
        fail_call(call, ERR_TIMEOUT, "its task took too long");
        return;
    }
    (void)map_del(&c->by_id, (str){(const char *)&call->id, sizeof call->id});
    call->id = 0;
    loop_timer_stop(&call->timer);
    if (loop_timer(c->loop, &call->timer, ns < left ? ns : left, &e))
        call_fail(call, &e);
}

void rounds_poll(struct mcp_call *call) {
    struct err e;
    call->task_method = "tasks/get";
    if (call_send(call, &e)) call_fail(call, &e);
}

static void begin_task(struct mcp_call *call, const struct json *result) {
    struct err e;
    str id = json_get_text(result, "taskId", STR(""));
    if (id.n == 0) {
        fail_call(call, ERR_PEER, "a task without an id");
        return;
    }
    call->token = call->id;
    call->task = arena_text(&call->arena, id, &e);
    if (call->task)
        wait_for_task(call, result);
    else
        call_fail(call, &e);
}

static void end_task(struct mcp_call *call, const struct json *result,
                     str status) {
    const struct json *inner = json_get(result, "result");
    const struct json *error = json_get(result, "error");
    struct err e;
    if (str_is(status, "completed") && inner &&
        json_type(inner) == JSON_OBJECT) {
        call_end(call, &(struct mcp_reply){.result = inner});
        return;
    }
    if (error && json_type(error) == JSON_OBJECT)
        err_set(&e, ERR_PEER, "the server answers: %.*s (%d)",
                STR_ARG(rpc_error_message(error)), rpc_error_code(error));
    else
        err_set(&e, ERR_PEER, "%s: its task ended as '%.*s'", call->method,
                STR_ARG(status)),
            error = NULL;
    call_end(call, &(struct mcp_reply){.error = error, .err = &e});
}

static void ask_inputs(struct mcp_call *call, const struct json *result) {
    struct err e;
    if (take_inputs(call, result, &e))
        call_fail(call, &e);
    else
        hand_out(call);
}

static void take_task(struct mcp_call *call, const struct json *result) {
    str status = json_get_text(result, "status", STR(""));
    if (!str_is(str_of(call->task_method), "tasks/get"))
        wait_for_task(call, result); /* the answers were taken */
    else if (str_is(status, "input_required"))
        ask_inputs(call, result);
    else if (str_is(status, "completed") || str_is(status, "failed") ||
             str_is(status, "cancelled"))
        end_task(call, result, status);
    else
        wait_for_task(call, result);
}

/* -- tasks of the legacy era --------------------------------------------------
 *
 * There the client says that it wants a task, the answer has it under "task",
 * and what came of it is asked for with tasks/result. That also brings the
 * questions of one that waits for input, as requests of the server.
 */

bool rounds_has_tasks(const struct mcp_client *c) {
    const struct json *caps = mcp_client_capabilities(c);
    return caps && json_pointer(caps, STR("/tasks/requests/tools/call"));
}

bool rounds_as_task(struct mcp_call *call, const struct json *error) {
    struct err e;
    if (rpc_error_code(error) != RPC_NO_METHOD || call->as_task ||
        !str_is(str_of(call->method), "tools/call") ||
        !rounds_has_tasks(call->client))
        return false;
    call->as_task = true;
    return call_send(call, &e) == 0;
}

static bool take_legacy(struct mcp_call *call, const struct json *result) {
    const struct json *task = json_get(result, "task");
    struct err e;
    if (!call->as_task) return false;
    if (!call->task) {
        if (!task || json_type(task) != JSON_OBJECT) return false;
        begin_task(call, task);
        return true;
    }
    if (!str_is(str_of(call->task_method), "tasks/get")) return false;
    if (str_is(json_get_text(result, "status", STR("")), "working")) {
        wait_for_task(call, result);
        return true;
    }
    call->task_method = "tasks/result";
    if (call_send(call, &e)) call_fail(call, &e);
    return true;
}

/* -- which it is -------------------------------------------------------------
 */

bool rounds_take(struct mcp_call *call, const struct json *result) {
    str type = json_get_text(result, "resultType", STR("complete"));
    if (call->era != MCP_MODERN) return take_legacy(call, result);
    if (call->task) {
        take_task(call, result);
        return true;
    }
    if (str_is(type, "complete")) return false;
    if (str_is(type, "input_required"))
        ask_inputs(call, result);
    else if (str_is(type, "task"))
        begin_task(call, result);
    else
        fail_call(call, ERR_PEER, "a result of unknown type");
    return true;
}
