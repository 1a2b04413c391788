/* SPDX-License-Identifier: MIT
 *
 * Who wants to hear of changes: legacy sessions that subscribed, and open
 * subscriptions/listen requests of the modern era. And what sessions are told
 * unasked.
 */
#include "mcp/serve.h"
#include "json/build.h"
#include "json/write.h"

static const struct {
    const char *filter;     /* in subscriptions/listen */
    const char *method;     /* of the notification */
    const char *capability; /* path in ours that promises it */
} lists[] = {
    [MCP_LIST_TOOLS] = {"toolsListChanged", "notifications/tools/list_changed",
                        "/tools/listChanged"},
    [MCP_LIST_PROMPTS] = {"promptsListChanged",
                          "notifications/prompts/list_changed",
                          "/prompts/listChanged"},
    [MCP_LIST_RESOURCES] = {"resourcesListChanged",
                            "notifications/resources/list_changed",
                            "/resources/listChanged"},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

static bool promised(const struct mcp_server *s, enum mcp_era era,
                     const char *pointer) {
    const struct json *caps = s->service.capabilities(s->service.data, era);
    const struct json *v = caps ? json_pointer(caps, str_of(pointer)) : NULL;
    return v && json_type(v) == JSON_BOOL && v->as.boolean;
}

static void send_to(const struct mcp_server *s, struct mcp_channel *c,
                    const char *method, const struct json *params) {
    AUTO_BUF struct buf out = BUF_MAX(MCP_MESSAGE_MAX);
    struct err e;
    if (!c) return;
    if (rpc_write_notification(method, params, &out, &e) ||
        c->send(c, buf_str(&out), &e))
        log_debug(s->log, "%s not sent: %s", method, e.text);
}

/* -- subscriptions/listen ---------------------------------------------------
 */

static void put_subscription(struct json_build *b,
                             const struct mcp_request *r) {
    build_key(b, STR("_meta"));
    build_object(b);
    build_put(b, MCP_META_SUBSCRIPTION, r->msg.id);
    build_end(b);
}

/* The part of the wanted filter that we can honour. */
static void put_honoured(struct json_build *b, const struct mcp_request *r,
                         const struct json *wanted) {
    build_key(b, STR("notifications"));
    build_object(b);
    for (size_t i = 0; i < LISTS; i++)
        if (json_get_bool(wanted, lists[i].filter, false) &&
            promised(r->server, MCP_MODERN, lists[i].capability))
            build_put_bool(b, lists[i].filter, true);
    const struct json *uris = json_get(wanted, "resourceSubscriptions");
    if (uris && promised(r->server, MCP_MODERN, "/resources/subscribe"))
        build_put(b, "resourceSubscriptions", uris);
    build_end(b);
}

static void tell_watching(struct mcp_request *r, bool on) {
    const struct mcp_service *service = &r->server->service;
    const struct json *uris = json_pointer(
        mcp_params(r), STR("/notifications/resourceSubscriptions"));
    if (!uris || json_type(uris) != JSON_ARRAY || !service->watching) return;
    const struct json *uri = json_first(uris);
    for (size_t i = json_len(uris); i > 0; i--, uri = json_skip(uri))
        if (json_type(uri) == JSON_STRING)
            service->watching(service->data, json_str(uri), on);
}

/* Stays open until the client goes away or the server ends. */
void watch_listen(struct mcp_request *r) {
    const struct json *wanted = json_get(mcp_params(r), "notifications");
    struct json_build b = JSON_BUILD(&r->arena);
    const struct json *params;
    struct err e;
    if (!wanted || json_type(wanted) != JSON_OBJECT) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL,
                   "params.notifications must be an object");
        return;
    }
    build_object(&b);
    put_subscription(&b, r);
    put_honoured(&b, r, wanted);
    build_end(&b);
    if (build_done(&b, &params, &e)) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    r->listening = true;
    send_to(r->server, r->channel, "notifications/subscriptions/acknowledged",
            params);
    tell_watching(r, true);
}

/* -- resources/subscribe ----------------------------------------------------
 */

void watch_subscribe(struct mcp_request *r, bool on) {
    static char yes;
    const struct mcp_service *service = &r->server->service;
    static const struct json empty[] = {{.head = JSON_OBJECT, .as.span = 1}};
    str uri = json_get_text(mcp_params(r), "uri", (str){NULL, 0});
    struct err e;
    if (!uri.p) {
        mcp_refuse(r, RPC_BAD_PARAMS, NULL, "params.uri is missing");
        return;
    }
    if (on && map_put(&r->session->watched, uri, &yes, NULL, &e)) {
        mcp_refuse(r, RPC_INTERNAL, NULL, "%s", e.text);
        return;
    }
    if (!on) (void)map_del(&r->session->watched, uri);
    if (service->watching) service->watching(service->data, uri, on);
    mcp_answer(r, empty);
}

/* -- telling ----------------------------------------------------------------
 */

static bool wants_uri(const struct mcp_request *r, str uri) {
    const struct json *uris = json_pointer(
        mcp_params(r), STR("/notifications/resourceSubscriptions"));
    if (!uris || json_type(uris) != JSON_ARRAY) return false;
    const struct json *v = json_first(uris);
    for (size_t i = json_len(uris); i > 0; i--, v = json_skip(v))
        if (json_type(v) == JSON_STRING && str_eq(json_str(v), uri))
            return true;
    return false;
}

static void tell_listener(struct mcp_request *r, const char *method, str uri) {
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 20);
    struct json_build b = JSON_BUILD(&arena);
    const struct json *params;
    struct err e;
    build_object(&b);
    put_subscription(&b, r);
    if (uri.p) build_put_text(&b, "uri", uri);
    build_end(&b);
    if (!build_done(&b, &params, &e))
        send_to(r->server, r->channel, method, params);
}

void mcp_list_changed(struct mcp_server *s, enum mcp_list list) {
    for (struct mcp_request *r = s->requests; r; r = r->next)
        if (r->listening &&
            json_get_bool(json_get(mcp_params(r), "notifications"),
                          lists[list].filter, false))
            tell_listener(r, lists[list].method, (str){NULL, 0});
    for (struct mcp_session *p = s->sessions; p; p = p->next)
        send_to(s, p->stream, lists[list].method, NULL);
}

void mcp_resource_updated(struct mcp_server *s, str uri) {
    static const char method[] = "notifications/resources/updated";
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 20);
    struct json_build b = JSON_BUILD(&arena);
    const struct json *params;
    struct err e;
    for (struct mcp_request *r = s->requests; r; r = r->next)
        if (r->listening && wants_uri(r, uri)) tell_listener(r, method, uri);
    build_object(&b);
    build_put_text(&b, "uri", uri);
    build_end(&b);
    if (build_done(&b, &params, &e)) return;
    for (struct mcp_session *p = s->sessions; p; p = p->next)
        if (map_get(&p->watched, uri)) send_to(s, p->stream, method, params);
}

void mcp_elicitation_complete(struct mcp_server *s, str session, str id) {
    const struct mcp_session *p = map_get(&s->by_id, session);
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 20);
    struct json_build b = JSON_BUILD(&arena);
    const struct json *params;
    struct err e;
    if (!p || p->revision < MCP_2025_11_25) return;
    build_object(&b);
    build_put_text(&b, "elicitationId", id);
    build_end(&b);
    if (build_done(&b, &params, &e) == 0)
        send_to(s, p->stream, "notifications/elicitation/complete", params);
}
