/* SPDX-License-Identifier: MIT */
#include "call/mcp.h"

#include "base/clock.h"
#include "base/mem.h"
#include "mcp/rpc.h"
#include "json/build.h"

struct mcp_provider {
    struct provider base;
    struct downstream *down;
};

/* What is kept for a call under way. */
struct sending {
    struct provider_call *call;
    struct downstream_call *down;
};

static const char *code_of(const struct mcp_reply *reply) {
    if (reply->error) return "bad_response";
    switch ((int)reply->err->kind) {
    case ERR_TIMEOUT: return "timeout";
    case ERR_DENIED: return "unauthorized";
    }
    return "unavailable";
}

static void on_done(void *data, const struct mcp_reply *reply) {
    struct sending *s = data;
    struct provider_call *c = s->call;
    c->state = NULL;
    c->refusal = reply->error;
    if (reply->result)
        provider_done(c, &(struct provider_result){.result = reply->result});
    else
        provider_failed(c, code_of(reply), s->down != NULL, reply->err);
}

static double number(const struct json *v, const char *key) {
    const struct json *n = json_get(v, key);
    return n && json_is_number(n) ? json_number(n) : 0;
}

static void on_progress(void *data, const struct json *params) {
    struct sending *s = data;
    provider_progress(s->call, number(params, "progress"),
                      number(params, "total"),
                      json_get_text(params, "message", (str){NULL, 0}));
}

static void answer_ask(void *to, const struct json *result) {
    if (result)
        mcp_ask_answer(to, result);
    else
        mcp_ask_refuse(to, RPC_NO_METHOD, "the client cannot be asked");
}

static void on_asked(void *data, struct mcp_ask *ask) {
    struct sending *s = data;
    provider_ask(s->call, mcp_ask_method(ask), mcp_ask_params(ask), answer_ask,
                 ask);
}

static int make_params(struct provider_call *c, const struct json **out,
                       struct err *e) {
    struct json_build b = JSON_BUILD(c->arena);
    build_object(&b);
    build_put_text(&b, "name", c->tool->tool.name);
    build_put(&b, "arguments", c->args);
    if (!(c->tool->flags & (TOOL_READ_ONLY | TOOL_HINT_READ_ONLY))) {
        /* The protocol has no member for it; _meta is for what it has not. */
        build_key(&b, STR("_meta"));
        build_object(&b);
        build_put_text(&b, "idempotencyKey", c->idempotency_key);
        build_end(&b);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

static int begin(struct mcp_provider *p, struct provider_call *c,
                 struct err *e) {
    struct sending *s = arena_zalloc(c->arena, 1, sizeof *s, e);
    int64_t left = c->deadline_ns ? c->deadline_ns - clock_mono_ns() : 0;
    struct downstream_spec spec = {.method = "tools/call",
                                   .owner = c->owner,
                                   .max_ns = left > 0 ? left : 0,
                                   .done = on_done,
                                   .progress = on_progress,
                                   .asked = on_asked,
                                   .data = s};
    if (!s || make_params(c, &spec.params, e)) return -1;
    s->call = c;
    c->state = s;
    s->down = downstream_call(p->down, &spec, e);
    return s->down ? 0 : -1;
}

static void mcp_provider_call(struct provider *base, struct provider_call *c) {
    struct err e;
    if (!begin((struct mcp_provider *)base, c, &e)) return;
    c->state = NULL;
    provider_down(c, &e);
}

static void mcp_provider_cancel(struct provider *base,
                                struct provider_call *c) {
    struct sending *s = c->state;
    (void)base;
    c->state = NULL;
    if (s && s->down) downstream_cancel(s->down, "cancelled");
}

static void mcp_provider_free(struct provider *base) {
    mem_free(base);
}

static const struct provider_class mcp_class = {
    .kind = "mcp",
    .call = mcp_provider_call,
    .cancel = mcp_provider_cancel,
    .free = mcp_provider_free,
};

struct provider *provider_mcp_new(struct downstream *d, str server,
                                  struct err *e) {
    struct mcp_provider *p = mem_zalloc(1, sizeof *p, e);
    if (!p) return NULL;
    p->base = (struct provider){&mcp_class, server};
    p->down = d;
    return &p->base;
}
