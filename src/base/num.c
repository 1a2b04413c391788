/* SPDX-License-Identifier: MIT */
#include "base/num.h"

#include <string.h>

size_t num_pow2(size_t n) {
    size_t p = 1;
    while (p < n && p != 0)
        p <<= 1;
    return p;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Cuts leading digits off *s; false on overflow. *count may be 0. */
static bool cut_digits(str *s, uint64_t *value, size_t *count) {
    *value = 0;
    *count = 0;
    while (*count < s->n && is_digit(s->p[*count])) {
        uint64_t digit = (uint64_t)(s->p[*count] - '0');
        if (num_mul(*value, 10u, value) || num_add(*value, digit, value))
            return false;
        ++*count;
    }
    *s = str_sub(*s, *count, s->n);
    return true;
}

int num_parse_u64(str s, uint64_t *out, struct err *e) {
    str rest = s;
    uint64_t value;
    size_t digits;
    if (!cut_digits(&rest, &value, &digits))
        return fail(e, ERR_INVALID, "%.*s is too large", STR_ARG(s));
    if (digits == 0 || rest.n > 0)
        return fail(e, ERR_INVALID, "\"%.*s\" is not a whole number",
                    STR_ARG(s));
    *out = value;
    return 0;
}

int num_parse_i64(str s, int64_t *out, struct err *e) {
    bool negative = str_starts(s, STR("-"));
    uint64_t magnitude, most = (uint64_t)INT64_MAX + negative;
    if (num_parse_u64(str_sub(s, negative, s.n), &magnitude, e)) {
        if (negative)
            return fail(e, ERR_INVALID, "\"%.*s\" is not a whole number",
                        STR_ARG(s));
        return -1;
    }
    if (magnitude > most)
        return fail(e, ERR_INVALID, "%.*s is too large", STR_ARG(s));
    *out = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return 0;
}

/* The exponent of 1024 that a size suffix stands for, or -1. */
static int size_power(str suffix) {
    static const char letters[] = "kmgt";
    if (suffix.n == 0 || str_eq_nocase(suffix, STR("b"))) return 0;
    const char *at = strchr(letters, suffix.p[0] | 0x20);
    str tail = str_sub(suffix, 1, suffix.n);
    bool known = tail.n == 0 || str_eq_nocase(tail, STR("b")) ||
                 str_eq_nocase(tail, STR("ib"));
    return at && known ? (int)(at - letters) + 1 : -1;
}

int num_parse_size(str s, uint64_t *bytes, struct err *e) {
    str suffix = s;
    uint64_t value;
    size_t digits;
    if (!cut_digits(&suffix, &value, &digits))
        return fail(e, ERR_INVALID, "%.*s is too large", STR_ARG(s));
    int power = size_power(suffix);
    if (digits == 0 || power < 0)
        return fail(e, ERR_INVALID,
                    "\"%.*s\" is not a size (like 512, 64k, 512m, 1g)",
                    STR_ARG(s));
    if (num_mul(value, (uint64_t)1 << (10 * power), &value))
        return fail(e, ERR_INVALID, "%.*s is too large", STR_ARG(s));
    *bytes = value;
    return 0;
}

#define SECOND ((int64_t)1000000000)

static int64_t duration_unit(str suffix) {
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {
        {"", SECOND},
        {"s", SECOND},
        {"ms", 1000000},
        {"us", 1000},
        {"ns", 1},
        {"m", 60 * SECOND},
        {"h", 3600 * SECOND},
        {"d", 86400 * SECOND},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (str_is(suffix, units[i].name)) return units[i].ns;
    return 0;
}

/* ".25" of a unit in ns, cut to whole ones; false if a digit is missing. */
static bool cut_fraction(str *s, str *digits) {
    *digits = (str){NULL, 0};
    if (!str_starts(*s, STR("."))) return true;
    size_t n = 1;
    while (n < s->n && is_digit(s->p[n]))
        n++;
    *digits = str_sub(*s, 1, n);
    *s = str_sub(*s, n, s->n);
    return digits->n > 0;
}

static int64_t fraction_ns(str digits, int64_t unit) {
    int64_t ns = 0;
    for (size_t i = 0; i < digits.n && unit > 0; i++) {
        /* unit / 10 loses nothing that a nanosecond could show: every unit
         * above 1 ns is a multiple of a power of ten times six or less. */
        ns += (digits.p[i] - '0') * unit / 10;
        unit /= 10;
    }
    return ns;
}

int num_parse_duration(str s, int64_t *ns, struct err *e) {
    str suffix = s, fraction;
    uint64_t whole;
    size_t digits;
    if (!cut_digits(&suffix, &whole, &digits))
        return fail(e, ERR_INVALID, "%.*s is too long", STR_ARG(s));
    bool formed = cut_fraction(&suffix, &fraction) && digits > 0;
    int64_t unit = duration_unit(suffix), value;
    if (!formed || unit == 0)
        return fail(e, ERR_INVALID,
                    "\"%.*s\" is not a duration (like 30s, 200ms, 5m, 2h)",
                    STR_ARG(s));
    if (num_mul(whole, unit, &value) ||
        num_add(value, fraction_ns(fraction, unit), &value))
        return fail(e, ERR_INVALID, "%.*s is too long", STR_ARG(s));
    *ns = value;
    return 0;
}
