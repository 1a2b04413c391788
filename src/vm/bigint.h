/* SPDX-License-Identifier: MIT
 *
 * bigint -- arithmetic on ints of any size; GMP's mpn layer on limbs that live
 * in the run's heap.
 *
 * Every function takes ints or bools (int_is) and gives a value, inline when it
 * fits, or VAL_UNSET after an exception. Work and size are charged before they
 * are spent, so a huge product is refused rather than waited for.
 */
#ifndef CORDON_VM_BIGINT_H
#define CORDON_VM_BIGINT_H

#include "vm/ops.h"

/* Any int as sign and magnitude; n is 0 for zero, the top limb is not 0. */
struct big {
    const mp_limb_t *p;
    mp_size_t n;
    bool neg;
    mp_limb_t one; /* where p points for an inline int */
};

void big_of(const struct vm *vm, val v, struct big *out);

/* A value from limbs (leading zeros allowed). */
val big_new(struct vm *vm, const mp_limb_t *p, mp_size_t n, bool neg);

/* Room for n limbs, on the C stack when few, in the heap otherwise. */
#define LIMBS_INLINE 32
struct limbs {
    mp_limb_t *p;
    val store; /* VAL_UNSET when `small` serves */
    mp_limb_t small[LIMBS_INLINE];
};
int limbs_init(struct vm *vm, struct limbs *l, mp_size_t n);
int limbs_room(struct vm *vm, struct limbs *l, mp_size_t n); /* of any length */
void limbs_fini(struct vm *vm, struct limbs *l);

/* Units for a product of n by m limbs. */
uint64_t mul_cost(mp_size_t n, mp_size_t m);

/* vm_charge for what is done in pieces: it may begin though it would end past
 * the time limit. */
bool charge_pieces(struct vm *vm, uint64_t units);

/* r = a * b, with room for an + bn limbs, apart from both; q and r of x / y, as
 * mpn_tdiv_qr. In pieces where they are long (bigpiece.c): -1: a limit fired,
 * or memory is short. They are not charged. */
int limbs_mul(struct vm *vm, mp_limb_t *r, const mp_limb_t *a, mp_size_t an,
              const mp_limb_t *b, mp_size_t bn);
int limbs_divmod(struct vm *vm, mp_limb_t *q, mp_limb_t *r, const mp_limb_t *x,
                 mp_size_t xn, const mp_limb_t *y, mp_size_t yn);

/* The same number as exactly an int: bools and subclasses are converted. */
val int_plain(struct vm *vm, val a);

val int_add(struct vm *vm, val a, val b);
val int_sub(struct vm *vm, val a, val b);
val int_mul(struct vm *vm, val a, val b);
/* Floor division: q and r may be NULL. ZeroDivisionError worded by `what`. */
int int_divmod(struct vm *vm, val a, val b, val *q, val *r, const char *what);
val int_truediv(struct vm *vm, val a, val b);
val int_pow(struct vm *vm, val a, val b); /* b is not negative */
val int_powmod(struct vm *vm, val a, val b, val mod);
val int_lshift(struct vm *vm, val a, val b);
val int_rshift(struct vm *vm, val a, val b);
val int_bitwise(struct vm *vm, enum op op, val a, val b); /* AND OR XOR */
val int_neg(struct vm *vm, val a);
val int_invert(struct vm *vm, val a);

int int_sign(const struct vm *vm, val a); /* -1, 0, 1 */
int int_cmp(const struct vm *vm, val a, val b);
uint64_t int_limbs(const struct vm *vm, val a); /* of 64 bits; 1 inline */
int int_cmp_real(const struct vm *vm, val a, double d); /* d is no NaN */
int64_t int_hash(const struct vm *vm, val a);
uint64_t int_bits(const struct vm *vm, val a); /* of the magnitude */

/* Digits in base 2..36, lower case, '-' in front; no limit on decimal ones
 * unless `limited`. */
val int_text(struct vm *vm, val a, unsigned base, bool limited);

/* Writes the digits in front of `end`; where they begin. */
char *decimal_digits(char *end, uint64_t u);

#endif
