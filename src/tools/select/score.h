/* SPDX-License-Identifier: MIT
 *
 * score -- how well each tool fits a request, by several measures.
 *
 * Two stages. First every document: BM25F of the whole request and of its best
 * clause, and the cosine of vectors; each scaled to 0..1 over the catalogue
 * and added up. Then the best of those, the candidates: n-grams and the cosine
 * of the best clause. What the second stage may add is measured only where it
 * can matter, which keeps a request at a few hundred microseconds.
 */
#ifndef CORDON_TOOLS_SELECT_SCORE_H
#define CORDON_TOOLS_SELECT_SCORE_H

#include "tools/select/ngram.h"
#include "tools/select/query.h"

#define SCORE_POOL   128 /* candidates, and so the longest answer */
#define SCORE_DEEP   64  /* of them that the second stage looks at */
#define SCORE_SERVER 32  /* of one server among them */

/* What each measure gave a candidate, in 0..1 before its weight. */
struct parts {
    float words, clause_words, vector, clause_vector, gram, remote;
    float lent;   /* what its neighbours on the server gave it, weighted */
    float cosine; /* of the whole request, as it is */
};

struct candidate {
    uint32_t doc;
    float score;
    struct parts parts;
};

/* May this document be offered? */
typedef bool score_filter(void *context, uint32_t doc);

struct score_run {
    uint32_t start, end; /* documents */
    uint32_t server;
    float top;  /* the best total among them, of the request at hand */
    float lent; /* what each of them gets on top of its total */
};

/* Scratch for one index, used again and again. What a document needs in the
 * first stage lies in arrays of its own: its record is too wide to be read for
 * every document of every request. */
struct scorer {
    size_t docs;      /* documents the arrays have room for */
    size_t groups;    /* room in group */
    uint64_t seen;    /* corpus.changes + 1 that the next four were made for */
    float *norm;      /* BM25's length norm */
    float *scale;     /* of its vector; 0 for the dead */
    uint32_t *server; /* its server, or one beyond the last for itself */
    size_t servers;
    uint32_t *category;
    struct score_run *runs; /* documents of one server that lie together */
    size_t run_count;
    float *words;  /* BM25F of the whole, scaled to 0..1 */
    float *clause; /* of the best clause so far, scaled */
    float *one;    /* of the clause at hand; zero between requests */
    float *cosine; /* of the whole */
    float *total;
    int32_t *dots;
    uint32_t *hit; /* documents the clause at hand touched */
    float *group;  /* best total by server or category */
    struct ngram_query grams;
    struct candidate pool[SCORE_POOL];
    size_t pool_count, pool_max;
};

struct scorer *scorer_new(struct err *e);
void scorer_free(struct scorer *s);

/* Fills s->pool, best first, with at least `want` documents if so many score
 * (SCORE_POOL at most). remote (may be NULL) has a cosine for each
 * document, from an embeddings endpoint; filter may be NULL. */
int score_all(struct scorer *s, struct corpus *ix, const struct query *q,
              size_t want, const float *remote, score_filter *filter,
              void *context, struct err *e);

#endif
