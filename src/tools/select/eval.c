/* SPDX-License-Identifier: MIT */
#include "tools/select/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

#define FILE_BYTES ((size_t)256 << 20)
#define RESAMPLES  1000
#define NDCG_DEPTH 10

/* ---- reading ---- */

/* "groups" where given, else every relevant id is a group of its own. */
static const struct json *groups_of(const struct json *v) {
    const struct json *groups = json_get(v, "groups");
    if (groups && json_type(groups) == JSON_ARRAY && json_len(groups) > 0)
        return groups;
    const struct json *relevant = json_get(v, "relevant");
    return relevant && json_type(relevant) == JSON_ARRAY ? relevant : NULL;
}

static int make_room(struct eval_set *s, size_t groups, struct err *e) {
    if (s->count == s->query_cap) {
        size_t cap = s->query_cap * 2 + 64;
        void *grown = mem_resize(s->queries, cap, sizeof *s->queries, e);
        if (!grown) return -1;
        s->queries = grown;
        s->query_cap = cap;
    }
    if (s->group_count + groups > s->group_cap) {
        size_t cap = (s->group_count + groups) * 2 + 64;
        void *grown = mem_resize(s->groups, cap, sizeof *s->groups, e);
        if (!grown) return -1;
        s->groups = grown;
        s->group_cap = cap;
    }
    return 0;
}

static int add_query(struct eval_set *s, const struct json *v, struct err *e) {
    const struct json *groups = groups_of(v);
    struct eval_query q = {.id = json_get_text(v, "query_id", STR("")),
                           .text = json_get_text(v, "query", STR("")),
                           .groups = s->group_count};
    if (!groups || q.id.n == 0)
        return fail(e, ERR_INVALID, "needs query_id, query and relevant");
    q.group_count = json_len(groups);
    if (make_room(s, q.group_count, e)) return -1;
    const struct json *g = json_first(groups);
    for (size_t i = 0; i < q.group_count; i++, g = json_skip(g))
        s->groups[s->group_count++] = g;
    s->queries[s->count++] = q;
    return 0;
}

int eval_read(struct eval_set *s, const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_BYTES);
    if (file_read(path, &text, e)) return -1;
    str rest = buf_str(&text);
    for (size_t n = 1; rest.p; n++) {
        str line = str_trim(str_cut(&rest, '\n'));
        const struct json *v = NULL;
        if (line.n == 0) continue;
        if (json_parse(line, NULL, &s->arena, &v, e) || add_query(s, v, e))
            return fail_while(e, "%s: line %zu", path, n);
    }
    if (s->count == 0) return fail(e, ERR_INVALID, "%s is empty", path);
    return 0;
}

void eval_fini(struct eval_set *s) {
    mem_free(s->queries);
    mem_free(s->groups);
    arena_fini(&s->arena);
    *s = EVAL_INIT;
}

/* ---- hits ---- */

static bool is_member(const struct json *group, str id) {
    if (json_type(group) == JSON_STRING) return str_eq(json_str(group), id);
    if (json_type(group) != JSON_ARRAY) return false;
    const struct json *item = json_first(group);
    for (size_t i = json_len(group); i > 0; i--, item = json_skip(item))
        if (json_type(item) == JSON_STRING && str_eq(json_str(item), id))
            return true;
    return false;
}

void eval_hits(const struct eval_set *s, size_t query, const str *ranked,
               size_t count, uint32_t *first) {
    const struct eval_query *q = &s->queries[query];
    for (size_t g = 0; g < q->group_count; g++) {
        uint32_t rank = 0;
        while (rank < count &&
               !is_member(s->groups[q->groups + g], ranked[rank]))
            rank++;
        first[q->groups + g] = rank < count ? rank : EVAL_MISS;
    }
}

/* ---- measures ---- */

static size_t hits_within(const struct eval_query *q, const uint32_t *first,
                          size_t k) {
    size_t n = 0;
    for (size_t g = 0; g < q->group_count; g++)
        n += first[q->groups + g] < k;
    return n;
}

double eval_recall(const struct eval_set *s, const uint32_t *first,
                   size_t query, size_t k) {
    const struct eval_query *q = &s->queries[query];
    if (q->group_count == 0) return 0;
    return (double)hits_within(q, first, k) / (double)q->group_count;
}

static double ndcg_of(const struct eval_query *q, const uint32_t *first) {
    double gain = 0, ideal = 0;
    for (size_t g = 0; g < q->group_count; g++) {
        uint32_t rank = first[q->groups + g];
        if (rank < NDCG_DEPTH) gain += 1.0 / log2((double)rank + 2.0);
        if (g < NDCG_DEPTH) ideal += 1.0 / log2((double)g + 2.0);
    }
    return ideal > 0 ? fmin(1.0, gain / ideal) : 0;
}

static double first_hit(const struct eval_query *q, const uint32_t *first) {
    uint32_t best = EVAL_MISS;
    for (size_t g = 0; g < q->group_count; g++)
        best = first[q->groups + g] < best ? first[q->groups + g] : best;
    return best == EVAL_MISS ? 0 : 1.0 / ((double)best + 1.0);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle 95% of the means of resampled requests. */
static void interval(const double *value, size_t n, double *low, double *high) {
    double means[RESAMPLES];
    uint64_t state = 1;
    for (size_t r = 0; r < RESAMPLES; r++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            sum += value[(state >> 33) % n];
        }
        means[r] = sum / (double)n;
    }
    qsort(means, RESAMPLES, sizeof means[0], by_value);
    *low = means[RESAMPLES / 40];
    *high = means[RESAMPLES - 1 - RESAMPLES / 40];
}

int eval_score(const struct eval_set *s, const uint32_t *first,
               const bool *chosen, const size_t *ks, size_t k_count,
               struct eval_score *out, struct err *e) {
    AUTO_MEM double *value = mem_zalloc(s->count, sizeof *value, e);
    if (!value) return -1;
    struct eval_score sum = {0};
    for (size_t i = 0; i < s->count; i++) {
        if (chosen && !chosen[i]) continue;
        sum.queries++;
        sum.ndcg += ndcg_of(&s->queries[i], first);
        sum.mrr += first_hit(&s->queries[i], first);
    }
    double n = sum.queries > 0 ? (double)sum.queries : 1;
    sum.ndcg /= n;
    sum.mrr /= n;
    for (size_t k = 0; k < k_count && sum.queries > 0; k++) {
        size_t used = 0;
        for (size_t i = 0; i < s->count; i++) {
            if (chosen && !chosen[i]) continue;
            double r = eval_recall(s, first, i, ks[k]);
            sum.recall[k] += r / n;
            sum.complete[k] += (r >= 1.0) / n;
            value[used++] = r;
        }
        interval(value, used, &sum.low[k], &sum.high[k]);
    }
    *out = sum;
    return 0;
}

void eval_curve(const struct eval_set *s, const uint32_t *first,
                const bool *chosen, double curve[EVAL_DEPTH]) {
    memset(curve, 0, EVAL_DEPTH * sizeof *curve);
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (chosen && !chosen[i]) continue;
        n++;
        for (size_t k = 0; k < EVAL_DEPTH; k++)
            curve[k] += eval_recall(s, first, i, k + 1);
    }
    for (size_t k = 0; k < EVAL_DEPTH && n > 0; k++)
        curve[k] /= (double)n;
}
