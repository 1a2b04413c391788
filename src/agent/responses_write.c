/* SPDX-License-Identifier: MIT
 *
 * OpenAI's Responses, as they are written.
 */
#include "agent/responses.h"
#include "base/clock.h"

static const struct json *own(enum api api, const struct json *native) {
    return wire_native(API_RESPONSES, api, native);
}

bool responses_takes(const struct part *p) {
    if (p->kind == PART_THINKING || p->kind == PART_OPAQUE)
        return own(p->api, p->native ? p->native : p->inner) != NULL;
    return p->kind != PART_CALL || !p->partial;
}

/* -- content ----------------------------------------------------------------
 */

static int put_content_part(struct jw *w, const struct part *p, bool output,
                            struct err *e) {
    const struct json *inner = own(p->api, p->inner);
    if (p->kind == PART_OPAQUE) {
        if (!inner)
            return wire_unsupported("a part of this message", API_RESPONSES, e);
        jw_value(w, inner);
        return 0;
    }
    jw_object(w);
    if (p->kind == PART_IMAGE) {
        jw_put_text(w, "type", STR("input_image"));
        wire_put_image_url(w, "image_url", p);
        wire_rest(w, inner, "type image_url");
    } else if (p->kind == PART_REFUSAL) {
        jw_put_text(w, "type", STR("refusal"));
        jw_put_text(w, "refusal", p->text);
        wire_rest(w, inner, "type refusal");
    } else {
        jw_put_text(w, "type", output ? STR("output_text") : STR("input_text"));
        jw_put_text(w, "text", p->text);
        if (output && !json_get(inner, "annotations")) {
            jw_key(w, "annotations");
            jw_raw(w, STR("[]"));
        }
        wire_rest(w, inner, "type text");
    }
    jw_end_object(w);
    return 0;
}

static int put_content(struct jw *w, const struct part_list *parts,
                       struct err *e) {
    const struct part *one = parts->first;
    if (parts->count == 0) {
        jw_text(w, STR(""));
        return 0;
    }
    if (parts->count == 1 && one->kind == PART_TEXT &&
        !own(one->api, one->inner)) {
        jw_text(w, one->text);
        return 0;
    }
    jw_array(w);
    for (const struct part *p = one; p; p = p->next)
        if (p->kind != PART_RESULT && put_content_part(w, p, false, e))
            return -1;
    jw_end_array(w);
    return 0;
}

/* -- items ------------------------------------------------------------------
 */

static bool is_said(const struct part *p) {
    return p->kind == PART_TEXT || p->kind == PART_REFUSAL;
}

/* Texts that stood in one item stand in one again. */
static const struct part *item_end(const struct part *p) {
    const struct json *item = own(p->api, p->native);
    const struct part *end = p->next;
    while (end && item && is_said(end) && own(end->api, end->native) == item)
        end = end->next;
    return end;
}

/* The id where the API wants one and the part brings none. */
static void put_item_id(struct jw *w, const struct item_place *at,
                        const char *prefix) {
    AUTO_BUF struct buf id = BUF_MAX(4096);
    struct err e;
    if (responses_item_id(at, prefix, NULL, &id, &e) == 0)
        jw_put_text(w, "id", buf_str(&id));
}

int responses_item_id(const struct item_place *at, const char *prefix,
                      const struct part *p, struct buf *out, struct err *e) {
    const struct json *native = p ? own(p->api, p->native) : NULL;
    str id = wire_text(native, "id");
    if (id.n > 0) return buf_add_str(out, id, e);
    return buf_addf(out, e, "%s_%.*s_%zu", prefix, STR_ARG(at->id), at->index);
}

static int put_said(struct jw *w, const struct item_place *at,
                    const struct part *p, const struct part *end,
                    struct err *e) {
    const struct json *item = own(p->api, p->native);
    jw_object(w);
    jw_put_text(w, "role", STR("assistant"));
    if (at && !json_get(item, "type")) jw_put_text(w, "type", STR("message"));
    if (at && !json_get(item, "id")) put_item_id(w, at, "msg");
    if (at && !json_get(item, "status"))
        jw_put_text(w, "status", STR("completed"));
    jw_key(w, "content");
    if (!at && !own(p->api, p->inner) && p->kind == PART_TEXT) {
        jw_text(w, p->text);
    } else {
        jw_array(w);
        for (; p != end; p = p->next)
            if (put_content_part(w, p, true, e)) return -1;
        jw_end_array(w);
    }
    wire_rest(w, item, "role content");
    jw_end_object(w);
    return 0;
}

static void put_call(struct jw *w, const struct item_place *at,
                     const struct part *p) {
    const struct json *native = own(p->api, p->native);
    jw_object(w);
    jw_put_text(w, "type",
                p->custom ? STR("custom_tool_call") : STR("function_call"));
    if (at && !json_get(native, "id")) put_item_id(w, at, "fc");
    if (at) jw_put_text(w, "status", STR("completed"));
    jw_put_text(w, "call_id", p->id);
    jw_put_text(w, "name", p->name);
    jw_key(w, p->custom ? "input" : "arguments");
    wire_put_args_text(w, p);
    wire_rest(w, native,
              at ? "type call_id name input arguments status"
                 : "type call_id name input arguments");
    jw_end_object(w);
}

int responses_put_item(struct jw *w, const struct item_place *at,
                       const struct part *p, const struct part **next,
                       struct err *e) {
    *next = item_end(p);
    if (is_said(p)) return put_said(w, at, p, *next, e);
    if (p->kind == PART_CALL)
        put_call(w, at, p);
    else
        jw_value(w, p->native);
    return 0;
}

static int put_result(struct jw *w, const struct part *p, struct err *e) {
    const struct json *native = own(p->api, p->native);
    jw_object(w);
    jw_put_text(w, "type",
                p->custom ? STR("custom_tool_call_output")
                          : STR("function_call_output"));
    jw_put_text(w, "call_id", p->id);
    jw_key(w, "output");
    bool foreign = false;
    for (const struct part *q = p->content.first; q; q = q->next)
        foreign =
            foreign || (q->kind == PART_OPAQUE && q->api != API_RESPONSES);
    if (foreign) {
        AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
        if (wire_result_text(p, &text, e)) return -1;
        jw_text(w, buf_str(&text));
    } else if (put_content(w, &p->content, e)) {
        return -1;
    }
    wire_rest(w, native, "type call_id output");
    jw_end_object(w);
    return 0;
}

/* -- requests ---------------------------------------------------------------
 */

static int put_assistant(struct jw *w, const struct message *m, struct err *e) {
    const struct part *p = m->parts.first;
    while (p) {
        const struct part *next = p->next;
        if (responses_takes(p) && responses_put_item(w, NULL, p, &next, e))
            return -1;
        p = next;
    }
    return 0;
}

static int put_other(struct jw *w, const struct message *m, struct err *e) {
    size_t results = 0;
    for (const struct part *p = m->parts.first; p; p = p->next) {
        if (p->kind != PART_RESULT) continue;
        results++;
        if (put_result(w, p, e)) return -1;
    }
    if (results > 0 && results == m->parts.count) return 0;
    jw_object(w);
    jw_put_text(w, "role",
                m->api == API_RESPONSES && m->role_word.n > 0
                    ? m->role_word
                    : str_of(role_name(m->role)));
    jw_key(w, "content");
    if (put_content(w, &m->parts, e)) return -1;
    wire_rest(w, own(m->api, m->native), "role content");
    jw_end_object(w);
    return 0;
}

/* The first message, where it says how to behave. */
static const struct message *instructions(const struct model_request *q) {
    const struct message *m = q->messages.first;
    if (!m || m->role != ROLE_SYSTEM || m->parts.count != 1) return NULL;
    if (m->parts.first->kind != PART_TEXT) return NULL;
    if (m->api == API_RESPONSES && !str_is(m->role_word, "instructions"))
        return NULL;
    return m;
}

static int put_input(struct jw *w, const struct model_request *q,
                     struct err *e) {
    const struct message *top = instructions(q);
    if (top) jw_put_text(w, "instructions", top->parts.first->text);
    jw_key(w, "input");
    jw_array(w);
    for (const struct message *m = top ? top->next : q->messages.first; m;
         m = m->next)
        if (m->role == ROLE_ASSISTANT ? put_assistant(w, m, e)
                                      : put_other(w, m, e))
            return -1;
    jw_end_array(w);
    return 0;
}

/* strict is always said: left out, the server would change the schema. */
static int put_offer(struct jw *w, const struct vendor *to,
                     const struct offer *o, struct err *e) {
    const struct json *native = own(o->api, o->native);
    if (o->kind == OFFER_OPAQUE)
        return wire_vendor_tool(w, native, API_RESPONSES, e);
    bool custom = o->kind == OFFER_CUSTOM;
    jw_object(w);
    jw_put_text(w, "type", custom ? STR("custom") : STR("function"));
    jw_put_text(w, "name", o->name);
    if (o->description.p) jw_put_text(w, "description", o->description);
    if (!custom) {
        jw_key(w, "parameters");
        if (o->schema)
            jw_value(w, o->schema);
        else
            jw_null(w);
        if (o->strict >= 0 || !native)
            jw_put_bool(w, "strict",
                        o->strict > 0 && vendor_has(to, VENDOR_STRICT));
    }
    wire_rest(w, native, "type name description parameters strict");
    jw_end_object(w);
    return 0;
}

static const char *mode_word(enum choice_mode mode) {
    if (mode == CHOICE_NONE) return "none";
    return mode == CHOICE_REQUIRED ? "required" : "auto";
}

static void put_allowed(struct jw *w, const struct choice *c) {
    jw_object(w);
    jw_put_text(w, "type", STR("allowed_tools"));
    jw_put_text(w, "mode", str_of(mode_word(c->mode)));
    jw_key(w, "tools");
    jw_array(w);
    for (size_t i = 0; i < c->allowed_count; i++) {
        jw_object(w);
        jw_put_text(w, "type", STR("function"));
        jw_put_text(w, "name", c->allowed[i]);
        jw_end_object(w);
    }
    jw_end_array(w);
    jw_end_object(w);
}

static void put_choice(struct jw *w, const struct model_request *q) {
    const struct choice *c = &q->choice;
    const struct json *native = own(c->api, c->native);
    if (c->parallel >= 0) jw_put_bool(w, "parallel_tool_calls", c->parallel);
    if (c->mode == CHOICE_UNSAID && !native) return;
    jw_key(w, "tool_choice");
    if (c->mode == CHOICE_UNSAID) {
        jw_value(w, native);
    } else if (c->allowed) {
        put_allowed(w, c);
    } else if (c->mode == CHOICE_ONE) {
        const struct offer *o = offer_find(&q->offers, c->name);
        jw_object(w);
        jw_put_text(w, "type",
                    o && o->kind == OFFER_CUSTOM ? STR("custom")
                                                 : STR("function"));
        jw_put_text(w, "name", c->name);
        jw_end_object(w);
    } else {
        jw_text(w, str_of(mode_word(c->mode)));
    }
}

/* Nothing is kept there: all items go back each time. */
static void put_own(struct jw *w, const struct vendor *to,
                    const struct model_request *q) {
    bool odds = q->alternatives > 0 && vendor_has(to, VENDOR_LOGPROBS);
    jw_put_bool(w, "store", false);
    jw_key(w, "include");
    jw_array(w);
    jw_text(w, STR("reasoning.encrypted_content"));
    if (odds) jw_text(w, STR("message.output_text.logprobs"));
    jw_end_array(w);
    if (odds) jw_put_int(w, "top_logprobs", q->alternatives);
}

int responses_encode_request(const struct vendor *to,
                             const struct model_request *q, struct jw *w,
                             struct err *e) {
    const struct json *native = own(q->api, q->native);
    jw_object(w);
    jw_put_text(w, "model", q->model);
    if (put_input(w, q, e)) return -1;
    if (q->offers.count > 0) {
        jw_key(w, "tools");
        jw_array(w);
        for (const struct offer *o = q->offers.first; o; o = o->next)
            if (put_offer(w, to, o, e)) return -1;
        jw_end_array(w);
        put_choice(w, q);
    }
    if (q->max_tokens >= 0) jw_put_int(w, "max_output_tokens", q->max_tokens);
    if (q->temperature) jw_key(w, "temperature"), jw_value(w, q->temperature);
    if (q->top_p) jw_key(w, "top_p"), jw_value(w, q->top_p);
    if (q->stream || json_get(native, "stream"))
        jw_put_bool(w, "stream", q->stream);
    if (!native) put_own(w, to, q);
    wire_rest(w, native,
              "model input instructions tools tool_choice parallel_tool_calls "
              "max_output_tokens temperature top_p stream");
    jw_end_object(w);
    return 0;
}

/* -- answers ----------------------------------------------------------------
 */

static void put_usage(struct jw *w, const struct model_answer *m) {
    const struct usage *u = &m->usage;
    if (own(m->api, m->usage_native)) {
        jw_value(w, m->usage_native);
        return;
    }
    int64_t in = u->input < 0 ? 0 : u->input;
    int64_t made = u->output < 0 ? 0 : u->output;
    jw_object(w);
    jw_put_int(w, "input_tokens", in);
    jw_key(w, "input_tokens_details");
    jw_object(w);
    jw_put_int(w, "cached_tokens", u->cache_read < 0 ? 0 : u->cache_read);
    jw_end_object(w);
    jw_put_int(w, "output_tokens", made);
    jw_key(w, "output_tokens_details");
    jw_object(w);
    jw_put_int(w, "reasoning_tokens", u->thinking < 0 ? 0 : u->thinking);
    jw_end_object(w);
    jw_put_int(w, "total_tokens", in + made);
    jw_end_object(w);
}

static void put_incomplete(struct jw *w, const struct model_answer *m) {
    jw_key(w, "incomplete_details");
    if (m->stop != STOP_LENGTH && m->stop != STOP_FILTER) {
        jw_null(w);
        return;
    }
    jw_object(w);
    jw_put_text(w, "reason", str_of(stop_word(API_RESPONSES, m->stop)));
    jw_end_object(w);
}

int responses_put_object(struct jw *w, const struct model_answer *m,
                         const char *status, bool with_output, struct err *e) {
    const struct json *native = own(m->api, m->native);
    const struct part *p = m->parts.first;
    struct item_place at = {m->id, 0};
    jw_object(w);
    jw_put_text(w, "id", m->id);
    jw_put_text(w, "object", STR("response"));
    if (!json_get(native, "created_at"))
        jw_put_int(w, "created_at", clock_wall_ns() / 1000000000);
    jw_put_text(w, "status", str_of(status));
    jw_put_text(w, "model", m->model);
    jw_key(w, "output");
    jw_array(w);
    while (p && with_output) {
        const struct part *next = p->next;
        if (responses_takes(p)) {
            if (responses_put_item(w, &at, p, &next, e)) return -1;
            at.index++;
        }
        p = next;
    }
    jw_end_array(w);
    if (with_output) {
        put_incomplete(w, m);
        jw_key(w, "usage");
        put_usage(w, m);
    }
    if (!json_get(native, "error")) {
        jw_key(w, "error");
        jw_null(w);
    }
    wire_rest(w, native,
              "id object status model output incomplete_details usage");
    jw_end_object(w);
    return 0;
}

int responses_encode_answer(const struct model_answer *m, struct jw *w,
                            struct err *e) {
    bool cut = m->stop == STOP_LENGTH || m->stop == STOP_FILTER;
    return responses_put_object(w, m, cut ? "incomplete" : "completed", true,
                                e);
}
