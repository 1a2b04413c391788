/* SPDX-License-Identifier: MIT
 *
 * stem -- English words to their stems ("running", "runs" -> "run").
 *
 * The algorithm is the published English (Porter 2) one of the Snowball
 * family. Words that are not plain lower-case ASCII letters are left alone, so
 * that other languages pass through unharmed.
 */
#ifndef CORDON_TOOLS_SELECT_STEM_H
#define CORDON_TOOLS_SELECT_STEM_H

#include <stddef.h>

/* Stems word[0..len) in place and returns the new length. A stem is never
 * longer than its word. */
size_t stem_english(char *word, size_t len);

#endif
