/* SPDX-License-Identifier: MIT */
#include "tools/select/ngram.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "tools/select/dictionary.h"
#include "tools/select/tokenise.h"

#define GRAM       4 /* letters */
#define WORD_GRAMS (TERM_MAX + 2)

/* The word between blanks, so that its start and end count as letters. */
static size_t hash_grams(str word, uint16_t out[WORD_GRAMS]) {
    char text[TERM_MAX + 2];
    size_t n = word.n < TERM_MAX ? word.n : TERM_MAX;
    text[0] = ' ';
    memcpy(text + 1, word.p, n);
    text[n + 1] = ' ';
    n += 2;
    size_t count = n < GRAM ? 1 : n - GRAM + 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t letters = 0;
        memcpy(&letters, text + i, n < GRAM ? n : GRAM);
        letters *= 0x9e3779b1u;
        out[i] = (uint16_t)(letters >> 16);
    }
    return count;
}

int ngram_scratch(struct corpus *ix, struct err *e) {
    if (ix->gram_sum) return 0;
    AUTO_MEM float *sum = mem_zalloc(GRAM_HASHES, sizeof *sum, e);
    if (!sum) return -1;
    ix->gram_seen = mem_alloc(GRAM_HASHES * sizeof *ix->gram_seen, e);
    if (!ix->gram_seen) return -1;
    ix->gram_sum = mem_take(&sum);
    ix->gram_count = 0;
    return 0;
}

void ngram_release(struct corpus *ix) {
    mem_free(ix->gram_sum);
    mem_free(ix->gram_seen);
    ix->gram_sum = NULL;
    ix->gram_seen = NULL;
}

void ngram_add(struct corpus *ix, str word, float weight) {
    uint16_t grams[WORD_GRAMS];
    size_t n = hash_grams(word, grams);
    if (!(weight > 0)) return;
    for (size_t i = 0; i < n; i++) {
        if (!(ix->gram_sum[grams[i]] > 0))
            ix->gram_seen[ix->gram_count++] = grams[i];
        ix->gram_sum[grams[i]] += weight;
    }
}

void ngram_reset(struct corpus *ix) {
    for (size_t i = 0; i < ix->gram_count; i++)
        ix->gram_sum[ix->gram_seen[i]] = 0;
    ix->gram_count = 0;
}

static float rarity(const struct corpus *ix, uint16_t gram) {
    double live = (double)ix->gram_live[gram];
    return (float)log(1.0 + (double)ix->live / (live > 0 ? live : 1.0));
}

static void set_norm(struct corpus *ix, struct doc *d, const float *rare) {
    const struct gram *g = pool_at(&ix->grams, d->grams);
    float sum = 0;
    for (size_t i = 0; i < d->gram_count; i++) {
        float idf = rare ? rare[g[i].hash] : rarity(ix, g[i].hash);
        float w = (float)g[i].weight * idf / 256.0f;
        sum += w * w;
    }
    d->gram_norm = sum > 0 ? 1.0f / sqrtf(sum) : 0;
}

int ngram_write(struct corpus *ix, uint32_t doc, struct err *e) {
    uint32_t at;
    if (pool_grow(&ix->grams, ix->gram_count, &at, e)) return -1;
    struct gram *g = pool_at(&ix->grams, at);
    for (size_t i = 0; i < ix->gram_count; i++) {
        uint16_t hash = ix->gram_seen[i];
        float w = fminf(1.0f + logf(1.0f + ix->gram_sum[hash]), 255.0f);
        g[i] = (struct gram){hash, (uint16_t)lrintf(w * 256.0f)};
    }
    struct doc *d = corpus_doc(ix, doc);
    d->grams = at;
    d->gram_count = (uint32_t)ix->gram_count;
    set_norm(ix, d, NULL);
    return 0;
}

void ngram_settle(struct corpus *ix) {
    size_t drift = ix->live > ix->normed_at ? ix->live - ix->normed_at
                                            : ix->normed_at - ix->live;
    if (drift * 10 <= ix->live) return;
    float *rare = ix->gram_sum; /* free between documents; NULL: as they come */
    for (size_t i = 0; rare && i < GRAM_HASHES; i++)
        rare[i] = rarity(ix, (uint16_t)i);
    for (size_t i = 0; i < ix->docs.count; i++)
        set_norm(ix, corpus_doc(ix, i), rare);
    if (rare) memset(rare, 0, GRAM_HASHES * sizeof *rare);
    ix->normed_at = ix->live;
}

void ngram_query_add(struct ngram_query *q, const struct corpus *ix, str word) {
    uint16_t grams[WORD_GRAMS];
    size_t n = hash_grams(word, grams);
    for (size_t i = 0; i < n; i++) {
        uint16_t g = grams[i];
        uint64_t bit = (uint64_t)1 << (g % 64);
        if (q->has[g / 64] & bit || ix->gram_live[g] == 0) continue;
        if (q->used_count == sizeof q->used / sizeof q->used[0]) return;
        float idf = rarity(ix, g);
        q->has[g / 64] |= bit;
        q->weight[g] = idf * idf / 256.0f;
        q->used[q->used_count++] = g;
    }
}

void ngram_query_reset(struct ngram_query *q) {
    for (size_t i = 0; i < q->used_count; i++) {
        q->weight[q->used[i]] = 0;
        q->has[q->used[i] / 64] = 0;
    }
    q->used_count = 0;
}

float ngram_score(const struct ngram_query *q, const struct corpus *ix,
                  uint32_t doc) {
    const struct doc *d = corpus_doc(ix, doc);
    const struct gram *g = pool_at(&ix->grams, d->grams);
    float sum = 0;
    for (size_t i = 0; i < d->gram_count; i++)
        if (q->has[g[i].hash / 64] >> (g[i].hash % 64) & 1)
            sum += q->weight[g[i].hash] * (float)g[i].weight;
    return sum * d->gram_norm;
}

/* ---- misspelt words ---- */

#define TYPO_LETTERS 5 /* shorter words resemble too many others */
#define TYPO_PAIRS   8 /* letter pairs that may differ */

/* One letter wrong in five, at most two. */
static size_t letters_wrong(size_t n) {
    return n < 10 ? 1 : 2;
}

/* May words with these signs be the same but for `limit` letters? People get
 * the first letter right. */
static bool may_resemble(uint64_t a, uint64_t b, size_t limit) {
    uint64_t differ = a ^ b;
    if (differ >> SIGN_PAIRS & 0xff) return false;
    size_t m = a >> SIGN_LENGTH, n = b >> SIGN_LENGTH;
    if (m > n + limit || n > m + limit) return false;
    return __builtin_popcountll(differ << (64 - SIGN_PAIRS)) <= TYPO_PAIRS;
}

const struct term *ngram_nearest(const struct corpus *ix, str word,
                                 float *likeness) {
    const uint64_t *signs = ix->signs.items;
    const struct term *best = NULL;
    if (word.n < TYPO_LETTERS) return NULL;
    uint64_t sign = dictionary_sign(word);
    size_t limit = letters_wrong(word.n);
    for (size_t i = 0; i < ix->signs.count; i++) {
        if (!may_resemble(signs[i], sign, limit)) continue;
        const struct term *t = pool_at(&ix->terms, i);
        if (t->live == 0) continue;
        size_t off = str_distance(word, dictionary_text(ix, t), limit);
        if (off > limit) continue;
        float like = 1.0f - (float)off / (float)word.n;
        if (best && like <= *likeness) continue;
        best = t;
        *likeness = like;
    }
    return best;
}
