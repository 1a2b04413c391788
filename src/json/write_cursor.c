/* SPDX-License-Identifier: MIT */
#include "json/write_cursor.h"

#include "json/scan.h"

#include <stdint.h>

void cursor_refill(struct cursor *w) {
    struct buf *b = w->out;
    if (b->cap == 0) return;
    size_t last = b->cap - 1 < b->max ? b->cap - 1 : b->max;
    w->p = b->data + b->len;
    w->end = b->data + last;
}

struct cursor cursor_begin(struct buf *out, struct err *e) {
    struct cursor w = {.out = out, .e = e};
    cursor_refill(&w);
    return w;
}

void cursor_flush(struct cursor *w) {
    if (w->p) buf_commit(w->out, (size_t)(w->p - w->out->data) - w->out->len);
}

#define FIRST_ROOM 1024

int cursor_grow(struct cursor *w, size_t n) {
    cursor_flush(w);
    size_t left = w->out->max - w->out->len;
    if (n < FIRST_ROOM && left >= FIRST_ROOM) n = FIRST_ROOM;
    if (!buf_reserve(w->out, n, w->e)) return -1;
    cursor_refill(w);
    return 0;
}

/* Is one of eight bytes c, or below 0x20? The borrow of a subtraction shows in
 * the high bit of a byte that was too small. */
#define EACH(c) ((uint64_t)(c)*0x0101010101010101u)

static bool has_byte(uint64_t word, unsigned char c) {
    uint64_t x = word ^ EACH(c);
    return ((x - EACH(1)) & ~x & EACH(0x80)) != 0;
}

static bool all_clean(uint64_t word) {
    bool control = ((word - EACH(0x20)) & ~word & EACH(0x80)) != 0;
    return !control && !has_byte(word, '"') && !has_byte(word, '\\') &&
           !has_byte(word, 0xed);
}

/* Most strings are short. 4 to 15 bytes are copied as two words that overlap;
 * false when a byte is not clean, or there are fewer. */
static bool copy_short(char *to, const char *from, size_t n) {
    if (n >= 8) {
        uint64_t head, tail;
        memcpy(&head, from, 8);
        memcpy(&tail, from + n - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to + n - 8, &tail, 8);
        return all_clean(head) && all_clean(tail);
    }
    uint32_t head, tail;
    if (n < 4) return false;
    memcpy(&head, from, 4);
    memcpy(&tail, from + n - 4, 4);
    memcpy(to, &head, 4);
    memcpy(to + n - 4, &tail, 4);
    return all_clean((uint64_t)head << 32 | tail);
}

/* Copies clean bytes from the front of from[0..n) and returns how many there
 * were. `to` has room for n, of which more than that may be scribbled on. */
static size_t copy_clean(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; n - i >= SCAN_STEP; i += SCAN_STEP) {
        unsigned stop = scan_stop_clean(from + i);
        memcpy(to + i, from + i, SCAN_STEP);
        if (stop != 0) return i + (unsigned)__builtin_ctz(stop);
    }
    if (copy_short(to + i, from + i, n - i)) return n;
    for (; i < n && scan_is_clean(from[i]); i++)
        to[i] = from[i];
    return i;
}

/* What stands for a byte that is not clean. */
struct escape {
    size_t taken; /* bytes of the text */
    size_t size;  /* bytes written */
    char bytes[6];
};

static struct escape unit_escape(unsigned unit, size_t taken) {
    static const char hex[] = "0123456789abcdef";
    return (struct escape){taken,
                           6,
                           {'\\', 'u', hex[unit >> 12], hex[unit >> 8 & 0xf],
                            hex[unit >> 4 & 0xf], hex[unit & 0xf]}};
}

static struct escape escape_of(const char *p) {
    static const char letter[128] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',  ['\f'] = 'f',
        ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\',
    };
    unsigned char c = (unsigned char)*p;
    if (c < 0x80 && letter[c] != '\0')
        return (struct escape){1, 2, {'\\', letter[c]}};
    if (c < 0x80) return unit_escape(c, 1);
    if ((unsigned char)p[1] < 0xa0)
        return (struct escape){3, 3, {p[0], p[1], p[2]}};
    /* A lone surrogate. */
    return unit_escape(
        0xd000 | ((unsigned)p[1] & 0x3f) << 6 | ((unsigned)p[2] & 0x3f), 3);
}

int cursor_string_part(struct cursor *w, str s) {
    if (s.n == 0) return 0; /* p may be NULL then */
    if (cursor_need(w, s.n)) return -1;
    for (size_t i = 0;;) {
        size_t clean = copy_clean(w->p, s.p + i, s.n - i);
        w->p += clean;
        i += clean;
        if (i == s.n) return 0;
        struct escape x = escape_of(s.p + i);
        i += x.taken;
        if (cursor_need(w, x.size + s.n - i)) return -1;
        memcpy(w->p, x.bytes, x.size);
        w->p += x.size;
    }
}

int cursor_string(struct cursor *w, str s) {
    if (cursor_char(w, '"') || cursor_string_part(w, s)) return -1;
    return cursor_char(w, '"');
}
