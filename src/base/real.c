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

/* The steps from a double to its digits, in one piece of code. */
#define HOT static inline __attribute__((always_inline))

/* value = digits * 10^exp10 */
struct decimal {
    uint64_t digits;
    int exp10;
};

/* The high 64 bits of g * c / 2^64, with the lowest bit set when anything was
 * cut off: enough for exact comparisons with multiples of four. */
HOT uint64_t mul_round_odd(struct pow10 g, uint64_t c) {
    uint64_t low = (uint64_t)((real_u128)g.low * c >> 64);
    real_u128 sum = (real_u128)g.high * c + low;
    return (uint64_t)(sum >> 64) | ((uint64_t)sum > 1);
}

/* An upper bound of 10^k, less than one unit above it; exact where the table
 * is exact or rounded up already. */
HOT struct pow10 pow10_above(int k) {
    struct pow10 g = real_pow10[k - POW10_FIRST];
    g.low += k < -27 || k > 55;
    return g;
}

/* The nearest of the integers s and s+1 to v = vb/4; ties to even. */
HOT uint64_t nearest(uint64_t s, uint64_t vb) {
    uint64_t middle = 4 * s + 2;
    return s + ((vb > middle) | ((vb == middle) & (s & 1)));
}

/* value = c * 2^q; closer: the next double below is half as far as the one
 * above. */
HOT struct decimal shortest(uint64_t c, int q, bool closer) {
    int k = (q * 1262611 - (closer ? 524031 : 0)) >> 22;
    int h = q + pow10_log2(-k) + 1;
    struct pow10 g = pow10_above(-k);
    uint64_t odd = c & 1;
    uint64_t lower = mul_round_odd(g, (4 * c - 2 + closer) << h) + odd;
    uint64_t upper = mul_round_odd(g, (4 * c + 2) << h) - odd;
    uint64_t vb = mul_round_odd(g, (4 * c) << h);

    /* Which case it is looks random, so both are computed and one is picked
     * without a branch. */
    uint64_t s = vb / 4, tens = s / 10;
    bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
    bool shorter = (below != above) & (s >= 10);
    uint64_t short_one = tens + above;
    below = lower <= 4 * s;
    above = 4 * s + 4 <= upper;
    uint64_t long_one = below != above ? s + above : nearest(s, vb);
    return (struct decimal){shorter ? short_one : long_one, k + shorter};
}

/* d is finite and above zero. */
HOT struct decimal to_decimal(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52);
    uint64_t c = exponent > 0 ? fraction | (uint64_t)1 << 52 : fraction;
    int q = exponent > 0 ? exponent - 1075 : -1074;
    if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0)
        return (struct decimal){c >> -q, 0};
    return shortest(c, q, fraction == 0 && exponent > 1);
}

/* Eight digits as eight bytes 0..9, the first in the lowest byte: split into
 * halves, then each half again, all halves at once. */
HOT uint64_t eight_digits(uint64_t v) {
    uint64_t x = v / 10000 | v % 10000 << 32;
    uint64_t q = (x * 10486 >> 20) & 0x0000007f0000007f; /* x / 100 */
    x = q | (x - q * 100) << 16;
    q = (x * 103 >> 10) & 0x000f000f000f000f; /* x / 10 */
    return q | (x - q * 10) << 8;
}

HOT void put_eight(char *out, uint64_t digits) {
    digits |= 0x3030303030303030;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    digits = __builtin_bswap64(digits);
#endif
    memcpy(out, &digits, 8);
}

/* Writes v and returns its length; up to 8 bytes are scribbled on, and 8 more
 * for every 8 digits. */
static size_t put_whole(uint64_t v, char *out) {
    if (v >= 100000000) {
        size_t n = put_whole(v / 100000000, out);
        put_eight(out + n, eight_digits(v % 100000000));
        return n + 8;
    }
    uint64_t digits = eight_digits(v);
    size_t zeros = v == 0 ? 7 : (size_t)__builtin_ctzll(digits) / 8;
    put_eight(out, digits >> 8 * zeros);
    return 8 - zeros;
}

size_t real_format_int(int64_t v, char out[REAL_TEXT_SIZE]) {
    uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    out[0] = '-';
    return (v < 0) + put_whole(size, out + (v < 0));
}

/* A decimal's digits without zeros before or behind. They stay in registers
 * and are stored where they belong: a store that is read back in other sizes,
 * to move it, makes the processor wait. */
struct digits {
    real_u128 rest; /* the digits after the first, as eight_digits has them */
    char first;
    size_t n;
    int exp10; /* value = 0.DIGITS * 10^exp10 */
};

/* x.digits < 10^17 and not 0. */
HOT struct digits spell(struct decimal x) {
    /* Most doubles have 16 or 17 digits, as if by a coin: make it 17. */
    bool sixteen_or_less = x.digits < 10000000000000000;
    x.digits *= sixteen_or_less ? 10 : 1;
    x.exp10 -= sixteen_or_less;
    uint64_t top = x.digits / 10000000000000000;
    uint64_t others = x.digits % 10000000000000000;
    uint64_t high = eight_digits(others / 100000000);
    uint64_t low = eight_digits(others % 100000000);
    struct digits d = {(real_u128)low << 64 | high, (char)top, 1, x.exp10 + 17};
    if (top == 0) {
        int zeros =
            high ? __builtin_ctzll(high) / 8 : 8 + __builtin_ctzll(low) / 8;
        d.rest >>= 8 * zeros;
        d.first = (char)(d.rest & 0xf);
        d.rest >>= 8;
        d.exp10 -= zeros + 1;
    }
    d.first = (char)(d.first + '0');
    high = (uint64_t)d.rest;
    low = (uint64_t)(d.rest >> 64);
    if (low != 0)
        d.n = 17 - (size_t)__builtin_clzll(low) / 8;
    else if (high != 0)
        d.n = 9 - (size_t)__builtin_clzll(high) / 8;
    return d;
}

HOT void put_sixteen(char *out, real_u128 digits) {
    put_eight(out, (uint64_t)digits);
    put_eight(out + 8, (uint64_t)(digits >> 64));
}

size_t real_digits(double d, char digits[17], int *exp10) {
    struct digits x = spell(to_decimal(d));
    digits[0] = x.first;
    put_sixteen(digits + 1, x.rest);
    *exp10 = x.exp10;
    return x.n;
}

/* What the two spellings differ in. */
struct spelling {
    int exp_below;  /* values under 10^exp_below have an exponent */
    int exp_from;   /* values from 10^exp_from on have an exponent */
    int exp_digits; /* at least so many digits in the exponent */
    bool point;     /* a whole number without an exponent ends in ".0" */
};

/* "d.ddde+xx" */
static size_t put_scientific(char *out, const struct digits *x,
                             const struct spelling *how) {
    out[0] = x->first;
    out[1] = '.';
    put_sixteen(out + 2, x->rest);
    char *p = out + (x->n > 1 ? x->n + 1 : 1);
    int e = x->exp10 - 1;
    *p++ = 'e';
    *p++ = e < 0 ? '-' : '+';
    unsigned size = (unsigned)(e < 0 ? -e : e);
    if (how->exp_digits == 2 && size < 10) *p++ = '0';
    return (size_t)(p - out) + put_whole(size, p);
}

/* "0.000ddd", "dd.ddd", "ddd000" or "ddd000.0" */
HOT size_t put_plain(char *out, const struct digits *x,
                     const struct spelling *how) {
    if (x->exp10 <= 0) {
        size_t zeros = (size_t)-x->exp10; /* at most 5 */
        memcpy(out, "0.00000", 7);
        out[2 + zeros] = x->first;
        put_sixteen(out + 3 + zeros, x->rest);
        return 2 + zeros + x->n;
    }
    size_t whole = (size_t)x->exp10; /* at most 21 */
    out[0] = x->first;
    put_sixteen(out + 1, x->rest);
    if (x->n > whole) {
        put_sixteen(out + whole + 1, x->rest >> 8 * (whole - 1));
        out[whole] = '.';
        return x->n + 1;
    }
    memset(out + 17, '0', 6);
    if (!how->point) return whole;
    out[whole] = '.';
    out[whole + 1] = '0';
    return whole + 2;
}

static __attribute__((always_inline)) inline size_t
format(double d, char *out, const struct spelling *how) {
    size_t sign = d < 0;
    out[0] = '-';
    struct digits x = spell(to_decimal(sign ? -d : d));
    if (x.exp10 <= how->exp_below || x.exp10 > how->exp_from)
        return sign + put_scientific(out + sign, &x, how);
    return sign + put_plain(out + sign, &x, how);
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
