/* SPDX-License-Identifier: MIT
 *
 * parse_fault -- how the steps of the reader (parse.h) tell what is wrong.
 */
#ifndef CORDON_JSON_PARSE_FAULT_H
#define CORDON_JSON_PARSE_FAULT_H

#include <stddef.h>

#define PARSE_INLINE static inline __attribute__((always_inline))

struct parse_fault {
    const char *at;       /* in the text that is being read */
    const char *expected; /* static text; NULL: the sink refused */
};

/* Notes the fault; returns NULL, for `return parse_wrong(...)`. */
PARSE_INLINE char *parse_wrong(const char *at, const char *expected,
                               struct parse_fault *fault) {
    *fault = (struct parse_fault){at, expected};
    return NULL;
}

#endif
