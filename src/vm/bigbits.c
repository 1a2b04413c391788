/* SPDX-License-Identifier: MIT
 *
 * Ints of any size: shifts, bits, signs. */
#include "vm/bigint.h"

val int_lshift(struct vm *vm, val a, val b) {
    struct big x;
    big_of(vm, a, &x);
    if (int_sign(vm, b) < 0)
        return vm_raise(vm, EXC_ValueError, "negative shift count");
    if (!x.n) return val_of_int(0);
    int64_t by;
    if (int_get(vm, b, &by))
        return vm_raise(vm, EXC_OverflowError, "too many digits in integer");
    if ((uint64_t)by / 8 > vm->heap.limit)
        return vm_raise(vm, EXC_MemoryError, "integer too large");
    mp_size_t whole = (mp_size_t)(by / 64);
    struct limbs r;
    if (!vm_charge(vm, (uint64_t)(x.n + whole)) ||
        limbs_init(vm, &r, x.n + whole + 1))
        return VAL_UNSET;
    mpn_zero(r.p, whole);
    if (by % 64) {
        r.p[whole + x.n] =
            mpn_lshift(r.p + whole, x.p, x.n, (unsigned)(by % 64));
    } else {
        mpn_copyi(r.p + whole, x.p, x.n);
        r.p[whole + x.n] = 0;
    }
    val v = big_new(vm, r.p, whole + x.n + 1, x.neg);
    limbs_fini(vm, &r);
    return v;
}

/* Floor of x / 2^by; whole < x->n. */
static val rshift_limbs(struct vm *vm, const struct big *x, mp_size_t whole,
                        unsigned bits) {
    mp_size_t n = x->n - whole;
    struct limbs r;
    if (!vm_charge(vm, (uint64_t)n) || limbs_init(vm, &r, n + 1))
        return VAL_UNSET;
    mp_limb_t lost = 0;
    if (bits)
        lost = mpn_rshift(r.p, x->p + whole, n, bits);
    else
        mpn_copyi(r.p, x->p + whole, n);
    r.p[n] = 0;
    bool inexact = lost || (whole && !mpn_zero_p(x->p, whole));
    if (x->neg && inexact) r.p[n] = mpn_add_1(r.p, r.p, n, 1);
    val v = big_new(vm, r.p, n + 1, x->neg);
    limbs_fini(vm, &r);
    return v;
}

val int_rshift(struct vm *vm, val a, val b) {
    if (int_sign(vm, b) < 0)
        return vm_raise(vm, EXC_ValueError, "negative shift count");
    struct big x;
    big_of(vm, a, &x);
    int64_t by;
    if (int_get(vm, b, &by) || by / 64 >= x.n)
        return val_of_int(x.neg ? -1 : 0);
    return rshift_limbs(vm, &x, (mp_size_t)(by / 64), (unsigned)(by % 64));
}

/* Two's complement in n limbs. */
static void complement(mp_limb_t *out, const struct big *b, mp_size_t n) {
    mpn_zero(out, n);
    if (b->n) mpn_copyi(out, b->p, b->n);
    if (b->neg) mpn_neg(out, out, n);
}

static void combine(enum op op, mp_limb_t *a, const mp_limb_t *b, mp_size_t n) {
    if (op == OP_AND)
        mpn_and_n(a, a, b, n);
    else if (op == OP_OR)
        mpn_ior_n(a, a, b, n);
    else
        mpn_xor_n(a, a, b, n);
}

static val bitwise_small(struct vm *vm, enum op op, int64_t a, int64_t b) {
    if (op == OP_AND) return int_new(vm, a & b);
    return int_new(vm, op == OP_OR ? (a | b) : (a ^ b));
}

val int_bitwise(struct vm *vm, enum op op, val a, val b) {
    if (val_both_int(a, b))
        return bitwise_small(vm, op, val_int(a), val_int(b));
    struct big x, y;
    big_of(vm, a, &x);
    big_of(vm, b, &y);
    mp_size_t n = (x.n > y.n ? x.n : y.n) + 1;
    struct limbs l, r;
    if (!vm_charge(vm, (uint64_t)n * 2) || limbs_init(vm, &l, n))
        return VAL_UNSET;
    val v = VAL_UNSET;
    if (!limbs_init(vm, &r, n)) {
        complement(l.p, &x, n);
        complement(r.p, &y, n);
        combine(op, l.p, r.p, n);
        bool neg = l.p[n - 1] >> 63;
        if (neg) mpn_neg(l.p, l.p, n);
        v = big_new(vm, l.p, n, neg);
        limbs_fini(vm, &r);
    }
    limbs_fini(vm, &l);
    return v;
}

val int_neg(struct vm *vm, val a) {
    if (val_is_int(a)) return int_new(vm, -val_int(a));
    struct big x;
    big_of(vm, a, &x);
    return big_new(vm, x.p, x.n, !x.neg);
}

val int_invert(struct vm *vm, val a) {
    if (val_is_int(a)) return val_of_int(~val_int(a));
    val n = int_neg(vm, a);
    return n ? int_sub(vm, n, val_of_int(1)) : VAL_UNSET;
}
