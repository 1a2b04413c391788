/* SPDX-License-Identifier: MIT
 *
 * constant -- a value that source text or the compiler states outright.
 *
 * Plain data in the arena of the parse; the vm makes heap objects of it when
 * code is loaded.
 */
#ifndef CORDON_LANG_CONSTANT_H
#define CORDON_LANG_CONSTANT_H

#include "base/str.h"

struct code_unit;

enum const_kind {
    CONST_NONE,
    CONST_TRUE,
    CONST_FALSE,
    CONST_ELLIPSIS,
    CONST_INT, /* fits int64_t */
    CONST_BIG, /* a longer int: its text, "0x" or decimal digits only */
    CONST_REAL,
    CONST_COMPLEX, /* real part 0 unless folded */
    CONST_STR,     /* UTF-8, lone surrogates allowed */
    CONST_BYTES,
    CONST_TUPLE,
    CONST_FROZENSET, /* items as in the source, repetitions included */
    CONST_CODE,
};

struct constant {
    uint32_t kind;  /* enum const_kind */
    uint32_t count; /* items of a TUPLE or FROZENSET */
    union {
        int64_t integer;
        double real;
        struct {
            double re, im;
        } complex;
        str text; /* STR, BYTES, BIG */
        const struct constant *items;
        const struct code_unit *code;
    } as;
};

#endif
