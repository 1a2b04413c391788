/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAP 64

/* Doubling, but never beyond what the maximum and its terminator need. */
static size_t next_cap(const struct buf *b, size_t need) {
    size_t cap = b->cap < FIRST_CAP ? FIRST_CAP : b->cap;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    return b->max < SIZE_MAX && cap > b->max + 1 ? b->max + 1 : cap;
}

static int grow(struct buf *b, size_t n, struct err *e) {
    if (n > b->max - b->len)
        return fail(e, ERR_LIMIT, "longer than %zu bytes", b->max);
    if (n >= SIZE_MAX - b->len)
        return fail(e, ERR_MEMORY, "out of memory for %zu bytes", n);
    size_t need = b->len + n + 1;
    if (need <= b->cap) return 0;
    size_t cap = next_cap(b, need);
    char *data = mem_resize(b->data, cap, 1, e);
    if (!data) return -1;
    b->data = data;
    b->cap = cap;
    return 0;
}

int buf_add(struct buf *b, const void *p, size_t n, struct err *e) {
    if (n == 0) return 0;
    if (grow(b, n, e)) return -1;
    memcpy(b->data + b->len, p, n);
    buf_commit(b, n);
    return 0;
}

int buf_add_str(struct buf *b, str s, struct err *e) {
    return buf_add(b, s.p, s.n, e);
}

int buf_add_text(struct buf *b, const char *cstr, struct err *e) {
    return buf_add(b, cstr, strlen(cstr), e);
}

int buf_add_char(struct buf *b, char c, struct err *e) {
    return buf_add(b, &c, 1, e);
}

int buf_addf(struct buf *b, struct err *e, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int result = buf_vaddf(b, e, fmt, ap);
    va_end(ap);
    return result;
}

int buf_vaddf(struct buf *b, struct err *e, const char *fmt, va_list ap) {
    char small[256];
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    int result = 0;
    if (n < 0) {
        result = fail(e, ERR_INTERNAL, "bad format \"%s\"", fmt);
    } else if ((size_t)n < sizeof small) {
        result = buf_add(b, small, (size_t)n, e);
    } else if (grow(b, (size_t)n, e)) {
        result = -1;
    } else {
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
        buf_commit(b, (size_t)n);
    }
    va_end(again);
    return result;
}

char *buf_reserve(struct buf *b, size_t n, struct err *e) {
    return grow(b, n, e) ? NULL : b->data + b->len;
}

void buf_commit(struct buf *b, size_t n) {
    assert(b->len + n < b->cap);
    b->len += n;
    b->data[b->len] = '\0';
}

void buf_consume(struct buf *b, size_t n) {
    assert(n <= b->len);
    if (n == 0) return;
    memmove(b->data, b->data + n, b->len - n + 1);
    b->len -= n;
}

void buf_truncate(struct buf *b, size_t n) {
    assert(n <= b->len);
    if (!b->data) return;
    b->len = n;
    b->data[n] = '\0';
}

char *buf_take(struct buf *b, struct err *e) {
    if (!b->data) return mem_dup("", 0, e);
    b->data[b->len] = '\0'; /* reserved and never committed: no terminator */
    char *text = b->data;
    *b = BUF_MAX(b->max);
    return text;
}

void buf_fini(struct buf *b) {
    mem_free(b->data);
    *b = BUF_MAX(b->max);
}
