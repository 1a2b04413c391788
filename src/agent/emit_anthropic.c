/* SPDX-License-Identifier: MIT
 *
 * An answer as the events of Anthropic's Messages: blocks, one after the other.
 */
#include "agent/anthropic.h"
#include "agent/emit_inside.h"

static int block_event(struct emit *x, struct event *v, const char *type,
                       struct buf *out, struct err *e) {
    if (event_begin(v, type, out, e)) return -1;
    jw_object(&v->w);
    jw_put_text(&v->w, "type", str_of(type));
    jw_put_int(&v->w, "index", (int64_t)x->index);
    return 0;
}

static int block_delta(struct emit *x, const char *type, const char *key,
                       str text, struct buf *out, struct err *e) {
    struct event v;
    if (block_event(x, &v, "content_block_delta", out, e)) return -1;
    jw_key(&v.w, "delta");
    jw_object(&v.w);
    jw_put_text(&v.w, "type", str_of(type));
    jw_put_text(&v.w, key, text);
    jw_end_object(&v.w);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

static int block_stop(struct emit *x, struct buf *out, struct err *e) {
    struct event v;
    if (block_event(x, &v, "content_block_stop", out, e)) return -1;
    jw_end_object(&v.w);
    x->index++;
    return event_end(&v, e);
}

int emit_anthropic_begin(struct emit *x, struct buf *out, struct err *e) {
    struct event v;
    if (event_begin(&v, "message_start", out, e)) return -1;
    jw_object(&v.w);
    jw_put_text(&v.w, "type", STR("message_start"));
    jw_key(&v.w, "message");
    jw_object(&v.w);
    jw_put_text(&v.w, "id", x->head.id);
    jw_put_text(&v.w, "type", STR("message"));
    jw_put_text(&v.w, "role", STR("assistant"));
    jw_put_text(&v.w, "model", x->head.model);
    jw_key(&v.w, "content");
    jw_raw(&v.w, STR("[]"));
    jw_key(&v.w, "stop_reason"), jw_null(&v.w);
    jw_key(&v.w, "stop_sequence"), jw_null(&v.w);
    jw_key(&v.w, "usage");
    anthropic_put_usage(&v.w, &x->head);
    jw_end_object(&v.w);
    jw_end_object(&v.w);
    return event_end(&v, e);
}

int emit_anthropic_text(struct emit *x, str text, struct buf *out,
                        struct err *e) {
    struct event v;
    if (!x->open) {
        if (block_event(x, &v, "content_block_start", out, e)) return -1;
        jw_key(&v.w, "content_block");
        jw_raw(&v.w, STR("{\"type\":\"text\",\"text\":\"\"}"));
        jw_end_object(&v.w);
        if (event_end(&v, e)) return -1;
        x->open = true;
    }
    return block_delta(x, "text_delta", "text", text, out, e);
}

int emit_anthropic_text_end(struct emit *x, struct buf *out, struct err *e) {
    return block_stop(x, out, e);
}

/* The block as it begins, as this API does it: without what its deltas bring.
 */
static int put_start(struct jw *w, const struct part *p, struct err *e) {
    struct part head = *p;
    if (p->kind == PART_THINKING && json_get(p->native, "signature")) {
        jw_raw(w, STR("{\"type\":\"thinking\",\"thinking\":\"\","
                      "\"signature\":\"\"}"));
        return 0;
    }
    head.args = NULL; /* written as {} */
    return anthropic_put_block(w, p->kind == PART_CALL ? &head : p, e);
}

static int put_deltas(struct emit *x, const struct part *p, struct buf *out,
                      struct err *e) {
    AUTO_BUF struct buf args = BUF_MAX((size_t)64 << 20);
    if (p->kind == PART_CALL) {
        struct jw w = JW(&args);
        wire_put_args(&w, p);
        if (jw_done(&w, e)) return -1;
        return block_delta(x, "input_json_delta", "partial_json",
                           buf_str(&args), out, e);
    }
    if (p->kind != PART_THINKING || !json_get(p->native, "signature")) return 0;
    return block_delta(x, "thinking_delta", "thinking",
                       wire_text(p->native, "thinking"), out, e) ||
                   block_delta(x, "signature_delta", "signature",
                               wire_text(p->native, "signature"), out, e)
               ? -1
               : 0;
}

int emit_anthropic_part(struct emit *x, const struct part *p, struct buf *out,
                        struct err *e) {
    struct event v;
    if (block_event(x, &v, "content_block_start", out, e)) return -1;
    jw_key(&v.w, "content_block");
    if (put_start(&v.w, p, e)) return -1;
    jw_end_object(&v.w);
    return event_end(&v, e) || put_deltas(x, p, out, e) || block_stop(x, out, e)
               ? -1
               : 0;
}

int emit_anthropic_end(const struct model_answer *m, struct buf *out,
                       struct err *e) {
    struct event v;
    if (event_begin(&v, "message_delta", out, e)) return -1;
    jw_object(&v.w);
    jw_put_text(&v.w, "type", STR("message_delta"));
    jw_key(&v.w, "delta");
    jw_object(&v.w);
    jw_put_text(&v.w, "stop_reason", str_of(stop_word(API_ANTHROPIC, m->stop)));
    jw_key(&v.w, "stop_sequence"), jw_null(&v.w);
    jw_end_object(&v.w);
    jw_key(&v.w, "usage");
    anthropic_put_usage(&v.w, m);
    jw_end_object(&v.w);
    if (event_end(&v, e)) return -1;
    return buf_add_text(
        out, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", e);
}
