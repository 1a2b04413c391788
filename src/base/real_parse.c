/* SPDX-License-Identifier: MIT
 *
 * Decimal text to the nearest double. Up to 19 digits: one or two 64x64-bit
 * products with a 128-bit power of ten decide the rounding (the method of
 * Eisel and Lemire, and Mushtak's proof that it needs no fallback). More
 * digits: bracket the value between its first 19 digits cut and rounded up;
 * if those disagree, compare with the midpoint in big integers.
 */
#include "base/real.h"

#include "base/real_pow10.h"

#include <assert.h>
#include <string.h>

#define MANTISSA_BITS 52
#define HIDDEN_BIT    ((uint64_t)1 << MANTISSA_BITS)
#define INFINITE      0x7ff

static double make_double(uint64_t mantissa, int biased) {
    uint64_t bits = (mantissa & (HIDDEN_BIT - 1)) | (uint64_t)biased << 52;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* Drops the rounding bit: m has 54 bits, ties were decided before. */
static uint64_t round_half(uint64_t m) {
    return (m + (m & 1)) >> 1;
}

static double make_subnormal(uint64_t m, int biased) {
    int shift = 1 - biased;
    if (shift >= 64) return 0;
    m = round_half(m >> shift);
    return make_double(m, m >= HIDDEN_BIT);
}

/* w * 10^q for w != 0 and q inside the table of normal powers. */
static double scale_exact(uint64_t w, int q) {
    int zeros = __builtin_clzll(w);
    w <<= zeros;
    struct pow10 t = real_pow10[q - POW10_FIRST];
    real_u128 product = (real_u128)w * t.high;
    /* The low 9 bits decide only when they are all ones. */
    if (((uint64_t)(product >> 64) & 0x1ff) == 0x1ff)
        product += (uint64_t)((real_u128)w * t.low >> 64);
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;

    int top = (int)(high >> 63);
    uint64_t m = high >> (top + 9); /* 54 bits: 53 and one to round with */
    int biased = pow10_log2(q) + 63 + top - zeros + 1023;
    if (biased <= 0) return make_subnormal(m, biased);
    /* An exact tie rounds to even; only these powers can make one. */
    bool tie = low <= 1 && q >= -4 && q <= 23 && (m & 3) == 1 &&
               m << (top + 9) == high;
    if (tie) m &= ~(uint64_t)1;
    m = round_half(m);
    if (m >= 2 * HIDDEN_BIT) {
        m = HIDDEN_BIT;
        biased++;
    }
    if (biased >= INFINITE) return make_double(0, INFINITE);
    return make_double(m, biased);
}

double real_scale(uint64_t digits, int exp10) {
    static const double exact[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    /* Both factors are exact doubles, so one operation rounds once. */
    if (digits < 2 * HIDDEN_BIT && exp10 >= -22 && exp10 <= 22)
        return exp10 < 0 ? (double)digits / exact[-exp10]
                         : (double)digits * exact[exp10];
    if (digits == 0 || exp10 < POW10_FIRST) return 0;
    if (exp10 > 308) return make_double(0, INFINITE);
    return scale_exact(digits, exp10);
}

/* A literal taken apart: value = 0.DIGITS * 10^exp10, first digit not zero. */
struct literal {
    const char *digits; /* from the first that is not zero; may hold a '.' */
    const char *end;    /* behind the last digit */
    int64_t exp10;
    bool negative;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Exponents beyond this are as good as infinite, whatever the digits (which
 * a text would need a petabyte of to undo). */
#define EXPONENT_CAP ((int64_t)1 << 50)

static int64_t parse_exponent(const char *p, const char *end) {
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    int64_t v = 0;
    for (; p < end && is_digit(*p); p++)
        if (v < EXPONENT_CAP) v = v * 10 + (*p - '0');
    return negative ? -v : v;
}

static struct literal take_apart(str text) {
    const char *p = text.p, *end = text.p + text.n;
    struct literal x = {.negative = p < end && *p == '-'};
    if (p < end && (*p == '-' || *p == '+')) p++;
    bool point = false;
    for (; p < end && (is_digit(*p) || *p == '.'); p++) {
        if (*p == '.')
            point = true;
        else if (x.digits || *p != '0') {
            if (!x.digits) x.digits = p;
            x.exp10 += !point;
        } else
            x.exp10 -= point;
    }
    x.end = p;
    if (p < end && (*p == 'e' || *p == 'E'))
        x.exp10 += parse_exponent(p + 1, end);
    return x;
}

/* Unsigned integers of fixed size, least limb first. 770 digits, or 5^1112,
 * take 2600 bits; the shifts that align the two sides add at most 1100. */
#define BIG_LIMBS 64
struct big {
    size_t n;
    uint64_t limb[BIG_LIMBS];
};

static void big_mul_add(struct big *b, uint64_t factor, uint64_t add) {
    uint64_t carry = add;
    for (size_t i = 0; i < b->n; i++) {
        real_u128 t = (real_u128)b->limb[i] * factor + carry;
        b->limb[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    if (carry == 0) return;
    assert(b->n < BIG_LIMBS);
    b->limb[b->n++] = carry;
}

static void big_mul_pow5(struct big *b, unsigned n) {
    for (; n >= 27; n -= 27)
        big_mul_add(b, 7450580596923828125u, 0); /* 5^27 */
    for (; n > 0; n--)
        big_mul_add(b, 5, 0);
}

static void big_shift(struct big *b, unsigned bits) {
    big_mul_add(b, (uint64_t)1 << bits % 64, 0);
    size_t limbs = bits / 64;
    assert(b->n + limbs <= BIG_LIMBS);
    memmove(b->limb + limbs, b->limb, b->n * sizeof b->limb[0]);
    memset(b->limb, 0, limbs * sizeof b->limb[0]);
    b->n += limbs;
}

static int big_compare(const struct big *a, const struct big *b) {
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (size_t i = a->n; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* No midpoint between doubles has more than 767 digits. What follows more
 * counts only as "and something": one more digit that is not zero. */
#define DIGITS_MAX 768

/* Returns how many digits it took; their value is *out. */
static int big_digits(const struct literal *x, struct big *out) {
    int n = 0;
    const char *p = x->digits;
    for (; p < x->end && n < DIGITS_MAX; p++) {
        if (*p == '.') continue;
        big_mul_add(out, 10, (uint64_t)(*p - '0'));
        n++;
    }
    for (; p < x->end; p++) {
        if (*p == '.' || *p == '0') continue;
        big_mul_add(out, 10, 1);
        return n + 1;
    }
    return n;
}

/* Compares the literal with the point halfway from d to the next double. */
static int compare_midpoint(const struct literal *x, double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    int biased = (int)(bits >> MANTISSA_BITS);
    uint64_t m = bits & (HIDDEN_BIT - 1);
    if (biased > 0) m |= HIDDEN_BIT;
    int exp2 = (biased > 0 ? biased : 1) - 1076;

    struct big left = {.n = 0}, right = {.n = 1, .limb = {2 * m + 1}};
    int exp10 = (int)x->exp10 - big_digits(x, &left);
    if (exp10 >= 0)
        big_mul_pow5(&left, (unsigned)exp10);
    else
        big_mul_pow5(&right, (unsigned)-exp10);
    int shift = exp10 - exp2;
    if (shift >= 0)
        big_shift(&left, (unsigned)shift);
    else
        big_shift(&right, (unsigned)-shift);
    return big_compare(&left, &right);
}

static double next_up(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    bits++;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static double parse_long(const struct literal *x, uint64_t first19) {
    int exp10 = (int)x->exp10 - 19;
    double low = real_scale(first19, exp10);
    if (low == real_scale(first19 + 1, exp10)) return low;
    int order = compare_midpoint(x, low);
    if (order < 0) return low;
    double high = next_up(low);
    if (order > 0) return high;
    uint64_t bits;
    memcpy(&bits, &low, sizeof bits);
    return bits & 1 ? high : low;
}

static double parse_magnitude(const struct literal *x) {
    if (!x->digits || x->exp10 < -400) return 0;
    if (x->exp10 > 400) return make_double(0, INFINITE);
    uint64_t w = 0;
    int n = 0;
    bool more = false; /* a digit that is not zero follows the first 19 */
    for (const char *p = x->digits; p < x->end; p++) {
        if (*p == '.') continue;
        if (n < 19) {
            w = w * 10 + (uint64_t)(*p - '0');
            n++;
        } else if (*p != '0')
            more = true;
    }
    if (more) return parse_long(x, w);
    return real_scale(w, (int)x->exp10 - n);
}

double real_parse(str text) {
    struct literal x = take_apart(text);
    double d = parse_magnitude(&x);
    return x.negative ? -d : d;
}
