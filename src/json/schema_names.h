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

#include <string.h>

#define NAMES_NONE UINT32_MAX

/* A name with the bytes of it that the hash reads. */
struct name {
    str text;
    uint64_t head, tail; /* its first and last 8 bytes, or what there is */
};

struct names {
    struct name *list; /* in the order they were added */
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

/* For names_at() and names_find(); the bytes are borrowed. */
static inline struct name name_of(str s) {
    struct name k = {.text = s};
    if (s.n >= 8) {
        memcpy(&k.head, s.p, 8);
        memcpy(&k.tail, s.p + s.n - 8, 8);
    } else if (s.n >= 4) {
        uint32_t head, tail;
        memcpy(&head, s.p, 4);
        memcpy(&tail, s.p + s.n - 4, 4);
        k.head = head;
        k.tail = tail;
    } else if (s.n > 0) {
        k.head = (unsigned char)s.p[0];
        k.tail = ((uint64_t)(unsigned char)s.p[s.n / 2] << 8) |
                 (unsigned char)s.p[s.n - 1];
    }
    return k;
}

/* Heads and tails meet in names of up to 16 bytes. */
static inline bool name_equal(const struct name *a, const struct name *b) {
    return a->text.n == b->text.n && a->head == b->head && a->tail == b->tail &&
           (a->text.n <= 16 || !memcmp(a->text.p, b->text.p, a->text.n));
}

/* Whether the name is the one at this index. Members mostly come in the order
 * of their schema, so this is asked first. */
static inline bool names_at(const struct names *n, uint32_t index,
                            const struct name *name) {
    return index < n->count && name_equal(&n->list[index], name);
}

/* Index in the list, or NAMES_NONE. */
uint32_t names_find(const struct names *n, const struct name *name);

#endif
