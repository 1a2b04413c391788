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
        if (int_sign(vm, v) == 0) all = val_of_int(0);
        if (int_sign(vm, all) == 0) continue; /* the rest must be ints too */
        val g = gcd_two(vm, all, v);
        if (!g || int_divmod(vm, all, g, &q, &r, "lcm") ||
            !(all = int_mul(vm, q, v)))
            return VAL_UNSET;
        if (int_sign(vm, all) < 0 && !(all = int_neg(vm, all)))
            return VAL_UNSET;
    }
    return all;
}

#define FACTORS_MAX 10000000 /* of a product; more would never end */

/* n (n - 1) ... without the first `from` factors and those after the first
 * `to`, by halves, so that big factors meet big factors. */
static val falling(struct vm *vm, val n, int64_t from, int64_t to) {
    if (from >= to) return val_of_int(1);
    if (to - from == 1) return int_sub(vm, n, val_of_int(from));
    int64_t middle = from + (to - from) / 2;
    val high = falling(vm, n, from, middle);
    val low = high ? falling(vm, n, middle, to) : VAL_UNSET;
    return low ? int_mul(vm, high, low) : VAL_UNSET;
}

val math_factorial(struct vm *vm, const val *a, size_t n) {
    (void)n;
    int64_t k;
    val v = need_int(vm, a[0]);
    if (!v) return VAL_UNSET;
    if (int_sign(vm, v) < 0)
        return vm_raise(vm, EXC_ValueError,
                        "factorial() not defined for negative values");
    if (int_get(vm, v, &k) || k > FACTORS_MAX)
        return vm_raise(vm, EXC_OverflowError,
                        "factorial() argument is too large");
    return vm_charge(vm, (uint64_t)k) ? falling(vm, v, 0, k - 1) : VAL_UNSET;
}

/* n and k of perm and comb: ints, neither negative. */
static int counts(struct vm *vm, const val *a, val *n, val *k) {
    if (!(*n = need_int(vm, a[0])) || !(*k = need_int(vm, a[1]))) return -1;
    const char *bad = int_sign(vm, *n) < 0   ? "n"
                      : int_sign(vm, *k) < 0 ? "k"
                                             : NULL;
    if (bad)
        vm_raise(vm, EXC_ValueError, "%s must be a non-negative integer", bad);
    return bad ? -1 : 0;
}

/* k as a number of factors that is worth beginning. */
static int factors(struct vm *vm, val k, const char *name, int64_t *out) {
    if (!int_get(vm, k, out) && *out <= FACTORS_MAX)
        return vm_charge(vm, (uint64_t)*out) ? 0 : -1;
    vm_raise(vm, EXC_OverflowError, "%s must not exceed %d", name, FACTORS_MAX);
    return -1;
}

val math_perm(struct vm *vm, const val *a, size_t n) {
    if (!a[1] || a[1] == VAL_NONE) return math_factorial(vm, a, n);
    val m, k;
    int64_t many;
    if (counts(vm, a, &m, &k)) return VAL_UNSET;
    if (int_cmp(vm, k, m) > 0) return val_of_int(0);
    return factors(vm, k, "k", &many) ? VAL_UNSET : falling(vm, m, 0, many);
}

val math_comb(struct vm *vm, const val *a, size_t n) {
    (void)n;
    val m, k, q, r;
    int64_t many;
    if (counts(vm, a, &m, &k)) return VAL_UNSET;
    if (int_cmp(vm, k, m) > 0) return val_of_int(0);
    val other = int_sub(vm, m, k);
    if (!other) return VAL_UNSET;
    if (int_cmp(vm, other, k) < 0) k = other;
    if (factors(vm, k, "min(n - k, k)", &many)) return VAL_UNSET;
    val top = falling(vm, m, 0, many);
    val low = top ? falling(vm, k, 0, many) : VAL_UNSET;
    if (!low || int_divmod(vm, top, low, &q, &r, "comb")) return VAL_UNSET;
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
