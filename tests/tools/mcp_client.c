/* SPDX-License-Identifier: MIT
 *
 * A client for the official conformance suites: mcp_client URL. What it does is
 * told by the environment, as the suites define it: MCP_CONFORMANCE_SCENARIO,
 * _PROTOCOL_VERSION and _CONTEXT (JSON). Everything protocol-like is done by
 * the library; here are only the users' parts: which calls to make, what a
 * person would enter, and the visit to the authorization URL.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mcp/auth.h"
#include "mcp/client.h"
#include "mcp/rpc.h"
#include "mcp/skill.h"
#include "json/build.h"
#include "json/write.h"

#define MEMORY ((size_t)256 << 20)

struct run {
    const char *url, *scenario, *version;
    struct arena arena;         /* answers that are looked at later */
    const struct json *context; /* an object */
    struct loop *loop;
    struct client *http;
    struct mcp_client *client;
    struct mcp_auth *auth;
    bool ready, over, answered;
    bool failed;               /* the last call */
    const struct json *result; /* of the last call; NULL: it failed */
    struct err err;
};

static void die(const char *what, const struct err *e) {
    (void)fprintf(stderr, "mcp_client: %s: %s\n", what, e->text);
    exit(1);
}

static const struct json *copy(struct run *r, const struct json *v) {
    struct err e;
    struct json_build b = JSON_BUILD(&r->arena);
    build_copy(&b, v);
    if (build_done(&b, &v, &e)) die("copy", &e);
    return v;
}

static const struct json *parse(struct run *r, const char *text) {
    const struct json *v;
    struct err e;
    if (json_parse(str_of(text), NULL, &r->arena, &v, &e)) die(text, &e);
    return v;
}

static const char *context(struct run *r, const char *key) {
    struct err e;
    str s = json_get_text(r->context, key, (str){NULL, 0});
    return s.p ? arena_text(&r->arena, s, &e) : NULL;
}

/* -- what the library tells --------------------------------------------------
 */

static void on_ready(void *data, struct mcp_client *c) {
    (void)c;
    ((struct run *)data)->ready = true;
}

static void on_closed(void *data, struct mcp_client *c, const struct err *e) {
    struct run *r = data;
    (void)c;
    r->over = true;
    if (e) r->err = *e;
}

/* A person who accepts everything, with the defaults, and confirms. */
static const char *answer_for(struct run *r, struct mcp_ask *ask,
                              const struct json **out) {
    const struct json *schema =
        json_get(mcp_ask_params(ask), "requestedSchema");
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *content;
    struct err e;
    if (str_is(mcp_ask_method(ask), "roots/list")) {
        *out = parse(r, "{\"roots\":[{\"uri\":\"file:///tmp\"}]}");
        return NULL;
    }
    if (str_is(mcp_ask_method(ask), "sampling/createMessage")) {
        *out =
            parse(r, "{\"role\":\"assistant\",\"model\":\"test\",\"content\":"
                     "{\"type\":\"text\",\"text\":\"hello\"}}");
        return NULL;
    }
    if (!str_is(mcp_ask_method(ask), "elicitation/create")) return "unknown";
    const struct json *entered =
        json_get(json_get(schema, "properties"), "confirmed")
            ? parse(r, "{\"confirmed\":true}")
            : NULL;
    if (mcp_form_content(schema, entered, &r->arena, &content, &e))
        die("form", &e);
    build_object(&b);
    build_put_text(&b, "action", STR("accept"));
    build_put(&b, "content", content);
    build_end(&b);
    if (build_done(&b, out, &e)) die("form", &e);
    return NULL;
}

static void on_asked(void *data, struct mcp_client *c, struct mcp_ask *ask) {
    const struct json *answer;
    const char *refusal = answer_for(data, ask, &answer);
    (void)c;
    if (refusal)
        mcp_ask_refuse(ask, RPC_NO_METHOD, refusal);
    else
        mcp_ask_answer(ask, answer);
}

static const struct mcp_client_events events = {
    .ready = on_ready, .closed = on_closed, .asked = on_asked};

/* -- the visit, without a browser --------------------------------------------
 */

struct visit {
    struct mcp_auth *auth;
};

static void on_visited(void *data, struct request *q, const struct err *e) {
    struct visit *v = data;
    str location = request_header(q, "location");
    if (e || !location.p)
        mcp_auth_abandoned(v->auth, e ? e->text : "no redirect");
    else
        mcp_auth_redirected(v->auth, location);
    mem_free(v);
}

static const struct request_events visit_events = {.done = on_visited};

static void on_visit(void *data, struct mcp_auth *auth, const char *url) {
    struct run *r = data;
    struct err e;
    struct visit *v = mem_zalloc(1, sizeof *v, &e);
    if (!v) die("visit", &e);
    v->auth = auth;
    const struct request_spec spec = {
        .url = url, .events = &visit_events, .data = v};
    if (!client_start(r->http, &spec, &e)) die("visit", &e);
}

/* -- connecting and calling --------------------------------------------------
 */

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static enum mcp_grant grant_of(struct run *r) {
    if (strstr(r->scenario, "client-credentials")) return MCP_GRANT_CLIENT;
    if (strstr(r->scenario, "enterprise") || strstr(r->scenario, "cross-app"))
        return MCP_GRANT_ENTERPRISE;
    if (strstr(r->scenario, "wif")) return MCP_GRANT_WORKLOAD;
    return MCP_GRANT_CODE;
}

static void set_up_auth(struct run *r) {
    struct err e;
    const struct mcp_auth_config config = {
        .http = r->http,
        .server = r->url,
        .grant = grant_of(r),
        .client_id = context(r, "client_id"),
        .client_secret = context(r, "client_secret"),
        .client_key = context(r, "private_key_pem"),
        .client_url = "https://conformance-test.local/client-metadata.json",
        .client_name = "cordon-conformance",
        .redirect_uri = "http://localhost:3000/callback",
        .visit = on_visit,
        .data = r,
        .id_token = context(r, "idp_id_token"),
        .idp_token_endpoint = context(r, "idp_token_endpoint"),
        .idp_client_id = context(r, "idp_client_id"),
        .assertion = context(r, "valid_jwt"),
    };
    r->auth = mcp_auth_new(r->loop, &config, &e);
    if (!r->auth) die("auth", &e);
}

/* Some servers of the suite are modern and know no discovery. */
static enum mcp_start start_of(struct run *r) {
    static const char *const unasked[] = {
        "http-standard-headers", "http-custom-headers",
        "http-invalid-tool-headers", "sep-2322-client-request-state"};
    if (mcp_revision_era(mcp_revision_of(str_of(r->version))) == MCP_LEGACY)
        return MCP_START_LEGACY;
    for (size_t i = 0; i < sizeof unasked / sizeof unasked[0]; i++)
        if (strcmp(r->scenario, unasked[i]) == 0) return MCP_START_MODERN;
    return MCP_PROBE;
}

static void step(struct run *r) {
    struct err e;
    if (loop_step(r->loop, -1, &e)) die("loop", &e);
}

static void connect_to(struct run *r) {
    struct err e;
    const struct mcp_client_config config = {
        .url = r->url,
        .http = r->http,
        .auth = r->auth,
        .start = start_of(r),
        .name = "cordon-conformance",
        .version = "1.0.0",
        .can = parse(r, "{\"roots\":{},\"sampling\":{},\"elicitation\":{},"
                        "\"extensions\":{\"io.modelcontextprotocol/skills\":"
                        "{}}}"),
        .events = &events,
        .data = r,
    };
    r->client = mcp_client_new(r->loop, &config, &e);
    if (!r->client) die("connect", &e);
    while (!r->ready && !r->over)
        step(r);
    if (r->over) die("connect", &r->err);
}

static void on_reply(void *data, const struct mcp_reply *reply) {
    struct run *r = data;
    r->answered = true;
    r->result = reply->result ? copy(r, reply->result) : NULL;
    if (reply->err) r->err = *reply->err;
}

/* NULL when it failed, with the reason in r->err. */
static const struct json *try_call(struct run *r, const char *method,
                                   const struct json *params) {
    const struct mcp_call_spec spec = {
        .method = method, .params = params, .done = on_reply, .data = r};
    r->answered = false;
    if (!mcp_call(r->client, &spec, &r->err)) die(method, &r->err);
    while (!r->answered)
        step(r);
    return r->result;
}

static const struct json *call(struct run *r, const char *method,
                               const struct json *params) {
    const struct json *result = try_call(r, method, params);
    if (!result) die(method, &r->err);
    return result;
}

static void on_listing(void *data, const struct mcp_listing *listing) {
    struct run *r = data;
    r->answered = true;
    r->result = listing->items ? copy(r, listing->items) : NULL;
    if (listing->err) r->err = *listing->err;
}

static const struct json *list(struct run *r, const char *method,
                               const char *key) {
    const struct mcp_list_spec spec = {
        .method = method, .key = key, .done = on_listing, .data = r};
    r->answered = false;
    if (mcp_list_all(r->client, &spec, &r->err)) die(method, &r->err);
    while (!r->answered)
        step(r);
    if (!r->result) die(method, &r->err);
    return r->result;
}

static const struct json *named(struct run *r, const char *key, str value,
                                const struct json *arguments) {
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *v;
    struct err e;
    build_object(&b);
    build_put_text(&b, key, value);
    if (arguments) build_put(&b, "arguments", arguments);
    build_end(&b);
    if (build_done(&b, &v, &e)) die("params", &e);
    return v;
}

static const struct json *call_tool(struct run *r, str name,
                                    const struct json *arguments) {
    return call(r, "tools/call", named(r, "name", name, arguments));
}

/* -- the scenarios -----------------------------------------------------------
 */

static void do_list(struct run *r) {
    (void)list(r, "tools/list", "tools");
}

static void do_tools_call(struct run *r) {
    do_list(r);
    (void)call_tool(r, STR("add_numbers"), parse(r, "{\"a\":5,\"b\":3}"));
}

static void do_defaults(struct run *r) {
    do_list(r);
    (void)call_tool(r, STR("test_client_elicitation_defaults"), parse(r, "{}"));
}

static void do_reconnection(struct run *r) {
    do_list(r);
    (void)call_tool(r, STR("test_reconnection"), parse(r, "{}"));
}

static void do_standard_headers(struct run *r) {
    const struct json *tools = list(r, "tools/list", "tools");
    const struct json *v = json_at(tools, 0);
    if (v)
        (void)call_tool(r, json_get_text(v, "name", STR("")), parse(r, "{}"));
    v = json_at(list(r, "resources/list", "resources"), 0);
    if (v)
        (void)call(r, "resources/read",
                   named(r, "uri", json_get_text(v, "uri", STR("")), NULL));
    v = json_at(list(r, "prompts/list", "prompts"), 0);
    if (v)
        (void)call(r, "prompts/get",
                   named(r, "name", json_get_text(v, "name", STR("")), NULL));
}

static void do_custom_headers(struct run *r) {
    do_list(r);
    const struct json *calls = json_get(r->context, "toolCalls");
    for (size_t i = 0; calls && i < json_len(calls); i++) {
        const struct json *c = json_at(calls, i);
        (void)call_tool(r, json_get_text(c, "name", STR("")),
                        json_get(c, "arguments"));
    }
}

static const struct json *sample_arguments(struct run *r,
                                           const struct json *tool) {
    const struct json *fields =
        json_get(json_get(tool, "inputSchema"), "properties");
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *v;
    struct err e;
    build_object(&b);
    const struct json *key = fields ? json_first(fields) : NULL;
    for (size_t i = fields ? json_len(fields) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        str type = json_get_text(key + 1, "type", STR("string"));
        build_key(&b, json_str(key));
        if (str_is(type, "boolean"))
            build_bool(&b, true);
        else if (str_is(type, "integer") || str_is(type, "number"))
            build_int(&b, 7);
        else
            build_text(&b, STR("value"));
    }
    build_end(&b);
    if (build_done(&b, &v, &e)) die("arguments", &e);
    return v;
}

static void do_every_tool(struct run *r) {
    const struct json *tools = list(r, "tools/list", "tools");
    for (size_t i = 0; i < json_len(tools); i++) {
        const struct json *tool = json_at(tools, i);
        (void)call_tool(r, json_get_text(tool, "name", STR("")),
                        sample_arguments(r, tool));
    }
}

static void do_request_state(struct run *r) {
    static const char *const tools[] = {
        "test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated",
        "test_mrtr_no_result_type"};
    do_list(r);
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        (void)call_tool(r, str_of(tools[i]), parse(r, "{}"));
}

static void do_preservation(struct run *r) {
    const struct json *tools = list(r, "tools/list", "tools");
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *v;
    struct err e;
    for (size_t i = 0; i < json_len(tools); i++) {
        const struct json *tool = json_at(tools, i);
        if (!str_is(json_get_text(tool, "name", STR("")),
                    "json_schema_2020_12_tool"))
            continue;
        build_object(&b);
        build_put(&b, "schema", json_get(tool, "inputSchema"));
        build_end(&b);
        if (build_done(&b, &v, &e)) die("schema", &e);
        (void)call_tool(r, STR("json_schema_echo"), v);
        return;
    }
}

/* Loads a skill: its document first and the others only when that is good. */
static void do_skill(struct run *r) {
    const struct json *skills = list(r, "skills/list", "skills");
    const struct json *skill = json_at(skills, 0);
    const struct json *files = json_get(skill, "resources");
    if (strstr(r->scenario, "no-prefetch") || !files) return;
    for (size_t i = 0; i < json_len(files); i++) {
        str uri = json_get_text(json_at(files, i), "uri", STR(""));
        const struct json *read =
            call(r, "resources/read", named(r, "uri", uri, NULL));
        const struct json *first = json_at(json_get(read, "contents"), 0);
        str text = json_get_text(first, "text", STR(""));
        if (skill_verify(skill, uri, text, &r->err)) die("skill", &r->err);
    }
}

static void do_auth(struct run *r) {
    do_list(r);
    (void)call_tool(r, STR("test-tool"), parse(r, "{}"));
}

/* The tools are listed once more after the move to another issuer. */
static void do_migration(struct run *r) {
    do_auth(r);
    do_list(r);
}

static const struct {
    const char *scenario;
    void (*run)(struct run *r);
} scenarios[] = {
    {"initialize", do_list},
    {"tools_call", do_tools_call},
    {"elicitation-sep1034-client-defaults", do_defaults},
    {"sse-retry", do_reconnection},
    {"request-metadata", do_list},
    {"http-standard-headers", do_standard_headers},
    {"http-custom-headers", do_custom_headers},
    {"http-invalid-tool-headers", do_every_tool},
    {"sep-2322-client-request-state", do_request_state},
    {"json-schema-ref-no-deref", do_list},
    {"json-schema-2020-12-preservation", do_preservation},
    {"sep-2640-client-", do_skill},
    {"auth/authorization-server-migration", do_migration},
    {"auth/", do_auth},
};

static void close_all(struct run *r) {
    mcp_client_close(r->client);
    while (!r->over)
        step(r);
    mcp_client_free(r->client);
    mcp_auth_free(r->auth);
    client_free(r->http);
    loop_free(r->loop);
    arena_fini(&r->arena);
}

static const char *env_or(const char *name, const char *fallback) {
    const char *v = getenv(name);
    return v ? v : fallback;
}

int main(int argc, char **argv) {
    struct err e;
    if (argc < 2) return 2;
    struct run r = {
        .url = argv[argc - 1],
        .scenario = env_or("MCP_CONFORMANCE_SCENARIO", "initialize"),
        .version = env_or("MCP_CONFORMANCE_PROTOCOL_VERSION", "2025-11-25"),
        .arena = ARENA_MAX(MEMORY),
        .loop = loop_new(&e),
    };
    if (!r.loop || !(r.http = client_new(r.loop, &e))) die("start", &e);
    r.context = parse(&r, env_or("MCP_CONFORMANCE_CONTEXT", "{}"));
    if (starts(r.scenario, "auth/")) set_up_auth(&r);
    connect_to(&r);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        if (!starts(r.scenario, scenarios[i].scenario)) continue;
        scenarios[i].run(&r);
        close_all(&r);
        return 0;
    }
    (void)fprintf(stderr, "mcp_client: no such scenario: %s\n", r.scenario);
    return 2;
}
