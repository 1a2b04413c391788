/* SPDX-License-Identifier: MIT
 *
 * Tasks as 2025-11-25 has them: the client says with its call that it is to be
 * one, and fetches what came of it with tasks/result. That request waits until
 * the task has ended; what the task asks meanwhile is asked on it. They belong
 * to the session and end with it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/num.h"
#include "mcp/serve.h"
#include "json/build.h"

enum {
    TTL_LEAST = 1000,
    PAGE = 50,        /* tasks of one tasks/list */
    WAITING_MAX = 16, /* tasks/result of one task at once */
};

static bool offered(const struct mcp_request *r) {
    const struct mcp_service *s = &r->server->service;
    const struct json *caps;
    if (!r->session || r->session->revision < MCP_2025_11_25 ||
        !s->task_support)
        return false;
    caps = s->capabilities(s->data, MCP_LEGACY);
    return caps && json_pointer(caps, STR("/tasks/requests/tools/call"));
}

/* -- making ------------------------------------------------------------------
 */

static int64_t ttl_of(const struct json *wish) {
    int64_t ms = json_get_int(wish, "ttl", TASK_MS);
    if (ms > TASK_MS) return TASK_MS;
    return ms < TTL_LEAST ? TTL_LEAST : ms;
}

static bool make(struct mcp_request *r, const struct json *wish) {
    struct err e;
    if (!task_has_room(r))
        mcp_refuse(r, RPC_INTERNAL, NULL,
                   "too many tasks: those before it must end first");
    else if (task_promise(r, ttl_of(wish), &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        return true;
    return false;
}

bool task_open(struct mcp_request *r) {
    const struct mcp_service *s = &r->server->service;
    const struct json *wish = json_get(mcp_params(r), "task");
    if (r->method != MCP_TOOLS_CALL || !offered(r)) return true;
    enum mcp_task_support support =
        s->task_support(s->data, json_get_text(mcp_params(r), "name", STR("")));
    if (wish && json_type(wish) != JSON_OBJECT)
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "params.task is no object");
    else if (wish && support == MCP_TASK_FORBIDDEN)
        mcp_refuse(r, RPC_NO_METHOD, NULL, "this tool cannot be a task");
    else if (!wish && support == MCP_TASK_REQUIRED)
        mcp_refuse(r, RPC_NO_METHOD, NULL, "this tool is there only as a task");
    else
        return wish ? make(r, wish) : true;
    return false;
}

/* -- messages about it -------------------------------------------------------
 */

void task_put_related(struct json_build *b, const struct mcp_request *r) {
    if (!r->is_task || r->era != MCP_LEGACY) return;
    build_key(b, STR(MCP_META_TASK));
    build_object(b);
    build_put_text(b, "taskId", str_of(r->task.id));
    build_end(b);
}

static struct mcp_request *next_waiting(const struct mcp_request *p,
                                        const struct mcp_request *after) {
    struct mcp_request *q = after ? after->next : p->server->requests;
    while (q && q->awaits != p)
        q = q->next;
    return q;
}

struct mcp_channel *task_channel(const struct mcp_request *p) {
    for (const struct mcp_request *q = NULL; (q = next_waiting(p, q));)
        if (q->channel) return q->channel;
    return p->session ? p->session->stream : NULL;
}

static void tell_status(struct mcp_request *p) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    struct mcp_channel *c = p->session ? p->session->stream : NULL;
    struct json_build b = JSON_BUILD(&a);
    const struct json *params;
    struct err e;
    if (!c) return;
    build_object(&b);
    task_put(&b, p);
    build_end(&b);
    if (build_done(&b, &params, &e) ||
        rpc_write_notification("notifications/tasks/status", params, &out,
                               &e) ||
        c->send(c, buf_str(&out), &e))
        log_debug(p->server->log, "a task's status was not sent: %s", e.text);
}

/* On the tasks/result of q: only who fetches it answers for it. */
static void ask_on(struct mcp_request *p, struct mcp_request *q) {
    struct err e;
    for (size_t i = p->round_start; q->channel && i < p->need_count; i++)
        if (!p->needs[i].answered &&
            session_ask(p, q->channel, &p->needs[i], &e))
            log_debug(p->server->log, "%s not sent: %s", p->needs[i].method,
                      e.text);
}

/* -- its end -----------------------------------------------------------------
 */

/* As the request would have been answered, and whose answer it is. */
static int with_related(struct mcp_request *r, const struct mcp_request *p,
                        const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *result = p->task.result, *key = json_first(result);
    const struct json *meta = json_get(result, "_meta");
    build_object(&b);
    for (size_t i = json_len(result); i > 0; i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "_meta")) continue;
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    build_key(&b, STR("_meta"));
    build_object(&b);
    bool more = meta && json_type(meta) == JSON_OBJECT;
    key = more ? json_first(meta) : NULL;
    for (size_t i = more ? json_len(meta) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), MCP_META_TASK)) continue;
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    task_put_related(&b, p);
    build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

static void answer_result(struct mcp_request *r, const struct mcp_request *p) {
    const struct json *result, *error = p->task.error;
    struct err e;
    if (p->task.result && with_related(r, p, &result, &e) == 0)
        mcp_answer(r, result);
    else if (p->task.result)
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else if (error)
        mcp_refuse(r, rpc_error_code(error), json_get(error, "data"), "%.*s",
                   STR_ARG(str_sub(rpc_error_message(error), 0, 1000)));
    else
        mcp_refuse(r, RPC_INTERNAL, NULL, "the task was cancelled");
}

void task_changed(struct mcp_request *p) {
    struct mcp_request *q;
    tell_status(p);
    if (p->task.status == TASK_ASKING && (q = next_waiting(p, NULL)))
        ask_on(p, q);
    while (task_ended(&p->task) && (q = next_waiting(p, NULL))) {
        q->awaits = NULL;
        answer_result(q, p);
    }
}

void task_forget(struct mcp_request *p) {
    struct mcp_request *q;
    while ((q = next_waiting(p, NULL))) {
        q->awaits = NULL;
        mcp_refuse(q, RPC_BAD_PARAMS, NULL, "the task has expired");
    }
}

/* -- tasks/... ---------------------------------------------------------------
 */

static void get(struct mcp_request *r, const struct mcp_request *p) {
    struct json_build b = JSON_BUILD(&r->arena);
    build_object(&b);
    task_put(&b, p);
    build_end(&b);
    mcp_answer_built(r, &b);
}

static void cancel(struct mcp_request *r, struct mcp_request *p) {
    if (task_ended(&p->task)) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "the task has ended");
        return;
    }
    task_abandon(p);
    task_set(p, TASK_CANCELLED);
    get(r, p);
    if (p->task.running) request_cancelled(p);
}

static void await_result(struct mcp_request *r, struct mcp_request *p) {
    size_t waiting = 0;
    if (task_ended(&p->task)) {
        answer_result(r, p);
        return;
    }
    for (const struct mcp_request *q = NULL; (q = next_waiting(p, q));)
        waiting++;
    if (waiting == WAITING_MAX) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "too many wait for this task");
        return;
    }
    r->awaits = p;
    if (p->task.status == TASK_ASKING) ask_on(p, r);
}

/* Newest first, as the server's requests are; the cursor is the number of the
 * last one told. */
static void list(struct mcp_request *r) {
    const struct json *cursor = json_get(mcp_params(r), "cursor");
    struct json_build b = JSON_BUILD(&r->arena);
    const struct mcp_request *p = r->server->requests, *last = NULL;
    uint64_t before = UINT64_MAX;
    size_t count = 0;
    struct err e;
    if (cursor && (json_type(cursor) != JSON_STRING ||
                   num_parse_u64(json_str(cursor), &before, &e))) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "the cursor is not one of ours");
        return;
    }
    build_object(&b);
    build_key(&b, STR("tasks"));
    build_array(&b);
    for (; p && count <= PAGE; p = p->next) {
        if (!task_is_for(p, r) || p->task.number >= before) continue;
        if (count++ == PAGE) break;
        build_object(&b);
        task_put(&b, p);
        build_end(&b);
        last = p;
    }
    build_end(&b);
    if (count > PAGE) {
        char text[32];
        (void)snprintf(text, sizeof text, "%" PRIu64, last->task.number);
        build_put_text(&b, "nextCursor", str_of(text));
    }
    build_end(&b);
    mcp_answer_built(r, &b);
}

void task_legacy_request(struct mcp_request *r, struct mcp_request *p) {
    if (!offered(r)) {
        mcp_refuse(r, RPC_NO_METHOD, NULL, "method not found");
        return;
    }
    if (r->method == MCP_TASKS_LIST) {
        list(r);
        return;
    }
    if (!p) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown task");
        return;
    }
    switch ((int)r->method) {
    case MCP_TASKS_GET: get(r, p); break;
    case MCP_TASKS_CANCEL: cancel(r, p); break;
    case MCP_TASKS_RESULT: await_result(r, p); break;
    }
}
