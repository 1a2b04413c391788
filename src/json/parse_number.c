/* SPDX-License-Identifier: MIT */
#include "json/parse_number.h"

/* Eight digits read as one 64-bit word: checked, then summed pairwise. Needs
 * little-endian order, in which the first digit is the lowest byte. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static bool eight_digits(const char *p, uint64_t *value) {
    uint64_t w;
    memcpy(&w, p, 8);
    /* The high half of each byte must be 3, also after adding 6. */
    uint64_t high = 0xf0f0f0f0f0f0f0f0, three = 0x3333333333333333;
    if (((w & high) | ((w + 0x0606060606060606) & high) >> 4) != three)
        return false;
    w -= 0x3030303030303030;
    w = w * 10 + (w >> 8);
    uint64_t even =
        (w & 0x000000ff000000ff) * (100 + ((uint64_t)1000000 << 32));
    uint64_t odd =
        (w >> 16 & 0x000000ff000000ff) * (1 + ((uint64_t)10000 << 32));
    *value = (even + odd) >> 32;
    return true;
}
#else
static bool eight_digits(const char *p, uint64_t *value) {
    uint64_t v = 0;
    for (int i = 0; i < 8; i++) {
        if (!parse_is_digit(p[i])) return false;
        v = v * 10 + (uint64_t)(p[i] - '0');
    }
    *value = v;
    return true;
}
#endif

/* Appends the digits at p to *v (which may wrap) and returns their end. */
static char *take_digits(char *p, const char *end, uint64_t *v) {
    uint64_t eight;
    while (end - p >= 8 && eight_digits(p, &eight)) {
        *v = *v * 100000000 + eight;
        p += 8;
    }
    while (parse_is_digit(*p))
        *v = *v * 10 + (uint64_t)(*p++ - '0');
    return p;
}

/* Beyond this an exponent decides alone; it is not counted further. */
#define EXPONENT_CAP 100000000

/* at is 'e' or 'E'. */
static char *take_exponent(char *at, int *exponent, struct parse_fault *fault) {
    char *p = at + 1;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if (!parse_is_digit(*p))
        return parse_wrong(p, "a digit in the exponent", fault);
    int v = 0;
    for (; parse_is_digit(*p); p++)
        if (v < EXPONENT_CAP) v = v * 10 + (*p - '0');
    *exponent = negative ? -v : v;
    return p;
}

char *parse_real(char *start, char *at, const char *end, uint64_t digits,
                 size_t count, struct parse_number *out,
                 struct parse_fault *fault) {
    char *p = at;
    size_t fraction = 0;
    if (*p == '.') {
        p = take_digits(at + 1, end, &digits);
        fraction = (size_t)(p - at - 1);
        if (fraction == 0)
            return parse_wrong(p, "a digit after the point", fault);
    }
    int exponent = 0;
    if (*p == 'e' || *p == 'E') {
        p = take_exponent(p, &exponent, fault);
        if (!p) return NULL;
    }
    double d;
    if (count + fraction <= 19) {
        d = real_scale(digits, exponent - (int)fraction);
        if (*start == '-') d = -d;
    } else
        d = real_parse((str){start, (size_t)(p - start)});
    out->type = __builtin_isinf(d) ? JSON_BIG : JSON_REAL;
    out->real = d;
    return p;
}
