/* SPDX-License-Identifier: MIT
 *
 * OpenAI's Chat Completions, as it is read: its own servers and the many that
 * are compatible, each in its way.
 */
#include "agent/chat.h"

#define OPTIONAL ((str){NULL, 0})

/* -- messages ---------------------------------------------------------------
 */

static int read_image(const struct json *v, struct part *p) {
    const struct json *image = json_get(v, "image_url");
    str url = image && json_type(image) == JSON_STRING
                  ? json_str(image)
                  : wire_text(image, "url");
    if (!wire_data_url(url, &p->mime, &p->data)) p->url = url;
    return 0;
}

/* Mistral's thinking is a list of texts; the whole stays in native. */
static str thinking_text(const struct json *v) {
    const struct json *inner = json_get(v, "thinking");
    if (inner && json_type(inner) == JSON_STRING) return json_str(inner);
    return wire_array(inner) && json_len(inner) == 1
               ? wire_text(json_first(inner), "text")
               : STR("");
}

static int read_content_part(const struct json *v, struct part_list *to,
                             struct arena *a, struct err *e) {
    struct part *p;
    if (json_type(v) == JSON_STRING) {
        if (!(p = parts_add(to, PART_TEXT, a, e))) return -1;
        p->text = json_str(v);
        return 0;
    }
    str type = wire_text(v, "type");
    enum part_kind kind = str_is(type, "text")        ? PART_TEXT
                          : str_is(type, "image_url") ? PART_IMAGE
                          : str_is(type, "refusal")   ? PART_REFUSAL
                          : str_is(type, "thinking")  ? PART_THINKING
                                                      : PART_OPAQUE;
    if (!(p = parts_add(to, kind, a, e))) return -1;
    p->api = API_CHAT;
    p->native = v;
    p->cache = json_get(v, "cache_control") != NULL;
    if (kind == PART_TEXT) p->text = wire_text(v, "text");
    if (kind == PART_REFUSAL) p->text = wire_text(v, "refusal");
    if (kind == PART_THINKING) p->text = thinking_text(v);
    if (kind == PART_IMAGE) return read_image(v, p);
    return 0;
}

static int read_content(const struct json *v, struct part_list *to,
                        struct arena *a, struct err *e) {
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (json_type(v) == JSON_STRING && json_len(v) == 0) return 0;
    if (json_type(v) != JSON_ARRAY) return read_content_part(v, to, a, e);
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (read_content_part(item, to, a, e)) return -1;
    return 0;
}

/* Members in which servers put what a model thought. */
static const char *const thinking_members[] = {
    "reasoning_content", "reasoning", "reasoning_details", "tool_plan", NULL};

static int read_thinking(const struct json *m, struct part_list *to,
                         struct arena *a, struct err *e) {
    for (size_t i = 0; thinking_members[i]; i++) {
        const struct json *v = json_get(m, thinking_members[i]);
        if (!v || json_type(v) == JSON_NULL) continue;
        struct part *p = parts_add(to, PART_THINKING, a, e);
        if (!p) return -1;
        p->api = API_CHAT;
        p->name = str_of(thinking_members[i]);
        if (json_type(v) == JSON_STRING)
            p->text = json_str(v);
        else
            p->native = v;
    }
    return 0;
}

/* "arguments" is text, or an object where a server was kind, or null. */
static int read_arguments(const struct json *v, struct part *p, struct arena *a,
                          struct err *e) {
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (json_type(v) == JSON_STRING) return part_set_args(p, json_str(v), a, e);
    return wire_args_object(p, v, a, e);
}

int chat_read_call(const struct json *v, struct part_list *to, struct arena *a,
                   struct err *e) {
    struct part *p = parts_add(to, PART_CALL, a, e);
    if (!p) return -1;
    const struct json *f = json_get(v, "function");
    const struct json *custom = json_get(v, "custom");
    p->api = API_CHAT;
    p->native = v;
    p->id = wire_text(v, "id");
    p->custom = !f && custom;
    p->name = wire_text(p->custom ? custom : f, "name");
    if (p->custom) {
        p->text = wire_text(custom, "input");
        return 0;
    }
    return read_arguments(json_get(f, "arguments"), p, a, e);
}

static int read_calls(const struct json *m, struct part_list *to,
                      struct arena *a, struct err *e) {
    const struct json *calls = json_get(m, "tool_calls");
    const struct json *old = json_get(m, "function_call");
    if (wire_text(old, "name").n > 0) {
        struct part *p = parts_add(to, PART_CALL, a, e);
        if (!p) return -1;
        p->name = wire_text(old, "name");
        if (read_arguments(json_get(old, "arguments"), p, a, e)) return -1;
    }
    if (!wire_array(calls)) return 0;
    for (const struct json *item = NULL; (item = wire_next(calls, item));)
        if (chat_read_call(item, to, a, e)) return -1;
    return 0;
}

int chat_read_said(const struct json *m, struct part_list *to, struct arena *a,
                   struct err *e) {
    if (read_thinking(m, to, a, e) ||
        read_content(json_get(m, "content"), to, a, e))
        return -1;
    str refusal = wire_text(m, "refusal");
    if (refusal.n > 0) {
        struct part *p = parts_add(to, PART_REFUSAL, a, e);
        if (!p) return -1;
        p->text = refusal;
    }
    return read_calls(m, to, a, e);
}

static int read_result(const struct json *m, struct part_list *to,
                       struct arena *a, struct err *e) {
    struct part *p = parts_add(to, PART_RESULT, a, e);
    if (!p) return -1;
    p->id = wire_text(m, "tool_call_id");
    p->name = wire_text(m, "name");
    return read_content(json_get(m, "content"), &p->content, a, e);
}

enum role chat_role(str word) {
    if (str_is(word, "assistant")) return ROLE_ASSISTANT;
    if (str_is(word, "system") || str_is(word, "developer")) return ROLE_SYSTEM;
    return ROLE_USER;
}

static int read_message(const struct json *v, struct messages *to,
                        struct arena *a, struct err *e) {
    str role = wire_text(v, "role");
    struct message *m = messages_add(to, chat_role(role), a, e);
    if (!m) return -1;
    m->api = API_CHAT;
    m->native = v;
    m->role_word = role;
    if (str_is(role, "tool") || str_is(role, "function"))
        return read_result(v, &m->parts, a, e);
    if (m->role == ROLE_ASSISTANT) return chat_read_said(v, &m->parts, a, e);
    return read_content(json_get(v, "content"), &m->parts, a, e);
}

/* -- requests ---------------------------------------------------------------
 */

static int read_offer(const struct json *v, struct offers *to, struct arena *a,
                      struct err *e) {
    struct offer *o = offers_add(to, a, e);
    if (!o) return -1;
    const struct json *f = json_get(v, "function");
    const struct json *custom = json_get(v, "custom");
    const struct json *strict = json_get(f, "strict");
    o->kind = wire_object(f)        ? OFFER_FUNCTION
              : wire_object(custom) ? OFFER_CUSTOM
                                    : OFFER_OPAQUE;
    o->api = API_CHAT;
    o->native = v;
    o->cache = json_get(v, "cache_control") != NULL;
    if (o->kind == OFFER_OPAQUE) return 0;
    o->name = wire_text(f ? f : custom, "name");
    o->description = json_get_text(f ? f : custom, "description", OPTIONAL);
    o->schema = json_get(f, "parameters");
    if (strict && json_type(strict) == JSON_BOOL)
        o->strict = strict->as.boolean;
    return 0;
}

static enum choice_mode mode_of(str word) {
    if (str_eq_nocase(word, STR("auto"))) return CHOICE_AUTO;
    if (str_eq_nocase(word, STR("none"))) return CHOICE_NONE;
    if (str_eq_nocase(word, STR("required")) || str_eq_nocase(word, STR("any")))
        return CHOICE_REQUIRED;
    return CHOICE_UNSAID;
}

int chat_read_allowed(const struct json *tools, struct choice *to,
                      struct arena *a, struct err *e) {
    if (!wire_array(tools)) return 0;
    str *names = arena_zalloc(a, json_len(tools) + 1, sizeof *names, e);
    if (!names) return -1;
    const struct json *item = json_first(tools);
    for (size_t i = 0; i < json_len(tools); i++, item = json_skip(item)) {
        const struct json *f = json_get(item, "function");
        names[i] = wire_text(f ? f : item, "name");
    }
    to->allowed = names;
    to->allowed_count = json_len(tools);
    return 0;
}

static int read_choice(const struct json *v, struct choice *to, struct arena *a,
                       struct err *e) {
    to->native = v;
    if (!v || json_type(v) == JSON_NULL) return 0;
    if (json_type(v) == JSON_STRING) {
        to->mode = mode_of(json_str(v));
        return 0;
    }
    const struct json *allowed = json_get(v, "allowed_tools");
    if (allowed) {
        to->mode = mode_of(wire_text(allowed, "mode"));
        return chat_read_allowed(json_get(allowed, "tools"), to, a, e);
    }
    const struct json *f = wire_get2(v, "function", "custom");
    to->mode = f ? CHOICE_ONE : CHOICE_UNSAID;
    to->name = wire_text(f, "name");
    return 0;
}

void chat_read_limits(const struct json *v, struct model_request *out) {
    const struct json *parallel = json_get(v, "parallel_tool_calls");
    out->temperature = json_get(v, "temperature");
    out->top_p = json_get(v, "top_p");
    out->stream = json_get_bool(v, "stream", false);
    if (parallel && json_type(parallel) == JSON_BOOL)
        out->choice.parallel = parallel->as.boolean;
}

int chat_decode_request(const struct json *v, struct arena *a,
                        struct model_request *out, struct err *e) {
    const struct json *messages = json_get(v, "messages");
    const struct json *tools = json_get(v, "tools");
    if (!wire_array(messages))
        return fail(e, ERR_INVALID, "\"messages\" is not an array");
    if (json_len(messages) > WIRE_MESSAGES)
        return fail(e, ERR_LIMIT, "more than %d messages", WIRE_MESSAGES);
    for (const struct json *item = NULL; (item = wire_next(messages, item));)
        if (read_message(item, &out->messages, a, e)) return -1;
    for (const struct json *item = NULL; (item = wire_next(tools, item));)
        if (read_offer(item, &out->offers, a, e)) return -1;
    chat_read_limits(v, out);
    out->max_tokens = json_get_int(v, "max_completion_tokens",
                                   json_get_int(v, "max_tokens", -1));
    out->stop = json_get(v, "stop");
    return read_choice(json_get(v, "tool_choice"), &out->choice, a, e);
}

/* -- answers ----------------------------------------------------------------
 */

void chat_read_usage(const struct json *v, struct model_answer *out) {
    if (!wire_object(v)) return;
    const struct json *in = json_get(v, "prompt_tokens_details");
    const struct json *made = json_get(v, "completion_tokens_details");
    const struct json *tokens = json_get(v, "tokens"); /* Cohere */
    struct usage *u = &out->usage;
    out->usage_native = v;
    u->input =
        json_get_int(v, "prompt_tokens", wire_count(tokens, "input_tokens"));
    u->output = json_get_int(v, "completion_tokens",
                             wire_count(tokens, "output_tokens"));
    u->cache_read = wire_count(in, "cached_tokens");
    if (u->cache_read < 0)
        u->cache_read = json_get_int(v, "prompt_cache_hit_tokens",
                                     wire_count(v, "num_cached_tokens"));
    u->cache_write = wire_count(in, "cache_write_tokens");
    u->thinking = wire_count(made, "reasoning_tokens");
}

int chat_decode_answer(const struct json *v, struct arena *a,
                       struct model_answer *out, struct err *e) {
    if (wire_error(v, out)) return 0;
    const struct json *choices = json_get(v, "choices");
    const struct json *choice = wire_array(choices) ? json_at(choices, 0) : v;
    const struct json *message = json_get(choice, "message");
    if (!wire_object(message))
        return fail(e, ERR_PEER, "the answer has no message");
    out->id = wire_text(v, "id");
    out->model = wire_text(v, "model");
    if (chat_read_said(message, &out->parts, a, e)) return -1;
    wire_read_stop(json_get(choice, "finish_reason"), out);
    chat_read_usage(json_get(v, "usage"), out);
    return 0;
}
