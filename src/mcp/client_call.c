/* SPDX-License-Identifier: MIT
 *
 * A call: one request of ours and what becomes of it. A call may send several
 * messages (answers to questions, polls of a task); each has an id of its own,
 * so a late answer to an earlier one finds nobody.
 */
#include "base/mem.h"
#include "mcp/client_conn.h"
#include "json/build.h"
#include "json/write.h"

enum { CALL_MEMORY = 256 << 20 };

static void on_timer(struct io_timer *t);

/* -- the text of a request ---------------------------------------------------
 */

static void write_info(struct mcp_client *c, struct jw *w) {
    jw_object(w);
    jw_put_text(w, "name", str_of(c->config.name));
    jw_put_text(w, "version", str_of(c->config.version));
    jw_end_object(w);
}

static void write_modern_meta(struct mcp_call *call, struct jw *w) {
    struct mcp_client *c = call->client;
    enum mcp_revision r = c->era == MCP_MODERN ? c->revision : MCP_NEWEST;
    jw_put_text(w, MCP_META_VERSION, str_of(mcp_revision_date(r)));
    jw_key(w, MCP_META_CLIENT);
    write_info(c, w);
    jw_key(w, MCP_META_CAPS);
    if (c->config.can)
        jw_value(w, c->config.can);
    else
        jw_raw(w, STR("{}"));
    if (call->log_level)
        jw_put_text(w, MCP_META_LOG_LEVEL, str_of(call->log_level));
}

/* Keys of _meta that only we may set. */
static bool is_ours(str key) {
    return str_is(key, "progressToken") || str_is(key, MCP_META_VERSION) ||
           str_is(key, MCP_META_CLIENT) || str_is(key, MCP_META_CAPS) ||
           str_is(key, MCP_META_LOG_LEVEL);
}

static void write_meta(struct mcp_call *call, struct jw *w) {
    const struct json *given = json_get(call->params, "_meta");
    bool modern = call->era == MCP_MODERN;
    bool has = given && json_type(given) == JSON_OBJECT;
    if (!modern && !has && !call->progress) return;
    jw_key(w, "_meta");
    jw_object(w);
    const struct json *key = has ? json_first(given) : NULL;
    for (size_t i = has ? json_len(given) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        if (is_ours(json_str(key))) continue;
        jw_key_str(w, json_str(key));
        jw_value(w, key + 1);
    }
    if (call->progress) jw_put_int(w, "progressToken", call->id);
    if (modern) write_modern_meta(call, w);
    jw_end_object(w);
}

static void write_inputs(struct mcp_call *call, struct jw *w) {
    if (call->input_count) {
        jw_key(w, "inputResponses");
        jw_object(w);
        for (size_t i = 0; i < call->input_count; i++) {
            jw_key_str(w, call->inputs[i]->key);
            jw_value(w, call->inputs[i]->answer);
        }
        jw_end_object(w);
    }
    if (call->state) {
        jw_key(w, "requestState");
        jw_value(w, call->state);
    }
}

static void write_params(struct mcp_call *call, struct jw *w) {
    const struct json *p = call->task ? NULL : call->params;
    const struct json *key = p ? json_first(p) : NULL;
    for (size_t i = p ? json_len(p) : 0; i > 0; i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "_meta")) continue;
        jw_key_str(w, json_str(key));
        jw_value(w, key + 1);
    }
    if (call->task) jw_put_text(w, "taskId", str_of(call->task));
    if (!call->task && call->as_task) {
        jw_key(w, "task");
        jw_object(w);
        jw_end_object(w);
    }
    write_inputs(call, w);
    write_meta(call, w);
}

int call_write(struct mcp_call *call, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "jsonrpc", STR("2.0"));
    jw_put_int(&w, "id", call->id);
    jw_put_text(&w, "method",
                str_of(call->task ? call->task_method : call->method));
    jw_key(&w, "params");
    jw_object(&w);
    write_params(call, &w);
    jw_end_object(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

int call_write_cancelled(struct mcp_call *call, const char *reason,
                         struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "jsonrpc", STR("2.0"));
    jw_put_text(&w, "method", STR("notifications/cancelled"));
    jw_key(&w, "params");
    jw_object(&w);
    jw_put_int(&w, "requestId", call->id);
    jw_put_text(&w, "reason", str_of(reason));
    jw_end_object(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

str call_name(const struct mcp_call *call) {
    static const struct {
        const char *method, *member;
    } named[] = {{"tools/call", "name"},     {"prompts/get", "name"},
                 {"resources/read", "uri"},  {"tasks/get", "taskId"},
                 {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};
    if (call->task) return str_of(call->task);
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (str_is(str_of(call->method), named[i].method))
            return json_get_text(call->params, named[i].member, (str){NULL, 0});
    return (str){NULL, 0};
}

/* -- life --------------------------------------------------------------------
 */

static int64_t end_of(int64_t now, int64_t ns) {
    int64_t at;
    return ns < 0 || __builtin_add_overflow(now, ns, &at) ? INT64_MAX : at;
}

static int fill(struct mcp_call *call, const struct mcp_call_spec *spec,
                struct err *e) {
    struct arena *a = &call->arena;
    struct json_build b = JSON_BUILD(a);
    call->method = arena_text(a, str_of(spec->method), e);
    if (!call->method) return -1;
    if (spec->log_level &&
        !(call->log_level = arena_text(a, str_of(spec->log_level), e)))
        return -1;
    if (!spec->params) return 0;
    if (json_type(spec->params) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "params are not an object");
    build_copy(&b, spec->params);
    return build_done(&b, &call->params, e);
}

struct mcp_call *call_new(struct mcp_client *c,
                          const struct mcp_call_spec *spec, struct err *e) {
    struct mcp_call *call = mem_zalloc(1, sizeof *call, e);
    if (!call) return NULL;
    const struct mcp_client_config *config = &c->config;
    int64_t max = spec->max_ns ? spec->max_ns : config->call_max_ns;
    *call = (struct mcp_call){
        .client = c,
        .next = c->calls,
        .link = &c->calls,
        .arena = ARENA_MAX(CALL_MEMORY),
        .era = c->era,
        .raw = spec->raw,
        .done = spec->done,
        .progress = spec->progress,
        .data = spec->data,
        .timer = {.fn = on_timer, .data = call},
        .timeout_ns = spec->timeout_ns ? spec->timeout_ns : config->call_ns,
        .ends_at = end_of(loop_now(c->loop), max),
    };
    if (call->next) call->next->link = &call->next;
    c->calls = call;
    if (fill(call, spec, e)) {
        call_free(call);
        return NULL;
    }
    return call;
}

static str key_of(const int64_t *id) {
    return (str){(const char *)id, sizeof *id};
}

struct mcp_call *call_find(struct mcp_client *c, int64_t id) {
    return map_get(&c->by_id, key_of(&id));
}

/* Takes it out of everything; its memory stays for the last callback. */
static void unlink_call(struct mcp_call *call) {
    struct mcp_client *c = call->client;
    loop_timer_stop(&call->timer);
    rounds_forget(call);
    if (call->helper) call_free(call->helper);
    call->helper = NULL;
    if (call->id) (void)map_del(&c->by_id, key_of(&call->id));
    if (!call->link) return;
    *call->link = call->next;
    if (call->next) call->next->link = call->link;
    call->link = NULL;
    for (struct mcp_ask *a = c->asks; a; a = a->next)
        if (a->call == call) a->call = NULL;
}

static void release(struct mcp_call *call) {
    arena_fini(&call->arena);
    mem_free(call);
}

void call_free(struct mcp_call *call) {
    struct mcp_client *c = call->client;
    if (c->listen == call) c->listen = NULL;
    unlink_call(call);
    if (c->link) c->link->drop(c->link, call, false, NULL);
    release(call);
}

void call_end(struct mcp_call *call, const struct mcp_reply *reply) {
    struct mcp_client *c = call->client;
    conn_enter(c);
    unlink_call(call);
    c->link->drop(c->link, call, false, NULL);
    if (!c->dead) call->done(call->data, reply);
    release(call);
    conn_leave(c);
}

void call_fail(struct mcp_call *call, const struct err *e) {
    call_end(call, &(struct mcp_reply){.err = e});
}

static void ignore(void *data, const struct mcp_reply *reply) {
    (void)data;
    (void)reply;
}

static void cancel_task(struct mcp_call *call) {
    AUTO_ARENA struct arena a = ARENA_MAX(CALL_MEMORY);
    struct json_build b = JSON_BUILD(&a);
    struct mcp_call_spec spec = {
        .method = "tasks/cancel", .raw = true, .done = ignore};
    struct err e;
    build_object(&b);
    build_put_text(&b, "taskId", str_of(call->task));
    build_end(&b);
    if (build_done(&b, &spec.params, &e) == 0)
        (void)mcp_call(call->client, &spec, &e);
}

/* The server is told that nobody waits any more. */
static void give_up(struct mcp_call *call, const char *reason) {
    struct mcp_client *c = call->client;
    if (call->task) cancel_task(call);
    c->link->drop(c->link, call, true, reason);
}

void mcp_call_cancel(struct mcp_call *call, const char *reason) {
    struct mcp_client *c = call->client;
    if (c->listen == call) c->listen = NULL;
    give_up(call, reason);
    unlink_call(call);
    release(call);
}

/* -- time --------------------------------------------------------------------
 */

static void set_timer(struct mcp_call *call) {
    struct mcp_client *c = call->client;
    struct err e;
    int64_t now = loop_now(c->loop), at = end_of(now, call->timeout_ns);
    if (at > call->ends_at) at = call->ends_at;
    loop_timer_stop(&call->timer);
    if (at != INT64_MAX)
        (void)loop_timer(c->loop, &call->timer, at > now ? at - now : 0, &e);
}

void call_touch(struct mcp_call *call) {
    bool polls = call->task && !call->id; /* the timer is for that */
    if (call->timer.place && !polls) set_timer(call);
}

void call_pause(struct mcp_call *call, bool pause) {
    struct mcp_client *c = call->client;
    int64_t now = loop_now(c->loop);
    if (call->handshake) conn_pause(c, pause);
    if (pause) {
        loop_timer_stop(&call->timer);
        call->paused_at = now;
        return;
    }
    if (call->ends_at != INT64_MAX) call->ends_at += now - call->paused_at;
    call->paused_at = 0;
    set_timer(call);
}

static void on_timer(struct io_timer *t) {
    struct mcp_call *call = t->data;
    struct err e;
    if (call->task && !call->id) {
        rounds_poll(call);
        return;
    }
    err_set(&e, ERR_TIMEOUT, "%s: no answer in time", call->method);
    give_up(call, "timed out");
    call_fail(call, &e);
}

/* -- sending and being answered ----------------------------------------------
 */

int call_send(struct mcp_call *call, struct err *e) {
    struct mcp_client *c = call->client;
    AUTO_BUF struct buf text = BUF_MAX(c->config.message_max);
    if (call->id) (void)map_del(&c->by_id, key_of(&call->id));
    call->id = ++c->last_id;
    if (map_put(&c->by_id, key_of(&call->id), call, NULL, e) ||
        call_write(call, &text, e))
        return fail_while(e, "%s", call->method);
    set_timer(call);
    if (c->link->send(c->link, call, buf_str(&text), e))
        return fail_while(e, "%s", call->method);
    return 0;
}

struct mcp_call *mcp_call(struct mcp_client *c,
                          const struct mcp_call_spec *spec, struct err *e) {
    if (c->state != CONN_READY && c->state != CONN_STARTING) {
        err_set(e, ERR_PEER, "%s: not connected", spec->method);
        return NULL;
    }
    if (c->state == CONN_STARTING && !c->server) {
        err_set(e, ERR_WAITING, "%s: not connected yet", spec->method);
        return NULL;
    }
    struct mcp_call *call = call_new(c, spec, e);
    if (!call) return NULL;
    call->as_task = call->era == MCP_LEGACY && params_only_task(call);
    if (call_send(call, e)) {
        call_free(call);
        return NULL;
    }
    return call;
}

int mcp_notify(struct mcp_client *c, const char *method,
               const struct json *params, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(c->config.message_max);
    if (rpc_write_notification(method, params, &text, e)) return -1;
    return c->link->send(c->link, NULL, buf_str(&text), e);
}

static void explain(const struct json *error, struct err *e) {
    err_set(e, ERR_PEER, "the server answers: %.*s (%d)",
            STR_ARG(rpc_error_message(error)), rpc_error_code(error));
}

static void relisted(void *data, const struct mcp_reply *reply) {
    struct mcp_call *call = data;
    struct err e;
    call->helper = NULL;
    if (!reply->result) {
        call_fail(call, reply->err);
    } else if (call_send(call, &e)) {
        call_fail(call, &e);
    }
}

/* A tool's headers did not fit: its definition may have changed. */
static bool relist(struct mcp_call *call, const struct json *error) {
    struct mcp_client *c = call->client;
    struct err e;
    if (rpc_error_code(error) != RPC_HEADER_MISMATCH || call->relisted ||
        call->rounds || !str_is(str_of(call->method), "tools/call"))
        return false;
    const struct mcp_call_spec spec = {
        .method = "tools/list", .done = relisted, .data = call};
    call->relisted = true;
    call->helper = mcp_call(c, &spec, &e);
    return call->helper != NULL;
}

/* The server names revisions it speaks; ours may be among them after all. */
static bool revise(struct mcp_call *call, const struct json *error) {
    struct mcp_client *c = call->client;
    struct err e;
    const struct json *list = json_get(json_get(error, "data"), "supported");
    if (rpc_error_code(error) != RPC_BAD_VERSION || call->rounds || !list ||
        json_type(list) != JSON_ARRAY)
        return false;
    const struct json *v = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) != JSON_STRING) continue;
        enum mcp_revision r = mcp_revision_of(json_str(v));
        if (r == MCP_REVISIONS || mcp_revision_era(r) != MCP_MODERN) continue;
        c->revision = r;
        call->rounds++;
        return call_send(call, &e) == 0;
    }
    return false;
}

static void take_error(struct mcp_call *call, const struct json *error) {
    struct err e;
    if (call->era == MCP_MODERN && (relist(call, error) || revise(call, error)))
        return;
    if (call->era == MCP_LEGACY && rounds_as_task(call, error)) return;
    explain(error, &e);
    call_end(call, &(struct mcp_reply){.error = error, .err = &e});
}

void call_reply(struct mcp_call *call, const struct rpc_message *m) {
    struct err e;
    if (m->kind == RPC_ERROR) {
        take_error(call, m->error);
        return;
    }
    if (json_type(m->result) != JSON_OBJECT) {
        err_set(&e, ERR_PEER, "%s: the result is not an object", call->method);
        call_fail(call, &e);
        return;
    }
    if (!call->raw && rounds_take(call, m->result)) return;
    if (str_is(str_of(call->method), "tools/list") &&
        params_learn(call->client, m->result, &e)) {
        call_fail(call, &e);
        return;
    }
    call_end(call, &(struct mcp_reply){.result = m->result});
}
