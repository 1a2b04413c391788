/* SPDX-License-Identifier: MIT
 *
 * code -- compiled code in a run's heap: lang/bytecode.h as objects.
 */
#ifndef CORDON_VM_CODE_H
#define CORDON_VM_CODE_H

#include "lang/bytecode.h"
#include "vm/vm.h"

/* Immutable once made. The variable parts are stores so that snapshots treat
 * them as any other object. */
struct ocode {
    struct obj h;
    uint32_t nwords;
    uint32_t nregs;   /* registers a frame needs */
    uint16_t nlocals; /* variables, parameters included */
    uint16_t nargs;   /* positional parameters, positional-only included */
    uint16_t nposonly, nkwonly;
    uint16_t nfree;   /* cells received from the enclosing function */
    uint16_t ncaches; /* inline cache slots */
    uint32_t flags;   /* enum code_flags */
    uint32_t first_line;
    uint32_t cache_base; /* first of its slots in the run's side table; given
                            when the code is first run */
    uint16_t simple; /* nothing but positional parameters, no generator: calls
                        can copy arguments and go; their number + 1, else 0 */
    uint16_t frame_class; /* size class of its frames, 0 when there is none */
    val words;            /* store of uint32 */
    val consts;           /* tuple */
    val names;    /* tuple of interned str: attribute and global names */
    val varnames; /* tuple of str: names of registers 0..nlocals; in the
                     template those of parameters only */
    val handlers; /* store of struct code_handler */
    val name, qualname;
    val origin; /* what is not needed to run it */
};

/* Many functions of the template share one. */
struct oorigin {
    struct obj h;
    val filename;
    val source;    /* str: the text of the file, for tracebacks */
    val spans;     /* store of struct code_span */
    val freenames; /* tuple of str */
    val captures;  /* bytes store: for CLOSURE of the code, uint16 each: the
                      register of the maker's cell, or 0x8000 | number of the
                      maker's own free cell */
    val joins;     /* store of uint32, made when labels need it: see joins.h */
    val doc;       /* str or VAL_NONE */
};

static inline const struct oorigin *code_origin(const struct vm *vm,
                                                const struct ocode *code) {
    return heap_at(&vm->heap, code->origin);
}

/* Of a module of ours, not of the program. */
static inline bool code_is_library(const struct vm *vm, val code) {
    const struct ocode *c = heap_at(&vm->heap, code);
    return c->flags & CODE_LIBRARY;
}

#endif
