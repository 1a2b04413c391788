/* SPDX-License-Identifier: MIT
 *
 * Tasks: a request that was answered with a promise. The request itself lives
 * on as the task: its answer, its questions and its end are kept until the
 * client fetches them or the time is up. In the modern era they are an
 * extension (io.modelcontextprotocol/tasks) and the server's to decide; what is
 * different in the legacy one is in task_legacy.c.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "mcp/serve.h"
#include "json/build.h"

#define EXTENSION "io.modelcontextprotocol/tasks"
enum {
    POLL_MS = 500,
    TASKS_MAX = 10000,
    TASKS_EACH = 200,  /* of one principal */
    MESSAGE_MAX = 256, /* bytes of what is said of its progress */
};
/* What ended tasks hold, together: a result beyond it is not kept. */
#define KEPT_MAX ((size_t)256 << 20)

static const struct json empty_object[] = {{.head = JSON_OBJECT, .as.span = 1}};

static const char *const status_names[] = {
    [TASK_WORKING] = "working",     [TASK_ASKING] = "input_required",
    [TASK_COMPLETED] = "completed", [TASK_FAILED] = "failed",
    [TASK_CANCELLED] = "cancelled",
};

enum mcp_task_support mcp_task_support(const struct json *definition) {
    str word = json_get_text(json_get(definition, "execution"), "taskSupport",
                             STR("forbidden"));
    if (str_is(word, "required")) return MCP_TASK_REQUIRED;
    return str_is(word, "optional") ? MCP_TASK_OPTIONAL : MCP_TASK_FORBIDDEN;
}

bool task_ended(const struct mcp_task *t) {
    return t->status >= TASK_COMPLETED;
}

void task_set(struct mcp_request *p, enum mcp_task_status status) {
    p->task.status = status;
    p->task.updated_ns = clock_wall_ns();
    if (p->era == MCP_LEGACY) task_changed(p);
}

/* -- making -----------------------------------------------------------------
 */

static bool client_has_tasks(const struct mcp_request *r) {
    return r->era == MCP_MODERN && mcp_client_can(r, MCP_CAN_TASKS);
}

static void refuse_without_tasks(struct mcp_request *r) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *data;
    struct err e;
    build_object(&b);
    build_key(&b, STR("requiredCapabilities"));
    build_object(&b);
    build_key(&b, STR("extensions"));
    build_object(&b);
    build_put(&b, EXTENSION, empty_object);
    build_end(&b);
    build_end(&b);
    build_end(&b);
    if (build_done(&b, &data, &e)) data = NULL;
    mcp_refuse(r, RPC_NEEDS_CAPABILITY, data,
               "the client lacks the extension " EXTENSION);
}

void task_put(struct json_build *b, const struct mcp_request *p) {
    const struct mcp_task *t = &p->task;
    bool modern = p->era == MCP_MODERN;
    char text[CLOCK_TEXT_SIZE];
    build_put_text(b, "taskId", str_of(t->id));
    build_put_text(b, "status", str_of(status_names[t->status]));
    if (t->message) build_put_text(b, "statusMessage", str_of(t->message));
    build_put_text(b, "createdAt", str_of(clock_format(t->created_ns, text)));
    build_put_text(b, "lastUpdatedAt",
                   str_of(clock_format(t->updated_ns, text)));
    build_put_int(b, modern ? "ttlMs" : "ttl", t->ttl_ms);
    build_put_int(b, modern ? "pollIntervalMs" : "pollInterval", POLL_MS);
}

void task_abandon(struct mcp_request *p) {
    const struct mcp_service *s = &p->server->service;
    if (p->task.status == TASK_ASKING && s->abandoned)
        s->abandoned(s->data, p->memo);
}

/* What still runs is told to stop and ends when it answers. */
void task_expire(struct mcp_request *p) {
    p->task.expired = true;
    loop_timer_stop(&p->task.timer);
    task_forget(p);
    if (p->task.running) {
        request_cancelled(p);
        return;
    }
    task_abandon(p);
    mcp_request_end(p);
}

static void on_expiry(struct io_timer *timer) {
    task_expire(timer->data);
}

bool task_is_for(const struct mcp_request *p, const struct mcp_request *r) {
    return p->is_task && !p->task.expired && p->session == r->session &&
           str_eq(p->who.principal, r->who.principal);
}

bool task_has_room(const struct mcp_request *r) {
    size_t own = 0;
    for (const struct mcp_request *p = r->server->requests; p; p = p->next)
        own += task_is_for(p, r);
    return own < TASKS_EACH && r->server->task_count < TASKS_MAX;
}

static int start_task(struct mcp_request *r, int64_t ttl_ms, struct err *e) {
    struct mcp_task *t = &r->task;
    if (hash_random_id(t->id, e)) return -1;
    t->number = ++r->server->last_task;
    t->created_ns = t->updated_ns = clock_wall_ns();
    t->ttl_ms = ttl_ms;
    t->status = TASK_WORKING;
    t->running = true;
    t->timer = (struct io_timer){.fn = on_expiry, .data = r};
    return loop_timer(r->server->loop, &t->timer, ttl_ms * 1000000, e);
}

static int build_promise(struct mcp_request *r, const struct json **out,
                         struct err *e) {
    struct json_build b = JSON_BUILD(&r->arena);
    bool modern = r->era == MCP_MODERN;
    build_object(&b);
    if (modern)
        build_put_text(&b, "resultType", STR("task"));
    else
        build_key(&b, STR("task")), build_object(&b);
    task_put(&b, r);
    if (!modern) build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

int task_promise(struct mcp_request *r, int64_t ttl_ms, struct err *e) {
    const struct json *result;
    if (start_task(r, ttl_ms, e)) return -1;
    if (build_promise(r, &result, e)) {
        loop_timer_stop(&r->task.timer);
        return -1;
    }
    answer_and_detach(r, result);
    r->is_task = true;
    r->server->task_count++;
    return 0;
}

enum mcp_task_outcome mcp_make_task(struct mcp_request *r, bool required) {
    struct err e;
    if (r->is_task) return MCP_TASK_MADE;
    if (!client_has_tasks(r)) {
        if (!required || r->era != MCP_MODERN) return MCP_TASK_NONE;
        refuse_without_tasks(r);
        return MCP_TASK_REFUSED;
    }
    if (!task_has_room(r)) {
        if (!required) return MCP_TASK_NONE;
        mcp_refuse(r, RPC_INTERNAL, NULL,
                   "too many tasks: those before it must end first");
        return MCP_TASK_REFUSED;
    }
    if (task_promise(r, TASK_MS, &e) == 0) return MCP_TASK_MADE;
    mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    return MCP_TASK_REFUSED;
}

/* -- what the request does instead of answering ------------------------------
 */

static const struct json *keep(struct mcp_request *r, const struct json *v) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *copy;
    struct err e;
    if (!v) return NULL;
    build_copy(&b, v);
    return build_done(&b, &copy, &e) ? NULL : copy;
}

/* The service is done with it for now. When nobody may ask any more, the end of
 * the work is the end of the task. */
static bool dropped(struct mcp_request *r) {
    r->task.running = false;
    if (!r->task.expired) return false;
    mcp_request_end(r);
    return true;
}

void task_fail(struct mcp_request *r, int code, const struct json *data,
               const char *text) {
    struct json_build b = JSON_BUILD(&r->arena);
    struct err e;
    if (dropped(r) || task_ended(&r->task)) return;
    build_object(&b);
    build_put_int(&b, "code", code);
    build_put_text(&b, "message", str_of(text));
    if (data) build_put(&b, "data", data);
    build_end(&b);
    if (build_done(&b, &r->task.error, &e)) r->task.error = empty_object;
    task_set(r, TASK_FAILED);
}

void task_complete(struct mcp_request *r, const struct json *result) {
    struct mcp_server *s = r->server;
    if (dropped(r) || task_ended(&r->task)) return;
    r->task.result = keep(r, result);
    if (!r->task.result || r->arena.used > KEPT_MAX - s->task_kept) {
        task_fail(r, RPC_INTERNAL, NULL, "there is no room to keep its result");
        return;
    }
    r->task.kept = r->arena.used;
    s->task_kept += r->task.kept;
    /* An error of the tool is a result; in the legacy era it is a failure too.
     */
    bool failed =
        r->era == MCP_LEGACY && json_get_bool(r->task.result, "isError", false);
    task_set(r, failed ? TASK_FAILED : TASK_COMPLETED);
}

void task_ask(struct mcp_request *r, str memo) {
    struct err e;
    if (dropped(r) || task_ended(&r->task)) return;
    if (arena_dup(&r->arena, memo, &r->memo, &e)) {
        task_fail(r, RPC_INTERNAL, NULL, e.text);
        return;
    }
    if (r->round_start == r->need_count)
        input_complete(r); /* only a pause: there is nobody to wait for */
    else
        task_set(r, TASK_ASKING);
}

void task_resume(struct mcp_request *p) {
    p->task.running = true;
    task_set(p, TASK_WORKING);
}

void task_note(struct mcp_request *r, double progress, double total,
               const char *message) {
    struct mcp_task *t = &r->task;
    struct err e;
    if (task_ended(t)) return;
    if (!t->message && !(t->message = arena_alloc(&r->arena, MESSAGE_MAX, &e)))
        return;
    if (message)
        (void)snprintf(t->message, MESSAGE_MAX, "%s", message);
    else if (total > 0)
        (void)snprintf(t->message, MESSAGE_MAX, "%g of %g", progress, total);
    else
        (void)snprintf(t->message, MESSAGE_MAX, "%g", progress);
    t->message[utf8_valid(t->message, strlen(t->message))] = '\0';
    t->updated_ns = clock_wall_ns();
}

/* -- tasks/get, tasks/update, tasks/cancel ----------------------------------
 */

static struct mcp_request *find_task(struct mcp_request *r) {
    str id = json_get_text(mcp_params(r), "taskId", STR(""));
    for (struct mcp_request *p = r->server->requests; p; p = p->next)
        if (task_is_for(p, r) && crypto_equal_str(str_of(p->task.id), id))
            return p;
    return NULL;
}

static void put_questions(struct json_build *b, const struct mcp_request *p) {
    build_key(b, STR("inputRequests"));
    build_object(b);
    for (size_t i = p->round_start; i < p->need_count; i++) {
        if (p->needs[i].answered) continue;
        build_key(b, str_of(p->needs[i].key));
        build_object(b);
        build_put_text(b, "method", str_of(p->needs[i].method));
        if (p->needs[i].params) build_put(b, "params", p->needs[i].params);
        build_end(b);
    }
    build_end(b);
}

static void task_get(struct mcp_request *r, const struct mcp_request *p) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *result;
    struct err e;
    build_object(&b);
    task_put(&b, p);
    if (p->task.status == TASK_COMPLETED)
        build_put(&b, "result", p->task.result);
    if (p->task.status == TASK_FAILED)
        build_put(&b, "error", p->task.error ? p->task.error : empty_object);
    if (p->task.status == TASK_ASKING) put_questions(&b, p);
    build_end(&b);
    if (build_done(&b, &result, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, result);
}

/* Takes the answers it knows the questions of; others are ignored. */
static bool take_answers(struct mcp_request *p, const struct json *answers) {
    bool complete = true;
    for (size_t i = p->round_start; i < p->need_count; i++) {
        struct mcp_need *need = &p->needs[i];
        const struct json *v = json_get(answers, need->key);
        if (!need->answered && v) {
            need->answer = keep(p, v);
            need->answered = need->answer != NULL;
        }
        complete = complete && need->answered;
    }
    return complete;
}

static void task_update(struct mcp_request *r, struct mcp_request *p) {
    const struct json *answers = json_get(mcp_params(r), "inputResponses");
    bool resume = p->task.status == TASK_ASKING && take_answers(p, answers);
    mcp_answer(r, empty_object);
    if (resume) input_complete(p);
}

static void task_cancel(struct mcp_request *r, struct mcp_request *p) {
    task_abandon(p);
    if (!task_ended(&p->task)) task_set(p, TASK_CANCELLED);
    mcp_answer(r, empty_object);
    if (p->task.running) request_cancelled(p);
}

void task_request(struct mcp_request *r) {
    struct mcp_request *p = find_task(r);
    if (r->era == MCP_LEGACY) {
        task_legacy_request(r, p);
        return;
    }
    if (!client_has_tasks(r)) {
        refuse_without_tasks(r);
        return;
    }
    if (!p) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown task");
        return;
    }
    switch ((int)r->method) {
    case MCP_TASKS_GET: task_get(r, p); break;
    case MCP_TASKS_UPDATE: task_update(r, p); break;
    case MCP_TASKS_CANCEL: task_cancel(r, p); break;
    }
}
