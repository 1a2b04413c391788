/* SPDX-License-Identifier: MIT */
#include "tools/select/embed.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"

#define BUDGET_NS  150000000
#define TEXT_BYTES 2048 /* of a tool that are embedded */
#define FILE_BYTES ((size_t)2 << 30)
#define MAGIC      "CORDEMB1"

struct header {
    char magic[8];
    uint64_t model; /* digest of its name */
    uint64_t dims, count;
};

void embed_fini(struct embed *m) {
    mem_free(m->rows);
    mem_free(m->keys);
    mem_free(m->row_of);
    m->rows = NULL;
    m->keys = NULL;
    m->row_of = NULL;
    m->count = m->cap = m->row_cap = m->dims = 0;
    m->seen = 0;
}

/* ---- what the endpoint says ---- */

static int check_reply(const struct embed *m, const struct embed_reply *r,
                       size_t wanted, struct err *e) {
    if (r->count != wanted)
        return fail(e, ERR_PEER, "the endpoint gave %zu vectors for %zu texts",
                    r->count, wanted);
    if (r->dims == 0 || r->dims > EMBED_DIMS || !r->values)
        return fail(e, ERR_PEER, "the endpoint gave vectors of %zu numbers",
                    r->dims);
    if (m->dims > 0 && r->dims != m->dims)
        return fail(e, ERR_PEER,
                    "the endpoint gave vectors of %zu numbers, not %zu",
                    r->dims, m->dims);
    for (size_t i = 0; i < r->count * r->dims; i++)
        if (!isfinite(r->values[i]))
            return fail(e, ERR_PEER, "the endpoint gave a number that is none");
    return 0;
}

/* One call; a failure or an answer after its time makes it rest. */
static int ask(struct embed *m, const str *texts, size_t count,
               int64_t budget_ns, struct embed_reply *r, struct err *e) {
    int64_t start = clock_mono_ns();
    if (start < m->rest_until_ns)
        return fail(e, ERR_TIMEOUT, "the endpoint failed a moment ago");
    int result = m->fetch(m->context, texts, count, budget_ns, r, e);
    int64_t took = clock_mono_ns() - start;
    if (result == 0 && took > budget_ns)
        result = fail(e, ERR_TIMEOUT, "the endpoint took %lld ms",
                      (long long)(took / 1000000));
    if (result == 0) result = check_reply(m, r, count, e);
    if (result)
        m->rest_until_ns = clock_mono_ns() + (int64_t)EMBED_REST_S * 1000000000;
    return result;
}

static void unit(const float *in, size_t dims, float *out) {
    double square = 0;
    for (size_t i = 0; i < dims; i++)
        square += (double)in[i] * (double)in[i];
    float by = square > 0 ? (float)(1.0 / sqrt(square)) : 0;
    for (size_t i = 0; i < dims; i++)
        out[i] = in[i] * by;
}

/* ---- tools ---- */

static int make_room(struct embed *m, size_t more, size_t dims, struct err *e) {
    if (m->count + more <= m->cap) return 0;
    size_t cap = (m->count + more) * 2;
    float *rows = mem_resize(m->rows, cap * dims, sizeof *rows, e);
    if (!rows) return -1;
    m->rows = rows;
    uint64_t *keys = mem_resize(m->keys, cap, sizeof *keys, e);
    if (!keys) return -1;
    m->keys = keys;
    m->cap = cap;
    return 0;
}

static bool is_known(const struct embed *m, uint64_t key) {
    for (size_t i = 0; i < m->count; i++)
        if (m->keys[i] == key) return true;
    return false;
}

/* Name and description: what a model is asked to understand. */
static int text_of(const struct tool *t, struct arena *a, str *out,
                   struct err *e) {
    str text = str_sub(t->description, 0, TEXT_BYTES);
    char *p = arena_printf(a, e, "%.*s: %.*s", STR_ARG(t->name), STR_ARG(text));
    if (!p) return -1;
    *out = str_of(p);
    return 0;
}

struct batch {
    str texts[EMBED_BATCH];
    uint64_t keys[EMBED_BATCH];
    size_t count;
    struct arena arena;
};

static int send_batch(struct embed *m, struct batch *b, int64_t budget_ns,
                      struct err *e) {
    struct embed_reply r = {0};
    if (b->count == 0) return 0;
    if (ask(m, b->texts, b->count, budget_ns, &r, e) ||
        make_room(m, r.count, r.dims, e))
        return -1;
    m->dims = r.dims;
    for (size_t i = 0; i < r.count; i++) {
        unit(r.values + i * r.dims, r.dims, m->rows + m->count * r.dims);
        m->keys[m->count++] = b->keys[i];
    }
    b->count = 0;
    arena_fini(&b->arena);
    return 0;
}

static int embed_all(struct embed *m, const struct catalogue *c,
                     const struct corpus *ix, int64_t deadline, struct batch *b,
                     struct err *e) {
    for (size_t i = 0; i < c->count; i++) {
        uint32_t doc = corpus_find(ix, c->tools[i].id);
        if (doc == CORPUS_NONE) continue;
        uint64_t key = corpus_doc(ix, doc)->digest;
        if (is_known(m, key)) continue;
        if (text_of(&c->tools[i], &b->arena, &b->texts[b->count], e)) return -1;
        b->keys[b->count++] = key;
        int64_t left = deadline - clock_mono_ns();
        if (left <= 0)
            return fail(e, ERR_TIMEOUT, "no time left to embed all tools");
        if (b->count == EMBED_BATCH && send_batch(m, b, left, e)) return -1;
    }
    return send_batch(m, b, deadline - clock_mono_ns(), e);
}

int embed_tools(struct embed *m, const struct catalogue *c,
                const struct corpus *ix, int64_t budget_ns, struct err *e) {
    AUTO_MEM struct batch *b = mem_zalloc(1, sizeof *b, e);
    if (!b) return -1;
    b->arena = ARENA_MAX((size_t)4 << 20);
    int result = embed_all(m, c, ix, clock_mono_ns() + budget_ns, b, e);
    arena_fini(&b->arena);
    return result;
}

/* ---- requests ---- */

static int find_rows(struct embed *m, const struct corpus *ix, struct err *e) {
    if (m->seen == ix->changes + 1 && m->seen_count == m->count) return 0;
    size_t docs = ix->docs.count;
    if (docs > m->row_cap) {
        uint32_t *grown = mem_resize(m->row_of, docs + 64, sizeof *grown, e);
        if (!grown) return -1;
        m->row_of = grown;
        m->row_cap = docs + 64;
    }
    AUTO_MAP struct map rows = MAP_MAX((size_t)1 << 22);
    for (uintptr_t i = 0; i < m->count; i++) {
        str key = {(const char *)&m->keys[i], sizeof m->keys[i]};
        if (map_put(&rows, key, (void *)(i + 1), NULL, e)) return -1;
    }
    for (size_t i = 0; i < docs; i++) {
        uint64_t digest = corpus_doc(ix, i)->digest;
        str key = {(const char *)&digest, sizeof digest};
        m->row_of[i] = (uint32_t)(uintptr_t)map_get(&rows, key);
    }
    m->seen = ix->changes + 1;
    m->seen_count = m->count;
    return 0;
}

/* Eight running sums, for wide registers. */
static float dot(const float *a, const float *b, size_t n) {
    float sum[8] = {0}, tail = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        tail += a[i] * b[i];
    return tail + sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] +
           sum[7];
}

int embed_score(void *context, const struct corpus *ix, str request, float *out,
                struct err *e) {
    struct embed *m = context;
    int64_t budget = m->budget_ns > 0 ? m->budget_ns : BUDGET_NS;
    struct embed_reply r = {0};
    float query[EMBED_DIMS];
    if (m->count == 0) return fail(e, ERR_MISSING, "no tool is embedded yet");
    if (find_rows(m, ix, e) || ask(m, &request, 1, budget, &r, e)) return -1;
    unit(r.values, r.dims, query);
    for (size_t i = 0; i < ix->docs.count; i++) {
        size_t row = m->row_of[i];
        out[i] =
            row > 0 ? dot(m->rows + (row - 1) * m->dims, query, m->dims) : 0;
    }
    return 0;
}

/* ---- on disk ---- */

static uint64_t model_digest(str model) {
    static const uint64_t key[2] = {0x656d626564, 1};
    return hash_bytes(model.p, model.n, key);
}

int embed_save(const struct embed *m, str model, const char *path,
               struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(FILE_BYTES);
    struct header h = {.magic = MAGIC,
                       .model = model_digest(model),
                       .dims = m->dims,
                       .count = m->count};
    if (buf_add(&out, &h, sizeof h, e) ||
        buf_add(&out, m->keys, m->count * sizeof *m->keys, e) ||
        buf_add(&out, m->rows, m->count * m->dims * sizeof *m->rows, e))
        return -1;
    return file_replace(path, buf_str(&out), 0600, e);
}

static int read_rows(struct embed *m, const struct header *h, str body,
                     struct err *e) {
    size_t count = (size_t)h->count, dims = (size_t)h->dims;
    size_t keys = count * sizeof *m->keys;
    if (h->dims == 0 || h->dims > EMBED_DIMS || h->count > body.n ||
        body.n != keys + count * dims * sizeof *m->rows)
        return fail(e, ERR_INVALID, "the cache of embeddings is damaged");
    const char *values = body.p + keys;
    for (size_t i = 0; i < count * dims; i++) {
        float v;
        memcpy(&v, values + i * sizeof v, sizeof v);
        if (!(fabsf(v) <= 1.01f))
            return fail(e, ERR_INVALID, "the cache of embeddings is damaged");
    }
    embed_fini(m);
    if (count == 0) return 0;
    if (make_room(m, count, dims, e)) return -1;
    memcpy(m->keys, body.p, keys);
    memcpy(m->rows, values, count * dims * sizeof *m->rows);
    m->count = count;
    m->dims = dims;
    return 0;
}

int embed_load(struct embed *m, str model, const char *path, struct err *e) {
    AUTO_BUF struct buf file = BUF_MAX(FILE_BYTES);
    struct header h;
    if (file_read(path, &file, e)) return -1;
    if (file.len < sizeof h)
        return fail(e, ERR_INVALID, "the cache of embeddings is damaged");
    memcpy(&h, file.data, sizeof h);
    if (memcmp(h.magic, MAGIC, sizeof h.magic) ||
        h.model != model_digest(model))
        return fail(e, ERR_MISSING, "the cache is of another model");
    return read_rows(m, &h, str_sub(buf_str(&file), sizeof h, file.len), e);
}
