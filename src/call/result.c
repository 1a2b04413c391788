/* SPDX-License-Identifier: MIT */
#include "call/result.h"

#include "base/clock.h"
#include "base/codec.h"
#include "call/provider.h"
#include "policy/leaf.h"
#include "json/build.h"
#include "json/write.h"

#define LARGE_BYTES ((size_t)1 << 20)
#define HANDLE_NS   ((int64_t)24 * 3600 * 1000000000)

/* -- making -----------------------------------------------------------------
 */

static const struct json *one_text(struct arena *a, str text,
                                   const struct json *value, bool is_error,
                                   struct err *e) {
    struct json_build b = JSON_BUILD(a);
    const struct json *out;
    build_object(&b);
    build_key(&b, STR("content"));
    build_array(&b);
    build_object(&b);
    build_put_text(&b, "type", STR("text"));
    build_put_text(&b, "text", text);
    build_end(&b);
    build_end(&b);
    if (value) build_put(&b, "structuredContent", value);
    if (is_error) build_put_bool(&b, "isError", true);
    build_end(&b);
    return build_done(&b, &out, e) ? NULL : out;
}

/* structuredContent is an object in MCP: another value is text alone. */
const struct json *result_structured(struct arena *a, const struct json *value,
                                     struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LEAF_BYTES);
    bool object = json_type(value) == JSON_OBJECT;
    if (json_type(value) == JSON_STRING)
        return one_text(a, json_str(value), NULL, false, e);
    if (json_write(value, JSON_COMPACT, &text, e)) return NULL;
    return one_text(a, buf_str(&text), object ? value : NULL, false, e);
}

const struct json *result_text(struct arena *a, str text, struct err *e) {
    return one_text(a, text, NULL, false, e);
}

/* -- taking apart -----------------------------------------------------------
 */

/* About the bytes of its text, without writing it. */
static size_t measure(const struct json *v) {
    size_t n = 0;
    for (const struct json *at = v, *end = json_skip(v); at < end; at++)
        n += (json_type(at) == JSON_STRING || json_type(at) == JSON_BIG)
                 ? json_len(at) + 3
                 : 4;
    return n;
}

static bool is_text(const struct json *piece) {
    return json_type(piece) == JSON_OBJECT &&
           str_is(json_get_text(piece, "type", STR("")), "text");
}

static const struct json *pieces(const struct json *result) {
    const struct json *content = json_get(result, "content");
    return content && json_type(content) == JSON_ARRAY ? content : NULL;
}

int result_words(const struct json *result, struct buf *out, struct err *e) {
    const struct json *content = pieces(result);
    if (!content) return 0;
    const struct json *piece = json_first(content);
    for (size_t i = 0; i < json_len(content); i++, piece = json_skip(piece)) {
        if (!is_text(piece)) continue;
        if (out->len && buf_add_char(out, '\n', e)) return -1;
        if (buf_add_str(out, json_get_text(piece, "text", STR("")), e))
            return -1;
    }
    return 0;
}

/* A text that is one JSON object or array stands for that. Anything shorter
 * (a number, a word) stays text: a result must not change its type when its
 * content happens to look like a number. */
static int text_value(str text, struct arena *a, const struct json **out,
                      struct err *e) {
    struct json_limits limits = {.depth = 128};
    struct json_build b = JSON_BUILD(a);
    str inner = str_trim(text);
    if (inner.n > 1 && (inner.p[0] == '{' || inner.p[0] == '[')) {
        struct arena_mark mark = arena_mark(a);
        if (json_parse(inner, &limits, a, out, e) == 0) return 0;
        if (e->kind == ERR_MEMORY) return -1;
        arena_rewind(a, mark);
    }
    build_text(&b, text);
    return build_done(&b, out, e);
}

/* {"handle": id, "type": ..., "bytes": N} */
static int keep(const struct result_rules *r, str type, str bytes,
                struct json_build *b, struct err *e) {
    char id[STORE_ID];
    int64_t now = clock_wall_ns();
    build_object(b);
    if (r->store) {
        if (store_new_id("h_", id, e)) return -1;
        struct store_blob blob = {.id = str_of(id),
                                  .owner = r->owner,
                                  .type = type,
                                  .bytes = bytes,
                                  .created = now,
                                  .expires = now + HANDLE_NS};
        if (store_blob_put(r->store, &blob, e)) return -1;
        build_put_text(b, "handle", str_of(id));
    }
    build_put_text(b, "type", type);
    build_put_int(b, "bytes", (int64_t)bytes.n);
    build_end(b);
    return 0;
}

/* One piece that is not text: its bytes, in base64, are under data (images,
 * audio) or under resource/blob. */
static int piece_value(const struct result_rules *r, const struct json *piece,
                       struct json_build *b, struct err *e) {
    AUTO_BUF struct buf bytes = BUF_MAX(STORE_BLOB_MAX);
    const struct json *resource = json_get(piece, "resource");
    const struct json *holder = resource ? resource : piece;
    str type =
        json_get_text(holder, "mimeType", STR("application/octet-stream"));
    const struct json *data = json_get(holder, resource ? "blob" : "data");
    if (resource && json_get(resource, "text")) {
        build_text(b, json_get_text(resource, "text", STR("")));
        return 0;
    }
    if (!data || json_type(data) != JSON_STRING) {
        build_copy(b, piece);
        return 0;
    }
    if (base64_decode(json_str(data), &bytes, e)) {
        err_context(e, "a piece of type %.*s", STR_ARG(type));
        e->kind = ERR_PEER;
        return -1;
    }
    return keep(r, type, buf_str(&bytes), b, e);
}

static int mixed_value(const struct result_rules *r, const struct json *content,
                       struct arena *a, const struct json **out,
                       struct err *e) {
    struct json_build b = JSON_BUILD(a);
    const struct json *piece = json_first(content);
    bool list = json_len(content) > 1;
    if (list) build_array(&b);
    for (size_t i = 0; i < json_len(content); i++, piece = json_skip(piece)) {
        if (is_text(piece))
            build_text(&b, json_get_text(piece, "text", STR("")));
        else if (json_type(piece) != JSON_OBJECT)
            return fail(e, ERR_PEER, "a piece of content is not an object");
        else if (piece_value(r, piece, &b, e))
            return -1;
    }
    if (list) build_end(&b);
    return build_done(&b, out, e);
}

static bool all_text(const struct json *content) {
    const struct json *piece = json_first(content);
    for (size_t i = 0; i < json_len(content); i++, piece = json_skip(piece))
        if (!is_text(piece)) return false;
    return true;
}

static int find_value(const struct result_rules *r, const struct json *raw,
                      struct arena *a, const struct json **out, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LEAF_BYTES);
    const struct json *structured = json_get(raw, "structuredContent");
    const struct json *content = json_get(raw, "content");
    if (content && json_type(content) != JSON_ARRAY)
        return fail(e, ERR_PEER, "content is not a list");
    if (structured && json_type(structured) != JSON_NULL) {
        *out = structured;
        return 0;
    }
    if (content && !all_text(content))
        return mixed_value(r, content, a, out, e);
    if (result_words(raw, &text, e)) return -1;
    return text_value(buf_str(&text), a, out, e);
}

static int check_schema(const struct result_rules *r, const struct json *raw,
                        struct err *e) {
    const struct json *structured = json_get(raw, "structuredContent");
    if (!r->tool->tool.output || !structured) return 0;
    struct schema *schema = entry_output(r->tool, e);
    if (!schema) return -1;
    if (schema_check(schema, structured, e) == 0) return 0;
    err_context(e, "the result does not fit the tool's own output schema");
    e->kind = ERR_PEER;
    return -1;
}

/* -- what a model is shown --------------------------------------------------
 */

/* The beginning, and where the rest is. A cut falls between characters. */
static int shorten(const struct result_rules *r, const struct json *whole,
                   bool is_error, struct arena *a, const struct json **out,
                   struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(STORE_BLOB_MAX);
    AUTO_BUF struct buf head = BUF_MAX(r->limit.shown_max + 512);
    const struct json *kept;
    struct json_build b = JSON_BUILD(a);
    if (result_words(whole, &text, e)) return -1;
    if (text.len == 0 && json_write(whole, JSON_COMPACT, &text, e)) return -1;
    size_t cut = text.len < r->limit.shown_max ? text.len : r->limit.shown_max;
    while (cut > 0 && ((unsigned char)text.data[cut] & 0xc0) == 0x80)
        cut--;
    if (keep(r, STR("text/plain"), buf_str(&text), &b, e) ||
        build_done(&b, &kept, e) || buf_add(&head, text.data, cut, e) ||
        buf_addf(&head, e,
                 "\n[cut: %zu of %zu bytes shown; the whole is kept as %.*s]",
                 cut, text.len,
                 STR_ARG(json_get_text(kept, "handle", STR("nothing")))))
        return -1;
    /* Without its structured content the result breaks the output schema;
     * clients check that unless it is an error. */
    bool broken = r->tool->tool.output && json_get(whole, "structuredContent");
    *out = one_text(a, buf_str(&head), NULL, is_error || broken, e);
    return *out ? 0 : -1;
}

static int make_shown(const struct result_rules *r, const struct json *raw,
                      const struct json *value, bool is_error, struct arena *a,
                      const struct json **out, struct err *e) {
    const struct json *whole;
    if (redact_shapes(r->redact, r->tool) && !is_error) {
        if (!(whole = result_structured(a, value, e))) return -1;
    } else if (redact_value(r->redact, NULL, raw, a, &whole, e)) {
        return -1;
    }
    if (measure(whole) <= r->limit.shown_max) {
        *out = whole;
        return 0;
    }
    return shorten(r, whole, is_error, a, out, e);
}

/* A long text is handed to a program as a handle, which it reads in parts. */
static int keep_large(const struct result_rules *r, struct arena *a,
                      const struct json **value, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    if (!r->store || json_type(*value) != JSON_STRING ||
        json_len(*value) <= LARGE_BYTES)
        return 0;
    if (keep(r, STR("text/plain"), json_str(*value), &b, e)) return -1;
    return build_done(&b, value, e);
}

int result_take(const struct result_rules *r, const struct json *raw,
                struct arena *a, struct result *out, struct err *e) {
    struct result got = {0};
    const struct json *value;
    if (json_type(raw) != JSON_OBJECT)
        return fail(e, ERR_PEER, "the result is not an object");
    got.bytes = measure(raw);
    if (got.bytes > r->limit.result_max)
        return fail(e, ERR_LIMIT,
                    "the result has about %zu bytes; at most %zu are taken",
                    got.bytes, r->limit.result_max);
    got.is_error = json_get_bool(raw, "isError", false);
    got.meta = json_get(raw, "_meta");
    if (!got.is_error && check_schema(r, raw, e)) return -1;
    if (find_value(r, raw, a, &value, e)) return -1;
    const struct entry *shaped = got.is_error ? NULL : r->tool;
    if (redact_value(r->redact, shaped, value, a, &got.value, e) ||
        make_shown(r, raw, got.value, got.is_error, a, &got.shown, e) ||
        (!got.is_error && keep_large(r, a, &got.value, e)))
        return -1;
    *out = got;
    return 0;
}
