/* SPDX-License-Identifier: MIT */
#include "json/schema_num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "json/decimal.h"

/* A number's decimal digits; those of numbers that are not text lie here. */
struct digits {
    struct decimal d;
    char text[24];
};

/* An exponent that decimal_of() cannot count is as good as this one. */
#define HUGE_EXPONENT (INT64_MAX / 4)

static void read_big(str text, struct decimal *out) {
    if (decimal_of(text, out)) return;
    size_t e = 0;
    while (e < text.n && text.p[e] != 'e' && text.p[e] != 'E')
        e++;
    bool tiny = e + 1 < text.n && text.p[e + 1] == '-';
    decimal_of(str_sub(text, 0, e), out);
    if (out->count > 0) out->exp10 += tiny ? -HUGE_EXPONENT : HUGE_EXPONENT;
}

static void read_digits(const struct json *v, struct digits *out) {
    out->d = (struct decimal){.negative = false};
    if (json_type(v) == JSON_BIG) {
        read_big(json_str(v), &out->d);
    } else if (json_type(v) == JSON_INT) {
        int n = snprintf(out->text, sizeof out->text, "%lld",
                         (long long)v->as.integer);
        decimal_of((str){out->text, (size_t)n}, &out->d);
    } else if (v->as.real != 0) {
        int exp10;
        out->d.negative = v->as.real < 0;
        out->d.count = real_digits(fabs(v->as.real), out->text, &exp10);
        out->d.digits = (str){out->text, out->d.count};
        out->d.exp10 = exp10;
    }
}

static int sign_of(const struct decimal *d) {
    if (d->count == 0) return 0;
    return d->negative ? -1 : 1;
}

/* Walks digits and steps over a point. */
static char next_digit(const char **p) {
    if (**p == '.') ++*p;
    return *(*p)++;
}

static int compare_digits(const struct decimal *a, const struct decimal *b) {
    const char *p = a->digits.p, *q = b->digits.p;
    size_t shared = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < shared; i++) {
        char x = next_digit(&p), y = next_digit(&q);
        if (x != y) return x < y ? -1 : 1;
    }
    if (a->count == b->count) return 0;
    return a->count < b->count ? -1 : 1;
}

static int compare_decimals(const struct json *x, const struct json *y) {
    struct digits a, b;
    read_digits(x, &a);
    read_digits(y, &b);
    int sign = sign_of(&a.d);
    if (sign != sign_of(&b.d)) return sign < sign_of(&b.d) ? -1 : 1;
    if (sign == 0) return 0;
    if (a.d.exp10 != b.d.exp10) return a.d.exp10 < b.d.exp10 ? -sign : sign;
    return sign * compare_digits(&a.d, &b.d);
}

/* i against a finite d, exactly. */
static int compare_int_real(int64_t i, double d) {
    if (d >= 0x1p63) return -1;
    if (d < -0x1p63) return 1;
    int64_t whole = (int64_t)d;
    if (i != whole) return i < whole ? -1 : 1;
    double rest = d - (double)whole;
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

int number_compare(const struct json *a, const struct json *b) {
    enum json_type x = json_type(a), y = json_type(b);
    if (x == JSON_BIG || y == JSON_BIG) return compare_decimals(a, b);
    if (x == JSON_INT && y == JSON_REAL)
        return compare_int_real(a->as.integer, b->as.real);
    if (x == JSON_REAL && y == JSON_INT)
        return -compare_int_real(b->as.integer, a->as.real);
    if (x == JSON_INT)
        return (a->as.integer > b->as.integer) -
               (a->as.integer < b->as.integer);
    return (a->as.real > b->as.real) - (a->as.real < b->as.real);
}

bool number_is_integral(const struct json *v) {
    if (json_type(v) == JSON_INT) return true;
    if (json_type(v) == JSON_REAL) return v->as.real == trunc(v->as.real);
    struct digits n;
    read_digits(v, &n);
    return n.d.count == 0 || n.d.exp10 >= (int64_t)n.d.count;
}

bool number_step(const struct json *v, struct decimal_step *out) {
    struct digits n;
    read_digits(v, &n);
    if (sign_of(&n.d) <= 0 || n.d.count > 18) return false;
    *out = (struct decimal_step){.exp10 = n.d.exp10 - (int64_t)n.d.count};
    const char *p = n.d.digits.p;
    for (size_t i = 0; i < n.d.count; i++)
        out->digits = out->digits * 10 + (uint64_t)(next_digit(&p) - '0');
    if (json_type(v) == JSON_INT) out->integer = v->as.integer;
    return true;
}

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t m) {
    return (uint64_t)((__extension__(unsigned __int128) a * b) % m);
}

static uint64_t power_of_ten_mod(int64_t exponent, uint64_t m) {
    uint64_t result = 1 % m, base = 10 % m;
    for (; exponent > 0; exponent >>= 1, base = mul_mod(base, base, m))
        if (exponent & 1) result = mul_mod(result, base, m);
    return result;
}

/* v = D * 10^x and step = S * 10^y, neither D nor S ending in 0. With x >= y
 * the question is D * 10^(x-y) mod S; with x < y, D would have to end in 0. */
bool number_is_multiple(const struct json *v, const struct decimal_step *step) {
    if (json_type(v) == JSON_INT && step->integer)
        return v->as.integer % step->integer == 0;
    struct digits n;
    read_digits(v, &n);
    if (n.d.count == 0) return true;
    int64_t exp10 = n.d.exp10 - (int64_t)n.d.count;
    if (exp10 < step->exp10) return false;
    uint64_t rest = 0, m = step->digits;
    const char *p = n.d.digits.p;
    for (size_t i = 0; i < n.d.count; i++) {
        uint64_t digit = (uint64_t)(next_digit(&p) - '0');
        rest = (mul_mod(rest, 10, m) + digit) % m;
    }
    return mul_mod(rest, power_of_ten_mod(exp10 - step->exp10, m), m) == 0;
}
