/* SPDX-License-Identifier: MIT */
#include "vm/squeeze.h"

/* Past the string literal that begins at text.p[at]. */
static size_t skip_string(str text, size_t at) {
    char quote = text.p[at];
    size_t n = 1;
    if (at + 2 < text.n && text.p[at + 1] == quote && text.p[at + 2] == quote)
        n = 3;
    for (at += n; at < text.n; at++) {
        if (text.p[at] == '\\') {
            at++;
        } else if (text.p[at] == quote) {
            size_t run = 1;
            while (run < n && at + run < text.n && text.p[at + run] == quote)
                run++;
            if (run == n) return at + n;
            at += run - 1;
        }
    }
    return text.n;
}

/* Past the line (or lines, with a long string) that begins at text.p[at];
 * *code: the end of what is to be kept of it. */
static size_t skip_line(str text, size_t at, size_t *code) {
    *code = at;
    while (at < text.n && text.p[at] != '\n') {
        char c = text.p[at];
        if (c == '#') {
            while (at < text.n && text.p[at] != '\n')
                at++;
            break;
        }
        at = c == '"' || c == '\'' ? skip_string(text, at) : at + 1;
        if (c != ' ') *code = at;
    }
    return at + (at < text.n);
}

int squeeze(str text, struct buf *out, struct err *e) {
    for (size_t at = 0; at < text.n;) {
        size_t start = at, end;
        while (start < text.n && text.p[start] == ' ')
            start++;
        size_t next = skip_line(text, start, &end);
        for (size_t i = 4; end > start && i <= start - at; i += 4)
            if (buf_add_char(out, ' ', e)) return -1;
        if (end > start &&
            (buf_add(out, text.p + start, end - start, e) ||
             buf_add_char(out, '\n', e)))
            return -1;
        at = next;
    }
    return 0;
}
