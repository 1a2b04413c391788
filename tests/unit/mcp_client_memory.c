/* SPDX-License-Identifier: MIT
 *
 * The client when memory runs out, without a server: a link that sends nowhere,
 * and what a server would say.
 */
#include "mcp/client_conn.h"
#include "test.h"

static const struct json *no_roots; /* {} */

static void answer_nothing(void *data, struct mcp_client *c,
                           struct mcp_ask *ask) {
    (void)data;
    (void)c;
    mcp_ask_answer(ask, no_roots);
}

static void ready_quietly(void *data, struct mcp_client *c) {
    (void)data;
    (void)c;
}

static void closed_quietly(void *data, struct mcp_client *c,
                           const struct err *e) {
    (void)data;
    (void)c;
    (void)e;
}

static void note_result(void *data, const struct mcp_reply *reply) {
    if (reply->result) *(bool *)data = true;
}

static void note_listing(void *data, const struct mcp_listing *listing) {
    if (listing->items) *(bool *)data = true;
}

static int send_nowhere(struct conn_link *l, struct mcp_call *call, str message,
                        struct err *e) {
    (void)l;
    (void)call;
    (void)message;
    (void)e;
    return 0;
}

static void drop_nothing(struct conn_link *l, struct mcp_call *call, bool tell,
                         const char *reason) {
    (void)l;
    (void)call;
    (void)tell;
    (void)reason;
}

/* Input, a list of two pages and a tool with a header: all of it, or -1. */
static int converse(struct mcp_client *c) {
    static const char *const said[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":"
        "\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"x\","
        "\"params\":{\"k\":[1]}}},\"requestState\":\"s\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":"
        "\"t\",\"inputSchema\":{\"properties\":{\"p\":{\"type\":\"string\","
        "\"x-mcp-header\":\"P\"}}}}],\"nextCursor\":\"n\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"tools\":[]}}",
    };
    struct err e;
    bool called = false, listed = false;
    const struct mcp_call_spec call = {
        .method = "tools/call", .done = note_result, .data = &called};
    const struct mcp_list_spec list = {.method = "tools/list",
                                       .key = "tools",
                                       .done = note_listing,
                                       .data = &listed};
    c->link->send = send_nowhere;
    c->link->drop = drop_nothing;
    c->state = CONN_READY;
    int r = mcp_call(c, &call, &e) && mcp_list_all(c, &list, &e) == 0 ? 0 : -1;
    for (size_t i = 0; i < 4 && r == 0; i++)
        r = conn_take(c, NULL, str_of(said[i])) ? 0 : -1;
    err_set(&e, ERR_PEER, "over");
    conn_lost(c, &e); /* ends what is still open */
    return r == 0 && called && listed ? 0 : -1;
}

static int converse_and_free(struct loop *loop, struct client *http) {
    static const struct mcp_client_events quiet = {.ready = ready_quietly,
                                                   .closed = closed_quietly,
                                                   .asked = answer_nothing};
    struct err e;
    const struct mcp_client_config config = {.url = "http://127.0.0.1:1/",
                                             .http = http,
                                             .start = MCP_START_MODERN,
                                             .name = "t",
                                             .version = "1",
                                             .events = &quiet};
    struct mcp_client *c = mcp_client_new(loop, &config, &e);
    if (!c) return -1;
    int r = converse(c);
    mcp_client_free(c);
    return r;
}

TEST(conversing_survives_every_failed_allocation) {
    AUTO_ARENA struct arena a = ARENA_MAX(10000);
    struct err e;
    struct loop *loop = loop_new(&e);
    struct client *http = client_new(loop, &e);
    CHECK_OK(json_parse(STR("{}"), NULL, &a, &no_roots, &e), &e);
    /* The loop's own memory for timers is there before. */
    CHECK_EQ(converse_and_free(loop, http), 0);
    TORTURE(converse_and_free(loop, http));
    client_free(http);
    loop_free(loop);
}
