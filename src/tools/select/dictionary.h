/* SPDX-License-Identifier: MIT
 *
 * dictionary -- keys to terms, and terms to their postings, inside an index.
 *
 * The hash is keyed with random bytes of the index, so that a catalogue cannot
 * be written to make lookups slow.
 */
#ifndef CORDON_TOOLS_SELECT_DICTIONARY_H
#define CORDON_TOOLS_SELECT_DICTIONARY_H

#include "tools/select/corpus.h"

#define DICTIONARY_KEY 256 /* bytes of a key's text at most */

/* The term's number, new or known. text has at most DICTIONARY_KEY bytes. */
int dictionary_add(struct corpus *ix, enum space space, str text,
                   uint32_t *term, struct err *e);

/* Appends to a term's postings. Documents come in ascending order. */
int dictionary_post(struct corpus *ix, uint32_t term, struct posting p,
                    struct err *e);

/* The word of a SPACE_WORD term. */
str dictionary_text(const struct corpus *ix, const struct term *t);

/* What tells at a glance that two words differ: a set of the pairs of letters
 * in it, above that its first letter, above that its length. */
#define SIGN_PAIRS  48
#define SIGN_LENGTH 56
uint64_t dictionary_sign(str word);

#endif
