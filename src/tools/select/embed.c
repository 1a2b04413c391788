/* SPDX-License-Identifier: MIT */
#include "tools/select/embed.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"

#define BUDGET_NS  150000000
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
    for (size_t i = 0; i < m->wanted_count; i++)
        mem_free(m->wanted[i].text);
    mem_free(m->wanted);
    for (size_t i = 0; i < EMBED_RECENT; i++)
        mem_free(m->recent[i].vector);
    map_fini(&m->by_key);
    struct embed bare = {.fetch = m->fetch,
                         .later = m->later,
                         .context = m->context,
                         .budget_ns = m->budget_ns,
                         .batch = m->batch};
    *m = bare;
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

int64_t embed_rests(const struct embed *m) {
    int64_t left = m->rest_until_ns - clock_mono_ns();
    return left > 0 ? left : 0;
}

static void rest(struct embed *m) {
    m->rest_until_ns = clock_mono_ns() + (int64_t)EMBED_REST_S * 1000000000;
}

static int check_awake(const struct embed *m, struct err *e) {
    if (embed_rests(m) == 0) return 0;
    return fail(e, ERR_TIMEOUT, "the endpoint failed a moment ago");
}

/* One call; a failure or an answer after its time makes it rest. */
static int ask(struct embed *m, const str *texts, size_t count,
               int64_t budget_ns, struct embed_reply *r, struct err *e) {
    if (check_awake(m, e)) return -1;
    int64_t start = clock_mono_ns();
    int result = m->fetch(m->context, texts, count, budget_ns, r, e);
    int64_t took = clock_mono_ns() - start;
    if (result == 0 && took > budget_ns)
        result = fail(e, ERR_TIMEOUT, "the endpoint took %lld ms",
                      (long long)(took / 1000000));
    if (result == 0) result = check_reply(m, r, count, e);
    if (result) rest(m);
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

/* Stands in the map for a text that waits. */
#define WAITS ((void *)UINTPTR_MAX)

static str key_text(const uint64_t *key) {
    return (str){(const char *)key, sizeof *key};
}

static int put_key(struct embed *m, uint64_t key, void *value, struct err *e) {
    if (m->by_key.max == 0) m->by_key = MAP_MAX(EMBED_TOOLS);
    return map_put(&m->by_key, key_text(&key), value, NULL, e);
}

/* Of the row that belongs to a key, from 1; 0: none. */
static size_t row_of(const struct embed *m, uint64_t key) {
    void *value = map_get(&m->by_key, key_text(&key));
    return value && value != WAITS ? (size_t)(uintptr_t)value : 0;
}

static int want(struct embed *m, uint64_t key, char *text, struct err *e) {
    if (m->wanted_count == m->wanted_cap) {
        size_t cap = m->wanted_cap * 2 + 64;
        struct embed_wanted *grown =
            mem_resize(m->wanted, cap, sizeof *grown, e);
        if (!grown) return -1;
        m->wanted = grown;
        m->wanted_cap = cap;
    }
    if (put_key(m, key, WAITS, e)) return -1;
    m->wanted[m->wanted_count++] = (struct embed_wanted){key, text};
    return 0;
}

/* A tool that cannot be noted for lack of memory is ranked without a vector. */
void embed_learn(void *context, const struct tool *t) {
    struct embed *m = context;
    struct err ignored;
    uint64_t key = corpus_text_key(t);
    str about = str_sub(t->description, 0, CORPUS_TEXT_BYTES);
    if (map_get(&m->by_key, key_text(&key))) return;
    AUTO_BUF struct buf text = BUF_MAX(CORPUS_TEXT_BYTES * 2 + 64);
    if (buf_addf(&text, &ignored, "%.*s: %.*s",
                 STR_ARG(str_sub(t->name, 0, CORPUS_TEXT_BYTES)),
                 STR_ARG(about)))
        return;
    AUTO_MEM char *owned = buf_take(&text, &ignored);
    if (owned && want(m, key, owned, &ignored) == 0) (void)mem_take(&owned);
}

size_t embed_next(const struct embed *m, str texts[EMBED_BATCH]) {
    size_t n = m->batch > 0 && m->batch < EMBED_BATCH ? m->batch : EMBED_BATCH;
    if (m->shrunk > 0 && m->shrunk < n) n = m->shrunk;
    if (n > m->wanted_count) n = m->wanted_count;
    for (size_t i = 0; i < n; i++)
        texts[i] = str_of(m->wanted[i].text);
    return n;
}

static void forget_wanted(struct embed *m, size_t count) {
    m->wanted_count -= count;
    memmove(m->wanted, m->wanted + count, m->wanted_count * sizeof *m->wanted);
}

int embed_take(struct embed *m, size_t count, const struct embed_reply *r,
               struct err *e) {
    if (check_reply(m, r, count, e) || make_room(m, count, r->dims, e))
        return -1;
    m->dims = r->dims;
    m->shrunk = 0;
    for (size_t i = 0; i < count; i++) {
        uintptr_t row = m->count + 1; /* it replaces WAITS: cannot fail */
        (void)put_key(m, m->wanted[i].key, (void *)row, e);
        unit(r->values + i * r->dims, r->dims, m->rows + m->count * r->dims);
        m->keys[m->count++] = m->wanted[i].key;
        mem_free(m->wanted[i].text);
    }
    forget_wanted(m, count);
    return 0;
}

/* Turns the queue by `count`, in place. */
static void turn_queue(struct embed *m, size_t count) {
    struct embed_wanted moved[EMBED_BATCH];
    memcpy(moved, m->wanted, count * sizeof *moved);
    forget_wanted(m, count);
    memcpy(m->wanted + m->wanted_count, moved, count * sizeof *moved);
    m->wanted_count += count;
}

void embed_refused(struct embed *m, size_t count) {
    rest(m);
    m->shrunk = count > 1 ? count / 2 : 1;
    turn_queue(m, count);
}

int embed_drain(struct embed *m, int64_t budget_ns, struct err *e) {
    int64_t deadline = clock_mono_ns() + budget_ns;
    str texts[EMBED_BATCH];
    size_t n;
    while ((n = embed_next(m, texts)) > 0) {
        struct embed_reply r = {0};
        int64_t left = deadline - clock_mono_ns();
        if (left <= 0)
            return fail(e, ERR_TIMEOUT, "no time left to embed all tools");
        if (ask(m, texts, n, left, &r, e) || embed_take(m, n, &r, e)) return -1;
    }
    return 0;
}

/* ---- requests ---- */

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

static uint64_t request_key(str request) {
    static const uint64_t key[2] = {0x72657175657374, 1};
    return hash_bytes(request.p, request.n, key) | 1; /* 0: an empty place */
}

/* Not remembering it costs a second question, no more. */
static void remember(struct embed *m, uint64_t key, const float *vector) {
    struct err ignored;
    float *copy = mem_alloc(m->dims * sizeof *copy, &ignored);
    if (!copy) return;
    memcpy(copy, vector, m->dims * sizeof *copy);
    mem_free(m->recent[m->recent_at].vector);
    m->recent[m->recent_at].key = key;
    m->recent[m->recent_at].vector = copy;
    m->recent_at = (m->recent_at + 1) % EMBED_RECENT;
}

/* An agent asks with the same words round after round. */
static int request_vector(struct embed *m, str request,
                          struct select_wait *wait, float *out, struct err *e) {
    int64_t budget = m->budget_ns > 0 ? m->budget_ns : BUDGET_NS;
    uint64_t key = request_key(request);
    struct embed_reply r = {0};
    for (size_t i = 0; i < EMBED_RECENT; i++)
        if (m->recent[i].key == key && m->recent[i].vector) {
            memcpy(out, m->recent[i].vector, m->dims * sizeof *out);
            return 0;
        }
    if (wait && m->later) {
        if (check_awake(m, e) ||
            m->later(m->context, key, request, budget, wait, e))
            return -1;
        return fail(e, ERR_WAITING, "the endpoint is asked");
    }
    if (ask(m, &request, 1, budget, &r, e)) return -1;
    unit(r.values, r.dims, out);
    remember(m, key, out);
    return 0;
}

int embed_heard(struct embed *m, uint64_t key, const struct embed_reply *r,
                struct err *e) {
    float vector[EMBED_DIMS];
    if (!r || check_reply(m, r, 1, e)) {
        rest(m);
        return -1;
    }
    unit(r->values, r->dims, vector);
    if (r->dims == m->dims) remember(m, key, vector);
    return 0;
}

/* A tool without a vector stands in the middle of those that have one. */
int embed_score(void *context, const struct corpus *ix, str request,
                struct select_wait *wait, float *out, struct err *e) {
    struct embed *m = context;
    float query[EMBED_DIMS];
    double sum = 0;
    size_t known = 0;
    if (m->count == 0) return fail(e, ERR_MISSING, "no tool is embedded yet");
    if (request_vector(m, request, wait, query, e)) return -1;
    for (size_t i = 0; i < ix->docs.count; i++) {
        const struct doc *d = corpus_doc(ix, i);
        size_t row = d->dead ? 0 : row_of(m, d->text);
        out[i] = NAN;
        if (row == 0) continue;
        out[i] = dot(m->rows + (row - 1) * m->dims, query, m->dims);
        sum += (double)out[i];
        known++;
    }
    if (known == 0) return fail(e, ERR_MISSING, "no tool is embedded yet");
    for (size_t i = 0; i < ix->docs.count; i++)
        if (isnan(out[i])) out[i] = (float)(sum / (double)known);
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
    if (h->dims == 0 || h->dims > EMBED_DIMS || h->count > EMBED_TOOLS ||
        h->count > body.n || body.n != keys + count * dims * sizeof *m->rows)
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
    for (uintptr_t i = 0; i < count; i++)
        if (put_key(m, m->keys[i], (void *)(i + 1), e)) return -1;
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
