/* SPDX-License-Identifier: MIT
 *
 * The canonical form as JSON. Native pieces are in it, so that what was read
 * from here can go back to its API with nothing lost.
 */
#include "agent/codec.h"
#include "agent/wire.h"
#include "json/build.h"

#define COPY_BYTES ((size_t)128 << 20)

/* -- writing ----------------------------------------------------------------
 */

static void put_native(struct jw *w, enum api api, const struct json *native,
                       const struct json *inner) {
    if (!native && !inner) return;
    jw_put_text(w, "api", str_of(api_name(api)));
    if (native) jw_key(w, "native"), jw_value(w, native);
    if (inner) jw_key(w, "inner"), jw_value(w, inner);
}

/* What a reader of the whole finds elsewhere is left out of it. */
static void put_lean(struct jw *w, enum api api, const struct json *native,
                     const char *elsewhere) {
    jw_put_text(w, "api", str_of(api_name(api)));
    if (!wire_object(native)) return;
    jw_key(w, "native");
    jw_object(w);
    wire_rest(w, native, elsewhere);
    jw_end_object(w);
}

static void put_some(struct jw *w, const char *key, str text) {
    if (text.n > 0) jw_put_text(w, key, text);
}

static void put_flag(struct jw *w, const char *key, bool set) {
    if (set) jw_put_bool(w, key, true);
}

static void put_parts(struct jw *w, const char *key,
                      const struct part_list *in);

static void put_part(struct jw *w, const struct part *p) {
    jw_object(w);
    jw_put_text(w, "kind", str_of(part_kind_name(p->kind)));
    put_some(w, "id", p->id);
    put_some(w, "name", p->name);
    if (p->args) {
        jw_key(w, "arguments");
        jw_value(w, p->args);
    }
    if (p->kind == PART_CALL)
        jw_put_text(w, "text", p->text);
    else
        put_some(w, "text", p->text);
    put_flag(w, "custom", p->custom);
    put_flag(w, "partial", p->partial);
    put_flag(w, "failed", p->failed);
    put_flag(w, "cache", p->cache);
    put_some(w, "mime", p->mime);
    put_some(w, "data", p->data);
    put_some(w, "url", p->url);
    if (p->kind == PART_RESULT) put_parts(w, "content", &p->content);
    put_native(w, p->api, p->native, p->inner);
    jw_end_object(w);
}

static void put_parts(struct jw *w, const char *key,
                      const struct part_list *in) {
    jw_key(w, key);
    jw_array(w);
    for (const struct part *p = in->first; p; p = p->next)
        put_part(w, p);
    jw_end_array(w);
}

static void put_message(struct jw *w, const struct message *m) {
    jw_object(w);
    jw_put_text(w, "role", str_of(role_name(m->role)));
    put_some(w, "role_word", m->role_word);
    put_parts(w, "parts", &m->parts);
    put_lean(w, m->api, m->native, "content parts tool_calls");
    jw_end_object(w);
}

static const char *const offer_kinds[] = {"function", "custom", "opaque"};

static void put_offer(struct jw *w, const struct offer *o) {
    jw_object(w);
    jw_put_text(w, "kind", str_of(offer_kinds[o->kind]));
    put_some(w, "name", o->name);
    if (o->description.p) jw_put_text(w, "description", o->description);
    if (o->schema) jw_key(w, "schema"), jw_value(w, o->schema);
    if (o->strict >= 0) jw_put_bool(w, "strict", o->strict);
    put_flag(w, "cache", o->cache);
    put_native(w, o->api, o->native, NULL);
    jw_end_object(w);
}

static const char *const choice_modes[] = {"unsaid", "auto", "none", "required",
                                           "one"};

static void put_choice(struct jw *w, const struct choice *c) {
    jw_key(w, "choice");
    jw_object(w);
    jw_put_text(w, "mode", str_of(choice_modes[c->mode]));
    put_some(w, "name", c->name);
    if (c->parallel >= 0) jw_put_bool(w, "parallel", c->parallel);
    if (c->allowed) {
        jw_key(w, "allowed");
        jw_array(w);
        for (size_t i = 0; i < c->allowed_count; i++)
            jw_text(w, c->allowed[i]);
        jw_end_array(w);
    }
    put_native(w, c->api, c->native, NULL);
    jw_end_object(w);
}

int canon_write_request(const struct model_request *q, struct buf *out,
                        struct err *e) {
    struct jw writer = JW(out), *w = &writer;
    jw_object(w);
    put_some(w, "model", q->model);
    jw_key(w, "messages");
    jw_array(w);
    for (const struct message *m = q->messages.first; m; m = m->next)
        put_message(w, m);
    jw_end_array(w);
    jw_key(w, "tools");
    jw_array(w);
    for (const struct offer *o = q->offers.first; o; o = o->next)
        put_offer(w, o);
    jw_end_array(w);
    put_choice(w, &q->choice);
    if (q->max_tokens >= 0) jw_put_int(w, "max_tokens", q->max_tokens);
    if (q->temperature) jw_key(w, "temperature"), jw_value(w, q->temperature);
    if (q->top_p) jw_key(w, "top_p"), jw_value(w, q->top_p);
    if (q->stop) jw_key(w, "stop"), jw_value(w, q->stop);
    put_flag(w, "stream", q->stream);
    put_lean(w, q->api, q->native,
             "messages input contents tools system instructions "
             "systemInstruction system_instruction");
    jw_end_object(w);
    return jw_done(w, e);
}

int canon_write_message(const struct message *m, struct buf *out,
                        struct err *e) {
    struct jw w = JW(out);
    put_message(&w, m);
    return jw_done(&w, e);
}

static void put_count(struct jw *w, const char *key, int64_t n) {
    if (n >= 0) jw_put_int(w, key, n);
}

static void put_usage(struct jw *w, const struct usage *u) {
    jw_key(w, "usage");
    jw_object(w);
    put_count(w, "input", u->input);
    put_count(w, "output", u->output);
    put_count(w, "cache_read", u->cache_read);
    put_count(w, "cache_write", u->cache_write);
    put_count(w, "thinking", u->thinking);
    jw_end_object(w);
}

static void put_error(struct jw *w, const struct model_error *x) {
    if (x->message.n == 0 && x->code.n == 0 && x->type.n == 0) return;
    jw_key(w, "error");
    jw_object(w);
    put_some(w, "code", x->code);
    put_some(w, "type", x->type);
    jw_put_text(w, "message", x->message);
    put_some(w, "attempt", x->attempt);
    jw_end_object(w);
}

int canon_write_answer(const struct model_answer *m, struct buf *out,
                       struct err *e) {
    struct jw writer = JW(out), *w = &writer;
    jw_object(w);
    jw_put_text(w, "api", str_of(api_name(m->api)));
    put_some(w, "id", m->id);
    put_some(w, "model", m->model);
    put_parts(w, "parts", &m->parts);
    jw_put_text(w, "stop", str_of(stop_name(m->stop)));
    put_some(w, "stop_word", m->stop_text);
    jw_put_bool(w, "executable", answer_executable(m));
    put_usage(w, &m->usage);
    put_error(w, &m->error);
    jw_end_object(w);
    return jw_done(w, e);
}

/* -- reading ----------------------------------------------------------------
 */

static int word_in(str word, const char *const *names, size_t count,
                   const char *what, int *out, struct err *e) {
    for (size_t i = 0; i < count; i++)
        if (str_is(word, names[i])) {
            *out = (int)i;
            return 0;
        }
    return fail(e, ERR_INVALID, "no %s \"%.*s\"", what, STR_ARG(word));
}

/* Absent: the first API; it is only asked where there is something native. */
static int read_api(const struct json *v, enum api *out, struct err *e) {
    str name = wire_text(v, "api");
    return name.n > 0 ? api_parse(name, out, e) : 0;
}

static int read_parts(const struct json *v, struct part_list *to,
                      struct arena *a, size_t depth, struct err *e);

static int read_call(const struct json *v, struct part *p, struct arena *a,
                     struct err *e) {
    const struct json *args = json_get(v, "arguments");
    if (p->custom || !wire_object(args)) return 0;
    p->args = args;
    return json_get(v, "text") ? 0 : wire_args_object(p, args, a, e);
}

static int read_part(const struct json *v, struct part_list *to,
                     struct arena *a, size_t depth, struct err *e) {
    static const char *const kinds[] = {"text", "thinking", "refusal", "image",
                                        "call", "result",   "opaque"};
    int kind;
    if (word_in(wire_text(v, "kind"), kinds, 7, "kind of part", &kind, e))
        return -1;
    struct part *p = parts_add(to, (enum part_kind)kind, a, e);
    if (!p || read_api(v, &p->api, e)) return -1;
    p->id = wire_text(v, "id");
    p->name = wire_text(v, "name");
    p->text = wire_text(v, "text");
    p->custom = json_get_bool(v, "custom", false);
    p->partial = json_get_bool(v, "partial", false);
    p->failed = json_get_bool(v, "failed", false);
    p->cache = json_get_bool(v, "cache", false);
    p->mime = wire_text(v, "mime");
    p->data = wire_text(v, "data");
    p->url = wire_text(v, "url");
    p->native = json_get(v, "native");
    p->inner = json_get(v, "inner");
    if (p->kind == PART_OPAQUE && !p->native && !p->inner)
        return fail(e, ERR_INVALID, "an opaque part without \"native\"");
    if (p->kind == PART_CALL) return read_call(v, p, a, e);
    if (p->kind != PART_RESULT) return 0;
    return read_parts(json_get(v, "content"), &p->content, a, depth + 1, e);
}

static int read_parts(const struct json *v, struct part_list *to,
                      struct arena *a, size_t depth, struct err *e) {
    if (!v) return 0;
    if (!wire_array(v) || depth > 1)
        return fail(e, ERR_INVALID, "parts are not a list");
    for (const struct json *item = NULL; (item = wire_next(v, item));)
        if (read_part(item, to, a, depth, e)) return -1;
    return 0;
}

/* Texts of one item were one native value; find it again. */
static void share_items(struct part_list *in) {
    for (struct part *p = in->first; p && p->next; p = p->next)
        if (p->api == API_RESPONSES && p->native && p->inner &&
            p->next->native && p->next->inner &&
            json_equal(p->native, p->next->native))
            p->next->native = p->native;
}

static int read_message(const struct json *v, struct messages *to,
                        struct arena *a, struct err *e) {
    static const char *const roles[] = {"user", "assistant", "system"};
    int role;
    if (word_in(wire_text(v, "role"), roles, 3, "role", &role, e)) return -1;
    struct message *m = messages_add(to, (enum role)role, a, e);
    if (!m || read_api(v, &m->api, e)) return -1;
    m->role_word = wire_text(v, "role_word");
    m->native = json_get(v, "native");
    const struct json *text = json_get(v, "text"); /* for people who write */
    if (text && json_type(text) == JSON_STRING) {
        struct part *p = parts_add(&m->parts, PART_TEXT, a, e);
        if (!p) return -1;
        p->text = json_str(text);
    }
    if (read_parts(json_get(v, "parts"), &m->parts, a, 0, e)) return -1;
    share_items(&m->parts);
    return 0;
}

int canon_read_message(const struct json *v, struct arena *a,
                       struct messages *to, struct err *e) {
    return read_message(v, to, a, e);
}

static int read_offer(const struct json *v, struct offers *to, struct arena *a,
                      struct err *e) {
    const struct json *strict = json_get(v, "strict");
    int kind = OFFER_FUNCTION;
    if (json_get(v, "kind") &&
        word_in(wire_text(v, "kind"), offer_kinds, 3, "kind of tool", &kind, e))
        return -1;
    struct offer *o = offers_add(to, a, e);
    if (!o || read_api(v, &o->api, e)) return -1;
    o->kind = kind == 0   ? OFFER_FUNCTION
              : kind == 1 ? OFFER_CUSTOM
                          : OFFER_OPAQUE;
    o->name = wire_text(v, "name");
    o->description = json_get_text(v, "description", (str){NULL, 0});
    o->schema = json_get(v, "schema");
    o->cache = json_get_bool(v, "cache", false);
    o->native = json_get(v, "native");
    if (strict && json_type(strict) == JSON_BOOL)
        o->strict = strict->as.boolean;
    if (o->kind != OFFER_OPAQUE && o->name.n == 0)
        return fail(e, ERR_INVALID, "a tool without a name");
    return 0;
}

static int read_choice(const struct json *v, struct choice *to, struct arena *a,
                       struct err *e) {
    const struct json *parallel = json_get(v, "parallel");
    const struct json *allowed = json_get(v, "allowed");
    int mode = CHOICE_UNSAID;
    if (!v) return 0;
    if (json_get(v, "mode") &&
        word_in(wire_text(v, "mode"), choice_modes, 5, "mode", &mode, e))
        return -1;
    if (read_api(v, &to->api, e)) return -1;
    to->mode = (enum choice_mode)mode;
    to->name = wire_text(v, "name");
    to->native = json_get(v, "native");
    if (parallel && json_type(parallel) == JSON_BOOL)
        to->parallel = parallel->as.boolean;
    if (!wire_array(allowed)) return 0;
    str *names = arena_zalloc(a, json_len(allowed) + 1, sizeof *names, e);
    if (!names) return -1;
    const struct json *item = json_first(allowed);
    for (size_t i = 0; i < json_len(allowed); i++, item = json_skip(item))
        if (json_type(item) == JSON_STRING) names[i] = json_str(item);
    to->allowed = names;
    to->allowed_count = json_len(allowed);
    return 0;
}

int canon_read_request(const struct json *v, struct arena *a,
                       struct model_request *out, struct err *e) {
    struct model_request q = {.max_tokens = -1, .choice = {.parallel = -1}};
    const struct json *messages = json_get(v, "messages");
    const struct json *tools = json_get(v, "tools");
    if (!wire_array(messages))
        return fail(e, ERR_INVALID, "\"messages\" is not an array");
    if (read_api(v, &q.api, e)) return -1;
    for (const struct json *item = NULL; (item = wire_next(messages, item));)
        if (read_message(item, &q.messages, a, e)) return -1;
    for (const struct json *item = NULL; (item = wire_next(tools, item));)
        if (read_offer(item, &q.offers, a, e)) return -1;
    if (read_choice(json_get(v, "choice"), &q.choice, a, e)) return -1;
    q.native = json_get(v, "native");
    q.model = wire_text(v, "model");
    q.max_tokens = wire_count(v, "max_tokens");
    q.temperature = json_get(v, "temperature");
    q.top_p = json_get(v, "top_p");
    q.stop = json_get(v, "stop");
    q.stream = json_get_bool(v, "stream", false);
    *out = q;
    return 0;
}

int canon_read_answer(const struct json *v, struct arena *a,
                      struct model_answer *out, struct err *e) {
    static const char *const stops[] = {
        "none",    "end",   "calls",    "length", "filter",
        "refused", "pause", "bad_call", "error",  "other"};
    struct model_answer m = {.usage = USAGE_UNSAID};
    const struct json *u = json_get(v, "usage"), *x = json_get(v, "error");
    int stop;
    if (word_in(wire_text(v, "stop"), stops, 10, "stop", &stop, e) ||
        read_api(v, &m.api, e) ||
        read_parts(json_get(v, "parts"), &m.parts, a, 0, e))
        return -1;
    share_items(&m.parts);
    m.stop = (enum stop)stop;
    m.id = wire_text(v, "id");
    m.model = wire_text(v, "model");
    m.stop_text = wire_text(v, "stop_word");
    m.usage =
        (struct usage){wire_count(u, "input"), wire_count(u, "output"),
                       wire_count(u, "cache_read"),
                       wire_count(u, "cache_write"), wire_count(u, "thinking")};
    m.error =
        (struct model_error){wire_text(x, "code"), wire_text(x, "type"),
                             wire_text(x, "message"), wire_text(x, "attempt")};
    *out = m;
    return 0;
}

int canon_copy_answer(const struct model_answer *m, struct arena *a,
                      struct model_answer *out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(COPY_BYTES);
    const struct json *v;
    if (canon_write_answer(m, &text, e) ||
        json_parse(buf_str(&text), NULL, a, &v, e))
        return -1;
    return canon_read_answer(v, a, out, e);
}
