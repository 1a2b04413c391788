/* SPDX-License-Identifier: MIT
 *
 * math: functions on numbers (those on ints are in math_ints.c). What must call
 * a method of the program (__floor__, an iterator) has its other half in the
 * prelude.
 */
#include <limits.h>
#include <math.h>

#include "stdlib/math_ints.h"
#include "vm/bigint.h"
#include "vm/iter.h"
#include "vm/load.h"
#include "vm/native.h"
#include "vm/number.h"
#include "vm/ops.h"
#include "vm/type.h"

/* -- one or two floats to a float --------------------------------------------
 */

static int real_of(struct vm *vm, val v, double *out) {
    if (int_is(vm, v) || float_is(vm, v)) return number_real(vm, v, out);
    val type = type_of(vm, v);
    if (type_special(vm, type, SPECIAL_FLOAT) ||
        type_special(vm, type, SPECIAL_INDEX))
        vm_slow(vm);
    else
        vm_raise(vm, EXC_TypeError, "must be real number, not %s",
                 vm_type_name(vm, v));
    return -1;
}

/* C says "out of domain" with NaN and "too large" with infinity; Python raises,
 * unless NaN went in, or infinity came from one. */
static val checked(struct vm *vm, double result, double x, double y) {
    if (isnan(result) && !isnan(x) && !isnan(y))
        return vm_raise(vm, EXC_ValueError, "math domain error");
    if (isinf(result) && isfinite(x) && isfinite(y))
        return vm_raise(vm, EXC_OverflowError, "math range error");
    return float_new(vm, result);
}

static val unary(struct vm *vm, val v, double (*fn)(double)) {
    double x;
    if (real_of(vm, v, &x)) return VAL_UNSET;
    double y = fn(x);
    /* A pole is out of the domain: log(0), atanh(1). */
    if (isinf(y) && isfinite(x) && fn != exp && fn != exp2 && fn != expm1 &&
        fn != cosh && fn != sinh)
        return vm_raise(vm, EXC_ValueError, "math domain error");
    return checked(vm, y, x, 0);
}

#define UNARY(name, fn)                                          \
    static val m_##name(struct vm *vm, const val *a, size_t n) { \
        (void)n;                                                 \
        return unary(vm, a[0], fn);                              \
    }
UNARY(sqrt, sqrt)
UNARY(cbrt, cbrt)
UNARY(exp, exp)
UNARY(exp2, exp2)
UNARY(expm1, expm1)
UNARY(log1p, log1p)
UNARY(sin, sin)
UNARY(cos, cos)
UNARY(tan, tan)
UNARY(asin, asin)
UNARY(acos, acos)
UNARY(atan, atan)
UNARY(sinh, sinh)
UNARY(cosh, cosh)
UNARY(tanh, tanh)
UNARY(asinh, asinh)
UNARY(acosh, acosh)
UNARY(atanh, atanh)
UNARY(erf, erf)
UNARY(erfc, erfc)
UNARY(fabs, fabs)
#undef UNARY

static val m_gamma(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    if ((x <= 0 && floor(x) == x) || x == -INFINITY)
        return vm_raise(vm, EXC_ValueError, "math domain error");
    return checked(vm, tgamma(x), x, 0);
}

static val m_lgamma(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    if (x <= 0 && floor(x) == x && isfinite(x))
        return vm_raise(vm, EXC_ValueError, "math domain error");
    return checked(vm, lgamma(x), x, 0);
}

static int two(struct vm *vm, const val *a, double *x, double *y) {
    return real_of(vm, a[0], x) || real_of(vm, a[1], y);
}

static val binary(struct vm *vm, const val *a, double (*fn)(double, double)) {
    double x, y;
    if (two(vm, a, &x, &y)) return VAL_UNSET;
    return checked(vm, fn(x, y), x, y);
}

#define BINARY(name, fn)                                         \
    static val m_##name(struct vm *vm, const val *a, size_t n) { \
        (void)n;                                                 \
        return binary(vm, a, fn);                                \
    }
BINARY(atan2, atan2)
BINARY(copysign, copysign)
BINARY(fmod, fmod)
BINARY(remainder, remainder)
BINARY(nextafter, nextafter)
#undef BINARY

static val m_pow(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x, y;
    if (two(vm, a, &x, &y)) return VAL_UNSET;
    if (x == 0 && y < 0 && isfinite(y))
        return vm_raise(vm, EXC_ValueError, "math domain error");
    return checked(vm, pow(x, y), x, y);
}

static val m_ldexp(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    int64_t e;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    if (!int_is(vm, a[1]))
        return vm_raise(vm, EXC_TypeError,
                        "Expected an int as second argument to ldexp.");
    if (int_get(vm, a[1], &e)) e = int_sign(vm, a[1]) < 0 ? INT_MIN : INT_MAX;
    if (e > 100000) e = 100000;
    if (e < -100000) e = -100000;
    return checked(vm, ldexp(x, (int)e), x, 0);
}

static val m_frexp(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    int e = 0;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    val pair[2] = {float_new(vm, frexp(x, &e)),
                   val_of_int(isfinite(x) ? e : 0)};
    return pair[0] ? tuple_new(vm, pair, 2) : VAL_UNSET;
}

static val m_modf(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x, whole;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    double part = modf(x, &whole);
    val pair[2] = {float_new(vm, part), float_new(vm, whole)};
    return pair[0] && pair[1] ? tuple_new(vm, pair, 2) : VAL_UNSET;
}

static val m_degrees(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    return float_new(vm, x * (180.0 / M_PI));
}

static val m_radians(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    return float_new(vm, x * (M_PI / 180.0));
}

static val m_ulp(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    if (real_of(vm, a[0], &x)) return VAL_UNSET;
    if (!isfinite(x)) return float_new(vm, fabs(x));
    x = fabs(x);
    double up = nextafter(x, INFINITY);
    return float_new(vm, isinf(up) ? x - nextafter(x, -INFINITY) : up - x);
}

/* -- logarithms: of ints of any size ----------------------------------------
 */

/* log of an int: its top bits as a float, the rest as a count of halvings. */
static int log_of(struct vm *vm, val v, double (*fn)(double), double per_bit,
                  double *out) {
    double x;
    if (int_is(vm, v) && int_sign(vm, v) > 0 && int_bits(vm, v) > 1000) {
        uint64_t bits = int_bits(vm, v), shift = bits - 64;
        val top = int_rshift(vm, v, val_of_int((int64_t)shift));
        if (!top || int_to_real(vm, top, &x)) return -1;
        *out = fn(x) + (double)shift * per_bit;
        return 0;
    }
    if (int_is(vm, v) && int_sign(vm, v) <= 0)
        x = 0; /* however large */
    else if (real_of(vm, v, &x))
        return -1;
    if (x <= 0) {
        vm_raise(vm, EXC_ValueError, "math domain error");
        return -1;
    }
    *out = fn(x);
    return 0;
}

static val m_log(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x, base;
    if (log_of(vm, a[0], log, M_LN2, &x)) return VAL_UNSET;
    if (!a[1]) return float_new(vm, x);
    if (log_of(vm, a[1], log, M_LN2, &base)) return VAL_UNSET;
    if (base == 0)
        return vm_raise(vm, EXC_ZeroDivisionError, "float division by zero");
    return float_new(vm, x / base);
}

static val m_log2(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    return log_of(vm, a[0], log2, 1.0, &x) ? VAL_UNSET : float_new(vm, x);
}

static val m_log10(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    return log_of(vm, a[0], log10, 0.30102999566398120, &x) ? VAL_UNSET
                                                            : float_new(vm, x);
}

/* -- floats to ints ---------------------------------------------------------
 */

static val rounded(struct vm *vm, val v, double (*fn)(double)) {
    double x;
    if (int_is(vm, v)) return int_plain(vm, v);
    if (!float_is(vm, v)) return vm_slow(vm);
    x = fn(float_get(vm, v));
    if (isnan(x))
        return vm_raise(vm, EXC_ValueError,
                        "cannot convert float NaN to integer");
    if (isinf(x))
        return vm_raise(vm, EXC_OverflowError,
                        "cannot convert float infinity to integer");
    return int_from_real(vm, x);
}

static val m_floor(struct vm *vm, const val *a, size_t n) {
    (void)n;
    return rounded(vm, a[0], floor);
}

static val m_ceil(struct vm *vm, const val *a, size_t n) {
    (void)n;
    return rounded(vm, a[0], ceil);
}

static val m_trunc(struct vm *vm, const val *a, size_t n) {
    (void)n;
    return rounded(vm, a[0], trunc);
}

/* -- questions ---------------------------------------------------------------
 */

static val m_isnan(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    return real_of(vm, a[0], &x) ? VAL_UNSET : val_of_bool(isnan(x));
}

static val m_isinf(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    return real_of(vm, a[0], &x) ? VAL_UNSET : val_of_bool(isinf(x));
}

static val m_isfinite(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x;
    return real_of(vm, a[0], &x) ? VAL_UNSET : val_of_bool(isfinite(x));
}

static val m_isclose(struct vm *vm, const val *a, size_t n) {
    (void)n;
    double x, y, rel = 1e-9, abs_tol = 0;
    if (two(vm, a, &x, &y) || (a[2] && real_of(vm, a[2], &rel)) ||
        (a[3] && real_of(vm, a[3], &abs_tol)))
        return VAL_UNSET;
    if (rel < 0 || abs_tol < 0)
        return vm_raise(vm, EXC_ValueError, "tolerances must be non-negative");
    if (x == y) return VAL_TRUE;
    if (isinf(x) || isinf(y)) return VAL_FALSE;
    double diff = fabs(y - x);
    return val_of_bool(diff <= fabs(rel * y) || diff <= fabs(rel * x) ||
                       diff <= abs_tol);
}

/* -- many numbers -------------------------------------------------------------
 */

/* Shewchuk's exact sum: parts that do not overlap, the smallest first. Each has
 * a bit of its own between the smallest and the largest number. */
#define MOST_PARTS (1024 + 1074)
struct exact {
    double part[MOST_PARTS];
    size_t used;
    double special, infinities; /* sums of what is not finite */
};

/* Adds a finite number; false where the sum is too large. */
static bool exact_add(struct exact *s, double x) {
    size_t kept = 0;
    for (size_t j = 0; j < s->used; j++) {
        double y = s->part[j];
        if (fabs(x) < fabs(y)) {
            double t = x;
            x = y;
            y = t;
        }
        double hi = x + y, lo = y - (hi - x);
        if (lo != 0) s->part[kept++] = lo;
        x = hi;
    }
    if (kept == MOST_PARTS || !isfinite(x)) return false;
    s->part[kept] = x;
    s->used = kept + 1;
    return true;
}

static double exact_round(const struct exact *s) {
    double hi = 0, lo = 0;
    size_t left = s->used;
    while (left > 0) {
        double y = s->part[--left], t = hi;
        hi = t + y;
        lo = y - (hi - t);
        if (lo != 0) break;
    }
    /* Round half to even across what is left. */
    if (left > 0 && ((lo < 0 && s->part[left - 1] < 0) ||
                     (lo > 0 && s->part[left - 1] > 0))) {
        double y = lo * 2, t = hi + y;
        if (y == t - hi) hi = t;
    }
    return hi;
}

static val m_fsum(struct vm *vm, const val *a, size_t n) {
    (void)n;
    const val *items;
    uint64_t count;
    struct exact sum;
    double x;
    sum.used = 0;
    sum.special = sum.infinities = 0;
    if (value_items(vm, a[0], &items, &count) || !vm_charge(vm, count * 4))
        return VAL_UNSET;
    for (uint64_t i = 0; i < count; i++) {
        if (real_of(vm, items[i], &x)) return VAL_UNSET;
        if (!isfinite(x)) {
            sum.special += x;
            if (isinf(x)) sum.infinities += x;
        } else if (!exact_add(&sum, x))
            return vm_raise(vm, EXC_OverflowError,
                            "intermediate overflow in fsum");
    }
    if (isnan(sum.infinities))
        return vm_raise(vm, EXC_ValueError, "-inf + inf in fsum");
    return float_new(vm, sum.special != 0 ? sum.special : exact_round(&sum));
}

static val m_hypot(struct vm *vm, const val *a, size_t n) {
    double all = 0, x;
    for (size_t i = 0; i < n; i++) {
        if (real_of(vm, a[i], &x)) return VAL_UNSET;
        all = hypot(all, x);
    }
    return float_new(vm, all);
}

static val m_dist(struct vm *vm, const val *a, size_t n) {
    (void)n;
    const val *p, *q;
    uint64_t np, nq;
    double x, y, all = 0;
    if (value_items(vm, a[0], &p, &np) || value_items(vm, a[1], &q, &nq))
        return VAL_UNSET;
    if (np != nq)
        return vm_raise(vm, EXC_ValueError,
                        "both points must have the same number of dimensions");
    if (!vm_charge(vm, np * 8)) return VAL_UNSET;
    for (uint64_t i = 0; i < np; i++) {
        if (real_of(vm, p[i], &x) || real_of(vm, q[i], &y)) return VAL_UNSET;
        all = hypot(all, x - y);
    }
    return float_new(vm, all);
}

#define F(name, signature, text) \
    { #name, signature, m_##name, text, NULL }
static const struct native functions[] = {
    F(sqrt, "x, /", "The square root of x."),
    F(cbrt, "x, /", "The cube root of x."),
    F(exp, "x, /", "e raised to the power of x."),
    F(exp2, "x, /", "2 raised to the power of x."),
    F(expm1, "x, /", "exp(x) - 1, exact for small x."),
    F(log, "x, base=None, /", "The logarithm of x, natural without a base."),
    F(log1p, "x, /", "The natural logarithm of 1 + x."),
    F(log2, "x, /", "The base 2 logarithm of x."),
    F(log10, "x, /", "The base 10 logarithm of x."),
    F(pow, "x, y, /", "x ** y as a float."),
    F(sin, "x, /", "The sine of x radians."),
    F(cos, "x, /", "The cosine of x radians."),
    F(tan, "x, /", "The tangent of x radians."),
    F(asin, "x, /", "The arc sine of x."),
    F(acos, "x, /", "The arc cosine of x."),
    F(atan, "x, /", "The arc tangent of x."),
    F(atan2, "y, x, /", "The angle of the point (x, y)."),
    F(sinh, "x, /", "The hyperbolic sine of x."),
    F(cosh, "x, /", "The hyperbolic cosine of x."),
    F(tanh, "x, /", "The hyperbolic tangent of x."),
    F(asinh, "x, /", "The inverse hyperbolic sine of x."),
    F(acosh, "x, /", "The inverse hyperbolic cosine of x."),
    F(atanh, "x, /", "The inverse hyperbolic tangent of x."),
    F(erf, "x, /", "The error function at x."),
    F(erfc, "x, /", "1 - erf(x)."),
    F(gamma, "x, /", "The gamma function at x."),
    F(lgamma, "x, /", "The logarithm of |gamma(x)|."),
    F(fabs, "x, /", "The absolute value of x as a float."),
    F(copysign, "x, y, /", "x with the sign of y."),
    F(fmod, "x, y, /", "The remainder as C computes it."),
    F(remainder, "x, y, /", "The remainder of the nearest multiple."),
    F(nextafter, "x, y, /", "The float next to x towards y."),
    F(ulp, "x, /", "The distance to the next float."),
    F(ldexp, "x, i, /", "x * 2 ** i."),
    F(frexp, "x, /", "Mantissa and exponent of x."),
    F(modf, "x, /", "The fraction and the whole part of x."),
    F(degrees, "x, /", "Radians to degrees."),
    F(radians, "x, /", "Degrees to radians."),
    F(isnan, "x, /", "x is NaN."),
    F(isinf, "x, /", "x is infinite."),
    F(isfinite, "x, /", "x is neither NaN nor infinite."),
    F(isclose, "a, b, *, rel_tol=1e-09, abs_tol=0.0", "a is close to b."),
    {"gcd", "*integers", math_gcd, "The greatest common divisor.", NULL},
    {"lcm", "*integers", math_lcm, "The least common multiple.", NULL},
    {"factorial", "n, /", math_factorial, "n!", NULL},
    {"perm", "n, k=None, /", math_perm, "Ways to choose k of n in order.",
     NULL},
    {"comb", "n, k, /", math_comb, "Ways to choose k of n.", NULL},
    {"isqrt", "n, /", math_isqrt, "The integer part of the square root.", NULL},
    F(hypot, "*coordinates", "The length of a vector."),
    {"floor", "x, /", m_floor, "The largest int at or below x.", "_math_floor"},
    {"ceil", "x, /", m_ceil, "The smallest int at or above x.", "_math_ceil"},
    {"trunc", "x, /", m_trunc, "x without its fraction.", "_math_trunc"},
    {"fsum", "seq, /", m_fsum, "The exact sum of floats.", "_math_fsum"},
    {"dist", "p, q, /", m_dist, "The distance of two points.", "_math_dist"},
    {0},
};
#undef F

static int put(struct vm *vm, val module, const char *name, double d) {
    val v = float_new(vm, d), key = text_intern(vm, str_of(name));
    return v && key ? module_set(vm, module, key, v) : -1;
}

static int constants(struct vm *vm, val module) {
    return put(vm, module, "pi", M_PI) || put(vm, module, "e", M_E) ||
           put(vm, module, "tau", 2 * M_PI) ||
           put(vm, module, "inf", (double)INFINITY) ||
           put(vm, module, "nan", (double)NAN);
}

const struct native_module module_math = {
    .name = "math", .functions = functions, .init = constants};
