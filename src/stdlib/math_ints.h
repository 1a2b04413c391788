/* SPDX-License-Identifier: MIT
 *
 * math_ints -- the functions of math that take and give ints (mod_math.c has
 * their rows).
 */
#ifndef CORDON_STDLIB_MATH_INTS_H
#define CORDON_STDLIB_MATH_INTS_H

#include "vm/native.h"

val math_gcd(struct vm *vm, const val *args, size_t n);
val math_lcm(struct vm *vm, const val *args, size_t n);
val math_factorial(struct vm *vm, const val *args, size_t n);
val math_perm(struct vm *vm, const val *args, size_t n);
val math_comb(struct vm *vm, const val *args, size_t n);
val math_isqrt(struct vm *vm, const val *args, size_t n);

#endif
