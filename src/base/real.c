/* SPDX-License-Identifier: MIT
 *
 * Shortest digits by Raffaello Giulietti's Schubfach: the interval of reals
 * that round to d is scaled by a power of ten so that it holds one to ten
 * integers; the shortest and nearest of them is picked with integer
 * comparisons on 128-bit products, without a loop over digits.
 */
#include "base/real.h"

#include "base/real_pow10.h"

#include <string.h>

/* value = digits * 10^exp10 */
struct decimal {
    uint64_t digits;
    int exp10;
};

/* The high 64 bits of g * c / 2^64, with the lowest bit set when anything was
 * cut off: enough for exact comparisons with multiples of four. */
static uint64_t mul_round_odd(struct pow10 g, uint64_t c) {
    uint64_t low = (uint64_t)((real_u128)g.low * c >> 64);
    real_u128 sum = (real_u128)g.high * c + low;
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

/* An upper bound of 10^k, less than one unit above it; exact where the table
 * is exact or rounded up already. */
static struct pow10 pow10_above(int k) {
    struct pow10 g = real_pow10[k - POW10_FIRST];
    g.low += k < -27 || k > 55;
    return g;
}

/* The nearest of the integers s and s+1 to v = vb/4; ties to even. */
static uint64_t nearest(uint64_t s, uint64_t vb) {
    uint64_t middle = 4 * s + 2;
    return s + (vb > middle || (vb == middle && (s & 1)));
}

/* value = c * 2^q; closer: the next double below is half as far as the one
 * above. */
static struct decimal shortest(uint64_t c, int q, bool closer) {
    int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
    int h = q + pow10_log2(-k) + 1;
    struct pow10 g = pow10_above(-k);
    uint64_t odd = c & 1;
    uint64_t lower = mul_round_odd(g, (4 * c - 2 + closer) << h) + odd;
    uint64_t upper = mul_round_odd(g, (4 * c + 2) << h) - odd;
    uint64_t vb = mul_round_odd(g, (4 * c) << h);

    uint64_t s = vb / 4, tens = s / 10;
    if (s >= 10) {
        bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
        if (below != above) return (struct decimal){tens + above, k + 1};
    }
    bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above) return (struct decimal){s + above, k};
    return (struct decimal){nearest(s, vb), k};
}

static struct decimal without_zeros(struct decimal x) {
    while (x.digits % 10000 == 0) {
        x.digits /= 10000;
        x.exp10 += 4;
    }
    while (x.digits % 10 == 0) {
        x.digits /= 10;
        x.exp10 += 1;
    }
    return x;
}

/* d is finite and above zero. */
static struct decimal to_decimal(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52);
    if (exponent == 0) return without_zeros(shortest(fraction, -1074, false));
    uint64_t c = fraction | (uint64_t)1 << 52;
    int q = exponent - 1075;
    if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0)
        return without_zeros((struct decimal){c >> -q, 0});
    return without_zeros(shortest(c, q, fraction == 0 && exponent > 1));
}

static const char pairs[] = "00010203040506070809"
                            "10111213141516171819"
                            "20212223242526272829"
                            "30313233343536373839"
                            "40414243444546474849"
                            "50515253545556575859"
                            "60616263646566676869"
                            "70717273747576777879"
                            "80818283848586878889"
                            "90919293949596979899";

static size_t count_digits(uint64_t v) {
    static const uint64_t tens[20] = {
        0,
        10,
        100,
        1000,
        10000,
        100000,
        1000000,
        10000000,
        100000000,
        1000000000,
        10000000000,
        100000000000,
        1000000000000,
        10000000000000,
        100000000000000,
        1000000000000000,
        10000000000000000,
        100000000000000000,
        1000000000000000000,
        10000000000000000000u,
    };
    unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1);
    unsigned guess = bits * 1233 >> 12;
    return guess + (v >= tens[guess]);
}

/* Writes v's n = count_digits(v) digits. */
static void put_digits(uint64_t v, char *out, size_t n) {
    while (n > 2) {
        memcpy(out + n - 2, pairs + v % 100 * 2, 2);
        v /= 100;
        n -= 2;
    }
    if (n == 2)
        memcpy(out, pairs + v * 2, 2);
    else
        out[0] = (char)('0' + v);
}

size_t real_digits(double d, char digits[17], int *exp10) {
    struct decimal x = to_decimal(d);
    size_t n = count_digits(x.digits);
    put_digits(x.digits, digits, n);
    *exp10 = x.exp10 + (int)n;
    return n;
}

size_t real_format_int(int64_t v, char out[REAL_TEXT_SIZE]) {
    uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    size_t sign = v < 0;
    out[0] = '-';
    size_t n = count_digits(size);
    put_digits(size, out + sign, n);
    return sign + n;
}

/* What the two spellings differ in. */
struct spelling {
    int exp_below;  /* values under 10^exp_below have an exponent */
    int exp_from;   /* values from 10^exp_from on have an exponent */
    int exp_digits; /* at least so many digits in the exponent */
    bool point;     /* a whole number without an exponent ends in ".0" */
};

/* "d.ddde+xx" from n digits; the value is 0.DIGITS * 10^exp10. */
static size_t put_scientific(char *out, size_t n, int exp10,
                             const struct spelling *how) {
    char *p = out + 1;
    if (n > 1) {
        memmove(p + 1, p, n - 1);
        *p = '.';
        p += n;
    }
    int e = exp10 - 1;
    *p++ = 'e';
    *p++ = e < 0 ? '-' : '+';
    uint64_t size = (uint64_t)(e < 0 ? -e : e);
    if (how->exp_digits == 2 && size < 10) *p++ = '0';
    size_t len = count_digits(size);
    put_digits(size, p, len);
    return (size_t)(p - out) + len;
}

/* Plain notation from n digits that stand at the start of out. */
static size_t put_plain(char *out, size_t n, int exp10,
                        const struct spelling *how) {
    if (exp10 <= 0) {
        size_t zeros = (size_t)-exp10;
        memmove(out + 2 + zeros, out, n);
        memset(out, '0', 2 + zeros);
        out[1] = '.';
        return n + 2 + zeros;
    }
    size_t whole = (size_t)exp10;
    if (n > whole) {
        memmove(out + whole + 1, out + whole, n - whole);
        out[whole] = '.';
        return n + 1;
    }
    memset(out + n, '0', whole - n);
    if (!how->point) return whole;
    memcpy(out + whole, ".0", 2);
    return whole + 2;
}

static size_t format(double d, char *out, const struct spelling *how) {
    size_t sign = d < 0;
    out[0] = '-';
    char *p = out + sign;
    int exp10;
    size_t n = real_digits(sign ? -d : d, p, &exp10);
    if (exp10 <= how->exp_below || exp10 > how->exp_from)
        return sign + put_scientific(p, n, exp10, how);
    return sign + put_plain(p, n, exp10, how);
}

size_t real_format_es(double d, char out[REAL_TEXT_SIZE]) {
    static const struct spelling es = {-6, 21, 1, false};
    if (d != 0) return format(d, out, &es);
    out[0] = '0';
    return 1;
}

size_t real_format_py(double d, char out[REAL_TEXT_SIZE]) {
    static const struct spelling py = {-4, 16, 2, true};
    if (d != 0) return format(d, out, &py);
    memcpy(out, "-0.0", 4);
    if (__builtin_signbit(d)) return 4;
    memcpy(out, "0.0", 3);
    return 3;
}
