/* SPDX-License-Identifier: MIT
 *
 * train_table -- makes the word-vector table that tool selection ships.
 *
 *   train_table OUT PROVENANCE PAIRS.jsonl...
 *
 * Each input file is one source: a JSON array of two strings a line, two ways
 * to say one thing. A text is the sum of its words' vectors; training pulls
 * the two sides of a pair together and pushes them from the other pairs of the
 * batch (softmax over cosines, both ways, Adagrad). A batch comes from one
 * source, so that the others in it are near misses rather than another topic.
 *
 * Same input, same table: one thread, own random numbers, no fast-math.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "tools/select/tokenise.h"
#include "tools/select/vectors.h"
#include "json/json.h"

#define DIMS       VECTOR_DIMS
#define BATCH      256
#define SIDE_MAX   48 /* words of one side that count */
#define FILE_MAX   ((size_t)64 << 20)
#define TERMS      ((size_t)1 << 20)
#define SOURCES    16
#define MEAN_EVERY 20 /* steps between rows that enter the mean */

/* Chosen on the development sets; docs/selection.md has what else was tried. */
static const struct settings {
    size_t words; /* rows of the table */
    size_t steps; /* batches */
    float rate;   /* Adagrad's learning rate at the start */
    float heat;   /* softmax temperature */
    float drop;   /* share of words left out of a side while training */
    float power;  /* a source is drawn by its size to this power */
} settings = {.words = 17000,
              .steps = 16000,
              .rate = 0.2f,
              .heat = 0.13f,
              .drop = 0.1f,
              .power = 0.5f};

struct side {
    uint32_t first; /* into corpus.ids */
    uint32_t count;
};

struct pair {
    struct side side[2];
};

struct source {
    uint32_t first, count; /* into corpus.pairs */
};

struct corpus {
    uint32_t *ids; /* vocabulary numbers of all sides */
    size_t id_count, id_cap;
    struct pair *pairs;
    size_t pair_count, pair_cap;
    struct source sources[SOURCES];
    size_t source_count;
    struct map vocabulary; /* term -> (number + 1) */
    uint32_t *seen;        /* occurrences by number */
    size_t seen_cap;
};

static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static float next_unit(uint64_t *state) {
    return (float)(next_random(state) >> 40) / 16777216.0f;
}

static void *grow(void *p, size_t used, size_t *cap, size_t size) {
    if (used < *cap) return p;
    struct err e;
    *cap = *cap ? *cap * 2 : 1024;
    p = mem_resize(p, *cap, size, &e);
    if (!p) exit(125);
    return p;
}

static uint32_t word_number(struct corpus *c, str term) {
    struct err e;
    uintptr_t known = (uintptr_t)map_get(&c->vocabulary, term);
    if (known == 0) {
        known = c->vocabulary.live + 1;
        if (map_put(&c->vocabulary, term, (void *)known, NULL, &e)) exit(125);
        c->seen = grow(c->seen, known, &c->seen_cap, sizeof *c->seen);
        c->seen[known - 1] = 0;
    }
    c->seen[known - 1]++;
    return (uint32_t)known - 1;
}

static struct side read_side(struct corpus *c, str text) {
    struct side s = {.first = (uint32_t)c->id_count};
    struct tokens t = TOKENS(text);
    while (tokens_next(&t) && s.count < SIDE_MAX) {
        uint32_t id = word_number(c, tokens_term(&t));
        size_t i = s.first;
        while (i < c->id_count && c->ids[i] != id)
            i++;
        if (i < c->id_count) continue;
        c->ids = grow(c->ids, c->id_count, &c->id_cap, sizeof *c->ids);
        c->ids[c->id_count++] = id;
        s.count++;
    }
    return s;
}

static int read_line(struct corpus *c, str line, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *v = NULL;
    if (json_parse(line, NULL, &a, &v, e)) return -1;
    struct pair p;
    for (size_t i = 0; i < 2; i++) {
        const struct json *text = json_at(v, i);
        if (!text || json_type(text) != JSON_STRING)
            return fail(e, ERR_INVALID, "a pair is two strings");
        p.side[i] = read_side(c, json_str(text));
        if (p.side[i].count == 0) return 0;
    }
    c->pairs = grow(c->pairs, c->pair_count, &c->pair_cap, sizeof *c->pairs);
    c->pairs[c->pair_count++] = p;
    return 0;
}

static int read_source(struct corpus *c, const char *path, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(FILE_MAX);
    if (file_read(path, &text, e)) return -1;
    struct source s = {.first = (uint32_t)c->pair_count};
    str rest = buf_str(&text);
    while (rest.p) {
        str line = str_trim(str_cut(&rest, '\n'));
        if (line.n > 0 && read_line(c, line, e))
            return fail_while(e, "%s", path);
    }
    s.count = (uint32_t)c->pair_count - s.first;
    if (s.count < BATCH) return fail(e, ERR_INVALID, "%s: too short", path);
    c->sources[c->source_count++] = s;
    return 0;
}

/* ---- the model ---- */

struct model {
    size_t rows;
    uint32_t *row_of; /* vocabulary number -> row + 1; 0: not in the table */
    float *row;       /* rows x DIMS */
    float *square;    /* Adagrad's sum of squares, one a row */
    float *sum;       /* of the rows after each of the later steps */
};

struct batch {
    uint32_t ids[2][BATCH][SIDE_MAX];
    uint32_t count[2][BATCH];
    float unit[2][BATCH][DIMS]; /* normalised sums */
    float norm[2][BATCH];
    float sim[BATCH][BATCH];  /* cosine / heat */
    float pull[BATCH][BATCH]; /* gradient of the loss by sim */
    float grad[2][BATCH][DIMS];
};

/* Eight running sums, so that compilers may use wide registers and the order
 * of additions is still the same everywhere. */
static float dot(const float *a, const float *b) {
    float sum[8] = {0};
    for (size_t i = 0; i < DIMS; i += 8)
        for (size_t j = 0; j < 8; j++)
            sum[j] += a[i + j] * b[i + j];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) +
           ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static void add_scaled(float *to, const float *v, float by) {
    for (size_t i = 0; i < DIMS; i++)
        to[i] += v[i] * by;
}

static void embed_side(const struct model *m, struct batch *b, size_t side,
                       size_t i) {
    float *unit = b->unit[side][i];
    memset(unit, 0, sizeof b->unit[side][i]);
    for (size_t w = 0; w < b->count[side][i]; w++)
        add_scaled(unit, m->row + (size_t)b->ids[side][i][w] * DIMS, 1.0f);
    float norm = sqrtf(dot(unit, unit)) + 1e-6f;
    b->norm[side][i] = norm;
    for (size_t d = 0; d < DIMS; d++)
        unit[d] /= norm;
}

static bool pick_side(const struct model *m, const struct corpus *c,
                      const struct side *s, float drop, uint64_t *rng,
                      struct batch *b, size_t side, size_t i) {
    uint32_t n = 0;
    for (size_t w = 0; w < s->count; w++) {
        uint32_t row = m->row_of[c->ids[s->first + w]];
        if (row == 0 || (s->count > 1 && next_unit(rng) < drop)) continue;
        b->ids[side][i][n++] = row - 1;
    }
    b->count[side][i] = n;
    return n > 0;
}

static void pick_batch(const struct model *m, const struct corpus *c,
                       const struct source *s, float drop, uint64_t *rng,
                       struct batch *b) {
    for (size_t i = 0; i < BATCH;) {
        const struct pair *p =
            &c->pairs[s->first + next_random(rng) % s->count];
        if (pick_side(m, c, &p->side[0], drop, rng, b, 0, i) &&
            pick_side(m, c, &p->side[1], drop, rng, b, 1, i))
            i++;
    }
}

/* softmax over a row or a column, minus the one-hot truth, into pull. */
static void softmax_pull(struct batch *b, size_t i, bool by_row) {
    float max = -1e30f, sum = 0;
    for (size_t j = 0; j < BATCH; j++)
        max = fmaxf(max, by_row ? b->sim[i][j] : b->sim[j][i]);
    float e[BATCH];
    for (size_t j = 0; j < BATCH; j++)
        sum += e[j] = expf((by_row ? b->sim[i][j] : b->sim[j][i]) - max);
    for (size_t j = 0; j < BATCH; j++) {
        float g = e[j] / sum - (i == j ? 1.0f : 0.0f);
        *(by_row ? &b->pull[i][j] : &b->pull[j][i]) += g;
    }
}

static void batch_gradient(struct batch *b, float heat) {
    for (size_t i = 0; i < BATCH; i++)
        for (size_t j = 0; j < BATCH; j++)
            b->sim[i][j] = dot(b->unit[0][i], b->unit[1][j]) / heat;
    memset(b->pull, 0, sizeof b->pull);
    for (size_t i = 0; i < BATCH; i++) {
        softmax_pull(b, i, true);
        softmax_pull(b, i, false);
    }
    memset(b->grad, 0, sizeof b->grad);
    for (size_t i = 0; i < BATCH; i++)
        for (size_t j = 0; j < BATCH; j++) {
            float g = b->pull[i][j] / heat;
            if (fabsf(g) < 1e-5f) continue;
            add_scaled(b->grad[0][i], b->unit[1][j], g);
            add_scaled(b->grad[1][j], b->unit[0][i], g);
        }
}

/* Back through the normalisation, then one Adagrad step a word. */
static void apply_side(struct model *m, struct batch *b, size_t side, size_t i,
                       float rate) {
    float *g = b->grad[side][i];
    const float *unit = b->unit[side][i];
    add_scaled(g, unit, -dot(g, unit));
    float scale = 1.0f / b->norm[side][i];
    float size = dot(g, g) * scale * scale / (float)DIMS;
    for (size_t w = 0; w < b->count[side][i]; w++) {
        size_t row = b->ids[side][i][w];
        m->square[row] += size;
        float step = rate / sqrtf(m->square[row] + 1e-8f);
        add_scaled(m->row + row * DIMS, g, -scale * step);
    }
}

static const struct source *pick_source(const struct corpus *c, float power,
                                        uint64_t *rng) {
    float total = 0;
    for (size_t i = 0; i < c->source_count; i++)
        total += powf((float)c->sources[i].count, power);
    float at = next_unit(rng) * total;
    for (size_t i = 0; i + 1 < c->source_count; i++) {
        at -= powf((float)c->sources[i].count, power);
        if (at < 0) return &c->sources[i];
    }
    return &c->sources[c->source_count - 1];
}

/* The mean of the rows over the later half of training is steadier than the
 * last of them. */
static void add_to_mean(struct model *m) {
    for (size_t i = 0; i < m->rows * DIMS; i++)
        m->sum[i] += m->row[i];
}

static void take_mean(struct model *m, size_t count) {
    for (size_t i = 0; i < m->rows * DIMS; i++)
        m->row[i] = m->sum[i] / (float)count;
}

static void train(struct model *m, const struct corpus *c, struct batch *b) {
    const struct settings *s = &settings;
    size_t averaged = 0;
    uint64_t rng = 1;
    for (size_t i = 0; i < m->rows * DIMS; i++)
        m->row[i] = (next_unit(&rng) - 0.5f) * 0.2f;
    for (size_t step = 0; step < s->steps; step++) {
        pick_batch(m, c, pick_source(c, s->power, &rng), s->drop, &rng, b);
        for (size_t side = 0; side < 2; side++)
            for (size_t i = 0; i < BATCH; i++)
                embed_side(m, b, side, i);
        batch_gradient(b, s->heat);
        float rate = s->rate * (1.0f - (float)step / (float)s->steps * 0.9f);
        for (size_t side = 0; side < 2; side++)
            for (size_t i = 0; i < BATCH; i++)
                apply_side(m, b, side, i, rate);
        if (step >= s->steps / 2 && step % MEAN_EVERY == 0) {
            add_to_mean(m);
            averaged++;
        }
        if (step % 1000 == 0) fprintf(stderr, "step %zu\n", step);
    }
    take_mean(m, averaged);
}

/* ---- from corpus to table ---- */

struct word {
    str text;
    uint32_t number; /* in the vocabulary */
    uint32_t seen;
};

static int by_frequency(const void *a, const void *b) {
    const struct word *x = a, *y = b;
    if (x->seen != y->seen) return x->seen < y->seen ? 1 : -1;
    return str_cmp(x->text, y->text);
}

static int by_text(const void *a, const void *b) {
    return str_cmp(((const struct word *)a)->text,
                   ((const struct word *)b)->text);
}

/* The most frequent words, in alphabetical order: the table's rows. */
static struct word *choose_words(const struct corpus *c, size_t *count) {
    struct err e;
    size_t all = c->vocabulary.live, n = 0;
    struct word *words = mem_zalloc(all, sizeof *words, &e);
    if (!words) exit(125);
    const struct map_entry *it;
    for (size_t i = 0; (it = map_next(&c->vocabulary, &i));) {
        uint32_t number = (uint32_t)(uintptr_t)it->value - 1;
        words[n++] =
            (struct word){{it->key, it->key_len}, number, c->seen[number]};
    }
    qsort(words, all, sizeof *words, by_frequency);
    *count = all < settings.words ? all : settings.words;
    qsort(words, *count, sizeof *words, by_text);
    return words;
}

static int write_table(const struct model *m, const struct word *words,
                       str provenance, const char *path, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(FILE_MAX);
    AUTO_MEM str *texts = mem_zalloc(m->rows, sizeof *texts, e);
    if (!texts) return -1;
    for (size_t i = 0; i < m->rows; i++)
        texts[i] = words[i].text;
    if (vectors_write(texts, m->row, m->rows, provenance, &out, e)) return -1;
    return file_replace(path, buf_str(&out), 0644, e);
}

static int make_table(const char *path, const char *provenance_path,
                      char *const *sources, struct err *e) {
    static struct corpus c;
    c.vocabulary = MAP_MAX(TERMS);
    AUTO_BUF struct buf provenance = BUF_MAX(1 << 16);
    if (file_read(provenance_path, &provenance, e)) return -1;
    for (; *sources; sources++)
        if (read_source(&c, *sources, e)) return -1;
    struct model m = {0};
    AUTO_MEM struct word *words = choose_words(&c, &m.rows);
    AUTO_MEM struct batch *b = mem_zalloc(1, sizeof *b, e);
    m.row = mem_zalloc(m.rows * DIMS, sizeof *m.row, e);
    m.square = mem_zalloc(m.rows, sizeof *m.square, e);
    m.sum = mem_zalloc(m.rows * DIMS, sizeof *m.sum, e);
    m.row_of = mem_zalloc(c.vocabulary.live, sizeof *m.row_of, e);
    if (!b || !m.row || !m.square || !m.sum || !m.row_of) return -1;
    for (uint32_t i = 0; i < m.rows; i++)
        m.row_of[words[i].number] = i + 1;
    fprintf(stderr, "%zu pairs, %zu words, %zu rows\n", c.pair_count,
            c.vocabulary.live, m.rows);
    train(&m, &c, b);
    return write_table(&m, words, buf_str(&provenance), path, e);
}

int main(int argc, char **argv) {
    struct err e;
    if (argc < 4 || argc > 3 + SOURCES) {
        fprintf(stderr, "usage: train_table OUT PROVENANCE PAIRS.jsonl...\n");
        return 2;
    }
    if (make_table(argv[1], argv[2], argv + 3, &e) == 0) return 0;
    fprintf(stderr, "train_table: %s\n", e.text);
    return err_exit_status(e.kind);
}
