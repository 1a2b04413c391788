/* SPDX-License-Identifier: MIT */
#include "gateway/front.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "gateway/front_inside.h"
#include "json/build.h"
#include "json/write.h"

enum { ROUTES_MAX = 32, PEM_MAX = 1 << 20, DEFAULT_BODY = 64 << 20 };
#define SETTINGS_MAX ((size_t)16 << 20)
#define METADATA     "/.well-known/oauth-protected-resource"

struct front {
    struct loop *loop;
    struct log *log;
    struct client *http;
    struct server *server;
    const char *address;
    struct front_route routes[ROUTES_MAX];
    size_t route_count;
    struct arena memory; /* of what follows */
    const struct json *settings;
    struct tokens tokens;
    struct rates rates;
    struct visit *waiting; /* for keys */
};

/* A long body is worth reading only from those who are let in: they are looked
 * at twice. */
enum stage { AT_HEADERS, WITH_BODY };

/* A request whose token waits for keys. */
struct visit {
    struct front *front;
    struct exchange *x;
    enum stage stage;
    struct visit *next, **link;
    struct keys_waiter waiter;
};

/* -- answers -----------------------------------------------------------------
 */

static void answer_text(struct exchange *x, unsigned status,
                        const struct http_header *headers, str body) {
    struct err e;
    if (exchange_answer(x, status, headers, body, &e)) exchange_end(x);
}

static int write_error(struct buf *out, const char *type, const char *text,
                       struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_text(&w, "message", str_of(text));
    jw_put_text(&w, "type", str_of(type));
    jw_end_object(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

static void refuse(struct exchange *x, unsigned status, const char *type,
                   const char *text, const char *header, const char *value) {
    AUTO_BUF struct buf body = BUF_MAX(8192);
    const struct http_header headers[] = {
        {"Content-Type", "application/json"}, {header, value}, {NULL, NULL}};
    struct err e;
    if (write_error(&body, type, text, &e)) buf_fini(&body);
    answer_text(x, status, headers, buf_str(&body));
}

void front_refuse(struct exchange *x, unsigned status, const char *type,
                  const char *fmt, ...) {
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    refuse(x, status, type, text, NULL, NULL);
}

/* -- Host and Origin ---------------------------------------------------------
 */

/* "host:port", "[v6]:port" or a bare host, without the port. */
static str without_port(str host) {
    if (host.n && host.p[0] == '[') {
        ptrdiff_t end = str_find_char(host, ']');
        return end < 0 ? host : str_sub(host, 0, (size_t)end + 1);
    }
    ptrdiff_t colon = str_find_char(host, ':');
    return colon < 0 ? host : str_sub(host, 0, (size_t)colon);
}

static bool is_loopback(str host) {
    return str_eq_nocase(host, STR("localhost")) || str_is(host, "127.0.0.1") ||
           str_is(host, "[::1]") || str_is(host, "::1");
}

static bool listed(const struct front *g, const char *member, str value) {
    const struct json *list = json_get(g->settings, member);
    if (!list || json_type(list) != JSON_ARRAY) return false;
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0; i--, item = json_skip(item))
        if (json_type(item) == JSON_STRING &&
            (str_eq_nocase(json_str(item), value) ||
             str_is(json_str(item), "*")))
            return true;
    return false;
}

/* The address we listen on is always a name for us. */
static bool host_is_ours(const struct front *g, str host) {
    str name = without_port(host);
    if (is_loopback(without_port(str_of(g->address))))
        return is_loopback(name) || listed(g, "hosts", name) ||
               listed(g, "hosts", host);
    if (!json_get(g->settings, "hosts")) return name.n > 0;
    return listed(g, "hosts", name) || listed(g, "hosts", host) ||
           str_eq_nocase(name, without_port(str_of(g->address)));
}

static bool origin_is_fine(const struct front *g, str origin) {
    ptrdiff_t at = str_find(origin, STR("://"));
    if (listed(g, "origins", origin)) return true;
    if (at < 0) return false;
    str host = str_sub(origin, (size_t)at + 3, origin.n);
    return is_loopback(without_port(str_of(g->address))) &&
           is_loopback(without_port(host));
}

static bool from_here(const struct front *g, struct exchange *x) {
    str host = exchange_header(x, "Host"),
        origin = exchange_header(x, "Origin");
    if (!host.p || !host_is_ours(g, host)) {
        refuse(x, 403, "forbidden", "this Host is not served here", NULL, NULL);
        return false;
    }
    if (origin.p && !origin_is_fine(g, origin)) {
        refuse(x, 403, "forbidden", "this Origin may not ask", NULL, NULL);
        return false;
    }
    return true;
}

/* -- routes ------------------------------------------------------------------
 */

static bool below(str path, const char *prefix) {
    size_t n = strlen(prefix);
    if (n && prefix[n - 1] == '/') return str_starts(path, str_of(prefix));
    return str_starts(path, str_of(prefix)) &&
           (path.n == n || path.p[n] == '/');
}

static const struct front_route *route_of(const struct front *g, str path) {
    const struct front_route *best = NULL;
    for (size_t i = 0; i < g->route_count; i++) {
        const struct front_route *r = &g->routes[i];
        if (below(path, r->prefix) &&
            (!best || strlen(r->prefix) > strlen(best->prefix)))
            best = r;
    }
    return best;
}

int front_mount(struct front *g, const struct front_route *route,
                struct err *e) {
    if (g->route_count == ROUTES_MAX)
        return fail(e, ERR_LIMIT, "too many routes");
    for (size_t i = 0; i < g->route_count; i++)
        if (!strcmp(g->routes[i].prefix, route->prefix))
            return fail(e, ERR_EXISTS, "%s is mounted already", route->prefix);
    g->routes[g->route_count++] = *route;
    return 0;
}

/* -- who asks ----------------------------------------------------------------
 */

static bool wants_token(const struct front *g) {
    return g->tokens.list || g->tokens.oauth;
}

/* What a client that has no token needs to get one (RFC 9728). */
static void challenge(const struct front *g, struct exchange *x,
                      unsigned status, const char *error, const char *text) {
    AUTO_BUF struct buf value = BUF_MAX(4096);
    str host = exchange_header(x, "Host");
    str scope = json_get_text(g->tokens.oauth, "scope", STR(""));
    const char *scheme = json_get(g->settings, "cert") ? "https" : "http";
    struct err e;
    int bad = buf_add_text(&value, "Bearer", &e);
    if (error) bad |= buf_addf(&value, &e, " error=\"%s\"", error);
    if (g->tokens.oauth)
        bad |= buf_addf(
            &value, &e, "%s resource_metadata=\"%s://%.*s" METADATA "%.*s\"",
            error ? "," : "", scheme, STR_ARG(host), STR_ARG(exchange_path(x)));
    if (g->tokens.oauth && scope.n)
        bad |= buf_addf(&value, &e, ", scope=\"%.*s\"", STR_ARG(scope));
    refuse(x, status, status == 403 ? "insufficient_scope" : "unauthorized",
           text, "WWW-Authenticate", bad ? "Bearer" : buf_text(&value));
}

static void on_exchange_end(void *data) {
    ((struct rate *)data)->open--;
}

static void hand_over(struct front *g, struct exchange *x,
                      const struct front_route *route,
                      const struct front_caller *who) {
    char seconds[16];
    unsigned wait;
    struct rate *rate =
        rates_take(&g->rates, who->principal, clock_mono_ns(), &wait);
    if (!rate) {
        (void)snprintf(seconds, sizeof seconds, "%u", wait);
        refuse(x, 429, "rate_limited", "too many requests", "Retry-After",
               seconds);
        return;
    }
    exchange_on_end(x, on_exchange_end, rate);
    route->handle(route->data, x, who);
}

static void let_in(struct front *g, struct exchange *x, enum stage stage,
                   const struct front_route *route,
                   const struct front_caller *who) {
    if (stage == WITH_BODY)
        hand_over(g, x, route, who);
    else if (!route->screen || route->screen(route->data, x))
        exchange_read_on(x);
}

static void admit(struct front *g, struct exchange *x, enum stage stage,
                  bool may_wait);

static void visit_end(struct visit *v) {
    keys_unwait(&v->waiter);
    *v->link = v->next;
    if (v->next) v->next->link = v->link;
    mem_free(v);
}

static void on_keys(struct keys_waiter *w) {
    struct visit *v = w->data;
    struct front *g = v->front;
    struct exchange *x = v->x;
    enum stage stage = v->stage;
    exchange_on_gone(x, NULL, NULL);
    visit_end(v);
    admit(g, x, stage, false);
}

static void on_gone(void *data) {
    visit_end(data);
}

static void wait_for_keys(struct front *g, struct exchange *x,
                          enum stage stage) {
    struct err e;
    struct visit *v = mem_zalloc(1, sizeof *v, &e);
    if (!v) {
        refuse(x, 503, "unavailable", e.text, NULL, NULL);
        return;
    }
    *v = (struct visit){.front = g,
                        .x = x,
                        .stage = stage,
                        .next = g->waiting,
                        .link = &g->waiting};
    if (v->next) v->next->link = &v->next;
    g->waiting = v;
    v->waiter = (struct keys_waiter){.done = on_keys, .data = v};
    exchange_on_gone(x, on_gone, v);
    keys_wait(g->tokens.keys, &v->waiter);
}

static void admit(struct front *g, struct exchange *x, enum stage stage,
                  bool may_wait) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct front_route *route = route_of(g, exchange_path(x));
    struct front_caller who = {STR("local"), {NULL, 0}};
    struct err why;
    if (!route) {
        refuse(x, 404, "not_found", "nothing is served at this path", NULL,
               NULL);
        return;
    }
    if (route->open || !wants_token(g)) {
        let_in(g, x, stage, route, &who);
        return;
    }
    str given = exchange_header(x, "Authorization");
    switch (tokens_check(&g->tokens, given, &a, &who, &why)) {
    case TOKEN_GOOD: let_in(g, x, stage, route, &who); break;
    case TOKEN_NARROW:
        challenge(g, x, 403, "insufficient_scope", why.text);
        break;
    case TOKEN_PENDING:
        if (may_wait && keys_refresh(g->tokens.keys)) {
            wait_for_keys(g, x, stage);
            break;
        }
        challenge(g, x, 401, "invalid_token", why.text);
        break;
    case TOKEN_REFUSED:
        challenge(g, x, 401, given.p ? "invalid_token" : NULL, why.text);
        break;
    }
}

static void on_headers(void *data, struct exchange *x) {
    struct front *g = data;
    if (from_here(g, x)) admit(g, x, AT_HEADERS, true);
}

static void on_request(void *data, struct exchange *x) {
    struct front *g = data;
    if (from_here(g, x)) admit(g, x, WITH_BODY, true);
}

/* -- the metadata of this resource -------------------------------------------
 */

/* Where no resource is configured, it is what the client asked for. */
static void put_resource(const struct front *g, struct exchange *x,
                         struct jw *w) {
    AUTO_BUF struct buf url = BUF_MAX(4096);
    str path = exchange_path(x), host = exchange_header(x, "Host");
    str given = json_get_text(g->tokens.oauth, "resource", STR(""));
    struct err e;
    path = str_sub(path, sizeof METADATA - 1, path.n);
    if (!given.n && !buf_addf(&url, &e, "%s://%.*s%.*s",
                              json_get(g->settings, "cert") ? "https" : "http",
                              STR_ARG(host), STR_ARG(path)))
        given = buf_str(&url);
    jw_put_text(w, "resource", given);
}

static void put_scopes(const struct front *g, struct jw *w) {
    const struct json *map = json_get(g->settings, "scopes");
    if (!map) return;
    jw_key(w, "scopes_supported");
    jw_array(w);
    const struct json *key = json_first(map);
    for (size_t i = json_len(map); i > 0; i--, key = json_skip(key + 1))
        jw_text(w, json_str(key));
    jw_end_array(w);
}

static void on_metadata(void *data, struct exchange *x,
                        const struct front_caller *who) {
    struct front *g = data;
    AUTO_BUF struct buf body = BUF_MAX(64 << 10);
    const struct http_header headers[] = {{"Content-Type", "application/json"},
                                          {"Access-Control-Allow-Origin", "*"},
                                          {NULL, NULL}};
    struct jw w = JW(&body);
    struct err e;
    (void)who;
    if (!g->tokens.oauth) {
        refuse(x, 404, "not_found", "there is no authorization server", NULL,
               NULL);
        return;
    }
    jw_object(&w);
    put_resource(g, x, &w);
    jw_key(&w, "authorization_servers");
    jw_array(&w);
    jw_text(&w, json_get_text(g->tokens.oauth, "issuer", STR("")));
    jw_end_array(&w);
    put_scopes(g, &w);
    jw_key(&w, "bearer_methods_supported");
    jw_raw(&w, STR("[\"header\"]"));
    jw_end_object(&w);
    if (jw_done(&w, &e))
        refuse(x, 500, "internal", e.text, NULL, NULL);
    else
        answer_text(x, 200, headers, buf_str(&body));
}

/* -- scopes ------------------------------------------------------------------
 */

bool front_has_scope(str scopes, str wanted) {
    while (scopes.p)
        if (str_eq(str_cut(&scopes, ' '), wanted)) return true;
    return false;
}

static bool glob_in(const struct json *globs, str name) {
    if (json_type(globs) != JSON_ARRAY) return false;
    const struct json *glob = json_first(globs);
    for (size_t i = json_len(globs); i > 0; i--, glob = json_skip(glob))
        if (json_type(glob) == JSON_STRING && str_glob(json_str(glob), name))
            return true;
    return false;
}

bool front_allows(const struct front *g, str scopes, str name) {
    const struct json *map = json_get(g->settings, "scopes");
    if (!map || !scopes.p) return true;
    const struct json *key = json_first(map);
    for (size_t i = json_len(map); i > 0; i--, key = json_skip(key + 1))
        if (front_has_scope(scopes, json_str(key)) && glob_in(key + 1, name))
            return true;
    return false;
}

/* -- settings ----------------------------------------------------------------
 */

static void set_rates(struct front *g) {
    const struct json *limits = json_get(g->settings, "limits");
    int64_t per_minute = json_get_int(limits, "perMinute", 0);
    int64_t concurrent = json_get_int(limits, "concurrent", 0);
    g->rates.per_second = (double)per_minute / 60;
    g->rates.burst = per_minute > 60 ? (double)per_minute / 6 : 10;
    g->rates.concurrent = concurrent > 0 ? (size_t)concurrent : 0;
}

static int check_open(const struct front *g, const struct json *settings,
                      struct err *e) {
    if (!strchr(g->address, ':'))
        return fail(e, ERR_INVALID, "address '%s' is not HOST:PORT",
                    g->address);
    if (json_get(settings, "tokens") || json_get(settings, "oauth") ||
        is_loopback(without_port(str_of(g->address))))
        return 0;
    return fail(e, ERR_DENIED,
                "%s is reachable from elsewhere: set "
                "serve.http.tokens or serve.http.oauth first",
                g->address);
}

/* A scope of a token that says nothing about tools is likely a slip. */
static void warn_of_scopes(const struct front *g, const struct json *token,
                           const struct json *map) {
    const struct json *list = json_get(token, "scopes");
    const struct json *v = list ? json_first(list) : NULL;
    for (size_t i = list ? json_len(list) : 0; i > 0; i--, v = json_skip(v)) {
        str scope = json_str(v);
        if (str_is(scope, "approve") || str_is(scope, "audit") ||
            json_get_str(map, scope))
            continue;
        log_warn(g->log,
                 "serve.http.tokens: \"%.*s\" of \"%.*s\" is not in "
                 "serve.http.scopes: %s",
                 STR_ARG(scope), STR_ARG(json_get_text(token, "name", STR(""))),
                 map ? "it lets use no tool" : "it limits no tool");
    }
}

/* Whose a request is must be clear. */
static int check_tokens(const struct front *g, const struct json *settings,
                        struct err *e) {
    const struct json *list = json_get(settings, "tokens");
    const struct json *a = list ? json_first(list) : NULL;
    for (size_t i = list ? json_len(list) : 0; i > 0; i--, a = json_skip(a)) {
        const struct json *b = json_skip(a);
        str token = json_get_text(a, "token", STR(""));
        for (size_t k = i - 1; k > 0; k--, b = json_skip(b))
            if (str_eq(token, json_get_text(b, "token", STR(""))))
                return fail(e, ERR_INVALID,
                            "serve.http.tokens: \"%.*s\" and \"%.*s\" have "
                            "the same token",
                            STR_ARG(json_get_text(a, "name", STR(""))),
                            STR_ARG(json_get_text(b, "name", STR(""))));
        warn_of_scopes(g, a, json_get(settings, "scopes"));
    }
    return 0;
}

int front_reload(struct front *g, const struct json *settings, struct err *e) {
    struct arena memory = ARENA_MAX(SETTINGS_MAX);
    struct json_build b = JSON_BUILD(&memory);
    const struct json *copy = NULL, *oauth = json_get(settings, "oauth");
    struct keys *keys = NULL;
    if (check_open(g, settings, e) || check_tokens(g, settings, e)) return -1;
    if (settings) build_copy(&b, settings);
    if ((settings && build_done(&b, &copy, e)) ||
        (oauth && !(keys = keys_new(g->loop, g->http, json_get(copy, "oauth"),
                                    g->log, e)))) {
        arena_fini(&memory);
        return -1;
    }
    struct arena old = g->memory;
    struct keys *old_keys = g->tokens.keys;
    g->memory = memory;
    g->settings = copy;
    g->tokens = (struct tokens){json_get(copy, "tokens"),
                                json_get(copy, "oauth"), keys};
    while (g->waiting) /* each asks again, with what holds now */
        on_keys(&g->waiting->waiter);
    keys_free(old_keys);
    arena_fini(&old);
    set_rates(g);
    return 0;
}

/* -- start and end -----------------------------------------------------------
 */

static int read_pem(const struct json *settings, const char *member,
                    struct buf *out, struct err *e) {
    str path = json_get_text(settings, member, STR(""));
    char name[PATH_MAX];
    if (!path.n) return 0;
    (void)snprintf(name, sizeof name, "%.*s", STR_ARG(path));
    if (file_read(name, out, e)) return fail_while(e, "serve.http.%s", member);
    return 0;
}

static int start(struct front *g, const struct json *settings, struct err *e) {
    AUTO_BUF struct buf cert = BUF_MAX(PEM_MAX), key = BUF_MAX(PEM_MAX);
    if (read_pem(settings, "cert", &cert, e) ||
        read_pem(settings, "key", &key, e))
        return -1;
    if (!cert.len != !key.len)
        return fail(e, ERR_INVALID, "serve.http: cert and key go together");
    const struct server_config config = {
        .address = g->address,
        .cert_pem = cert.len ? buf_text(&cert) : NULL,
        .key_pem = key.len ? buf_text(&key) : NULL,
        .body_max = DEFAULT_BODY,
        .connections = (unsigned)json_get_int(json_get(settings, "limits"),
                                              "connections", 10000),
        .handle = on_request,
        .screen = on_headers,
        .data = g};
    g->server = server_new(g->loop, &config, e);
    if (key.len) mem_wipe(key.data, key.len);
    return g->server ? 0 : -1;
}

struct front *front_new(struct loop *loop, const struct front_config *config,
                        struct err *e) {
    struct front *g = mem_zalloc(1, sizeof *g, e);
    if (!g) return NULL;
    *g = (struct front){.loop = loop,
                        .log = config->log,
                        .http = config->http,
                        .memory = ARENA_MAX(SETTINGS_MAX),
                        .rates.by_name = MAP_MAX(RATES_MAX)};
    const struct front_route metadata = {
        .prefix = METADATA, .open = true, .handle = on_metadata, .data = g};
    g->address = mem_dup(config->address, strlen(config->address), e);
    if (!g->address || front_reload(g, config->settings, e) ||
        start(g, config->settings, e) || front_mount(g, &metadata, e)) {
        front_free(g);
        return NULL;
    }
    return g;
}

void front_quiesce(struct front *g) {
    server_quiesce(g->server);
}

void front_free(struct front *g) {
    if (!g) return;
    server_free(g->server);
    keys_free(g->tokens.keys);
    rates_fini(&g->rates);
    arena_fini(&g->memory);
    mem_free((void *)(uintptr_t)g->address);
    mem_free(g);
}

unsigned front_port(const struct front *g) {
    return server_port(g->server);
}
