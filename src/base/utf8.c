/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <string.h>

#define HIGH_BITS 0x8080808080808080u

static bool is_tail(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

static uint32_t tail(char c) {
    return (unsigned char)c & 0x3f;
}

/* Length that a first byte announces, and the smallest code point that may be
 * written with it; 0 for a byte that cannot come first. */
static size_t announced(unsigned char c, uint32_t *least) {
    if (c < 0x80) return *least = 0, 1;
    if (c < 0xc2) return 0;
    if (c < 0xe0) return *least = 0x80, 2;
    if (c < 0xf0) return *least = 0x800, 3;
    if (c < 0xf5) return *least = 0x10000, 4;
    return 0;
}

size_t utf8_decode_loose(const char *p, size_t n, uint32_t *cp) {
    if (n == 0) return 0;
    unsigned char first = (unsigned char)p[0];
    uint32_t least;
    size_t length = announced(first, &least);
    if (length == 0 || length > n) return 0;
    uint32_t value = length == 1 ? first : first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (!is_tail(p[i])) return 0;
        value = value << 6 | tail(p[i]);
    }
    if (value < least || value > 0x10ffff) return 0;
    *cp = value;
    return length;
}

size_t utf8_decode(const char *p, size_t n, uint32_t *cp) {
    uint32_t value;
    size_t length = utf8_decode_loose(p, n, &value);
    if (length == 0 || (value >= 0xd800 && value <= 0xdfff)) return 0;
    *cp = value;
    return length;
}

size_t utf8_encode(uint32_t cp, char *out) {
    unsigned char *o = (unsigned char *)out;
    if (cp > 0x10ffff) return 0;
    if (cp < 0x80) return o[0] = (unsigned char)cp, 1;
    size_t length = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; cp >>= 6)
        o[i] = (unsigned char)(0x80 | (cp & 0x3f));
    o[0] = (unsigned char)(0xf00 >> length | cp);
    return length;
}

/* Bytes of plain ASCII at the front, eight at a time. */
static size_t ascii_prefix(const char *p, size_t n) {
    size_t i = 0;
    for (uint64_t word; i + 8 <= n; i += 8) {
        memcpy(&word, p + i, 8);
        if (word & HIGH_BITS) break;
    }
    while (i < n && (unsigned char)p[i] < 0x80)
        i++;
    return i;
}

typedef size_t decoder(const char *p, size_t n, uint32_t *cp);

static inline size_t valid_prefix(const char *p, size_t n, decoder *decode) {
    size_t i = 0;
    while (i < n) {
        if ((unsigned char)p[i] < 0x80) {
            i += ascii_prefix(p + i, n - i);
            continue;
        }
        uint32_t cp;
        size_t length = decode(p + i, n - i, &cp);
        if (length == 0) break;
        i += length;
    }
    return i;
}

size_t utf8_valid(const char *p, size_t n) {
    return valid_prefix(p, n, utf8_decode);
}

size_t utf8_valid_loose(const char *p, size_t n) {
    return valid_prefix(p, n, utf8_decode_loose);
}

bool utf8_is_ascii(const char *p, size_t n) {
    return ascii_prefix(p, n) == n;
}

size_t utf8_count(const char *p, size_t n) {
    const uint64_t ones = 0x0101010101010101u;
    size_t count = n;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t w;
        memcpy(&w, p, sizeof w);
        uint64_t tails = w >> 7 & ~(w >> 6) & ones; /* 10xxxxxx */
        count -= tails * ones >> 56;
    }
    for (size_t i = 0; i < n; i++)
        count -= is_tail(p[i]);
    return count;
}
