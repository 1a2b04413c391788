/* SPDX-License-Identifier: MIT
 *
 * pool -- a growable array of plain items that can be saved and mapped.
 *
 * Items are found by number, never by address: an array may move when it
 * grows. One that was mapped from a file is borrowed and copied to memory of
 * its own when it first grows.
 */
#ifndef CORDON_TOOLS_SELECT_POOL_H
#define CORDON_TOOLS_SELECT_POOL_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool {
    void *items;
    size_t count, cap; /* cap 0: nothing, or borrowed */
    size_t size;       /* bytes of an item */
};

#define POOL_MAX UINT32_MAX /* items: numbers are uint32_t */

/* Appends n zeroed items and gives the first one's number in *at. */
int pool_grow(struct pool *p, size_t n, uint32_t *at, struct err *e);

/* Also for a run of no items, which may lie in a pool that has none. */
static inline void *pool_at(const struct pool *p, size_t i) {
    return p->items ? (char *)p->items + i * p->size : NULL;
}

static inline size_t pool_bytes(const struct pool *p) {
    return p->cap * p->size;
}

void pool_fini(struct pool *p);

#endif
