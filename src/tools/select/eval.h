/* SPDX-License-Identifier: MIT
 *
 * eval -- how good is a ranking, on requests whose right tools are known?
 *
 * recall@k: the share of a request's needed tools among the first k, averaged
 * over requests. complete@k: the share of requests that got all of them. A
 * group of equivalent tools counts as one, found by its first member. The
 * interval is a bootstrap over requests, always with the same random numbers.
 */
#ifndef CORDON_TOOLS_SELECT_EVAL_H
#define CORDON_TOOLS_SELECT_EVAL_H

#include "json/json.h"

#define EVAL_DEPTH 50 /* ranks that are looked at */
#define EVAL_MISS  UINT32_MAX
#define EVAL_KS    16

struct eval_query {
    str id, text;
    size_t groups, group_count; /* into eval_set.groups */
};

struct eval_set {
    struct eval_query *queries;
    size_t count, query_cap;
    const struct json **groups; /* arrays of ids, or a single id */
    size_t group_count, group_cap;
    struct arena arena;
};

#define EVAL_INIT ((struct eval_set){.arena = ARENA_MAX((size_t)1 << 30)})

/* Lines of {"query_id", "query", "relevant": [ids], "groups": [[ids]]}. */
int eval_read(struct eval_set *s, const char *path, struct err *e);
void eval_fini(struct eval_set *s);
#define AUTO_EVAL __attribute__((cleanup(eval_fini)))

/* Fills first[group] with the rank, from 0, of the first member of each of the
 * request's groups, or EVAL_MISS. */
void eval_hits(const struct eval_set *s, size_t query, const str *ranked,
               size_t count, uint32_t *first);

struct eval_score {
    size_t queries;
    double recall[EVAL_KS], low[EVAL_KS], high[EVAL_KS];
    double complete[EVAL_KS];
    double ndcg; /* at 10 */
    double mrr;  /* reciprocal rank of the first hit */
};

/* first has the ranks of all groups; chosen (may be NULL) says which queries
 * count. */
int eval_score(const struct eval_set *s, const uint32_t *first,
               const bool *chosen, const size_t *ks, size_t k_count,
               struct eval_score *out, struct err *e);

/* recall@k of one request. */
double eval_recall(const struct eval_set *s, const uint32_t *first,
                   size_t query, size_t k);

/* recall@1, recall@2 ... */
void eval_curve(const struct eval_set *s, const uint32_t *first,
                const bool *chosen, double curve[EVAL_DEPTH]);

#endif
