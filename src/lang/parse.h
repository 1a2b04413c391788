/* SPDX-License-Identifier: MIT
 *
 * parse -- Python 3.12 source text to a syntax tree.
 *
 * Hand-written recursive descent with a bound on its depth. What is not Python
 * is a fault, worded and placed as CPython words and places it as far as a
 * parser of another make can. Names keep their numbers in `names`, which later
 * passes extend.
 */
#ifndef CORDON_LANG_PARSE_H
#define CORDON_LANG_PARSE_H

#include "lang/ast.h"
#include "lang/fault.h"

enum {
    PARSE_DEPTH = 400,          /* expressions inside each other */
    PARSE_MAX_SOURCE = 8 << 20, /* bytes of source text */
};

struct ast {
    struct node *module; /* N_Module */
    struct name_table names;
    str source;
    bool annotations; /* the source mentions __annotations__; found out by
                         scope_analyse, for compiling adds names */
};

/* Nodes point into source and arena. -1: *fault says what is wrong with the
 * source; where its kind stays FAULT_NONE the failure is another. */
int parse(str source, const uint64_t seed[2], struct arena *a, struct ast *out,
          struct fault *fault, struct err *e);

#endif
