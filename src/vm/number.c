/* SPDX-License-Identifier: MIT
 *
 * Questions put to ints and floats alike. */
#include "vm/number.h"

#include "vm/bigint.h"

#include <math.h>

val number_abs(struct vm *vm, val a) {
    if (int_is(vm, a))
        return int_sign(vm, a) < 0 ? int_neg(vm, a) : int_plain(vm, a);
    if (float_is(vm, a)) return float_new(vm, fabs(float_get(vm, a)));
    if (vm_is(vm, a, KIND_COMPLEX)) {
        struct cplx c = complex_get(vm, a);
        double d = hypot(c.re, c.im);
        if (isinf(d) && isfinite(c.re) && isfinite(c.im))
            return vm_raise(vm, EXC_OverflowError, "absolute value too large");
        return float_new(vm, d);
    }
    return vm_raise(vm, EXC_TypeError, "bad operand type for abs(): '%s'",
                    vm_type_name(vm, a));
}

val number_trunc(struct vm *vm, val a) {
    if (int_is(vm, a)) return int_plain(vm, a);
    double d = float_get(vm, a);
    if (isnan(d))
        return vm_raise(vm, EXC_ValueError,
                        "cannot convert float NaN to integer");
    if (isinf(d))
        return vm_raise(vm, EXC_OverflowError,
                        "cannot convert float infinity to integer");
    return int_from_real(vm, d);
}

val number_divmod(struct vm *vm, val a, val b) {
    val pair[2];
    if (int_is(vm, a) && int_is(vm, b)) {
        if (int_divmod(vm, a, b, &pair[0], &pair[1],
                       "integer division or modulo by zero"))
            return VAL_UNSET;
        return tuple_new(vm, pair, 2);
    }
    if ((!int_is(vm, a) && !float_is(vm, a)) ||
        (!int_is(vm, b) && !float_is(vm, b)))
        return VAL_NOTIMPLEMENTED;
    double x, y, q, r;
    if (number_real(vm, a, &x) || number_real(vm, b, &y) ||
        float_divmod(vm, x, y, &q, &r))
        return VAL_UNSET;
    pair[0] = float_new(vm, q);
    pair[1] = float_new(vm, r);
    return pair[0] && pair[1] ? tuple_new(vm, pair, 2) : VAL_UNSET;
}

/* An int to a multiple of 10^digits, half to even. */
static val int_round(struct vm *vm, val a, int64_t digits) {
    if (digits > (int64_t)int_bits(vm, a)) return val_of_int(0);
    val unit = int_pow(vm, val_of_int(10), val_of_int(digits)), q, r;
    if (!unit || int_divmod(vm, a, unit, &q, &r, "")) return VAL_UNSET;
    val twice = int_add(vm, r, r), half = unit;
    if (!twice) return VAL_UNSET;
    int c = int_cmp(vm, twice, half);
    struct big x;
    big_of(vm, q, &x);
    bool odd = x.n && x.p[0] & 1;
    if (c > 0 || (c == 0 && odd)) q = int_add(vm, q, val_of_int(1));
    return q ? int_mul(vm, q, unit) : VAL_UNSET;
}

static val float_to_int(struct vm *vm, double d) {
    if (isnan(d))
        return vm_raise(vm, EXC_ValueError,
                        "cannot convert float NaN to integer");
    if (isinf(d))
        return vm_raise(vm, EXC_OverflowError,
                        "cannot convert float infinity to integer");
    return int_from_real(vm, rint(d));
}

val number_round(struct vm *vm, val a, val ndigits) {
    int64_t digits = 0;
    bool whole = !ndigits || ndigits == VAL_NONE;
    if (!whole && value_index_near(vm, ndigits, &digits)) return VAL_UNSET;
    if (int_is(vm, a))
        return whole || digits >= 0 ? int_plain(vm, a)
                                    : int_round(vm, a, -digits);
    double d = float_get(vm, a);
    if (whole) return float_to_int(vm, d);
    double r = float_round(d, digits);
    if (isinf(r) && isfinite(d))
        return vm_raise(vm, EXC_OverflowError,
                        "rounded value too large to represent");
    return float_new(vm, r);
}
