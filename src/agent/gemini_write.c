/* SPDX-License-Identifier: MIT
 *
 * Gemini's generateContent, as it is written.
 */
#include "agent/gemini.h"

/* What the API takes in place of a signature for calls that another model
 * made: the base64 of "skip_thought_signature_validator". */
#define NO_SIGNATURE "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="

static const struct json *own(enum api api, const struct json *native) {
    return wire_native(API_GEMINI, api, native);
}

bool gemini_takes(const struct part *p) {
    if (p->kind == PART_THINKING || p->kind == PART_OPAQUE)
        return own(p->api, p->native) != NULL;
    return p->kind != PART_CALL || !p->partial;
}

/* The part in native that names the call or result. */
static const struct json *inside(const struct json *native, const char *camel,
                                 const char *snake) {
    return native ? wire_get2(native, camel, snake) : NULL;
}

static void put_image(struct jw *w, const struct part *p) {
    if (p->data.n > 0) {
        jw_key(w, "inlineData");
        jw_object(w);
        jw_put_text(w, "mimeType", p->mime);
        jw_put_text(w, "data", p->data);
    } else {
        jw_key(w, "fileData");
        jw_object(w);
        if (p->mime.n > 0) jw_put_text(w, "mimeType", p->mime);
        jw_put_text(w, "fileUri", p->url);
    }
    jw_end_object(w);
}

/* Ids are not sent back where the API gave none. */
static void put_id(struct jw *w, str id, bool known) {
    if (known && id.n > 0) jw_put_text(w, "id", id);
}

static void put_call(struct jw *w, const struct part *p,
                     const struct json *native) {
    const struct json *f = inside(native, "functionCall", "function_call");
    jw_key(w, "functionCall");
    jw_object(w);
    put_id(w, p->id, !f || json_get(f, "id"));
    jw_put_text(w, "name", p->name);
    jw_key(w, "args");
    wire_put_args(w, p);
    wire_rest(w, f, "id name args partialArgs willContinue");
    jw_end_object(w);
    if (!native) jw_put_text(w, "thoughtSignature", STR(NO_SIGNATURE));
}

/* Did the call that this result answers have an id of the API's own? */
static bool call_has_id(const struct model_request *q, const struct part *r) {
    for (const struct message *m = q ? q->messages.first : NULL; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next) {
            if (p->kind != PART_CALL || !str_eq(p->id, r->id)) continue;
            const struct json *native = own(p->api, p->native);
            return !native ||
                   json_get(inside(native, "functionCall", "function_call"),
                            "id");
        }
    return true;
}

static int put_response(struct jw *w, const struct part *p, struct err *e) {
    const struct part *one = p->content.first;
    const struct json *native = one ? own(one->api, one->native) : NULL;
    jw_key(w, "response");
    if (one && one->kind == PART_TEXT && wire_object(native)) {
        jw_value(w, native);
        return 0;
    }
    AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
    for (const struct part *q = one; q; q = q->next)
        if (q->kind == PART_TEXT && buf_add_str(&text, q->text, e)) return -1;
    jw_object(w);
    jw_put_text(w, p->failed ? "error" : "output", buf_str(&text));
    jw_end_object(w);
    return 0;
}

static int put_more(struct jw *w, const struct part *p, struct err *e) {
    bool any = false;
    for (const struct part *q = p->content.first; q; q = q->next) {
        if (q->kind == PART_TEXT || !gemini_takes(q)) continue;
        if (!any) {
            jw_key(w, "parts");
            jw_array(w);
        }
        any = true;
        if (gemini_put_part(w, NULL, q, e)) return -1;
    }
    if (any) jw_end_array(w);
    return 0;
}

static int put_result(struct jw *w, const struct model_request *q,
                      const struct part *p, const struct json *native,
                      struct err *e) {
    const struct json *f =
        inside(native, "functionResponse", "function_response");
    jw_key(w, "functionResponse");
    jw_object(w);
    put_id(w, p->id, f ? json_get(f, "id") != NULL : call_has_id(q, p));
    jw_put_text(w, "name", q ? wire_call_name(q, p) : p->name);
    if (put_response(w, p, e) || put_more(w, p, e)) return -1;
    wire_rest(w, f, "id name response parts");
    jw_end_object(w);
    return 0;
}

int gemini_put_part(struct jw *w, const struct model_request *q,
                    const struct part *p, struct err *e) {
    const struct json *native = own(p->api, p->native);
    if (p->kind == PART_OPAQUE) {
        jw_value(w, native);
        return 0;
    }
    jw_object(w);
    switch (p->kind) {
    case PART_TEXT:
    case PART_REFUSAL: jw_put_text(w, "text", p->text); break;
    case PART_THINKING:
        jw_put_text(w, "text", p->text);
        jw_put_bool(w, "thought", true);
        break;
    case PART_IMAGE: put_image(w, p); break;
    case PART_CALL: put_call(w, p, native); break;
    case PART_RESULT:
        if (put_result(w, q, p, native, e)) return -1;
        break;
    case PART_OPAQUE: break;
    }
    wire_rest(w, native,
              "text thought inlineData inline_data fileData file_data "
              "functionCall function_call functionResponse function_response");
    jw_end_object(w);
    return 0;
}

/* -- requests ---------------------------------------------------------------
 */

static int put_parts(struct jw *w, const struct model_request *q,
                     const struct message *m, struct err *e) {
    jw_key(w, "parts");
    jw_array(w);
    for (const struct part *p = m->parts.first; p; p = p->next) {
        if (p->kind == PART_OPAQUE && m->role == ROLE_USER && !gemini_takes(p))
            return wire_unsupported("a part of this message", API_GEMINI, e);
        if (gemini_takes(p) && gemini_put_part(w, q, p, e)) return -1;
    }
    jw_end_array(w);
    return 0;
}

static int put_contents(struct jw *w, const struct model_request *q,
                        struct err *e) {
    jw_key(w, "contents");
    jw_array(w);
    for (const struct message *m = q->messages.first; m; m = m->next) {
        if (m->role == ROLE_SYSTEM) continue;
        jw_object(w);
        jw_put_text(w, "role",
                    m->role == ROLE_ASSISTANT ? STR("model") : STR("user"));
        if (put_parts(w, q, m, e)) return -1;
        wire_rest(w, own(m->api, m->native), "role parts");
        jw_end_object(w);
    }
    jw_end_array(w);
    return 0;
}

static int put_system(struct jw *w, const struct model_request *q,
                      struct err *e) {
    const struct json *native = NULL;
    bool any = false;
    for (const struct message *m = q->messages.first; m; m = m->next) {
        if (m->role != ROLE_SYSTEM) continue;
        if (!any) {
            jw_key(w, "systemInstruction");
            jw_object(w);
            jw_key(w, "parts");
            jw_array(w);
        }
        any = true;
        if (!native) native = own(m->api, m->native);
        for (const struct part *p = m->parts.first; p; p = p->next)
            if (p->kind == PART_TEXT && gemini_put_part(w, q, p, e)) return -1;
    }
    if (!any) return 0;
    jw_end_array(w);
    wire_rest(w, native, "parts");
    jw_end_object(w);
    return 0;
}

static void put_declaration(struct jw *w, const struct offer *o) {
    const struct json *native = own(o->api, o->native);
    const struct json *subset = json_get(native, "parameters");
    jw_object(w);
    jw_put_text(w, "name", o->name);
    if (o->description.p) jw_put_text(w, "description", o->description);
    if (o->schema) {
        jw_key(w, subset && json_equal(subset, o->schema)
                      ? "parameters"
                      : "parametersJsonSchema");
        jw_value(w, o->schema);
    }
    wire_rest(w, native,
              "name description parameters parametersJsonSchema "
              "parameters_json_schema");
    jw_end_object(w);
}

static int put_tools(struct jw *w, const struct model_request *q,
                     struct err *e) {
    size_t functions = 0;
    if (q->offers.count == 0) return 0;
    jw_key(w, "tools");
    jw_array(w);
    for (const struct offer *o = q->offers.first; o; o = o->next) {
        if (o->kind == OFFER_OPAQUE) continue;
        if (functions++ == 0) {
            jw_object(w);
            jw_key(w, "functionDeclarations");
            jw_array(w);
        }
        put_declaration(w, o);
    }
    if (functions > 0) {
        jw_end_array(w);
        jw_end_object(w);
    }
    for (const struct offer *o = q->offers.first; o; o = o->next) {
        if (o->kind != OFFER_OPAQUE) continue;
        if (!own(o->api, o->native))
            return wire_unsupported("a tool of the vendor", API_GEMINI, e);
        jw_object(w);
        wire_rest(w, o->native, "functionDeclarations function_declarations");
        jw_end_object(w);
    }
    jw_end_array(w);
    return 0;
}

static const char *mode_word(const struct choice *c,
                             const struct json *config) {
    if (c->mode == CHOICE_NONE) return "NONE";
    if (c->mode == CHOICE_REQUIRED || c->mode == CHOICE_ONE) return "ANY";
    return wire_is(config, "mode", "VALIDATED") ? "VALIDATED" : "AUTO";
}

static void put_choice(struct jw *w, const struct choice *c) {
    const struct json *native = own(c->api, c->native);
    const struct json *config = native
                                    ? wire_get2(native, "functionCallingConfig",
                                                "function_calling_config")
                                    : NULL;
    if (c->mode == CHOICE_UNSAID && !native) return;
    jw_key(w, "toolConfig");
    jw_object(w);
    if (c->mode != CHOICE_UNSAID) {
        jw_key(w, "functionCallingConfig");
        jw_object(w);
        jw_put_text(w, "mode", str_of(mode_word(c, config)));
        if (c->mode == CHOICE_ONE || c->allowed) {
            jw_key(w, "allowedFunctionNames");
            jw_array(w);
            if (c->mode == CHOICE_ONE) jw_text(w, c->name);
            for (size_t i = 0; i < c->allowed_count; i++)
                jw_text(w, c->allowed[i]);
            jw_end_array(w);
        }
        wire_rest(w, config,
                  "mode allowedFunctionNames allowed_function_names");
        jw_end_object(w);
    }
    wire_rest(w, native, "functionCallingConfig function_calling_config");
    jw_end_object(w);
}

static void put_config(struct jw *w, const struct vendor *to,
                       const struct model_request *q) {
    const struct json *native = own(q->api, q->native);
    const struct json *config =
        native ? wire_get2(native, "generationConfig", "generation_config")
               : NULL;
    bool odds = q->alternatives > 0 && vendor_has(to, VENDOR_LOGPROBS);
    bool any =
        q->max_tokens >= 0 || q->temperature || q->top_p || q->stop || odds;
    if (!any && !config) return;
    jw_key(w, "generationConfig");
    jw_object(w);
    if (q->max_tokens >= 0) jw_put_int(w, "maxOutputTokens", q->max_tokens);
    if (q->temperature) jw_key(w, "temperature"), jw_value(w, q->temperature);
    if (q->top_p) jw_key(w, "topP"), jw_value(w, q->top_p);
    if (q->stop) {
        bool list = json_type(q->stop) == JSON_ARRAY;
        jw_key(w, "stopSequences");
        if (!list) jw_array(w);
        jw_value(w, q->stop);
        if (!list) jw_end_array(w);
    }
    if (odds) {
        jw_put_bool(w, "responseLogprobs", true);
        jw_put_int(w, "logprobs", q->alternatives);
    }
    wire_rest(w, config, "maxOutputTokens temperature topP stopSequences");
    jw_end_object(w);
}

int gemini_encode_request(const struct vendor *to,
                          const struct model_request *q, struct jw *w,
                          struct err *e) {
    jw_object(w);
    if (put_contents(w, q, e) || put_system(w, q, e) || put_tools(w, q, e))
        return -1;
    if (q->offers.count > 0) put_choice(w, &q->choice);
    put_config(w, to, q);
    wire_rest(w, own(q->api, q->native),
              "contents systemInstruction system_instruction tools toolConfig "
              "tool_config generationConfig generation_config");
    jw_end_object(w);
    return 0;
}

/* -- answers ----------------------------------------------------------------
 */

void gemini_put_usage(struct jw *w, const struct model_answer *m) {
    const struct usage *u = &m->usage;
    if (own(m->api, m->usage_native)) {
        jw_value(w, m->usage_native);
        return;
    }
    int64_t in = u->input < 0 ? 0 : u->input;
    int64_t made = u->output < 0 ? 0 : u->output;
    int64_t thought = u->thinking < 0 ? 0 : u->thinking;
    jw_object(w);
    jw_put_int(w, "promptTokenCount", in);
    jw_put_int(w, "candidatesTokenCount", made - thought);
    if (u->thinking >= 0) jw_put_int(w, "thoughtsTokenCount", thought);
    if (u->cache_read >= 0)
        jw_put_int(w, "cachedContentTokenCount", u->cache_read);
    jw_put_int(w, "totalTokenCount", in + made);
    jw_end_object(w);
}

int gemini_encode_answer(const struct model_answer *m, struct jw *w,
                         struct err *e) {
    const struct json *native = own(m->api, m->native);
    const struct json *from = json_at(json_get(native, "candidates"), 0);
    jw_object(w);
    jw_key(w, "candidates");
    jw_array(w);
    jw_object(w);
    jw_key(w, "content");
    jw_object(w);
    jw_put_text(w, "role", STR("model"));
    jw_key(w, "parts");
    jw_array(w);
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (gemini_takes(p) && gemini_put_part(w, NULL, p, e)) return -1;
    jw_end_array(w);
    jw_end_object(w);
    jw_put_text(w, "finishReason",
                native && m->stop_text.n > 0
                    ? m->stop_text
                    : str_of(stop_word(API_GEMINI, m->stop)));
    wire_rest(w, from, "content finishReason");
    jw_end_object(w);
    jw_end_array(w);
    jw_key(w, "usageMetadata");
    gemini_put_usage(w, m);
    jw_put_text(w, "modelVersion", m->model);
    jw_put_text(w, "responseId", m->id);
    wire_rest(w, native, "candidates usageMetadata modelVersion responseId");
    jw_end_object(w);
    return 0;
}
