/* SPDX-License-Identifier: MIT
 *
 * map -- text to pointer, in insertion order, safe against chosen keys.
 *
 * Keys are copied and hashed with a per-map random key (SipHash), so that
 * outsiders cannot make lookups slow. Values are borrowed. Iteration is by
 * index over insertion order; deletion leaves a hole (value NULL), so values
 * may not be NULL.
 */
#ifndef CORDON_BASE_MAP_H
#define CORDON_BASE_MAP_H

#include "base/err.h"
#include "base/str.h"

struct map_entry {
    char *key; /* owned; NULL in a hole */
    size_t key_len;
    uint64_t hash;
    void *value;
};

struct map {
    struct map_entry *entries;
    uint32_t *index; /* open addressing: entry number + 1, 0 is free */
    size_t used;     /* entries in use, holes counted */
    size_t live;     /* entries in use, holes not counted */
    size_t cap;      /* entries allocated */
    size_t slots;    /* a power of two; 0 before the first put */
    size_t max;      /* live never exceeds this */
    uint64_t seed[2];
};

#define MAP_MAX(n) ((struct map){.max = (n)})

void *map_get(const struct map *m, str key); /* NULL when absent */

/* Adds or replaces; *old (may be NULL) receives the replaced value or NULL. */
int map_put(struct map *m, str key, void *value, void **old, struct err *e);

/* Removes; returns the value that was there, or NULL. */
void *map_del(struct map *m, str key);

/* Walks live entries: `for (size_t i = 0; (it = map_next(m, &i)); )` */
const struct map_entry *map_next(const struct map *m, size_t *i);

void map_fini(struct map *m); /* values are the caller's */

#define AUTO_MAP __attribute__((cleanup(map_fini)))

#endif
