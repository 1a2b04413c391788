/* SPDX-License-Identifier: MIT
 *
 * tokenise -- text to index terms, one at a time, without allocating.
 *
 * A term is a lower-case stem. Identifiers are split at case changes, digits
 * and punctuation ("getHTTPStatus2" -> get http status 2), compatibility forms
 * and accents are folded, invisible characters vanish, stop words are left
 * out. Chinese, Japanese and Korean runs give every character and every pair
 * of neighbours. Bytes that are not UTF-8 separate words and do no harm.
 *
 *   struct tokens t = TOKENS(text);
 *   while (tokens_next(&t)) use(tokens_term(&t));
 */
#ifndef CORDON_TOOLS_SELECT_TOKENISE_H
#define CORDON_TOOLS_SELECT_TOKENISE_H

#include "base/str.h"

#define TERM_MAX 40 /* bytes of a term; longer words are cut */

struct tokens {
    str text;
    size_t at;           /* next unread byte */
    size_t start, end;   /* source bytes of the current term */
    size_t len;          /* bytes of the current term */
    char term[TERM_MAX]; /* the current term, no NUL */
    bool pair;           /* a CJK character was given, its pair comes next */
    bool words;          /* the caller wants stop words and unstemmed words */
};

#define TOKENS(text_) ((struct tokens){.text = (text_)})
/* Plain lower-case words: not stemmed, stop words included. */
#define TOKENS_PLAIN(text_) ((struct tokens){.text = (text_), .words = true})

bool tokens_next(struct tokens *t);

static inline str tokens_term(const struct tokens *t) {
    return (str){t->term, t->len};
}

/* Is this lower-case word one that says nothing about a tool? */
bool token_is_stop(str word);

/* The next sentence or clause of *rest ("find flights, and then book one" has
 * two), trimmed; false at the end. Full stops inside names, numbers and
 * abbreviations do not end a sentence. */
bool token_clause(str *rest, str *clause);

/* As token_clause, for whole sentences only. */
bool token_sentence(str *rest, str *sentence);

#endif
