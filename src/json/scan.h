/* SPDX-License-Identifier: MIT
 *
 * scan -- counts the leading bytes of a class, many at a time.
 *
 * scan_space, scan_plain and scan_clean return how many bytes at the start of
 * p[0..n) belong to their class; nothing behind p[n) is read. SSE2 is part of
 * every x86-64; elsewhere the predicates are applied to eight bytes at a time,
 * which compilers turn into vector code where they can.
 */
#ifndef CORDON_JSON_SCAN_H
#define CORDON_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SCAN_INLINE static inline __attribute__((always_inline))

SCAN_INLINE bool scan_is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Bytes of a JSON string that need no thought when read: ASCII without
 * control characters, quote and backslash. */
SCAN_INLINE bool scan_is_plain(char c) {
    unsigned char u = (unsigned char)c;
    return u >= 0x20 && u < 0x80 && u != '"' && u != '\\';
}

/* Bytes of valid text that need no thought when written: as above, and those
 * of UTF-8 except 0xed, which begins the surrogates. */
SCAN_INLINE bool scan_is_clean(char c) {
    unsigned char u = (unsigned char)c;
    return u >= 0x20 && u != '"' && u != '\\' && u != 0xed;
}

/* scan_stop_x(p): one bit for each of SCAN_STEP bytes outside class x. */
#ifdef __SSE2__

#define SCAN_STEP 16

SCAN_INLINE __m128i scan_load(const char *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

SCAN_INLINE __m128i scan_eq(__m128i v, char c) {
    return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

SCAN_INLINE unsigned scan_bits(__m128i a, __m128i b, __m128i c) {
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a, b), c));
}

SCAN_INLINE unsigned scan_stop_space(const char *p) {
    __m128i v = scan_load(p);
    __m128i line = _mm_or_si128(scan_eq(v, '\n'), scan_eq(v, '\r'));
    return scan_bits(scan_eq(v, ' '), scan_eq(v, '\t'), line) ^ 0xffff;
}

SCAN_INLINE unsigned scan_stop_plain(const char *p) {
    __m128i v = scan_load(p);
    /* A signed comparison: the bytes from 0x80 on are negative. */
    __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8(' '));
    return scan_bits(low, scan_eq(v, '"'), scan_eq(v, '\\'));
}

SCAN_INLINE unsigned scan_stop_clean(const char *p) {
    __m128i v = scan_load(p);
    __m128i low = _mm_cmpeq_epi8(v, _mm_min_epu8(v, _mm_set1_epi8(0x1f)));
    low = _mm_or_si128(low, scan_eq(v, (char)0xed));
    return scan_bits(low, scan_eq(v, '"'), scan_eq(v, '\\'));
}

#else

#define SCAN_STEP 8

SCAN_INLINE unsigned scan_stop(const char *p, bool (*is)(char)) {
    unsigned bits = 0;
    for (unsigned i = 0; i < SCAN_STEP; i++)
        bits |= (unsigned)!is(p[i]) << i;
    return bits;
}

#define scan_stop_space(p) scan_stop(p, scan_is_space)
#define scan_stop_plain(p) scan_stop(p, scan_is_plain)
#define scan_stop_clean(p) scan_stop(p, scan_is_clean)

#endif

#define SCAN_FUNCTION(class)                                         \
    SCAN_INLINE size_t scan_##class(const char *p, size_t n) {       \
        size_t i = 0;                                                \
        for (; n - i >= SCAN_STEP; i += SCAN_STEP) {                 \
            unsigned stop = scan_stop_##class(p + i);                \
            if (stop != 0) return i + (unsigned)__builtin_ctz(stop); \
        }                                                            \
        while (i < n && scan_is_##class(p[i]))                       \
            i++;                                                     \
        return i;                                                    \
    }

SCAN_FUNCTION(space)
SCAN_FUNCTION(plain)
SCAN_FUNCTION(clean)

#endif
