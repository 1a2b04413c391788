/* SPDX-License-Identifier: MIT
 *
 * Where two definitions differ. Members are compared by name, items of lists
 * by place; a string that changed is shown whole, line by line.
 */
#include "policy/pin.h"

#include "policy/label.h"
#include "policy/poison.h"
#include "json/write.h"

#define VALUE_BYTES ((size_t)16 << 20)
#define DEPTH       64 /* deeper parts are shown whole */

struct diff {
    struct buf *out;
    struct buf path;
    struct err *e;
};

/* Each line with its sign; white space at an end is shown. */
static int add_lines(struct diff *d, char sign, str text) {
    str rest = text;
    do {
        str line = str_cut(&rest, '\n');
        bool blank = line.n > 0 &&
                     (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t');
        if (buf_addf(d->out, d->e, "  %c ", sign) ||
            visible_add(line, d->out, d->e) ||
            (blank && buf_add_text(d->out, "<end>", d->e)) ||
            buf_add_char(d->out, '\n', d->e))
            return -1;
    } while (rest.p);
    return 0;
}

static int add_value(struct diff *d, char sign, const struct json *v) {
    AUTO_BUF struct buf text = BUF_MAX(VALUE_BYTES);
    if (!v) return 0;
    if (json_type(v) == JSON_STRING) return add_lines(d, sign, json_str(v));
    if (json_write(v, JSON_COMPACT, &text, d->e)) return -1;
    return add_lines(d, sign, buf_str(&text));
}

static int tell(struct diff *d, const struct json *before,
                const struct json *after) {
    if (visible_add(buf_str(&d->path), d->out, d->e) ||
        buf_add_text(d->out, d->path.len ? "\n" : "/\n", d->e))
        return -1;
    return add_value(d, '-', before) || add_value(d, '+', after) ? -1 : 0;
}

static int compare(struct diff *d, const struct json *before,
                   const struct json *after, int depth);

static int compare_member(struct diff *d, const struct json *key,
                          const struct json *before, const struct json *after,
                          int depth) {
    size_t at = d->path.len;
    if (buf_add_char(&d->path, '/', d->e) ||
        pointer_add(json_str(key), &d->path, d->e) ||
        compare(d, before, after, depth + 1))
        return -1;
    buf_truncate(&d->path, at);
    return 0;
}

static int compare_objects(struct diff *d, const struct json *before,
                           const struct json *after, int depth) {
    const struct json *key = json_first(before);
    for (size_t i = json_len(before); i > 0; i--, key = json_skip(key + 1))
        if (compare_member(d, key, key + 1, json_get_str(after, json_str(key)),
                           depth))
            return -1;
    key = json_first(after);
    for (size_t i = json_len(after); i > 0; i--, key = json_skip(key + 1))
        if (!json_get_str(before, json_str(key)) &&
            compare_member(d, key, NULL, key + 1, depth))
            return -1;
    return 0;
}

static int compare_arrays(struct diff *d, const struct json *before,
                          const struct json *after, int depth) {
    size_t most =
        json_len(before) > json_len(after) ? json_len(before) : json_len(after);
    for (size_t i = 0; i < most; i++) {
        size_t at = d->path.len;
        if (buf_addf(&d->path, d->e, "/%zu", i) ||
            compare(d, json_at(before, i), json_at(after, i), depth + 1))
            return -1;
        buf_truncate(&d->path, at);
    }
    return 0;
}

static int compare(struct diff *d, const struct json *before,
                   const struct json *after, int depth) {
    if (before && after && json_equal(before, after)) return 0;
    bool same = before && after && json_type(before) == json_type(after);
    if (same && depth < DEPTH && json_type(before) == JSON_OBJECT)
        return compare_objects(d, before, after, depth);
    if (same && depth < DEPTH && json_type(before) == JSON_ARRAY)
        return compare_arrays(d, before, after, depth);
    return tell(d, before, after);
}

int pin_diff(const struct json *before, const struct json *after,
             struct buf *out, struct err *e) {
    struct diff d = {out, BUF_MAX(1 << 20), e};
    int failed = compare(&d, before, after, 0);
    buf_fini(&d.path);
    return failed;
}
