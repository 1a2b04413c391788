/* SPDX-License-Identifier: MIT
 *
 * What the server sends: sorted, and handed to whom it concerns.
 */
#include "mcp/client_conn.h"

static const struct {
    const char *method;
    enum conn_list list;
} changes[] = {
    {"notifications/tools/list_changed", CONN_TOOLS},
    {"notifications/prompts/list_changed", CONN_PROMPTS},
    {"notifications/resources/list_changed", CONN_RESOURCES},
};

static bool is_change(str method, enum conn_list *list) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        if (!str_is(method, changes[i].method)) continue;
        *list = changes[i].list;
        return true;
    }
    return false;
}

/* The token of a call that became a task holds as long as the task does. */
static struct mcp_call *find_by_token(struct mcp_client *c, int64_t token) {
    struct mcp_call *call = call_find(c, token);
    if (call) return call;
    for (call = c->calls; call; call = call->next)
        if (call->task && call->token == token) return call;
    return NULL;
}

/* Our progress tokens are the ids of our requests. */
static void take_progress(struct mcp_client *c, const struct json *params) {
    int64_t token = json_get_int(params, "progressToken", -1);
    struct mcp_call *call = find_by_token(c, token);
    if (!call) return;
    call_touch(call);
    if (call->progress) call->progress(call->data, params);
}

static void take_notification(struct mcp_client *c,
                              const struct rpc_message *m) {
    enum conn_list list;
    if (str_is(m->method, "notifications/progress"))
        take_progress(c, m->params);
    else if (is_change(m->method, &list))
        conn_list_changed(c, list);
    else if (c->config.events->notified)
        c->config.events->notified(c->config.data, c, m->method, m->params);
}

/* An error without an id can only mean the request whose stream it is on. */
static void take_answer(struct mcp_client *c, struct mcp_call *on,
                        const struct rpc_message *m) {
    struct mcp_call *call = NULL;
    if (m->id && json_type(m->id) == JSON_INT)
        call = call_find(c, m->id->as.integer);
    else if (!m->id && m->kind == RPC_ERROR)
        call = on;
    if (call)
        call_reply(call, m);
    else
        c->counts.late++;
}

static bool take_value(struct mcp_client *c, struct mcp_call *on,
                       const struct json *v) {
    struct rpc_message m = rpc_sort(v);
    switch (m.kind) {
    case RPC_INVALID: return false;
    case RPC_REQUEST: ask_take(c, on, &m); break;
    case RPC_NOTIFICATION: take_notification(c, &m); break;
    case RPC_RESULT:
    case RPC_ERROR: take_answer(c, on, &m); break;
    }
    return true;
}

/* One revision allowed several messages in an array. A call that the first of
 * them ends is not there for the others. */
static bool take_batch(struct mcp_client *c, const struct json *v) {
    bool good = json_len(v) > 0;
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0 && !c->dead; i--, item = json_skip(item))
        good = take_value(c, NULL, item) && good;
    return good;
}

static bool take_text(struct mcp_client *c, struct mcp_call *on, str text) {
    AUTO_ARENA struct arena a = ARENA_MAX(CONN_TREE_MAX);
    const struct json_limits limits = {.bytes = c->config.message_max,
                                       .keep_duplicates = true};
    const struct json *v;
    struct err e;
    if (json_parse(text, &limits, &a, &v, &e)) return false;
    if (json_type(v) == JSON_ARRAY && c->era == MCP_LEGACY)
        return take_batch(c, v);
    return take_value(c, on, v);
}

bool conn_take(struct mcp_client *c, struct mcp_call *on, str text) {
    if (c->dead || c->state == CONN_CLOSED) return true;
    conn_enter(c);
    bool good = take_text(c, on, text);
    if (!good) c->counts.junk++;
    conn_leave(c);
    return good;
}
