/* SPDX-License-Identifier: MIT
 *
 * Amazon Bedrock's Converse, as it is written.
 */
#include "agent/bedrock.h"

static const struct json *own(enum api api, const struct json *native) {
    return wire_native(API_BEDROCK, api, native);
}

static bool takes(const struct part *p) {
    if (p->kind == PART_THINKING || p->kind == PART_OPAQUE)
        return own(p->api, p->native) != NULL;
    if (p->kind == PART_IMAGE) return p->data.n > 0;
    return p->kind != PART_CALL || !p->partial;
}

static int put_block(struct jw *w, const struct part *p, struct err *e);

static void put_call(struct jw *w, const struct part *p,
                     const struct json *native) {
    jw_key(w, "toolUse");
    jw_object(w);
    jw_put_text(w, "toolUseId", p->id);
    jw_put_text(w, "name", p->name);
    jw_key(w, "input");
    wire_put_args(w, p);
    wire_rest(w, json_get(native, "toolUse"), "toolUseId name input");
    jw_end_object(w);
}

static int put_result(struct jw *w, const struct part *p,
                      const struct json *native, struct err *e) {
    const struct json *from = json_get(native, "toolResult");
    jw_key(w, "toolResult");
    jw_object(w);
    jw_put_text(w, "toolUseId", p->id);
    jw_key(w, "content");
    jw_array(w);
    for (const struct part *q = p->content.first; q; q = q->next)
        if (takes(q) && put_block(w, q, e)) return -1;
    jw_end_array(w);
    if (p->failed)
        jw_put_text(w, "status", STR("error"));
    else if (json_get(from, "status"))
        jw_put_text(w, "status", STR("success"));
    wire_rest(w, from, "toolUseId content status");
    jw_end_object(w);
    return 0;
}

static void put_image(struct jw *w, const struct part *p) {
    str format = p->mime;
    if (str_starts(format, STR("image/")))
        format = str_sub(format, 6, format.n);
    jw_key(w, "image");
    jw_object(w);
    jw_put_text(w, "format", format);
    jw_key(w, "source");
    jw_object(w);
    jw_put_text(w, "bytes", p->data);
    jw_end_object(w);
    jw_end_object(w);
}

static int put_block(struct jw *w, const struct part *p, struct err *e) {
    const struct json *native = own(p->api, p->native);
    if (p->kind == PART_THINKING || p->kind == PART_OPAQUE) {
        jw_value(w, native);
        return 0;
    }
    jw_object(w);
    if (p->kind == PART_CALL) {
        put_call(w, p, native);
    } else if (p->kind == PART_RESULT) {
        if (put_result(w, p, native, e)) return -1;
    } else if (p->kind == PART_IMAGE) {
        put_image(w, p);
    } else {
        jw_put_text(w, "text", p->text);
    }
    wire_rest(w, native, "text toolUse toolResult image");
    jw_end_object(w);
    return 0;
}

static int put_messages(struct jw *w, const struct messages *in, bool system,
                        struct err *e) {
    const struct message *m = in->first;
    while (m) {
        const struct message *end = m->next;
        if ((m->role == ROLE_SYSTEM) != system) {
            m = end;
            continue;
        }
        while (!system && end && end->role == m->role)
            end = end->next;
        if (!system) {
            jw_object(w);
            jw_put_text(w, "role", str_of(role_name(m->role)));
            jw_key(w, "content");
            jw_array(w);
        }
        for (; m != end; m = m->next)
            for (const struct part *p = m->parts.first; p; p = p->next) {
                if (!takes(p) && m->role == ROLE_USER)
                    return wire_unsupported("a part of this message",
                                            API_BEDROCK, e);
                if (takes(p) && put_block(w, p, e)) return -1;
            }
        if (!system) {
            jw_end_array(w);
            jw_end_object(w);
        }
    }
    return 0;
}

static int put_offer(struct jw *w, const struct vendor *to,
                     const struct offer *o, struct err *e) {
    const struct json *native = own(o->api, o->native);
    if (o->kind == OFFER_OPAQUE)
        return wire_vendor_tool(w, native, API_BEDROCK, e);
    const struct json *spec = json_get(native, "toolSpec");
    jw_object(w);
    jw_key(w, "toolSpec");
    jw_object(w);
    jw_put_text(w, "name", o->name);
    if (o->description.n > 0) jw_put_text(w, "description", o->description);
    jw_key(w, "inputSchema");
    jw_object(w);
    jw_key(w, "json");
    if (o->schema)
        jw_value(w, o->schema);
    else
        jw_raw(w, STR("{\"type\":\"object\"}"));
    jw_end_object(w);
    if (o->strict >= 0 && vendor_has(to, VENDOR_STRICT))
        jw_put_bool(w, "strict", o->strict);
    wire_rest(w, spec, "name description inputSchema strict");
    jw_end_object(w);
    wire_rest(w, native, "toolSpec");
    jw_end_object(w);
    return 0;
}

static void put_choice(struct jw *w, const struct choice *c) {
    if (c->mode == CHOICE_UNSAID || c->mode == CHOICE_NONE) return;
    jw_key(w, "toolChoice");
    jw_object(w);
    jw_key(w, c->mode == CHOICE_ONE        ? "tool"
              : c->mode == CHOICE_REQUIRED ? "any"
                                           : "auto");
    jw_object(w);
    if (c->mode == CHOICE_ONE) jw_put_text(w, "name", c->name);
    jw_end_object(w);
    jw_end_object(w);
}

/* There is no word for "none": the tools are left out instead. */
static int put_tools(struct jw *w, const struct vendor *to,
                     const struct model_request *q, struct err *e) {
    const struct json *native = own(q->api, q->native);
    if (q->offers.count == 0 || q->choice.mode == CHOICE_NONE) return 0;
    jw_key(w, "toolConfig");
    jw_object(w);
    jw_key(w, "tools");
    jw_array(w);
    for (const struct offer *o = q->offers.first; o; o = o->next)
        if (put_offer(w, to, o, e)) return -1;
    jw_end_array(w);
    put_choice(w, &q->choice);
    wire_rest(w, json_get(native, "toolConfig"), "tools toolChoice");
    jw_end_object(w);
    return 0;
}

static void put_limits(struct jw *w, const struct model_request *q) {
    const struct json *native = own(q->api, q->native);
    jw_key(w, "inferenceConfig");
    jw_object(w);
    if (q->max_tokens >= 0) jw_put_int(w, "maxTokens", q->max_tokens);
    if (q->temperature) jw_key(w, "temperature"), jw_value(w, q->temperature);
    if (q->top_p) jw_key(w, "topP"), jw_value(w, q->top_p);
    if (wire_array(q->stop)) jw_key(w, "stopSequences"), jw_value(w, q->stop);
    wire_rest(w, json_get(native, "inferenceConfig"),
              "maxTokens temperature topP stopSequences");
    jw_end_object(w);
}

int bedrock_encode_request(const struct vendor *to,
                           const struct model_request *q, struct jw *w,
                           struct err *e) {
    jw_object(w);
    jw_key(w, "messages");
    jw_array(w);
    if (put_messages(w, &q->messages, false, e)) return -1;
    jw_end_array(w);
    jw_key(w, "system");
    jw_array(w);
    if (put_messages(w, &q->messages, true, e)) return -1;
    jw_end_array(w);
    if (put_tools(w, to, q, e)) return -1;
    put_limits(w, q);
    wire_rest(w, own(q->api, q->native),
              "messages system toolConfig inferenceConfig model stream");
    jw_end_object(w);
    return 0;
}

static void put_usage(struct jw *w, const struct model_answer *m) {
    const struct usage *u = &m->usage;
    int64_t read = u->cache_read > 0 ? u->cache_read : 0;
    int64_t wrote = u->cache_write > 0 ? u->cache_write : 0;
    int64_t in = u->input < 0 ? 0 : u->input;
    int64_t made = u->output < 0 ? 0 : u->output;
    if (own(m->api, m->usage_native)) {
        jw_value(w, m->usage_native);
        return;
    }
    jw_object(w);
    jw_put_int(w, "inputTokens", in - read - wrote);
    jw_put_int(w, "outputTokens", made);
    jw_put_int(w, "totalTokens", in + made);
    jw_put_int(w, "cacheReadInputTokens", read);
    jw_put_int(w, "cacheWriteInputTokens", wrote);
    jw_end_object(w);
}

int bedrock_encode_answer(const struct model_answer *m, struct jw *w,
                          struct err *e) {
    const struct json *native = own(m->api, m->native);
    jw_object(w);
    jw_key(w, "output");
    jw_object(w);
    jw_key(w, "message");
    jw_object(w);
    jw_put_text(w, "role", STR("assistant"));
    jw_key(w, "content");
    jw_array(w);
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (takes(p) && put_block(w, p, e)) return -1;
    jw_end_array(w);
    jw_end_object(w);
    jw_end_object(w);
    jw_put_text(w, "stopReason", str_of(stop_word(API_BEDROCK, m->stop)));
    jw_key(w, "usage");
    put_usage(w, m);
    wire_rest(w, native, "output stopReason usage");
    jw_end_object(w);
    return 0;
}
