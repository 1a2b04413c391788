/* SPDX-License-Identifier: MIT */
#include "tools/select/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/select/bm25.h"
#include "tools/select/tokenise.h"

#define LANES 8

struct scorer *scorer_new(struct err *e) {
    return mem_zalloc(1, sizeof(struct scorer), e);
}

static void free_arrays(struct scorer *s) {
    void **arrays[] = {
        (void **)&s->norm,     (void **)&s->scale,  (void **)&s->server,
        (void **)&s->category, (void **)&s->words,  (void **)&s->clause,
        (void **)&s->one,      (void **)&s->cosine, (void **)&s->total,
        (void **)&s->dots,     (void **)&s->hit,    (void **)&s->group,
        (void **)&s->runs};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        mem_free(*arrays[i]);
        *arrays[i] = NULL;
    }
    s->docs = s->groups = 0;
    s->seen = 0;
}

void scorer_free(struct scorer *s) {
    if (!s) return;
    free_arrays(s);
    mem_free(s);
}

static int allocate(struct scorer *s, size_t docs, size_t groups,
                    struct err *e) {
    s->norm = mem_zalloc(docs, sizeof *s->norm, e);
    s->scale = mem_zalloc(docs, sizeof *s->scale, e);
    s->server = mem_zalloc(docs, sizeof *s->server, e);
    s->category = mem_zalloc(docs, sizeof *s->category, e);
    s->words = mem_zalloc(docs, sizeof *s->words, e);
    s->clause = mem_zalloc(docs, sizeof *s->clause, e);
    s->one = mem_zalloc(docs, sizeof *s->one, e);
    s->cosine = mem_zalloc(docs, sizeof *s->cosine, e);
    s->total = mem_zalloc(docs, sizeof *s->total, e);
    s->dots = mem_zalloc(docs, sizeof *s->dots, e);
    s->hit = mem_zalloc(docs, sizeof *s->hit, e);
    s->runs = mem_zalloc(docs, sizeof *s->runs, e);
    s->group = mem_zalloc(groups, sizeof *s->group, e);
    if (!s->norm || !s->scale || !s->server || !s->category || !s->words ||
        !s->clause || !s->one || !s->cosine || !s->total || !s->dots ||
        !s->hit || !s->group || !s->runs)
        return -1;
    s->docs = docs;
    s->groups = groups;
    return 0;
}

/* A document without a group is a group of its own: room for those, too. */
static int make_room(struct scorer *s, const struct corpus *ix, struct err *e) {
    size_t kinds = ix->categories + CLUSTERS;
    size_t groups = ix->servers > kinds ? ix->servers : kinds;
    groups += ix->docs.count;
    if (ix->docs.count <= s->docs && groups <= s->groups) return 0;
    free_arrays(s);
    if (allocate(s, ix->docs.count + ix->docs.count / 4 + LANES + 64,
                 groups + groups / 4 + 16, e) == 0)
        return 0;
    free_arrays(s);
    return -1;
}

/* Declared categories first, then clusters, then everyone for itself. */
static uint32_t category_of(const struct corpus *ix, const struct doc *d,
                            uint32_t number) {
    uint32_t declared = (uint32_t)ix->categories;
    if (!d->dead && d->category != CORPUS_NONE) return d->category;
    if (!d->dead && d->cluster > 0) return declared + d->cluster - 1u;
    return declared + CLUSTERS + number;
}

static uint32_t server_of(const struct corpus *ix, const struct doc *d,
                          uint32_t number) {
    if (!d->dead && d->server != CORPUS_NONE) return d->server;
    return (uint32_t)ix->servers + number;
}

/* Documents of a server mostly lie together; what is done for each server is
 * done run by run. */
static void find_runs(struct scorer *s, size_t docs) {
    s->run_count = 0;
    for (uint32_t i = 0; i < docs; i++) {
        if (i == 0 || s->server[i] != s->server[i - 1])
            s->runs[s->run_count++] =
                (struct score_run){.start = i, .server = s->server[i]};
        s->runs[s->run_count - 1].end = i + 1;
    }
}

/* The dead have no words, no vector and no neighbours: they score nothing. */
static void refresh(struct scorer *s, const struct corpus *ix) {
    if (s->seen == ix->changes + 1) return;
    bm25_norms(ix, s->norm);
    for (uint32_t i = 0; i < ix->docs.count; i++) {
        const struct doc *d = corpus_doc(ix, i);
        s->scale[i] = d->dead ? 0 : d->vector_scale;
        s->server[i] = server_of(ix, d, i);
        s->category[i] = category_of(ix, d, i);
    }
    memset(s->scale + ix->docs.count, 0, LANES * sizeof *s->scale);
    s->servers = ix->servers;
    find_runs(s, ix->docs.count);
    s->seen = ix->changes + 1;
}

/* Loops over all documents. The arrays have room for LANES more, so that a
 * loop may run in whole lanes, for which compilers use wide registers. */

static void make_cosines(float *restrict out, const int32_t *restrict dots,
                         const float *restrict scale, float unit, size_t n) {
    for (size_t i = 0; i < n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            out[i + k] = (float)dots[i + k] * unit * scale[i + k];
}

static void add_three(float *restrict out, const float *restrict words, float a,
                      const float *restrict clause, float b,
                      const float *restrict cosine, float c, size_t n) {
    for (size_t i = 0; i < n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            out[i + k] =
                a * words[i + k] + b * clause[i + k] + c * cosine[i + k];
}

static float top_of(const float *v, size_t n) {
    float top[LANES] = {0}, best = 0;
    for (size_t i = 0; i < n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            top[k] = v[i + k] > top[k] ? v[i + k] : top[k];
    for (size_t k = 0; k < LANES; k++)
        best = top[k] > best ? top[k] : best;
    return best;
}

static float share_of(float top) {
    return top > 0 ? 1.0f / top : 0;
}

/* ---- first stage ---- */

/* The whole request into words; returns what scales the best of them to 1. */
static float score_whole(struct scorer *s, const struct corpus *ix,
                         const struct query *q) {
    size_t n = ix->docs.count;
    memset(s->words, 0, (n + LANES) * sizeof *s->words);
    bm25_add(ix, q, NULL, s->norm, s->words, NULL);
    return share_of(top_of(s->words, n));
}

/* The best clause into clause, each scaled by its maximum, so that each counts
 * alike. */
static void score_clauses(struct scorer *s, const struct corpus *ix,
                          const struct query *q) {
    if (q->clause_count == 1) return;
    memset(s->clause, 0, ix->docs.count * sizeof *s->clause);
    for (size_t c = 0; c < q->clause_count; c++) {
        size_t hits = bm25_add(ix, q, &q->clauses[c], s->norm, s->one, s->hit);
        float top = 0;
        for (size_t i = 0; i < hits; i++)
            top = s->one[s->hit[i]] > top ? s->one[s->hit[i]] : top;
        float by = share_of(top);
        for (size_t i = 0; i < hits; i++) {
            uint32_t doc = s->hit[i];
            float score = s->one[doc] * by;
            if (score > s->clause[doc]) s->clause[doc] = score;
            s->one[doc] = 0;
        }
    }
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

/* How the measures were scaled, to tell later what each gave. */
struct scales {
    float words, clause, vector, remote;
    const float *clause_words;
};

/* Cosines of the whole request; returns what scales the best of them to 1. */
static float score_vectors(struct scorer *s, const struct corpus *ix,
                           const struct query *q) {
    size_t n = ix->docs.count;
    int8_t packed[VECTOR_DIMS];
    float unit = pack_terms(ix, q, NULL, packed);
    if (!(unit > 0)) {
        memset(s->cosine, 0, (n + LANES) * sizeof *s->cosine);
        return 0;
    }
    vectors_scan(ix->rows.items, n, packed, s->dots);
    make_cosines(s->cosine, s->dots, s->scale, unit, n);
    return share_of(top_of(s->cosine, n));
}

static float scale_remote(const struct corpus *ix, const float *remote) {
    float top = 0;
    for (size_t i = 0; i < ix->docs.count; i++)
        if (!corpus_doc(ix, i)->dead && remote[i] > top) top = remote[i];
    return share_of(top);
}

static float top_of_run(const float *total, const struct score_run *run) {
    float top = 0;
    for (uint32_t i = run->start; i < run->end; i++)
        top = total[i] > top ? total[i] : top;
    return top;
}

/* What a tool's neighbours lend it: a share of the best among them. One that
 * has none borrows from itself, so that it is not at a disadvantage. It is
 * kept with the run, not added to each document: most are never looked at
 * again. */
static void lend_by_server(struct scorer *s, float share) {
    float *restrict best = s->group;
    memset(best, 0, s->servers * sizeof *best);
    for (size_t r = 0; r < s->run_count; r++) {
        struct score_run *run = &s->runs[r];
        bool alone = run->server >= s->servers;
        run->top = top_of_run(s->total, run);
        if (alone || run->top > best[run->server]) best[run->server] = run->top;
    }
    for (size_t r = 0; r < s->run_count; r++)
        s->runs[r].lent = share * best[s->runs[r].server];
}

/* The same by category, for which documents do not lie together. */
static void lend_by_category(struct scorer *s, size_t docs, size_t groups,
                             float share) {
    float *restrict total = s->total, *restrict best = s->group;
    if (!(share > 0)) return;
    for (size_t r = 0; r < s->run_count; r++)
        for (uint32_t i = s->runs[r].start; i < s->runs[r].end; i++)
            total[i] += s->runs[r].lent;
    memset(best, 0, groups * sizeof *best);
    for (size_t i = 0; i < docs; i++)
        if (total[i] > best[s->category[i]]) best[s->category[i]] = total[i];
    for (size_t i = 0; i < docs; i++)
        total[i] += share * best[s->category[i]];
    for (size_t r = 0; r < s->run_count; r++) {
        s->runs[r].top = top_of_run(total, &s->runs[r]);
        s->runs[r].lent = 0;
    }
}

static struct scales first_stage(struct scorer *s, const struct corpus *ix,
                                 const struct query *q, const float *remote) {
    const float *w = ix->weights.w;
    size_t n = ix->docs.count;
    struct scales by = {.words = score_whole(s, ix, q),
                        .vector = score_vectors(s, ix, q)};
    score_clauses(s, ix, q);
    /* A request of one clause is its own best clause. */
    bool one = q->clause_count == 1;
    by.clause = one ? by.words : 1.0f;
    by.clause_words = one ? s->words : s->clause;
    add_three(s->total, s->words, by.words * w[WEIGHT_WORDS], by.clause_words,
              by.clause * w[WEIGHT_CLAUSE_WORDS], s->cosine,
              by.vector * w[WEIGHT_VECTOR], n);
    if (remote) {
        by.remote = scale_remote(ix, remote);
        for (size_t i = 0; i < n; i++)
            s->total[i] += w[WEIGHT_REMOTE] * by.remote * remote[i];
    }
    lend_by_server(s, w[WEIGHT_SERVER]);
    lend_by_category(s, n, ix->categories + CLUSTERS + n, w[WEIGHT_ROUTE]);
    return by;
}

/* ---- candidates ---- */

struct rank {
    float score;
    uint32_t doc;
};

/* Ties go to the earlier document, so that the order never depends on chance.
 */
static bool is_worse(struct rank a, struct rank b) {
    return a.score < b.score || (a.score <= b.score && a.doc > b.doc);
}

static int by_score(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    return is_worse((struct rank){x->score, x->doc},
                    (struct rank){y->score, y->doc})
               ? 1
               : -1;
}

/* A heap whose root is the worst. */
static void sift_down(struct rank *heap, size_t n, size_t i) {
    for (;;) {
        size_t worst = i, left = 2 * i + 1, right = left + 1;
        if (left < n && is_worse(heap[left], heap[worst])) worst = left;
        if (right < n && is_worse(heap[right], heap[worst])) worst = right;
        if (worst == i) return;
        struct rank t = heap[i];
        heap[i] = heap[worst];
        heap[worst] = t;
        i = worst;
    }
}

static void heap_add(struct rank *heap, size_t *n, size_t max, struct rank r) {
    if (*n == max) {
        heap[0] = r;
        sift_down(heap, *n, 0);
        return;
    }
    size_t i = (*n)++;
    heap[i] = r;
    while (i > 0 && is_worse(heap[i], heap[(i - 1) / 2])) {
        struct rank t = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = t;
        i = (i - 1) / 2;
    }
}

/* Nobody is alone and too many. */
static bool is_full(const struct scorer *s, uint32_t server) {
    return server < s->servers && s->group[server] < 0;
}

/* The best documents of servers that are not yet full into pool[from..]. */
static void collect(struct scorer *s, size_t from, score_filter *filter,
                    void *context) {
    struct rank heap[SCORE_POOL];
    size_t n = 0, max = s->pool_max - from;
    float bar = 0; /* what a document must beat */
    for (size_t r = 0; r < s->run_count; r++) {
        const struct score_run *run = &s->runs[r];
        if (run->top + run->lent <= bar || is_full(s, run->server)) continue;
        for (uint32_t i = run->start; i < run->end; i++) {
            float score = s->total[i] + run->lent;
            if (score <= bar) continue;
            if (filter && !filter(context, i)) continue;
            heap_add(heap, &n, max, (struct rank){score, i});
            if (n == max) bar = heap[0].score;
        }
    }
    for (size_t i = 0; i < n; i++)
        s->pool[from + i] =
            (struct candidate){.doc = heap[i].doc, .score = heap[i].score};
    qsort(s->pool + from, n, sizeof s->pool[0], by_score);
    s->pool_count = from + n;
}

/* Keeps at most SCORE_SERVER of a server, from `from` on; a server that had
 * more is full (-1 in group). Returns whether any became full. */
static bool cap_servers(struct scorer *s, size_t from) {
    size_t kept = from;
    bool full = false;
    for (size_t i = from; i < s->pool_count; i++) {
        uint32_t g = s->server[s->pool[i].doc];
        if (is_full(s, g)) continue;
        if (g < s->servers && ++s->group[g] > SCORE_SERVER) {
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
static void gather(struct scorer *s, score_filter *filter, void *context) {
    memset(s->group, 0, s->servers * sizeof *s->group);
    size_t from = 0;
    do {
        collect(s, from, filter, context);
        if (!cap_servers(s, from)) return;
        from = s->pool_count;
    } while (from < s->pool_max);
}

/* ---- second stage ---- */

static void best_clause_cosine(struct scorer *s, const struct corpus *ix,
                               const struct query *q, size_t deep) {
    for (size_t c = 0; c < q->clause_count; c++) {
        int8_t packed[VECTOR_DIMS];
        float cosine[SCORE_DEEP], top = 0;
        float unit = pack_terms(ix, q, &q->clauses[c], packed);
        if (!(unit > 0)) continue;
        for (size_t i = 0; i < deep; i++) {
            uint32_t doc = s->pool[i].doc;
            int32_t dot;
            vectors_scan(pool_at(&ix->rows, doc), 1, packed, &dot);
            cosine[i] = (float)dot * unit * corpus_doc(ix, doc)->vector_scale;
            top = cosine[i] > top ? cosine[i] : top;
        }
        for (size_t i = 0; i < deep && top > 0; i++) {
            float *best = &s->pool[i].parts.clause_vector;
            if (cosine[i] / top > *best) *best = cosine[i] / top;
        }
    }
}

static void gram_cosine(struct scorer *s, const struct corpus *ix,
                        const struct query *q, size_t deep) {
    struct tokens t = TOKENS(q->text);
    while (tokens_next(&t))
        ngram_query_add(&s->grams, ix, tokens_term(&t));
    float top = 0;
    for (size_t i = 0; i < deep; i++) {
        float score = ngram_score(&s->grams, ix, s->pool[i].doc);
        s->pool[i].parts.gram = score;
        top = score > top ? score : top;
    }
    for (size_t i = 0; i < deep && top > 0; i++)
        s->pool[i].parts.gram /= top;
    ngram_query_reset(&s->grams);
}

/* What the first stage gave each candidate, for the explanation. */
static void fill_parts(struct scorer *s, const struct corpus *ix,
                       const float *remote, struct scales by) {
    const float *w = ix->weights.w;
    for (size_t i = 0; i < s->pool_count; i++) {
        uint32_t doc = s->pool[i].doc;
        struct parts *p = &s->pool[i].parts;
        p->words = s->words[doc] * by.words;
        p->clause_words = by.clause_words[doc] * by.clause;
        p->cosine = s->cosine[doc];
        p->vector = s->cosine[doc] * by.vector;
        if (remote) p->remote = remote[doc] * by.remote;
        p->lent = s->pool[i].score - w[WEIGHT_WORDS] * p->words -
                  w[WEIGHT_CLAUSE_WORDS] * p->clause_words -
                  w[WEIGHT_VECTOR] * p->vector - w[WEIGHT_REMOTE] * p->remote;
    }
}

/* Those behind the first SCORE_DEEP stay where they are. */
static void second_stage(struct scorer *s, const struct corpus *ix,
                         const struct query *q) {
    const float *w = ix->weights.w;
    size_t deep = s->pool_count < SCORE_DEEP ? s->pool_count : SCORE_DEEP;
    if (w[WEIGHT_CLAUSE_VECTOR] > 0) best_clause_cosine(s, ix, q, deep);
    if (w[WEIGHT_GRAM] > 0) gram_cosine(s, ix, q, deep);
    for (size_t i = 0; i < deep; i++)
        s->pool[i].score +=
            w[WEIGHT_CLAUSE_VECTOR] * s->pool[i].parts.clause_vector +
            w[WEIGHT_GRAM] * s->pool[i].parts.gram;
    qsort(s->pool, deep, sizeof s->pool[0], by_score);
}

int score_all(struct scorer *s, struct corpus *ix, const struct query *q,
              size_t want, const float *remote, score_filter *filter,
              void *context, struct err *e) {
    if (make_room(s, ix, e)) return -1;
    s->pool_max = want < SCORE_DEEP ? SCORE_DEEP : want;
    if (s->pool_max > SCORE_POOL) s->pool_max = SCORE_POOL;
    ngram_settle(ix);
    refresh(s, ix);
    struct scales by = first_stage(s, ix, q, remote);
    gather(s, filter, context);
    fill_parts(s, ix, remote, by);
    second_stage(s, ix, q);
    return 0;
}
