/* SPDX-License-Identifier: MIT
 *
 * math: functions on ints of any size.
 */
#include "stdlib/math_ints.h"

#include "vm/bigint.h"

static val need_int(struct vm *vm, val v) {
    if (int_is(vm, v)) return int_plain(vm, v);
    return vm_raise(vm, EXC_TypeError,
                    "'%s' object cannot be interpreted as an integer",
                    vm_type_name(vm, v));
}

static val gcd_two(struct vm *vm, val a, val b) {
    val q, r;
    if (int_sign(vm, a) < 0 && !(a = int_neg(vm, a))) return VAL_UNSET;
    if (int_sign(vm, b) < 0 && !(b = int_neg(vm, b))) return VAL_UNSET;
    while (int_sign(vm, b) != 0) {
        if (!vm_charge(vm, 4)) return VAL_UNSET;
        if (int_divmod(vm, a, b, &q, &r, "gcd")) return VAL_UNSET;
        a = b;
        b = r;
    }
    return a;
}

val math_gcd(struct vm *vm, const val *a, size_t n) {
    val all = val_of_int(0);
    for (size_t i = 0; i < n; i++) {
        val v = need_int(vm, a[i]);
        if (!v || !(all = gcd_two(vm, all, v))) return VAL_UNSET;
    }
    return all;
}

val math_lcm(struct vm *vm, const val *a, size_t n) {
    val all = val_of_int(1), q, r;
    for (size_t i = 0; i < n; i++) {
        val v = need_int(vm, a[i]);
        if (!v) return VAL_UNSET;
        if (int_sign(vm, v) == 0) return val_of_int(0);
        val g = gcd_two(vm, all, v);
        if (!g || int_divmod(vm, all, g, &q, &r, "lcm") ||
            !(all = int_mul(vm, q, v)))
            return VAL_UNSET;
        if (int_sign(vm, all) < 0 && !(all = int_neg(vm, all)))
            return VAL_UNSET;
    }
    return all;
}

/* By halves, so that big factors meet big factors. */
static val product_of(struct vm *vm, int64_t from, int64_t to) {
    if (from > to) return val_of_int(1);
    if (to - from < 4) {
        val all = int_new(vm, from);
        for (int64_t i = from + 1; all && i <= to; i++)
            all = int_mul(vm, all, int_new(vm, i));
        return all;
    }
    int64_t middle = from + (to - from) / 2;
    val low = product_of(vm, from, middle);
    val high = low ? product_of(vm, middle + 1, to) : VAL_UNSET;
    return high ? int_mul(vm, low, high) : VAL_UNSET;
}

val math_factorial(struct vm *vm, const val *a, size_t n) {
    (void)n;
    int64_t k;
    val v = need_int(vm, a[0]);
    if (!v) return VAL_UNSET;
    if (int_sign(vm, v) < 0)
        return vm_raise(vm, EXC_ValueError,
                        "factorial() not defined for negative values");
    if (int_get(vm, v, &k) || k > 10000000)
        return vm_raise(vm, EXC_OverflowError,
                        "factorial() argument is too large");
    return vm_charge(vm, (uint64_t)k) ? product_of(vm, 2, k) : VAL_UNSET;
}

static int small_count(struct vm *vm, val v, const char *name, int64_t *out) {
    val i = need_int(vm, v);
    if (!i) return -1;
    if (int_sign(vm, i) < 0) {
        vm_raise(vm, EXC_ValueError, "%s must be a non-negative integer", name);
        return -1;
    }
    if (!int_get(vm, i, out)) return 0;
    vm_raise(vm, EXC_OverflowError, "%s is too large", name);
    return -1;
}

val math_perm(struct vm *vm, const val *a, size_t n) {
    (void)n;
    int64_t m, k;
    if (small_count(vm, a[0], "n", &m)) return VAL_UNSET;
    k = m;
    if (a[1] && a[1] != VAL_NONE && small_count(vm, a[1], "k", &k))
        return VAL_UNSET;
    if (k > m) return val_of_int(0);
    if (k > 10000000) return vm_raise(vm, EXC_OverflowError, "k is too large");
    if (!vm_charge(vm, (uint64_t)k)) return VAL_UNSET;
    return product_of(vm, m - k + 1, m);
}

val math_comb(struct vm *vm, const val *a, size_t n) {
    (void)n;
    int64_t m, k;
    val q, r;
    if (small_count(vm, a[0], "n", &m) || small_count(vm, a[1], "k", &k))
        return VAL_UNSET;
    if (k > m) return val_of_int(0);
    if (k > m - k) k = m - k;
    if (k > 10000000)
        return vm_raise(vm, EXC_OverflowError, "min(n - k, k) is too large");
    if (!vm_charge(vm, 2 * (uint64_t)k)) return VAL_UNSET;
    val top = product_of(vm, m - k + 1, m), low = product_of(vm, 2, k);
    if (!top || !low || int_divmod(vm, top, low, &q, &r, "comb"))
        return VAL_UNSET;
    return q;
}

/* Newton's steps from above. */
val math_isqrt(struct vm *vm, const val *a, size_t n) {
    (void)n;
    val v = need_int(vm, a[0]), q, r;
    if (!v) return VAL_UNSET;
    if (int_sign(vm, v) < 0)
        return vm_raise(vm, EXC_ValueError,
                        "isqrt() argument must be nonnegative");
    if (int_sign(vm, v) == 0) return val_of_int(0);
    val shift = val_of_int((int64_t)(int_bits(vm, v) / 2 + 1));
    val x = int_lshift(vm, val_of_int(1), shift);
    for (;;) {
        if (!x || int_divmod(vm, v, x, &q, &r, "isqrt")) return VAL_UNSET;
        val sum = int_add(vm, x, q);
        val next = sum ? int_rshift(vm, sum, val_of_int(1)) : VAL_UNSET;
        if (!next || !vm_charge(vm, 4)) return VAL_UNSET;
        if (int_cmp(vm, next, x) >= 0) return x;
        x = next;
    }
}
