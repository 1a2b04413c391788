/* SPDX-License-Identifier: MIT */
#include "audit/otlp.h"

#include "base/clock.h"
#include "base/codec.h"
#include "json/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SPAN_INTERNAL 1 /* of SpanKind */
#define STATUS_OK     1
#define STATUS_ERROR  2

int otlp_begin(struct otlp *o, struct buf *out, struct err *e) {
    *o = (struct otlp){.out = out};
    return buf_add_text(
        out,
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":"
        "\"service.name\",\"value\":{\"stringValue\":\"cordon\"}}]},"
        "\"scopeSpans\":[{\"scope\":{\"name\":\"cordon.audit\"},\"spans\":[",
        e);
}

int otlp_end(struct otlp *o, struct err *e) {
    return buf_add_text(o->out, "]}]}]}\n", e);
}

/* -- ids --------------------------------------------------------------------
 */

/* The first n bytes of a digest, in hexadecimal. */
static int add_id(struct jw *w, const char *key, str of, size_t n,
                  struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    AUTO_BUF struct buf hex = BUF_MAX(2 * CRYPTO_SHA256);
    if (crypto_sha256(of, digest, e) ||
        hex_encode((str){(const char *)digest, n}, &hex, e))
        return -1;
    jw_put_text(w, key, buf_str(&hex));
    return 0;
}

/* What belongs together: the run, else the session, else the event alone. */
static str trace_of(const struct audit_event *ev) {
    str run = json_get_text(ev->data, "run", STR(""));
    str session = json_get_text(ev->data, "session", STR(""));
    return run.n > 0 ? run : session.n > 0 ? session : ev->line;
}

static void put_time(struct jw *w, const char *key, int64_t ns) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, ns);
    jw_put_text(w, key, str_of(text)); /* 64 bits are text in proto JSON */
}

/* -- attributes -------------------------------------------------------------
 */

static void put_attribute(struct jw *w, const char *key, str value) {
    if (value.n == 0) return;
    jw_object(w);
    jw_put_text(w, "key", str_of(key));
    jw_key(w, "value");
    jw_object(w);
    jw_put_text(w, "stringValue", value);
    jw_end_object(w);
    jw_end_object(w);
}

static void put_number(struct jw *w, const char *key, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    jw_object(w);
    jw_put_text(w, "key", str_of(key));
    jw_key(w, "value");
    jw_object(w);
    jw_put_text(w, "intValue", str_of(text));
    jw_end_object(w);
    jw_end_object(w);
}

/* Members of an event's data and what they are called in a span. */
static const struct {
    const char *member, *attribute;
} names[] = {
#define OTLP(member, attribute) {member, attribute},
#include "audit/otlp.def"
#undef OTLP
};

static void put_members(struct jw *w, const struct json *data) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct json *v = json_get(data, names[i].member);
        if (!v) continue;
        if (json_type(v) == JSON_STRING)
            put_attribute(w, names[i].attribute, json_str(v));
        else if (json_type(v) == JSON_INT)
            put_number(w, names[i].attribute, v->as.integer);
    }
}

static void put_call(struct jw *w, const struct audit_event *ev) {
    char id[32];
    snprintf(id, sizeof id, "%" PRIu64, ev->seq);
    put_attribute(w, "gen_ai.operation.name", STR("execute_tool"));
    put_attribute(w, "gen_ai.tool.name",
                  json_get_text(ev->data, "tool", STR("")));
    put_attribute(w, "gen_ai.tool.type", STR("function"));
    put_attribute(w, "gen_ai.tool.call.id", str_of(id));
    if (str_is(json_get_text(ev->data, "by", STR("")), "mcp"))
        put_attribute(w, "mcp.method.name", STR("tools/call"));
    put_attribute(w, "error.type",
                  json_get_text(json_get(ev->data, "error"), "code", STR("")));
}

static bool is_model(const struct audit_event *ev) {
    return str_is(ev->kind, "model");
}

static bool is_call(const struct audit_event *ev) {
    return str_is(ev->kind, "call");
}

static int put_name(struct jw *w, const struct audit_event *ev, struct err *e) {
    AUTO_BUF struct buf name = BUF_MAX(4096);
    str tool = json_get_text(ev->data, "tool", STR(""));
    str model = json_get_text(ev->data, "model", STR(""));
    int status =
        is_call(ev)    ? buf_addf(&name, e, "execute_tool %.*s", STR_ARG(tool))
        : is_model(ev) ? buf_addf(&name, e, "chat %.*s", STR_ARG(model))
                       : buf_addf(&name, e, "cordon %.*s", STR_ARG(ev->kind));
    if (status) return -1;
    jw_put_text(w, "name", buf_str(&name));
    return 0;
}

static void put_status(struct jw *w, const struct audit_event *ev) {
    bool failed = str_is(json_get_text(ev->data, "status", STR("")), "failed");
    jw_key(w, "status");
    jw_object(w);
    jw_put_int(w, "code", failed ? STATUS_ERROR : STATUS_OK);
    jw_end_object(w);
}

int otlp_add(struct otlp *o, const struct audit_event *ev, struct err *e) {
    struct jw w = JW(o->out);
    int64_t end;
    int64_t us = json_get_int(ev->data, "us", 0);
    if (clock_parse(ev->at, &end, e)) return fail_while(e, "event time");
    if (o->spans++ > 0 && buf_add_char(o->out, ',', e)) return -1;
    jw_object(&w);
    if (add_id(&w, "traceId", trace_of(ev), 16, e) ||
        add_id(&w, "spanId", ev->line, 8, e) || put_name(&w, ev, e))
        return -1;
    jw_put_int(&w, "kind", SPAN_INTERNAL);
    put_time(&w, "startTimeUnixNano", end - us * 1000);
    put_time(&w, "endTimeUnixNano", end);
    jw_key(&w, "attributes");
    jw_array(&w);
    if (is_call(ev)) put_call(&w, ev);
    if (is_model(ev)) put_attribute(&w, "gen_ai.operation.name", STR("chat"));
    put_attribute(&w, "cordon.event.kind", ev->kind);
    put_number(&w, "cordon.event.seq", (int64_t)ev->seq);
    put_members(&w, ev->data);
    jw_end_array(&w);
    put_status(&w, ev);
    jw_end_object(&w);
    return jw_done(&w, e);
}
