/* SPDX-License-Identifier: MIT
 *
 * The class complex. */
#include "vm/number.h"

#include "vm/bigint.h"
#include "vm/slots.h"
#include "vm/text.h"
#include "vm/unicode.h"

#include <math.h>

/* -- text -------------------------------------------------------------------
 */

/* A part as complex shows it: 1 rather than 1.0. */
static size_t part_text(double d, char out[40]) {
    size_t n = float_text(d, out);
    if (n > 2 && out[n - 2] == '.' && out[n - 1] == '0') n -= 2;
    return n;
}

size_t complex_text(struct cplx c, char out[96]) {
    size_t n = 0;
    bool both = c.re != 0 || signbit(c.re);
    if (both) {
        out[n++] = '(';
        n += part_text(c.re, out + n);
        if (!signbit(c.im) || isnan(c.im)) out[n++] = '+';
    }
    n += part_text(c.im, out + n);
    out[n++] = 'j';
    if (both) out[n++] = ')';
    return n;
}

/* The longest prefix of s that is a float; 0 when there is none. */
static size_t float_prefix(str s) {
    double d;
    for (size_t n = s.n; n > 0; n--)
        if (!float_parse(str_sub(s, 0, n), &d)) return n;
    return 0;
}

static int imaginary(str s, double *out) {
    if (!s.n || (s.p[s.n - 1] | 32) != 'j') return -1;
    s = str_sub(s, 0, s.n - 1);
    if (s.n == 0 || str_is(s, "+")) {
        *out = 1;
        return 0;
    }
    if (str_is(s, "-")) {
        *out = -1;
        return 0;
    }
    return float_parse(s, out);
}

static int complex_parse(str s, struct cplx *out) {
    if (s.n > 200) return -1;
    s = str_trim(s);
    if (s.n > 1 && s.p[0] == '(' && s.p[s.n - 1] == ')')
        s = str_trim(str_sub(s, 1, s.n - 1));
    *out = (struct cplx){0, 0};
    if (!float_parse(s, &out->re)) return 0;
    if (!imaginary(s, &out->im)) return 0;
    size_t n = float_prefix(s);
    if (!n || float_parse(str_sub(s, 0, n), &out->re)) return -1;
    str rest = str_sub(s, n, s.n);
    if (!rest.n || (rest.p[0] != '+' && rest.p[0] != '-')) return -1;
    return imaginary(rest, &out->im);
}

/* -- making -----------------------------------------------------------------
 */

static val complex_as(struct vm *vm, val type, struct cplx c) {
    if (type == TYPE_VAL(complex)) return complex_new(vm, c.re, c.im);
    struct ocomplex *o = value_new(vm, KIND_COMPLEX, type, sizeof *o);
    if (!o) return VAL_UNSET;
    o->re = c.re;
    o->im = c.im;
    return heap_ref(&vm->heap, o);
}

static int part_of(struct vm *vm, val v, const char *which, struct cplx *out) {
    *out = (struct cplx){0, 0};
    if (vm_is(vm, v, KIND_COMPLEX)) {
        *out = complex_get(vm, v);
        return 0;
    }
    if (int_is(vm, v) || float_is(vm, v)) return number_real(vm, v, &out->re);
    if (special_of(vm, v, SPECIAL_COMPLEX) ||
        special_of(vm, v, SPECIAL_FLOAT) || special_of(vm, v, SPECIAL_INDEX))
        vm_slow(vm);
    else
        vm_raise(vm, EXC_TypeError, "complex() %s must be a %snumber, not '%s'",
                 which, *which == 'f' ? "string or a " : "",
                 vm_type_name(vm, v));
    return -1;
}

static val complex_of_text(struct vm *vm, val type, val v) {
    struct cplx c;
    char ascii[256];
    str s = text_get(vm, v);
    if (!text_ascii(vm, v)) s = unicode_number(s, ascii, sizeof ascii);
    if (complex_parse(s, &c))
        return vm_raise(vm, EXC_ValueError,
                        "complex() arg is a malformed string");
    return complex_as(vm, type, c);
}

static val complex_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct cplx a = {0, 0}, b = {0, 0};
    if (args[1] && vm_is(vm, args[1], KIND_STR)) {
        if (args[2])
            return vm_raise(vm, EXC_TypeError,
                            "complex() can't take second arg if first is a "
                            "string");
        return complex_of_text(vm, args[0], args[1]);
    }
    if (args[2] && vm_is(vm, args[2], KIND_STR))
        return vm_raise(vm, EXC_TypeError,
                        "complex() second arg can't be a string");
    if (args[1] && part_of(vm, args[1], "first argument", &a)) return VAL_UNSET;
    if (args[2] && part_of(vm, args[2], "second argument", &b))
        return VAL_UNSET;
    if (!args[2]) return complex_as(vm, args[0], a);
    /* Signs of zeros stay where neither part is complex. */
    if (!vm_is(vm, args[1], KIND_COMPLEX) && !vm_is(vm, args[2], KIND_COMPLEX))
        return complex_as(vm, args[0], (struct cplx){a.re, b.re});
    return complex_as(vm, args[0], (struct cplx){a.re - b.im, a.im + b.re});
}

/* -- methods ----------------------------------------------------------------
 */

static val complex_conjugate(struct vm *vm, const val *args, size_t n) {
    (void)n;
    struct cplx c = complex_get(vm, args[0]);
    return complex_new(vm, c.re, -c.im);
}

static val complex_real(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return float_new(vm, complex_get(vm, args[0]).re);
}

static val complex_imag(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return float_new(vm, complex_get(vm, args[0]).im);
}

static const struct native methods[] = {
    {"__new__", "cls, real=0, imag=0", complex_make,
     "A complex number from its parts or text.", "_complex_new"},
    {"conjugate", "self, /", complex_conjugate, "The imaginary part negated.",
     NULL},
    {"__complex__", "self, /", slot_complex_, "Itself.", NULL},
#define SLOTS_NUMBER
#define SLOTS_COMPARE
#define SLOTS_HASH
#define SLOTS_FORMAT
#include "vm/slots.def"
    {0},
};

static const struct native getters[] = {
    {"real", "self", complex_real, "The real part.", NULL},
    {"imag", "self", complex_imag, "The imaginary part.", NULL},
    {0},
};

const struct native_type native_complex = {
    "complex", KIND_COMPLEX, NULL, 0, methods, getters, "A complex number.",
};
