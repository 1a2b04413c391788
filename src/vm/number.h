/* SPDX-License-Identifier: MIT
 *
 * number -- floats and complex numbers from the inside.
 */
#ifndef CORDON_VM_NUMBER_H
#define CORDON_VM_NUMBER_H

#include "vm/ops.h"

struct cplx {
    double re, im;
};

static inline struct cplx complex_get(const struct vm *vm, val v) {
    const struct ocomplex *c = heap_at(&vm->heap, v);
    return (struct cplx){c->re, c->im};
}

/* An int, bool or float as a double: 0, or -1 after OverflowError. */
int number_real(struct vm *vm, val v, double *out);

/* OP_ADD .. OP_POW on doubles; VAL_NOTIMPLEMENTED for the other operators. */
val float_binary(struct vm *vm, enum op op, double a, double b);
int float_divmod(struct vm *vm, double a, double b, double *q, double *r);
val complex_binary(struct vm *vm, enum op op, struct cplx a, struct cplx b);

/* divmod(a, b) of ints and floats; VAL_NOTIMPLEMENTED for other kinds. */
val number_divmod(struct vm *vm, val a, val b);
val number_abs(struct vm *vm, val a);
/* round(a, ndigits); ndigits may be unset or None. */
val number_round(struct vm *vm, val a, val ndigits);
/* An int or float toward zero; errors for nan and infinity. */
val number_trunc(struct vm *vm, val a);

/* Text after float(), surrounding white space included: 0, or -1 when it is no
 * number; raises nothing. */
int float_parse(str s, double *out);

/* round(d, ndigits), exact. */
double float_round(double d, int64_t ndigits);

/* The repr: "1.0", "inf", "nan". No NUL; returns the length. */
size_t float_text(double d, char out[40]);

/* "(1+2j)". Room for two reals and more. */
size_t complex_text(struct cplx c, char out[96]);

#endif
