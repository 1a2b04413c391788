/* SPDX-License-Identifier: MIT
 *
 * Amazon Bedrock's Converse, as it is read.
 */
#include "agent/bedrock.h"

#define OPTIONAL ((str){NULL, 0})

static int read_blocks(const struct json *v, struct part_list *to,
                       struct arena *a, struct err *e) {
    if (!wire_array(v)) return 0;
    if (json_len(v) > WIRE_PARTS)
        return fail(e, ERR_LIMIT, "more than %d blocks", WIRE_PARTS);
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (bedrock_read_block(item, to, a, e)) return -1;
    return 0;
}

static bool read_image(const struct json *image, struct part *p,
                       struct arena *a, struct err *e) {
    str data = wire_text(json_get(image, "source"), "bytes");
    str format = wire_text(image, "format");
    if (data.n == 0) return false;
    char *mime = arena_printf(a, e, "image/%.*s", STR_ARG(format));
    if (!mime) return false;
    p->kind = PART_IMAGE;
    p->mime = str_of(mime);
    p->data = data;
    return true;
}

static int read_call(const struct json *use, struct part *p, struct arena *a,
                     struct err *e) {
    p->kind = PART_CALL;
    p->id = wire_text(use, "toolUseId");
    p->name = wire_text(use, "name");
    return wire_args_object(p, json_get(use, "input"), a, e);
}

static int read_result(const struct json *result, struct part *p,
                       struct arena *a, struct err *e) {
    p->kind = PART_RESULT;
    p->id = wire_text(result, "toolUseId");
    p->failed = wire_is(result, "status", "error");
    return read_blocks(json_get(result, "content"), &p->content, a, e);
}

int bedrock_read_block(const struct json *v, struct part_list *to,
                       struct arena *a, struct err *e) {
    if (!wire_object(v)) return fail(e, ERR_INVALID, "a block is no object");
    struct part *p = wire_opaque(to, API_BEDROCK, v, a, e);
    if (!p) return -1;
    const struct json *text = json_get(v, "text");
    const struct json *thought = json_get(v, "reasoningContent");
    const struct json *use = json_get(v, "toolUse");
    const struct json *result = json_get(v, "toolResult");
    const struct json *image = json_get(v, "image");
    if (use) return read_call(use, p, a, e);
    if (result) return read_result(result, p, a, e);
    if (thought) {
        p->kind = PART_THINKING;
        p->text = wire_text(json_get(thought, "reasoningText"), "text");
    } else if (text && json_type(text) == JSON_STRING) {
        p->kind = PART_TEXT;
        p->text = json_str(text);
    } else if (image && !read_image(image, p, a, e)) {
        p->kind = PART_OPAQUE;
    }
    return 0;
}

static int read_messages(const struct json *v, struct messages *to,
                         struct arena *a, struct err *e) {
    if (!wire_array(v)) return fail(e, ERR_INVALID, "\"messages\" is no list");
    if (json_len(v) > WIRE_MESSAGES)
        return fail(e, ERR_LIMIT, "more than %d messages", WIRE_MESSAGES);
    for (const struct json *item = NULL; (item = wire_next(v, item));) {
        bool said = wire_is(item, "role", "assistant");
        struct message *m =
            messages_add(to, said ? ROLE_ASSISTANT : ROLE_USER, a, e);
        if (!m) return -1;
        m->api = API_BEDROCK;
        m->native = item;
        if (read_blocks(json_get(item, "content"), &m->parts, a, e)) return -1;
    }
    return 0;
}

static int read_offer(const struct json *v, struct offers *to, struct arena *a,
                      struct err *e) {
    struct offer *o = offers_add(to, a, e);
    if (!o) return -1;
    const struct json *spec = json_get(v, "toolSpec");
    const struct json *strict = json_get(spec, "strict");
    o->kind = spec ? OFFER_FUNCTION : OFFER_OPAQUE;
    o->api = API_BEDROCK;
    o->native = v;
    o->name = wire_text(spec, "name");
    o->description = json_get_text(spec, "description", OPTIONAL);
    o->schema = json_get(json_get(spec, "inputSchema"), "json");
    if (strict && json_type(strict) == JSON_BOOL)
        o->strict = strict->as.boolean;
    return 0;
}

static void read_choice(const struct json *v, struct choice *to) {
    const struct json *one = json_get(v, "tool");
    to->native = v;
    to->mode = one                   ? CHOICE_ONE
               : json_get(v, "any")  ? CHOICE_REQUIRED
               : json_get(v, "auto") ? CHOICE_AUTO
                                     : CHOICE_UNSAID;
    to->name = wire_text(one, "name");
}

int bedrock_decode_request(const struct json *v, struct arena *a,
                           struct model_request *out, struct err *e) {
    const struct json *system = json_get(v, "system");
    const struct json *config = json_get(v, "toolConfig");
    const struct json *tools = json_get(config, "tools");
    const struct json *limits = json_get(v, "inferenceConfig");
    if (wire_array(system) && json_len(system) > 0) {
        struct message *m = messages_add(&out->messages, ROLE_SYSTEM, a, e);
        if (!m) return -1;
        m->api = API_BEDROCK;
        if (read_blocks(system, &m->parts, a, e)) return -1;
    }
    if (read_messages(json_get(v, "messages"), &out->messages, a, e)) return -1;
    for (const struct json *item = NULL; (item = wire_next(tools, item));)
        if (read_offer(item, &out->offers, a, e)) return -1;
    read_choice(json_get(config, "toolChoice"), &out->choice);
    out->max_tokens = wire_count(limits, "maxTokens");
    out->temperature = json_get(limits, "temperature");
    out->top_p = json_get(limits, "topP");
    out->stop = json_get(limits, "stopSequences");
    return 0;
}

void bedrock_read_usage(const struct json *v, struct model_answer *out) {
    if (!wire_object(v)) return;
    struct usage *u = &out->usage;
    out->usage_native = v;
    u->cache_read = wire_count(v, "cacheReadInputTokens");
    u->cache_write = wire_count(v, "cacheWriteInputTokens");
    u->output = wire_count(v, "outputTokens");
    u->input = wire_count(v, "inputTokens");
    if (u->input >= 0 && u->cache_read > 0) u->input += u->cache_read;
    if (u->input >= 0 && u->cache_write > 0) u->input += u->cache_write;
}

int bedrock_decode_answer(const struct json *v, struct arena *a,
                          struct model_answer *out, struct err *e) {
    if (wire_error(v, out)) return 0;
    const struct json *message = json_get(json_get(v, "output"), "message");
    if (!message && json_get(v, "message")) { /* {"message": "why not"} */
        out->stop = STOP_ERROR;
        out->error.message = wire_text(v, "message");
        return 0;
    }
    if (!wire_object(message))
        return fail(e, ERR_PEER, "the answer has no message");
    wire_read_stop(json_get(v, "stopReason"), out);
    bedrock_read_usage(json_get(v, "usage"), out);
    return read_blocks(json_get(message, "content"), &out->parts, a, e);
}
