/* SPDX-License-Identifier: MIT
 *
 * corpus_file -- an index as a file: written whole, mapped back.
 *
 * The file is a header and the index's arrays, each at a multiple of 64 bytes.
 * It is a cache in this machine's own layout, not an exchange format: anything
 * unexpected means that it is built anew. Nothing in it is believed: every
 * number that is used to find something is checked before the index is used.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "tools/select/dictionary.h"
#include "tools/select/ngram.h"

#define MAGIC      "CORDIDX1"
#define ALIGN      64u
#define PARTS      10
#define FILE_BYTES ((size_t)4 << 30)

struct header {
    char magic[8];
    uint64_t shape; /* of the structs, the weights and the vector table */
    uint64_t seed[2];
    uint64_t live, dead, servers, categories, keywords, always, normed_at;
    double length;
    uint64_t count[PARTS]; /* items of each array */
};

/* The arrays in file order; gram_live is handled as one more. */
static void list_parts(struct corpus *ix, struct pool *live,
                       struct pool *parts[PARTS]) {
    *live = (struct pool){ix->gram_live, GRAM_HASHES, 0, sizeof(uint32_t)};
    struct pool *all[PARTS] = {
        &ix->docs,    &ix->text,  &ix->terms, &ix->slots, &ix->postings,
        &ix->forward, &ix->grams, &ix->rows,  &ix->signs, live};
    memcpy(parts, all, sizeof all);
}

static uint64_t shape_of(const struct weights *w, const struct vectors *table) {
    static const uint64_t key[2] = {0x696e646578, 1};
    uint64_t parts[] = {
        sizeof(struct doc),
        sizeof(struct term),
        VECTOR_DIMS,
        hash_bytes(w, sizeof *w, key),
        table ? table->count : 0,
        table ? hash_bytes(table->provenance.p, table->provenance.n, key) : 0,
        table
            ? hash_bytes(table->scale, table->count * sizeof *table->scale, key)
            : 0,
    };
    return hash_bytes(parts, sizeof parts, key);
}

static size_t padded(size_t n) {
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

static int add_part(struct buf *out, const void *p, size_t n, struct err *e) {
    static const char zeros[ALIGN];
    if (buf_add(out, p ? p : "", n, e)) return -1;
    return buf_add(out, zeros, padded(n) - n, e);
}

int corpus_save(const struct corpus *ix, const char *path, struct err *e) {
    struct corpus copy = *ix; /* only to list its arrays */
    struct pool live, *parts[PARTS];
    list_parts(&copy, &live, parts);
    struct header h = {.magic = MAGIC,
                       .shape = shape_of(&ix->weights, ix->table),
                       .seed = {ix->seed[0], ix->seed[1]},
                       .live = ix->live,
                       .dead = ix->dead,
                       .servers = ix->servers,
                       .categories = ix->categories,
                       .keywords = ix->keywords,
                       .always = ix->always,
                       .normed_at = ix->normed_at,
                       .length = ix->length};
    for (size_t i = 0; i < PARTS; i++)
        h.count[i] = parts[i]->count;
    AUTO_BUF struct buf out = BUF_MAX(FILE_BYTES);
    if (add_part(&out, &h, sizeof h, e)) return -1;
    for (size_t i = 0; i < PARTS; i++)
        if (add_part(&out, parts[i]->items, parts[i]->count * parts[i]->size,
                     e))
            return -1;
    return file_replace(path, buf_str(&out), 0600, e);
}

/* ---- loading ---- */

static bool within(uint64_t first, uint64_t count, size_t size) {
    return count <= size && first <= size - count;
}

static bool sound_doc(const struct corpus *ix, const struct doc *d) {
    return within(d->id, d->id_len, ix->text.count) &&
           within(d->terms, d->term_count, ix->forward.count) &&
           within(d->grams, d->gram_count, ix->grams.count) &&
           (d->server == CORPUS_NONE || d->server < ix->servers) &&
           (d->category == CORPUS_NONE || d->category < ix->categories) &&
           d->length >= 0 && d->length < 1e9f && d->dead <= 1 &&
           d->always <= 1 && d->cluster <= CLUSTERS &&
           fabsf(d->vector_scale) < 1e9f && fabsf(d->gram_norm) < 1e9f;
}

static bool sound_row(const struct corpus *ix, const struct term *t) {
    char space = ((const char *)ix->text.items)[t->text];
    size_t rows = ix->table ? ix->table->count : 0;
    if (space == SPACE_WORD)
        return t->row == -1 || (t->row >= 0 && (size_t)t->row < rows);
    if (space == SPACE_SERVER)
        return t->row >= 0 && (size_t)t->row < ix->servers;
    if (space == SPACE_CATEGORY)
        return t->row >= 0 && (size_t)t->row < ix->categories;
    return true;
}

static bool sound_term(const struct corpus *ix, const struct term *t) {
    if (!within(t->text, t->len, ix->text.count) || t->len < 1 ||
        t->len > DICTIONARY_KEY + 1 || t->count > t->cap ||
        !within(t->first, t->cap, ix->postings.count) || t->live > t->count ||
        t->live > ix->live || !sound_row(ix, t))
        return false;
    const struct posting *p = corpus_postings(ix, t);
    for (size_t i = 0; i < t->count; i++)
        if (p[i].doc >= ix->docs.count ||
            !(p[i].weight >= 0 && p[i].weight < 1e9f))
            return false;
    return true;
}

/* A power of two, at least one slot free, every number a term. */
static bool sound_slots(const struct corpus *ix) {
    size_t n = ix->slots.count, taken = 0;
    const uint32_t *slots = ix->slots.items;
    if (n == 0) return ix->terms.count == 0;
    if ((n & (n - 1)) != 0) return false;
    for (size_t i = 0; i < n; i++) {
        if (slots[i] > ix->terms.count) return false;
        taken += slots[i] != 0;
    }
    return taken < n && taken == ix->terms.count;
}

static bool sound_counts(const struct corpus *ix) {
    size_t dead = 0, always = 0;
    double length = 0;
    for (size_t i = 0; i < ix->docs.count; i++) {
        const struct doc *d = corpus_doc(ix, i);
        if (!sound_doc(ix, d)) return false;
        dead += d->dead;
        if (d->dead) continue;
        always += d->always;
        length += (double)d->length;
    }
    return dead == ix->dead && always == ix->always &&
           ix->docs.count - dead == ix->live &&
           fabs(length - ix->length) <= 1e-3 * (1 + length) &&
           ix->servers <= ix->terms.count &&
           ix->categories <= ix->terms.count && ix->normed_at <= UINT32_MAX;
}

static int check(const struct corpus *ix, struct err *e) {
    if (ix->rows.count != ix->docs.count ||
        ix->signs.count != ix->terms.count || !sound_slots(ix) ||
        !sound_counts(ix))
        return fail(e, ERR_INVALID, "the index file is damaged");
    const struct term *terms = ix->terms.items;
    for (size_t i = 0; i < ix->terms.count; i++)
        if (!sound_term(ix, &terms[i]))
            return fail(e, ERR_INVALID, "the index file is damaged");
    const uint32_t *forward = ix->forward.items;
    for (size_t i = 0; i < ix->forward.count; i++)
        if (forward[i] >= ix->terms.count)
            return fail(e, ERR_INVALID, "the index file is damaged");
    return 0;
}

/* Points the arrays into the mapped file. */
static int place_parts(struct corpus *ix, const struct header *h,
                       struct err *e) {
    struct pool live, *parts[PARTS];
    list_parts(ix, &live, parts);
    size_t at = padded(sizeof *h);
    for (size_t i = 0; i < PARTS; i++) {
        size_t bytes;
        if (h->count[i] > UINT32_MAX ||
            num_mul((size_t)h->count[i], parts[i]->size, &bytes) ||
            !within(at, bytes, ix->map_bytes))
            return fail(e, ERR_INVALID, "the index file is cut short");
        parts[i]->items = (char *)ix->map + at;
        parts[i]->count = (size_t)h->count[i];
        at += padded(bytes);
        if (at > ix->map_bytes)
            return fail(e, ERR_INVALID, "the index file is cut short");
    }
    if (live.count != GRAM_HASHES)
        return fail(e, ERR_INVALID, "the index file is damaged");
    memcpy(ix->gram_live, live.items, GRAM_HASHES * sizeof *ix->gram_live);
    return 0;
}

static int map_file(const char *path, struct corpus *ix, struct err *e) {
    AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return fail(e, ERR_MISSING, "there is no index at %s", path);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) return fail_sys(e, "%s", path);
    if (st.st_size < (off_t)sizeof(struct header))
        return fail(e, ERR_INVALID, "%s is not an index", path);
    /* Private: marking a document dead must not reach the file. */
    void *map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) return fail_sys(e, "map %s", path);
    ix->map = map;
    ix->map_bytes = (size_t)st.st_size;
    return 0;
}

static int load(struct corpus *ix, const char *path, struct err *e) {
    struct header h;
    if (map_file(path, ix, e)) return -1;
    memcpy(&h, ix->map, sizeof h);
    if (memcmp(h.magic, MAGIC, sizeof h.magic) ||
        h.shape != shape_of(&ix->weights, ix->table))
        return fail(e, ERR_MISSING, "%s is of another version", path);
    memcpy(ix->seed, h.seed, sizeof ix->seed);
    ix->live = (size_t)h.live;
    ix->dead = (size_t)h.dead;
    ix->servers = (size_t)h.servers;
    ix->categories = (size_t)h.categories;
    ix->keywords = (size_t)h.keywords;
    ix->always = (size_t)h.always;
    ix->normed_at = (size_t)h.normed_at;
    ix->length = h.length;
    if (place_parts(ix, &h, e)) return -1;
    return check(ix, e);
}

int corpus_load(struct corpus *ix, const char *path, const struct weights *w,
                const struct vectors *table, struct err *e) {
    struct corpus fresh;
    if (corpus_init(&fresh, w, table, e)) return -1;
    if (load(&fresh, path, e)) {
        corpus_fini(&fresh);
        return -1;
    }
    *ix = fresh;
    return 0;
}
