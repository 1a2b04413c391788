/* SPDX-License-Identifier: MIT
 *
 * A configured server in the hub: started where it can do little, its tools in
 * the registry.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/dirs.h"
#include "base/mem.h"
#include "call/mcp.h"
#include "gateway/hub_inside.h"
#include "gateway/launch.h"
#include "gateway/sample.h"
#include "gateway/uris.h"
#include "policy/pin_keeper.h"
#include "policy/pin_package.h"
#include "json/build.h"

#define MEMORY_MAX   ((size_t)8 << 20)
#define IDENTITY_MAX ((size_t)256 << 20)
enum { GLOBS_MAX = 1000 };

/* -- tools into the registry -------------------------------------------------
 */

static size_t globs(const struct json *list, str *out) {
    size_t n = 0;
    if (!list || json_type(list) != JSON_ARRAY) return 0;
    const struct json *item = json_first(list);
    for (size_t i = json_len(list); i > 0 && n < GLOBS_MAX;
         i--, item = json_skip(item))
        if (json_type(item) == JSON_STRING) out[n++] = json_str(item);
    return n;
}

/* What the server is, beside what it says: the package it runs, or the key its
 * host proved itself with. NULL: neither is known. */
static int identify(struct member *m, struct arena *a, const struct json **out,
                    struct err *e) {
    struct json_build b = JSON_BUILD(a);
    const struct json *package = NULL;
    const char *key =
        m->spec->url ? client_certificate(m->hub->config.http, m->spec->url)
                     : NULL;
    enum runner r = m->spec->argv ? runner_of(m->spec->argv) : RUNNER_NONE;
    *out = NULL;
    if (r && m->home &&
        pin_package(r, m->home, m->hub->config.registry_keys, a, &package, e))
        return -1;
    if (!package && !key) return 0;
    build_object(&b);
    if (package) build_put(&b, "package", package);
    if (key) build_put_text(&b, "certificate", str_of(key));
    build_end(&b);
    return build_done(&b, out, e);
}

/* A server that cannot be identified offers nothing. */
static const struct json *identity_or_none(struct member *m, struct arena *a,
                                           const struct json **items) {
    static const struct json none[] = {{.head = JSON_ARRAY, .as.span = 1}};
    const struct json *identity = NULL;
    struct err e;
    if (!*items) *items = none;
    if (!m->spec || identify(m, a, &identity, &e) == 0) return identity;
    log_error(m->hub->log, "%s: its tools are left out: %s", m->spec->name,
              e.text);
    *items = none;
    return NULL;
}

static void put_tools(struct member *m) {
    AUTO_ARENA struct arena a = ARENA_MAX(IDENTITY_MAX);
    const struct json *items = downstream_items(m->down, DOWN_TOOLS);
    const struct json *identity = identity_or_none(m, &a, &items);
    struct registry *registry = boundary_registry(m->hub->config.boundary);
    str allow[GLOBS_MAX], exclude[GLOBS_MAX];
    struct err e;
    const struct registry_source source = {
        .server = str_of(m->prefix),
        .server_text = downstream_instructions(m->down),
        .provider = m->provider,
        .allow = allow,
        .exclude = exclude,
        .allow_count = globs(m->spec->allowed, allow),
        .exclude_count = globs(m->spec->excluded, exclude),
        .overrides = m->spec->tools,
        .identity = identity};
    if (registry_put(registry, &source, items, &e) < 0)
        log_warn(m->hub->log, "%s: %s", m->spec->name, e.text);
    list_dirty(m->hub, HUB_TOOLS);
}

/* -- what the server tells ---------------------------------------------------
 */

static void on_changed(void *data, struct downstream *d,
                       enum downstream_list list) {
    struct member *m = data;
    (void)d;
    switch (list) {
    case DOWN_TOOLS: put_tools(m); break;
    case DOWN_PROMPTS: list_dirty(m->hub, HUB_PROMPTS); break;
    case DOWN_RESOURCES: list_dirty(m->hub, HUB_RESOURCES); break;
    case DOWN_TEMPLATES: list_dirty(m->hub, HUB_TEMPLATES); break;
    case DOWN_LISTS: break;
    }
}

static bool has_certificate(const struct member *m) {
    return m->hub->config.pins && m->spec && m->spec->url &&
           str_starts(str_of(m->spec->url), STR("https://"));
}

/* The key is compared before anything is sent: credentials are in the very
 * first request. */
static int on_starting(void *data, struct downstream *d, struct err *e) {
    struct member *m = data;
    const char *key;
    (void)d;
    if (!has_certificate(m)) return 0;
    if (pin_keeper_key(m->hub->config.pins, str_of(m->prefix), &key, e))
        return -1;
    return client_expect_key(m->hub->config.http, m->spec->url, key, e);
}

static void tell_key(struct member *m) {
    const char *pinned, *now;
    struct err e;
    if (!has_certificate(m) ||
        pin_keeper_key(m->hub->config.pins, str_of(m->prefix), &pinned, &e))
        return;
    now = client_certificate(m->hub->config.http, m->spec->url);
    bool other = pinned && now && strcmp(pinned, now) != 0;
    if (other && !m->key_told)
        pin_keeper_refused(m->hub->config.pins, str_of(m->prefix), now);
    m->key_told = other;
}

static void on_settled(void *data, struct downstream *d) {
    struct member *m = data;
    struct hub *h = m->hub;
    if (downstream_state(d) != DOWN_READY) tell_key(m);
    if (hub_settled(h)) loop_post(h->loop, &h->settled_task);
}

static void on_notified(void *data, struct downstream *d, str method,
                        const struct json *params) {
    struct member *m = data;
    AUTO_BUF struct buf uri = BUF_MAX(64 << 10);
    str inner = json_get_text(params, "uri", STR(""));
    struct err e;
    (void)d;
    if (str_is(method, "notifications/elicitation/complete"))
        page_done(m, json_get_text(params, "elicitationId", STR("")));
    if (!str_is(method, "notifications/resources/updated")) return;
    if (!uri_wrap(str_of(m->uri_prefix), inner, &uri, &e))
        mcp_resource_updated(m->hub->server, buf_str(&uri));
}

static void on_logged(void *data, struct downstream *d, str owner,
                      const struct json *params) {
    struct member *m = data;
    (void)d;
    errand_logged(m->hub, m, owner, params);
}

/* -- what the server asks, answered by the configuration ---------------------
 */

static int build_roots(const struct hub *h, struct arena *a,
                       const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_key(&b, STR("roots"));
    build_array(&b);
    const struct json *root = h->roots ? json_first(h->roots) : NULL;
    for (size_t i = h->roots ? json_len(h->roots) : 0; i > 0;
         i--, root = json_skip(root)) {
        build_object(&b);
        build_put_text(&b, "uri", json_str(root));
        build_end(&b);
    }
    build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

static bool answer_roots(const struct hub *h,
                         void (*answer)(void *to, const struct json *result),
                         void *to) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *roots;
    struct err e;
    if (build_roots(h, &a, &roots, &e)) return false;
    answer(to, roots);
    return true;
}

/* One of our models answers, where the user allowed that for this server. */
static bool ask_model(const struct member *m, const struct json *params,
                      void (*answer)(void *to, const struct json *result),
                      void *to) {
    struct samples *ours = m->hub->config.samples;
    const struct server_spec *spec = m->spec;
    struct err e;
    if (!ours || !spec || !spec->sampling || !params) return false;
    str model = json_type(spec->sampling) == JSON_STRING
                    ? json_str(spec->sampling)
                    : STR("");
    log_info(m->hub->log, "%s asks a model", spec->name);
    if (sample_ask(ours, str_of(spec->name), model, params, answer, to, &e) ==
        0)
        return true;
    log_warn(m->hub->log, "%s: sampling: %s", spec->name, e.text);
    return false;
}

bool member_answer(struct member *m, str method, const struct json *params,
                   void (*answer)(void *to, const struct json *result),
                   void *to) {
    if (str_is(method, "roots/list"))
        return m->hub->roots && answer_roots(m->hub, answer, to);
    return str_is(method, "sampling/createMessage") &&
           ask_model(m, params, answer, to);
}

bool member_answer_call(void *data, const struct entry *tool, str method,
                        const struct json *params,
                        void (*answer)(void *to, const struct json *result),
                        void *to) {
    const struct hub *h = data;
    struct member *m = member_of(h, tool);
    return m && member_answer(m, method, params, answer, to);
}

static void answer_ask(void *to, const struct json *result) {
    mcp_ask_answer(to, result);
}

/* Outside of any call nobody pays for a model. */
static void on_asked(void *data, struct downstream *d, struct mcp_ask *ask) {
    struct member *m = data;
    (void)d;
    if (!str_is(mcp_ask_method(ask), "roots/list"))
        mcp_ask_refuse(ask, RPC_NO_METHOD, "there is no call that asks this");
    else if (!answer_roots(m->hub, answer_ask, ask))
        mcp_ask_refuse(ask, RPC_INTERNAL, "there is no memory for it");
}

static const struct downstream_events events = {
    .starting = on_starting,
    .changed = on_changed,
    .settled = on_settled,
    .notified = on_notified,
    .logged = on_logged,
    .asked = on_asked,
};

/* -- a login nobody is there for ---------------------------------------------
 */

static void on_visit(void *data, struct mcp_auth *auth, const char *url) {
    struct member *m = data;
    (void)url;
    log_warn(m->hub->log, "%s wants a login: cordon mcp login %s",
             m->spec->name, m->spec->name);
    mcp_auth_abandoned(auth, "a person must log in first: cordon mcp login");
}

static int make_auth(struct member *m, struct err *e) {
    AUTO_BUF struct buf store = BUF_MAX(PATH_MAX);
    const struct json *oauth = m->spec->oauth;
    char id[1024], secret[1024], scope[1024];
    str texts[] = {json_get_text(oauth, "clientId", STR("")),
                   json_get_text(oauth, "clientSecret", STR("")),
                   json_get_text(oauth, "scope", STR(""))};
    (void)snprintf(id, sizeof id, "%.*s", STR_ARG(texts[0]));
    (void)snprintf(secret, sizeof secret, "%.*s", STR_ARG(texts[1]));
    (void)snprintf(scope, sizeof scope, "%.*s", STR_ARG(texts[2]));
    if (dirs_path(DIRS_STATE, "tokens.json", &store, e)) return -1;
    const struct mcp_auth_config config = {
        .http = m->hub->config.http,
        .server = m->spec->url,
        .ca_file = m->spec->ca,
        .store = buf_text(&store),
        .client_id = *id ? id : NULL,
        .client_secret = *secret ? secret : NULL,
        .client_name = "Cordon",
        .scope = *scope ? scope : NULL,
        .redirect_uri = "http://127.0.0.1/callback",
        .visit = on_visit,
        .data = m,
        .log = m->hub->log};
    m->auth = mcp_auth_new(m->hub->loop, &config, e);
    return m->auth ? 0 : -1;
}

/* -- starting ----------------------------------------------------------------
 */

static const struct json *our_capabilities(struct arena *a) {
    const struct json *v;
    struct err e;
    return json_parse(STR("{\"roots\":{},\"sampling\":{},"
                          "\"elicitation\":{\"form\":{},\"url\":{}},"
                          "\"extensions\":{\"io.modelcontextprotocol/tasks\":"
                          "{}}}"),
                      NULL, a, &v, &e)
               ? NULL
               : v;
}

static int start(struct member *m, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(MEMORY_MAX);
    const struct server_spec *spec = m->spec;
    struct child_spec command = {0};
    const char *home = NULL;
    if (spec->argv && launch_command(spec, &a, &command, &home, e)) return -1;
    if (home && !(m->home = mem_dup(home, strlen(home), e))) return -1;
    if (spec->url && !server_has_token(spec) && make_auth(m, e)) return -1;
    const struct downstream_config config = {.name = spec->name,
                                             .command =
                                                 spec->argv ? &command : NULL,
                                             .url = spec->url,
                                             .headers = spec->headers,
                                             .ca_file = spec->ca,
                                             .http = m->hub->config.http,
                                             .auth = m->auth,
                                             .can = our_capabilities(&a),
                                             .start_ns = spec->start_ns,
                                             .call_ns = spec->timeout_ns,
                                             .keep_log = true,
                                             .log = m->hub->log,
                                             .events = &events,
                                             .data = m};
    m->down = downstream_new(m->hub->loop, &config, e);
    if (!m->down) return -1;
    m->provider = provider_mcp_new(m->down, str_of(m->prefix), e);
    return m->provider ? 0 : -1;
}

static int make_prefixes(struct member *m, struct err *e) {
    AUTO_BUF struct buf uri = BUF_MAX(1024);
    const char *prefix = m->spec->prefix;
    if (uri_prefix(str_of(prefix), &uri, e)) return -1;
    m->prefix = mem_dup(prefix, strlen(prefix), e);
    m->uri_prefix = mem_dup(buf_text(&uri), uri.len, e);
    m->mark = mem_dup(m->spec->mark, strlen(m->spec->mark), e);
    return m->prefix && m->uri_prefix && m->mark ? 0 : -1;
}

struct member *member_new(struct hub *h, const struct server_spec *spec,
                          struct err *e) {
    struct member *m = mem_zalloc(1, sizeof *m, e);
    if (!m) return NULL;
    m->hub = h;
    m->spec = spec;
    m->next = h->members;
    m->link = &h->members;
    if (m->next) m->next->link = &m->next;
    h->members = m;
    if (!make_prefixes(m, e) && !start(m, e)) return m;
    err_context(e, "%s", spec->name);
    member_free(m);
    return NULL;
}

/* -- ending ------------------------------------------------------------------
 */

static void on_gone(void *data) {
    struct member *m = data;
    struct hub *h = m->hub;
    member_free(m);
    if (!h->retired && !h->members && h->gone) h->gone(h->gone_data);
}

void member_retire(struct member *m) {
    struct hub *h = m->hub;
    registry_remove(boundary_registry(h->config.boundary), str_of(m->prefix));
    *m->link = m->next;
    if (m->next) m->next->link = m->link;
    m->next = h->retired;
    m->link = &h->retired;
    if (m->next) m->next->link = &m->next;
    h->retired = m;
    m->spec = NULL;
    for (int i = 0; i < HUB_LISTS; i++)
        list_dirty(h, (enum hub_list_kind)i);
    downstream_retire(m->down, on_gone, m);
}

void member_free(struct member *m) {
    *m->link = m->next;
    if (m->next) m->next->link = m->link;
    downstream_free(m->down);
    pages_free(m);
    if (m->provider) m->provider->class->free(m->provider);
    mcp_auth_free(m->auth);
    mem_free(m->prefix);
    mem_free(m->uri_prefix);
    mem_free(m->mark);
    mem_free(m->home);
    mem_free(m);
}

struct member *member_of(const struct hub *h, const struct entry *tool) {
    for (struct member *m = h->members; m && tool; m = m->next)
        if ((void *)m->provider == tool->provider) return m;
    return NULL;
}

struct member *member_by_uri(struct hub *h, str prefix) {
    for (struct member *m = h->members; m; m = m->next)
        if (str_is(prefix, m->uri_prefix)) return m;
    return NULL;
}
