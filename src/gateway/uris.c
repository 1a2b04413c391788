/* SPDX-License-Identifier: MIT */
#include "gateway/uris.h"

enum { URI_MAX = 64 << 10 };

int uri_prefix(str name, struct buf *out, struct err *e) {
    size_t start = out->len;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        bool plain = (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
                     (c >= '0' && c <= '9');
        bool first = out->len == start;
        if (first && !(c >= 'a' && c <= 'z') && buf_add_char(out, 's', e))
            return -1;
        if (buf_add_char(out, plain ? c : '-', e)) return -1;
    }
    return 0;
}

int uri_wrap(str prefix, str uri, struct buf *out, struct err *e) {
    str page = STR("ui://");
    if (!prefix.n) return buf_add_str(out, uri, e);
    if (str_starts(uri, page))
        return buf_addf(out, e, "ui://%.*s+%.*s", STR_ARG(prefix),
                        STR_ARG(str_sub(uri, page.n, uri.n)));
    return buf_addf(out, e, "%.*s+%.*s", STR_ARG(prefix), STR_ARG(uri));
}

bool uri_unwrap(str uri, str *prefix, struct buf *inner) {
    str page = STR("ui://");
    bool is_page = str_starts(uri, page);
    str rest = is_page ? str_sub(uri, page.n, uri.n) : uri;
    ptrdiff_t plus = str_find_char(rest, '+');
    ptrdiff_t colon = str_find_char(rest, ':');
    struct err e;
    if (plus <= 0 || (!is_page && colon >= 0 && colon < plus)) return false;
    *prefix = str_sub(rest, 0, (size_t)plus);
    return (!is_page || !buf_add_str(inner, page, &e)) &&
           !buf_add_str(inner, str_sub(rest, (size_t)plus + 1, rest.n), &e);
}

/* -- in results --------------------------------------------------------------
 */

static void put_wrapped(struct json_build *b, str prefix, str uri) {
    AUTO_BUF struct buf text = BUF_MAX(URI_MAX);
    struct err e;
    if (uri_wrap(prefix, uri, &text, &e))
        build_text(b, uri);
    else
        build_text(b, buf_str(&text));
}

/* An object whose member "uri" is wrapped. */
static void put_with_uri(struct json_build *b, str prefix,
                         const struct json *v) {
    const struct json *key = json_first(v);
    build_object(b);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        build_key(b, json_str(key));
        if (str_is(json_str(key), "uri") && json_type(key + 1) == JSON_STRING)
            put_wrapped(b, prefix, json_str(key + 1));
        else
            build_copy(b, key + 1);
    }
    build_end(b);
}

static bool is_link(const struct json *v) {
    return json_type(v) == JSON_OBJECT &&
           str_is(json_get_text(v, "type", STR("")), "resource_link");
}

static bool is_embedded(const struct json *v) {
    const struct json *inner = json_get(v, "resource");
    return json_type(v) == JSON_OBJECT && inner &&
           json_type(inner) == JSON_OBJECT &&
           str_is(json_get_text(v, "type", STR("")), "resource");
}

/* One piece of content. */
static void put_piece(struct json_build *b, str prefix, const struct json *v) {
    if (is_link(v)) {
        put_with_uri(b, prefix, v);
        return;
    }
    if (!is_embedded(v)) {
        build_copy(b, v);
        return;
    }
    const struct json *key = json_first(v);
    build_object(b);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        build_key(b, json_str(key));
        if (str_is(json_str(key), "resource"))
            put_with_uri(b, prefix, key + 1);
        else
            build_copy(b, key + 1);
    }
    build_end(b);
}

static void put_message(struct json_build *b, str prefix,
                        const struct json *v) {
    const struct json *key = json_first(v);
    if (json_type(v) != JSON_OBJECT) {
        build_copy(b, v);
        return;
    }
    build_object(b);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        build_key(b, json_str(key));
        if (str_is(json_str(key), "content"))
            put_piece(b, prefix, key + 1);
        else
            build_copy(b, key + 1);
    }
    build_end(b);
}

static void put_contents(struct json_build *b, str prefix,
                         const struct json *v) {
    if (json_type(v) == JSON_OBJECT)
        put_with_uri(b, prefix, v);
    else
        build_copy(b, v);
}

/* The members of a result that hold resources, and how. */
static const struct {
    const char *member;
    void (*put)(struct json_build *b, str prefix, const struct json *v);
} holders[] = {
    {"content", put_piece},     /* tools/call */
    {"messages", put_message},  /* prompts/get */
    {"contents", put_contents}, /* resources/read */
};

static bool holds_resources(const struct json *result) {
    const struct json *content = json_get(result, "content");
    if (json_get(result, "messages") || json_get(result, "contents"))
        return true;
    if (!content || json_type(content) != JSON_ARRAY) return false;
    const struct json *item = json_first(content);
    for (size_t i = json_len(content); i > 0; i--, item = json_skip(item))
        if (is_link(item) || is_embedded(item)) return true;
    return false;
}

static void put_member(struct json_build *b, str prefix, str name,
                       const struct json *v) {
    for (size_t h = 0; h < sizeof holders / sizeof holders[0]; h++) {
        if (!str_is(name, holders[h].member) || json_type(v) != JSON_ARRAY)
            continue;
        const struct json *item = json_first(v);
        build_array(b);
        for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
            holders[h].put(b, prefix, item);
        build_end(b);
        return;
    }
    build_copy(b, v);
}

int uri_wrap_result(str prefix, const struct json *result, struct arena *a,
                    const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    *out = result;
    if (!prefix.n || !holds_resources(result)) return 0;
    const struct json *key = json_first(result);
    build_object(&b);
    for (size_t i = json_len(result); i > 0; i--, key = json_skip(key + 1)) {
        build_key(&b, json_str(key));
        put_member(&b, prefix, json_str(key), key + 1);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

/* -- in definitions ----------------------------------------------------------
 */

/* {"ui": {"resourceUri": "ui://..."}} and the older "ui/resourceUri". */
static void put_meta(struct json_build *b, str prefix, const struct json *v) {
    const struct json *key = json_first(v);
    build_object(b);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1)) {
        str name = json_str(key);
        bool uri =
            str_is(name, "resourceUri") || str_is(name, "ui/resourceUri");
        build_key(b, name);
        if (uri && json_type(key + 1) == JSON_STRING)
            put_wrapped(b, prefix, json_str(key + 1));
        else if (str_is(name, "ui") && json_type(key + 1) == JSON_OBJECT)
            put_meta(b, prefix, key + 1);
        else
            build_copy(b, key + 1);
    }
    build_end(b);
}

static bool put_changed(struct json_build *b, str key,
                        const struct definition_change *change) {
    str text = str_is(key, "name")          ? change->name
               : str_is(key, "title")       ? change->title
               : str_is(key, "description") ? change->description
                                            : (str){NULL, 0};
    if (text.p) build_text(b, text);
    return text.p != NULL;
}

/* Whatever else it says of its execution stays. */
static void put_execution(struct json_build *b, const struct json *said,
                          str tasks) {
    bool some = said && json_type(said) == JSON_OBJECT;
    const struct json *key = some ? json_first(said) : NULL;
    build_object(b);
    for (size_t i = some ? json_len(said) : 0; i > 0;
         i--, key = json_skip(key + 1)) {
        if (str_is(json_str(key), "taskSupport")) continue;
        build_key(b, json_str(key));
        build_copy(b, key + 1);
    }
    build_put_text(b, "taskSupport", tasks);
    build_end(b);
}

static void put_definition_member(struct json_build *b, const struct json *key,
                                  const struct definition_change *change) {
    str name = json_str(key);
    bool uri = str_is(name, "uri") || str_is(name, "uriTemplate");
    build_key(b, name);
    if (put_changed(b, name, change)) return;
    if (uri && json_type(key + 1) == JSON_STRING)
        put_wrapped(b, change->uri_prefix, json_str(key + 1));
    else if (str_is(name, "_meta") && change->uri_prefix.n &&
             json_type(key + 1) == JSON_OBJECT)
        put_meta(b, change->uri_prefix, key + 1);
    else if (str_is(name, "execution") && change->tasks.p)
        put_execution(b, key + 1, change->tasks);
    else
        build_copy(b, key + 1);
}

void definition_put(struct json_build *b, const struct json *v,
                    const struct definition_change *change) {
    const struct json *key = json_first(v);
    build_object(b);
    for (size_t i = json_len(v); i > 0; i--, key = json_skip(key + 1))
        put_definition_member(b, key, change);
    if (change->title.p && !json_get(v, "title"))
        build_put_text(b, "title", change->title);
    if (change->description.p && !json_get(v, "description"))
        build_put_text(b, "description", change->description);
    if (change->tasks.p && !json_get(v, "execution")) {
        build_key(b, STR("execution"));
        put_execution(b, NULL, change->tasks);
    }
    build_end(b);
}
