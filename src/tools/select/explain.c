/* SPDX-License-Identifier: MIT */
#include "tools/select/explain.h"

#include <string.h>

#include "tools/select/dictionary.h"
#include "tools/select/memory.h"
#include "tools/select/tokenise.h"

/* Field-weighted counts of one word in the tool. */
struct counts {
    float field[FIELD_COUNT];
    float all;
};

static struct counts count_word(const struct corpus *ix,
                                const struct document *d, str stem) {
    struct counts c = {0};
    for (size_t i = 0; i < d->count; i++) {
        const struct piece *p = &d->pieces[i];
        float weight = ix->weights.lexical[p->field] * p->credit;
        struct tokens t = TOKENS(p->text);
        while (tokens_next(&t)) {
            if (!str_eq(tokens_term(&t), stem)) continue;
            c.field[p->field] += weight;
            c.all += weight;
        }
    }
    return c;
}

static float norm_of(const struct corpus *ix, const struct doc *d) {
    float k1 = ix->weights.w[WEIGHT_K1], b = ix->weights.w[WEIGHT_B];
    float mean = ix->live > 0 ? (float)(ix->length / (double)ix->live) : 1;
    return k1 * (1.0f - b + b * d->length / (mean > 0 ? mean : 1));
}

/* A word's gain is shared among the fields by what each counted. */
static void add_word(const struct corpus *ix, const struct query *q,
                     const struct query_term *t, const struct counts *c,
                     float norm, struct explanation *out) {
    float gain = t->idf * t->weight * (ix->weights.w[WEIGHT_K1] + 1.0f) *
                 c->all / (c->all + norm);
    struct explained_word *w = &out->words[out->word_count++];
    *w = (struct explained_word){str_sub(q->text, t->start, t->end), 0};
    for (size_t f = 0; f < FIELD_COUNT; f++) {
        if (!(c->field[f] > 0)) continue;
        out->field[f] += gain * c->field[f] / c->all;
        w->fields |= 1u << f;
    }
}

void explain(const struct selector *s, const struct tool *t, str request,
             struct explanation *out) {
    const struct corpus *ix = &s->corpus;
    struct query q;
    struct document d;
    memset(out, 0, sizeof *out);
    uint32_t doc = corpus_find(ix, t->id);
    if (doc == CORPUS_NONE) return;
    query_read(&q, ix, request);
    document_of(t, &d);
    if (s->standing && s->standing->memory)
        memory_add(s->standing->memory, t->id, &d);
    float norm = norm_of(ix, corpus_doc(ix, doc));
    for (size_t i = 0; i < q.term_count; i++) {
        if (!q.terms[i].term) continue;
        str stem = dictionary_text(ix, q.terms[i].term);
        struct counts c = count_word(ix, &d, stem);
        if (c.all > 0) add_word(ix, &q, &q.terms[i], &c, norm, out);
    }
}
