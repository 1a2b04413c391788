/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "mcp/serve.h"
#include "json/build.h"
#include "json/write.h"

enum { SCRATCH_KEPT = 64 << 10 };

struct mcp_request *request_new(struct mcp_server *s, struct mcp_channel *c,
                                const void *owner, struct err *e) {
    struct mcp_request *r = mem_zalloc(1, sizeof *r, e);
    if (!r) return NULL;
    r->server = s;
    r->channel = c;
    r->owner = owner;
    r->arena = ARENA_MAX(MCP_REQUEST_TREE);
    r->log_level = -1;
    r->link = &s->requests;
    r->next = s->requests;
    if (r->next) r->next->link = &r->next;
    s->requests = r;
    return r;
}

void mcp_request_end(struct mcp_request *r) {
    if (r->is_task) r->server->task_count--;
    r->server->task_kept -= r->task.kept;
    loop_timer_stop(&r->task.timer);
    *r->link = r->next;
    if (r->next) r->next->link = r->link;
    arena_fini(&r->arena);
    mem_free(r);
}

static bool same_id(const struct json *a, const struct json *b) {
    return a && b && json_type(a) == json_type(b) && json_equal(a, b);
}

struct mcp_request *request_find(struct mcp_server *s, const void *owner,
                                 const struct json *id) {
    for (struct mcp_request *r = s->requests; r; r = r->next)
        if (r->owner == owner && same_id(r->msg.id, id)) return r;
    return NULL;
}

static void finish(struct mcp_request *r, str message, unsigned status);

void request_cancelled(struct mcp_request *r) {
    if (r->cancelled) return;
    r->cancelled = true;
    if (r->waiting && r->server->service.abandoned)
        r->server->service.abandoned(r->server->service.data, r->memo);
    if (r->waiting || r->listening || r->awaits)
        finish(r, STR(""), 202); /* nobody else holds it */
    else if (r->server->service.cancelled)
        r->server->service.cancelled(r->server->service.data, r);
}

/* -- reading ----------------------------------------------------------------
 */

enum mcp_method mcp_method(const struct mcp_request *r) {
    return r->method;
}

enum mcp_era mcp_era(const struct mcp_request *r) {
    return r->era;
}

const struct json *mcp_params(const struct mcp_request *r) {
    static const struct json none[] = {{.head = JSON_OBJECT, .as.span = 1}};
    return r->msg.params ? r->msg.params : none;
}

const struct mcp_who *mcp_who(const struct mcp_request *r) {
    return &r->who;
}

str mcp_session_name(const struct mcp_request *r) {
    return r->session ? str_of(r->session->id) : r->who.principal;
}

struct arena *mcp_arena(struct mcp_request *r) {
    return &r->arena;
}

void mcp_set_state(struct mcp_request *r, void *state) {
    r->state = state;
}

void *mcp_state(const struct mcp_request *r) {
    return r->state;
}

bool mcp_is_cancelled(const struct mcp_request *r) {
    return r->cancelled;
}

bool mcp_client_can(const struct mcp_request *r, const char *capability) {
    char pointer[256];
    (void)snprintf(pointer, sizeof pointer, "/%s", capability);
    return r->caps && json_pointer(r->caps, str_of(pointer));
}

/* -- telling on the way -----------------------------------------------------
 */

static void notify(struct mcp_request *r, const char *method,
                   struct json_build *b) {
    AUTO_BUF struct buf out = BUF_MAX(MCP_MESSAGE_MAX);
    struct mcp_channel *c = r->is_task ? task_channel(r) : r->channel;
    const struct json *params;
    struct err e;
    if (!c || r->cancelled) return;
    if (build_done(b, &params, &e) ||
        rpc_write_notification(method, params, &out, &e) ||
        c->send(c, buf_str(&out), &e))
        log_debug(r->server->log, "%s not sent: %s", method, e.text);
}

static void put_meta(struct json_build *b, const struct mcp_request *r) {
    if (!r->is_task) return;
    build_key(b, STR("_meta"));
    build_object(b);
    task_put_related(b, r);
    build_end(b);
}

void mcp_progress(struct mcp_request *r, double progress, double total,
                  const char *message) {
    if (r->is_task) task_note(r, progress, total, message);
    if (!r->progress_token) return;
    struct json_build b = JSON_BUILD(&r->arena);
    build_object(&b);
    build_put(&b, "progressToken", r->progress_token);
    build_key(&b, STR("progress"));
    build_real(&b, progress);
    if (total > 0) {
        build_key(&b, STR("total"));
        build_real(&b, total);
    }
    if (message) build_put_text(&b, "message", str_of(message));
    put_meta(&b, r);
    build_end(&b);
    notify(r, "notifications/progress", &b);
}

void mcp_log_to(struct mcp_request *r, int level, const char *logger,
                const struct json *data) {
    if (r->log_level < 0 || level < r->log_level) return;
    struct json_build b = JSON_BUILD(&r->arena);
    build_object(&b);
    build_put_text(&b, "level", str_of(mcp_log_level_name(level)));
    if (logger) build_put_text(&b, "logger", str_of(logger));
    build_put(&b, "data", data);
    put_meta(&b, r);
    build_end(&b);
    notify(r, "notifications/message", &b);
}

/* -- the end ----------------------------------------------------------------
 */

/* A cancelled request gets no answer, but its channel ends all the same. */
static void finish(struct mcp_request *r, str message, unsigned status) {
    struct mcp_channel *c = r->channel;
    if (c) c->finish(c, r->cancelled ? STR("") : message, status);
    mcp_request_end(r);
}

/* Last resort: a message that cannot be built for lack of memory. */
static void finish_broken(struct mcp_request *r, const struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(4096);
    struct err e2;
    log_error(r->server->log, "answer to %.*s: %s", STR_ARG(r->msg.method),
              e->text);
    (void)rpc_write_error(r->msg.id, RPC_INTERNAL, str_of(e->text), NULL, &out,
                          &e2);
    finish(r, buf_str(&out), 200);
}

void refuse_with(struct mcp_request *r, unsigned status, int code,
                 const struct json *data, const char *text) {
    AUTO_BUF struct buf out = BUF_MAX(MCP_MESSAGE_MAX);
    struct err e;
    if (r->is_task)
        task_fail(r, code, data, text);
    else if (rpc_write_error(r->msg.id, code, str_of(text), data, &out, &e))
        finish_broken(r, &e);
    else
        finish(r, buf_str(&out), status);
}

/* An error of the service is an answer like any other (HTTP 200), except where
 * the protocol says that the client's request itself was at fault. */
void mcp_refuse(struct mcp_request *r, int code, const struct json *data,
                const char *fmt, ...) {
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    unsigned status = code == RPC_NEEDS_CAPABILITY ? 400 : 200;
    refuse_with(r, status, code, data, text);
}

static bool cacheable(enum mcp_method m) {
    return m == MCP_DISCOVER || m == MCP_TOOLS_LIST || m == MCP_PROMPTS_LIST ||
           m == MCP_RESOURCES_LIST || m == MCP_RESOURCE_TEMPLATES ||
           m == MCP_RESOURCES_READ || m == MCP_SKILLS_LIST ||
           m == MCP_SKILLS_GET;
}

static void write_server_meta(struct jw *w, const struct mcp_request *r,
                              const struct json *meta) {
    const struct mcp_service *s = &r->server->service;
    jw_key(w, "_meta");
    jw_object(w);
    const struct json *key = meta ? json_first(meta) : NULL;
    for (size_t i = meta ? json_len(meta) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), MCP_META_SERVER)) continue;
        jw_key_str(w, json_str(key));
        jw_value(w, key + 1);
    }
    jw_key(w, MCP_META_SERVER);
    jw_object(w);
    jw_put_text(w, "name", str_of(s->name));
    jw_put_text(w, "version", str_of(s->version));
    jw_end_object(w);
    jw_end_object(w);
}

/* What the modern era wants on every result, without disturbing the rest. */
static void write_modern(struct jw *w, const struct mcp_request *r,
                         const struct json *result) {
    const struct json *meta = json_get(result, "_meta");
    bool cache = cacheable(r->method);
    jw_object(w);
    const struct json *key = json_first(result);
    for (size_t i = json_len(result); i > 0; i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "_meta")) continue;
        jw_key_str(w, json_str(key));
        jw_value(w, key + 1);
    }
    if (!json_get(result, "resultType"))
        jw_put_text(w, "resultType", STR("complete"));
    if (cache && !json_get(result, "ttlMs")) jw_put_int(w, "ttlMs", 0);
    if (cache && !json_get(result, "cacheScope"))
        jw_put_text(w, "cacheScope", STR("private"));
    if (!meta || json_type(meta) == JSON_OBJECT) write_server_meta(w, r, meta);
    jw_end_object(w);
}

static int write_result(const struct mcp_request *r, const struct json *result,
                        struct buf *out, struct err *e) {
    if (r->era != MCP_MODERN) return json_write(result, JSON_COMPACT, out, e);
    struct jw w = JW(out);
    write_modern(&w, r, result);
    return jw_done(&w, e);
}

static int write_answer(const struct mcp_request *r, const struct json *result,
                        struct buf *out, struct err *e) {
    return rpc_open_result(r->msg.id, out, e) ||
                   write_result(r, result, out, e) || rpc_close_result(out, e)
               ? -1
               : 0;
}

/* Most answers are short, and one after the other has the same memory. */
static struct buf take_scratch(struct mcp_server *s) {
    struct buf b = s->scratch;
    s->scratch = BUF_MAX(MCP_MESSAGE_MAX);
    b.max = MCP_MESSAGE_MAX;
    return b;
}

static void give_scratch(struct mcp_server *s, struct buf *b) {
    if (s->scratch.data || b->cap > SCRATCH_KEPT) {
        buf_fini(b);
        return;
    }
    buf_truncate(b, 0);
    s->scratch = *b;
}

void mcp_answer(struct mcp_request *r, const struct json *result) {
    struct mcp_server *s = r->server;
    struct err e;
    if (r->is_task) {
        task_complete(r, result);
        return;
    }
    struct buf out = take_scratch(s);
    if (write_answer(r, result, &out, &e))
        finish_broken(r, &e);
    else
        finish(r, buf_str(&out), 200);
    give_scratch(s, &out);
}

void answer_and_detach(struct mcp_request *r, const struct json *result) {
    AUTO_BUF struct buf out = BUF_MAX(MCP_MESSAGE_MAX);
    struct mcp_channel *c = r->channel;
    struct err e;
    r->channel = NULL;
    r->owner = NULL;
    if (!c) return;
    if (write_answer(r, result, &out, &e)) {
        buf_truncate(&out, 0);
        (void)rpc_write_error(r->msg.id, RPC_INTERNAL, str_of(e.text), NULL,
                              &out, &e);
    }
    c->finish(c, buf_str(&out), 200);
}
