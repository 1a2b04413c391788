/* SPDX-License-Identifier: MIT
 *
 * OpenAI's Chat Completions, as it is written.
 */
#include "agent/chat.h"
#include "base/clock.h"

static const struct json *own(enum api api, const struct json *native) {
    return wire_native(API_CHAT, api, native);
}

/* -- messages ---------------------------------------------------------------
 */

static void put_cache_mark(struct jw *w, const struct vendor *to,
                           const struct json *native, bool cache) {
    if (json_get(native, "cache_control") || !cache) return;
    if (!vendor_has(to, VENDOR_CACHE_MARKS)) return;
    jw_key(w, "cache_control");
    jw_raw(w, STR("{\"type\":\"ephemeral\"}"));
}

static int put_part(struct jw *w, const struct vendor *to, const struct part *p,
                    struct err *e) {
    const struct json *native = own(p->api, p->native);
    if (p->kind == PART_OPAQUE || p->kind == PART_THINKING) {
        if (!native)
            return wire_unsupported("a part of this message", API_CHAT, e);
        jw_value(w, native);
        return 0;
    }
    jw_object(w);
    if (p->kind == PART_IMAGE) {
        jw_put_text(w, "type", STR("image_url"));
        jw_key(w, "image_url");
        jw_object(w);
        wire_put_image_url(w, "url", p);
        wire_rest(w, json_get(native, "image_url"), "url");
        jw_end_object(w);
    } else {
        const char *key = p->kind == PART_REFUSAL ? "refusal" : "text";
        jw_put_text(w, "type", str_of(key));
        jw_put_text(w, key, p->text);
    }
    wire_rest(w, native, "type text refusal image_url");
    put_cache_mark(w, to, native, p->cache);
    jw_end_object(w);
    return 0;
}

/* Members beside type and text, or a mark that must be told. */
static bool is_plain(const struct vendor *to, const struct part *p) {
    const struct json *native = own(p->api, p->native);
    if (p->cache && vendor_has(to, VENDOR_CACHE_MARKS)) return false;
    return p->kind == PART_TEXT && (!native || json_len(native) <= 2);
}

/* What stands in "content": thinking only where it was a part there. */
static bool in_content(const struct part *p) {
    if (p->kind == PART_THINKING)
        return p->name.n == 0 && own(p->api, p->native);
    if (p->kind == PART_OPAQUE) return p->api == API_CHAT;
    return p->kind == PART_TEXT || p->kind == PART_IMAGE;
}

/* One text is a string, the form that every server takes. */
static int put_content(struct jw *w, const struct vendor *to,
                       const struct part_list *parts, bool joined,
                       struct err *e) {
    size_t count = 0, plain = 0;
    const struct part *only = NULL;
    for (const struct part *p = parts->first; p; p = p->next) {
        if (!in_content(p)) continue;
        count++;
        plain += is_plain(to, p);
        only = p;
    }
    if (count == 1 && plain == 1) {
        jw_text(w, only->text);
        return 0;
    }
    if (joined && count == plain && count > 0) {
        AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
        for (const struct part *p = parts->first; p; p = p->next)
            if (in_content(p) && buf_add_str(&text, p->text, e)) return -1;
        jw_text(w, buf_str(&text));
        return 0;
    }
    jw_array(w);
    for (const struct part *p = parts->first; p; p = p->next)
        if (in_content(p) && put_part(w, to, p, e)) return -1;
    jw_end_array(w);
    return 0;
}

static size_t count_content(const struct part_list *parts) {
    size_t n = 0;
    for (const struct part *p = parts->first; p; p = p->next)
        n += in_content(p);
    return n;
}

void chat_put_call(struct jw *w, const struct part *p, int index) {
    const struct json *native = own(p->api, p->native);
    const struct json *f = json_get(native, p->custom ? "custom" : "function");
    jw_object(w);
    if (index >= 0) jw_put_int(w, "index", index);
    jw_put_text(w, "id", p->id);
    jw_put_text(w, "type", p->custom ? STR("custom") : STR("function"));
    jw_key(w, p->custom ? "custom" : "function");
    jw_object(w);
    jw_put_text(w, "name", p->name);
    jw_key(w, p->custom ? "input" : "arguments");
    wire_put_args_text(w, p);
    wire_rest(w, f, "name input arguments");
    jw_end_object(w);
    wire_rest(w, native, "index id type custom function");
    jw_end_object(w);
}

/* Calls whose end was never seen are not repeated to the model. */
static void put_calls(struct jw *w, const struct part_list *parts) {
    bool any = false;
    for (const struct part *p = parts->first; p; p = p->next) {
        if (p->kind != PART_CALL || p->partial) continue;
        if (!any) {
            jw_key(w, "tool_calls");
            jw_array(w);
        }
        any = true;
        const struct json *at = json_get(own(p->api, p->native), "index");
        chat_put_call(
            w, p, at && json_type(at) == JSON_INT ? (int)at->as.integer : -1);
    }
    if (any) jw_end_array(w);
}

/* The member that a thought stands in; empty: none. Other APIs' thoughts are
 * told to an app, but not to a server, which has no use for them. */
static str thinking_name(const struct part *p, bool answer) {
    if (p->kind != PART_THINKING) return STR("");
    if (p->api == API_CHAT) return p->name;
    return answer && p->text.n > 0 ? STR("reasoning_content") : STR("");
}

static int put_thoughts(struct jw *w, const struct part *from, str name,
                        bool answer, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
    const struct json *native = own(from->api, from->native);
    bool list = wire_array(native);
    if (native && !list) {
        jw_value(w, native);
        return 0;
    }
    if (list) jw_array(w);
    for (const struct part *p = from; p; p = p->next) {
        if (!str_eq(thinking_name(p, answer), name)) continue;
        if (!list) {
            if (buf_add_str(&text, p->text, e)) return -1;
            continue;
        }
        const struct json *item =
            wire_array(p->native) ? json_first(p->native) : NULL;
        for (size_t i = item ? json_len(p->native) : 0; i > 0;
             i--, item = json_skip(item))
            jw_value(w, item);
    }
    if (list)
        jw_end_array(w);
    else
        jw_text(w, buf_str(&text));
    return 0;
}

/* Thoughts of several rounds are one member, as all else is. */
static int put_thinking(struct jw *w, const struct part_list *parts,
                        bool answer, struct err *e) {
    for (const struct part *p = parts->first; p; p = p->next) {
        str name = thinking_name(p, answer);
        const struct part *before = parts->first;
        while (before != p && !str_eq(thinking_name(before, answer), name))
            before = before->next;
        if (name.n == 0 || before != p) continue;
        jw_key_str(w, name);
        if (put_thoughts(w, p, name, answer, e)) return -1;
    }
    return 0;
}

static int put_said(struct jw *w, const struct vendor *to,
                    const struct part_list *parts, bool same, bool answer,
                    struct err *e) {
    if (put_thinking(w, parts, answer, e)) return -1;
    jw_key(w, "content");
    if (count_content(parts) > 0) {
        if (put_content(w, to, parts, !same, e)) return -1;
    } else if (next_call(parts, NULL)) {
        jw_null(w);
    } else {
        jw_text(w, STR(""));
    }
    for (const struct part *p = parts->first; p; p = p->next)
        if (p->kind == PART_REFUSAL && !own(p->api, p->native))
            jw_put_text(w, "refusal", p->text);
    put_calls(w, parts);
    return 0;
}

#define SAID                                                           \
    "role content refusal tool_calls function_call reasoning_content " \
    "reasoning reasoning_details tool_plan"

static int put_result(struct jw *w, const struct vendor *to,
                      const struct part *p, const struct json *native,
                      struct err *e) {
    jw_object(w);
    jw_put_text(w, "role", STR("tool"));
    jw_put_text(w, "tool_call_id", p->id);
    jw_key(w, "content");
    size_t parts = count_content(&p->content);
    bool texts = true;
    for (const struct part *q = p->content.first; q; q = q->next)
        texts = texts && (q->kind == PART_TEXT || q->api == API_CHAT);
    if (texts && parts > 0) {
        if (put_content(w, to, &p->content, false, e)) return -1;
    } else {
        AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
        if (wire_result_text(p, &text, e)) return -1;
        jw_text(w, buf_str(&text));
    }
    wire_rest(w, native, "role tool_call_id content");
    jw_end_object(w);
    return 0;
}

static bool has_image(const struct part *result) {
    for (const struct part *p = result->content.first; p; p = p->next)
        if (p->kind == PART_IMAGE) return true;
    return false;
}

/* Images cannot stand in a result here: they follow it as a user's message. */
static int put_images(struct jw *w, const struct vendor *to,
                      const struct message *m, struct err *e) {
    for (const struct part *r = m->parts.first; r; r = r->next) {
        if (r->kind != PART_RESULT || !has_image(r)) continue;
        jw_object(w);
        jw_put_text(w, "role", STR("user"));
        jw_key(w, "content");
        jw_array(w);
        for (const struct part *p = r->content.first; p; p = p->next)
            if (p->kind == PART_IMAGE && put_part(w, to, p, e)) return -1;
        jw_end_array(w);
        jw_end_object(w);
    }
    return 0;
}

/* The words after its results are a message of their own. */
static int put_user(struct jw *w, const struct vendor *to,
                    const struct message *m, struct err *e) {
    const struct json *native = own(m->api, m->native);
    size_t results = 0;
    for (const struct part *p = m->parts.first; p; p = p->next) {
        if (p->kind != PART_RESULT) continue;
        results++;
        if (put_result(w, to, p, native, e)) return -1;
    }
    /* all results come before anything else */
    bool last = !m->next || m->next->role != ROLE_USER ||
                !m->next->parts.first ||
                m->next->parts.first->kind != PART_RESULT;
    if (results > 0 && last && put_images(w, to, m, e)) return -1;
    if (results > 0 && results == m->parts.count) return 0;
    jw_object(w);
    jw_put_text(w, "role",
                m->api == API_CHAT && m->role_word.n > 0
                    ? m->role_word
                    : str_of(role_name(m->role)));
    jw_key(w, "content");
    for (const struct part *p = m->parts.first; p; p = p->next)
        if (p->kind == PART_OPAQUE && p->api != API_CHAT)
            return wire_unsupported("a part of this message", API_CHAT, e);
    if (m->parts.count == results)
        jw_text(w, STR(""));
    else if (put_content(w, to, &m->parts, m->role == ROLE_SYSTEM, e))
        return -1;
    wire_rest(w, native, "role content");
    jw_end_object(w);
    return 0;
}

static int put_message(struct jw *w, const struct vendor *to,
                       const struct message *m, struct err *e) {
    if (m->role != ROLE_ASSISTANT) return put_user(w, to, m, e);
    jw_object(w);
    jw_put_text(w, "role", STR("assistant"));
    if (put_said(w, to, &m->parts, m->api == API_CHAT, false, e)) return -1;
    wire_rest(w, own(m->api, m->native), SAID);
    jw_end_object(w);
    return 0;
}

/* -- requests ---------------------------------------------------------------
 */

static int put_offer(struct jw *w, const struct vendor *to,
                     const struct offer *o, struct err *e) {
    const struct json *native = own(o->api, o->native);
    if (o->kind == OFFER_OPAQUE)
        return wire_vendor_tool(w, native, API_CHAT, e);
    bool custom = o->kind == OFFER_CUSTOM;
    jw_object(w);
    jw_put_text(w, "type", custom ? STR("custom") : STR("function"));
    jw_key(w, custom ? "custom" : "function");
    jw_object(w);
    jw_put_text(w, "name", o->name);
    if (o->description.p) jw_put_text(w, "description", o->description);
    if (o->schema && !custom) {
        jw_key(w, "parameters");
        jw_value(w, o->schema);
    }
    if (o->strict >= 0 && vendor_has(to, VENDOR_STRICT))
        jw_put_bool(w, "strict", o->strict);
    wire_rest(w, json_get(native, custom ? "custom" : "function"),
              "name description parameters strict");
    jw_end_object(w);
    wire_rest(w, native, "type function custom");
    put_cache_mark(w, to, native, o->cache);
    jw_end_object(w);
    return 0;
}

/* Servers that take no names, or no choice at all, are offered only what may
 * be called. */
static bool is_offered(const struct vendor *to, const struct model_request *q,
                       const struct offer *o) {
    bool words = vendor_has(to, VENDOR_CHOICE_WORD) ||
                 vendor_has(to, VENDOR_CHOICE_NONE);
    if (q->choice.mode == CHOICE_NONE && vendor_has(to, VENDOR_CHOICE_NONE))
        return false;
    if (q->choice.mode == CHOICE_ONE && words)
        return str_eq(o->name, q->choice.name);
    return true;
}

static int put_offers(struct jw *w, const struct vendor *to,
                      const struct model_request *q, size_t *count,
                      struct err *e) {
    for (const struct offer *o = q->offers.first; o; o = o->next) {
        if (!is_offered(to, q, o)) continue;
        if (++*count == 1) {
            jw_key(w, "tools");
            jw_array(w);
        }
        if (put_offer(w, to, o, e)) return -1;
    }
    if (*count > 0) jw_end_array(w);
    return 0;
}

static const char *choice_word(const struct vendor *to, enum choice_mode mode) {
    bool upper = vendor_has(to, VENDOR_CHOICE_UPPER);
    if (mode == CHOICE_NONE) return upper ? "NONE" : "none";
    if (mode == CHOICE_AUTO) return "auto";
    if (upper) return "REQUIRED";
    return vendor_has(to, VENDOR_CHOICE_ANY) ? "any" : "required";
}

static void put_named(struct jw *w, const struct model_request *q) {
    const struct offer *o = offer_find(&q->offers, q->choice.name);
    const char *type = o && o->kind == OFFER_CUSTOM ? "custom" : "function";
    jw_object(w);
    jw_put_text(w, "type", str_of(type));
    jw_key(w, type);
    jw_object(w);
    jw_put_text(w, "name", q->choice.name);
    jw_end_object(w);
    jw_end_object(w);
}

static void put_allowed(struct jw *w, const struct vendor *to,
                        const struct choice *c) {
    jw_object(w);
    jw_put_text(w, "type", STR("allowed_tools"));
    jw_key(w, "allowed_tools");
    jw_object(w);
    jw_put_text(w, "mode", str_of(choice_word(to, c->mode)));
    jw_key(w, "tools");
    jw_array(w);
    for (size_t i = 0; i < c->allowed_count; i++) {
        jw_object(w);
        jw_put_text(w, "type", STR("function"));
        jw_key(w, "function");
        jw_object(w);
        jw_put_text(w, "name", c->allowed[i]);
        jw_end_object(w);
        jw_end_object(w);
    }
    jw_end_array(w);
    jw_end_object(w);
    jw_end_object(w);
}

static void put_choice(struct jw *w, const struct vendor *to,
                       const struct model_request *q) {
    const struct choice *c = &q->choice;
    const struct json *native = own(c->api, c->native);
    if (c->parallel >= 0 && vendor_has(to, VENDOR_PARALLEL))
        jw_put_bool(w, "parallel_tool_calls", c->parallel);
    if (vendor_has(to, VENDOR_CHOICE_NONE)) return;
    if (c->mode == CHOICE_UNSAID) {
        if (!native) return;
        jw_key(w, "tool_choice");
        jw_value(w, native);
        return;
    }
    jw_key(w, "tool_choice");
    if (c->allowed)
        put_allowed(w, to, c);
    else if (c->mode == CHOICE_ONE && !vendor_has(to, VENDOR_CHOICE_WORD))
        put_named(w, q);
    else
        jw_text(w, str_of(choice_word(to, c->mode)));
}

static void put_limits(struct jw *w, const struct vendor *to,
                       const struct model_request *q) {
    const struct json *native = own(q->api, q->native);
    bool new_name =
        json_get(native, "max_completion_tokens") ||
        (!json_get(native, "max_tokens") && vendor_has(to, VENDOR_TOKENS_NEW));
    if (q->max_tokens >= 0)
        jw_put_int(w, new_name ? "max_completion_tokens" : "max_tokens",
                   q->max_tokens);
    if (q->alternatives > 0 && vendor_has(to, VENDOR_LOGPROBS)) {
        jw_put_bool(w, "logprobs", true);
        jw_put_int(w, "top_logprobs", q->alternatives);
    }
    if (q->grammar.n > 0 && vendor_has(to, VENDOR_GRAMMAR))
        jw_put_text(w, "grammar", q->grammar);
    if (q->temperature) jw_key(w, "temperature"), jw_value(w, q->temperature);
    if (q->top_p) jw_key(w, "top_p"), jw_value(w, q->top_p);
    if (q->stop) jw_key(w, "stop"), jw_value(w, q->stop);
    if (q->stream || json_get(native, "stream"))
        jw_put_bool(w, "stream", q->stream);
    if (q->stream && !native && vendor_has(to, VENDOR_USAGE_ASKED)) {
        jw_key(w, "stream_options");
        jw_raw(w, STR("{\"include_usage\":true}"));
    }
}

int chat_encode_request(const struct vendor *to, const struct model_request *q,
                        struct jw *w, struct err *e) {
    size_t offered = 0;
    jw_object(w);
    jw_put_text(w, "model", q->model);
    jw_key(w, "messages");
    jw_array(w);
    for (const struct message *m = q->messages.first; m; m = m->next)
        if (put_message(w, to, m, e)) return -1;
    jw_end_array(w);
    if (put_offers(w, to, q, &offered, e)) return -1;
    if (offered > 0) put_choice(w, to, q);
    put_limits(w, to, q);
    wire_rest(w, own(q->api, q->native),
              "model messages tools tool_choice parallel_tool_calls max_tokens "
              "max_completion_tokens temperature top_p stop stream");
    jw_end_object(w);
    return 0;
}

/* -- answers ----------------------------------------------------------------
 */

static void put_detail(struct jw *w, const char *group, const char *key,
                       int64_t n) {
    if (n < 0) return;
    jw_key(w, group);
    jw_object(w);
    jw_put_int(w, key, n);
    jw_end_object(w);
}

void chat_put_usage(struct jw *w, const struct model_answer *m) {
    const struct usage *u = &m->usage;
    if (m->api == API_CHAT && m->usage_native) {
        jw_value(w, m->usage_native);
        return;
    }
    int64_t in = u->input < 0 ? 0 : u->input;
    int64_t made = u->output < 0 ? 0 : u->output;
    jw_object(w);
    jw_put_int(w, "prompt_tokens", in);
    jw_put_int(w, "completion_tokens", made);
    jw_put_int(w, "total_tokens", in + made);
    put_detail(w, "prompt_tokens_details", "cached_tokens", u->cache_read);
    put_detail(w, "completion_tokens_details", "reasoning_tokens", u->thinking);
    jw_end_object(w);
}

static void put_answer_choice(struct jw *w, const struct model_answer *m,
                              const struct json *native) {
    const struct json *from = json_at(json_get(native, "choices"), 0);
    struct err e;
    jw_object(w);
    jw_put_int(w, "index", 0);
    jw_key(w, "message");
    jw_object(w);
    jw_put_text(w, "role", STR("assistant"));
    if (put_said(w, vendor_of_api(API_CHAT), &m->parts, false, true, &e)) {
        w->failed = true;
        w->err = e;
    }
    wire_rest(w, json_get(from, "message"), SAID);
    jw_end_object(w);
    jw_put_text(w, "finish_reason",
                m->api == API_CHAT && m->stop_text.n > 0 &&
                        m->stop != STOP_CALLS
                    ? m->stop_text
                    : str_of(stop_word(API_CHAT, m->stop)));
    wire_rest(w, from, "index message finish_reason");
    jw_end_object(w);
}

int chat_encode_answer(const struct model_answer *m, struct jw *w,
                       struct err *e) {
    const struct json *native = own(m->api, m->native);
    (void)e;
    jw_object(w);
    jw_put_text(w, "id", m->id);
    jw_put_text(w, "object", STR("chat.completion"));
    if (!json_get(native, "created"))
        jw_put_int(w, "created", clock_wall_ns() / 1000000000);
    jw_put_text(w, "model", m->model);
    jw_key(w, "choices");
    jw_array(w);
    put_answer_choice(w, m, native);
    jw_end_array(w);
    jw_key(w, "usage");
    chat_put_usage(w, m);
    wire_rest(w, native, "id object model choices usage");
    jw_end_object(w);
    return 0;
}
