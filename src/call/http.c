/* SPDX-License-Identifier: MIT */
#include "call/http.h"

#include "base/file.h"
#include "base/mem.h"
#include "call/http_answer.h"
#include "call/http_auth.h"
#include "call/openapi_request.h"
#include "io/url.h"
#include "json/build.h"

#define DOCUMENT_BYTES ((size_t)256 << 20)
#define ANSWER_BYTES   ((size_t)16 << 20)

struct http {
    struct provider provider; /* first: a provider is its struct http */
    struct provider_host host;
    struct arena arena;
    struct api api;
    bool has_api;
    str base;                  /* without a slash at its end */
    const struct json *config; /* copied into the arena */
    struct http_auth auth;
};

struct http_call {
    struct provider_call *call;
    struct request *request;
    const struct api_op *op;
};

/* ---- a call ---- */

static void done(void *data, struct request *r, const struct err *e) {
    struct http_call *h = data;
    struct provider_call *c = h->call;
    struct http_answer answer = {
        .status = request_status(r),
        .type = request_header(r, "content-type"),
        .link = request_header(r, "link"),
        .retry_after = request_header(r, "retry-after"),
        .body = request_answer(r),
    };
    h->request = NULL;
    if (!e) {
        http_answer_take(c, &answer);
        return;
    }
    const char *code = e->kind == ERR_TIMEOUT ? "timeout"
                       : e->kind == ERR_LIMIT ? "bad_response"
                                              : "unavailable";
    provider_failed(c, code, true, e);
}

static const struct request_events events = {.done = done};

/* Only the server that the credentials are for gets them. */
static bool is_at_home(const struct http *p, str base) {
    struct url ours, theirs;
    struct err ignored;
    return url_parse(p->base, &ours, &ignored) == 0 &&
           url_parse(base, &theirs, &ignored) == 0 &&
           url_same_origin(&ours, &theirs);
}

static int add_headers(struct http *p, const struct api_op *op,
                       struct provider_call *c, struct api_request *r,
                       struct err *e) {
    bool reads = str_is(op->method, "GET") || str_is(op->method, "HEAD");
    str key = op->idempotency;
    if (key.n == 0 && !reads)
        key = json_get_text(p->config, "idempotency", STR(""));
    if (key.n > 0 && c->idempotency_key.n > 0 &&
        api_request_header(r, key, c->idempotency_key, c->arena, e))
        return -1;
    return api_request_header(r, STR("Accept"),
                              STR("application/json, */*;q=0.5"), c->arena, e);
}

static int make_request(struct http *p, const struct api_op *op,
                        struct provider_call *c, struct api_request *r,
                        struct err *e) {
    str base =
        op->server.n > 0 && !json_get(p->config, "url") ? op->server : p->base;
    while (base.n > 0 && base.p[base.n - 1] == '/')
        base.n--;
    if (api_request_make(op, base, c->args, c->arena, r, e) ||
        add_headers(p, op, c, r, e))
        return -1;
    if (!is_at_home(p, base)) return 0;
    return http_auth_apply(&p->auth, &p->host, op, r, c->arena, e);
}

static struct request *start(struct http *p, struct http_call *h,
                             const struct api_request *r, struct err *e) {
    struct provider_call *c = h->call;
    int64_t left = c->deadline_ns - loop_now(p->host.loop);
    struct request_spec spec = {
        .method = r->method,
        .url = r->url,
        .headers = r->headers,
        .body = r->body,
        .answer_max = c->result_max > 0 ? c->result_max : ANSWER_BYTES,
        .timeout_ns = c->deadline_ns > 0 ? (left > 0 ? left : 1) : 0,
        .events = &events,
        .data = h,
    };
    return client_start(p->host.http, &spec, e);
}

static void call(struct provider *provider, struct provider_call *c) {
    struct http *p = (struct http *)provider;
    struct err e;
    struct api_request *r = arena_zalloc(c->arena, 1, sizeof *r, &e);
    struct http_call *h = arena_zalloc(c->arena, 1, sizeof *h, &e);
    const struct api_op *op = api_find(&p->api, c->tool->tool.name);
    if (!r || !h || !op) {
        if (!op) err_set(&e, ERR_MISSING, "the document has it no more");
        provider_failed(c, "unavailable", false, &e);
        return;
    }
    *h = (struct http_call){.call = c, .op = op};
    if (make_request(p, op, c, r, &e)) {
        if (e.kind == ERR_INVALID || e.kind == ERR_LIMIT)
            reply_refuse(c, &e);
        else
            provider_failed(c, "unavailable", false, &e);
        return;
    }
    c->state = h;
    h->request = start(p, h, r, &e);
    if (!h->request) provider_failed(c, "unavailable", false, &e);
}

static void cancel(struct provider *provider, struct provider_call *c) {
    struct http_call *h = c->state;
    (void)provider;
    if (h && h->request) request_cancel(h->request);
}

/* ---- configuration ---- */

static void free_http(struct provider *provider) {
    struct http *p = (struct http *)provider;
    if (p->has_api) api_fini(&p->api);
    arena_fini(&p->arena);
    mem_free(p);
}

static const struct provider_class class = {"http", call, cancel, free_http};

static int read_document(struct http *p, const struct json **out,
                         struct err *e) {
    const struct json *v = json_get(p->config, "document");
    struct json_limits limits = {.bytes = DOCUMENT_BYTES,
                                 .keep_duplicates = true};
    AUTO_BUF struct buf text = BUF_MAX(DOCUMENT_BYTES);
    if (!v || (json_type(v) != JSON_OBJECT && json_type(v) != JSON_STRING))
        return fail(e, ERR_INVALID, "document: a path or an OpenAPI document");
    if (json_type(v) == JSON_OBJECT) {
        *out = v;
        return 0;
    }
    char *path = host_path(&p->host, json_str(v), &p->arena, e);
    if (!path || file_read(path, &text, e)) return -1;
    if (json_parse(buf_str(&text), &limits, &p->arena, out, e))
        return fail_while(e, "%s", path);
    return 0;
}

static int choose_base(struct http *p, struct err *e) {
    struct url url;
    AUTO_BUF struct buf text = BUF_MAX(4096);
    str said = json_get_text(p->config, "url", p->api.base);
    if (host_expand(&p->host, said, &text, e)) return -1;
    while (text.len > 0 && text.data[text.len - 1] == '/')
        buf_truncate(&text, text.len - 1);
    if (arena_dup(&p->arena, buf_str(&text), &p->base, e)) return -1;
    if (p->base.n == 0)
        return fail(e, ERR_INVALID, "url: the document names no server");
    if (url_parse(p->base, &url, e)) return fail_while(e, "url");
    if (url.query.p) return fail(e, ERR_INVALID, "url: without a query");
    return 0;
}

static int copy_config(struct http *p, const struct json *config,
                       struct err *e) {
    static const char *const known[] = {
        "document", "url",   "auth",   "headers",     "idempotency", "allow",
        "exclude",  "tools", "limits", "description", NULL};
    struct json_build b = JSON_BUILD(&p->arena);
    if (host_check_members(config, known, e)) return -1;
    build_copy(&b, config);
    return build_done(&b, &p->config, e);
}

static int set_up(struct http *p, str name, const struct json *config,
                  struct err *e) {
    const struct json *doc;
    if (arena_dup(&p->arena, name, &p->provider.server, e) ||
        copy_config(p, config, e) || read_document(p, &doc, e) ||
        api_read(doc, &p->api, e))
        return -1;
    p->has_api = true;
    if (choose_base(p, e) || http_auth_read(&p->auth, p->config, &p->api, e))
        return -1;
    str about = json_get_text(p->config, "description", p->api.about);
    return host_put(&p->host, &p->provider, p->config, about, p->api.tools, e);
}

struct provider *provider_http_new(const struct provider_host *h, str name,
                                   const struct json *config, struct err *e) {
    struct http *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->arena = ARENA_MAX((size_t)1 << 30);
    p->provider.class = &class;
    p->host = *h;
    if (set_up(p, name, config, e) == 0) return &p->provider;
    free_http(&p->provider);
    err_context(e, "api %.*s", STR_ARG(name));
    return NULL;
}
