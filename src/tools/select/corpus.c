/* SPDX-License-Identifier: MIT
 *
 * corpus -- adding, replacing and removing documents. See corpus.h.
 */
#include "tools/select/corpus.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tools/select/dictionary.h"
#include "tools/select/ngram.h"
#include "tools/select/tokenise.h"

#define DOC_WORDS  4000 /* words of one tool that count */
#define DEAD_SLACK 64   /* dead documents that are always borne */

/* What corpus_put knows of a term of the document at hand. */
struct mark {
    float lexical, vector; /* weighted counts */
    uint32_t piece;        /* number + 1 of the last piece it was seen in */
};

int corpus_init(struct corpus *ix, const struct weights *w,
                const struct vectors *table, struct err *e) {
    struct corpus fresh = {
        .weights = *w,
        .table = table,
        .docs.size = sizeof(struct doc),
        .text.size = 1,
        .terms.size = sizeof(struct term),
        .slots.size = sizeof(uint32_t),
        .postings.size = sizeof(struct posting),
        .forward.size = sizeof(uint32_t),
        .grams.size = sizeof(struct gram),
        .rows.size = VECTOR_DIMS,
        .signs.size = sizeof(uint64_t),
        .marks.size = sizeof(struct mark),
    };
    if (hash_random(fresh.seed, sizeof fresh.seed, e)) return -1;
    fresh.gram_live = mem_zalloc(GRAM_HASHES, sizeof *fresh.gram_live, e);
    if (!fresh.gram_live) return -1;
    *ix = fresh;
    return 0;
}

void corpus_fini(struct corpus *ix) {
    struct pool *pools[] = {&ix->docs,     &ix->text,    &ix->terms, &ix->slots,
                            &ix->postings, &ix->forward, &ix->grams, &ix->rows,
                            &ix->signs,    &ix->marks};
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++)
        pool_fini(pools[i]);
    mem_free(ix->gram_live);
    ngram_release(ix);
    if (ix->map) munmap(ix->map, ix->map_bytes);
    memset(ix, 0, sizeof *ix);
}

size_t corpus_bytes(const struct corpus *ix) {
    return pool_bytes(&ix->docs) + pool_bytes(&ix->text) +
           pool_bytes(&ix->terms) + pool_bytes(&ix->slots) +
           pool_bytes(&ix->postings) + pool_bytes(&ix->forward) +
           pool_bytes(&ix->grams) + pool_bytes(&ix->rows) +
           pool_bytes(&ix->signs) + pool_bytes(&ix->marks) + ix->map_bytes +
           GRAM_HASHES *
               (sizeof *ix->gram_live +
                (ix->gram_sum ? sizeof *ix->gram_sum + sizeof *ix->gram_seen
                              : 0));
}

size_t corpus_join(str text, char *out, size_t max) {
    struct tokens t = TOKENS_PLAIN(text);
    size_t n = 0;
    while (tokens_next(&t)) {
        size_t need = t.len + (n > 0);
        if (n + need > max) break;
        if (n > 0) out[n++] = '_';
        memcpy(out + n, t.term, t.len);
        n += t.len;
    }
    return n;
}

uint32_t corpus_find(const struct corpus *ix, str id) {
    const struct term *t = corpus_term(ix, SPACE_ID, id);
    if (!t || t->live == 0) return CORPUS_NONE;
    const struct posting *p = corpus_postings(ix, t);
    for (size_t i = t->count; i > 0; i--)
        if (!corpus_doc(ix, p[i - 1].doc)->dead) return p[i - 1].doc;
    return CORPUS_NONE;
}

/* ---- one document ---- */

/* The document being made: nothing of it counts until it is finished. */
struct making {
    struct corpus *ix;
    const struct document *text;
    uint32_t doc;
    uint32_t *touched; /* terms with a mark */
    size_t touched_count;
    float length;
};

static struct mark *mark_of(struct making *m, uint32_t term) {
    return pool_at(&m->ix->marks, term);
}

static int mark_term(struct making *m, uint32_t term, uint32_t piece,
                     float lexical, float vector, struct err *e) {
    struct corpus *ix = m->ix;
    uint32_t at;
    if (term >= ix->marks.count &&
        pool_grow(&ix->marks, term + 1 - ix->marks.count, &at, e))
        return -1;
    struct mark *k = mark_of(m, term);
    if (k->piece == 0) m->touched[m->touched_count++] = term;
    k->piece = piece + 1;
    k->lexical += lexical;
    k->vector += vector;
    m->length += lexical;
    return 0;
}

/* Of past requests each word counts once: a request that repeats a word does
 * not say it louder. */
static int read_piece(struct making *m, uint32_t number, struct err *e) {
    struct corpus *ix = m->ix;
    const struct piece *p = &m->text->pieces[number];
    float lexical = ix->weights.lexical[p->field] * p->credit;
    float vector = ix->weights.vector[p->field] * p->credit;
    struct tokens t = TOKENS(p->text);
    while (m->touched_count < DOC_WORDS && tokens_next(&t)) {
        uint32_t term;
        if (dictionary_add(ix, SPACE_WORD, tokens_term(&t), &term, e))
            return -1;
        bool again =
            term < ix->marks.count && mark_of(m, term)->piece == number + 1;
        if (again && p->field == FIELD_USE) continue;
        if (mark_term(m, term, number, lexical, vector, e)) return -1;
        ngram_add(ix, tokens_term(&t), lexical);
    }
    return 0;
}

static int add_key(struct making *m, enum space space, str text,
                   struct err *e) {
    uint32_t term;
    if (text.n == 0 || text.n > DICTIONARY_KEY) return 0;
    if (dictionary_add(m->ix, space, text, &term, e)) return -1;
    struct mark *k = term < m->ix->marks.count ? mark_of(m, term) : NULL;
    if (k && k->piece > 0) return 0;
    return mark_term(m, term, 0, 0.0f, 0.0f, e);
}

static int add_joined(struct making *m, enum space space, str text,
                      struct err *e) {
    char joined[DICTIONARY_KEY];
    size_t n = corpus_join(text, joined, sizeof joined);
    return add_key(m, space, (str){joined, n}, e);
}

static int add_joined_list(struct making *m, enum space space,
                           const struct json *list, struct err *e) {
    if (!list) return 0;
    const struct json *item = json_first(list);
    for (size_t i = 0; i < json_len(list) && i < 32; i++) {
        if (json_type(item) == JSON_STRING &&
            add_joined(m, space, json_str(item), e))
            return -1;
        item = json_skip(item);
    }
    return 0;
}

static int add_keys(struct making *m, const struct tool *t, struct err *e) {
    if (add_key(m, SPACE_ID, t->id, e) ||
        add_joined(m, SPACE_NAME, t->name, e) ||
        add_joined(m, SPACE_NAME, t->id, e) ||
        add_joined_list(m, SPACE_NAME, t->aliases, e) ||
        add_joined_list(m, SPACE_KEYWORD, t->keywords, e) ||
        add_key(m, SPACE_SERVER, t->server, e))
        return -1;
    return add_joined(m, SPACE_CATEGORY, t->category, e);
}

static int write_postings(struct making *m, struct err *e) {
    struct corpus *ix = m->ix;
    uint32_t at;
    if (pool_grow(&ix->forward, m->touched_count, &at, e)) return -1;
    struct doc *d = corpus_doc(ix, m->doc);
    d->terms = at;
    d->term_count = (uint32_t)m->touched_count;
    uint32_t *forward = pool_at(&ix->forward, at);
    if (m->touched_count > 0)
        memcpy(forward, m->touched, m->touched_count * sizeof *forward);
    for (size_t i = 0; i < m->touched_count; i++) {
        float w = mark_of(m, m->touched[i])->lexical;
        struct posting p = {m->doc, w > 0 ? w : 1.0f};
        if (dictionary_post(ix, m->touched[i], p, e)) return -1;
    }
    return 0;
}

/* Counts are damped, so that a word said ten times does not drown the rest. */
static void write_vector(struct making *m) {
    struct corpus *ix = m->ix;
    float acc[VECTOR_DIMS] = {0};
    for (size_t i = 0; i < m->touched_count; i++) {
        const struct term *t = pool_at(&ix->terms, m->touched[i]);
        float count = mark_of(m, m->touched[i])->vector;
        if (count > 0 && t->row >= 0)
            vectors_add(ix->table, t->row, sqrtf(count), acc);
    }
    corpus_doc(ix, m->doc)->vector_scale =
        vector_pack(acc, pool_at(&ix->rows, m->doc));
}

static uint32_t ordinal_of(const struct corpus *ix, enum space space,
                           str text) {
    const struct term *t = corpus_term(ix, space, text);
    return t ? (uint32_t)t->row : CORPUS_NONE;
}

static void write_groups(struct making *m, const struct tool *t) {
    struct doc *d = corpus_doc(m->ix, m->doc);
    char joined[DICTIONARY_KEY];
    size_t n = corpus_join(t->category, joined, sizeof joined);
    d->server = ordinal_of(m->ix, SPACE_SERVER, t->server);
    d->category = ordinal_of(m->ix, SPACE_CATEGORY, (str){joined, n});
    d->always = t->always;
    d->length = m->length;
}

static int new_doc(struct making *m, const struct tool *t, uint64_t digest,
                   struct err *e) {
    struct corpus *ix = m->ix;
    uint32_t text, row;
    if (pool_grow(&ix->text, t->id.n, &text, e)) return -1;
    memcpy(pool_at(&ix->text, text), t->id.p, t->id.n);
    if (pool_grow(&ix->rows, 1, &row, e)) return -1;
    if (pool_grow(&ix->docs, 1, &m->doc, e)) {
        ix->rows.count--;
        return -1;
    }
    ix->dead++;
    *corpus_doc(ix, m->doc) = (struct doc){.digest = digest,
                                           .text = corpus_text_key(t),
                                           .id = text,
                                           .id_len = (uint32_t)t->id.n,
                                           .server = CORPUS_NONE,
                                           .category = CORPUS_NONE,
                                           .dead = true};
    return 0;
}

static int make_doc(struct making *m, const struct tool *t, struct err *e) {
    for (uint32_t i = 0; i < m->text->count; i++)
        if (read_piece(m, i, e)) return -1;
    if (add_keys(m, t, e) || write_postings(m, e) ||
        ngram_write(m->ix, m->doc, e))
        return -1;
    write_vector(m);
    write_groups(m, t);
    return 0;
}

/* The one step that makes a document count, or stop counting. */
static void set_alive(struct corpus *ix, uint32_t doc, bool alive) {
    struct doc *d = corpus_doc(ix, doc);
    const uint32_t *forward = pool_at(&ix->forward, d->terms);
    const struct gram *g = pool_at(&ix->grams, d->grams);
    for (size_t i = 0; i < d->term_count; i++) {
        struct term *t = pool_at(&ix->terms, forward[i]);
        t->live += alive ? 1 : (uint32_t)-1;
    }
    for (size_t i = 0; i < d->gram_count; i++)
        ix->gram_live[g[i].hash] += alive ? 1 : (uint32_t)-1;
    ix->length += alive ? (double)d->length : -(double)d->length;
    ix->live += alive ? 1 : (size_t)-1;
    if (d->always) ix->always += alive ? 1 : (size_t)-1;
    ix->dead += alive ? (size_t)-1 : 1;
    d->dead = !alive;
    ix->changes++;
}

static uint64_t digest_of(const struct tool *t, const struct document *d) {
    static const uint64_t key[2] = {0x636f72646f6e, 1};
    uint64_t sum = t->always;
    for (size_t i = 0; i < d->count; i++) {
        const struct piece *p = &d->pieces[i];
        uint64_t part[4] = {sum, p->field,
                            hash_bytes(p->text.p, p->text.n, key),
                            (uint64_t)(p->credit * 65536.0f)};
        sum = hash_bytes(part, sizeof part, key);
    }
    return sum;
}

uint64_t corpus_text_key(const struct tool *t) {
    static const uint64_t key[2] = {0x636f72646f6e, 2};
    str text = str_sub(t->description, 0, CORPUS_TEXT_BYTES);
    uint64_t parts[] = {hash_bytes(t->name.p, t->name.n, key),
                        hash_bytes(text.p, text.n, key)};
    return hash_bytes(parts, sizeof parts, key);
}

int corpus_put(struct corpus *ix, const struct tool *t,
               const struct document *d, struct err *e) {
    uint64_t digest = digest_of(t, d);
    uint32_t old = corpus_find(ix, t->id);
    if (old != CORPUS_NONE && corpus_doc(ix, old)->digest == digest) {
        /* What it is not for may have changed: that is not indexed. */
        corpus_doc(ix, old)->text = corpus_text_key(t);
        return 0;
    }
    if (t->id.n > DICTIONARY_KEY)
        return fail(e, ERR_LIMIT, "a tool's id is longer than %d bytes",
                    DICTIONARY_KEY);
    struct making m = {.ix = ix, .text = d};
    AUTO_MEM uint32_t *touched =
        mem_alloc((DOC_WORDS + 128) * sizeof *touched, e);
    if (!touched || ngram_scratch(ix, e)) return -1;
    m.touched = touched;
    if (new_doc(&m, t, digest, e)) return -1;
    int result = make_doc(&m, t, e);
    for (size_t i = 0; i < m.touched_count; i++)
        *mark_of(&m, m.touched[i]) = (struct mark){0};
    ngram_reset(ix);
    if (result) return -1;
    set_alive(ix, m.doc, true);
    if (old != CORPUS_NONE) set_alive(ix, old, false);
    struct err later; /* a failed clean-up is tried again at the next change */
    if (ix->dead > ix->live / 4 + DEAD_SLACK) (void)corpus_compact(ix, &later);
    return 0;
}

int corpus_rest(struct corpus *ix, struct err *e) {
    ngram_settle(ix);
    if (corpus_compact(ix, e)) return -1; /* and so without the scratch */
    if (ix->table) vectors_rest(ix->table);
    return 0;
}

bool corpus_drop(struct corpus *ix, str id) {
    uint32_t doc = corpus_find(ix, id);
    if (doc == CORPUS_NONE) return false;
    set_alive(ix, doc, false);
    return true;
}
