/* SPDX-License-Identifier: MIT
 *
 * OpenAI's Responses, as they are read. A conversation there is a list of
 * items; those of the assistant in a row are one message here.
 */
#include "agent/chat.h"
#include "agent/responses.h"

#define OPTIONAL ((str){NULL, 0})

/* -- items ------------------------------------------------------------------
 */

/* Content of a message or of a call's output: item is what it stands in. */
static int read_content_part(const struct json *v, const struct json *item,
                             struct part_list *to, struct arena *a,
                             struct err *e) {
    str type = wire_text(v, "type");
    bool text = str_is(type, "input_text") || str_is(type, "output_text") ||
                str_is(type, "text");
    struct part *p = parts_add(to,
                               text                          ? PART_TEXT
                               : str_is(type, "refusal")     ? PART_REFUSAL
                               : str_is(type, "input_image") ? PART_IMAGE
                                                             : PART_OPAQUE,
                               a, e);
    if (!p) return -1;
    p->api = API_RESPONSES;
    p->native = item;
    p->inner = v;
    if (text) p->text = wire_text(v, "text");
    if (p->kind == PART_REFUSAL) p->text = wire_text(v, "refusal");
    if (p->kind != PART_IMAGE) return 0;
    str url = wire_text(v, "image_url");
    if (url.n == 0) p->kind = PART_OPAQUE; /* by the id of a file */
    if (!wire_data_url(url, &p->mime, &p->data)) p->url = url;
    return 0;
}

static int read_content(const struct json *v, const struct json *item,
                        struct part_list *to, struct arena *a, struct err *e) {
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (json_type(v) == JSON_STRING) {
        struct part *p = parts_add(to, PART_TEXT, a, e);
        if (!p) return -1;
        p->api = API_RESPONSES;
        p->native = item;
        p->text = json_str(v);
        return 0;
    }
    if (!wire_array(v)) return fail(e, ERR_INVALID, "content is not a list");
    for (const struct json *part = NULL; (part = wire_next(v, part));)
        if (read_content_part(part, item, to, a, e)) return -1;
    return 0;
}

/* What it says of its thoughts, for people: the texts of the summary. */
static int thinking_text(const struct json *v, struct arena *a, str *out,
                         struct err *e) {
    const struct json *lists[] = {json_get(v, "content"),
                                  json_get(v, "summary")};
    AUTO_BUF struct buf text = BUF_MAX((size_t)16 << 20);
    for (size_t l = 0; l < 2 && text.len == 0; l++) {
        if (!wire_array(lists[l])) continue;
        const struct json *item = json_first(lists[l]);
        for (size_t i = json_len(lists[l]); i > 0; i--, item = json_skip(item))
            if (buf_add_str(&text, wire_text(item, "text"), e)) return -1;
    }
    return arena_dup(a, buf_str(&text), out, e);
}

static int read_call(const struct json *v, struct part *p, struct arena *a,
                     struct err *e) {
    p->id = wire_text(v, "call_id");
    p->name = wire_text(v, "name");
    p->partial = wire_is(v, "status", "incomplete") ||
                 wire_is(v, "status", "in_progress");
    p->custom = wire_is(v, "type", "custom_tool_call");
    if (p->custom) {
        p->text = wire_text(v, "input");
        return 0;
    }
    return part_set_args(p, wire_text(v, "arguments"), a, e);
}

int responses_read_output(const struct json *v, struct part_list *to,
                          struct arena *a, struct err *e) {
    str type = wire_text(v, "type");
    if (type.n == 0 || str_is(type, "message")) {
        const struct json *content = json_get(v, "content");
        if (wire_array(content) && json_len(content) == 0)
            return wire_opaque(to, API_RESPONSES, v, a, e) ? 0 : -1;
        return read_content(content, v, to, a, e);
    }
    bool call =
        str_is(type, "function_call") || str_is(type, "custom_tool_call");
    bool thought = str_is(type, "reasoning");
    struct part *p = wire_opaque(to, API_RESPONSES, v, a, e);
    if (!p) return -1;
    if (call) {
        p->kind = PART_CALL;
        return read_call(v, p, a, e);
    }
    if (!thought) return 0;
    p->kind = PART_THINKING;
    p->id = wire_text(v, "id");
    return thinking_text(v, a, &p->text, e);
}

static int read_result(const struct json *v, struct messages *to,
                       struct arena *a, struct err *e) {
    struct message *m = messages_add(to, ROLE_USER, a, e);
    struct part *p = m ? parts_add(&m->parts, PART_RESULT, a, e) : NULL;
    if (!p) return -1;
    m->api = p->api = API_RESPONSES;
    p->native = v;
    p->id = wire_text(v, "call_id");
    p->custom = wire_is(v, "type", "custom_tool_call_output");
    return read_content(json_get(v, "output"), NULL, &p->content, a, e);
}

static int read_message(const struct json *v, struct messages *to,
                        struct arena *a, struct err *e) {
    struct message *m = messages_add(to, chat_role(wire_text(v, "role")), a, e);
    if (!m) return -1;
    m->api = API_RESPONSES;
    m->native = v;
    m->role_word = wire_text(v, "role");
    return read_content(json_get(v, "content"), NULL, &m->parts, a, e);
}

/* Items of the assistant join the message before, if that is its own. */
static int read_item(const struct json *v, struct messages *to, struct arena *a,
                     struct err *e) {
    str type = wire_text(v, "type"), role = wire_text(v, "role");
    bool message = type.n == 0 || str_is(type, "message");
    if (!wire_object(v)) return fail(e, ERR_INVALID, "an item is no object");
    if (message && !str_is(role, "assistant")) return read_message(v, to, a, e);
    if (str_is(type, "function_call_output") ||
        str_is(type, "custom_tool_call_output"))
        return read_result(v, to, a, e);
    struct message *m = to->last;
    if (!m || m->role != ROLE_ASSISTANT) {
        if (!(m = messages_add(to, ROLE_ASSISTANT, a, e))) return -1;
        m->api = API_RESPONSES;
    }
    return responses_read_output(v, &m->parts, a, e);
}

/* -- requests ---------------------------------------------------------------
 */

static int read_input(const struct json *v, struct messages *to,
                      struct arena *a, struct err *e) {
    if (v && json_type(v) == JSON_STRING)
        return messages_say(to, ROLE_USER, json_str(v), a, e) ? 0 : -1;
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (!wire_array(v)) return fail(e, ERR_INVALID, "\"input\" is no list");
    if (json_len(v) > WIRE_MESSAGES)
        return fail(e, ERR_LIMIT, "more than %d items", WIRE_MESSAGES);
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (read_item(item, to, a, e)) return -1;
    return 0;
}

static int read_offer(const struct json *v, struct offers *to, struct arena *a,
                      struct err *e) {
    struct offer *o = offers_add(to, a, e);
    if (!o) return -1;
    str type = wire_text(v, "type");
    const struct json *strict = json_get(v, "strict");
    o->kind = str_is(type, "function") ? OFFER_FUNCTION
              : str_is(type, "custom") ? OFFER_CUSTOM
                                       : OFFER_OPAQUE;
    o->api = API_RESPONSES;
    o->native = v;
    if (o->kind == OFFER_OPAQUE) return 0;
    o->name = wire_text(v, "name");
    o->description = json_get_text(v, "description", OPTIONAL);
    o->schema = json_get(v, "parameters");
    if (strict && json_type(strict) == JSON_BOOL)
        o->strict = strict->as.boolean;
    return 0;
}

static int read_choice(const struct json *v, struct choice *to, struct arena *a,
                       struct err *e) {
    str type =
        v && json_type(v) == JSON_STRING ? json_str(v) : wire_text(v, "type");
    str mode = str_is(type, "allowed_tools") ? wire_text(v, "mode") : type;
    to->native = v;
    to->mode = str_is(mode, "auto")       ? CHOICE_AUTO
               : str_is(mode, "none")     ? CHOICE_NONE
               : str_is(mode, "required") ? CHOICE_REQUIRED
               : str_is(mode, "function") || str_is(mode, "custom")
                   ? CHOICE_ONE
                   : CHOICE_UNSAID;
    to->name = wire_text(v, "name");
    if (!str_is(type, "allowed_tools")) return 0;
    return chat_read_allowed(json_get(v, "tools"), to, a, e);
}

int responses_decode_request(const struct json *v, struct arena *a,
                             struct model_request *out, struct err *e) {
    const struct json *system = json_get(v, "instructions");
    const struct json *tools = json_get(v, "tools");
    if (system && json_type(system) == JSON_STRING) {
        struct message *m =
            messages_say(&out->messages, ROLE_SYSTEM, json_str(system), a, e);
        if (!m) return -1;
        m->api = API_RESPONSES;
        m->role_word = STR("instructions");
    }
    if (read_input(json_get(v, "input"), &out->messages, a, e)) return -1;
    for (const struct json *item = NULL; (item = wire_next(tools, item));)
        if (read_offer(item, &out->offers, a, e)) return -1;
    chat_read_limits(v, out);
    out->max_tokens = wire_count(v, "max_output_tokens");
    return read_choice(json_get(v, "tool_choice"), &out->choice, a, e);
}

/* -- answers ----------------------------------------------------------------
 */

static void read_usage(const struct json *v, struct model_answer *out) {
    if (!wire_object(v)) return;
    struct usage *u = &out->usage;
    out->usage_native = v;
    u->input = wire_count(v, "input_tokens");
    u->output = wire_count(v, "output_tokens");
    const struct json *in = json_get(v, "input_tokens_details");
    u->cache_read = wire_count(in, "cached_tokens");
    u->cache_write = wire_count(in, "cache_write_tokens");
    u->thinking =
        wire_count(json_get(v, "output_tokens_details"), "reasoning_tokens");
}

static void read_stop(const struct json *v, struct model_answer *out) {
    str status = wire_text(v, "status");
    str why = wire_text(json_get(v, "incomplete_details"), "reason");
    if (status.n == 0 || str_is(status, "in_progress") ||
        str_is(status, "queued"))
        return;
    out->stop_text = str_is(status, "incomplete") ? why : status;
    out->stop = stop_parse(API_RESPONSES, out->stop_text);
    if (str_is(status, "incomplete") && out->stop == STOP_END)
        out->stop = STOP_OTHER;
}

/* Everything but the items. */
void responses_read_head(const struct json *v, struct model_answer *out) {
    str id = wire_text(v, "id"), model = wire_text(v, "model");
    if (id.n > 0) out->id = id;
    if (model.n > 0) out->model = model;
    out->native = v;
    read_stop(v, out);
    read_usage(json_get(v, "usage"), out);
    (void)wire_error(v, out);
}

int responses_decode_answer(const struct json *v, struct arena *a,
                            struct model_answer *out, struct err *e) {
    const struct json *output = json_get(v, "output");
    responses_read_head(v, out);
    if (!wire_array(output)) {
        if (out->stop == STOP_ERROR) return 0;
        return fail(e, ERR_PEER, "the answer has no output");
    }
    if (json_len(output) > WIRE_PARTS)
        return fail(e, ERR_LIMIT, "more than %d items", WIRE_PARTS);
    for (const struct json *item = NULL; (item = wire_next(output, item));)
        if (responses_read_output(item, &out->parts, a, e)) return -1;
    return 0;
}
