/* SPDX-License-Identifier: MIT */
#include "gateway/api.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "gateway/api_inside.h"

#define PREFIX "/api/v1"

static const struct route {
    const char *method, *path, *body, *query, *text;
    int (*fn)(struct api_call *c, struct err *e);
} routes[] = {
#define ROUTE(id, method, path, body, query, text) \
    {method, path, body, query, text, api_##id},
#include "gateway/api.def"
#undef ROUTE
};
enum { ROUTES = sizeof routes / sizeof routes[0] };

/* -- a call's life
 * --------------------------------------------------------------
 */

static void free_call(struct api_call *c) {
    if (c->kept) {
        *(c->prev ? &c->prev->next : &c->api->open) = c->next;
        if (c->next) c->next->prev = c->prev;
    }
    loop_timer_stop(&c->timer);
    api_task_free(c->task);
    select_unwait(&c->found);
    hub_unwait(&c->early);
    runs_unwait(c->api->config.runs, &c->waiter);
    buf_fini(&c->out);
    arena_fini(&c->arena);
    mem_free(c);
}

static void on_gone(void *data) {
    struct api_call *c = data;
    c->exchange = NULL;
    if (c->call) {
        struct call *call = c->call;
        c->call = NULL;
        boundary_cancel(call, "the client went away"); /* ends with its done */
        return;
    }
    free_call(c);
}

void api_keep(struct api_call *c) {
    c->later = true;
    if (c->kept) return;
    c->kept = true;
    c->next = c->api->open;
    if (c->next) c->next->prev = c;
    c->api->open = c;
    exchange_on_gone(c->exchange, on_gone, c);
}

void api_drop(struct api_call *c) {
    free_call(c);
}

void api_answer(struct api_call *c) {
    static const struct http_header headers[] = {
        {"content-type", "application/json"},
        {"cache-control", "no-store"},
        {NULL, NULL},
    };
    struct err e;
    if (jw_done(&c->w, &e)) {
        api_fail(c, &e);
        return;
    }
    if (c->exchange)
        (void)exchange_answer(c->exchange, c->status, headers, buf_str(&c->out),
                              &e);
    free_call(c);
}

static unsigned status_of(enum err_kind kind) {
    switch (kind) {
    case ERR_INVALID:
    case ERR_USAGE: return 400;
    case ERR_DENIED: return 403;
    case ERR_MISSING: return 404;
    case ERR_EXISTS:
    case ERR_WAITING: return 409;
    case ERR_LIMIT: return 429;
    case ERR_TIMEOUT: return 504;
    case ERR_UNSUPPORTED: return 501;
    case ERR_PEER: return 502;
    case ERR_SYSTEM:
    case ERR_MEMORY: return 503;
    case ERR_INTERNAL: return 500;
    }
    return 500;
}

void api_fail(struct api_call *c, const struct err *e) {
    if (c->exchange)
        front_refuse(c->exchange, status_of(e->kind), err_code(e->kind), "%s",
                     e->text);
    free_call(c);
}

bool api_may_see(const struct api_call *c, str principal) {
    return !c->scopes.p || str_eq(c->principal, principal);
}

bool api_may_approve(const struct api_call *c) {
    return !c->scopes.p || front_has_scope(c->scopes, STR("approve"));
}

int64_t api_query_int(const struct api_call *c, const char *name,
                      int64_t none) {
    str text = exchange_query(c->exchange, name);
    int64_t v;
    struct err e;
    return text.p && num_parse_i64(text, &v, &e) == 0 && v >= 0 ? v : none;
}

/* -- routing
 * ---------------------------------------------------------------------
 */

/* 1: the path is the route's; *id is what stands for {id}. */
static bool fits(const char *pattern, str path, str *id) {
    str want = str_of(pattern);
    ptrdiff_t open = str_find(want, STR("{id}"));
    if (open < 0) return str_eq(want, path);
    str head = str_sub(want, 0, (size_t)open);
    str tail = str_sub(want, (size_t)open + 4, want.n);
    if (path.n <= head.n + tail.n || !str_starts(path, head) ||
        !str_ends(path, tail))
        return false;
    *id = str_sub(path, head.n, path.n - tail.n);
    return str_find_char(*id, '/') < 0;
}

static const struct route *find(struct api_call *c, bool *known) {
    str path = exchange_path(c->exchange);
    str rest = str_sub(path, sizeof PREFIX - 1, path.n);
    *known = false;
    for (size_t i = 0; i < ROUTES; i++) {
        str id = STR("");
        if (!fits(routes[i].path, rest, &id)) continue;
        *known = true;
        if (!str_is(exchange_method(c->exchange), routes[i].method)) continue;
        c->id = id;
        return &routes[i];
    }
    return NULL;
}

static bool is_member(const char *members, str name) {
    str rest = str_of(members);
    if (str_is(rest, "*")) return true;
    while (rest.p && rest.n)
        if (str_eq(str_cut(&rest, ' '), name)) return true;
    return false;
}

static int read_body(struct api_call *c, const struct route *r, struct err *e) {
    str text = exchange_body(c->exchange);
    if (!text.p || text.n == 0) text = STR("{}");
    if (json_parse(text, NULL, &c->arena, &c->body, e))
        return fail_while(e, "body");
    if (json_type(c->body) != JSON_OBJECT)
        return fail(e, ERR_INVALID, "body: an object is wanted");
    const struct json *key = json_first(c->body);
    for (size_t i = json_len(c->body); i > 0; i--, key = json_skip(key + 1))
        if (!is_member(r->body, json_str(key)))
            return fail(e, ERR_INVALID, "body: no member '%.*s' is known",
                        STR_ARG(str_sub(json_str(key), 0, 60)));
    return 0;
}

static int begin(struct api_call *c, struct err *e) {
    bool known;
    const struct route *r = find(c, &known);
    if (!r && known)
        return fail(e, ERR_INVALID, "%.*s cannot be done with this path",
                    STR_ARG(exchange_method(c->exchange)));
    if (!r) return fail(e, ERR_MISSING, "no such path");
    if (read_body(c, r, e)) return -1;
    return r->fn(c, e);
}

/* A handler that answers later keeps the call; one that waited for the servers
 * is kept already, and says with `later` that it still is. */
static void go(struct api_call *c) {
    struct err e;
    c->later = false;
    if (begin(c, &e))
        api_fail(c, &e);
    else if (!c->later)
        api_answer(c);
}

static void on_settled(struct hub_waiter *w) {
    go(w->data);
}

static void on_found(struct select_wait *w) {
    go(w->data);
}

static void wait_for_servers(struct api_call *c) {
    api_keep(c);
    c->early = (struct hub_waiter){.done = on_settled, .data = c};
    hub_wait(c->api->config.hub, &c->early);
}

void api_handle(void *data, struct exchange *x,
                const struct front_caller *who) {
    struct err e;
    struct api_call *c = mem_zalloc(1, sizeof *c, &e);
    if (!c) {
        front_refuse(x, 503, "memory", "%s", e.text);
        return;
    }
    c->api = data;
    c->exchange = x;
    c->arena = ARENA_MAX(API_BYTES);
    c->out = BUF_MAX(API_BYTES);
    c->w = JW(&c->out);
    c->status = 200;
    c->found = (struct select_wait){.fn = on_found, .data = c};
    int status = arena_dup(&c->arena, who->principal, &c->principal, &e);
    if (status == 0 && who->scopes.p)
        status = arena_dup(&c->arena, who->scopes, &c->scopes, &e);
    if (status)
        api_fail(c, &e);
    else if (hub_settled(c->api->config.hub))
        go(c);
    else
        wait_for_servers(c);
}

struct api *api_new(const struct api_config *config, struct err *e) {
    struct api *a = mem_zalloc(1, sizeof *a, e);
    if (!a) return NULL;
    a->config = *config;
    a->arena = ARENA_MAX(API_BYTES);
    struct json_build copy = JSON_BUILD(&a->arena);
    if (!config->sandbox) return a;
    build_copy(&copy, config->sandbox);
    if (!build_done(&copy, &a->config.sandbox, e)) return a;
    api_free(a);
    return NULL;
}

void api_free(struct api *a) {
    if (!a) return;
    while (a->open)
        free_call(a->open);
    arena_fini(&a->arena);
    mem_free(a);
}

/* -- the description
 * ---------------------------------------------------------------
 */

static void put_words(struct jw *w, const char *words,
                      void (*put)(struct jw *w, str word)) {
    str rest = str_of(words);
    while (rest.p && rest.n)
        put(w, str_cut(&rest, ' '));
}

static void put_parameter(struct jw *w, str name, const char *in) {
    jw_object(w);
    jw_put_text(w, "name", name);
    jw_put_text(w, "in", str_of(in));
    jw_put_bool(w, "required", !strcmp(in, "path"));
    jw_key(w, "schema");
    jw_raw(w, STR("{\"type\":\"string\"}"));
    jw_end_object(w);
}

static void put_query(struct jw *w, str name) {
    put_parameter(w, name, "query");
}

static void put_member(struct jw *w, str name) {
    jw_key_str(w, name);
    jw_raw(w, str_is(name, "wait") || str_is(name, "expires") ||
                      str_is(name, "attempts")
                  ? STR("{\"type\":\"number\"}")
                  : STR("{\"type\":\"string\"}"));
}

static void put_body(struct jw *w, const char *members) {
    jw_key(w, "requestBody");
    jw_object(w);
    jw_key(w, "content");
    jw_object(w);
    jw_key(w, "application/json");
    jw_object(w);
    jw_key(w, "schema");
    jw_object(w);
    jw_put_text(w, "type", STR("object"));
    if (strcmp(members, "*") != 0) {
        jw_key(w, "properties");
        jw_object(w);
        put_words(w, members, put_member);
        jw_end_object(w);
        jw_put_bool(w, "additionalProperties", false);
    }
    jw_end_object(w);
    jw_end_object(w);
    jw_end_object(w);
    jw_end_object(w);
}

static void put_operation(struct jw *w, const struct route *r,
                          const char *name) {
    char method[8] = "";
    for (size_t i = 0; r->method[i] && i < sizeof method - 1; i++)
        method[i] = (char)(r->method[i] | 32);
    jw_key(w, method);
    jw_object(w);
    jw_put_text(w, "operationId", str_of(name));
    jw_put_text(w, "summary", str_of(r->text));
    jw_key(w, "parameters");
    jw_array(w);
    if (strstr(r->path, "{id}")) put_parameter(w, STR("id"), "path");
    put_words(w, r->query, put_query);
    jw_end_array(w);
    if (r->body[0]) put_body(w, r->body);
    jw_key(w, "responses");
    jw_raw(w, STR("{\"200\":{\"description\":\"as said\"},\"default\":{"
                  "\"description\":\"{\\\"error\\\": {\\\"type\\\", "
                  "\\\"message\\\"}}\"}}"));
    jw_end_object(w);
}

static const char *const names[] = {
#define ROUTE(id, method, path, body, query, text) #id,
#include "gateway/api.def"
#undef ROUTE
};

/* Operations of one path stand together: the first row of a path writes all. */
static bool is_first(size_t index) {
    for (size_t i = 0; i < index; i++)
        if (!strcmp(routes[i].path, routes[index].path)) return false;
    return true;
}

int api_openapi(struct api_call *c, struct err *e) {
    struct jw *w = &c->w;
    (void)e;
    jw_object(w);
    jw_put_text(w, "openapi", STR("3.1.0"));
    jw_key(w, "info");
    jw_raw(w, STR("{\"title\":\"Cordon\",\"version\":\"1\"}"));
    jw_key(w, "servers");
    jw_raw(w, STR("[{\"url\":\"" PREFIX "\"}]"));
    jw_key(w, "security");
    jw_raw(w, STR("[{\"token\":[]}]"));
    jw_key(w, "components");
    jw_raw(w, STR("{\"securitySchemes\":{\"token\":{\"type\":\"http\","
                  "\"scheme\":\"bearer\"}}}"));
    jw_key(w, "paths");
    jw_object(w);
    for (size_t i = 0; i < ROUTES; i++) {
        if (!is_first(i)) continue;
        jw_key(w, routes[i].path);
        jw_object(w);
        for (size_t k = i; k < ROUTES; k++)
            if (!strcmp(routes[k].path, routes[i].path))
                put_operation(w, &routes[k], names[k]);
        jw_end_object(w);
    }
    jw_end_object(w);
    jw_end_object(w);
    return 0;
}
