/* SPDX-License-Identifier: MIT
 *
 * bytecode -- compiled code, as the compiler leaves it in its arena.
 *
 * Instructions are 32-bit words: opcode in the low byte, then A, B, C of eight
 * bits each, or A and Bx of sixteen, or J of twenty-four (signed, in words,
 * from the word after the jump). opcodes.def is the list. Registers 0..nlocals
 * are the function's variables (parameters first, in signature order, then
 * *args, then **kwargs, then other locals, then cells), temporaries stand above
 * them. Only the first 256 registers can be operands; a function with more
 * locals keeps the rest in registers reached by MOVX.
 *
 * The vm copies a unit into its heap (struct ocode, vm/code.h) and drops the
 * arena.
 */
#ifndef CORDON_LANG_BYTECODE_H
#define CORDON_LANG_BYTECODE_H

#include "lang/constant.h"

enum op {
#define OP(name, format, meaning) OP_##name,
#include "lang/opcodes.def"
#undef OP
    OP_COUNT,
};

enum op_format { F_ABC, F_ABx, F_J };

#define INS_ABC(op, a, b, c)                                     \
    ((uint32_t)(op) | (uint32_t)(a) << 8 | (uint32_t)(b) << 16 | \
     (uint32_t)(c) << 24)
#define INS_ABX(op, a, bx) \
    ((uint32_t)(op) | (uint32_t)(a) << 8 | (uint32_t)(uint16_t)(bx) << 16)
#define INS_J(op, j) ((uint32_t)(op) | (uint32_t)(j) << 8)

#define INS_OP(w) ((enum op)((w)&0xff))
#define INS_A(w)  (((w) >> 8) & 0xff)
#define INS_B(w)  (((w) >> 16) & 0xff)
#define INS_C(w)  ((w) >> 24)
#define INS_BX(w) ((w) >> 16)
#define INS_SB(w) ((int32_t)(int16_t)((w) >> 16)) /* Bx, signed */
#define INS_SC(w) ((int32_t)(int8_t)((w) >> 24))  /* C, signed */
#define INS_SJ(w) ((int32_t)(w) >> 8)             /* J, signed */

enum code_flags {
    CODE_GENERATOR = 1,       /* a call makes a generator */
    CODE_COROUTINE = 2,       /* a call makes a coroutine (with GENERATOR: async
                                 generator) */
    CODE_VARARGS = 4,         /* has *args */
    CODE_VARKW = 8,           /* has **kwargs */
    CODE_NAMES = 16,          /* a class body: names live in the dict in R[0] */
    CODE_NESTED = 32,         /* defined inside a function */
    CODE_MODULE = 64,         /* top level; RESULT sets the run's value */
    CODE_COMPREHENSION = 128, /* hidden from "in <function>" wording */
    CODE_ANNOTATED = 256, /* R[A+2] of its CLOSURE holds the function that makes
                             its __annotations__ */
    CODE_LIBRARY = 512,   /* of a module of ours */
    CODE_MADE = 1024      /* likewise, from text with names that a program
                             chose: it sees what the program sees */
};

/* While an exception is in flight at word pc with start <= pc < end, control
 * goes to target with the exception in R[reg]. Ranges are sorted so that the
 * first match is the innermost. */
struct code_handler {
    uint32_t start, end, target;
    uint32_t reg;
};

/* Where the words from pc up to the next entry came from. Lines from 1, columns
 * in code points from 0, end exclusive; sorted by pc. */
struct code_span {
    uint32_t pc;
    uint32_t line, end_line;
    uint16_t col, end_col;
};

/* One function, class body, comprehension or module. Field for field what
 * struct ocode holds. */
struct code_unit {
    const uint32_t *words;
    const struct constant *consts;
    const str *names;    /* attribute and global names */
    const str *varnames; /* of registers 0..nlocals; a cell's register has its
                            variable's name */
    const str *freenames;
    const uint16_t *captures; /* nfree: for CLOSURE of this code: the register
                                 of the maker's cell, or 0x8000 | number of the
                                 maker's own free cell */
    const struct code_handler *handlers;
    const struct code_span *spans;
    uint32_t nwords, nconsts, nnames, nhandlers, nspans;
    uint32_t nregs;   /* registers a frame needs */
    uint16_t nlocals; /* variables, parameters included */
    uint16_t nargs;   /* positional parameters, positional-only included */
    uint16_t nposonly, nkwonly;
    uint16_t nfree;   /* cells received from the enclosing function */
    uint16_t ncaches; /* inline cache slots */
    uint32_t flags;   /* enum code_flags */
    uint32_t first_line;
    str name, qualname;
    str doc; /* p is NULL when there is none */
};

#endif
