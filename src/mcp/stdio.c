/* SPDX-License-Identifier: MIT
 *
 * The stdio transport: one message a line, both eras on one pair of pipes.
 */
#include "base/mem.h"
#include "io/pipe.h"
#include "mcp/serve.h"
#include "json/build.h"

enum { OUTPUT_MAX = 256 << 20 };

struct stdio {
    struct mcp_channel channel; /* first: the channel is the connection */
    struct mcp_server *server;
    struct mcp_session *session; /* of a legacy client */
    struct pipe pipe;
    void (*done)(void *data);
    void *data;
};

static int send_line(struct mcp_channel *c, str message, struct err *e) {
    return pipe_send_line(&((struct stdio *)c)->pipe, message, e);
}

static void send_answer(struct mcp_channel *c, str message, unsigned status) {
    (void)status;
    struct err e;
    if (message.n && send_line(c, message, &e))
        log_warn(((struct stdio *)c)->server->log, "answer lost: %s", e.text);
}

static void refuse_line(struct stdio *t, const struct json *id, int code,
                        const char *why) {
    AUTO_BUF struct buf out = BUF_MAX(4096);
    struct err e;
    if (!rpc_write_error(id, code, str_of(why), NULL, &out, &e))
        send_answer(&t->channel, buf_str(&out), 400);
}

static bool legacy_ready(struct stdio *t, struct mcp_request *r) {
    struct err e;
    if (!t->session && r->method == MCP_INITIALIZE) {
        t->session = session_new(t->server, STR("stdio"), &e);
        if (t->session) t->session->stream = &t->channel;
    }
    if (t->session || r->method == MCP_PING) return true;
    refuse_with(r, 400, RPC_INVALID_REQUEST, NULL,
                "the first request must be initialize");
    return false;
}

static void take_request(struct stdio *t, struct mcp_request *r) {
    r->who.principal = STR("stdio");
    if (core_is_modern(&r->msg)) {
        r->era = MCP_MODERN;
        if (core_accept_era(r) && core_accept_version(r) &&
            core_accept_modern(r))
            core_dispatch(r);
        return;
    }
    r->era = MCP_LEGACY;
    if (!core_accept_era(r)) return;
    r->method = mcp_method_of(r->msg.method, MCP_LEGACY);
    if (r->method == MCP_METHODS) {
        refuse_with(r, 404, RPC_NO_METHOD, NULL, "method not found");
    } else if (legacy_ready(t, r)) {
        r->session = t->session;
        core_dispatch(r);
    }
}

static void take_message(struct stdio *t, struct mcp_request *r) {
    switch (r->msg.kind) {
    case RPC_REQUEST: take_request(t, r); return;
    case RPC_NOTIFICATION:
        core_notification(t->server, t->session, t, &r->msg);
        break;
    case RPC_RESULT:
    case RPC_ERROR:
        if (t->session) session_take_answer(t->session, &r->msg);
        break;
    case RPC_INVALID:
        refuse_line(t, r->msg.id, RPC_INVALID_REQUEST, "not a request");
        break;
    }
    mcp_request_end(r);
}

/* Batches exist only in the revision of 2025-03-26. */
static bool take_batch(struct stdio *t, const struct json *v) {
    if (json_type(v) != JSON_ARRAY || !t->session ||
        t->session->revision != MCP_2025_03_26)
        return false;
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item)) {
        struct err e;
        struct mcp_request *r = request_new(t->server, &t->channel, t, &e);
        if (!r) return true;
        /* Each gets its own copy: they end at different times. */
        struct json_build b = JSON_BUILD(&r->arena);
        const struct json *own;
        build_copy(&b, item);
        if (build_done(&b, &own, &e)) {
            mcp_request_end(r);
            return true;
        }
        r->msg = rpc_sort(own);
        take_message(t, r);
    }
    return true;
}

static void on_line(void *data, str line) {
    struct stdio *t = data;
    struct err e;
    const struct json_limits limits = {.bytes = MCP_MESSAGE_MAX};
    const struct json *v;
    if (!str_trim(line).n) return;
    struct mcp_request *r = request_new(t->server, &t->channel, t, &e);
    if (!r) {
        refuse_line(t, NULL, RPC_INTERNAL, e.text);
        return;
    }
    if (json_parse(line, &limits, &r->arena, &v, &e)) {
        refuse_line(t, NULL, RPC_PARSE_ERROR, e.text);
        mcp_request_end(r);
    } else if (take_batch(t, v)) {
        mcp_request_end(r);
    } else {
        r->msg = rpc_sort(v);
        take_message(t, r);
    }
}

static void on_overlong(void *data, size_t bytes, str beginning) {
    (void)beginning;
    struct stdio *t = data;
    log_warn(t->server->log, "a message of %zu bytes was dropped", bytes);
    refuse_line(t, NULL, RPC_INVALID_REQUEST, "message too long");
}

/* What still runs is cancelled; its answer has nowhere to go. */
static void on_closed(void *data, const struct err *e) {
    struct stdio *t = data;
    if (e) log_warn(t->server->log, "standard input: %s", e->text);
    struct mcp_request *next;
    for (struct mcp_request *r = t->server->requests; r; r = next) {
        next = r->next;
        if (r->owner != t) continue;
        r->channel = NULL;
        request_cancelled(r);
    }
    if (t->session) session_free(t->session);
    void (*done)(void *) = t->done;
    void *done_data = t->data;
    pipe_fini(&t->pipe);
    mem_free(t);
    done(done_data);
}

static const struct pipe_events events = {on_line, on_overlong, on_closed};

int mcp_serve_stdio(struct mcp_server *s, int in, int out,
                    void (*done)(void *data), void *data, struct err *e) {
    struct stdio *t = mem_zalloc(1, sizeof *t, e);
    if (!t) return -1;
    t->channel = (struct mcp_channel){send_line, send_answer};
    t->server = s;
    t->done = done;
    t->data = data;
    if (pipe_init(&t->pipe, s->loop, in, out, MCP_MESSAGE_MAX, OUTPUT_MAX,
                  &events, t, e)) {
        mem_free(t);
        return -1;
    }
    return 0;
}
