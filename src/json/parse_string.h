/* SPDX-License-Identifier: MIT
 *
 * parse_string -- one string of JSON text, decoded in place (see parse.h).
 */
#ifndef CORDON_JSON_PARSE_STRING_H
#define CORDON_JSON_PARSE_STRING_H

#include "json/parse_fault.h"
#include "json/scan.h"

struct parse_string {
    char *p;    /* in the text, NUL-terminated */
    size_t n;   /* bytes */
    bool ascii; /* all of them below 0x80 */
};

/* Goes on at `at`, the first byte of the string that is not plain. */
char *parse_string_rest(char *start, char *at, const char *end,
                        struct parse_string *out, struct parse_fault *fault);

/* p stands behind the opening quote; returns the byte behind the closing one,
 * or NULL with *fault filled in. */
PARSE_INLINE char *parse_string(char *p, const char *end,
                                struct parse_string *out,
                                struct parse_fault *fault) {
    char *stop = p + scan_plain(p, (size_t)(end - p));
    if (*stop != '"') return parse_string_rest(p, stop, end, out, fault);
    *stop = '\0';
    *out = (struct parse_string){p, (size_t)(stop - p), true};
    return stop + 1;
}

#endif
