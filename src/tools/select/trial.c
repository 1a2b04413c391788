/* SPDX-License-Identifier: MIT */
#include "tools/select/trial.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tools/select/usage.h"
#include "json/write.h"

int trial_open(struct trial_set *t, const char *corpus, const char *queries,
               struct err *e) {
    *t = (struct trial_set){.catalogue = CATALOGUE_INIT, .queries = EVAL_INIT};
    if (catalogue_add_file(&t->catalogue, corpus, e) ||
        eval_read(&t->queries, queries, e)) {
        trial_fini(t);
        return -1;
    }
    t->first = mem_zalloc(t->queries.group_count + 1, sizeof *t->first, e);
    t->chosen = mem_zalloc(t->queries.count, sizeof *t->chosen, e);
    if (t->first && t->chosen) return 0;
    trial_fini(t);
    return -1;
}

void trial_fini(struct trial_set *t) {
    catalogue_fini(&t->catalogue);
    eval_fini(&t->queries);
    mem_free(t->first);
    mem_free(t->chosen);
    t->first = NULL;
    t->chosen = NULL;
}

enum half trial_half(str query_id) {
    static const uint64_t key[2] = {1, 2};
    return hash_bytes(query_id.p, query_id.n, key) & 1 ? HALF_A : HALF_B;
}

/* ---- history ---- */

static size_t noted(const struct map *counts, str id) {
    return (size_t)(uintptr_t)map_get(counts, id);
}

/* The first member of a group stands for it. */
static str member_of(const struct json *group) {
    if (json_type(group) == JSON_ARRAY && json_len(group) > 0)
        group = json_first(group);
    return json_type(group) == JSON_STRING ? json_str(group) : STR("");
}

static int note_query(const struct eval_set *s, const struct eval_query *q,
                      size_t history, struct map *counts, struct uses *u,
                      struct err *e) {
    for (size_t g = 0; g < q->group_count; g++) {
        str id = member_of(s->groups[q->groups + g]);
        uintptr_t n = noted(counts, id);
        if (id.n == 0 || n >= history) continue;
        if (usage_note(u, id, q->text, q->group_count, e) ||
            map_put(counts, id, (void *)(n + 1), NULL, e))
            return -1;
    }
    return 0;
}

static int note_half(const struct eval_set *s, enum half half, size_t history,
                     struct uses *u, struct err *e) {
    AUTO_MAP struct map counts = MAP_MAX(CATALOGUE_TOOLS);
    for (size_t i = 0; i < s->count; i++)
        if (trial_half(s->queries[i].id) == half &&
            note_query(s, &s->queries[i], history, &counts, u, e))
            return -1;
    return 0;
}

static int corpus_tools(struct selector *s, const struct catalogue *c,
                        const struct uses *u, struct err *e) {
    AUTO_MEM struct document *d = mem_alloc(sizeof *d, e);
    if (!d) return -1;
    for (size_t i = 0; i < c->count; i++) {
        document_of(&c->tools[i], d);
        usage_add(u, c->tools[i].id, d);
        if (corpus_put(&s->corpus, &c->tools[i], d, e)) return -1;
    }
    return selector_route(s, e);
}

/* ---- running ---- */

static int add_line(struct buf *run, str query, const str *ranked, size_t count,
                    struct err *e) {
    struct jw w = JW(run);
    jw_object(&w);
    jw_put_text(&w, "query_id", query);
    jw_key(&w, "ranked");
    jw_array(&w);
    for (size_t i = 0; i < count; i++)
        jw_text(&w, ranked[i]);
    jw_end_array(&w);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(run, '\n', e);
}

static int rank_queries(struct trial_set *t, struct selector *s, enum half half,
                        struct buf *run, struct err *e) {
    struct selection found;
    str ranked[SELECT_MAX];
    for (size_t i = 0; i < t->queries.count; i++) {
        const struct eval_query *q = &t->queries.queries[i];
        if (half != HALF_BOTH && trial_half(q->id) != half) continue;
        struct select_request r = {
            .text = q->text, .k = EVAL_DEPTH, .pad = true};
        if (select_tools(s, &r, &found, e)) return -1;
        for (size_t k = 0; k < found.count; k++)
            ranked[k] = corpus_id(&s->corpus, found.items[k].doc);
        eval_hits(&t->queries, i, ranked, found.count, t->first);
        t->chosen[i] = q->group_count > 0;
        t->off += !t->chosen[i];
        *(t->chosen[i] ? &t->refused : &t->off_refused) += found.doubtful;
        if (run && add_line(run, q->id, ranked, found.count, e)) return -1;
    }
    return 0;
}

static int run_half(struct trial_set *t, const struct weights *w,
                    enum half half, size_t history, struct buf *run,
                    struct err *e) {
    AUTO_SELECTOR struct selector s = {0};
    AUTO_USAGE struct uses u = USAGE_INIT;
    enum half other = half == HALF_A ? HALF_B : HALF_A;
    if (history > 0 && note_half(&t->queries, other, history, &u, e)) return -1;
    if (selector_init(&s, w, e) || corpus_tools(&s, &t->catalogue, &u, e))
        return -1;
    return rank_queries(t, &s, half, run, e);
}

int trial_run(struct trial_set *t, const struct weights *w, enum half half,
              size_t history, struct buf *run, struct err *e) {
    memset(t->chosen, 0, t->queries.count * sizeof *t->chosen);
    t->off = t->off_refused = t->refused = 0;
    if (history == 0 || half != HALF_BOTH)
        return run_half(t, w, half, history, run, e);
    if (run_half(t, w, HALF_A, history, run, e)) return -1;
    return run_half(t, w, HALF_B, history, run, e);
}

static double mean_recall(const struct trial_set *t, size_t k) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->queries.count; i++) {
        if (!t->chosen[i]) continue;
        sum += eval_recall(&t->queries, t->first, i, k);
        n++;
    }
    return n > 0 ? sum / (double)n : 0;
}

double trial_quality(const struct trial_set *sets, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += mean_recall(&sets[i], 5) + mean_recall(&sets[i], 10);
    return sum / (double)count;
}

/* ---- tuning ---- */

static int quality_of(struct trial_set *sets, size_t count, enum half half,
                      const struct weights *w, double *out, struct err *e) {
    for (size_t i = 0; i < count; i++)
        if (trial_run(&sets[i], w, half, 0, NULL, e)) return -1;
    *out = trial_quality(sets, count);
    return 0;
}

int trial_tune(struct trial_set *sets, size_t count, enum half half,
               size_t rounds, struct weights *w, trial_note *note,
               void *context, struct err *e) {
    static const enum weight order[] = {
        WEIGHT_VECTOR, WEIGHT_CLAUSE_WORDS, WEIGHT_GRAM, WEIGHT_CLAUSE_VECTOR,
        WEIGHT_SERVER, WEIGHT_ROUTE,        WEIGHT_K1,   WEIGHT_B,
        WEIGHT_TYPO};
    static const float steps[] = {0.2f, -0.2f, 0.1f, -0.1f};
    double best;
    if (quality_of(sets, count, half, w, &best, e)) return -1;
    for (size_t r = 0; r < rounds; r++) {
        double before = best;
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
            for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
                struct weights try = *w;
                double quality;
                try.w[order[i]] += steps[k];
                if (try.w[order[i]] < 0) continue;
                if (quality_of(sets, count, half, &try, &quality, e)) return -1;
                if (quality <= best + 1e-5) continue;
                best = quality;
                *w = try;
                if (note)
                    note(context, weight_name(order[i]), w->w[order[i]], best);
            }
        if (best <= before) break;
    }
    return 0;
}
