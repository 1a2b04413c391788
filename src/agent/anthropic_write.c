/* SPDX-License-Identifier: MIT
 *
 * Anthropic's Messages, as they are written.
 */
#include "agent/anthropic.h"

/* The API wants a limit; every model takes this one. */
#define MAX_TOKENS 4096

static const struct json *own(enum api api, const struct json *native) {
    return wire_native(API_ANTHROPIC, api, native);
}

static void put_cache_mark(struct jw *w, const struct json *native,
                           bool cache) {
    if (json_get(native, "cache_control") || !cache) return;
    jw_key(w, "cache_control");
    jw_raw(w, STR("{\"type\":\"ephemeral\"}"));
}

/* -- blocks -----------------------------------------------------------------
 */

bool anthropic_takes(const struct part *p) {
    if (p->kind == PART_THINKING || p->kind == PART_OPAQUE)
        return own(p->api, p->native) != NULL;
    if (p->kind == PART_CALL) return !p->partial;
    /* an empty text block is an error there */
    if (p->kind == PART_TEXT) return p->text.n > 0;
    return true;
}

static void put_image(struct jw *w, const struct part *p,
                      const struct json *native) {
    jw_put_text(w, "type", STR("image"));
    jw_key(w, "source");
    jw_object(w);
    if (p->data.n > 0) {
        jw_put_text(w, "type", STR("base64"));
        jw_put_text(w, "media_type", p->mime);
        jw_put_text(w, "data", p->data);
    } else {
        jw_put_text(w, "type", STR("url"));
        jw_put_text(w, "url", p->url);
    }
    wire_rest(w, json_get(native, "source"), "type media_type data url");
    jw_end_object(w);
    wire_rest(w, native, "type source");
}

static int put_result(struct jw *w, const struct part *p,
                      const struct json *native, struct err *e) {
    jw_put_text(w, "type", STR("tool_result"));
    jw_put_text(w, "tool_use_id", p->id);
    jw_key(w, "content");
    const struct part *one = p->content.first;
    if (p->content.count == 0) {
        jw_text(w, STR(""));
    } else if (p->content.count == 1 && one->kind == PART_TEXT &&
               !own(one->api, one->native)) {
        jw_text(w, one->text);
    } else {
        jw_array(w);
        for (const struct part *q = one; q; q = q->next)
            if (anthropic_takes(q) && anthropic_put_block(w, q, e)) return -1;
        jw_end_array(w);
    }
    if (p->failed || json_get(native, "is_error"))
        jw_put_bool(w, "is_error", p->failed);
    wire_rest(w, native, "type tool_use_id content is_error");
    return 0;
}

static void put_call(struct jw *w, const struct part *p,
                     const struct json *native) {
    jw_put_text(w, "type", STR("tool_use"));
    jw_put_text(w, "id", p->id);
    jw_put_text(w, "name", p->name);
    jw_key(w, "input");
    if (p->custom) {
        jw_object(w);
        jw_put_text(w, "input", p->text);
        jw_end_object(w);
    } else {
        wire_put_args(w, p);
    }
    wire_rest(w, native, "type id name input");
}

int anthropic_put_block(struct jw *w, const struct part *p, struct err *e) {
    const struct json *native = own(p->api, p->native);
    if (p->kind == PART_OPAQUE || p->kind == PART_THINKING) {
        jw_value(w, native);
        return 0;
    }
    jw_object(w);
    if (p->kind == PART_IMAGE) {
        put_image(w, p, native);
    } else if (p->kind == PART_CALL) {
        put_call(w, p, native);
    } else if (p->kind == PART_RESULT) {
        if (put_result(w, p, native, e)) return -1;
    } else {
        jw_put_text(w, "type", STR("text"));
        jw_put_text(w, "text", p->text);
        wire_rest(w, native, "type text");
    }
    put_cache_mark(w, native, p->cache);
    jw_end_object(w);
    return 0;
}

/* -- messages ---------------------------------------------------------------
 */

/* Roles must alternate: messages of one role in a row become one. Results
 * stand first in it. */
static int put_run(struct jw *w, const struct message *first,
                   const struct message *end, bool results, struct err *e) {
    for (const struct message *m = first; m != end; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next) {
            if ((p->kind == PART_RESULT) != results) continue;
            if (p->kind == PART_OPAQUE && m->role == ROLE_USER &&
                !anthropic_takes(p))
                return wire_unsupported("a part of this message", API_ANTHROPIC,
                                        e);
            if (anthropic_takes(p) && anthropic_put_block(w, p, e)) return -1;
        }
    return 0;
}

/* A system message that stands between others, in this API's own form. */
static bool in_place(const struct message *m) {
    return m->role == ROLE_SYSTEM && m->api == API_ANTHROPIC &&
           m->role_word.n > 0;
}

static bool is_top(const struct message *m) {
    return m->role == ROLE_SYSTEM && !in_place(m);
}

static int put_messages(struct jw *w, const struct messages *in,
                        struct err *e) {
    const struct message *m = in->first;
    while (m) {
        if (is_top(m)) {
            m = m->next;
            continue;
        }
        const struct message *end = m->next;
        while (end && end->role == m->role && !in_place(m))
            end = end->next;
        jw_object(w);
        jw_put_text(w, "role", str_of(role_name(m->role)));
        jw_key(w, "content");
        jw_array(w);
        if (put_run(w, m, end, true, e) || put_run(w, m, end, false, e))
            return -1;
        jw_end_array(w);
        jw_end_object(w);
        m = end;
    }
    return 0;
}

static int put_system(struct jw *w, const struct messages *in, struct err *e) {
    bool any = false;
    for (const struct message *m = in->first; m; m = m->next) {
        if (!is_top(m)) continue;
        for (const struct part *p = m->parts.first; p; p = p->next) {
            if (!anthropic_takes(p)) continue;
            if (!any) {
                jw_key(w, "system");
                jw_array(w);
            }
            any = true;
            if (anthropic_put_block(w, p, e)) return -1;
        }
    }
    if (any) jw_end_array(w);
    return 0;
}

/* -- requests ---------------------------------------------------------------
 */

static int put_offer(struct jw *w, const struct vendor *to,
                     const struct offer *o, struct err *e) {
    const struct json *native = own(o->api, o->native);
    if (o->kind == OFFER_OPAQUE)
        return wire_vendor_tool(w, native, API_ANTHROPIC, e);
    jw_object(w);
    jw_put_text(w, "name", o->name);
    if (o->description.p) jw_put_text(w, "description", o->description);
    jw_key(w, "input_schema");
    if (o->schema)
        jw_value(w, o->schema);
    else if (o->kind == OFFER_CUSTOM)
        jw_raw(w,
               STR("{\"type\":\"object\",\"properties\":{\"input\":{\"type\":"
                   "\"string\"}},\"required\":[\"input\"]}"));
    else
        jw_raw(w, STR("{\"type\":\"object\"}"));
    if (o->strict >= 0 && vendor_has(to, VENDOR_STRICT))
        jw_put_bool(w, "strict", o->strict);
    wire_rest(w, native, "name description input_schema strict");
    put_cache_mark(w, native, o->cache);
    jw_end_object(w);
    return 0;
}

/* Of the offers only those that may be called: there is no list of names. */
static bool is_allowed(const struct choice *c, const struct offer *o) {
    if (!c->allowed || o->kind == OFFER_OPAQUE) return true;
    for (size_t i = 0; i < c->allowed_count; i++)
        if (str_eq(c->allowed[i], o->name)) return true;
    return false;
}

static int put_offers(struct jw *w, const struct vendor *to,
                      const struct model_request *q, struct err *e) {
    if (q->offers.count == 0) return 0;
    jw_key(w, "tools");
    jw_array(w);
    for (const struct offer *o = q->offers.first; o; o = o->next)
        if (is_allowed(&q->choice, o) && put_offer(w, to, o, e)) return -1;
    jw_end_array(w);
    return 0;
}

static void put_choice(struct jw *w, const struct choice *c) {
    static const char *const words[] = {
        [CHOICE_UNSAID] = "auto", [CHOICE_AUTO] = "auto",
        [CHOICE_NONE] = "none",   [CHOICE_REQUIRED] = "any",
        [CHOICE_ONE] = "tool",
    };
    const struct json *native = own(c->api, c->native);
    if (c->mode == CHOICE_UNSAID && c->parallel < 0) return;
    jw_key(w, "tool_choice");
    jw_object(w);
    jw_put_text(w, "type", str_of(words[c->mode]));
    if (c->mode == CHOICE_ONE) jw_put_text(w, "name", c->name);
    if (c->parallel >= 0 && c->mode != CHOICE_NONE)
        jw_put_bool(w, "disable_parallel_tool_use", !c->parallel);
    wire_rest(w, native, "type name disable_parallel_tool_use");
    jw_end_object(w);
}

static void put_stop(struct jw *w, const struct json *stop) {
    jw_key(w, "stop_sequences");
    if (json_type(stop) == JSON_ARRAY) {
        jw_value(w, stop);
        return;
    }
    jw_array(w);
    jw_value(w, stop);
    jw_end_array(w);
}

int anthropic_encode_request(const struct vendor *to,
                             const struct model_request *q, struct jw *w,
                             struct err *e) {
    const struct json *native = own(q->api, q->native);
    jw_object(w);
    jw_put_text(w, "model", q->model);
    if (q->max_tokens >= 0 || !native)
        jw_put_int(w, "max_tokens",
                   q->max_tokens < 0 ? MAX_TOKENS : q->max_tokens);
    if (put_system(w, &q->messages, e)) return -1;
    jw_key(w, "messages");
    jw_array(w);
    if (put_messages(w, &q->messages, e)) return -1;
    jw_end_array(w);
    if (put_offers(w, to, q, e)) return -1;
    if (q->offers.count > 0) put_choice(w, &q->choice);
    if (q->temperature) jw_key(w, "temperature"), jw_value(w, q->temperature);
    if (q->top_p) jw_key(w, "top_p"), jw_value(w, q->top_p);
    if (q->stop && json_type(q->stop) != JSON_NULL) put_stop(w, q->stop);
    if (q->stream || json_get(native, "stream"))
        jw_put_bool(w, "stream", q->stream);
    wire_rest(w, native,
              "model max_tokens system messages tools tool_choice temperature "
              "top_p stop_sequences stream");
    jw_end_object(w);
    return 0;
}

/* -- answers ----------------------------------------------------------------
 */

void anthropic_put_usage(struct jw *w, const struct model_answer *m) {
    const struct usage *u = &m->usage;
    int64_t read = u->cache_read > 0 ? u->cache_read : 0;
    int64_t wrote = u->cache_write > 0 ? u->cache_write : 0;
    int64_t in = u->input < 0 ? 0 : u->input - read - wrote;
    jw_object(w);
    jw_put_int(w, "input_tokens", in < 0 ? 0 : in);
    jw_put_int(w, "output_tokens", u->output < 0 ? 0 : u->output);
    jw_put_int(w, "cache_read_input_tokens", read);
    jw_put_int(w, "cache_creation_input_tokens", wrote);
    wire_rest(w, own(m->api, m->usage_native),
              "input_tokens output_tokens cache_read_input_tokens "
              "cache_creation_input_tokens");
    jw_end_object(w);
}

int anthropic_encode_answer(const struct model_answer *m, struct jw *w,
                            struct err *e) {
    const struct json *native = own(m->api, m->native);
    jw_object(w);
    jw_put_text(w, "id", m->id);
    jw_put_text(w, "type", STR("message"));
    jw_put_text(w, "role", STR("assistant"));
    jw_put_text(w, "model", m->model);
    jw_key(w, "content");
    jw_array(w);
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (anthropic_takes(p) && anthropic_put_block(w, p, e)) return -1;
    jw_end_array(w);
    jw_put_text(w, "stop_reason",
                native && m->stop_text.n > 0 && m->stop != STOP_CALLS
                    ? m->stop_text
                    : str_of(stop_word(API_ANTHROPIC, m->stop)));
    if (!json_get(native, "stop_sequence")) {
        jw_key(w, "stop_sequence");
        jw_null(w);
    }
    jw_key(w, "usage");
    anthropic_put_usage(w, m);
    wire_rest(w, native, "id type role model content stop_reason usage");
    jw_end_object(w);
    return 0;
}
