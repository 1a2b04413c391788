/* SPDX-License-Identifier: MIT
 *
 * arena -- memory for one phase: many allocations, one free.
 *
 * An arena is born with a maximum in bytes. Nothing allocated from it moves or
 * is freed singly; arena_mark/arena_rewind give back the newest part.
 */
#ifndef CORDON_BASE_ARENA_H
#define CORDON_BASE_ARENA_H

#include "base/err.h"
#include "base/str.h"

struct arena_block;

struct arena {
    char *next;                /* first free byte of the newest block */
    char *end;                 /* one past its last byte */
    struct arena_block *block; /* the newest block, linked to older ones */
    size_t used;               /* bytes held in all blocks */
    size_t max;                /* used never exceeds this */
};

struct arena_mark {
    struct arena_block *block;
    char *next;
};

#define ARENA_MAX(n) ((struct arena){.max = (n)})

/* Aligned for any type; uninitialised. */
void *arena_alloc(struct arena *a, size_t size, struct err *e);
void *arena_zalloc(struct arena *a, size_t count, size_t size, struct err *e);

/* A copy of s with a NUL behind it; *out keeps its length. */
int arena_dup(struct arena *a, str s, str *out, struct err *e);
char *arena_text(struct arena *a, str s, struct err *e);
char *arena_printf(struct arena *a, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* For the newest allocation only, which has `from` bytes: makes it `to` bytes.
 * As with realloc it may move when it grows (a mark taken with nothing between
 * it and p is then void), and it stays as it was on failure. */
void *arena_grow(struct arena *a, void *p, size_t from, size_t to,
                 struct err *e);
void arena_shrink(struct arena *a, void *p, size_t from, size_t to);

struct arena_mark arena_mark(const struct arena *a);
void arena_rewind(struct arena *a, struct arena_mark m);

void arena_fini(struct arena *a); /* may be used again afterwards */

#define AUTO_ARENA __attribute__((cleanup(arena_fini)))

#endif
