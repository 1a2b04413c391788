/* SPDX-License-Identifier: MIT
 *
 * write_cursor -- a place in a buffer that bytes are written at directly.
 *
 * Between cursor_begin() and cursor_flush() the buffer's own length lags
 * behind. Room is asked for before bytes are stored; asking in large pieces
 * keeps the checks out of the way.
 */
#ifndef CORDON_JSON_WRITE_CURSOR_H
#define CORDON_JSON_WRITE_CURSOR_H

#include "base/buf.h"

#include <string.h>

#define CURSOR_INLINE static inline __attribute__((always_inline))

struct cursor {
    char *p;   /* next byte to write */
    char *end; /* behind the last byte that may be written */
    struct buf *out;
    struct err *e;
};

struct cursor cursor_begin(struct buf *out, struct err *e);

/* Makes the buffer's length true; the cursor may be used on. */
void cursor_flush(struct cursor *w);

/* Takes up the place again after others added to the buffer. */
void cursor_refill(struct cursor *w);

/* Room for n bytes by growing the buffer; -1 and *e past its maximum. */
int cursor_grow(struct cursor *w, size_t n);

CURSOR_INLINE int cursor_need(struct cursor *w, size_t n) {
    if (__builtin_expect((size_t)(w->end - w->p) >= n, 1)) return 0;
    return cursor_grow(w, n);
}

CURSOR_INLINE int cursor_put(struct cursor *w, const char *p, size_t n) {
    if (cursor_need(w, n)) return -1;
    memcpy(w->p, p, n);
    w->p += n;
    return 0;
}

CURSOR_INLINE int cursor_char(struct cursor *w, char c) {
    if (cursor_need(w, 1)) return -1;
    *w->p++ = c;
    return 0;
}

/* A JSON string with its quotes, from loose UTF-8 that is known to be valid. */
int cursor_string(struct cursor *w, str s);

/* The same without the quotes. */
int cursor_string_part(struct cursor *w, str s);

#endif
