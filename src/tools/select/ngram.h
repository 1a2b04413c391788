/* SPDX-License-Identifier: MIT
 *
 * ngram -- texts compared by the letters of their words, four at a time.
 *
 * Catches what stems miss: compounds, other endings, spellings. A document
 * keeps its n-grams hashed to 16 bits; only the best candidates of a request
 * are compared, so there are no postings for them. Misspelt words of a request
 * are looked up in the dictionary by the same idea.
 */
#ifndef CORDON_TOOLS_SELECT_NGRAM_H
#define CORDON_TOOLS_SELECT_NGRAM_H

#include "tools/select/corpus.h"

/* The scratch that documents are collected in: made when one comes, and let go
 * of when no more are expected. */
int ngram_scratch(struct corpus *ix, struct err *e);
void ngram_release(struct corpus *ix);

/* Collects the n-grams of one document, word by word; ngram_write stores
 * them with the document, ngram_reset forgets them. */
void ngram_add(struct corpus *ix, str word, float weight);
int ngram_write(struct corpus *ix, uint32_t doc, struct err *e);
void ngram_reset(struct corpus *ix);

/* Brings the documents' norms up to date when many came or went. */
void ngram_settle(struct corpus *ix);

/* A request's n-grams: weight by hash, and which hashes have one. */
struct ngram_query {
    float weight[GRAM_HASHES];
    uint64_t has[GRAM_HASHES / 64];
    uint16_t used[1024];
    size_t used_count;
};

void ngram_query_add(struct ngram_query *q, const struct corpus *ix, str word);
void ngram_query_reset(struct ngram_query *q); /* all zero again */

/* Cosine up to a factor that is the same for all documents. */
float ngram_score(const struct ngram_query *q, const struct corpus *ix,
                  uint32_t doc);

/* The word of the dictionary that an unknown word most resembles, or NULL
 * when none does; *likeness is then in 0..1. */
const struct term *ngram_nearest(const struct corpus *ix, str word,
                                 float *likeness);

#endif
