/* SPDX-License-Identifier: MIT
 *
 * buf -- a growable byte buffer that is born with a maximum.
 *
 * There is no unbounded buffer. An operation that would pass the maximum fails
 * with ERR_LIMIT and leaves the buffer as it was.
 */
#ifndef CORDON_BASE_BUF_H
#define CORDON_BASE_BUF_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

struct buf {
    char *data; /* NUL-terminated when len > 0; NULL when nothing was added */
    size_t len; /* bytes in use, terminator not counted */
    size_t cap; /* bytes allocated */
    size_t max; /* len never exceeds this */
};

#define BUF_MAX(n) ((struct buf){.max = (n)})

int buf_add(struct buf *b, const void *p, size_t n, struct err *e);
int buf_add_str(struct buf *b, str s, struct err *e);
int buf_add_text(struct buf *b, const char *cstr, struct err *e);
int buf_add_char(struct buf *b, char c, struct err *e);
int buf_addf(struct buf *b, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int buf_vaddf(struct buf *b, struct err *e, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));

/* Room for n more bytes at the returned address; then buf_commit what was
 * written (at most n). */
char *buf_reserve(struct buf *b, size_t n, struct err *e);
void buf_commit(struct buf *b, size_t n);

/* Drops n bytes from the front; the rest moves down. */
void buf_consume(struct buf *b, size_t n);

/* Cuts to the first n bytes; n may not exceed len. */
void buf_truncate(struct buf *b, size_t n);

static inline str buf_str(const struct buf *b) {
    return (str){b->data ? b->data : "", b->len};
}

/* The text as a C string, never NULL. */
static inline const char *buf_text(const struct buf *b) {
    return b->data ? b->data : "";
}

/* The caller owns the result (mem_free() it); *b is empty again. */
char *buf_take(struct buf *b, struct err *e);

void buf_fini(struct buf *b); /* the buffer may be used again afterwards */

#define AUTO_BUF __attribute__((cleanup(buf_fini)))

#endif
