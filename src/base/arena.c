/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/mem.h"
#include "base/num.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define ALIGN       _Alignof(max_align_t)
#define FIRST_BLOCK 512
#define LAST_BLOCK  ((size_t)1 << 20) /* blocks double up to this */

struct arena_block {
    _Alignas(max_align_t) struct arena_block *older;
    char *end; /* one past the block's last byte */
};

static size_t block_bytes(const struct arena_block *b) {
    return b ? (size_t)(b->end - (const char *)b) : 0;
}

/* Twice the newest block, at least what is asked for, at most what is left. */
static size_t next_bytes(const struct arena *a, size_t need) {
    size_t bytes = block_bytes(a->block) * 2;
    if (bytes < FIRST_BLOCK) bytes = FIRST_BLOCK;
    if (bytes > LAST_BLOCK) bytes = LAST_BLOCK;
    if (bytes > a->max - a->used) bytes = a->max - a->used;
    return bytes < need ? need : bytes;
}

static int add_block(struct arena *a, size_t size, struct err *e) {
    size_t need;
    if (num_add(size, sizeof(struct arena_block), &need) ||
        need > a->max - a->used)
        return fail(e, ERR_LIMIT, "needs more than %zu bytes of memory",
                    a->max);
    size_t bytes = next_bytes(a, need);
    struct arena_block *b = mem_alloc(bytes, e);
    if (!b) return -1;
    b->older = a->block;
    b->end = (char *)b + bytes;
    a->block = b;
    a->next = (char *)(b + 1);
    a->end = b->end;
    a->used += bytes;
    return 0;
}

static size_t round_up(size_t size) {
    return size == 0 ? ALIGN : (size + ALIGN - 1) & ~(ALIGN - 1);
}

void *arena_alloc(struct arena *a, size_t size, struct err *e) {
    if (size > SIZE_MAX / 2) {
        err_set(e, ERR_LIMIT, "needs more than %zu bytes of memory", a->max);
        return NULL;
    }
    size_t rounded = round_up(size);
    if (rounded > (size_t)(a->end - a->next) && add_block(a, rounded, e))
        return NULL;
    void *p = a->next;
    a->next += rounded;
    return p;
}

void arena_shrink(struct arena *a, void *p, size_t from, size_t to) {
    assert((char *)p + round_up(from) == a->next && to <= from);
    a->next = (char *)p + round_up(to);
}

/* The newest block with one allocation in it: resized as a whole. */
static void *grow_block(struct arena *a, size_t to, struct err *e) {
    size_t old = block_bytes(a->block), bytes = sizeof(struct arena_block) + to;
    if (bytes - old > a->max - a->used) {
        err_set(e, ERR_LIMIT, "needs more than %zu bytes of memory", a->max);
        return NULL;
    }
    struct arena_block *b = mem_resize(a->block, bytes, 1, e);
    if (!b) return NULL;
    b->end = (char *)b + bytes;
    a->block = b;
    a->next = a->end = b->end;
    a->used += bytes - old;
    return b + 1;
}

void *arena_grow(struct arena *a, void *p, size_t from, size_t to,
                 struct err *e) {
    assert((char *)p + round_up(from) == a->next && to >= from);
    if (to > SIZE_MAX / 2) {
        err_set(e, ERR_LIMIT, "needs more than %zu bytes of memory", a->max);
        return NULL;
    }
    if (round_up(to) <= (size_t)(a->end - (char *)p)) {
        a->next = (char *)p + round_up(to);
        return p;
    }
    if (p == a->block + 1) return grow_block(a, round_up(to), e);
    void *moved = arena_alloc(a, to, e);
    return moved ? memcpy(moved, p, from) : NULL;
}

void *arena_zalloc(struct arena *a, size_t count, size_t size, struct err *e) {
    size_t bytes;
    if (num_mul(count, size, &bytes)) {
        err_set(e, ERR_LIMIT, "needs more than %zu bytes of memory", a->max);
        return NULL;
    }
    void *p = arena_alloc(a, bytes, e);
    return p ? memset(p, 0, bytes) : NULL;
}

char *arena_text(struct arena *a, str s, struct err *e) {
    char *p = s.n < SIZE_MAX ? arena_alloc(a, s.n + 1, e) : NULL;
    if (!p) return NULL;
    if (s.n > 0) memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return p;
}

int arena_dup(struct arena *a, str s, str *out, struct err *e) {
    const char *p = arena_text(a, s, e);
    if (!p) return -1;
    *out = (str){p, s.n};
    return 0;
}

char *arena_printf(struct arena *a, struct err *e, const char *fmt, ...) {
    char small[256];
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    char *p = NULL;
    if (n < 0)
        err_set(e, ERR_INTERNAL, "bad format \"%s\"", fmt);
    else
        p = arena_alloc(a, (size_t)n + 1, e);
    if (p) vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

struct arena_mark arena_mark(const struct arena *a) {
    return (struct arena_mark){a->block, a->next};
}

void arena_rewind(struct arena *a, struct arena_mark m) {
    while (a->block != m.block) {
        struct arena_block *newest = a->block;
        a->block = newest->older;
        a->used -= block_bytes(newest);
        mem_free(newest);
    }
    a->next = m.next;
    a->end = m.block ? m.block->end : NULL;
}

void arena_fini(struct arena *a) {
    arena_rewind(a, (struct arena_mark){NULL, NULL});
}
