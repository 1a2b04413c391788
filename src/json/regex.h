/* SPDX-License-Identifier: MIT
 *
 * regex -- ECMAScript patterns on PCRE2, bounded in time and memory.
 *
 * Patterns follow ECMA-262 with the u flag, except that punctuation may be
 * escaped needlessly, as many schemas do. They search: a pattern without
 * anchors matches anywhere. Matching has limits in proportion to the subject;
 * reaching one is a failure (ERR_LIMIT), not "no match".
 */
#ifndef CORDON_JSON_REGEX_H
#define CORDON_JSON_REGEX_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

struct regex;
struct regex_scratch; /* memory for matching, for any number of patterns */

/* The error tells what is wrong with the pattern. */
struct regex *regex_new(str pattern, struct err *e);
void regex_free(struct regex *re); /* and all it is linked to; may be NULL */

/* Puts re in front of a list, so that one regex_free frees all. */
void regex_link(struct regex *re, struct regex **list);
str regex_source(const struct regex *re);

struct regex_scratch *regex_scratch_new(struct err *e);
void regex_scratch_free(struct regex_scratch *s); /* s may be NULL */

/* How much backtracking a match may take. Nearly all need little; a caller that
 * counts its work tries that first and pays for more. */
enum regex_effort { REGEX_LITTLE, REGEX_FULL };

/* 1 match, 0 none, -1 a limit (ERR_LIMIT) or memory. */
int regex_match(struct regex *re, struct regex_scratch *s, str subject,
                enum regex_effort effort, struct err *e);

/* The same from byte `from` on; on a match [*start, *end) is where. */
int regex_find(struct regex *re, struct regex_scratch *s, str subject,
               size_t from, size_t *start, size_t *end, struct err *e);

/* Rewrites an ECMAScript pattern in PCRE2's syntax. */
int regex_translate(str pattern, struct buf *out, struct err *e);

#endif
