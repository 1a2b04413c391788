/* SPDX-License-Identifier: MIT
 *
 * fault -- what is wrong with a source text, and where.
 *
 * Messages are worded as CPython 3.12 words them. Offsets are bytes into the
 * source; a place is what people count: lines from 1, columns in bytes (as in
 * CPython's AST) or in code points (as in its SyntaxError).
 */
#ifndef CORDON_LANG_FAULT_H
#define CORDON_LANG_FAULT_H

#include "base/str.h"

#include <stdarg.h>
#include <stdint.h>

enum fault_kind {
    FAULT_NONE,
    FAULT_SYNTAX, /* SyntaxError */
    FAULT_INDENT, /* IndentationError */
    FAULT_TAB,    /* TabError */
};

struct fault {
    enum fault_kind kind;
    uint32_t start, end; /* the offending bytes; end may equal start */
    char text[256];      /* UTF-8, NUL-terminated, cut when longer */
};

struct place {
    uint32_t line;   /* from 1 */
    uint32_t byte;   /* bytes before it on its line */
    uint32_t column; /* code points before it on its line */
};

/* Sets the fault and gives -1. The first one set stays: what is reported is
 * the cause, not what followed from it. */
int fault_set(struct fault *f, enum fault_kind kind, uint32_t start,
              uint32_t end, const char *fmt, ...)
    __attribute__((format(printf, 5, 6), nonnull(1), cold));
int fault_vset(struct fault *f, enum fault_kind kind, uint32_t start,
               uint32_t end, const char *fmt, va_list ap)
    __attribute__((format(printf, 5, 0), nonnull(1), cold));

/* "SyntaxError", "IndentationError", "TabError". */
const char *fault_type(enum fault_kind kind);

/* Where an offset lies. Linear in the offset: for messages, not for loops. */
struct place place_of(str source, uint32_t offset);

/* The text of line number `line`, without its line end. */
str place_line(str source, uint32_t line);

/* Length of the line end at p[0..n): 0, 1 (\n or \r) or 2 (\r\n). */
static inline uint32_t newline_len(const char *p, size_t n) {
    if (n == 0) return 0;
    if (p[0] == '\n') return 1;
    if (p[0] != '\r') return 0;
    return n > 1 && p[1] == '\n' ? 2 : 1;
}

#endif
