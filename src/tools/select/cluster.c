/* SPDX-License-Identifier: MIT */
#include "tools/select/cluster.h"

#include <math.h>

#include "base/mem.h"

#define ROUNDS   12
#define SMALLEST 8 /* tools that make one more cluster worth while */

struct clusters {
    struct corpus *ix;
    size_t count;
    uint32_t *docs; /* the documents to be sorted */
    uint32_t *of;   /* cluster of each of them */
    size_t doc_count;
    float centre[CLUSTERS][VECTOR_DIMS];
};

static bool needs_cluster(const struct doc *d) {
    return !d->dead && d->category == CORPUS_NONE && d->vector_scale > 0;
}

static float towards(const struct clusters *c, size_t k, uint32_t doc) {
    const int8_t *row = pool_at(&c->ix->rows, doc);
    float sum = 0;
    for (size_t d = 0; d < VECTOR_DIMS; d++)
        sum += c->centre[k][d] * (float)row[d];
    return sum;
}

static void set_centre(struct clusters *c, size_t k, uint32_t doc) {
    const int8_t *row = pool_at(&c->ix->rows, doc);
    float by = corpus_doc(c->ix, doc)->vector_scale;
    for (size_t d = 0; d < VECTOR_DIMS; d++)
        c->centre[k][d] = (float)row[d] * by;
}

/* Each start is the document that the starts so far are farthest from. */
static void choose_starts(struct clusters *c) {
    set_centre(c, 0, c->docs[0]);
    for (size_t k = 1; k < c->count; k++) {
        size_t farthest = 0;
        float least = INFINITY;
        for (size_t i = 0; i < c->doc_count; i++) {
            float near = -INFINITY;
            for (size_t j = 0; j < k; j++)
                near = fmaxf(near,
                             towards(c, j, c->docs[i]) *
                                 corpus_doc(c->ix, c->docs[i])->vector_scale);
            if (near >= least) continue;
            least = near;
            farthest = i;
        }
        set_centre(c, k, c->docs[farthest]);
    }
}

static bool assign(struct clusters *c) {
    bool changed = false;
    for (size_t i = 0; i < c->doc_count; i++) {
        uint32_t best = 0;
        float most = -INFINITY;
        for (uint32_t k = 0; k < c->count; k++) {
            float near = towards(c, k, c->docs[i]);
            if (near <= most) continue;
            most = near;
            best = k;
        }
        changed |= c->of[i] != best;
        c->of[i] = best;
    }
    return changed;
}

/* The mean direction of a cluster's documents; an empty one stays. */
static void move_centres(struct clusters *c) {
    for (size_t k = 0; k < c->count; k++) {
        float sum[VECTOR_DIMS] = {0}, square = 0;
        for (size_t i = 0; i < c->doc_count; i++) {
            if (c->of[i] != k) continue;
            const int8_t *row = pool_at(&c->ix->rows, c->docs[i]);
            float by = corpus_doc(c->ix, c->docs[i])->vector_scale;
            for (size_t d = 0; d < VECTOR_DIMS; d++)
                sum[d] += (float)row[d] * by;
        }
        for (size_t d = 0; d < VECTOR_DIMS; d++)
            square += sum[d] * sum[d];
        if (!(square > 0)) continue;
        float by = 1.0f / sqrtf(square);
        for (size_t d = 0; d < VECTOR_DIMS; d++)
            c->centre[k][d] = sum[d] * by;
    }
}

static size_t suggested(size_t docs) {
    size_t n = (size_t)sqrt((double)docs / 2.0);
    if (n > docs / SMALLEST) n = docs / SMALLEST;
    return n > CLUSTERS ? CLUSTERS : n;
}

static void sort_documents(struct clusters *c) {
    struct corpus *ix = c->ix;
    choose_starts(c);
    for (size_t r = 0; r < ROUNDS && assign(c); r++)
        move_centres(c);
    for (size_t i = 0; i < c->doc_count; i++)
        corpus_doc(ix, c->docs[i])->cluster = (uint8_t)(c->of[i] + 1);
    ix->changes++;
}

int cluster_tools(struct corpus *ix, size_t count, struct err *e) {
    AUTO_MEM uint32_t *docs = mem_alloc((ix->docs.count + 1) * 4, e);
    AUTO_MEM uint32_t *of = mem_zalloc(ix->docs.count + 1, 4, e);
    AUTO_MEM struct clusters *c = mem_zalloc(1, sizeof *c, e);
    if (!docs || !of || !c) return -1;
    c->ix = ix;
    c->docs = docs;
    c->of = of;
    for (uint32_t i = 0; i < ix->docs.count; i++)
        if (needs_cluster(corpus_doc(ix, i))) docs[c->doc_count++] = i;
    c->count = count > 0 ? count : suggested(c->doc_count);
    if (c->count > CLUSTERS) c->count = CLUSTERS;
    if (c->count > c->doc_count) c->count = c->doc_count;
    if (c->count > 0) sort_documents(c);
    return 0;
}
