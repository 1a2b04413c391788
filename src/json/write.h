/* SPDX-License-Identifier: MIT
 *
 * write -- JSON text from values, or straight from code.
 */
#ifndef CORDON_JSON_WRITE_H
#define CORDON_JSON_WRITE_H

#include "base/buf.h"
#include "json/json.h"

enum json_style {
    JSON_COMPACT,
    JSON_PRETTY,    /* two spaces, one member a line */
    JSON_CANONICAL, /* RFC 8785, but integers keep all their digits, so that
                       two of them never have one text */
};

int json_write(const struct json *v, enum json_style style, struct buf *out,
               struct err *e);

/* One string with its quotes. Lone surrogates become \ud800 escapes. */
int json_write_string(str s, struct buf *out, struct err *e);

/* Writes compact text piece by piece, commas and colons included. The first
 * failure sticks; jw_done() reports it. */
struct jw {
    struct buf *out;
    bool comma; /* the next key or item needs one */
    bool failed;
    struct err err;
};

/* err is left as it is: it is long, and read only after a failure. */
static inline struct jw jw_start(struct buf *out) {
    struct jw w;
    w.out = out;
    w.comma = w.failed = false;
    return w;
}
#define JW(out_) jw_start(out_)

void jw_object(struct jw *w);
void jw_array(struct jw *w);
void jw_end_object(struct jw *w);
void jw_end_array(struct jw *w);
void jw_key(struct jw *w, const char *key);
void jw_key_str(struct jw *w, str key);
void jw_null(struct jw *w);
void jw_bool(struct jw *w, bool v);
void jw_int(struct jw *w, int64_t v);
void jw_real(struct jw *w, double v); /* NaN, infinity: null */
void jw_text(struct jw *w, str v);
void jw_value(struct jw *w, const struct json *v);
void jw_raw(struct jw *w, str json_text); /* trusted text, as it is */

void jw_put_text(struct jw *w, const char *key, str v);
void jw_put_int(struct jw *w, const char *key, int64_t v);
void jw_put_bool(struct jw *w, const char *key, bool v);

int jw_done(struct jw *w, struct err *e);

#endif
