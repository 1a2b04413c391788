/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of floats and complex numbers. */
#include "vm/number.h"

#include "vm/bigint.h"

#include <errno.h>
#include <math.h>

val float_new(struct vm *vm, double d) {
    if (val_real_fits(d)) return val_of_real(d);
    struct oreal *r = heap_new_raw(vm, KIND_REAL, TYPE_VAL(float), sizeof *r);
    if (!r) return VAL_UNSET;
    r->d = d;
    return heap_ref(&vm->heap, r);
}

bool float_is(const struct vm *vm, val v) {
    return val_is_real(v) || vm_is(vm, v, KIND_REAL);
}

double float_get(const struct vm *vm, val v) {
    if (val_is_real(v)) return val_real(v);
    return ((const struct oreal *)heap_at(&vm->heap, v))->d;
}

val complex_new(struct vm *vm, double re, double im) {
    struct ocomplex *c =
        heap_new(vm, KIND_COMPLEX, TYPE_VAL(complex), sizeof *c);
    if (!c) return VAL_UNSET;
    c->re = re;
    c->im = im;
    return heap_ref(&vm->heap, c);
}

int number_real(struct vm *vm, val v, double *out) {
    if (!float_is(vm, v)) return int_to_real(vm, v, out);
    *out = float_get(vm, v);
    return 0;
}

/* -- floats -----------------------------------------------------------------
 */

int float_divmod(struct vm *vm, double a, double b, double *q, double *r) {
    if (b == 0) {
        vm_raise(vm, EXC_ZeroDivisionError, "float divmod()");
        return -1;
    }
    double mod = fmod(a, b), div = (a - mod) / b;
    if (mod != 0) {
        if ((b < 0) != (mod < 0)) {
            mod += b;
            div -= 1;
        }
    } else {
        mod = copysign(0.0, b);
    }
    double floor_div = copysign(0.0, a / b);
    if (div != 0) {
        floor_div = floor(div);
        if (div - floor_div > 0.5) floor_div += 1;
    }
    *q = floor_div;
    *r = mod;
    return 0;
}

static val float_mod(struct vm *vm, double a, double b) {
    if (b == 0) return vm_raise(vm, EXC_ZeroDivisionError, "float modulo");
    double mod = fmod(a, b);
    if (mod != 0) {
        if ((b < 0) != (mod < 0)) mod += b;
    } else {
        mod = copysign(0.0, b);
    }
    return float_new(vm, mod);
}

static val out_of_range(struct vm *vm) {
    val words = text_of(vm, "Numerical result out of range");
    if (!words) return VAL_UNSET;
    return vm_raise_args(vm, EXC_OverflowError,
                         (val[]){val_of_int(ERANGE), words}, 2);
}

static val float_power(struct vm *vm, double a, double b) {
    if (b == 0 || a == 1) return float_new(vm, 1.0);
    if (a == 0 && b < 0 && !isinf(b))
        return vm_raise(vm, EXC_ZeroDivisionError,
                        "0.0 cannot be raised to a negative power");
    if (a < 0 && isfinite(a) && isfinite(b) && b != floor(b))
        return complex_binary(vm, OP_POW, (struct cplx){a, 0},
                              (struct cplx){b, 0});
    double d = pow(a, b);
    if (isinf(d) && isfinite(a) && isfinite(b)) return out_of_range(vm);
    return float_new(vm, d);
}

static val zero_division(struct vm *vm, const char *words) {
    return vm_raise(vm, EXC_ZeroDivisionError, "%s", words);
}

static val float_floordiv(struct vm *vm, double a, double b) {
    double q, r;
    if (b == 0) return zero_division(vm, "float floor division by zero");
    float_divmod(vm, a, b, &q, &r);
    return float_new(vm, q);
}

val float_binary(struct vm *vm, enum op op, double a, double b) {
    switch ((int)op) {
    case OP_ADD: return float_new(vm, a + b);
    case OP_SUB: return float_new(vm, a - b);
    case OP_MUL: return float_new(vm, a * b);
    case OP_DIV:
        if (b == 0) return zero_division(vm, "float division by zero");
        return float_new(vm, a / b);
    case OP_FLOORDIV: return float_floordiv(vm, a, b);
    case OP_MOD: return float_mod(vm, a, b);
    case OP_POW: return float_power(vm, a, b);
    default: return VAL_NOTIMPLEMENTED;
    }
}

/* -- complex ----------------------------------------------------------------
 */

static struct cplx times(struct cplx a, struct cplx b) {
    return (struct cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Smith's method: scaled by the larger part, so nothing overflows early. */
static struct cplx quotient(struct cplx a, struct cplx b) {
    if (fabs(b.re) >= fabs(b.im)) {
        double ratio = b.im / b.re, denom = b.re + b.im * ratio;
        return (struct cplx){(a.re + a.im * ratio) / denom,
                             (a.im - a.re * ratio) / denom};
    }
    double ratio = b.re / b.im, denom = b.re * ratio + b.im;
    return (struct cplx){(a.re * ratio + a.im) / denom,
                         (a.im * ratio - a.re) / denom};
}

static struct cplx integer_power(struct cplx a, long n) {
    struct cplx r = {1, 0}, p = a;
    for (long left = n < 0 ? -n : n; left; left >>= 1) {
        if (left & 1) r = times(r, p);
        p = times(p, p);
    }
    return n < 0 ? quotient((struct cplx){1, 0}, r) : r;
}

static struct cplx polar_power(struct cplx a, struct cplx b) {
    double abs = hypot(a.re, a.im), angle = atan2(a.im, a.re);
    double len = pow(abs, b.re), phase = angle * b.re;
    if (b.im != 0) {
        len *= exp(-angle * b.im);
        phase += b.im * log(abs);
    }
    return (struct cplx){len * cos(phase), len * sin(phase)};
}

static val complex_power(struct vm *vm, struct cplx a, struct cplx b) {
    struct cplx r;
    if (b.re == 0 && b.im == 0) return complex_new(vm, 1, 0);
    if (a.re == 0 && a.im == 0) {
        if (b.im != 0 || b.re < 0)
            return zero_division(vm, "0.0 to a negative or complex power");
        return complex_new(vm, 0, 0);
    }
    if (b.im == 0 && b.re == floor(b.re) && fabs(b.re) <= 100)
        r = integer_power(a, (long)b.re);
    else
        r = polar_power(a, b);
    if (isinf(r.re) || isinf(r.im))
        return vm_raise(vm, EXC_OverflowError, "complex exponentiation");
    return complex_new(vm, r.re, r.im);
}

val complex_binary(struct vm *vm, enum op op, struct cplx a, struct cplx b) {
    struct cplx r;
    switch ((int)op) {
    case OP_ADD: return complex_new(vm, a.re + b.re, a.im + b.im);
    case OP_SUB: return complex_new(vm, a.re - b.re, a.im - b.im);
    case OP_MUL: r = times(a, b); break;
    case OP_DIV:
        if (b.re == 0 && b.im == 0)
            return zero_division(vm, "complex division by zero");
        r = quotient(a, b);
        break;
    case OP_POW: return complex_power(vm, a, b);
    default: return VAL_NOTIMPLEMENTED;
    }
    return complex_new(vm, r.re, r.im);
}
