/* SPDX-License-Identifier: MIT
 *
 * The class float; numbers that stand for floats in text. */
#include "vm/number.h"

#include "base/real.h"
#include "vm/bigint.h"
#include "vm/slots.h"
#include "vm/text.h"
#include "vm/unicode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- text -------------------------------------------------------------------
 */

size_t float_text(double d, char out[40]) {
    const char *word = isnan(d) ? "nan" : d > 0 ? "inf" : "-inf";
    if (isfinite(d)) return real_format_py(d, out);
    memcpy(out, word, strlen(word));
    return strlen(word);
}

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

/* Digits with single underscores between them; copies the digits. */
static size_t take_digits(str *s, char *out, size_t *n) {
    size_t count = 0;
    while (s->n) {
        bool gap = count && s->p[0] == '_' && s->n > 1 && digit(s->p[1]);
        if (!digit(s->p[0]) && !gap) break;
        if (!gap) {
            if (out) out[*n] = s->p[0];
            ++*n;
            count++;
        }
        *s = str_sub(*s, 1, s->n);
    }
    return count;
}

static bool take_char(str *s, char *out, size_t *n, const char *set) {
    if (!s->n || !s->p[0] || !strchr(set, s->p[0])) return false;
    if (out) out[*n] = s->p[0];
    ++*n;
    *s = str_sub(*s, 1, s->n);
    return true;
}

/* Checks the grammar and drops underscores; 0 is no number. out may be NULL. */
static size_t clean_number(str s, char *out) {
    size_t n = 0;
    take_char(&s, out, &n, "+-");
    size_t digits = take_digits(&s, out, &n);
    if (take_char(&s, out, &n, ".")) digits += take_digits(&s, out, &n);
    if (!digits) return 0;
    if (take_char(&s, out, &n, "eE")) {
        take_char(&s, out, &n, "+-");
        if (!take_digits(&s, out, &n)) return 0;
    }
    return s.n ? 0 : n;
}

static bool word_number(str s, double *out) {
    bool neg = s.n && s.p[0] == '-';
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) s = str_sub(s, 1, s.n);
    double d;
    if (str_eq_nocase(s, STR("inf")) || str_eq_nocase(s, STR("infinity")))
        d = INFINITY;
    else if (str_eq_nocase(s, STR("nan")))
        d = NAN;
    else
        return false;
    *out = neg ? -d : d;
    return true;
}

int float_parse(str s, double *out) {
    char clean[512];
    if (word_number(s, out)) return 0;
    /* Very long text is read where it is; underscores in it are refused. */
    bool fits = s.n < sizeof clean;
    size_t n = clean_number(s, fits ? clean : NULL);
    if (!n || (!fits && n != s.n)) return -1;
    *out = real_parse(fits ? (str){clean, n} : s);
    return 0;
}

/* -- rounding ---------------------------------------------------------------
 */

/* Rounds the whole number in digits[0..n) to a multiple of 10^drop, half to
 * even; `more` tells of a fraction behind it. Returns the new length: a carry
 * may add a digit at digits[-1]. */
static char *round_digits(char *digits, size_t n, size_t drop, bool more) {
    size_t keep = n - drop;
    int c = digits[keep] - '5';
    for (size_t i = keep + 1; c == 0 && i < n; i++)
        c = digits[i] != '0';
    if (c == 0) c = more;
    if (c == 0)
        c = keep ? (digits[keep - 1] - '0') % 2 : 0;
    else if (c < 0)
        c = 0;
    memset(digits + keep, '0', drop);
    for (size_t i = keep; c && i-- > 0;) {
        if (digits[i] != '9') {
            digits[i]++;
            return digits;
        }
        digits[i] = '0';
    }
    if (!c) return digits;
    *--digits = '1';
    return digits;
}

/* Correct because the digits are exact: %.*f writes the double's true value
 * rounded half to even, and reading back is correctly rounded. */
double float_round(double d, int64_t ndigits) {
    if (!isfinite(d) || ndigits > 323) return d;
    char out[720];
    if (ndigits >= 0) {
        int n = snprintf(out, sizeof out, "%.*f", (int)ndigits, d);
        return real_parse((str){out, (size_t)n});
    }
    double whole = floor(fabs(d));
    int n = snprintf(out + 1, sizeof out - 1, "%.0f", whole);
    if (-ndigits > n) return copysign(0.0, d);
    char *p =
        round_digits(out + 1, (size_t)n, (size_t)-ndigits, whole != fabs(d));
    return copysign(real_parse((str){p, (size_t)(out + 1 + n - p)}), d);
}

/* -- making -----------------------------------------------------------------
 */

static val float_as(struct vm *vm, val type, double d) {
    if (type == TYPE_VAL(float)) return float_new(vm, d);
    struct oreal *r = value_new(vm, KIND_REAL, type, sizeof *r);
    if (!r) return VAL_UNSET;
    r->d = d;
    return heap_ref(&vm->heap, r);
}

static val float_bad_text(struct vm *vm, val v) {
    val r = value_repr(vm, v);
    if (!r) return VAL_UNSET;
    return vm_raise(vm, EXC_ValueError,
                    "could not convert string to float: %.*s",
                    STR_ARG(text_get(vm, r)));
}

static val float_of_text(struct vm *vm, val type, val v) {
    double d;
    bool is_text = vm_is(vm, v, KIND_STR);
    str s = is_text ? text_get(vm, v) : bytes_get(vm, v);
    char ascii[512];
    if (is_text && !text_ascii(vm, v))
        s = unicode_number(s, ascii, sizeof ascii);
    if (float_parse(str_trim(s), &d)) return float_bad_text(vm, v);
    return float_as(vm, type, d);
}

static val float_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val v = args[1];
    double d;
    if (!v) return float_as(vm, args[0], 0.0);
    if (special_of(vm, v, SPECIAL_FLOAT)) return vm_slow(vm);
    if (float_is(vm, v)) return float_as(vm, args[0], float_get(vm, v));
    if (int_is(vm, v)) {
        if (int_to_real(vm, v, &d)) return VAL_UNSET;
        return float_as(vm, args[0], d);
    }
    if (vm_is(vm, v, KIND_STR) || vm_is(vm, v, KIND_BYTES))
        return float_of_text(vm, args[0], v);
    if (special_of(vm, v, SPECIAL_INDEX)) return vm_slow(vm);
    return vm_raise(vm, EXC_TypeError,
                    "float() argument must be a string or a real number, not "
                    "'%s'",
                    vm_type_name(vm, v));
}

/* -- methods ----------------------------------------------------------------
 */

static val float_is_integer(struct vm *vm, const val *args, size_t n) {
    (void)n;
    double d = float_get(vm, args[0]);
    return val_of_bool(isfinite(d) && d == floor(d));
}

static val float_ratio(struct vm *vm, const val *args, size_t n) {
    (void)n;
    double d = float_get(vm, args[0]);
    if (isinf(d))
        return vm_raise(vm, EXC_OverflowError,
                        "cannot convert Infinity to integer ratio");
    if (isnan(d))
        return vm_raise(vm, EXC_ValueError,
                        "cannot convert NaN to integer ratio");
    int e;
    double m = frexp(d, &e);
    for (int i = 0; i < 60 && m != floor(m); i++) {
        m *= 2;
        e--;
    }
    val num = int_from_real(vm, m), den = val_of_int(1);
    val shift = val_of_int(e < 0 ? -e : e);
    if (num && e > 0) num = int_lshift(vm, num, shift);
    if (num && e < 0) den = int_lshift(vm, den, shift);
    if (!num || !den) return VAL_UNSET;
    return tuple_new(vm, (val[]){num, den}, 2);
}

static val float_hex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    double d = float_get(vm, args[0]);
    char out[64];
    if (!isfinite(d)) return text_new(vm, out, float_text(d, out));
    if (d == 0) return text_of(vm, signbit(d) ? "-0x0.0p+0" : "0x0.0p+0");
    int e;
    double m = frexp(fabs(d), &e);
    /* Subnormals show a leading 0 and the smallest exponent. */
    int low = e - 1 < -1022 ? -1022 : e - 1;
    m = ldexp(m, e - low);
    uint64_t frac = (uint64_t)ldexp(m - floor(m), 52);
    int len = snprintf(out, sizeof out, "%s0x%d.%013llxp%+d", d < 0 ? "-" : "",
                       (int)floor(m), (unsigned long long)frac, low);
    return text_new(vm, out, (size_t)len);
}

static bool hex_text(str s) {
    if (s.n && (s.p[0] == '-' || s.p[0] == '+')) s = str_sub(s, 1, s.n);
    if (s.n > 1 && s.p[0] == '0' && (s.p[1] | 32) == 'x')
        s = str_sub(s, 2, s.n);
    size_t digits = 0, i = 0;
    bool dot = false;
    for (; i < s.n; i++) {
        char c = (char)(s.p[i] | 32);
        if (digit(s.p[i]) || (c >= 'a' && c <= 'f'))
            digits++;
        else if (s.p[i] == '.' && !dot)
            dot = true;
        else
            break;
    }
    if (!digits) return false;
    if (i == s.n) return true;
    if ((s.p[i++] | 32) != 'p') return false;
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+')) i++;
    size_t from = i;
    while (i < s.n && digit(s.p[i]))
        i++;
    return i == s.n && i > from;
}

static val float_fromhex(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (!vm_is(vm, args[1], KIND_STR))
        return vm_raise(vm, EXC_TypeError, "fromhex() argument must be str");
    str s = str_trim(text_get(vm, args[1]));
    double d;
    char out[256];
    if (word_number(s, &d)) return float_as(vm, args[0], d);
    if (!hex_text(s) || s.n + 3 > sizeof out)
        return vm_raise(vm, EXC_ValueError,
                        "invalid hexadecimal floating-point string");
    size_t sign = s.p[0] == '-' || s.p[0] == '+';
    bool prefixed = s.n > sign + 1 && (s.p[sign + 1] | 32) == 'x';
    snprintf(out, sizeof out, "%.*s%s%.*s", (int)sign, s.p,
             prefixed ? "" : "0x", (int)(s.n - sign), s.p + sign);
    d = strtod(out, NULL);
    if (isinf(d))
        return vm_raise(vm, EXC_OverflowError,
                        "hexadecimal value too large to represent as a float");
    return float_as(vm, args[0], d);
}

static val float_round_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return number_round(vm, args[0], args[1]);
}

static val float_self(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return float_new(vm, float_get(vm, args[0]));
}

static val float_zero(struct vm *vm, const val *args, size_t n) {
    (void)n;
    (void)args;
    return float_new(vm, 0.0);
}

static val float_trunc(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return number_trunc(vm, args[0]);
}

static val float_floor(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val d = float_new(vm, floor(float_get(vm, args[0])));
    return d ? number_trunc(vm, d) : VAL_UNSET;
}

static val float_ceil(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val d = float_new(vm, ceil(float_get(vm, args[0])));
    return d ? number_trunc(vm, d) : VAL_UNSET;
}

static const struct native methods[] = {
    {"__new__", "cls, x=0, /", float_make, "A float from a number or text.",
     "_float_new"},
    {"as_integer_ratio", "self, /", float_ratio,
     "(numerator, denominator) with the exact value.", NULL},
    {"conjugate", "self, /", float_self, "Itself.", NULL},
    {"fromhex", "@class cls, string, /", float_fromhex,
     "A float from its hexadecimal text.", NULL},
    {"hex", "self, /", float_hex, "Hexadecimal text.", NULL},
    {"is_integer", "self, /", float_is_integer, "Whether it is whole.", NULL},
    {"__round__", "self, ndigits=None, /", float_round_method, "round()", NULL},
    {"__trunc__", "self, /", float_trunc, "Toward zero.", NULL},
    {"__floor__", "self, /", float_floor, "Downward.", NULL},
    {"__ceil__", "self, /", float_ceil, "Upward.", NULL},
#define SLOTS_NUMBER
#define SLOTS_REAL
#define SLOTS_COMPARE
#define SLOTS_HASH
#define SLOTS_FORMAT
#include "vm/slots.def"
    {0},
};

static const struct native getters[] = {
    {"real", "self", float_self, "Itself.", NULL},
    {"imag", "self", float_zero, "Zero.", NULL},
    {0},
};

const struct native_type native_float = {
    "float", KIND_REAL, NULL, 0, methods, getters, "A double.",
};
