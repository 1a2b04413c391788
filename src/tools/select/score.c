/* SPDX-License-Identifier: MIT */
#include "tools/select/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/select/bm25.h"
#include "tools/select/tokenise.h"

struct scorer *scorer_new(struct err *e) {
    return mem_zalloc(1, sizeof(struct scorer), e);
}

static void free_arrays(struct scorer *s) {
    void *arrays[] = {s->words, s->clause, s->one, s->total,
                      s->norm,  s->dots,   s->hit, s->group};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        mem_free(arrays[i]);
    s->words = s->clause = s->one = s->total = s->norm = s->group = NULL;
    s->dots = NULL;
    s->hit = NULL;
    s->docs = s->groups = 0;
}

void scorer_free(struct scorer *s) {
    if (!s) return;
    free_arrays(s);
    mem_free(s);
}

static int make_room(struct scorer *s, const struct corpus *ix, struct err *e) {
    size_t groups = ix->servers > ix->categories ? ix->servers : ix->categories;
    if (ix->docs.count <= s->docs && groups <= s->groups) return 0;
    size_t docs = ix->docs.count + ix->docs.count / 4 + 64;
    groups += groups / 4 + 16;
    free_arrays(s);
    s->words = mem_zalloc(docs, sizeof *s->words, e);
    s->clause = mem_zalloc(docs, sizeof *s->clause, e);
    s->one = mem_zalloc(docs, sizeof *s->one, e);
    s->total = mem_zalloc(docs, sizeof *s->total, e);
    s->norm = mem_zalloc(docs, sizeof *s->norm, e);
    s->dots = mem_zalloc(docs, sizeof *s->dots, e);
    s->hit = mem_zalloc(docs, sizeof *s->hit, e);
    s->group = mem_zalloc(groups, sizeof *s->group, e);
    if (!s->words || !s->clause || !s->one || !s->total || !s->norm ||
        !s->dots || !s->hit || !s->group) {
        free_arrays(s);
        return -1;
    }
    s->docs = docs;
    s->groups = groups;
    s->normed_at = 0;
    return 0;
}

static void refresh_norms(struct scorer *s, const struct corpus *ix) {
    if (s->normed_at == ix->changes + 1) return;
    bm25_norms(ix, s->norm);
    s->normed_at = ix->changes + 1;
}

static float top_of(const float *v, size_t n) {
    float top = 0;
    for (size_t i = 0; i < n; i++)
        top = v[i] > top ? v[i] : top;
    return top;
}

/* ---- first stage ---- */

/* The whole request into words, the best clause into clause, both scaled by
 * their maximum, so that each clause counts alike. */
static void score_words(struct scorer *s, const struct corpus *ix,
                        const struct query *q) {
    size_t n = ix->docs.count;
    memset(s->words, 0, n * sizeof *s->words);
    bm25_add(ix, q, NULL, s->norm, s->words, NULL);
    float top = top_of(s->words, n), by = top > 0 ? 1.0f / top : 0;
    for (size_t i = 0; i < n; i++)
        s->words[i] *= by;
    if (q->clause_count == 1) return;
    memset(s->clause, 0, n * sizeof *s->clause);
    for (size_t c = 0; c < q->clause_count; c++) {
        size_t hits = bm25_add(ix, q, &q->clauses[c], s->norm, s->one, s->hit);
        top = 0;
        for (size_t i = 0; i < hits; i++)
            top = fmaxf(top, s->one[s->hit[i]]);
        by = top > 0 ? 1.0f / top : 0;
        for (size_t i = 0; i < hits; i++) {
            uint32_t doc = s->hit[i];
            s->clause[doc] = fmaxf(s->clause[doc], s->one[doc] * by);
            s->one[doc] = 0;
        }
    }
}

static const float *clause_words(const struct scorer *s,
                                 const struct query *q) {
    return q->clause_count == 1 ? s->words : s->clause;
}

static float pack_terms(const struct corpus *ix, const struct query *q,
                        const struct query_clause *clause,
                        int8_t out[VECTOR_DIMS]) {
    float acc[VECTOR_DIMS] = {0};
    if (!ix->table) return 0;
    for (size_t i = 0; i < q->term_count; i++)
        if (q->terms[i].row >= 0 && (!clause || clause_has(clause, i)))
            vectors_add(ix->table, q->terms[i].row, q->terms[i].weight, acc);
    return vector_pack(acc, out);
}

/* Cosines of the whole request into one, as they are; returns how to scale
 * them to 0..1: (cosine - low) * by. */
struct scale {
    float low, by;
};

static struct scale score_vectors(struct scorer *s, const struct corpus *ix,
                                  const struct query *q) {
    size_t n = ix->docs.count;
    int8_t packed[VECTOR_DIMS];
    float unit = pack_terms(ix, q, NULL, packed), low = 1, high = -1;
    if (!(unit > 0)) {
        memset(s->one, 0, n * sizeof *s->one);
        return (struct scale){0, 0};
    }
    vectors_scan(ix->rows.items, n, packed, 1, s->dots);
    for (size_t i = 0; i < n; i++) {
        const struct doc *d = corpus_doc(ix, i);
        float cosine = (float)s->dots[i] * unit * d->vector_scale;
        s->one[i] = cosine;
        if (d->dead) continue;
        low = cosine < low ? cosine : low;
        high = cosine > high ? cosine : high;
    }
    return (struct scale){low, high > low ? 1.0f / (high - low) : 0};
}

static struct scale scale_remote(const struct corpus *ix, const float *remote) {
    float low = 1, high = -1;
    for (size_t i = 0; i < ix->docs.count; i++) {
        if (corpus_doc(ix, i)->dead) continue;
        low = fminf(low, remote[i]);
        high = fmaxf(high, remote[i]);
    }
    return (struct scale){low, high > low ? 1.0f / (high - low) : 0};
}

/* What a tool's neighbours lend it: a share of the best among them. One that
 * has none borrows from itself, so that it is not at a disadvantage. */
static void lend(struct scorer *s, const struct corpus *ix, size_t groups,
                 bool by_server, float share) {
    if (!(share > 0)) return;
    memset(s->group, 0, groups * sizeof *s->group);
    for (size_t i = 0; i < ix->docs.count; i++) {
        const struct doc *d = corpus_doc(ix, i);
        uint32_t g = by_server ? d->server : d->category;
        if (g != CORPUS_NONE && !d->dead && s->total[i] > s->group[g])
            s->group[g] = s->total[i];
    }
    for (size_t i = 0; i < ix->docs.count; i++) {
        const struct doc *d = corpus_doc(ix, i);
        uint32_t g = by_server ? d->server : d->category;
        s->total[i] += share * (g == CORPUS_NONE ? s->total[i] : s->group[g]);
    }
}

static void first_stage(struct scorer *s, const struct corpus *ix,
                        const struct query *q, const float *remote,
                        struct scale *vector, struct scale *far) {
    const float *w = ix->weights.w;
    score_words(s, ix, q);
    *vector = score_vectors(s, ix, q);
    const float *clause = clause_words(s, q);
    float low = vector->low, by = vector->by * w[WEIGHT_VECTOR];
    for (size_t i = 0; i < ix->docs.count; i++)
        s->total[i] = w[WEIGHT_WORDS] * s->words[i] +
                      w[WEIGHT_CLAUSE_WORDS] * clause[i] +
                      (s->one[i] - low) * by;
    if (remote) {
        *far = scale_remote(ix, remote);
        for (size_t i = 0; i < ix->docs.count; i++)
            s->total[i] += w[WEIGHT_REMOTE] * (remote[i] - far->low) * far->by;
    }
    lend(s, ix, ix->servers, true, w[WEIGHT_SERVER]);
    lend(s, ix, ix->categories, false, w[WEIGHT_ROUTE]);
}

/* ---- candidates ---- */

/* Worse first, for a heap whose root is the worst; ties go to the earlier
 * document, so that the order never depends on chance. */
static bool is_worse(const struct candidate *a, const struct candidate *b) {
    if (a->score != b->score) return a->score < b->score;
    return a->doc > b->doc;
}

static int by_score(const void *a, const void *b) {
    return is_worse(a, b) ? 1 : -1;
}

static void sift_down(struct candidate *heap, size_t n, size_t i) {
    for (;;) {
        size_t worst = i, left = 2 * i + 1, right = left + 1;
        if (left < n && is_worse(&heap[left], &heap[worst])) worst = left;
        if (right < n && is_worse(&heap[right], &heap[worst])) worst = right;
        if (worst == i) return;
        struct candidate t = heap[i];
        heap[i] = heap[worst];
        heap[worst] = t;
        i = worst;
    }
}

static void heap_add(struct candidate *heap, size_t *n, size_t max,
                     struct candidate c) {
    if (*n == max) {
        heap[0] = c;
        sift_down(heap, *n, 0);
        return;
    }
    size_t i = (*n)++;
    heap[i] = c;
    while (i > 0 && is_worse(&heap[i], &heap[(i - 1) / 2])) {
        struct candidate t = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = t;
        i = (i - 1) / 2;
    }
}

/* The best documents of servers that are not yet full into pool[from..]. */
static void collect(struct scorer *s, const struct corpus *ix, size_t from,
                    score_filter *filter, void *context) {
    struct candidate *heap = s->pool + from;
    size_t n = 0, max = SCORE_POOL - from;
    for (uint32_t i = 0; i < ix->docs.count; i++) {
        float score = s->total[i];
        if (n == max && score <= heap[0].score) continue;
        const struct doc *d = corpus_doc(ix, i);
        if (d->dead || (d->server != CORPUS_NONE && s->group[d->server] < 0))
            continue;
        if (filter && !filter(context, i)) continue;
        heap_add(heap, &n, max, (struct candidate){.doc = i, .score = score});
    }
    qsort(heap, n, sizeof *heap, by_score);
    s->pool_count = from + n;
}

/* Keeps at most SCORE_SERVER of a server, from `from` on; a server that had
 * more is full (-1 in group). Returns whether any became full. */
static bool cap_servers(struct scorer *s, const struct corpus *ix,
                        size_t from) {
    size_t kept = from;
    bool full = false;
    for (size_t i = from; i < s->pool_count; i++) {
        uint32_t g = corpus_doc(ix, s->pool[i].doc)->server;
        if (g != CORPUS_NONE && s->group[g] < 0) continue;
        if (g != CORPUS_NONE && ++s->group[g] > SCORE_SERVER) {
            s->group[g] = -1;
            full = true;
            continue;
        }
        s->pool[kept++] = s->pool[i];
    }
    s->pool_count = kept;
    return full;
}

/* A server with thousands of tools, or of copies of one, fills only its share;
 * what it would have taken goes to the others. */
static void gather(struct scorer *s, const struct corpus *ix,
                   score_filter *filter, void *context) {
    memset(s->group, 0, ix->servers * sizeof *s->group);
    size_t from = 0;
    do {
        collect(s, ix, from, filter, context);
        if (!cap_servers(s, ix, from)) return;
        from = s->pool_count;
    } while (from < SCORE_POOL);
}

/* ---- second stage ---- */

static void best_clause_cosine(struct scorer *s, const struct corpus *ix,
                               const struct query *q) {
    for (size_t c = 0; c < q->clause_count; c++) {
        int8_t packed[VECTOR_DIMS];
        float cosine[SCORE_POOL], top = 0;
        float unit = pack_terms(ix, q, &q->clauses[c], packed);
        if (!(unit > 0)) continue;
        for (size_t i = 0; i < s->pool_count; i++) {
            uint32_t doc = s->pool[i].doc;
            int32_t dot;
            vectors_scan(pool_at(&ix->rows, doc), 1, packed, 1, &dot);
            cosine[i] = (float)dot * unit * corpus_doc(ix, doc)->vector_scale;
            top = fmaxf(top, cosine[i]);
        }
        for (size_t i = 0; i < s->pool_count && top > 0; i++) {
            float *best = &s->pool[i].parts.clause_vector;
            *best = fmaxf(*best, cosine[i] / top);
        }
    }
}

static void gram_cosine(struct scorer *s, const struct corpus *ix,
                        const struct query *q) {
    struct tokens t = TOKENS(q->text);
    while (tokens_next(&t))
        ngram_query_add(&s->grams, ix, tokens_term(&t));
    float top = 0;
    for (size_t i = 0; i < s->pool_count; i++) {
        float score = ngram_score(&s->grams, ix, s->pool[i].doc);
        s->pool[i].parts.gram = score;
        top = fmaxf(top, score);
    }
    for (size_t i = 0; i < s->pool_count && top > 0; i++)
        s->pool[i].parts.gram /= top;
    ngram_query_reset(&s->grams);
}

/* What the first stage gave each candidate, for the explanation. */
static void fill_parts(struct scorer *s, const struct corpus *ix,
                       const struct query *q, const float *remote,
                       struct scale vector, struct scale far) {
    const float *w = ix->weights.w, *clause = clause_words(s, q);
    for (size_t i = 0; i < s->pool_count; i++) {
        uint32_t doc = s->pool[i].doc;
        struct parts *p = &s->pool[i].parts;
        p->words = s->words[doc];
        p->clause_words = clause[doc];
        p->cosine = s->one[doc];
        p->vector = (s->one[doc] - vector.low) * vector.by;
        if (remote) p->remote = (remote[doc] - far.low) * far.by;
        p->lent = s->pool[i].score - w[WEIGHT_WORDS] * p->words -
                  w[WEIGHT_CLAUSE_WORDS] * p->clause_words -
                  w[WEIGHT_VECTOR] * p->vector - w[WEIGHT_REMOTE] * p->remote;
    }
}

static void second_stage(struct scorer *s, const struct corpus *ix,
                         const struct query *q) {
    const float *w = ix->weights.w;
    if (w[WEIGHT_CLAUSE_VECTOR] > 0) best_clause_cosine(s, ix, q);
    if (w[WEIGHT_GRAM] > 0) gram_cosine(s, ix, q);
    for (size_t i = 0; i < s->pool_count; i++)
        s->pool[i].score +=
            w[WEIGHT_CLAUSE_VECTOR] * s->pool[i].parts.clause_vector +
            w[WEIGHT_GRAM] * s->pool[i].parts.gram;
    qsort(s->pool, s->pool_count, sizeof s->pool[0], by_score);
}

int score_all(struct scorer *s, struct corpus *ix, const struct query *q,
              const float *remote, score_filter *filter, void *context,
              struct err *e) {
    if (make_room(s, ix, e)) return -1;
    struct scale vector = {0}, far = {0};
    ngram_settle(ix);
    refresh_norms(s, ix);
    first_stage(s, ix, q, remote, &vector, &far);
    gather(s, ix, filter, context);
    fill_parts(s, ix, q, remote, vector, far);
    second_stage(s, ix, q);
    memset(s->one, 0, ix->docs.count * sizeof *s->one);
    return 0;
}
