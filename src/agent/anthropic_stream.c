/* SPDX-License-Identifier: MIT
 *
 * Messages, streamed: blocks that begin, grow and end, by index.
 */
#include "agent/anthropic.h"
#include "agent/stream.h"

static enum part_kind kind_of(str type) {
    if (str_is(type, "text")) return PART_TEXT;
    if (str_is(type, "thinking")) return PART_THINKING;
    return str_is(type, "tool_use") ? PART_CALL : PART_OPAQUE;
}

/* A block may begin with some of its text. */
static int begin_block(struct stream *s, const struct json *v, struct err *e) {
    const struct json *block = json_get(v, "content_block");
    enum part_kind kind = kind_of(wire_text(block, "type"));
    struct slot *slot = stream_add(s, kind, wire_count(v, "index"), e);
    if (!slot) return -1;
    slot->native = block;
    s->keep = true;
    if (kind != PART_TEXT && kind != PART_THINKING) return 0;
    const char *key = kind == PART_TEXT ? "text" : "thinking";
    return stream_text(s, slot, wire_text(block, key), e);
}

static int add_citation(struct slot *slot, const struct json *v,
                        struct err *e) {
    if (!v) return 0;
    if (slot->extra.len > 0 && buf_add_char(&slot->extra, ',', e)) return -1;
    return json_write(v, JSON_COMPACT, &slot->extra, e);
}

static int add_delta(struct stream *s, const struct json *v, struct err *e) {
    struct slot *slot = stream_at(s, wire_count(v, "index"));
    const struct json *delta = json_get(v, "delta");
    if (!slot) return fail(e, ERR_PEER, "a delta of a block that never began");
    str type = wire_text(delta, "type");
    if (str_is(type, "text_delta"))
        return stream_text(s, slot, wire_text(delta, "text"), e);
    if (str_is(type, "thinking_delta"))
        return stream_text(s, slot, wire_text(delta, "thinking"), e);
    if (str_is(type, "input_json_delta"))
        return buf_add_str(&slot->text, wire_text(delta, "partial_json"), e);
    if (str_is(type, "compaction_delta"))
        return buf_add_str(&slot->text, wire_text(delta, "content"), e);
    if (str_is(type, "citations_delta"))
        return add_citation(slot, json_get(delta, "citation"), e);
    if (str_is(type, "signature_delta"))
        return buf_add_str(&slot->extra, wire_text(delta, "signature"), e);
    return 0; /* a kind to come: nothing we could do with it */
}

static void begin_message(struct stream *s, const struct json *v) {
    const struct json *m = json_get(v, "message");
    s->keep = true;
    s->head.native = m;
    s->head.id = wire_text(m, "id");
    s->head.model = wire_text(m, "model");
    anthropic_read_usage(json_get(m, "usage"), &s->head);
}

static void message_delta(struct stream *s, const struct json *v) {
    const struct json *delta = json_get(v, "delta");
    str reason = wire_text(delta, "stop_reason");
    if (reason.n > 0) stream_stop(s, reason);
    if (json_get(v, "usage")) {
        anthropic_read_usage(json_get(v, "usage"), &s->head);
        s->keep = true;
    }
}

int anthropic_decode_event(struct stream *s, str type, const struct json *v,
                           struct err *e) {
    str told = wire_text(v, "type");
    if (told.n > 0) type = told;
    if (str_is(type, "message_start")) {
        begin_message(s, v);
    } else if (str_is(type, "content_block_start")) {
        return begin_block(s, v, e);
    } else if (str_is(type, "content_block_delta")) {
        return add_delta(s, v, e);
    } else if (str_is(type, "content_block_stop")) {
        struct slot *slot = stream_at(s, wire_count(v, "index"));
        if (slot) slot->done = true;
    } else if (str_is(type, "message_delta")) {
        message_delta(s, v);
    } else if (str_is(type, "message_stop")) {
        stream_end(s);
    } else if (str_is(type, "error")) {
        stream_error(s, v);
    }
    return 0;
}

/* -- parts ------------------------------------------------------------------
 */

/* Citations of a text or the signature of a thought, where some came. */
static int put_extra(struct jw *w, const struct slot *slot, struct err *e) {
    AUTO_BUF struct buf list = BUF_MAX(STREAM_BYTES);
    if (slot->extra.len == 0) return 0;
    if (slot->kind != PART_TEXT) {
        jw_put_text(w, "signature", buf_str(&slot->extra));
        return 0;
    }
    if (buf_addf(&list, e, "[%s]", buf_text(&slot->extra))) return -1;
    jw_key(w, "citations");
    jw_raw(w, buf_str(&list));
    return 0;
}

/* The name of the member that grew. */
static const char *grown(const struct slot *slot) {
    if (slot->kind == PART_TEXT) return "text";
    if (slot->kind == PART_THINKING) return "thinking";
    return wire_is(slot->native, "type", "compaction") ? "content" : "input";
}

/* The block as it would have come whole. */
static int put_block(struct jw *w, const struct slot *slot,
                     const struct json *input, struct err *e) {
    const char *key = grown(slot);
    bool cited = slot->extra.len > 0 && slot->kind == PART_TEXT;
    bool text = !str_is(str_of(key), "input");
    jw_object(w);
    if (text && slot->text.len > 0)
        jw_put_text(w, key, buf_str(&slot->text));
    else if (!text && slot->text.len > 0)
        jw_key(w, key), jw_value(w, input);
    else if (json_get(slot->native, key))
        jw_key(w, key), jw_value(w, json_get(slot->native, key));
    if (put_extra(w, slot, e)) return -1;
    wire_rest(w, slot->native,
              cited                 ? "text citations"
              : slot->extra.len > 0 ? "thinking signature"
              : text                ? key
                                    : "input");
    jw_end_object(w);
    return 0;
}

/* A call whose input is no JSON keeps its text. */
static int unreadable(const struct slot *slot, struct arena *a,
                      struct part_list *to, struct err *e) {
    struct part *p = parts_add(to, slot->kind, a, e);
    if (!p) return -1;
    p->api = API_ANTHROPIC;
    p->native = slot->native;
    p->id = wire_text(slot->native, "id");
    p->name = wire_text(slot->native, "name");
    p->text = buf_str(&slot->text);
    p->partial = !slot->done;
    return 0;
}

int anthropic_finish_slot(struct slot *slot, struct arena *a,
                          struct part_list *to, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(STREAM_BYTES);
    struct jw w = JW(&text);
    const struct json *input = NULL, *block;
    bool json = str_is(str_of(grown(slot)), "input") && slot->text.len > 0;
    if (json && json_parse(buf_str(&slot->text), NULL, a, &input, e)) {
        if (e->kind == ERR_MEMORY) return -1;
        return unreadable(slot, a, to, e);
    }
    if (put_block(&w, slot, input, e) || jw_done(&w, e) ||
        json_parse(buf_str(&text), NULL, a, &block, e) ||
        anthropic_read_block(block, to, a, e))
        return -1;
    to->last->partial = !slot->done;
    return 0;
}
