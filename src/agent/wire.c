/* SPDX-License-Identifier: MIT */
#include "agent/wire.h"

#include <string.h>

str wire_text(const struct json *v, const char *key) {
    return json_get_text(v, key, STR(""));
}

bool wire_is(const struct json *v, const char *key, const char *want) {
    return str_is(wire_text(v, key), want);
}

bool wire_array(const struct json *v) {
    return v && json_type(v) == JSON_ARRAY;
}

bool wire_object(const struct json *v) {
    return v && json_type(v) == JSON_OBJECT;
}

const struct json *wire_get2(const struct json *v, const char *a,
                             const char *b) {
    const struct json *found = json_get(v, a);
    return found ? found : json_get(v, b);
}

const struct json *wire_next(const struct json *list, const struct json *item) {
    if (!wire_array(list)) return NULL;
    item = item ? json_skip(item) : json_first(list);
    return item == json_skip(list) ? NULL : item;
}

const struct json *wire_pointer(const struct json *v, str path) {
    ptrdiff_t star = str_find(path, STR("/*"));
    if (star < 0) return json_pointer(v, path);
    const struct json *list = json_pointer(v, str_sub(path, 0, (size_t)star));
    str rest = str_sub(path, (size_t)star + 2, path.n);
    for (const struct json *item = NULL; (item = wire_next(list, item));) {
        const struct json *found = json_pointer(item, rest);
        if (found) return found;
    }
    return NULL;
}

static bool is_word_of(str name, const char *words) {
    str rest = str_of(words);
    while (rest.n > 0)
        if (str_eq(str_cut(&rest, ' '), name)) return true;
    return false;
}

void wire_rest(struct jw *w, const struct json *v, const char *known) {
    if (!wire_object(v)) return;
    const struct json *key = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        if (is_word_of(json_str(key), known)) continue;
        jw_key_str(w, json_str(key));
        jw_value(w, key + 1);
    }
}

struct part *wire_opaque(struct part_list *to, enum api api,
                         const struct json *v, struct arena *a, struct err *e) {
    struct part *p = parts_add(to, PART_OPAQUE, a, e);
    if (!p) return NULL;
    p->api = api;
    p->native = v;
    return p;
}

int wire_args_object(struct part *call, const struct json *args,
                     struct arena *a, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX((size_t)64 << 20);
    if (!args) return 0;
    if (json_write(args, JSON_COMPACT, &text, e) ||
        arena_dup(a, buf_str(&text), &call->text, e))
        return -1;
    call->args = json_type(args) == JSON_OBJECT ? args : NULL;
    return 0;
}

void wire_put_args(struct jw *w, const struct part *call) {
    if (call->args)
        jw_value(w, call->args);
    else
        jw_raw(w, STR("{}"));
}

void wire_put_args_text(struct jw *w, const struct part *call) {
    jw_text(w, call->args || call->custom ? call->text : STR("{}"));
}

void wire_read_stop(const struct json *v, struct model_answer *m) {
    if (!v || json_type(v) != JSON_STRING) return;
    if (json_len(v) == 0 && m->api != API_CHAT) return; /* Snowflake's end */
    m->stop_text = json_str(v);
    m->stop = stop_parse(m->api, m->stop_text);
}

void wire_settle(struct model_answer *m) {
    if (m->stop == STOP_END && next_call(&m->parts, NULL)) m->stop = STOP_CALLS;
}

static void read_error(const struct json *v, struct model_answer *out) {
    struct model_error *to = &out->error;
    const struct json *code = json_get(v, "code");
    to->code = code && json_type(code) == JSON_STRING ? json_str(code)
                                                      : wire_text(v, "status");
    to->type = wire_text(v, "type");
    to->message = wire_text(v, "message");
    to->attempt = wire_text(v, "failed_generation");
    if (to->message.n == 0) to->message = STR("the model server failed");
    out->stop = STOP_ERROR;
}

bool wire_error(const struct json *v, struct model_answer *out) {
    const struct json *error = json_get(v, "error");
    if (!error || json_type(error) == JSON_NULL) return false;
    if (json_type(error) == JSON_OBJECT) {
        read_error(error, out);
    } else {
        read_error(v, out);
        if (json_type(error) == JSON_STRING)
            out->error.message = json_str(error);
    }
    return true;
}

bool wire_data_url(str url, str *mime, str *data) {
    if (!str_starts(url, STR("data:"))) return false;
    ptrdiff_t comma = str_find_char(url, ',');
    if (comma < 0) return false;
    str head = str_sub(url, 5, (size_t)comma);
    if (!str_ends(head, STR(";base64"))) return false;
    *mime = str_sub(head, 0, head.n - 7);
    *data = str_sub(url, (size_t)comma + 1, url.n);
    return true;
}

/* As one JSON string, without a copy of the data. Base64 and types need no
 * escapes; what came from outside is checked by jw_text all the same. */
void wire_put_image_url(struct jw *w, const char *key, const struct part *p) {
    if (p->data.n == 0) {
        jw_put_text(w, key, p->url);
        return;
    }
    AUTO_BUF struct buf url = BUF_MAX((size_t)64 << 20);
    struct err e;
    if (buf_addf(&url, &e, "data:%.*s;base64,", STR_ARG(p->mime)) ||
        buf_add_str(&url, p->data, &e)) {
        w->failed = true;
        w->err = e;
        return;
    }
    jw_put_text(w, key, buf_str(&url));
}

int wire_result_text(const struct part *result, struct buf *out,
                     struct err *e) {
    for (const struct part *p = result->content.first; p; p = p->next) {
        if (p != result->content.first && buf_add_char(out, '\n', e)) return -1;
        if (p->kind == PART_TEXT) {
            if (buf_add_str(out, p->text, e)) return -1;
        } else if (p->kind == PART_IMAGE) {
            if (buf_addf(out, e, "[image %.*s]", STR_ARG(p->mime))) return -1;
        } else if (p->native && json_write(p->native, JSON_COMPACT, out, e)) {
            return -1;
        }
    }
    return 0;
}

int64_t wire_count(const struct json *v, const char *key) {
    return json_get_int(v, key, -1);
}

int wire_unsupported(const char *what, enum api api, struct err *e) {
    return fail(e, ERR_UNSUPPORTED, "%s has no form in the API \"%s\"", what,
                api_name(api));
}

int wire_vendor_tool(struct jw *w, const struct json *native, enum api api,
                     struct err *e) {
    if (!native) return wire_unsupported("a tool of the vendor", api, e);
    jw_value(w, native);
    return 0;
}

str wire_call_name(const struct model_request *q, const struct part *result) {
    if (result->name.n > 0) return result->name;
    str found = STR("");
    for (const struct message *m = q->messages.first; m; m = m->next)
        for (const struct part *p = m->parts.first; p; p = p->next) {
            if (p == result) return found;
            if (p->kind == PART_CALL && str_eq(p->id, result->id))
                found = p->name;
        }
    return found;
}
