/* SPDX-License-Identifier: MIT
 *
 * cordon eval tools: how well selection does on requests with known answers.
 */
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/real.h"
#include "cli/curve.h"
#include "cli/programs.h"
#include "tools/select/trial.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETS      32
#define OUT_BYTES ((size_t)256 << 20)
#define ROUNDS    3

/* Everything the command was asked for, and what came out. */
struct job {
    struct cli *cli;
    struct trial_set sets[SETS];
    const char *names[SETS];
    struct eval_score scores[SETS];
    size_t count;
    size_t ks[EVAL_KS];
    size_t k_count;
    size_t history;
    struct weights weights;
};

static void job_fini(struct job *j) {
    for (size_t i = 0; i < j->count; i++)
        trial_fini(&j->sets[i]);
}

/* ---- options ---- */

static int read_ks(struct job *j, struct err *e) {
    const char *text = args_text(&j->cli->args, "k");
    str rest = str_of(text ? text : "1,3,5,8,10,20");
    while (rest.p) {
        int64_t k;
        if (num_parse_i64(str_trim(str_cut(&rest, ',')), &k, e)) return -1;
        if (k < 1 || k > EVAL_DEPTH || j->k_count == EVAL_KS)
            return fail(e, ERR_USAGE, "--k takes up to %d numbers from 1 to %d",
                        EVAL_KS, EVAL_DEPTH);
        j->ks[j->k_count++] = (size_t)k;
    }
    return 0;
}

/* "vector=0.5,gram=0" onto *w. */
static int set_weights(struct weights *w, str text, struct err *e) {
    while (text.p) {
        str value = str_cut(&text, ',');
        str name = str_trim(str_cut(&value, '='));
        char *end = NULL;
        char number[32];
        snprintf(number, sizeof number, "%.*s", STR_ARG(value));
        float v = strtof(number, &end);
        if (!value.p || end == number || *end)
            return fail(e, ERR_USAGE, "weights are written NAME=NUMBER");
        if (weights_set(w, name, v, e)) return -1;
    }
    return 0;
}

static int open_sets(struct job *j, struct err *e) {
    const struct args *a = &j->cli->args;
    for (size_t i = 0; args_nth(a, "corpus", i); i++) {
        const char *corpus = args_nth(a, "corpus", i);
        const char *queries = args_nth(a, "queries", i);
        if (!queries || i == SETS)
            return fail(e, ERR_USAGE,
                        "each --corpus needs its --queries, and "
                        "at most %d are taken",
                        SETS);
        if (trial_open(&j->sets[i], corpus, queries, e)) return -1;
        j->names[i] = corpus;
        j->count++;
    }
    if (j->count == 0) return fail(e, ERR_USAGE, "--corpus is missing");
    return 0;
}

/* ---- running ---- */

static int run_all(struct job *j, const struct weights *w, enum half half,
                   struct buf *run, struct err *e) {
    for (size_t i = 0; i < j->count; i++) {
        struct trial_set *t = &j->sets[i];
        if (trial_run(t, w, half, j->history, run, e) ||
            eval_score(&t->queries, t->first, t->chosen, j->ks, j->k_count,
                       &j->scores[i], e))
            return fail_while(e, "%s", j->names[i]);
    }
    return 0;
}

static struct eval_score macro_of(const struct job *j) {
    struct eval_score m = {0};
    double n = (double)j->count;
    for (size_t i = 0; i < j->count; i++) {
        m.queries += j->scores[i].queries;
        m.ndcg += j->scores[i].ndcg / n;
        m.mrr += j->scores[i].mrr / n;
        for (size_t k = 0; k < j->k_count; k++) {
            m.recall[k] += j->scores[i].recall[k] / n;
            m.complete[k] += j->scores[i].complete[k] / n;
        }
    }
    return m;
}

/* ---- report ---- */

/* The folder of "x/metatool/corpus.jsonl" names the set. */
static str short_name(const char *path) {
    str s = str_of(path), last = s, before = STR("");
    for (str rest = s; rest.p;) {
        before = last;
        last = str_cut(&rest, '/');
    }
    return before.n > 0 && before.p != s.p ? before : last;
}

static int add_row(const struct job *j, str name, const struct eval_score *s,
                   bool interval, struct buf *out, struct err *e) {
    if (buf_addf(out, e, "%-14.*s %6zu", STR_ARG(name), s->queries)) return -1;
    for (size_t k = 0; k < j->k_count; k++)
        if (buf_addf(out, e, "  %.3f", s->recall[k])) return -1;
    if (buf_addf(out, e, "  %.3f  %.3f  %.3f", s->complete[j->k_count / 2],
                 s->ndcg, s->mrr))
        return -1;
    size_t k = j->k_count / 2;
    if (interval && buf_addf(out, e, "  [%.3f, %.3f]", s->low[k], s->high[k]))
        return -1;
    return buf_add_char(out, '\n', e);
}

static int add_table(const struct job *j, struct buf *out, struct err *e) {
    size_t mid = j->ks[j->k_count / 2];
    if (buf_addf(out, e, "%-14s %6s", "set", "n")) return -1;
    for (size_t k = 0; k < j->k_count; k++) {
        char head[16];
        snprintf(head, sizeof head, "r@%zu", j->ks[k]);
        if (buf_addf(out, e, "  %5s", head)) return -1;
    }
    char all[16];
    snprintf(all, sizeof all, "all@%zu", mid);
    if (buf_addf(out, e, "  %5s  ndcg10  mrr   95%% of r@%zu\n", all, mid))
        return -1;
    for (size_t i = 0; i < j->count; i++)
        if (add_row(j, short_name(j->names[i]), &j->scores[i], true, out, e))
            return -1;
    if (j->count == 1) return 0;
    struct eval_score m = macro_of(j);
    return add_row(j, STR("macro mean"), &m, false, out, e);
}

/* How often an answer would have been empty, rightly or not. */
static int add_refusals(const struct job *j, struct buf *out, struct err *e) {
    size_t asked = 0, refused = 0, off = 0, off_refused = 0;
    for (size_t i = 0; i < j->count; i++) {
        asked += j->scores[i].queries;
        refused += j->sets[i].refused;
        off += j->sets[i].off;
        off_refused += j->sets[i].off_refused;
    }
    if (buf_addf(out, e, "nothing fits: %zu of %zu requests that have a tool",
                 refused, asked))
        return -1;
    if (off > 0 &&
        buf_addf(out, e, ", %zu of %zu that have none", off_refused, off))
        return -1;
    return buf_add_char(out, '\n', e);
}

static void write_refusals(const struct trial_set *t, struct jw *w) {
    jw_put_int(w, "nothing_fits", (int64_t)t->refused);
    jw_put_int(w, "off_topic", (int64_t)t->off);
    jw_put_int(w, "off_topic_nothing_fits", (int64_t)t->off_refused);
}

static void write_score(const struct job *j, struct jw *w, str name,
                        const struct eval_score *s, const struct trial_set *t) {
    jw_object(w);
    jw_put_text(w, "set", name);
    jw_put_int(w, "queries", (int64_t)s->queries);
    jw_key(w, "at");
    jw_array(w);
    for (size_t k = 0; k < j->k_count; k++) {
        jw_object(w);
        jw_put_int(w, "k", (int64_t)j->ks[k]);
        jw_key(w, "recall"), jw_real(w, s->recall[k]);
        jw_key(w, "complete"), jw_real(w, s->complete[k]);
        if (s->high[k] > 0) {
            jw_key(w, "low"), jw_real(w, s->low[k]);
            jw_key(w, "high"), jw_real(w, s->high[k]);
        }
        jw_end_object(w);
    }
    jw_end_array(w);
    jw_key(w, "ndcg10"), jw_real(w, s->ndcg);
    jw_key(w, "mrr"), jw_real(w, s->mrr);
    if (t) write_refusals(t, w);
    jw_end_object(w);
}

static int add_json(const struct job *j, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    struct eval_score m = macro_of(j);
    jw_object(&w);
    jw_key(&w, "sets");
    jw_array(&w);
    for (size_t i = 0; i < j->count; i++)
        write_score(j, &w, short_name(j->names[i]), &j->scores[i], &j->sets[i]);
    jw_end_array(&w);
    jw_key(&w, "macro");
    write_score(j, &w, STR("macro"), &m, NULL);
    jw_end_object(&w);
    if (jw_done(&w, e)) return -1;
    return buf_add_char(out, '\n', e);
}

/* ---- curve, comparison, tuning ---- */

static int add_curves(struct job *j, struct buf *out, struct err *e) {
    const char *svg = args_text(&j->cli->args, "svg");
    AUTO_BUF struct buf picture = BUF_MAX(1 << 20);
    double mean[EVAL_DEPTH] = {0}, curve[EVAL_DEPTH];
    for (size_t i = 0; i < j->count; i++) {
        struct trial_set *t = &j->sets[i];
        eval_curve(&t->queries, t->first, t->chosen, curve);
        for (size_t k = 0; k < EVAL_DEPTH; k++)
            mean[k] += curve[k] / (double)j->count;
    }
    size_t knee = curve_knee(mean, EVAL_DEPTH);
    if (curve_text(mean, 20, knee, out, e)) return -1;
    if (!svg) return 0;
    if (curve_svg(mean, EVAL_DEPTH, knee, &picture, e)) return -1;
    return file_replace(svg, buf_str(&picture), 0644, e);
}

/* Requests whose recall at the middle k changed, by name. */
static int add_changes(const struct job *j, size_t set, const uint32_t *before,
                       struct buf *out, struct err *e) {
    const struct trial_set *t = &j->sets[set];
    size_t k = j->ks[j->k_count / 2], won = 0, lost = 0;
    for (size_t i = 0; i < t->queries.count; i++) {
        double was = eval_recall(&t->queries, before, i, k);
        double is = eval_recall(&t->queries, t->first, i, k);
        if (was == is) continue;
        bool better = is > was;
        if ((better ? won++ : lost++) >= 5) continue;
        str text = str_sub(t->queries.queries[i].text, 0, 60);
        if (buf_addf(out, e, "  %s %.2f -> %.2f  %.*s\n",
                     better ? "won " : "lost", was, is, STR_ARG(text)))
            return -1;
    }
    return buf_addf(out, e, "%.*s: %zu won, %zu lost at %zu\n",
                    STR_ARG(short_name(j->names[set])), won, lost, k);
}

/* A second configuration against the first. */
static int compare(struct job *j, const char *changes, struct buf *out,
                   struct err *e) {
    struct weights other = j->weights;
    if (set_weights(&other, str_of(changes), e)) return -1;
    for (size_t i = 0; i < j->count; i++) {
        struct trial_set *t = &j->sets[i];
        size_t bytes = (t->queries.group_count + 1) * sizeof *t->first;
        AUTO_MEM uint32_t *before = mem_alloc(bytes, e);
        if (!before) return -1;
        memcpy(before, t->first, bytes);
        if (trial_run(t, &other, HALF_BOTH, j->history, NULL, e) ||
            eval_score(&t->queries, t->first, t->chosen, j->ks, j->k_count,
                       &j->scores[i], e) ||
            add_changes(j, i, before, out, e))
            return -1;
    }
    if (buf_addf(out, e, "\nwith %s:\n", changes)) return -1;
    return add_table(j, out, e);
}

static void tell_gain(void *context, const char *weight, float value,
                      double quality) {
    struct job *j = context;
    log_info(&j->cli->log, "%s = %.2f: %.4f", weight, (double)value, quality);
}

/* Tunes on one half and reports the other, both ways, so that every request
 * is judged by weights that never saw it. */
static int grid(struct job *j, struct buf *out, struct err *e) {
    static const struct {
        enum half tune, judge;
        const char *name;
    } ways[] = {{HALF_A, HALF_B, "B"}, {HALF_B, HALF_A, "A"}};
    for (size_t i = 0; i < 2; i++) {
        struct weights w = j->weights;
        if (trial_tune(j->sets, j->count, ways[i].tune, ROUNDS, &w, tell_gain,
                       j, e))
            return -1;
        if (buf_addf(out, e, "half %s, untuned:\n", ways[i].name) ||
            run_all(j, &j->weights, ways[i].judge, NULL, e) ||
            add_table(j, out, e) ||
            buf_addf(out, e, "half %s, tuned on the other:", ways[i].name))
            return -1;
        for (size_t k = 0; k < WEIGHT_COUNT; k++)
            if (w.w[k] != j->weights.w[k] &&
                buf_addf(out, e, " %s=%.2f", weight_name((enum weight)k),
                         (double)w.w[k]))
                return -1;
        if (buf_add_char(out, '\n', e) ||
            run_all(j, &w, ways[i].judge, NULL, e) || add_table(j, out, e))
            return -1;
    }
    return 0;
}

static int report(struct job *j, struct buf *out, struct err *e) {
    const struct args *a = &j->cli->args;
    const char *run_out = args_text(a, "run-out");
    AUTO_BUF struct buf run = BUF_MAX(OUT_BYTES);
    if (args_flag(a, "grid")) return grid(j, out, e);
    if (run_all(j, &j->weights, HALF_BOTH, run_out ? &run : NULL, e)) return -1;
    if (run_out && file_replace(run_out, buf_str(&run), 0644, e)) return -1;
    if (j->cli->json) return add_json(j, out, e);
    if (add_table(j, out, e) || add_refusals(j, out, e) ||
        add_curves(j, out, e))
        return -1;
    const char *changes = args_text(a, "compare");
    return changes ? compare(j, changes, out, e) : 0;
}

static int evaluate(struct job *j, struct err *e) {
    const struct args *a = &j->cli->args;
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    j->weights = weights_default();
    j->history = (size_t)args_int(a, "history", 0);
    for (size_t i = 0; args_nth(a, "weight", i); i++)
        if (set_weights(&j->weights, str_of(args_nth(a, "weight", i)), e))
            return -1;
    if (read_ks(j, e) || open_sets(j, e) || report(j, &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}

int cmd_eval_tools(struct cli *cli, struct err *e) {
    AUTO_MEM struct job *j = mem_zalloc(1, sizeof *j, e);
    if (!j) return -1;
    j->cli = cli;
    int result = evaluate(j, e);
    job_fini(j);
    return result;
}
