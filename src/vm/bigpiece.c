/* SPDX-License-Identifier: MIT
 *
 * bigpiece -- products and quotients of very long numbers, in pieces between
 * which the limits are looked at.
 *
 * GMP multiplies a number of four megabytes in one go of some tens of
 * milliseconds, and divides it in some hundreds: too long where the time limit
 * is short. What would take more than a small part of that limit is taken
 * apart: products by Karatsuba's three halves, quotients block by block. The
 * pieces cost up to about twice as much as the whole; with the default limit
 * nothing is that long.
 */
#include "vm/bigint.h"

#include <math.h>
#include <string.h>

#define PIECE_LEAST 2000000u /* units; shorter pieces cost too much */
#define PIECE_PART  16       /* of the time limit */

/* Units for a product of n by m limbs: school-book up to some tens of limbs,
 * then flatter as GMP changes algorithm. */
uint64_t mul_cost(mp_size_t n, mp_size_t m) {
    uint64_t big = (uint64_t)(n > m ? n : m), small = (uint64_t)(n > m ? m : n);
    uint64_t per = small < 32 ? small : 32 + (uint64_t)sqrt((double)small) * 2;
    if (per > 200) per = 200;
    return 1 + big * per;
}

bool charge_pieces(struct vm *vm, uint64_t units) {
    for (; units > PIECE_LEAST; units -= PIECE_LEAST)
        if (!vm_charge(vm, PIECE_LEAST)) return false;
    return vm_charge(vm, units);
}

static uint64_t piece_units(const struct vm *vm) {
    uint64_t part = (uint64_t)vm->limits.time_ns / PIECE_PART;
    return part > PIECE_LEAST ? part : PIECE_LEAST;
}

/* -- products ---------------------------------------------------------------
 */

static void mul_at_once(mp_limb_t *r, const mp_limb_t *a, mp_size_t an,
                        const mp_limb_t *b, mp_size_t bn) {
    if (bn == 1)
        r[an] = mpn_mul_1(r, a, an, b[0]);
    else if (a == b && an == bn)
        mpn_sqr(r, a, an);
    else
        mpn_mul(r, a, an, b, bn);
}

/* a is much longer: it is taken in parts as long as b. */
static int mul_uneven(struct vm *vm, mp_limb_t *r, const mp_limb_t *a,
                      mp_size_t an, const mp_limb_t *b, mp_size_t bn) {
    struct limbs t;
    if (limbs_room(vm, &t, 2 * bn)) return -1;
    int bad = limbs_mul(vm, r, a, bn, b, bn);
    for (mp_size_t at = bn; !bad && at < an; at += bn) {
        mp_size_t n = an - at < bn ? an - at : bn;
        bad = limbs_mul(vm, t.p, a + at, n, b, bn);
        if (bad) break;
        /* r has at + bn limbs so far; the upper bn of them overlap. */
        mpn_zero(r + at + bn, n);
        mpn_add(r + at, t.p, n + bn, r + at, bn);
    }
    limbs_fini(vm, &t);
    return bad;
}

/* |x - y|, of h limbs as x has; y has at most as many. Whether y is larger. */
static bool difference(mp_limb_t *r, const mp_limb_t *x, mp_size_t h,
                       const mp_limb_t *y, mp_size_t n) {
    while (n > 0 && y[n - 1] == 0)
        n--;
    mp_size_t top = h;
    while (top > n && x[top - 1] == 0)
        top--;
    mpn_copyi(r, x, h);
    if (n == 0) return false;
    if (top > n || mpn_cmp(x, y, n) >= 0) {
        mpn_sub(r, x, h, y, n);
        return false;
    }
    mpn_sub_n(r, y, x, n);
    return true;
}

/* r = a * b by halves of h limbs; s has room for 6 h + 1. */
static int mul_halves(struct vm *vm, mp_limb_t *r, const mp_limb_t *a,
                      mp_size_t an, const mp_limb_t *b, mp_size_t bn,
                      mp_size_t h, mp_limb_t *s) {
    bool square = a == b && an == bn;
    mp_limb_t *da = s, *db = square ? da : s + h, *mid = s + 2 * h,
              *sum = s + 4 * h;
    mp_size_t high = an + bn - 2 * h;
    bool neg = difference(da, a, h, a + h, an - h);
    if (square)
        neg = false; /* it meets itself */
    else
        neg ^= difference(db, b, h, b + h, bn - h);
    if (limbs_mul(vm, r, a, h, b, h) ||
        limbs_mul(vm, r + 2 * h, a + h, an - h, b + h, bn - h) ||
        limbs_mul(vm, mid, da, h, db, h))
        return -1;
    /* a0 b1 + a1 b0 = a0 b0 + a1 b1 - (a0 - a1)(b0 - b1), at the place of h. */
    sum[2 * h] = mpn_add(sum, r, 2 * h, r + 2 * h, high);
    if (neg)
        sum[2 * h] += mpn_add_n(sum, sum, mid, 2 * h);
    else
        sum[2 * h] -= mpn_sub_n(sum, sum, mid, 2 * h);
    mp_size_t n = 2 * h + 1;
    while (n > 0 && sum[n - 1] == 0)
        n--;
    if (n) mpn_add(r + h, r + h, an + bn - h, sum, n);
    return 0;
}

int limbs_mul(struct vm *vm, mp_limb_t *r, const mp_limb_t *a, mp_size_t an,
              const mp_limb_t *b, mp_size_t bn) {
    if (an < bn) return limbs_mul(vm, r, b, bn, a, an);
    uint64_t cost = mul_cost(an, bn);
    if (cost > PIECE_LEAST && !vm_look(vm)) return -1;
    if (cost <= piece_units(vm)) {
        mul_at_once(r, a, an, b, bn);
        return 0;
    }
    mp_size_t h = (an + 1) / 2;
    if (bn <= h) {
        if (bn > 1) return mul_uneven(vm, r, a, an, b, bn);
        mul_at_once(r, a, an, b, bn);
        return 0;
    }
    struct limbs s;
    if (limbs_room(vm, &s, 6 * h + 1)) return -1;
    int bad = mul_halves(vm, r, a, an, b, bn, h, s.p);
    limbs_fini(vm, &s);
    return bad;
}

/* -- quotients --------------------------------------------------------------
 *
 * Long division with digits of many limbs. The divisor is shifted so that its
 * top bit is set; then the quotient of the tops is at most two too large.
 */

struct division {
    struct vm *vm;
    const mp_limb_t *y; /* shifted */
    mp_size_t n;        /* limbs of it */
    mp_limb_t *u;       /* the remainder so far, n limbs, and below it the next
                           digit of the dividend */
    mp_limb_t *product; /* room for n and a digit */
    mp_limb_t *digit;   /* of the quotient, and one limb more */
};

/* The next digit, of c limbs, to be found in digit; the remainder is in the
 * lower n limbs of u then. */
static int next_digit(struct division *d, mp_size_t c) {
    mp_limb_t *top = d->u + d->n - c;
    mpn_tdiv_qr(d->digit, d->product, 0, top, 2 * c, d->y + d->n - c, c);
    if (d->digit[c]) memset(d->digit, 0xff, (size_t)c * sizeof(mp_limb_t));
    if (limbs_mul(d->vm, d->product, d->y, d->n, d->digit, c)) return -1;
    mp_limb_t borrow = mpn_sub_n(d->u, d->u, d->product, d->n + c);
    while (borrow) {
        mpn_sub_1(d->digit, d->digit, c, 1);
        borrow -= mpn_add(d->u, d->u, d->n + c, d->y, d->n);
    }
    return 0;
}

/* The divisor is no longer than a digit. */
static void short_digit(struct division *d, mp_size_t c) {
    mpn_tdiv_qr(d->digit, d->product, 0, d->u, d->n + c, d->y, d->n);
    mpn_copyi(d->u, d->product, d->n);
}

/* x, shifted, has d->n + qn limbs. */
static int divide(struct division *d, const mp_limb_t *x, mp_size_t qn,
                  mp_size_t block, mp_limb_t *q) {
    mpn_copyi(d->u + block, x + qn, d->n);
    mp_limb_t *rest = d->u + block;
    int bad = 0;
    for (mp_size_t at = qn; at > 0 && !bad;) {
        mp_size_t c = at % block ? at % block : block;
        at -= c;
        d->u = rest - c;
        mpn_copyi(d->u, x + at, c);
        if (!vm_look(d->vm)) return -1;
        if (c < d->n)
            bad = next_digit(d, c);
        else
            short_digit(d, c);
        mpn_copyi(q + at, d->digit, c);
        memmove(rest, d->u, (size_t)d->n * sizeof(mp_limb_t));
    }
    d->u = rest;
    return bad;
}

/* Limbs of a digit: a power of two, such that dividing by one is a piece. */
static mp_size_t block_limbs(const struct vm *vm) {
    mp_size_t c = 1024;
    while (4 * mul_cost(2 * c, 2 * c) <= piece_units(vm))
        c *= 2;
    return c;
}

/* a << by, with a limb more for what leaves it. */
static void shifted(mp_limb_t *r, const mp_limb_t *a, mp_size_t n,
                    unsigned by) {
    if (by)
        r[n] = mpn_lshift(r, a, n, by);
    else {
        mpn_copyi(r, a, n);
        r[n] = 0;
    }
}

static int divide_blocks(struct vm *vm, mp_limb_t *q, mp_limb_t *r,
                         const mp_limb_t *x, mp_size_t xn, const mp_limb_t *y,
                         mp_size_t yn, mp_limb_t *room, mp_size_t block) {
    unsigned by = (unsigned)__builtin_clzll(y[yn - 1]);
    mp_limb_t *ys = room, *xs = ys + yn + 1, *u = xs + xn + 1;
    struct division d = {vm, ys, yn, u, u + yn + block, NULL};
    d.digit = d.product + yn + block;
    shifted(ys, y, yn, by);
    shifted(xs, x, xn, by);
    if (divide(&d, xs, xn + 1 - yn, block, q)) return -1;
    if (by)
        mpn_rshift(r, d.u, yn, by);
    else
        mpn_copyi(r, d.u, yn);
    return 0;
}

int limbs_divmod(struct vm *vm, mp_limb_t *q, mp_limb_t *r, const mp_limb_t *x,
                 mp_size_t xn, const mp_limb_t *y, mp_size_t yn) {
    if (2 * mul_cost(xn - yn + 1, yn) <= piece_units(vm)) {
        mpn_tdiv_qr(q, r, 0, x, xn, y, yn);
        return 0;
    }
    mp_size_t block = block_limbs(vm);
    struct limbs room;
    if (limbs_room(vm, &room, 3 * yn + xn + 3 * block + 8)) return -1;
    int bad = divide_blocks(vm, q, r, x, xn, y, yn, room.p, block);
    limbs_fini(vm, &room);
    return bad;
}
