/* SPDX-License-Identifier: MIT */
#include "tools/select/dictionary.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"

#define FIRST_SLOTS 1024

static struct term *terms(const struct corpus *ix) {
    return ix->terms.items;
}

static uint64_t hash_key(const struct corpus *ix, enum space space, str text) {
    char key[DICTIONARY_KEY + 1];
    assert(text.n <= DICTIONARY_KEY);
    key[0] = (char)space;
    if (text.n > 0) memcpy(key + 1, text.p, text.n);
    return hash_bytes(key, text.n + 1, ix->seed);
}

static bool is_key(const struct corpus *ix, const struct term *t,
                   enum space space, str text) {
    if (t->len != text.n + 1) return false;
    const char *key = (const char *)ix->text.items + t->text;
    return key[0] == (char)space &&
           (text.n == 0 || memcmp(key + 1, text.p, text.n) == 0);
}

/* The slot of the key, or the free slot where it would go. */
static uint32_t *find_slot(const struct corpus *ix, enum space space, str text,
                           uint64_t hash) {
    uint32_t *slots = ix->slots.items;
    size_t mask = ix->slots.count - 1;
    size_t at = (size_t)hash & mask;
    for (; slots[at] != 0; at = (at + 1) & mask) {
        const struct term *t = &terms(ix)[slots[at] - 1];
        if (t->hash == hash && is_key(ix, t, space, text)) break;
    }
    return &slots[at];
}

const struct term *corpus_term(const struct corpus *ix, enum space space,
                               str text) {
    if (ix->slots.count == 0 || text.n > DICTIONARY_KEY) return NULL;
    uint32_t n = *find_slot(ix, space, text, hash_key(ix, space, text));
    return n > 0 ? &terms(ix)[n - 1] : NULL;
}

/* At most half of the slots are taken, so a probe always meets a free one. */
static int make_slots(struct corpus *ix, struct err *e) {
    if (ix->terms.count * 2 < ix->slots.count) return 0;
    struct pool wider = {.size = sizeof(uint32_t)};
    size_t count = ix->slots.count ? ix->slots.count * 2 : FIRST_SLOTS;
    uint32_t at;
    if (pool_grow(&wider, count, &at, e)) return -1;
    uint32_t *slots = wider.items;
    for (size_t i = 0; i < ix->terms.count; i++) {
        size_t slot = (size_t)terms(ix)[i].hash & (count - 1);
        while (slots[slot] != 0)
            slot = (slot + 1) & (count - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    pool_fini(&ix->slots);
    ix->slots = wider;
    return 0;
}

uint64_t dictionary_sign(str word) {
    uint64_t sign = 0;
    unsigned before = ' ';
    for (size_t i = 0; i <= word.n; i++) {
        unsigned c = i < word.n ? (unsigned char)word.p[i] : ' ';
        sign |= (uint64_t)1 << ((before * 37 + c * 11) % SIGN_PAIRS);
        before = c;
    }
    uint64_t first = word.n > 0 ? (unsigned char)word.p[0] : 0;
    return sign | first << SIGN_PAIRS | (uint64_t)word.n << SIGN_LENGTH;
}

/* What a new key of each space starts with in term.row. */
static int32_t first_row(struct corpus *ix, enum space space, str text) {
    switch (space) {
    case SPACE_WORD: return ix->table ? vectors_find(ix->table, text) : -1;
    case SPACE_SERVER: return (int32_t)ix->servers++;
    case SPACE_CATEGORY: return (int32_t)ix->categories++;
    case SPACE_KEYWORD: return (int32_t)ix->keywords++;
    case SPACE_ID:
    case SPACE_NAME: break;
    }
    return -1;
}

int dictionary_add(struct corpus *ix, enum space space, str text,
                   uint32_t *term, struct err *e) {
    if (make_slots(ix, e)) return -1;
    uint64_t hash = hash_key(ix, space, text);
    uint32_t *slot = find_slot(ix, space, text, hash);
    if (*slot > 0) {
        *term = *slot - 1;
        return 0;
    }
    uint32_t at, key, sign;
    if (pool_grow(&ix->text, text.n + 1, &key, e) ||
        pool_grow(&ix->terms, 1, &at, e))
        return -1;
    if (pool_grow(&ix->signs, 1, &sign, e)) {
        ix->terms.count--;
        return -1;
    }
    if (space == SPACE_WORD)
        *(uint64_t *)pool_at(&ix->signs, sign) = dictionary_sign(text);
    char *copy = pool_at(&ix->text, key);
    copy[0] = (char)space;
    if (text.n > 0) memcpy(copy + 1, text.p, text.n);
    terms(ix)[at] = (struct term){
        .hash = hash,
        .text = key,
        .len = (uint32_t)text.n + 1,
        .row = first_row(ix, space, text),
    };
    *slot = at + 1;
    *term = at;
    return 0;
}

/* A list that is full moves to the end of the pool, with twice the room; the
 * gap it leaves goes when the index is compacted. */
int dictionary_post(struct corpus *ix, uint32_t term, struct posting p,
                    struct err *e) {
    struct term *t = &terms(ix)[term];
    struct posting *all = ix->postings.items;
    if (t->count == t->cap) {
        uint32_t cap = t->cap ? t->cap * 2 : 1, at;
        if (pool_grow(&ix->postings, cap, &at, e)) return -1;
        all = ix->postings.items;
        if (t->count > 0)
            memcpy(all + at, all + t->first, t->count * sizeof *all);
        t->first = at;
        t->cap = cap;
    }
    all[t->first + t->count++] = p;
    return 0;
}

str dictionary_text(const struct corpus *ix, const struct term *t) {
    return (str){(const char *)ix->text.items + t->text + 1, t->len - 1};
}
