/* SPDX-License-Identifier: MIT
 *
 * Anthropic's Messages, as they are read.
 */
#include "agent/anthropic.h"

#define OPTIONAL ((str){NULL, 0})

static enum part_kind kind_of(str type) {
    if (str_is(type, "text")) return PART_TEXT;
    if (str_is(type, "thinking") || str_is(type, "redacted_thinking"))
        return PART_THINKING;
    if (str_is(type, "image")) return PART_IMAGE;
    if (str_is(type, "tool_use")) return PART_CALL;
    if (str_is(type, "tool_result")) return PART_RESULT;
    return PART_OPAQUE;
}

static int read_blocks(const struct json *v, struct part_list *to,
                       struct arena *a, struct err *e) {
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (json_type(v) == JSON_STRING) {
        struct part *p = parts_add(to, PART_TEXT, a, e);
        if (!p) return -1;
        p->text = json_str(v);
        return 0;
    }
    if (!wire_array(v)) return fail(e, ERR_INVALID, "content is not a list");
    if (json_len(v) > WIRE_PARTS)
        return fail(e, ERR_LIMIT, "more than %d blocks", WIRE_PARTS);
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (anthropic_read_block(item, to, a, e)) return -1;
    return 0;
}

/* An image that is neither data nor a URL is known to this API alone. */
static void read_image(const struct json *v, struct part *p) {
    const struct json *source = json_get(v, "source");
    if (wire_is(source, "type", "base64")) {
        p->mime = wire_text(source, "media_type");
        p->data = wire_text(source, "data");
    } else if (wire_is(source, "type", "url")) {
        p->url = wire_text(source, "url");
    } else {
        p->kind = PART_OPAQUE;
    }
}

static int read_result(const struct json *v, struct part *p, struct arena *a,
                       struct err *e) {
    /* parts_add may not be used on a moving list: content is p's own */
    p->id = wire_text(v, "tool_use_id");
    p->failed = json_get_bool(v, "is_error", false);
    const struct json *content = json_get(v, "content");
    if (content && json_type(content) == JSON_STRING && json_len(content) == 0)
        return 0;
    return read_blocks(content, &p->content, a, e);
}

int anthropic_read_block(const struct json *v, struct part_list *to,
                         struct arena *a, struct err *e) {
    if (!wire_object(v)) return fail(e, ERR_INVALID, "a block is no object");
    struct part *p = parts_add(to, kind_of(wire_text(v, "type")), a, e);
    if (!p) return -1;
    p->api = API_ANTHROPIC;
    p->native = v;
    p->cache = json_get(v, "cache_control") != NULL;
    switch (p->kind) {
    case PART_TEXT: p->text = wire_text(v, "text"); return 0;
    case PART_THINKING: p->text = wire_text(v, "thinking"); return 0;
    case PART_IMAGE: read_image(v, p); return 0;
    case PART_CALL:
        p->id = wire_text(v, "id");
        p->name = wire_text(v, "name");
        return wire_args_object(p, json_get(v, "input"), a, e);
    case PART_RESULT: return read_result(v, p, a, e);
    case PART_REFUSAL:
    case PART_OPAQUE: return 0;
    }
    return 0;
}

static int read_message(const struct json *v, struct messages *to,
                        struct arena *a, struct err *e) {
    str role = wire_text(v, "role");
    struct message *m = messages_add(to,
                                     str_is(role, "assistant") ? ROLE_ASSISTANT
                                     : str_is(role, "system")  ? ROLE_SYSTEM
                                                               : ROLE_USER,
                                     a, e);
    if (!m) return -1;
    m->api = API_ANTHROPIC;
    m->native = v;
    m->role_word = role;
    return read_blocks(json_get(v, "content"), &m->parts, a, e);
}

static int read_system(const struct json *v, struct messages *to,
                       struct arena *a, struct err *e) {
    if (!v || json_type(v) == JSON_NULL) return 0;
    struct message *m = messages_add(to, ROLE_SYSTEM, a, e);
    if (!m) return -1;
    m->api = API_ANTHROPIC;
    return read_blocks(v, &m->parts, a, e);
}

/* Tools with a type of their own run at the vendor's. */
static int read_offer(const struct json *v, struct offers *to, struct arena *a,
                      struct err *e) {
    struct offer *o = offers_add(to, a, e);
    if (!o) return -1;
    str type = wire_text(v, "type");
    const struct json *strict = json_get(v, "strict");
    o->kind =
        type.n == 0 || str_is(type, "custom") ? OFFER_FUNCTION : OFFER_OPAQUE;
    o->api = API_ANTHROPIC;
    o->native = v;
    o->cache = json_get(v, "cache_control") != NULL;
    o->name = wire_text(v, "name");
    o->description = json_get_text(v, "description", OPTIONAL);
    o->schema = json_get(v, "input_schema");
    if (strict && json_type(strict) == JSON_BOOL)
        o->strict = strict->as.boolean;
    return 0;
}

static void read_choice(const struct json *v, struct choice *to) {
    str type = wire_text(v, "type");
    const struct json *alone = json_get(v, "disable_parallel_tool_use");
    to->native = v;
    to->mode = str_is(type, "auto")   ? CHOICE_AUTO
               : str_is(type, "none") ? CHOICE_NONE
               : str_is(type, "any")  ? CHOICE_REQUIRED
               : str_is(type, "tool") ? CHOICE_ONE
                                      : CHOICE_UNSAID;
    to->name = wire_text(v, "name");
    if (alone && json_type(alone) == JSON_BOOL)
        to->parallel = !alone->as.boolean;
}

int anthropic_decode_request(const struct json *v, struct arena *a,
                             struct model_request *out, struct err *e) {
    const struct json *messages = json_get(v, "messages");
    const struct json *tools = json_get(v, "tools");
    if (!wire_array(messages))
        return fail(e, ERR_INVALID, "\"messages\" is not an array");
    if (json_len(messages) > WIRE_MESSAGES)
        return fail(e, ERR_LIMIT, "more than %d messages", WIRE_MESSAGES);
    if (read_system(json_get(v, "system"), &out->messages, a, e)) return -1;
    for (const struct json *item = NULL; (item = wire_next(messages, item));)
        if (read_message(item, &out->messages, a, e)) return -1;
    for (const struct json *item = NULL; (item = wire_next(tools, item));)
        if (read_offer(item, &out->offers, a, e)) return -1;
    read_choice(json_get(v, "tool_choice"), &out->choice);
    out->max_tokens = json_get_int(v, "max_tokens", -1);
    out->temperature = json_get(v, "temperature");
    out->top_p = json_get(v, "top_p");
    out->stop = json_get(v, "stop_sequences");
    out->stream = json_get_bool(v, "stream", false);
    return 0;
}

/* What a later event says replaces what an earlier one said. */
static void update(int64_t *to, int64_t n) {
    if (n >= 0) *to = n;
}

void anthropic_read_usage(const struct json *v, struct model_answer *out) {
    struct usage *u = &out->usage;
    if (!wire_object(v)) return;
    int64_t fresh = wire_count(v, "input_tokens");
    int64_t before = u->input < 0
                         ? -1
                         : u->input - (u->cache_read > 0 ? u->cache_read : 0) -
                               (u->cache_write > 0 ? u->cache_write : 0);
    update(&u->cache_read, wire_count(v, "cache_read_input_tokens"));
    update(&u->cache_write, wire_count(v, "cache_creation_input_tokens"));
    update(&u->output, wire_count(v, "output_tokens"));
    if (fresh < 0) fresh = before;
    if (fresh >= 0)
        u->input = fresh + (u->cache_read > 0 ? u->cache_read : 0) +
                   (u->cache_write > 0 ? u->cache_write : 0);
    out->usage_native = v;
}

int anthropic_decode_answer(const struct json *v, struct arena *a,
                            struct model_answer *out, struct err *e) {
    if (wire_error(v, out)) return 0;
    const struct json *content = json_get(v, "content");
    if (!wire_array(content))
        return fail(e, ERR_PEER, "the answer has no content");
    out->id = wire_text(v, "id");
    out->model = wire_text(v, "model");
    if (read_blocks(content, &out->parts, a, e)) return -1;
    wire_read_stop(json_get(v, "stop_reason"), out);
    anthropic_read_usage(json_get(v, "usage"), out);
    return 0;
}
