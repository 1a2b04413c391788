/* SPDX-License-Identifier: MIT
 *
 * The protocol's own requests, and the way of all others to the service.
 */
#include "base/hash.h"
#include "base/mem.h"
#include "mcp/serve.h"
#include "json/build.h"

static const struct json empty_object[] = {{.head = JSON_OBJECT, .as.span = 1}};

struct mcp_server *mcp_server_new(struct loop *loop,
                                  const struct mcp_service *service,
                                  struct log *log, struct err *e) {
    struct mcp_server *s = mem_zalloc(1, sizeof *s, e);
    if (!s || hash_random(s->key, sizeof s->key, e)) {
        mem_free(s);
        return NULL;
    }
    s->loop = loop;
    s->service = *service;
    s->log = log;
    s->by_id = MAP_MAX(MCP_SESSIONS_MAX);
    return s;
}

void mcp_server_free(struct mcp_server *s) {
    if (!s) return;
    for (struct mcp_session *p = s->sessions; p; p = p->next)
        http_drop(p);
    while (s->requests) {
        s->requests->channel = NULL;
        mcp_request_end(s->requests);
    }
    while (s->sessions)
        session_free(s->sessions);
    map_fini(&s->by_id);
    buf_fini(&s->scratch);
    mem_wipe(s->key, sizeof s->key);
    mem_free(s);
}

void core_read_meta(struct mcp_request *r) {
    const struct json *meta = json_get(mcp_params(r), "_meta");
    const struct json *token = json_get(meta, "progressToken");
    if (token && (json_type(token) == JSON_STRING || json_is_number(token)))
        r->progress_token = token;
    if (r->era == MCP_MODERN) {
        r->caps = json_get(meta, MCP_META_CAPS);
        r->log_level =
            mcp_log_level(json_get_text(meta, MCP_META_LOG_LEVEL, STR("")));
    } else if (r->session) {
        r->caps = r->session->caps;
        r->log_level = r->session->log_level;
    }
}

/* -- handshake and discovery ------------------------------------------------
 */

static void put_server_info(struct json_build *b, const struct mcp_service *s) {
    build_key(b, STR("serverInfo"));
    build_object(b);
    build_put_text(b, "name", str_of(s->name));
    if (s->title) build_put_text(b, "title", str_of(s->title));
    build_put_text(b, "version", str_of(s->version));
    build_end(b);
}

void mcp_answer_built(struct mcp_request *r, struct json_build *b) {
    const struct json *result;
    struct err e;
    if (build_done(b, &result, &e))
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
    else
        mcp_answer(r, result);
}

static void put_about(struct json_build *b, const struct mcp_request *r) {
    const struct mcp_service *s = &r->server->service;
    const struct json *caps = s->capabilities(s->data, r->era);
    build_put(b, "capabilities", caps ? caps : empty_object);
    if (s->instructions)
        build_put_text(b, "instructions", str_of(s->instructions));
}

static int remember_client(struct mcp_session *session,
                           const struct json *params, struct err *e) {
    const struct json *caps = json_get(params, "capabilities");
    struct json_build b = JSON_BUILD(&session->arena);
    if (!caps) return 0;
    build_copy(&b, caps);
    return build_done(&b, &session->caps, e);
}

/* The client's revision when we speak it, else our newest of its era. */
static void initialize(struct mcp_request *r) {
    str wanted = json_get_text(mcp_params(r), "protocolVersion", STR(""));
    enum mcp_revision rev = mcp_revision_of(wanted);
    struct json_build b = JSON_BUILD(&r->arena);
    struct err e;
    if (rev == MCP_REVISIONS || mcp_revision_era(rev) != MCP_LEGACY)
        rev = MCP_NEWEST_LEGACY;
    r->session->revision = rev;
    if (remember_client(r->session, mcp_params(r), &e)) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    build_object(&b);
    build_put_text(&b, "protocolVersion", str_of(mcp_revision_date(rev)));
    put_about(&b, r);
    put_server_info(&b, &r->server->service);
    build_end(&b);
    mcp_answer_built(r, &b);
}

static void put_modern_revisions(struct json_build *b) {
    for (int i = 0; i < MCP_REVISIONS; i++)
        if (mcp_revision_era((enum mcp_revision)i) == MCP_MODERN)
            build_text(b, str_of(mcp_revision_date((enum mcp_revision)i)));
}

static void discover(struct mcp_request *r) {
    struct json_build b = JSON_BUILD(&r->arena);
    build_object(&b);
    build_key(&b, STR("supportedVersions"));
    build_array(&b);
    put_modern_revisions(&b);
    build_end(&b);
    put_about(&b, r);
    put_server_info(&b, &r->server->service);
    build_end(&b);
    mcp_answer_built(r, &b);
}

static void set_level(struct mcp_request *r) {
    str name = json_get_text(mcp_params(r), "level", STR(""));
    int level = mcp_log_level(name);
    if (level < 0) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "unknown log level '%.*s'",
                   STR_ARG(str_sub(name, 0, 40)));
        return;
    }
    r->session->log_level = level;
    mcp_answer(r, empty_object);
}

/* -- the modern envelope ----------------------------------------------------
 */

static void refuse_version(struct mcp_request *r, str requested) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *data;
    struct err e;
    build_object(&b);
    build_key(&b, STR("supported"));
    build_array(&b);
    put_modern_revisions(&b);
    build_end(&b);
    build_put_text(&b, "requested", requested);
    build_end(&b);
    if (build_done(&b, &data, &e)) data = NULL;
    refuse_with(r, 400, RPC_BAD_VERSION, data, "unsupported protocol version");
}

bool core_accept_modern(struct mcp_request *r) {
    const struct json *meta = json_get(mcp_params(r), "_meta");
    const struct json *version = json_get(meta, MCP_META_VERSION);
    const struct json *caps = json_get(meta, MCP_META_CAPS);
    if (!version || json_type(version) != JSON_STRING || !caps ||
        json_type(caps) != JSON_OBJECT) {
        refuse_with(r, 400, RPC_BAD_PARAMS, NULL,
                    "params._meta must hold " MCP_META_VERSION
                    " and " MCP_META_CAPS);
        return false;
    }
    r->method = mcp_method_of(r->msg.method, MCP_MODERN);
    if (r->method != MCP_METHODS) return true;
    refuse_with(r, 404, RPC_NO_METHOD, NULL, "method not found");
    return false;
}

bool core_is_modern(const struct rpc_message *m) {
    const struct json *meta = json_get(m->params, "_meta");
    return json_get(meta, MCP_META_VERSION) != NULL;
}

bool core_accept_era(struct mcp_request *r) {
    enum mcp_era only = r->server->service.only;
    if (!only || r->era == only) return true;
    if (r->era == MCP_MODERN)
        refuse_with(r, 404, RPC_NO_METHOD, NULL, "method not found");
    else
        refuse_version(
            r, json_get_text(mcp_params(r), "protocolVersion", STR("")));
    return false;
}

bool core_accept_version(struct mcp_request *r) {
    const struct json *meta = json_get(mcp_params(r), "_meta");
    const struct json *version = json_get(meta, MCP_META_VERSION);
    if (!version || json_type(version) != JSON_STRING) return true;
    r->revision = mcp_revision_of(json_str(version));
    if (r->revision != MCP_REVISIONS &&
        mcp_revision_era(r->revision) == MCP_MODERN)
        return true;
    refuse_version(r, json_str(version));
    return false;
}

/* -- dispatch ---------------------------------------------------------------
 */

static void run_core(struct mcp_request *r) {
    switch ((int)r->method) {
    case MCP_INITIALIZE: initialize(r); break;
    case MCP_PING: mcp_answer(r, empty_object); break;
    case MCP_SET_LEVEL: set_level(r); break;
    case MCP_SUBSCRIBE: watch_subscribe(r, true); break;
    case MCP_UNSUBSCRIBE: watch_subscribe(r, false); break;
    case MCP_DISCOVER: discover(r); break;
    case MCP_LISTEN: watch_listen(r); break;
    case MCP_TASKS_GET:
    case MCP_TASKS_UPDATE:
    case MCP_TASKS_CANCEL:
    case MCP_TASKS_RESULT:
    case MCP_TASKS_LIST: task_request(r); break;
    }
}

void core_dispatch(struct mcp_request *r) {
    core_read_meta(r);
    if (mcp_method_is_core(r->method))
        run_core(r);
    else if (r->era == MCP_LEGACY ? task_open(r) : input_open(r))
        r->server->service.handle(r->server->service.data, r);
}

void core_notification(struct mcp_server *s, struct mcp_session *session,
                       const void *owner, const struct rpc_message *m) {
    if (!str_is(m->method, "notifications/cancelled")) return;
    const struct json *id = json_get(m->params, "requestId");
    struct mcp_request *r = request_find(s, owner, id);
    if (r && r->session == session && r->method != MCP_INITIALIZE)
        request_cancelled(r);
}
