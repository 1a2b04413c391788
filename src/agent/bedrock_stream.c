/* SPDX-License-Identifier: MIT
 *
 * Converse, streamed: its events as JSON. (The binary frames that Amazon puts
 * around them are not read here.)
 */
#include "agent/bedrock.h"
#include "agent/stream.h"

static struct slot *block_at(struct stream *s, const struct json *v,
                             enum part_kind kind, struct err *e) {
    int64_t index = wire_count(v, "contentBlockIndex");
    struct slot *slot = stream_at(s, index);
    return slot ? slot : stream_add(s, kind, index, e);
}

static int begin_block(struct stream *s, const struct json *v, struct err *e) {
    const struct json *use = json_get(json_get(v, "start"), "toolUse");
    if (!use) return 0;
    struct slot *slot = block_at(s, v, PART_CALL, e);
    if (!slot) return -1;
    slot->native = use;
    slot->id = wire_text(use, "toolUseId");
    slot->name = wire_text(use, "name");
    s->keep = true;
    return 0;
}

static int add_thought(struct stream *s, struct slot *slot,
                       const struct json *v, struct err *e) {
    str hidden = wire_text(v, "redactedContent");
    if (hidden.n > 0) {
        slot->custom = true; /* redacted: extra holds the content */
        return buf_add_str(&slot->extra, hidden, e);
    }
    if (buf_add_str(&slot->extra, wire_text(v, "signature"), e)) return -1;
    return stream_text(s, slot, wire_text(v, "text"), e);
}

static int add_delta(struct stream *s, const struct json *v, struct err *e) {
    const struct json *delta = json_get(v, "delta");
    const struct json *use = json_get(delta, "toolUse");
    const struct json *thought = json_get(delta, "reasoningContent");
    struct slot *slot = block_at(s, v,
                                 use       ? PART_CALL
                                 : thought ? PART_THINKING
                                           : PART_TEXT,
                                 e);
    if (!slot) return -1;
    if (use) return buf_add_str(&slot->text, wire_text(use, "input"), e);
    if (thought) return add_thought(s, slot, thought, e);
    return stream_text(s, slot, wire_text(delta, "text"), e);
}

int bedrock_decode_event(struct stream *s, str type, const struct json *v,
                         struct err *e) {
    const struct json *inner = json_first(v) + 1;
    str name = json_len(v) > 0 ? json_str(json_first(v)) : type;
    if (json_len(v) == 0 || (s->ended && !str_is(name, "metadata"))) return 0;
    if (str_is(name, "contentBlockStart")) return begin_block(s, inner, e);
    if (str_is(name, "contentBlockDelta")) return add_delta(s, inner, e);
    if (str_is(name, "contentBlockStop")) {
        struct slot *slot =
            stream_at(s, wire_count(inner, "contentBlockIndex"));
        if (slot) slot->done = true;
    } else if (str_is(name, "messageStop")) {
        stream_stop(s, wire_text(inner, "stopReason"));
        stream_end(s);
    } else if (str_is(name, "metadata")) {
        bedrock_read_usage(json_get(inner, "usage"), &s->head);
        s->keep = true;
    } else if (str_ends(name, STR("Exception"))) {
        s->head.error.type = name;
        s->head.error.message = wire_text(inner, "message");
        s->head.stop = STOP_ERROR;
        s->keep = s->ended = true;
    }
    return 0;
}

static int finish_thought(const struct slot *slot, struct arena *a,
                          struct part *p, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(STREAM_BYTES);
    struct jw w = JW(&text);
    jw_object(&w);
    jw_key(&w, "reasoningContent");
    jw_object(&w);
    if (slot->custom) {
        jw_put_text(&w, "redactedContent", buf_str(&slot->extra));
    } else {
        jw_key(&w, "reasoningText");
        jw_object(&w);
        jw_put_text(&w, "text", buf_str(&slot->text));
        if (slot->extra.len > 0)
            jw_put_text(&w, "signature", buf_str(&slot->extra));
        jw_end_object(&w);
    }
    jw_end_object(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return json_parse(buf_str(&text), NULL, a, &p->native, e);
}

int bedrock_finish_slot(struct slot *slot, struct arena *a,
                        struct part_list *to, struct err *e) {
    struct part *p = parts_add(to, slot->kind, a, e);
    if (!p) return -1;
    p->api = API_BEDROCK;
    p->text = buf_str(&slot->text);
    p->partial = slot->kind == PART_CALL && !slot->done;
    if (slot->kind == PART_THINKING) return finish_thought(slot, a, p, e);
    if (slot->kind != PART_CALL) return 0;
    p->id = slot->id;
    p->name = slot->name;
    str input = slot->text.len > 0 ? p->text : STR("{}");
    return part_set_args(p, input, a, e);
}
