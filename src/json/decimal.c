/* SPDX-License-Identifier: MIT */
#include "json/decimal.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* p stands behind the 'e'. */
static bool exponent_of(const char *p, const char *end, int64_t *out) {
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    while (p < end && *p == '0')
        p++;
    if (end - p > 18) return false;
    int64_t v = 0;
    for (; p < end; p++)
        v = v * 10 + (*p - '0');
    *out = negative ? -v : v;
    return true;
}

bool decimal_of(str text, struct decimal *out) {
    const char *p = text.p, *end = text.p + text.n;
    const char *first = NULL, *last = NULL; /* digits that are not zero */
    struct decimal d = {.negative = p < end && *p == '-'};
    bool point = false;
    size_t count = 0;
    for (p += d.negative; p < end && (is_digit(*p) || *p == '.'); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (*p != '0' && !first) first = p;
        if (first) count++;
        if (first && !point) d.exp10++;
        if (!first && point) d.exp10--;
        if (*p == '0') continue;
        last = p;
        d.count = count;
    }
    int64_t exponent = 0;
    if (p < end && !exponent_of(p + 1, end, &exponent)) return false;
    if (first) {
        d.digits = (str){first, (size_t)(last + 1 - first)};
        d.exp10 += exponent;
    } else
        d = (struct decimal){.negative = false};
    *out = d;
    return true;
}

/* The next digit of rest, or NUL. */
static char next_digit(str *rest) {
    while (rest->n > 0) {
        char c = *rest->p;
        *rest = (str){rest->p + 1, rest->n - 1};
        if (c != '.') return c;
    }
    return '\0';
}

bool decimal_equal(const struct decimal *a, const struct decimal *b) {
    if (a->negative != b->negative || a->exp10 != b->exp10 ||
        a->count != b->count)
        return false;
    str left = a->digits, right = b->digits;
    for (size_t i = 0; i < a->count; i++)
        if (next_digit(&left) != next_digit(&right)) return false;
    return true;
}

static int put_digits(str *rest, size_t n, struct buf *out, struct err *e) {
    for (; n > 0; n--) {
        if (buf_add_char(out, next_digit(rest), e)) return -1;
    }
    return 0;
}

int decimal_write(const struct decimal *d, struct buf *out, struct err *e) {
    size_t start = out->len;
    str rest = d->digits;
    if ((d->negative && buf_add_char(out, '-', e)) ||
        put_digits(&rest, 1, out, e) ||
        (d->count > 1 && buf_add_char(out, '.', e)) ||
        put_digits(&rest, d->count - 1, out, e) ||
        buf_addf(out, e, "e%+lld", (long long)d->exp10 - 1)) {
        buf_truncate(out, start);
        return -1;
    }
    return 0;
}
