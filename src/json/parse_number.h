/* SPDX-License-Identifier: MIT
 *
 * parse_number -- one number of JSON text (see parse.h).
 */
#ifndef CORDON_JSON_PARSE_NUMBER_H
#define CORDON_JSON_PARSE_NUMBER_H

#include "base/real.h"
#include "json/json.h"
#include "json/parse_fault.h"

#include <string.h>

struct parse_number {
    enum json_type type; /* JSON_INT, JSON_REAL or JSON_BIG */
    int64_t integer;
    double real; /* finite */
};

PARSE_INLINE bool parse_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The fraction and exponent of a number whose whole part, from start on (sign
 * included), has been read into `digits` (count of them). at is '.', 'e' or
 * 'E'. */
char *parse_real(char *start, char *at, const char *end, uint64_t digits,
                 size_t count, struct parse_number *out,
                 struct parse_fault *fault);

/* p stands at a digit or '-'; the text ends with a NUL at end. */
PARSE_INLINE char *parse_number(char *p, const char *end,
                                struct parse_number *out,
                                struct parse_fault *fault) {
    char *start = p;
    bool negative = *p == '-';
    p += negative;
    char *first = p;
    uint64_t v = 0; /* wraps from the 20th digit on; then it is not used */
    while (parse_is_digit(*p))
        v = v * 10 + (uint64_t)(*p++ - '0');
    size_t count = (size_t)(p - first);
    if (count == 0) return parse_wrong(p, "a digit", fault);
    if (*first == '0' && count > 1)
        return parse_wrong(first + 1, "no digit after a leading 0", fault);
    if (*p == '.' || *p == 'e' || *p == 'E')
        return parse_real(start, p, end, v, count, out, fault);
    bool fits =
        count <= 18 || (count == 19 && v <= INT64_MAX + (uint64_t)negative);
    out->type = fits ? JSON_INT : JSON_BIG;
    out->integer = (int64_t)(negative ? 0 - v : v);
    return p;
}

#endif
