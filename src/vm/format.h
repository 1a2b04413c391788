/* SPDX-License-Identifier: MIT
 *
 * format -- the format mini-language, % formatting and str.format().
 */
#ifndef CORDON_VM_FORMAT_H
#define CORDON_VM_FORMAT_H

#include "vm/text.h"

/* [[fill]align][sign][z][#][0][width][grouping][.precision][type] */
struct spec {
    uint32_t fill;
    char align;        /* '<' '>' '^' '=' or 0 */
    char sign;         /* '+' '-' ' ' or 0 */
    bool no_neg_zero;  /* z */
    bool alternate;    /* # */
    bool zero;         /* 0 before the width */
    int64_t width;     /* -1: none */
    char grouping;     /* ',' '_' or 0 */
    int64_t precision; /* -1: none */
    uint32_t type;     /* 0: none */
};

/* 0, or -1 after ValueError. `v` is named in messages. */
int spec_parse(struct vm *vm, str text, val v, struct spec *out);

/* Formats by layout, v's class is not asked. */
val format_int(struct vm *vm, val v, const struct spec *s);
val format_float(struct vm *vm, double d, const struct spec *s, val v);
val format_complex(struct vm *vm, val v, const struct spec *s);
val format_text(struct vm *vm, val v, const struct spec *s);
val kind_format(struct vm *vm, val v, val spec);

/* A double as %e, %f, %g, %r would write its magnitude, no sign: correct digits
 * for any precision. type is one of e f g r; upper case too. */
void format_real_digits(struct build *b, double d, char type, int64_t precision,
                        bool alternate, bool add_dot_0);

/* A magnitude by the spec's type and precision. */
void format_real(struct build *b, double d, const struct spec *s);

/* `template % args`. */
val text_percent(struct vm *vm, val template, val args);
val bytes_percent(struct vm *vm, val template, val args);

/* str.format and format_map; args is a tuple, kwargs a dict or mapping. */
val text_format(struct vm *vm, val template, val args, val kwargs);

#endif
