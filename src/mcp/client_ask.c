/* SPDX-License-Identifier: MIT
 *
 * What the server wants from us: requests of its own in the legacy era, the
 * questions of an input-required result in the modern one. Both come to the
 * user of the client as the same thing.
 */
#include <string.h>

#include "base/mem.h"
#include "mcp/client_conn.h"
#include "json/build.h"
#include "json/write.h"

enum { ASK_MEMORY = 256 << 20 };

struct mcp_ask *ask_new(struct mcp_client *c, struct mcp_call *call, str method,
                        const struct json *params, struct err *e) {
    if (c->ask_count == CONN_ASKS_MAX) {
        err_set(e, ERR_LIMIT, "the server asks too much at once");
        return NULL;
    }
    struct mcp_ask *ask = mem_zalloc(1, sizeof *ask, e);
    if (!ask) return NULL;
    *ask = (struct mcp_ask){.client = c,
                            .next = c->asks,
                            .link = &c->asks,
                            .arena = ARENA_MAX(ASK_MEMORY),
                            .call = call};
    if (ask->next) ask->next->link = &ask->next;
    c->asks = ask;
    c->ask_count++;
    struct json_build b = JSON_BUILD(&ask->arena);
    if (params) build_copy(&b, params);
    if (arena_dup(&ask->arena, method, &ask->msg.method, e) ||
        (params && build_done(&b, &ask->msg.params, e))) {
        ask_orphan(ask);
        return NULL;
    }
    return ask;
}

static void release(struct mcp_ask *ask) {
    arena_fini(&ask->arena);
    mem_free(ask);
}

/* One that the user holds stays until it is answered. */
void ask_orphan(struct mcp_ask *ask) {
    *ask->link = ask->next;
    if (ask->next) ask->next->link = ask->link;
    ask->client->ask_count--;
    ask->client = NULL;
    ask->call = NULL;
    if (!ask->handed) release(ask);
}

void ask_hand(struct mcp_ask *ask) {
    struct mcp_client *c = ask->client;
    ask->handed = true;
    if (c->config.events->asked)
        c->config.events->asked(c->config.data, c, ask);
    else
        mcp_ask_refuse(ask, RPC_NO_METHOD, "not supported");
}

/* -- requests of a legacy server ---------------------------------------------
 */

static void send_text(struct mcp_client *c, const struct buf *text) {
    struct err e;
    if (c->state == CONN_CLOSED || !c->link) return;
    if (c->link->send(c->link, NULL, buf_str(text), &e))
        conn_log(c, LOG_WARN, "an answer could not be sent: %s", e.text);
}

static void refuse(struct mcp_client *c, const struct json *id, int code,
                   const char *message) {
    AUTO_BUF struct buf text = BUF_MAX(c->config.message_max);
    struct err e;
    if (rpc_write_error(id, code, str_of(message), NULL, &text, &e) == 0)
        send_text(c, &text);
}

static void pong(struct mcp_client *c, const struct json *id) {
    AUTO_BUF struct buf text = BUF_MAX(c->config.message_max);
    struct err e;
    if (rpc_write_result(id, STR("{}"), &text, &e) == 0) send_text(c, &text);
}

static int copy_id(struct mcp_ask *ask, const struct json *id, struct err *e) {
    struct json_build b = JSON_BUILD(&ask->arena);
    build_copy(&b, id);
    return build_done(&b, &ask->msg.id, e);
}

/* A question about a task says so, wherever it comes. */
static struct mcp_call *call_of_task(struct mcp_client *c,
                                     const struct rpc_message *m,
                                     struct mcp_call *otherwise) {
    const struct json *related =
        json_get(json_get(m->params, "_meta"), MCP_META_TASK);
    str id = json_get_text(related, "taskId", STR(""));
    for (struct mcp_call *call = c->calls; id.n && call; call = call->next)
        if (call->task && str_is(id, call->task)) return call;
    return otherwise;
}

/* Modern servers may not ask this way, and get no answer. */
void ask_take(struct mcp_client *c, struct mcp_call *on,
              const struct rpc_message *m) {
    struct err e;
    if (c->era == MCP_MODERN) {
        c->counts.junk++;
        return;
    }
    if (str_is(m->method, "ping")) {
        pong(c, m->id);
        return;
    }
    on = call_of_task(c, m, on);
    struct mcp_ask *ask = ask_new(c, on, m->method, m->params, &e);
    if (ask && copy_id(ask, m->id, &e)) {
        ask_orphan(ask);
        ask = NULL;
    }
    if (ask)
        ask_hand(ask);
    else
        refuse(c, m->id, RPC_INTERNAL, e.text);
}

/* -- answering ---------------------------------------------------------------
 */

str mcp_ask_method(const struct mcp_ask *ask) {
    return ask->msg.method;
}

const struct json *mcp_ask_params(const struct mcp_ask *ask) {
    return ask->msg.params;
}

void *mcp_ask_call(const struct mcp_ask *ask) {
    return ask->call ? ask->call->data : NULL;
}

static int send_result(struct mcp_ask *ask, const struct json *result,
                       struct err *e) {
    struct mcp_client *c = ask->client;
    AUTO_BUF struct buf inner = BUF_MAX(c->config.message_max);
    AUTO_BUF struct buf text = BUF_MAX(c->config.message_max);
    if (json_write(result, JSON_COMPACT, &inner, e) ||
        rpc_write_result(ask->msg.id, buf_str(&inner), &text, e))
        return -1;
    send_text(c, &text);
    return 0;
}

static int keep_answer(struct mcp_ask *ask, const struct json *result,
                       struct err *e) {
    struct json_build b = JSON_BUILD(&ask->arena);
    build_copy(&b, result);
    return build_done(&b, &ask->answer, e);
}

static void fail_input(struct mcp_ask *ask, const struct err *e) {
    call_fail(ask->call, e);
}

void mcp_ask_answer(struct mcp_ask *ask, const struct json *result) {
    struct err e;
    ask->handed = false;
    if (!ask->client) {
        release(ask);
    } else if (ask->msg.id) {
        if (send_result(ask, result, &e))
            refuse(ask->client, ask->msg.id, RPC_INTERNAL, e.text);
        ask_orphan(ask);
    } else if (keep_answer(ask, result, &e)) {
        fail_input(ask, &e);
    } else {
        rounds_answered(ask);
    }
}

void mcp_ask_refuse(struct mcp_ask *ask, int code, const char *message) {
    struct err e;
    ask->handed = false;
    if (!ask->client) {
        release(ask);
    } else if (ask->msg.id) {
        refuse(ask->client, ask->msg.id, code, message);
        ask_orphan(ask);
    } else {
        err_set(&e, ERR_DENIED, "%s: the server's question was refused: %s",
                ask->call->method, message);
        fail_input(ask, &e);
    }
}

/* -- forms -------------------------------------------------------------------
 */

int mcp_form_content(const struct json *schema, const struct json *entered,
                     struct arena *a, const struct json **out, struct err *e) {
    const struct json *fields = json_get(schema, "properties");
    bool some = fields && json_type(fields) == JSON_OBJECT;
    const struct json *key = some ? json_first(fields) : NULL;
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    for (size_t i = some ? json_len(fields) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        const struct json *v = json_get_str(entered, json_str(key));
        if (!v) v = json_get(key + 1, "default");
        if (!v) continue;
        build_key(&b, json_str(key));
        build_copy(&b, v);
    }
    build_end(&b);
    return build_done(&b, out, e);
}
