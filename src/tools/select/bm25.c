/* SPDX-License-Identifier: MIT */
#include "tools/select/bm25.h"

#include <math.h>

void bm25_norms(const struct corpus *ix, float *norm) {
    float k1 = ix->weights.w[WEIGHT_K1], b = ix->weights.w[WEIGHT_B];
    double mean = ix->live > 0 ? ix->length / (double)ix->live : 1.0;
    float by = (float)(mean > 0 ? 1.0 / mean : 1.0);
    for (size_t i = 0; i < ix->docs.count; i++) {
        const struct doc *d = corpus_doc(ix, i);
        norm[i] = d->dead ? INFINITY : k1 * (1.0f - b + b * d->length * by);
    }
}

static size_t add_term(const struct corpus *ix, const struct query_term *t,
                       const float *norm, float *out, uint32_t *hit,
                       size_t hits) {
    const struct posting *p = corpus_postings(ix, t->term);
    float gain = t->idf * t->weight * (ix->weights.w[WEIGHT_K1] + 1.0f);
    for (size_t i = 0; i < t->term->count; i++) {
        uint32_t doc = p[i].doc;
        float score = gain * p[i].weight / (p[i].weight + norm[doc]);
        if (!(score > 0)) continue;
        if (hit && !(out[doc] > 0)) hit[hits++] = doc;
        out[doc] += score;
    }
    return hits;
}

size_t bm25_add(const struct corpus *ix, const struct query *q,
                const struct query_clause *clause, const float *norm,
                float *out, uint32_t *hit) {
    size_t hits = 0;
    for (size_t i = 0; i < q->term_count; i++) {
        if (!q->terms[i].term || (clause && !clause_has(clause, i))) continue;
        hits = add_term(ix, &q->terms[i], norm, out, hit, hits);
    }
    return hits;
}
