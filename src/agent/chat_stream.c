/* SPDX-License-Identifier: MIT
 *
 * Chat Completions, streamed: chunks with deltas. Servers differ in how they
 * tell one call's deltas from another's: by index, by id, by position, or not
 * at all, so that a call ends where the next one can only have begun.
 */
#include "agent/chat.h"
#include "agent/stream.h"
#include "json/build.h"

/* -- text -------------------------------------------------------------------
 */

/* The slot of a kind (and of a member, for thinking), made when needed. */
static struct slot *text_slot(struct stream *s, enum part_kind kind,
                              const char *name, struct err *e) {
    for (size_t i = 0; i < s->count; i++) {
        struct slot *slot = s->slots[i];
        if (slot->kind == kind && str_is(slot->name, name)) return slot;
    }
    struct slot *slot = stream_add(s, kind, -1, e);
    if (slot) slot->name = str_of(name);
    return slot;
}

static int add_text(struct stream *s, enum part_kind kind, const char *name,
                    str text, struct err *e) {
    if (text.n == 0) return 0;
    struct slot *slot = text_slot(s, kind, name, e);
    return slot ? stream_text(s, slot, text, e) : -1;
}

/* Mistral's: text, and thinking that is a list of texts. */
static int add_content_part(struct stream *s, const struct json *v,
                            struct err *e) {
    const struct json *thought = json_get(v, "thinking");
    if (!wire_is(v, "type", "thinking"))
        return add_text(s, PART_TEXT, "", wire_text(v, "text"), e);
    if (!wire_array(thought))
        return add_text(s, PART_THINKING, "", wire_text(v, "thinking"), e);
    for (const struct json *item = NULL; (item = wire_next(thought, item));)
        if (add_text(s, PART_THINKING, "", wire_text(item, "text"), e))
            return -1;
    return 0;
}

static int add_content(struct stream *s, const struct json *v, struct err *e) {
    if (!v) return 0;
    if (json_type(v) == JSON_STRING)
        return add_text(s, PART_TEXT, "", json_str(v), e);
    if (json_type(v) == JSON_OBJECT) return add_content_part(s, v, e);
    if (!wire_array(v)) return 0;
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (add_content_part(s, item, e)) return -1;
    return 0;
}

/* Lists of details are joined: the whole list goes back to the server. */
static int add_details(struct stream *s, const struct json *v, struct err *e) {
    struct slot *slot = text_slot(s, PART_THINKING, "reasoning_details", e);
    if (!slot) return -1;
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if ((slot->extra.len > 0 && buf_add_char(&slot->extra, ',', e)) ||
            json_write(item, JSON_COMPACT, &slot->extra, e))
            return -1;
    return 0;
}

static int add_thinking(struct stream *s, const struct json *delta,
                        struct err *e) {
    const struct json *details = json_get(delta, "reasoning_details");
    if (wire_array(details) && json_len(details) > 0 &&
        add_details(s, details, e))
        return -1;
    return add_text(s, PART_THINKING, "reasoning_content",
                    wire_text(delta, "reasoning_content"), e) ||
                   add_text(s, PART_THINKING, "reasoning",
                            wire_text(delta, "reasoning"), e) ||
                   add_text(s, PART_THINKING, "tool_plan",
                            wire_text(delta, "tool_plan"), e)
               ? -1
               : 0;
}

/* -- calls ------------------------------------------------------------------
 */

/* Goes on from where it stopped: what a server sends in small pieces is not
 * read from its beginning with each of them. */
static bool is_balanced(struct balance *b, str text) {
    for (; b->at < text.n; b->at++) {
        char c = text.p[b->at];
        if (b->escaped)
            b->escaped = false;
        else if (b->quoted && c == '\\')
            b->escaped = true;
        else if (c == '"')
            b->quoted = !b->quoted;
        else if (!b->quoted && (c == '{' || c == '['))
            b->depth++;
        else if (!b->quoted && (c == '}' || c == ']') && b->depth > 0)
            b->depth--;
    }
    return b->depth == 0 && !b->quoted;
}

/* Text that is balanced and no value will not become one. */
static bool is_complete(struct slot *slot) {
    struct balance *b = &slot->balance;
    str text = buf_str(&slot->text);
    if (text.n == 0 || b->broken || !is_balanced(b, text)) return false;
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    const struct json *v;
    struct err e;
    b->broken = json_parse(text, NULL, &a, &v, &e) != 0;
    return !b->broken;
}

/* Does this delta go on with the call in the slot? */
static bool goes_on(struct slot *slot, str id, str name, str text) {
    if (id.n > 0 && slot->id.n > 0 && !str_eq(id, slot->id)) return false;
    if (name.n > 0 && slot->name.n > 0 && slot->text.len > 0)
        return str_eq(id, slot->id) && id.n > 0 && !is_complete(slot);
    text = str_trim(text);
    return text.n == 0 || text.p[0] != '{' || !is_complete(slot);
}

static struct slot *call_slot(struct stream *s, int64_t index, str id, str name,
                              str text) {
    struct slot *last = stream_last(s, PART_CALL);
    for (size_t i = s->count; i > 0 && index >= 0; i--) {
        struct slot *slot = s->slots[i - 1];
        if (slot->kind == PART_CALL && slot->index == index)
            return goes_on(slot, id, name, text) ? slot : NULL;
    }
    for (size_t i = s->count; i > 0 && index < 0 && id.n > 0; i--) {
        struct slot *slot = s->slots[i - 1];
        if (slot->kind == PART_CALL && str_eq(slot->id, id)) return slot;
    }
    if (index >= 0 || !last) return NULL;
    return goes_on(last, id, name, text) ? last : NULL;
}

/* Arguments are text; an object is taken as its text. */
static int add_arguments(struct slot *slot, const struct json *v,
                         struct err *e) {
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (json_type(v) == JSON_STRING)
        return buf_add_str(&slot->text, json_str(v), e);
    return json_write(v, JSON_COMPACT, &slot->text, e);
}

static int add_call(struct stream *s, const struct json *v, struct err *e) {
    const struct json *custom = json_get(v, "custom");
    const struct json *f = custom ? custom : json_get(v, "function");
    const struct json *text = json_get(f, custom ? "input" : "arguments");
    str id = wire_text(v, "id"), name = wire_text(f, "name");
    str piece =
        text && json_type(text) == JSON_STRING ? json_str(text) : STR("");
    int64_t index = wire_count(v, "index");
    struct slot *slot = call_slot(s, index, id, name, piece);
    s->odd = s->odd || index < 0;
    if (!slot) {
        s->odd = s->odd || stream_at(s, index);
        if (!(slot = stream_add(s, PART_CALL, index, e))) return -1;
        slot->custom = custom != NULL;
        slot->native = v;
        s->keep = true;
    }
    if (id.n > 0 && slot->id.n == 0) slot->id = id, s->keep = true;
    if (name.n > 0 && slot->name.n == 0) slot->name = name, s->keep = true;
    return add_arguments(slot, text, e);
}

static int add_calls(struct stream *s, const struct json *v, struct err *e) {
    if (wire_object(v)) return add_call(s, v, e);
    if (!wire_array(v)) return 0;
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (add_call(s, item, e)) return -1;
    return 0;
}

/* -- chunks -----------------------------------------------------------------
 */

static int add_delta(struct stream *s, const struct json *delta,
                     struct err *e) {
    return add_thinking(s, delta, e) ||
                   add_content(s, json_get(delta, "content"), e) ||
                   add_text(s, PART_REFUSAL, "", wire_text(delta, "refusal"),
                            e) ||
                   add_calls(s, json_get(delta, "tool_calls"), e)
               ? -1
               : 0;
}

static void finish(struct stream *s, str reason) {
    stream_stop(s, reason);
    for (size_t i = 0; i < s->count; i++)
        s->slots[i]->done = s->stop != STOP_LENGTH;
    stream_end(s);
}

static void read_head(struct stream *s, const struct json *v) {
    const struct json *usage = json_get(v, "usage");
    str id = wire_text(v, "id"), model = wire_text(v, "model");
    if (id.n > 0 && s->head.id.n == 0) {
        s->head.id = id;
        s->head.native = v;
        s->keep = true;
    }
    if (model.n > 0 && s->head.model.n == 0)
        s->head.model = model, s->keep = true;
    if (wire_object(usage)) {
        chat_read_usage(usage, &s->head);
        s->keep = true;
    }
}

void chat_stream_done(struct stream *s) {
    if (!s->ended && s->blank_stop) finish(s, STR(""));
}

/* Cohere's own events: {"type": "tool-call-delta", "delta": {"message": ...}}
 */
static int cohere_event(struct stream *s, const struct json *v, struct err *e) {
    const struct json *delta = json_get(v, "delta");
    const struct json *usage = json_get(delta, "usage");
    str reason = wire_text(delta, "finish_reason");
    read_head(s, v);
    if (wire_object(usage)) chat_read_usage(usage, &s->head), s->keep = true;
    if (wire_object(json_get(delta, "message")) &&
        add_delta(s, json_get(delta, "message"), e))
        return -1;
    if (reason.n > 0) finish(s, reason);
    return 0;
}

int chat_decode_event(struct stream *s, str type, const struct json *v,
                      struct err *e) {
    const struct json *choices = json_get(v, "choices");
    const struct json *error = json_get(v, "error");
    if (str_is(type, "error") || (error && json_type(error) != JSON_NULL)) {
        stream_error(s, v);
        return 0;
    }
    if (!choices && json_get(v, "delta") && !s->ended)
        return cohere_event(s, v, e);
    read_head(s, v);
    const struct json *choice = s->ended ? NULL : json_at(choices, 0);
    if (!choice || json_get_int(choice, "index", 0) != 0) return 0;
    const struct json *delta = wire_get2(choice, "delta", "message");
    const struct json *reason = json_get(choice, "finish_reason");
    if (wire_object(delta) && add_delta(s, delta, e)) return -1;
    if (!reason || json_type(reason) != JSON_STRING) return 0;
    /* an empty one may stand in every chunk: it counts at the end */
    s->blank_stop = json_len(reason) == 0;
    if (!s->blank_stop) finish(s, json_str(reason));
    return 0;
}

/* -- parts ------------------------------------------------------------------
 */

static int finish_call(struct slot *slot, struct arena *a, struct part *p,
                       struct err *e) {
    p->api = API_CHAT;
    p->native = slot->native;
    p->id = slot->id;
    p->name = slot->name;
    p->custom = slot->custom;
    p->partial = !slot->done;
    if (p->custom) {
        p->text = buf_str(&slot->text);
        return 0;
    }
    return part_set_args(p, buf_str(&slot->text), a, e);
}

/* Mistral wants its thinking back as the part it was. */
static int thinking_part(str text, struct arena *a, const struct json **out,
                         struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_put_text(&b, "type", STR("thinking"));
    build_key(&b, STR("thinking"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "type", STR("text"));
    build_put_text(&b, "text", text);
    build_end(&b);
    build_end(&b);
    build_end(&b);
    return build_done(&b, out, e);
}

static int finish_thinking(struct slot *slot, struct arena *a, struct part *p,
                           struct err *e) {
    p->api = API_CHAT;
    p->name = slot->name;
    if (slot->name.n == 0) return thinking_part(p->text, a, &p->native, e);
    if (slot->extra.len == 0) return 0;
    AUTO_BUF struct buf json = BUF_MAX(STREAM_BYTES);
    if (buf_addf(&json, e, "[%s]", buf_text(&slot->extra))) return -1;
    return json_parse(buf_str(&json), NULL, a, &p->native, e);
}

int chat_finish_slot(struct slot *slot, struct arena *a, struct part_list *to,
                     struct err *e) {
    struct part *p = parts_add(to, slot->kind, a, e);
    if (!p) return -1;
    p->text = buf_str(&slot->text);
    if (slot->kind == PART_CALL) return finish_call(slot, a, p, e);
    if (slot->kind == PART_THINKING) return finish_thinking(slot, a, p, e);
    return 0;
}
