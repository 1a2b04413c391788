/* SPDX-License-Identifier: MIT
 *
 * What a server may say to a client. The first byte chooses the era and whether
 * calls are raw; each line after it is a message, for a client with three calls
 * under way. Whatever comes, each call ends at most once and nothing is lost.
 */
#include "fuzz.h"

#include "mcp/client_conn.h"

#include <assert.h>

static void on_ready(void *data, struct mcp_client *c) {
    (void)data;
    (void)c;
}

static void on_closed(void *data, struct mcp_client *c, const struct err *e) {
    (void)data;
    (void)c;
    (void)e;
}

static void on_notified(void *data, struct mcp_client *c, str method,
                        const struct json *params) {
    (void)data;
    (void)c;
    (void)params;
    assert(method.p);
}

static void on_asked(void *data, struct mcp_client *c, struct mcp_ask *ask) {
    AUTO_ARENA struct arena a = ARENA_MAX(1000);
    const struct json *v;
    struct err e;
    (void)data;
    (void)c;
    if (str_is(mcp_ask_method(ask), "roots/list") &&
        json_parse(STR("{}"), NULL, &a, &v, &e) == 0)
        mcp_ask_answer(ask, v);
    else
        mcp_ask_refuse(ask, -1, "no");
}

static const struct mcp_client_events events = {on_ready, on_closed,
                                                on_notified, on_asked, NULL};

static void on_reply(void *data, const struct mcp_reply *reply) {
    int *count = data;
    ++*count;
    assert(*count == 1);
    assert(!reply->result == (reply->err != NULL));
}

static void on_listing(void *data, const struct mcp_listing *l) {
    int *count = data;
    ++*count;
    assert(*count == 1);
    assert(!l->items == (l->err != NULL));
}

static void on_progress(void *data, const struct json *params) {
    (void)data;
    assert(params);
}

static int no_send(struct conn_link *l, struct mcp_call *call, str message,
                   struct err *e) {
    (void)l;
    (void)call;
    (void)message;
    (void)e;
    return 0;
}

static void no_drop(struct conn_link *l, struct mcp_call *call, bool tell,
                    const char *reason) {
    (void)l;
    (void)call;
    (void)tell;
    (void)reason;
}

static void talk(struct mcp_client *c, uint8_t how, str text) {
    struct err e;
    int counts[3] = {0};
    c->link->send = no_send;
    c->link->drop = no_drop;
    c->state = CONN_READY;
    c->era = how & 1 ? MCP_MODERN : MCP_LEGACY;
    const struct mcp_call_spec call = {.method = "tools/call",
                                       .raw = how & 2,
                                       .done = on_reply,
                                       .progress = on_progress,
                                       .data = &counts[0]};
    const struct mcp_call_spec list = {
        .method = "tools/list", .done = on_reply, .data = &counts[1]};
    const struct mcp_list_spec all = {.method = "tools/list",
                                      .key = "tools",
                                      .items_max = 100,
                                      .done = on_listing,
                                      .data = &counts[2]};
    (void)mcp_call(c, &call, &e);
    (void)mcp_call(c, &list, &e);
    (void)mcp_list_all(c, &all, &e);
    while (text.n)
        (void)conn_take(c, NULL, str_cut(&text, '\n'));
    err_set(&e, ERR_PEER, "over");
    conn_lost(c, &e);
    assert(counts[0] == 1 && counts[1] == 1 && counts[2] == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    if (size < 1) return 0;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct client *http = client_new(loop, &e);
    const struct mcp_client_config config = {.url = "http://127.0.0.1:1/",
                                             .http = http,
                                             .start = MCP_START_MODERN,
                                             .name = "f",
                                             .version = "1",
                                             .events = &events};
    struct mcp_client *c = mcp_client_new(loop, &config, &e);
    talk(c, data[0], (str){(const char *)data + 1, size - 1});
    mcp_client_free(c);
    client_free(http);
    return 0;
}
