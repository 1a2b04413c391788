/* SPDX-License-Identifier: MIT
 *
 * Finding out what the server speaks: server/discover in the modern way, and
 * initialize when that leads nowhere. A probe that is slow does not hold up
 * the handshake: both may be under way, and the first good answer counts.
 */
#include "base/mem.h"
#include "mcp/client_conn.h"
#include "json/build.h"

enum { PARAMS_MAX = 4 << 20 };

static int start_initialize(struct mcp_client *c, struct err *e);

/* -- what the server says of itself ------------------------------------------
 */

static const struct json *object(const struct json *v) {
    return v && json_type(v) == JSON_OBJECT ? v : NULL;
}

static int remember(struct mcp_client *c, const struct json *result,
                    struct err *e) {
    struct arena about = ARENA_MAX(c->about.max);
    struct json_build b = JSON_BUILD(&about);
    const struct json *v;
    build_copy(&b, result);
    if (build_done(&b, &v, e)) {
        arena_fini(&about);
        return -1;
    }
    arena_fini(&c->about);
    c->about = about;
    c->capabilities = object(json_get(v, "capabilities"));
    c->server = object(json_get(v, "serverInfo"));
    if (!c->server)
        c->server = object(json_get(json_get(v, "_meta"), MCP_META_SERVER));
    c->instructions = json_get_text(v, "instructions", (str){NULL, 0});
    return 0;
}

/* -- modern ------------------------------------------------------------------
 */

/* The newest modern revision in a list that we speak, or MCP_REVISIONS. */
static enum mcp_revision common(const struct json *versions) {
    enum mcp_revision best = MCP_REVISIONS;
    if (!versions || json_type(versions) != JSON_ARRAY) return best;
    const struct json *v = json_first(versions);
    for (size_t i = json_len(versions); i > 0; i--, v = json_skip(v)) {
        if (json_type(v) != JSON_STRING) continue;
        enum mcp_revision r = mcp_revision_of(json_str(v));
        if (r == MCP_REVISIONS || mcp_revision_era(r) != MCP_MODERN) continue;
        if (best == MCP_REVISIONS || r > best) best = r;
    }
    return best;
}

static int accept_modern(struct mcp_client *c, const struct json *result,
                         struct err *e) {
    enum mcp_revision r = common(json_get(result, "supportedVersions"));
    if (r == MCP_REVISIONS)
        return fail(e, ERR_UNSUPPORTED, "no modern revision in common");
    if (remember(c, result, e)) return -1;
    c->era = MCP_MODERN;
    c->revision = r;
    return 0;
}

/* A probe that fails leads to initialize; only a refusal to let us in at all
 * would be the same there. */
static void on_discover(void *data, const struct mcp_reply *reply) {
    struct mcp_client *c = data;
    struct err e;
    c->discover = NULL;
    if (c->state != CONN_STARTING) return;
    if (reply->result && accept_modern(c, reply->result, &e) == 0) {
        if (c->initialize) call_free(c->initialize);
        c->initialize = NULL;
        conn_ready(c);
        return;
    }
    c->refused = reply->result ? e : *reply->err;
    if (c->refused.kind == ERR_DENIED) {
        conn_lost(c, &c->refused);
        return;
    }
    loop_timer_stop(&c->probe_timer);
    if (!c->initialize && start_initialize(c, &e)) conn_lost(c, &e);
}

static int start_discover(struct mcp_client *c, struct err *e) {
    const struct mcp_call_spec spec = {.method = "server/discover",
                                       .timeout_ns = -1,
                                       .max_ns = -1,
                                       .raw = true,
                                       .done = on_discover,
                                       .data = c};
    c->discover = call_new(c, &spec, e);
    if (!c->discover) return -1;
    c->discover->handshake = true;
    c->discover->era = MCP_MODERN;
    if (call_send(c->discover, e) == 0) return 0;
    call_free(c->discover);
    c->discover = NULL;
    return -1;
}

/* -- legacy ------------------------------------------------------------------
 */

static int accept_legacy(struct mcp_client *c, const struct json *result,
                         struct err *e) {
    str version = json_get_text(result, "protocolVersion", STR(""));
    enum mcp_revision r = mcp_revision_of(version);
    if (r == MCP_REVISIONS || mcp_revision_era(r) != MCP_LEGACY)
        return fail(e, ERR_UNSUPPORTED,
                    "the server speaks MCP '%.*s', which we do not",
                    STR_ARG(version));
    if (remember(c, result, e)) return -1;
    c->era = MCP_LEGACY;
    c->revision = r;
    return mcp_notify(c, "notifications/initialized", NULL, e);
}

static bool wants_old_http(const struct mcp_client *c, unsigned status) {
    return c->config.url && (status == 400 || status == 404 || status == 405);
}

/* The server has Streamable HTTP not at all, perhaps: the older way. */
static int fall_back(struct mcp_client *c, struct err *e) {
    struct conn_link *old = transport_sse(c, e);
    if (!old) return -1;
    c->former = c->link; /* this may be called from within it */
    c->link = old;
    return start_initialize(c, e);
}

static void on_initialize(void *data, const struct mcp_reply *reply) {
    struct mcp_client *c = data;
    struct err e;
    unsigned status = c->initialize ? c->initialize->status : 0;
    c->initialize = NULL;
    if (c->state != CONN_STARTING) return;
    if (reply->result && accept_legacy(c, reply->result, &e) == 0) {
        if (c->discover) call_free(c->discover);
        c->discover = NULL;
        conn_ready(c);
        return;
    }
    if (!reply->result) e = *reply->err;
    if (c->discover) {
        c->refused = e;
    } else if (!wants_old_http(c, status)) {
        conn_lost(c, &e);
    } else {
        struct err why = e;
        if (fall_back(c, &e)) conn_lost(c, &why);
    }
}

static void put_info(struct mcp_client *c, struct json_build *b) {
    build_key(b, STR("clientInfo"));
    build_object(b);
    build_put_text(b, "name", str_of(c->config.name));
    build_put_text(b, "version", str_of(c->config.version));
    build_end(b);
}

static int initialize_params(struct mcp_client *c, struct arena *a,
                             const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_put_text(&b, "protocolVersion",
                   str_of(mcp_revision_date(c->config.revision)));
    build_key(&b, STR("capabilities"));
    if (c->config.can) {
        build_copy(&b, c->config.can);
    } else {
        build_object(&b);
        build_end(&b);
    }
    put_info(c, &b);
    build_end(&b);
    return build_done(&b, out, e);
}

static int start_initialize(struct mcp_client *c, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(PARAMS_MAX);
    struct mcp_call_spec spec = {.method = "initialize",
                                 .timeout_ns = -1,
                                 .max_ns = -1,
                                 .raw = true,
                                 .done = on_initialize,
                                 .data = c};
    if (initialize_params(c, &a, &spec.params, e)) return -1;
    c->initialize = call_new(c, &spec, e);
    if (!c->initialize) return -1;
    c->initialize->handshake = true;
    c->initialize->era = MCP_LEGACY;
    if (call_send(c->initialize, e) == 0) return 0;
    call_free(c->initialize);
    c->initialize = NULL;
    return -1;
}

/* -- time --------------------------------------------------------------------
 */

static void on_connect_timer(struct io_timer *t) {
    struct mcp_client *c = t->data;
    struct err e;
    err_set(&e, ERR_TIMEOUT, "the server was not ready within %lld s",
            (long long)(c->config.connect_ns / CONN_SECOND));
    conn_lost(c, &e);
}

static void on_probe_timer(struct io_timer *t) {
    struct mcp_client *c = t->data;
    struct err e;
    if (c->pinned) {
        conn_ready(c);
        return;
    }
    if (!c->initialize && start_initialize(c, &e)) conn_lost(c, &e);
}

void conn_pause(struct mcp_client *c, bool pause) {
    struct err e;
    loop_timer_stop(&c->connect_timer);
    loop_timer_stop(&c->probe_timer);
    if (pause || c->state != CONN_STARTING) return;
    (void)loop_timer(c->loop, &c->connect_timer, c->config.connect_ns, &e);
    if (c->discover && !c->initialize)
        (void)loop_timer(c->loop, &c->probe_timer, c->config.probe_ns, &e);
}

void conn_stop_timers(struct mcp_client *c) {
    loop_timer_stop(&c->connect_timer);
    loop_timer_stop(&c->probe_timer);
    loop_timer_stop(&c->change_timer);
    loop_timer_stop(&c->watch_timer);
}

static int begin_as_told(struct mcp_client *c, struct err *e) {
    switch (c->config.start) {
    case MCP_PROBE:
        if (start_discover(c, e)) return -1;
        return loop_timer(c->loop, &c->probe_timer, c->config.probe_ns, e);
    case MCP_START_LEGACY: return start_initialize(c, e);
    case MCP_START_MODERN:
        c->pinned = true;
        c->era = MCP_MODERN;
        c->revision = MCP_NEWEST;
        return loop_timer(c->loop, &c->probe_timer, 0, e);
    }
    return fail(e, ERR_INTERNAL, "no such start");
}

int conn_begin(struct mcp_client *c, struct err *e) {
    c->connect_timer = (struct io_timer){.fn = on_connect_timer, .data = c};
    c->probe_timer = (struct io_timer){.fn = on_probe_timer, .data = c};
    if (loop_timer(c->loop, &c->connect_timer, c->config.connect_ns, e))
        return -1;
    return begin_as_told(c, e);
}

void conn_renew(struct mcp_client *c) {
    struct err e;
    if (c->state != CONN_READY) return;
    c->state = CONN_STARTING;
    if (loop_timer(c->loop, &c->connect_timer, c->config.connect_ns, &e) ||
        start_initialize(c, &e))
        conn_lost(c, &e);
}
