/* SPDX-License-Identifier: MIT
 *
 * The provider's turn: a call is made, again where that is safe, and given up
 * when its time is over. What providers tell of a call comes in here.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "call/inside.h"
#include "mcp/rpc.h"

#define PAUSE_NS ((int64_t)200 * 1000000) /* before the first repetition */

void call_attempt(struct call *c) {
    const struct json *args = c->args.value;
    struct provider *p = c->tool->provider;
    struct err e;
    c->stage = STAGE_PROVIDER;
    c->attempts++;
    if (c->boundary->secrets && secrets_fill(c->boundary->secrets, p->server,
                                             args, &c->arena, &args, &e)) {
        call_refuse_with(c, "denied", false, e.text);
        return;
    }
    c->provider = (struct provider_call){
        .tool = c->tool,
        .args = args,
        .owner = c->request.who.principal,
        .holder = c->request.who.session.n ? c->request.who.session
                                           : c->request.who.run,
        .who = &c->request.who,
        .idempotency_key = str_of(c->key),
        .deadline_ns = c->began + c->limit.timeout_ns,
        .result_max = c->limit.result_max,
        .arena = &c->arena,
        .boundary = c,
    };
    p->class->call(p, &c->provider);
}

static void on_pause_over(struct io_timer *t) {
    call_attempt(t->data);
}

static bool may_repeat(const struct call *c, const char *code) {
    if (!c->repeat || c->attempts > c->limit.retries) return false;
    return !strcmp(code, "unavailable") || !strcmp(code, "timeout") ||
           !strcmp(code, "rate_limited") || !strcmp(code, "interrupted");
}

/* Each pause twice the one before, and up to as much again, so that many who
 * failed together do not come back together. */
static int pause_then_repeat(struct call *c, struct err *e) {
    uint32_t chance = 0;
    int64_t base = PAUSE_NS << (c->attempts - 1 > 6 ? 6 : c->attempts - 1);
    if (hash_random(&chance, sizeof chance, e)) return -1;
    c->stage = STAGE_PAUSE;
    return loop_timer(c->boundary->loop, &c->pause,
                      base + base * (int64_t)(chance % 1000) / 1000, e);
}

/* What a server refused with, without what must not leave. */
static void tell_refusal(struct call *c, struct fault *f) {
    const struct json *refusal = c->provider.refusal;
    const struct json *data = refusal ? json_get(refusal, "data") : NULL;
    struct err e;
    if (!refusal) return;
    f->server_code = rpc_error_code(refusal);
    if (rpc_error_message(refusal).n) f->message = rpc_error_message(refusal);
    if (data && redact_value(c->boundary->redact, NULL, data, &c->arena, &data,
                             &e) == 0)
        f->server_data = data;
}

static void failed(struct call *c, const char *code, bool sent,
                   const struct err *why) {
    struct err e;
    c->sent = c->sent || sent;
    if (may_repeat(c, code) && pause_then_repeat(c, &e) == 0) return;
    struct fault f = {.code = code,
                      .message = str_of(why->text),
                      .retryable = may_repeat(c, code) || !sent};
    tell_refusal(c, &f);
    call_refuse(c, &f);
}

void provider_failed(struct provider_call *p, const char *code, bool sent,
                     const struct err *why) {
    struct call *c = p->boundary;
    bool theirs = strcmp(code, "unauthorized") != 0;
    /* A server that says no is there. */
    if (theirs) gate_report(c->gates[0], p->refusal != NULL, clock_mono_ns());
    failed(c, code, sent, why);
}

void provider_down(struct provider_call *p, const struct err *why) {
    failed(p->boundary, "unavailable", false, why);
}

struct store *provider_store(const struct provider_call *p) {
    return p->boundary->boundary->store;
}

void provider_progress(struct provider_call *p, double progress, double total,
                       str message) {
    struct call *c = p->boundary;
    if (c->request.progress)
        c->request.progress(c->request.data, progress, total, message);
}

void provider_ask(struct provider_call *p, str method,
                  const struct json *params,
                  void (*answer)(void *data, const struct json *result),
                  void *data) {
    struct call *c = p->boundary;
    const struct boundary_answers *ours = &c->boundary->answers;
    if (c->request.asked)
        c->request.asked(c->request.data, method, params, answer, data);
    else if (!ours->ask ||
             !ours->ask(ours->data, c->tool, method, params, answer, data))
        answer(data, NULL);
}

void attempt_stop(struct call *c) {
    struct provider *p = c->tool->provider;
    if (c->stage != STAGE_PROVIDER) return;
    p->class->cancel(p, &c->provider);
    c->sent = true;
}

static void on_deadline(struct io_timer *t) {
    struct call *c = t->data;
    char text[96];
    if (c->stage == STAGE_PROVIDER)
        gate_report(c->gates[0], false, clock_mono_ns());
    attempt_stop(c);
    snprintf(text, sizeof text, "no answer within %lld ms",
             (long long)(c->limit.timeout_ns / 1000000));
    call_refuse_with(c, "timeout", true, text);
}

void attempt_init(struct call *c) {
    c->deadline = (struct io_timer){.fn = on_deadline, .data = c};
    c->pause = (struct io_timer){.fn = on_pause_over, .data = c};
}
