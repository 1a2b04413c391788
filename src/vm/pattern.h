/* SPDX-License-Identifier: MIT
 *
 * pattern -- regular expressions of Python on PCRE2, bounded, with a cache.
 *
 * A pattern is text and flags; what PCRE2 makes of it is kept outside the heap,
 * only as a cache: a restored run compiles again. Matching has limits in
 * proportion to the text; reaching one raises.
 */
#ifndef CORDON_VM_PATTERN_H
#define CORDON_VM_PATTERN_H

#include "vm/vm.h"

/* As Python numbers them. */
enum pattern_flags {
    PATTERN_IGNORECASE = 2,
    PATTERN_MULTILINE = 8,
    PATTERN_DOTALL = 16,
    PATTERN_VERBOSE = 64,
    PATTERN_ASCII = 256,
};

enum pattern_mode {
    PATTERN_SEARCH,
    PATTERN_MATCH,
    PATTERN_FULLMATCH,
    PATTERN_NOT_EMPTY, /* as MATCH, but not the empty text */
};

/* Why a text is not a pattern. */
struct pattern_fault {
    char text[160];
    size_t at; /* code point, or PATTERN_NOWHERE */
};
#define PATTERN_NOWHERE SIZE_MAX

struct pattern; /* compiled; borrowed until the next pattern_get */

/* NULL: *fault is filled, or an exception is raised (memory). */
struct pattern *pattern_get(struct vm *vm, val text, unsigned flags,
                            struct pattern_fault *fault);

unsigned pattern_groups(const struct pattern *p);

/* A dict of group names and numbers. */
val pattern_names(struct vm *vm, const struct pattern *p);

/* Looks between two byte offsets of a str. 1: spans holds two byte offsets a
 * group, group 0 first, (size_t)-1 for groups that took no part; 0: no match;
 * -1: a limit was raised. */
int pattern_run(struct vm *vm, struct pattern *p, val text, size_t from,
                size_t to, enum pattern_mode mode, const size_t **spans);

void pattern_cache_free(struct vm *vm);

/* Rewrites Python's syntax in PCRE2's. */
int pattern_translate(str text, unsigned flags, struct buf *out,
                      struct pattern_fault *fault, struct err *e);

/* Fills *f for PCRE2's error `why` at byte `where` of the pattern. */
void pattern_explain(struct pattern_fault *f, str s, int why, size_t where);

#endif
