/* SPDX-License-Identifier: MIT
 *
 * value -- what a register, a list item or a dict entry holds: one 64-bit word.
 *
 *   ...xxx1  an int of 63 bits, inline
 *   ...xx10  a float whose exponent is ordinary, inline (self-tagged)
 *   ...xx00  a reference: the offset of an object from the base of the run's
 *            range. Offsets, not addresses, so a heap can be copied, saved and
 *            mapped anywhere.
 *
 * Offset 0 is no object: VAL_UNSET marks an unbound variable, an argument that
 * was not given and, as a result, "an exception is set" (see native.h).
 * The singletons stand at fixed offsets at the start of the template, so they
 * are compile-time constants. Floats outside the inline range (0.0 apart: about
 * 1e-77 to 1e77 are inline) and ints over 63 bits are objects.
 */
#ifndef CORDON_VM_VALUE_H
#define CORDON_VM_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t val;

#define VAL_UNSET          ((val)0)
#define VAL_NONE           ((val)16)
#define VAL_FALSE          ((val)32)
#define VAL_TRUE           ((val)48)
#define VAL_ELLIPSIS       ((val)64)
#define VAL_NOTIMPLEMENTED ((val)80)
#define VAL_EMPTY_TUPLE    ((val)96)
#define VAL_SINGLETONS_END ((val)128)

#define INT_INLINE_MAX ((int64_t)0x3fffffffffffffff)
#define INT_INLINE_MIN (-INT_INLINE_MAX - 1)

static inline bool val_is_int(val v) {
    return v & 1;
}
static inline bool val_is_real(val v) {
    return (v & 3) == 2;
}
static inline bool val_is_ref(val v) {
    return (v & 3) == 0;
}

/* Both words are inline ints: one test for the fast path. */
static inline bool val_both_int(val a, val b) {
    return a & b & 1;
}

static inline int64_t val_int(val v) {
    return (int64_t)v >> 1;
}

/* Only for i within INT_INLINE_MIN..INT_INLINE_MAX. */
static inline val val_of_int(int64_t i) {
    return ((val)i << 1) | 1;
}

static inline bool val_int_fits(int64_t i) {
    return i >= INT_INLINE_MIN && i <= INT_INLINE_MAX;
}

static inline val val_of_bool(bool b) {
    return b ? VAL_TRUE : VAL_FALSE;
}

/* The three bits under the sign tell whether a double's exponent is ordinary:
 * 011 and 100. Rotating them into the low bits leaves a free tag of two bits.
 * 0.0 has its own word because its exponent is not ordinary. */
#define VAL_REAL_ZERO ((val)0x8000000000000002)

static inline bool val_real_fits(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    unsigned top = (unsigned)(bits >> 60) & 7;
    /* One ordinary double, 2^-255, would get the word that means 0.0. */
    return (top == 3 || top == 4 || bits == 0) && bits != 0x3000000000000000;
}

static inline val val_of_real(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    if (bits == 0) return VAL_REAL_ZERO;
    return (((bits << 3) | (bits >> 61)) & ~(uint64_t)3) | 2;
}

static inline double val_real(val v) {
    if (v == VAL_REAL_ZERO) return 0.0;
    uint64_t high = 2 - (v >> 63); /* restores 011 or 100 */
    uint64_t bits = high | (v & ~(uint64_t)3);
    bits = (bits >> 3) | (bits << 61);
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

#endif
