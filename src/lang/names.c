/* SPDX-License-Identifier: MIT */
#include "lang/names.h"

#include <string.h>

#include "base/hash.h"

enum { FIRST_SLOTS = 32 };

void name_init(struct name_table *t, struct arena *a, const uint64_t seed[2]) {
    *t = (struct name_table){.arena = a, .seed = {seed[0], seed[1]}};
}

/* The slot that holds s, or the free one where it would go. */
static uint32_t find_slot(const struct name_table *t, str s) {
    uint32_t i = (uint32_t)hash_bytes(s.p, s.n, t->seed) & (t->slots - 1);
    while (t->index[i] && !str_eq(t->text[t->index[i]], s))
        i = (i + 1) & (t->slots - 1);
    return i;
}

/* Twice the room; at most half of the slots are ever in use. */
static int grow(struct name_table *t, struct err *e) {
    uint32_t slots = t->slots ? t->slots * 2 : FIRST_SLOTS;
    uint32_t *index = arena_zalloc(t->arena, slots, sizeof *index, e);
    str *text = arena_zalloc(t->arena, slots / 2 + 1, sizeof *text, e);
    if (!index || !text) return -1;
    if (t->count) memcpy(text, t->text, t->count * sizeof *text);
    t->text = text;
    t->index = index;
    t->slots = slots;
    if (t->count == 0) t->count = 1;
    for (uint32_t i = 1; i < t->count; i++)
        t->index[find_slot(t, t->text[i])] = i;
    return 0;
}

uint32_t name_add(struct name_table *t, str s, struct err *e) {
    if (t->count * 2 >= t->slots && grow(t, e)) return NAME_NONE;
    uint32_t i = find_slot(t, s);
    if (t->index[i]) return t->index[i];
    t->text[t->count] = s;
    t->index[i] = t->count;
    return t->count++;
}

uint32_t name_find(const struct name_table *t, str s) {
    return t->slots ? t->index[find_slot(t, s)] : NAME_NONE;
}
