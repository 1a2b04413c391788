/* SPDX-License-Identifier: MIT
 *
 * Floats as digits, for the format mini-language and for %. */
#include "vm/format.h"

#include "vm/number.h"
#include "vm/repr.h"

#include <math.h>
#include <stdio.h>

#define FIXED_MAX 40

/* Zeros behind the digits of the number that begins at start: at the end, or
 * before its exponent. */
static void add_zeros(struct build *b, size_t start, size_t n) {
    size_t at = start;
    while (at < b->n && (b->p[at] | 32) != 'e')
        at++;
    memmove(b->p + at + n, b->p + at, b->n - at);
    memset(b->p + at, '0', n);
    b->n += n;
    b->chars += n;
}

/* The numbers and precisions that people print: d * 10^precision as an integer,
 * exactly, half to even. 0 where that has no room; else the length. */
static size_t fixed_digits(double d, int64_t precision, char out[FIXED_MAX]) {
    static const uint64_t tens[] = {1,         10,         100,        1000,
                                    10000,     100000,     1000000,    10000000,
                                    100000000, 1000000000, 10000000000};
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    int exponent = d == 0 ? 0 : (int)(bits >> 52 & 0x7ff) - 1075;
    if (precision >= (int64_t)(sizeof tens / sizeof tens[0]) || exponent > 0 ||
        exponent < -110)
        return 0;
    uint64_t mantissa = (bits & ((1ull << 52) - 1)) | 1ull << 52;
    __uint128_t all = (__uint128_t)(d == 0 ? 0 : mantissa) * tens[precision];
    __uint128_t whole = all >> -exponent, half = 0;
    if (exponent) {
        __uint128_t rest = all - (whole << -exponent);
        half = (__uint128_t)1 << (-exponent - 1);
        whole += rest > half || (rest == half && whole & 1);
    }
    if (whole >> 64) return 0;
    uint64_t left = (uint64_t)whole;
    char *p = out + FIXED_MAX;
    for (int64_t i = 0; i < precision; i++, left /= 10)
        *--p = (char)('0' + left % 10);
    if (precision) *--p = '.';
    do
        *--p = (char)('0' + left % 10);
    while (left /= 10);
    size_t n = (size_t)(out + FIXED_MAX - p);
    memmove(out, p, n);
    return n;
}

/* "%#.6g" of 999999.5 is 1.e+06 in some C libraries: they forget the zeros of a
 * number that rounding made longer. */
static int shown_digits(const char *text, size_t n, int wanted) {
    int digits = 0;
    for (size_t i = 0; i < n; i++) {
        if ((text[i] | 32) == 'e') return digits;
        digits += text[i] >= '0' && text[i] <= '9';
    }
    return wanted;
}

/* The C library's conversions are exact for every precision. The point is kept
 * by '#', and added by `add_dot_0` where the result would read as an int. */
void format_real_digits(struct build *b, double d, char type, int64_t precision,
                        bool alternate, bool add_dot_0) {
    char form[8] = {'%'}, fixed[FIXED_MAX];
    size_t n = 1, start = b->n;
    size_t len_fixed = (type | 32) == 'f' && !alternate
                           ? fixed_digits(d, precision, fixed)
                           : 0;
    if (len_fixed) {
        build_ascii(b, fixed, len_fixed);
        return;
    }
    if (alternate) form[n++] = '#';
    form[n++] = '.';
    form[n++] = '*';
    form[n++] = type;
    /* No double has more digits than that; the rest are zeros. */
    int digits = precision > 1100 ? 1100 : (int)precision;
    size_t room = (size_t)precision + 400;
    b->failed = b->failed || !text_fits(b->vm, room) || !vm_charge(b->vm, room);
    char *out = build_room(b, room);
    if (!out) return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int len = snprintf(out, room, form, digits, d);
#pragma GCC diagnostic pop
    b->n += (size_t)len;
    b->chars += (size_t)len;
    if (alternate && (type | 32) == 'g')
        digits = shown_digits(out, (size_t)len, digits);
    if (precision > digits && (alternate || (type | 32) != 'g'))
        add_zeros(b, start, (size_t)(precision - digits));
    if (!add_dot_0) return;
    for (size_t i = start; i < b->n; i++)
        if (b->p[i] == '.' || b->p[i] == 'e' || b->p[i] == 'E') return;
    build_ascii(b, ".0", 2);
}

/* Text of a finite magnitude by the spec's type. */
static void add_magnitude(struct build *b, double d, const struct spec *s) {
    char type = s->type ? (char)s->type : 'r';
    int64_t precision = s->precision;
    char out[40];
    if (type == 'r' && precision < 0) {
        size_t len = float_text(d, out);
        char *e = memchr(out, 'e', len);
        bool point = s->alternate && e && !memchr(out, '.', len);
        size_t head = point ? (size_t)(e - out) : len;
        build_ascii(b, out, head);
        if (point) build_ascii(b, ".", 1);
        build_ascii(b, out + head, len - head);
        return;
    }
    if (type == '%') d *= 100;
    if (precision < 0) precision = 6;
    if (type == 'r') {
        /* As g, but a whole number shows one digit behind the point, and goes
         * over to the exponent one digit earlier. */
        if (precision == 0) precision = 1;
        int exp10 = d == 0 ? 0 : (int)floor(log10(d));
        char probe[64];
        if (precision < 40 && d != 0) {
            snprintf(probe, sizeof probe, "%.*e", (int)precision - 1, d);
            const char *e = strchr(probe, 'e');
            exp10 = 0;
            if (e) {
                bool neg = e[1] == '-';
                for (const char *p = e + 2; *p; p++)
                    exp10 = exp10 * 10 + (*p - '0');
                if (neg) exp10 = -exp10;
            }
        }
        if (exp10 == precision - 1) {
            size_t start = b->n;
            format_real_digits(b, d, 'e', precision - 1, s->alternate, false);
            if (s->alternate) return;
            /* Trailing zeros of the mantissa go. */
            char *text = b->p + start;
            size_t len = b->n - start;
            char *e = memchr(text, 'e', len);
            if (e && memchr(text, '.', (size_t)(e - text))) {
                char *end = e;
                while (end[-1] == '0')
                    end--;
                if (end[-1] == '.') end--;
                memmove(end, e, len - (size_t)(e - text));
                b->n -= (size_t)(e - end);
                b->chars -= (size_t)(e - end);
            }
            return;
        }
        format_real_digits(b, d, 'g', precision, s->alternate, true);
        return;
    }
    if (type == 'n') type = 'g';
    if (type == '%') type = 'f';
    if ((type == 'g' || type == 'G') && precision == 0) precision = 1;
    format_real_digits(b, d, type, precision, s->alternate, false);
    if (s->type == '%') build_ascii(b, "%", 1);
}

void format_real(struct build *b, double d, const struct spec *s) {
    bool upper = s->type == 'E' || s->type == 'F' || s->type == 'G';
    if (isnan(d))
        build_cstr(b, upper ? "NAN" : "nan");
    else if (isinf(d))
        build_cstr(b, upper ? "INF" : "inf");
    else {
        add_magnitude(b, d, s);
        return;
    }
    if (s->type == '%') build_ascii(b, "%", 1);
}
