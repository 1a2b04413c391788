/* SPDX-License-Identifier: MIT */
#include "lang/fault.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define BOM "\xef\xbb\xbf"

int fault_vset(struct fault *f, enum fault_kind kind, uint32_t start,
               uint32_t end, const char *fmt, va_list ap) {
    if (f->kind != FAULT_NONE) return -1;
    f->kind = kind;
    f->start = start;
    f->end = end < start ? start : end;
    int n = vsnprintf(f->text, sizeof f->text, fmt, ap);
    size_t len = n < 0 ? 0 : (size_t)n;
    if (len >= sizeof f->text) len = sizeof f->text - 1;
    f->text[utf8_valid(f->text, len)] = '\0';
    return -1;
}

int fault_set(struct fault *f, enum fault_kind kind, uint32_t start,
              uint32_t end, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fault_vset(f, kind, start, end, fmt, ap);
    va_end(ap);
    return -1;
}

const char *fault_type(enum fault_kind kind) {
    switch (kind) {
    case FAULT_NONE:
    case FAULT_SYNTAX: return "SyntaxError";
    case FAULT_INDENT: return "IndentationError";
    case FAULT_TAB: return "TabError";
    }
    return "SyntaxError";
}

/* A byte order mark is part of no line. */
static size_t text_start(str source) {
    return str_starts(source, STR(BOM)) ? sizeof BOM - 1 : 0;
}

struct place place_of(str source, uint32_t offset) {
    size_t end = offset < source.n ? offset : source.n;
    size_t line_start = text_start(source);
    struct place at = {.line = 1};
    for (size_t i = line_start; i < end;) {
        uint32_t skip = newline_len(source.p + i, source.n - i);
        if (skip && i + skip > end) break;
        i += skip ? skip : 1;
        if (!skip) continue;
        at.line++;
        line_start = i;
    }
    if (line_start > end) line_start = end;
    at.byte = (uint32_t)(end - line_start);
    at.column = (uint32_t)utf8_count(source.p + line_start, end - line_start);
    return at;
}

str place_line(str source, uint32_t line) {
    size_t i = text_start(source);
    for (uint32_t at = 1; at < line && i < source.n;) {
        uint32_t skip = newline_len(source.p + i, source.n - i);
        if (skip) at++;
        i += skip ? skip : 1;
    }
    size_t end = i;
    while (end < source.n && !newline_len(source.p + end, source.n - end))
        end++;
    return str_sub(source, i, end);
}
