/* SPDX-License-Identifier: MIT
 *
 * Values to text. A value is a flat array of nodes, so compact and pretty text
 * come from one walk along it with a stack of ends; canonical text visits an
 * object's members in another order and recurses instead.
 */
#include "json/write.h"

#include "base/mem.h"
#include "base/real.h"
#include "json/decimal.h"
#include "json/keys.h"
#include "json/write_cursor.h"

#define LITERAL(w, text) cursor_put((w), "" text, sizeof(text) - 1)

/* Numbers are formatted in place where there is room for the longest. */
CURSOR_INLINE bool has_room(struct cursor *w) {
    return (size_t)(w->end - w->p) >= REAL_TEXT_SIZE ||
           cursor_grow(w, REAL_TEXT_SIZE) == 0;
}

static size_t format_number(const struct json *v, enum json_style style,
                            char *out) {
    if (json_type(v) == JSON_INT) return real_format_int(v->as.integer, out);
    return style == JSON_CANONICAL ? real_format_es(v->as.real, out)
                                   : real_format_py(v->as.real, out);
}

/* Near the buffer's maximum there may only be room for this one. */
static __attribute__((noinline, cold)) int
squeeze_number(struct cursor *w, const struct json *v, enum json_style style) {
    char text[REAL_TEXT_SIZE];
    return cursor_put(w, text, format_number(v, style, text));
}

CURSOR_INLINE int put_number(struct cursor *w, const struct json *v,
                             enum json_style style) {
    if (!has_room(w)) return squeeze_number(w, v, style);
    w->p += format_number(v, style, w->p);
    return 0;
}

static bool is_whole(str number) {
    for (size_t i = 0; i < number.n; i++)
        if (number.p[i] == '.' || (number.p[i] | 0x20) == 'e') return false;
    return true;
}

/* Whole numbers keep their digits, so that none is confused with another. */
static int put_big(struct cursor *w, str v, enum json_style style) {
    struct decimal d;
    if (style != JSON_CANONICAL || is_whole(v) || !decimal_of(v, &d))
        return cursor_put(w, v.p, v.n);
    cursor_flush(w);
    if (decimal_write(&d, w->out, w->e)) return -1;
    cursor_refill(w);
    return 0;
}

static int put_scalar(struct cursor *w, const struct json *v,
                      enum json_style style) {
    switch (json_type(v)) {
    case JSON_NULL: return LITERAL(w, "null");
    case JSON_BOOL:
        return v->as.boolean ? LITERAL(w, "true") : LITERAL(w, "false");
    case JSON_INT:
    case JSON_REAL: return put_number(w, v, style);
    case JSON_BIG: return put_big(w, json_str(v), style);
    case JSON_STRING: return cursor_string(w, json_str(v));
    case JSON_ARRAY: return LITERAL(w, "[]");
    case JSON_OBJECT: return LITERAL(w, "{}");
    }
    return 0;
}

static int put_line(struct cursor *w, size_t depth) {
    if (cursor_need(w, 1 + 2 * depth)) return -1;
    *w->p++ = '\n';
    memset(w->p, ' ', 2 * depth);
    w->p += 2 * depth;
    return 0;
}

/* An open container: where its nodes end. */
struct level {
    const struct json *end;
    bool object;
};

/* v is a value; in an object, its key and the colon come first. Returns the
 * value, or NULL on failure. */
CURSOR_INLINE const struct json *begin_item(struct cursor *w,
                                            const struct json *v, bool object,
                                            size_t depth, bool pretty) {
    if (pretty && put_line(w, depth)) return NULL;
    if (!object) return v;
    if (cursor_string(w, json_str(v)) || cursor_char(w, ':')) return NULL;
    if (pretty && cursor_char(w, ' ')) return NULL;
    return v + 1;
}

CURSOR_INLINE int close_level(struct cursor *w, bool object, size_t depth,
                              bool pretty) {
    if (pretty && put_line(w, depth)) return -1;
    return cursor_char(w, object ? '}' : ']');
}

CURSOR_INLINE int write_flat(struct cursor *w, const struct json *v,
                             bool pretty) {
    struct level stack[JSON_DEPTH_MAX], now = {NULL, false};
    size_t depth = 0;
    while (v) {
        if (json_type(v) >= JSON_ARRAY && json_len(v) > 0) {
            if (depth == JSON_DEPTH_MAX)
                return fail(w->e, ERR_LIMIT, "nested too deep");
            stack[depth++] = now;
            now = (struct level){json_skip(v), json_type(v) == JSON_OBJECT};
            if (cursor_char(w, now.object ? '{' : '[')) return -1;
            v = begin_item(w, v + 1, now.object, depth, pretty);
            continue;
        }
        if (put_scalar(w, v++, JSON_COMPACT)) return -1;
        while (depth > 0 && v == now.end) {
            if (close_level(w, now.object, depth - 1, pretty)) return -1;
            now = stack[--depth];
        }
        if (depth == 0) return 0;
        if (cursor_char(w, ',')) return -1;
        v = begin_item(w, v, now.object, depth, pretty);
    }
    return -1;
}

static int write_compact(struct cursor *w, const struct json *v) {
    return write_flat(w, v, false);
}

static int write_pretty(struct cursor *w, const struct json *v) {
    return write_flat(w, v, true);
}

static int write_canonical(struct cursor *w, const struct json *v,
                           size_t depth);

static int canonical_array(struct cursor *w, const struct json *v,
                           size_t depth) {
    const struct json *item = json_first(v);
    for (size_t i = json_len(v); i > 0; i--, item = json_skip(item))
        if (cursor_char(w, i == json_len(v) ? '[' : ',') ||
            write_canonical(w, item, depth))
            return -1;
    return cursor_char(w, ']');
}

static int canonical_object(struct cursor *w, const struct json *v,
                            size_t depth) {
    AUTO_MEM const struct json **keys = keys_sorted(v, keys_utf16, w->e);
    if (!keys) return -1;
    for (size_t i = 0; i < json_len(v); i++)
        if (cursor_char(w, i == 0 ? '{' : ',') ||
            cursor_string(w, json_str(keys[i])) || cursor_char(w, ':') ||
            write_canonical(w, keys[i] + 1, depth))
            return -1;
    return cursor_char(w, '}');
}

static int write_canonical(struct cursor *w, const struct json *v,
                           size_t depth) {
    if (json_type(v) < JSON_ARRAY || json_len(v) == 0)
        return put_scalar(w, v, JSON_CANONICAL);
    if (depth == JSON_DEPTH_MAX)
        return fail(w->e, ERR_LIMIT, "nested too deep");
    return json_type(v) == JSON_ARRAY ? canonical_array(w, v, depth + 1)
                                      : canonical_object(w, v, depth + 1);
}

static int write_style(struct cursor *w, const struct json *v,
                       enum json_style style) {
    switch (style) {
    case JSON_COMPACT: return write_compact(w, v);
    case JSON_PRETTY: return write_pretty(w, v);
    case JSON_CANONICAL: return write_canonical(w, v, 0);
    }
    return fail(w->e, ERR_INTERNAL, "no such style");
}

int json_write(const struct json *v, enum json_style style, struct buf *out,
               struct err *e) {
    size_t start = out->len;
    struct cursor w = cursor_begin(out, e);
    int result = write_style(&w, v, style);
    cursor_flush(&w);
    if (result) buf_truncate(out, start);
    return result;
}
