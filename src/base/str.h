/* SPDX-License-Identifier: MIT
 *
 * str -- a borrowed piece of text: pointer and length, NUL-safe.
 *
 * Passed by value like a number. It never owns its bytes and is not
 * NUL-terminated.
 */
#ifndef CORDON_BASE_STR_H
#define CORDON_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct str {
    const char *p;
    size_t n;
} str;

#define STR(literal) ((str){"" literal, sizeof(literal) - 1})
/* For printf: `"%.*s", STR_ARG(s)`; long text is cut at INT_MAX. */
#define STR_ARG(s) ((s).n > 0x7fffffff ? 0x7fffffff : (int)(s).n), (s).p

str str_of(const char *cstr); /* NULL gives the empty str */
bool str_eq(str a, str b);
bool str_is(str a, const char *cstr);
bool str_eq_nocase(str a, str b); /* ASCII letters only */
int str_cmp(str a, str b);        /* bytewise, shorter first */
bool str_starts(str s, str prefix);
bool str_ends(str s, str suffix);
str str_sub(str s, size_t from, size_t to); /* clamped to s */
str str_trim(str s);                        /* ASCII white space */

/* Index of the first occurrence, or -1. */
ptrdiff_t str_find(str s, str needle);
ptrdiff_t str_find_char(str s, char c);

/* Cuts at the first sep: returns what stands before it and leaves in *rest
 * what stands after it. Without a sep the whole is returned and *rest is empty
 * with p == NULL. */
str str_cut(str *rest, char sep);

/* Slips between two short names (a byte too many, missing, wrong, or two
 * neighbours swapped), capped at limit+1; used for "did you mean". Names over
 * 64 bytes give limit+1. */
size_t str_distance(str a, str b, size_t limit);

/* The entry of names nearest to s, or NULL if none is near enough to suggest.
 * names ends with NULL. */
const char *str_nearest(str s, const char *const *names);

/* Shell-style match with * and ? over the whole of s; linear time. */
bool str_glob(str pattern, str s);

#endif
