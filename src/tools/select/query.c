/* SPDX-License-Identifier: MIT */
#include "tools/select/query.h"

#include <math.h>
#include <string.h>

#include "tools/select/dictionary.h"
#include "tools/select/ngram.h"
#include "tools/select/sentence.h"
#include "tools/select/tokenise.h"

#define CLAUSE_TERMS 2 /* fewer are no request of their own */
#define TYPOS        2 /* unknown words that are looked up by likeness */

/* The words so far, to see a repeated one. */
struct reading {
    struct query *q;
    const struct corpus *ix;
    char words[QUERY_TERMS][TERM_MAX];
    uint8_t lengths[QUERY_TERMS];
    size_t typos;
};

static size_t find_word(const struct reading *r, str word) {
    size_t i = 0;
    while (i < r->q->term_count &&
           (r->lengths[i] != word.n || memcmp(r->words[i], word.p, word.n)))
        i++;
    return i;
}

static float idf_of(const struct corpus *ix, const struct term *t) {
    double n = (double)ix->live, has = (double)t->live;
    return (float)log(1.0 + (n - has + 0.5) / (has + 0.5));
}

/* A word that neither a tool nor the vector table knows may be misspelt;
 * numbers and names (with a capital inside a sentence) are just unknown. */
static bool may_be_typo(str text, const struct query_term *t) {
    char c = text.p[t->start];
    bool capital = c >= 'A' && c <= 'Z';
    return !(c >= '0' && c <= '9') && !(capital && t->start > 0);
}

static void look_up_typo(struct reading *r, str word, struct query_term *t) {
    float like = 0;
    if (r->typos == TYPOS) return;
    r->typos++;
    t->term = ngram_nearest(r->ix, word, &like);
    if (!t->term) return;
    t->weight = like * r->ix->weights.w[WEIGHT_TYPO];
    t->row = t->term->row;
}

static void add_word(struct reading *r, str word, const struct tokens *at,
                     size_t offset) {
    const struct corpus *ix = r->ix;
    size_t n = r->q->term_count++;
    struct query_term *t = &r->q->terms[n];
    memcpy(r->words[n], word.p, word.n);
    r->lengths[n] = (uint8_t)word.n;
    *t = (struct query_term){.term = corpus_term(ix, SPACE_WORD, word),
                             .row = -1,
                             .weight = 1.0f,
                             .start = (uint32_t)(at->start + offset),
                             .end = (uint32_t)(at->end + offset)};
    if (t->term && t->term->live == 0) t->term = NULL;
    if (t->term)
        t->row = t->term->row;
    else if (ix->table)
        t->row = vectors_find(ix->table, word);
    if (!t->term && t->row < 0 && ix->weights.w[WEIGHT_TYPO] > 0 &&
        may_be_typo(r->q->text, t))
        look_up_typo(r, word, t);
    if (t->term) t->idf = idf_of(ix, t->term);
}

static void read_clause(struct reading *r, str clause, size_t offset) {
    struct query *q = r->q;
    struct query_clause set = {0};
    struct tokens t = TOKENS(clause);
    while (tokens_next(&t)) {
        str word = tokens_term(&t);
        size_t n = find_word(r, word);
        if (n == QUERY_TERMS) break;
        if (n == q->term_count) add_word(r, word, &t, offset);
        set.count += !clause_has(&set, n);
        set.has[n / 64] |= (uint64_t)1 << (n % 64);
    }
    if (set.count < CLAUSE_TERMS || q->clause_count == QUERY_CLAUSES) return;
    q->clauses[q->clause_count++] = set;
}

static void whole_is_one_clause(struct query *q) {
    struct query_clause *c = &q->clauses[0];
    *c = (struct query_clause){.count = q->term_count};
    for (size_t i = 0; i < q->term_count; i++)
        c->has[i / 64] |= (uint64_t)1 << (i % 64);
    q->clause_count = q->term_count > 0;
}

void query_read(struct query *q, const struct corpus *ix, str text) {
    struct reading r = {.q = q, .ix = ix};
    q->text = str_sub(text, 0, QUERY_BYTES);
    q->term_count = q->clause_count = 0;
    str rest = q->text, clause;
    while (clause_next(&rest, &clause))
        read_clause(&r, clause, (size_t)(clause.p - q->text.p));
    if (q->clause_count == 0) whole_is_one_clause(q);
}
