/* SPDX-License-Identifier: MIT
 *
 * Ints to digits and back, to doubles and back. */
#include "vm/bigint.h"

#include "vm/text.h"

#include <float.h>
#include <math.h>

/* CPython's guard against quadratic conversions; kept because programs meet its
 * message, although ours are not quadratic. */
#define MAX_DIGITS 4300

static const char digit_chars[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* -- to text ----------------------------------------------------------------
 */

/* Two digits at a time; nearly all text is decimal. */
char *decimal_digits(char *p, uint64_t u) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324"
        "25262728293031323334353637383940414243444546474849"
        "50515253545556575859606162636465666768697071727374"
        "75767778798081828384858687888990919293949596979899";
    for (; u >= 100; u /= 100)
        memcpy(p -= 2, pairs + 2 * (u % 100), 2);
    if (u >= 10) return memcpy(p - 2, pairs + 2 * u, 2);
    *--p = (char)('0' + u);
    return p;
}

static char *other_digits(char *p, uint64_t u, unsigned base) {
    do
        *--p = digit_chars[u % base];
    while (u /= base);
    return p;
}

/* How many decimal digits: from the bits, and one comparison to be exact. */
static unsigned decimal_count(uint64_t u) {
    static const uint64_t powers[] = {0,
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
                                      10000000000000000000u};
    unsigned bits = 64 - (unsigned)__builtin_clzll(u | 1);
    unsigned about = bits * 1233 >> 12; /* log10(2) */
    return about + (u >= powers[about]);
}

static val decimal_text(struct vm *vm, int64_t i) {
    if (i >= 0 && i < 10) return CHAR_VAL('0' + i);
    uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    size_t n = decimal_count(u) + (i < 0);
    char *p;
    val v = text_alloc(vm, n, n, &p);
    if (!v) return VAL_UNSET;
    decimal_digits(p + n, u);
    if (i < 0) *p = '-';
    return v;
}

static val small_text(struct vm *vm, int64_t i, unsigned base) {
    char out[72];
    char *end = out + sizeof out;
    uint64_t u = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    char *p = other_digits(end, u, base);
    if (i < 0) *--p = '-';
    size_t n = (size_t)(end - p);
    return text_new_chars(vm, p, n, n);
}

static val too_many_digits(struct vm *vm) {
    return vm_raise(vm, EXC_ValueError,
                    "Exceeds the limit (%d digits) for integer string "
                    "conversion; use sys.set_int_max_str_digits() to increase "
                    "the limit",
                    MAX_DIGITS);
}

/* Digits of the limbs in l, which are destroyed. */
static val limbs_text(struct vm *vm, struct limbs *l, const struct big *x,
                      unsigned base, uint64_t room, bool limited) {
    val store = heap_store_raw(vm, room);
    if (!store) return VAL_UNSET;
    struct ostore *s = heap_at(&vm->heap, store);
    unsigned char *d = (unsigned char *)s->data;
    size_t n = mpn_get_str(d, (int)base, l->p, x->n);
    while (n > 1 && *d == 0) {
        d++;
        n--;
    }
    val v = VAL_UNSET;
    char *out;
    if (limited && n > MAX_DIGITS)
        too_many_digits(vm);
    else
        v = text_alloc(vm, n + x->neg, n + x->neg, &out);
    if (v && x->neg) *out++ = '-';
    for (size_t i = 0; v && i < n; i++)
        out[i] = digit_chars[d[i]];
    heap_free(vm, store);
    return v;
}

val int_text(struct vm *vm, val a, unsigned base, bool limited) {
    if (val_is_int(a))
        return base == 10 ? decimal_text(vm, val_int(a))
                          : small_text(vm, val_int(a), base);
    struct big x;
    big_of(vm, a, &x);
    if (!x.n) return CHAR_VAL('0');
    uint64_t bits = int_bits(vm, a);
    double digits = (double)bits / log2((double)base);
    limited = limited && (base & (base - 1));
    if (limited && digits > MAX_DIGITS + 1) return too_many_digits(vm);
    struct limbs l;
    if (!vm_charge(vm, (uint64_t)digits * 4) || limbs_init(vm, &l, x.n + 1))
        return VAL_UNSET;
    mpn_copyi(l.p, x.p, x.n);
    val v = limbs_text(vm, &l, &x, base, (uint64_t)digits + 24, limited);
    limbs_fini(vm, &l);
    return v;
}

/* -- from text --------------------------------------------------------------
 */

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    return (unsigned)((c | 32) - 'a') + 10;
}

static val parse_small(struct vm *vm, str s, unsigned base, bool neg) {
    int64_t i = 0;
    for (size_t k = 0; k < s.n; k++)
        i = i * base + digit_value(s.p[k]);
    return int_new(vm, neg ? -i : i);
}

static val parse_limbs(struct vm *vm, str s, unsigned base, bool neg) {
    double bits = (double)s.n * log2((double)base);
    struct limbs l;
    if (limbs_init(vm, &l, (mp_size_t)(bits / 64) + 2)) return VAL_UNSET;
    val store = heap_store_raw(vm, s.n);
    val v = VAL_UNSET;
    if (store) {
        struct ostore *o = heap_at(&vm->heap, store);
        unsigned char *d = (unsigned char *)o->data;
        for (size_t i = 0; i < s.n; i++)
            d[i] = (unsigned char)digit_value(s.p[i]);
        mp_size_t n = mpn_set_str(l.p, d, s.n, (int)base);
        v = big_new(vm, l.p, n, neg);
        heap_free(vm, store);
    }
    limbs_fini(vm, &l);
    return v;
}

val int_parse(struct vm *vm, str s, unsigned base) {
    bool neg = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) s = str_sub(s, 1, s.n);
    size_t digits = s.n;
    while (s.n > 1 && s.p[0] == '0')
        s = str_sub(s, 1, s.n);
    if (s.n <= 11) return parse_small(vm, s, base, neg);
    if ((base & (base - 1)) && digits > MAX_DIGITS)
        return vm_raise(vm, EXC_ValueError,
                        "Exceeds the limit (%d digits) for integer string "
                        "conversion: value has %zu digits; use "
                        "sys.set_int_max_str_digits() to increase the limit",
                        MAX_DIGITS, digits);
    if (!vm_charge(vm, s.n * 4)) return VAL_UNSET;
    return parse_limbs(vm, s, base, neg);
}

/* -- doubles ----------------------------------------------------------------
 */

val int_from_real(struct vm *vm, double d) {
    d = trunc(d);
    if (fabs(d) < 0x1p62) return val_of_int((int64_t)d);
    int e;
    double m = frexp(fabs(d), &e);
    mp_limb_t limb = (mp_limb_t)ldexp(m, 64);
    val top = big_new(vm, &limb, 1, d < 0);
    if (!top) return VAL_UNSET;
    e -= 64;
    return e >= 0 ? int_lshift(vm, top, val_of_int(e))
                  : int_rshift(vm, top, val_of_int(-e));
}

/* The top 64 bits of x with the lowest one set if anything below is lost;
 * x->n > 0. *e is the power of two they are multiplied by. */
static uint64_t top_bits(const struct big *x, int64_t *e) {
    unsigned shift = (unsigned)__builtin_clzll(x->p[x->n - 1]);
    uint64_t m = x->p[x->n - 1] << shift;
    *e = (x->n - 1) * 64 - (int64_t)shift;
    if (x->n == 1) return m;
    mp_limb_t next = x->p[x->n - 2];
    if (shift) m |= next >> (64 - shift);
    bool lost = shift ? next << shift : next;
    if (!lost && x->n > 2) lost = !mpn_zero_p(x->p, x->n - 2);
    return m | lost;
}

int int_to_real(struct vm *vm, val v, double *out) {
    if (val_is_int(v)) {
        *out = (double)val_int(v);
        return 0;
    }
    struct big x;
    big_of(vm, v, &x);
    double d = 0;
    if (x.n) {
        int64_t e;
        uint64_t m = top_bits(&x, &e);
        /* m has its top bit set, so the conversion rounds once, to even, and
         * the sticky bit decides ties. */
        d = e > 1024 ? INFINITY : ldexp((double)m, (int)e);
    }
    if (isinf(d)) {
        vm_raise(vm, EXC_OverflowError, "int too large to convert to float");
        return -1;
    }
    *out = x.neg ? -d : d;
    return 0;
}

static int cmp_trunc(const struct vm *vm, val a, double t) {
    mp_limb_t limb[18] = {0};
    int e;
    double m = frexp(fabs(t), &e);
    uint64_t bits = (uint64_t)ldexp(m, 64);
    mp_size_t n = e <= 64 ? 1 : (e + 63) / 64;
    unsigned shift = e <= 64 ? 0 : (unsigned)e % 64;
    if (e < 64) {
        limb[0] = (uint64_t)fabs(t);
    } else if (shift == 0) {
        limb[n - 1] = bits;
    } else {
        limb[n - 1] = bits >> (64 - shift);
        limb[n - 2] = bits << shift;
    }
    struct big x;
    big_of(vm, a, &x);
    if (limb[n - 1] == 0) n = 0;
    int c = x.n != n ? (x.n < n ? -1 : 1) : (n ? mpn_cmp(x.p, limb, n) : 0);
    return t < 0 ? -c : c;
}

int int_cmp_real(const struct vm *vm, val a, double d) {
    if (isinf(d)) return d > 0 ? -1 : 1;
    int s = int_sign(vm, a), ds = (d > 0) - (d < 0);
    if (s != ds) return s < ds ? -1 : 1;
    if (s == 0) return 0;
    double t = trunc(d);
    int c = t == 0 ? s : cmp_trunc(vm, a, t);
    return c ? c : (t < d ? -1 : t > d);
}

/* -- true division ----------------------------------------------------------
 */

static bool exact_double(val v) {
    return val_is_int(v) && val_int(v) <= (int64_t)1 << 53 &&
           val_int(v) >= -((int64_t)1 << 53);
}

/* q * 2^shift rounded to the nearest double, ties to even; inexact tells of
 * non-zero bits below q. q has two to eleven bits more than fit. */
static double round_quotient(uint64_t q, bool inexact, int64_t shift) {
    int64_t bits = 64 - __builtin_clzll(q | 1);
    int64_t min = DBL_MIN_EXP - shift;
    int64_t extra = (bits > min ? bits : min) - DBL_MANT_DIG;
    uint64_t mask = (uint64_t)1 << (extra - 1), low = q | inexact;
    if ((low & mask) && (low & (3 * mask - 1))) low += mask;
    low &= ~(2 * mask - 1);
    return ldexp((double)low, (int)shift);
}

/* |a| / |b| scaled so that the quotient has 55 or 56 bits, or fewer when the
 * result will be subnormal. */
static int scaled_quotient(struct vm *vm, val a, val b, int64_t shift,
                           uint64_t *q, bool *inexact) {
    val n = a, d = b, quot, rem;
    if (shift > 0)
        d = int_lshift(vm, b, val_of_int(shift));
    else
        n = int_lshift(vm, a, val_of_int(-shift));
    if (!n || !d || int_divmod(vm, n, d, &quot, &rem, "division by zero"))
        return -1;
    struct big x;
    big_of(vm, quot, &x);
    *q = x.n ? x.p[0] : 0;
    *inexact = int_sign(vm, rem) != 0;
    return 0;
}

static val magnitude(struct vm *vm, val a) {
    return int_sign(vm, a) < 0 ? int_neg(vm, a) : a;
}

val int_truediv(struct vm *vm, val a, val b) {
    if (int_sign(vm, b) == 0)
        return vm_raise(vm, EXC_ZeroDivisionError, "division by zero");
    if (exact_double(a) && exact_double(b))
        return float_new(vm, (double)val_int(a) / (double)val_int(b));
    bool neg = int_sign(vm, a) * int_sign(vm, b) < 0;
    if (int_sign(vm, a) == 0) return float_new(vm, 0.0);
    int64_t diff = (int64_t)int_bits(vm, a) - (int64_t)int_bits(vm, b);
    double d = 0;
    if (diff > DBL_MAX_EXP) {
        d = INFINITY;
    } else if (diff >= DBL_MIN_EXP - DBL_MANT_DIG - 1) {
        int64_t low = diff > DBL_MIN_EXP ? diff : DBL_MIN_EXP;
        int64_t shift = low - DBL_MANT_DIG - 2;
        val x = magnitude(vm, a), y = magnitude(vm, b);
        uint64_t q;
        bool inexact;
        if (!x || !y || scaled_quotient(vm, x, y, shift, &q, &inexact))
            return VAL_UNSET;
        d = round_quotient(q, inexact, shift);
    }
    if (isinf(d))
        return vm_raise(vm, EXC_OverflowError,
                        "integer division result too large for a float");
    return float_new(vm, neg ? -d : d);
}
