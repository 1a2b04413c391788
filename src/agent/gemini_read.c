/* SPDX-License-Identifier: MIT
 *
 * Gemini's generateContent, as it is read. Its names come in two spellings,
 * functionCall and function_call, depending on the client that wrote them.
 */
#include "agent/gemini.h"

#define OPTIONAL ((str){NULL, 0})

static bool read_image(const struct json *v, struct part *p) {
    const struct json *data = wire_get2(v, "inlineData", "inline_data");
    const struct json *file = wire_get2(v, "fileData", "file_data");
    const struct json *from = data ? data : file;
    const struct json *mime = wire_get2(from, "mimeType", "mime_type");
    if (!mime || json_type(mime) != JSON_STRING ||
        !str_starts(json_str(mime), STR("image/")))
        return false;
    p->mime = json_str(mime);
    p->data = wire_text(data, "data");
    const struct json *uri = wire_get2(file, "fileUri", "file_uri");
    if (uri && json_type(uri) == JSON_STRING) p->url = json_str(uri);
    return true;
}

/* {"output": "text"} is that text; another response is its JSON. */
static int read_response(const struct json *v, struct part *p, struct arena *a,
                         struct err *e) {
    struct part *text = parts_add(&p->content, PART_TEXT, a, e);
    if (!text) return -1;
    const struct json *plain = wire_get2(v, "output", "result");
    const struct json *error = json_get(v, "error");
    p->failed = error && !plain;
    if (error) plain = error;
    text->api = API_GEMINI;
    text->native = v;
    if (v && json_len(v) == 1 && plain && json_type(plain) == JSON_STRING) {
        text->text = json_str(plain);
        return 0;
    }
    AUTO_BUF struct buf json = BUF_MAX((size_t)64 << 20);
    if (v && json_write(v, JSON_COMPACT, &json, e)) return -1;
    return arena_dup(a, buf_str(&json), &text->text, e);
}

static int read_result(const struct json *f, struct part *p, struct arena *a,
                       struct err *e) {
    const struct json *more = json_get(f, "parts");
    const struct json *response = json_get(f, "response");
    p->id = wire_text(f, "id");
    p->name = wire_text(f, "name");
    if (read_response(wire_object(response) ? response : NULL, p, a, e))
        return -1;
    for (const struct json *item = NULL; (item = wire_next(more, item));)
        if (gemini_read_part(item, &p->content, a, e)) return -1;
    return 0;
}

static int read_call(const struct json *f, struct part *p, struct arena *a,
                     struct err *e) {
    const struct json *args = json_get(f, "args");
    p->id = wire_text(f, "id");
    p->name = wire_text(f, "name");
    if (wire_object(args)) return wire_args_object(p, args, a, e);
    return part_set_args(p, STR("{}"), a, e); /* no args: none are wanted */
}

int gemini_read_part(const struct json *v, struct part_list *to,
                     struct arena *a, struct err *e) {
    if (!wire_object(v)) return fail(e, ERR_INVALID, "a part is no object");
    struct part *p = parts_add(to, PART_OPAQUE, a, e);
    if (!p) return -1;
    const struct json *call = wire_get2(v, "functionCall", "function_call");
    const struct json *result =
        wire_get2(v, "functionResponse", "function_response");
    const struct json *text = json_get(v, "text");
    p->api = API_GEMINI;
    p->native = v;
    if (wire_object(call)) {
        p->kind = PART_CALL;
        return read_call(call, p, a, e);
    }
    if (wire_object(result)) {
        p->kind = PART_RESULT;
        return read_result(result, p, a, e);
    }
    if (text && json_type(text) == JSON_STRING) {
        p->kind =
            json_get_bool(v, "thought", false) ? PART_THINKING : PART_TEXT;
        p->text = json_str(text);
    } else if (read_image(v, p)) {
        p->kind = PART_IMAGE;
    }
    return 0;
}

static int read_parts(const struct json *v, struct part_list *to,
                      struct arena *a, struct err *e) {
    const struct json *parts = json_get(v, "parts");
    if (!wire_array(parts)) return 0;
    if (json_len(parts) > WIRE_PARTS)
        return fail(e, ERR_LIMIT, "more than %d parts", WIRE_PARTS);
    for (const struct json *item = NULL; (item = wire_next(parts, item));)
        if (gemini_read_part(item, to, a, e)) return -1;
    return 0;
}

static int read_content(const struct json *v, struct messages *to,
                        struct arena *a, struct err *e) {
    str role = wire_text(v, "role");
    struct message *m = messages_add(
        to, str_is(role, "model") ? ROLE_ASSISTANT : ROLE_USER, a, e);
    if (!m) return -1;
    m->api = API_GEMINI;
    m->native = v;
    m->role_word = role;
    return read_parts(v, &m->parts, a, e);
}

static int read_system(const struct json *v, struct messages *to,
                       struct arena *a, struct err *e) {
    if (!v || json_type(v) == JSON_NULL) return 0;
    struct message *m = messages_add(to, ROLE_SYSTEM, a, e);
    if (!m) return -1;
    m->api = API_GEMINI;
    if (json_type(v) == JSON_OBJECT) {
        m->native = v;
        return read_parts(v, &m->parts, a, e);
    }
    struct part *p = parts_add(&m->parts, PART_TEXT, a, e);
    if (!p) return -1;
    if (json_type(v) == JSON_STRING) p->text = json_str(v);
    return 0;
}

static int read_declaration(const struct json *v, struct offers *to,
                            struct arena *a, struct err *e) {
    struct offer *o = offers_add(to, a, e);
    if (!o) return -1;
    o->api = API_GEMINI;
    o->native = v;
    o->name = wire_text(v, "name");
    o->description = json_get_text(v, "description", OPTIONAL);
    o->schema = wire_get2(v, "parametersJsonSchema", "parameters_json_schema");
    if (!o->schema) o->schema = json_get(v, "parameters");
    return 0;
}

/* An entry of "tools": declarations, tools of the vendor, or both. */
static int read_tool(const struct json *v, struct offers *to, struct arena *a,
                     struct err *e) {
    const struct json *list =
        wire_get2(v, "functionDeclarations", "function_declarations");
    for (const struct json *item = NULL; (item = wire_next(list, item));)
        if (read_declaration(item, to, a, e)) return -1;
    if (!wire_object(v) || json_len(v) == (list ? 1u : 0u)) return 0;
    struct offer *o = offers_add(to, a, e);
    if (!o) return -1;
    o->kind = OFFER_OPAQUE;
    o->api = API_GEMINI;
    o->native = v;
    return 0;
}

static int read_tools(const struct json *v, struct offers *to, struct arena *a,
                      struct err *e) {
    if (!v) return 0;
    if (!wire_array(v)) return read_tool(v, to, a, e);
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (read_tool(item, to, a, e)) return -1;
    return 0;
}

static int read_choice(const struct json *v, struct choice *to, struct arena *a,
                       struct err *e) {
    const struct json *c =
        wire_get2(v, "functionCallingConfig", "function_calling_config");
    const struct json *names =
        wire_get2(c, "allowedFunctionNames", "allowed_function_names");
    str mode = wire_text(c, "mode");
    to->native = v;
    to->mode = str_is(mode, "ANY")    ? CHOICE_REQUIRED
               : str_is(mode, "NONE") ? CHOICE_NONE
               : mode.n > 0           ? CHOICE_AUTO
                                      : CHOICE_UNSAID;
    if (!wire_array(names) || json_len(names) == 0) return 0;
    str *list = arena_zalloc(a, json_len(names), sizeof *list, e);
    if (!list) return -1;
    const struct json *item = json_first(names);
    for (size_t i = 0; i < json_len(names); i++, item = json_skip(item))
        if (json_type(item) == JSON_STRING) list[i] = json_str(item);
    if (to->mode == CHOICE_REQUIRED && json_len(names) == 1) {
        to->mode = CHOICE_ONE;
        to->name = list[0];
        return 0;
    }
    to->allowed = list;
    to->allowed_count = json_len(names);
    return 0;
}

int gemini_decode_request(const struct json *v, struct arena *a,
                          struct model_request *out, struct err *e) {
    const struct json *contents = json_get(v, "contents");
    const struct json *config =
        wire_get2(v, "generationConfig", "generation_config");
    if (!wire_array(contents))
        return fail(e, ERR_INVALID, "\"contents\" is not an array");
    if (json_len(contents) > WIRE_MESSAGES)
        return fail(e, ERR_LIMIT, "more than %d contents", WIRE_MESSAGES);
    if (read_system(wire_get2(v, "systemInstruction", "system_instruction"),
                    &out->messages, a, e))
        return -1;
    for (const struct json *item = NULL; (item = wire_next(contents, item));)
        if (read_content(item, &out->messages, a, e)) return -1;
    if (read_tools(json_get(v, "tools"), &out->offers, a, e)) return -1;
    out->max_tokens = wire_count(config, "maxOutputTokens");
    out->temperature = json_get(config, "temperature");
    out->top_p = json_get(config, "topP");
    out->stop = json_get(config, "stopSequences");
    return read_choice(wire_get2(v, "toolConfig", "tool_config"), &out->choice,
                       a, e);
}

/* -- answers ----------------------------------------------------------------
 */

static int64_t sum(int64_t a, int64_t b) {
    if (a < 0) return b;
    return b < 0 ? a : a + b;
}

static void read_usage(const struct json *v, struct model_answer *out) {
    if (!wire_object(v)) return;
    struct usage *u = &out->usage;
    int64_t thought = wire_count(v, "thoughtsTokenCount");
    out->usage_native = v;
    u->input = sum(wire_count(v, "promptTokenCount"),
                   wire_count(v, "toolUsePromptTokenCount"));
    u->output = sum(wire_count(v, "candidatesTokenCount"), thought);
    u->cache_read = wire_count(v, "cachedContentTokenCount");
    u->thinking = thought;
}

/* Everything but the parts; a later chunk of a stream adds to an earlier. */
void gemini_read_head(const struct json *v, struct model_answer *out) {
    const struct json *candidate = json_at(json_get(v, "candidates"), 0);
    str blocked = wire_text(json_get(v, "promptFeedback"), "blockReason");
    str id = wire_text(v, "responseId"), model = wire_text(v, "modelVersion");
    if (id.n > 0) out->id = id;
    if (model.n > 0) out->model = model;
    if (blocked.n > 0) {
        out->stop = STOP_FILTER;
        out->stop_text = blocked;
    }
    wire_read_stop(json_get(candidate, "finishReason"), out);
    read_usage(json_get(v, "usageMetadata"), out);
}

int gemini_decode_answer(const struct json *v, struct arena *a,
                         struct model_answer *out, struct err *e) {
    if (wire_error(v, out)) return 0;
    const struct json *candidates = json_get(v, "candidates");
    gemini_read_head(v, out);
    if (!wire_array(candidates) && out->stop == STOP_NONE)
        return fail(e, ERR_PEER, "the answer has no candidates");
    return read_parts(json_get(json_at(candidates, 0), "content"), &out->parts,
                      a, e);
}
