/* SPDX-License-Identifier: MIT */
#include "tools/select/pool.h"

#include <string.h>

#include "base/mem.h"

/* A quarter more than is needed: arrays are large and grow seldom. */
static int make_room(struct pool *p, size_t need, struct err *e) {
    size_t cap = need + need / 4 + 16;
    bool borrowed = p->cap == 0;
    void *items = mem_resize(borrowed ? NULL : p->items, cap, p->size, e);
    if (!items) return -1;
    if (borrowed && p->count > 0) memcpy(items, p->items, p->count * p->size);
    p->items = items;
    p->cap = cap;
    return 0;
}

int pool_grow(struct pool *p, size_t n, uint32_t *at, struct err *e) {
    if (n > POOL_MAX - p->count)
        return fail(e, ERR_LIMIT, "more than %u items in an index", POOL_MAX);
    *at = (uint32_t)p->count;
    if (n == 0) return 0;
    if (p->count + n > p->cap && make_room(p, p->count + n, e)) return -1;
    memset(pool_at(p, p->count), 0, n * p->size);
    p->count += n;
    return 0;
}

void pool_fini(struct pool *p) {
    if (p->cap > 0) mem_free(p->items);
    p->items = NULL;
    p->count = p->cap = 0;
}
