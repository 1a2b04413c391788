/* SPDX-License-Identifier: MIT
 *
 * compact -- an index made anew from its living documents.
 */
#include <string.h>

#include "base/mem.h"
#include "tools/select/dictionary.h"
#include "tools/select/ngram.h"

struct move {
    const struct corpus *from;
    struct corpus *to;
    uint32_t *doc;      /* old number -> new, CORPUS_NONE: dead */
    uint32_t *term;     /* old number -> new, CORPUS_NONE: unused */
    uint32_t *server;   /* old ordinal -> new */
    uint32_t *category; /* old ordinal -> new */
};

static int move_term(struct move *m, uint32_t i, struct err *e) {
    const struct term *t = pool_at(&m->from->terms, i);
    const char *key = (const char *)m->from->text.items + t->text;
    enum space space = (enum space)(unsigned char)key[0];
    uint32_t n;
    m->term[i] = CORPUS_NONE;
    if (t->live == 0) return 0;
    if (dictionary_add(m->to, space, (str){key + 1, t->len - 1}, &n, e))
        return -1;
    m->term[i] = n;
    struct term *copy = pool_at(&m->to->terms, n);
    if (space == SPACE_SERVER) m->server[t->row] = (uint32_t)copy->row;
    if (space == SPACE_CATEGORY) m->category[t->row] = (uint32_t)copy->row;
    copy->live = t->live;
    return 0;
}

static int copy_items(const struct pool *from, uint32_t first, uint32_t count,
                      struct pool *to, uint32_t *at, struct err *e) {
    if (pool_grow(to, count, at, e)) return -1;
    if (count > 0)
        memcpy(pool_at(to, *at), pool_at(from, first), count * from->size);
    return 0;
}

static int move_doc(struct move *m, uint32_t i, struct err *e) {
    const struct corpus *from = m->from;
    struct corpus *to = m->to;
    struct doc d = *corpus_doc(from, i);
    uint32_t n, row;
    m->doc[i] = CORPUS_NONE;
    if (d.dead) return 0;
    if (copy_items(&from->text, d.id, d.id_len, &to->text, &d.id, e) ||
        copy_items(&from->forward, d.terms, d.term_count, &to->forward,
                   &d.terms, e) ||
        copy_items(&from->grams, d.grams, d.gram_count, &to->grams, &d.grams,
                   e) ||
        copy_items(&from->rows, i, 1, &to->rows, &row, e) ||
        pool_grow(&to->docs, 1, &n, e))
        return -1;
    uint32_t *forward = pool_at(&to->forward, d.terms);
    for (size_t k = 0; k < d.term_count; k++)
        forward[k] = m->term[forward[k]];
    if (d.server != CORPUS_NONE) d.server = m->server[d.server];
    if (d.category != CORPUS_NONE) d.category = m->category[d.category];
    *corpus_doc(to, n) = d;
    m->doc[i] = n;
    return 0;
}

/* Documents keep their order, so postings stay ascending. */
static int move_postings(struct move *m, uint32_t i, struct err *e) {
    if (m->term[i] == CORPUS_NONE) return 0;
    const struct term *t = pool_at(&m->from->terms, i);
    const struct posting *p = corpus_postings(m->from, t);
    uint32_t at, n = 0;
    if (pool_grow(&m->to->postings, t->live, &at, e)) return -1;
    struct posting *out = pool_at(&m->to->postings, at);
    for (size_t k = 0; k < t->count && n < t->live; k++)
        if (m->doc[p[k].doc] != CORPUS_NONE)
            out[n++] = (struct posting){m->doc[p[k].doc], p[k].weight};
    struct term *copy = pool_at(&m->to->terms, m->term[i]);
    copy->first = at;
    copy->count = n;
    copy->cap = t->live;
    return 0;
}

static int move_all(struct move *m, struct err *e) {
    const struct corpus *from = m->from;
    for (uint32_t i = 0; i < from->terms.count; i++)
        if (move_term(m, i, e)) return -1;
    for (uint32_t i = 0; i < from->docs.count; i++)
        if (move_doc(m, i, e)) return -1;
    for (uint32_t i = 0; i < from->terms.count; i++)
        if (move_postings(m, i, e)) return -1;
    return 0;
}

static int fill(const struct corpus *from, struct corpus *to, struct err *e) {
    AUTO_MEM uint32_t *doc = mem_alloc((from->docs.count + 1) * 4, e);
    AUTO_MEM uint32_t *term = mem_alloc((from->terms.count + 1) * 4, e);
    AUTO_MEM uint32_t *server = mem_alloc((from->servers + 1) * 4, e);
    AUTO_MEM uint32_t *category = mem_alloc((from->categories + 1) * 4, e);
    if (!doc || !term || !server || !category) return -1;
    struct move m = {from, to, doc, term, server, category};
    memcpy(to->seed, from->seed, sizeof to->seed);
    if (move_all(&m, e)) return -1;
    memcpy(to->gram_live, from->gram_live, GRAM_HASHES * sizeof *to->gram_live);
    to->length = from->length;
    to->live = from->live;
    to->always = from->always;
    to->normed_at = from->normed_at;
    to->changes = from->changes + 1;
    return 0;
}

int corpus_compact(struct corpus *ix, struct err *e) {
    struct corpus fresh;
    if (corpus_init(&fresh, &ix->weights, ix->table, e)) return -1;
    if (fill(ix, &fresh, e)) {
        corpus_fini(&fresh);
        return -1;
    }
    corpus_fini(ix);
    *ix = fresh;
    return 0;
}
