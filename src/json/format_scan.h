/* SPDX-License-Identifier: MIT
 *
 * format_scan -- taking a text apart from the front, for the formats.
 */
#ifndef CORDON_JSON_FORMAT_SCAN_H
#define CORDON_JSON_FORMAT_SCAN_H

#include "base/str.h"

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline void skip(str *s, size_t n) {
    *s = (str){s->p + n, s->n - n};
}

static inline bool take_char(str *s, char c) {
    if (s->n == 0 || s->p[0] != c) return false;
    skip(s, 1);
    return true;
}

/* Exactly n digits. */
static inline bool take_digits(str *s, size_t n, int *out) {
    if (s->n < n) return false;
    int v = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_digit(s->p[i])) return false;
        v = v * 10 + (s->p[i] - '0');
    }
    skip(s, n);
    *out = v;
    return true;
}

#endif
