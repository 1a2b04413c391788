/* SPDX-License-Identifier: MIT
 *
 * Responses, streamed: typed events. Text is told as it grows; what counts in
 * the end are the finished items, or the response that the last event holds.
 */
#include "agent/responses.h"
#include "agent/stream.h"

static int begin_item(struct stream *s, const struct json *v, struct err *e) {
    const struct json *item = json_get(v, "item");
    str type = wire_text(item, "type");
    enum part_kind kind =
        str_is(type, "message")     ? PART_TEXT
        : str_is(type, "reasoning") ? PART_THINKING
        : str_is(type, "function_call") || str_is(type, "custom_tool_call")
            ? PART_CALL
            : PART_OPAQUE;
    struct slot *slot = stream_add(s, kind, wire_count(v, "output_index"), e);
    if (!slot) return -1;
    slot->native = item;
    s->keep = true;
    return 0;
}

static int end_item(struct stream *s, const struct json *v, struct err *e) {
    struct slot *slot = stream_at(s, wire_count(v, "output_index"));
    if (!slot) {
        if (begin_item(s, v, e)) return -1;
        slot = s->slots[s->count - 1];
    }
    slot->native = json_get(v, "item");
    slot->whole = slot->done = true;
    s->keep = true;
    return 0;
}

static int add_delta(struct stream *s, str type, const struct json *v,
                     struct err *e) {
    struct slot *slot = stream_at(s, wire_count(v, "output_index"));
    str text = wire_text(v, "delta");
    if (!slot) return fail(e, ERR_PEER, "a delta of an item that never began");
    if (str_is(type, "response.refusal.delta")) slot->kind = PART_REFUSAL;
    bool shown = str_is(type, "response.output_text.delta") ||
                 str_is(type, "response.refusal.delta") ||
                 str_is(type, "response.reasoning_summary_text.delta") ||
                 str_is(type, "response.reasoning_text.delta");
    bool args = str_is(type, "response.function_call_arguments.delta") ||
                str_is(type, "response.custom_tool_call_input.delta");
    return shown || args ? stream_text(s, slot, text, e) : 0;
}

/* The last word: its items replace what was heard, if it has any. */
static int end_response(struct stream *s, const struct json *v, struct err *e) {
    const struct json *r = json_get(v, "response");
    const struct json *output = json_get(r, "output");
    s->keep = true;
    responses_read_head(r, &s->head);
    s->stop = s->head.stop;
    if (wire_array(output) && json_len(output) > 0) {
        for (size_t i = 0; i < s->count; i++)
            s->slots[i]->index = -2; /* heard, and now known for good */
        for (const struct json *item = NULL;
             (item = wire_next(output, item));) {
            struct slot *slot = stream_add(s, PART_OPAQUE, -1, e);
            if (!slot) return -1;
            slot->native = item;
            slot->whole = slot->done = true;
        }
    }
    stream_end(s);
    return 0;
}

int responses_decode_event(struct stream *s, str type, const struct json *v,
                           struct err *e) {
    str told = wire_text(v, "type");
    if (told.n > 0) type = told;
    if (str_is(type, "response.output_item.added")) return begin_item(s, v, e);
    if (str_is(type, "response.output_item.done")) return end_item(s, v, e);
    if (str_ends(type, STR(".delta"))) return add_delta(s, type, v, e);
    if (str_is(type, "response.completed") ||
        str_is(type, "response.incomplete") || str_is(type, "response.failed"))
        return end_response(s, v, e);
    if (str_is(type, "response.created")) {
        responses_read_head(json_get(v, "response"), &s->head);
        s->keep = true;
    } else if (str_is(type, "error")) {
        const struct json *inner = json_get(v, "error");
        if (inner) {
            stream_error(s, v);
        } else {
            s->head.error.code = wire_text(v, "code");
            s->head.error.message = wire_text(v, "message");
            s->head.stop = STOP_ERROR;
            s->keep = s->ended = true;
        }
    }
    return 0;
}

/* An item that did not end: its text counts, a call in it does not. */
int responses_finish_slot(struct slot *slot, struct arena *a,
                          struct part_list *to, struct err *e) {
    if (slot->index == -2) return 0;
    if (slot->whole) return responses_read_output(slot->native, to, a, e);
    if (slot->kind == PART_OPAQUE) return 0;
    struct part *p = parts_add(to, slot->kind, a, e);
    if (!p) return -1;
    p->api = API_RESPONSES;
    p->text = buf_str(&slot->text);
    if (slot->kind != PART_CALL) return 0;
    p->partial = true;
    p->id = wire_text(slot->native, "call_id");
    p->name = wire_text(slot->native, "name");
    return 0;
}
