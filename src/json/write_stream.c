/* SPDX-License-Identifier: MIT
 *
 * struct jw: compact text from code, piece by piece.
 */
#include "base/real.h"
#include "base/utf8.h"
#include "json/write.h"
#include "json/write_cursor.h"

#include <math.h>

/* Each byte that is not UTF-8 is written as U+FFFD. */
static int string_replaced(struct cursor *w, str s) {
    if (cursor_char(w, '"')) return -1;
    for (;;) {
        size_t good = utf8_valid_loose(s.p, s.n);
        if (cursor_string_part(w, (str){s.p, good})) return -1;
        if (good == s.n) return cursor_char(w, '"');
        if (cursor_put(w, "\xef\xbf\xbd", 3)) return -1;
        s = str_sub(s, good + 1, s.n);
    }
}

int json_write_string(str s, struct buf *out, struct err *e) {
    size_t start = out->len;
    struct cursor w = cursor_begin(out, e);
    int result = string_replaced(&w, s);
    cursor_flush(&w);
    if (result) buf_truncate(out, start);
    return result;
}

static void note(struct jw *w, int result) {
    if (result) w->failed = true;
}

/* Before a key or a value. */
static bool begin(struct jw *w) {
    if (!w->failed && w->comma) note(w, buf_add_char(w->out, ',', &w->err));
    w->comma = true;
    return !w->failed;
}

static void put(struct jw *w, str text) {
    if (begin(w)) note(w, buf_add_str(w->out, text, &w->err));
}

void jw_object(struct jw *w) {
    put(w, STR("{"));
    w->comma = false;
}

void jw_array(struct jw *w) {
    put(w, STR("["));
    w->comma = false;
}

static void end(struct jw *w, char closer) {
    if (!w->failed) note(w, buf_add_char(w->out, closer, &w->err));
    w->comma = true;
}

void jw_end_object(struct jw *w) {
    end(w, '}');
}

void jw_end_array(struct jw *w) {
    end(w, ']');
}

void jw_key_str(struct jw *w, str key) {
    if (begin(w)) note(w, json_write_string(key, w->out, &w->err));
    if (!w->failed) note(w, buf_add_char(w->out, ':', &w->err));
    w->comma = false;
}

void jw_key(struct jw *w, const char *key) {
    jw_key_str(w, str_of(key));
}

void jw_null(struct jw *w) {
    put(w, STR("null"));
}

void jw_bool(struct jw *w, bool v) {
    put(w, v ? STR("true") : STR("false"));
}

void jw_int(struct jw *w, int64_t v) {
    char text[REAL_TEXT_SIZE];
    put(w, (str){text, real_format_int(v, text)});
}

void jw_real(struct jw *w, double v) {
    char text[REAL_TEXT_SIZE];
    if (isfinite(v))
        put(w, (str){text, real_format_py(v, text)});
    else
        jw_null(w);
}

void jw_text(struct jw *w, str v) {
    if (begin(w)) note(w, json_write_string(v, w->out, &w->err));
}

void jw_value(struct jw *w, const struct json *v) {
    if (begin(w)) note(w, json_write(v, JSON_COMPACT, w->out, &w->err));
}

void jw_raw(struct jw *w, str json_text) {
    put(w, json_text);
}

void jw_put_text(struct jw *w, const char *key, str v) {
    jw_key(w, key);
    jw_text(w, v);
}

void jw_put_int(struct jw *w, const char *key, int64_t v) {
    jw_key(w, key);
    jw_int(w, v);
}

void jw_put_bool(struct jw *w, const char *key, bool v) {
    jw_key(w, key);
    jw_bool(w, v);
}

int jw_done(struct jw *w, struct err *e) {
    if (!w->failed) return 0;
    *e = w->err;
    return -1;
}
