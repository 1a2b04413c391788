/* SPDX-License-Identifier: MIT
 *
 * schema_names -- a fixed set of names, looked up in a few nanoseconds.
 *
 * The hash reads at most sixteen bytes of a name. Names chosen to collide
 * under it are noticed when the set is made and hashed whole with a random key
 * instead, so neither a schema nor a value can make look-ups slow.
 */
#ifndef CORDON_JSON_SCHEMA_NAMES_H
#define CORDON_JSON_SCHEMA_NAMES_H

#include "base/arena.h"
#include "base/str.h"

#define NAMES_NONE UINT32_MAX

struct names {
    str *list; /* in the order they were added */
    uint32_t count;
    uint32_t shift;  /* 64 - log2 of the number of slots */
    bool keyed;      /* SipHash under key instead of the short hash */
    uint32_t *slots; /* 1 + index into list; 0: free */
    uint64_t key[2];
};

/* A name that comes again keeps its first index. The bytes are borrowed, the
 * rest is in the arena. */
int names_init(struct names *n, const str *list, size_t count, struct arena *a,
               struct err *e);

/* Index in the list, or NAMES_NONE. */
uint32_t names_find(const struct names *n, str name);

#endif
