/* SPDX-License-Identifier: MIT
 *
 * bm25 -- BM25F: rare words of the request, weighted by where a tool has them.
 */
#ifndef CORDON_TOOLS_SELECT_BM25_H
#define CORDON_TOOLS_SELECT_BM25_H

#include "tools/select/query.h"

/* Length norms of all documents, for bm25_add; infinite for the dead, which
 * therefore score nothing. */
void bm25_norms(const struct corpus *ix, float *norm);

/* Adds the score of the request's terms (of one clause, if given) to
 * out[document]. hit (may be NULL) gets the documents whose score was zero
 * before; returns how many. */
size_t bm25_add(const struct corpus *ix, const struct query *q,
                const struct query_clause *clause, const float *norm,
                float *out, uint32_t *hit);

#endif
