/* SPDX-License-Identifier: MIT
 *
 * pattern_plain -- patterns that never go back, matched without PCRE2.
 *
 * Most patterns in programs are a row of sets of characters, each repeated or
 * not: \w+, (\d{4})-(\d\d), \s*,\s*. Where nothing that a repetition takes can
 * begin what follows it, to take all there is is the only way to match, and a
 * match takes time in proportion to its text. Such patterns are run here on
 * ASCII texts; all others are PCRE2's.
 */
#ifndef CORDON_VM_PATTERN_PLAIN_H
#define CORDON_VM_PATTERN_PLAIN_H

#include "vm/pattern.h"

enum { PLAIN_GROUPS = 9 };

struct plain;

/* Of a text that PCRE2 compiled. NULL: not one of these, or no memory. */
struct plain *plain_new(str source, unsigned flags);
void plain_free(struct plain *p);

/* As pattern_run() on the bytes of an ASCII text; spans has room for
 * PLAIN_GROUPS and the whole. */
int plain_run(const struct plain *p, struct vm *vm, str text, size_t from,
              enum pattern_mode mode, size_t *spans);

#endif
