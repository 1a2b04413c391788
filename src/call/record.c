/* SPDX-License-Identifier: MIT
 *
 * The audit row of a call. Every call has one, however it came about and
 * however it ended.
 */
#include "base/clock.h"
#include "base/codec.h"
#include "call/inside.h"
#include "policy/explain.h"
#include "json/build.h"
#include "json/write.h"

#define ARGS_BYTES ((size_t)32 * 1024) /* longer ones are recorded by hash */

static void put(struct json_build *b, const char *key, str text) {
    if (text.n) build_put_text(b, key, text);
}

static void put_hash(struct json_build *b, const char *key, str text) {
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    uint8_t hash[CRYPTO_SHA256];
    struct err e;
    if (crypto_sha256(text, hash, &e) == 0 &&
        hex_encode((str){(const char *)hash, sizeof hash}, &hex, &e) == 0)
        build_put_text(b, key, buf_str(&hex));
}

static void put_pin(struct json_build *b, const struct entry *t) {
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    struct err e;
    if (hex_encode((str){(const char *)t->pin, CRYPTO_SHA256}, &hex, &e) == 0)
        build_put_text(b, "pin", buf_str(&hex));
}

static void put_args(struct json_build *b, struct call *c) {
    AUTO_BUF struct buf text = BUF_MAX(CALL_BYTES);
    const struct json *args = c->args.value ? c->args.value : c->request.args;
    struct err e;
    if (redact_value(c->boundary->redact, NULL, args, &c->arena, &args, &e) ||
        json_write(args, JSON_CANONICAL, &text, &e))
        return;
    put_hash(b, "args_sha256", buf_str(&text));
    if (text.len <= ARGS_BYTES) build_put(b, "args", args);
}

static void put_result(struct json_build *b, const struct call_outcome *o) {
    AUTO_BUF struct buf text = BUF_MAX(CALL_BYTES);
    struct err e;
    if (o->value && json_write(o->value, JSON_CANONICAL, &text, &e) == 0)
        put_hash(b, "result_sha256", buf_str(&text));
    if (o->error) build_put(b, "error", o->error);
}

static enum integrity worst(const struct labels *labels) {
    enum integrity worst = INTEGRITY_USER;
    if (!labels) return INTEGRITY_UNTRUSTED;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].label.integrity > worst)
            worst = labels->items[i].label.integrity;
    return worst;
}

static const char *status_of(const struct call_outcome *o) {
    switch (o->status) {
    case CALL_FAILED: return "failed";
    case CALL_ASKED: return "asked";
    case CALL_DONE: return "done";
    }
    return "failed";
}

static void put_caller(struct json_build *b, const struct caller *who) {
    build_put_text(b, "by", str_of(who->kind));
    put(b, "principal", who->principal);
    put(b, "client", who->client);
    put(b, "session", who->session);
    put(b, "run", who->run);
    build_put_int(b, "call", (int64_t)who->number);
}

static void put_decision(struct json_build *b, const struct call *c) {
    const struct decision *d = &c->decision;
    if (!d->rule.n) return;
    build_put_text(b, "verdict", str_of(verdict_word(d->verdict)));
    build_put_text(b, "rule", d->rule);
    put(b, "path", d->path);
    if (d->shadowed) build_put_text(b, "would", str_of(verdict_word(d->would)));
    str approval = c->approval[0] ? str_of(c->approval) : c->request.approval;
    put(b, "approval", approval);
}

void call_record(struct call *c, const struct call_outcome *o, size_t bytes) {
    struct audit *audit = c->boundary->audit;
    struct json_build b = JSON_BUILD(&c->arena);
    const struct json *data;
    struct err e;
    if (!audit) return;
    build_object(&b);
    put_caller(&b, &c->request.who);
    build_put_text(&b, "tool", c->tool ? c->tool->name : c->request.name);
    if (c->tool) put_pin(&b, c->tool);
    build_put_text(&b, "status", str_of(status_of(o)));
    put_decision(&b, c);
    build_put_text(&b, "args_integrity",
                   str_of(integrity_word(worst(c->labels))));
    build_put_text(&b, "turn", str_of(integrity_word(c->turn)));
    labels_record(c->labels, &b);
    if (c->tool && !c->write) build_put_bool(&b, "read_only", true);
    put_args(&b, c);
    put_result(&b, o);
    if (c->finding) build_put_text(&b, "finding", str_of(c->finding));
    build_put_int(&b, "bytes", (int64_t)bytes);
    build_put_int(&b, "attempts", (int64_t)c->attempts);
    build_put_int(&b, "us", (clock_mono_ns() - c->began) / 1000);
    build_end(&b);
    if (build_done(&b, &data, &e) || audit_add(audit, "call", data, &e))
        audit_lost(audit);
}
