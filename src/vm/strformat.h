/* SPDX-License-Identifier: MIT
 *
 * strformat -- reading the template of str.format().
 */
#ifndef CORDON_VM_STRFORMAT_H
#define CORDON_VM_STRFORMAT_H

#include "vm/text.h"

struct format_piece {
    str literal;     /* text before the field, braces already single */
    bool has_field;  /* a field follows */
    str name;        /* "0.attr[key]" */
    char conversion; /* 'r', 's', 'a' or 0 */
    str spec;        /* may hold fields of its own */
};

/* The piece at *i, which moves behind it; -1 after ValueError. */
int format_next(struct vm *vm, str s, size_t *i, struct format_piece *out);

#endif
