/* SPDX-License-Identifier: MIT
 *
 * names -- identifiers as small numbers.
 *
 * Each distinct identifier of a source text gets the next number from 1, so
 * that later passes compare and index by number. Names live in the arena of
 * the parse. The table is keyed, because the text is chosen by outsiders.
 */
#ifndef CORDON_LANG_NAMES_H
#define CORDON_LANG_NAMES_H

#include "base/arena.h"

enum { NAME_NONE };

struct name_table {
    struct arena *arena;
    str *text;       /* by number; text[0] is empty */
    uint32_t *index; /* open addressing: number, 0 is free */
    uint32_t count;  /* numbers in use, 0 counted */
    uint32_t slots;  /* a power of two; 0 before the first name */
    uint64_t seed[2];
};

void name_init(struct name_table *t, struct arena *a, const uint64_t seed[2]);

/* The number of s, which must outlive the table; 0 on failure. */
uint32_t name_add(struct name_table *t, str s, struct err *e);

/* The number of s if it has one, else NAME_NONE. */
uint32_t name_find(const struct name_table *t, str s);

static inline str name_text(const struct name_table *t, uint32_t name) {
    return name < t->count ? t->text[name] : STR("");
}

#endif
