/* SPDX-License-Identifier: MIT
 *
 * heap -- the memory of one run: a contiguous range, template below, the run's
 * own objects above.
 *
 *   0                template_end          top                 limit
 *   | shared, immutable | objects, holes ... | never used yet ... |
 *
 * Allocation pops a hole of the right size class, or takes the next bytes of a
 * large hole, or bumps `top`; it never
 * collects and never moves anything. Collection (gc.c) runs only when the loop
 * asks for it between two instructions. The limit is the run's memory limit: a
 * refused allocation raises MemoryError and leaves the run usable. Ranges come
 * from a pool that keeps the template mapped and the first megabytes resident;
 * giving one back scrubs only bytes that were used.
 */
#ifndef CORDON_VM_HEAP_H
#define CORDON_VM_HEAP_H

#include "base/err.h"
#include "vm/object.h"

#if defined(__SANITIZE_ADDRESS__)
#define CHECK_KINDS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECK_KINDS
#endif
#endif

#define HEAP_CLASSES 64 /* holes of 16 * i bytes, i from 1 to 63 */
#define HEAP_BINS    40 /* larger holes, by the power of two below their size */
#define HEAP_RESERVE 65536 /* beyond the limit, to raise MemoryError in */

struct heap {
    char *base;            /* where offset 0 is mapped */
    uint64_t template_end; /* objects below are shared and immutable */
    uint64_t top;          /* first byte never allocated */
    uint64_t limit;        /* top never passes this */
    uint64_t bump_to;      /* up to here small objects go to the top without
                              looking for holes first; the limit or 0 */
    uint64_t live;         /* bytes in objects after the last collection, plus
                              what was allocated since */
    uint64_t collected;    /* live right after the last collection */
    uint64_t collect_at;   /* live beyond this asks for a collection */
    uint64_t peak;         /* highest `live` seen, for the usage report */
    val names;       /* store: the template's interned strings (objstr.c), or
                        unset while it is being made: root.interned has them */
    uint64_t mapped; /* bytes of the reserved range */
    uint64_t dirty;  /* highest top since the range was mapped */
    uint64_t ready;  /* beyond this, pages are asked for before they are used */
    uint64_t from, room; /* what is left of the large hole that small objects
                            come from: a hole of no list, or nothing */
    uint64_t holes[HEAP_CLASSES];
    uint64_t bins[HEAP_BINS];
};

/* Reserves a range for `limit` bytes of own objects above a template, which is
 * copied in, or mapped once more where it is a shared mapping; NULL when the
 * template is to be made in it. */
int heap_init(struct heap *h, const void *template_bytes, bool shared,
              uint64_t template_end, uint64_t limit, struct err *e);
/* As new again: nothing allocated, all bytes of the former run zeroed. */
void heap_reset(struct heap *h, uint64_t limit);
void heap_fini(struct heap *h);

static inline void *heap_at(const struct heap *h, val v) {
    return h->base + v;
}

/* The object at v, which must be of a kind that the caller has made sure of. A
 * native that forgot to look at an argument would read bytes that mean
 * something else; builds with sanitizers stop there. */
static inline void *heap_kind(const struct heap *h, val v, enum kind kind) {
#ifdef CHECK_KINDS
    if (!val_is_ref(v) || ((struct obj *)heap_at(h, v))->kind != kind)
        __builtin_trap();
#else
    (void)kind;
#endif
    return heap_at(h, v);
}

static inline val heap_ref(const struct heap *h, const void *p) {
    return (val)((const char *)p - h->base);
}

/* Zeroed object of `size` bytes (rounded up to 16) with its header set, or NULL
 * after MemoryError was raised. `type` is the val of its class or 0. */
void *heap_new(struct vm *vm, enum kind kind, val type, uint64_t size);

/* As heap_new, contents after the header not zeroed. */
void *heap_new_raw(struct vm *vm, enum kind kind, val type, uint64_t size);

/* Backing stores. Growing copies and frees the old one at once; flags: 0 or
 * OBJ_TRACED. The result is a val, VAL_UNSET after MemoryError. */
val heap_store(struct vm *vm, uint64_t bytes, unsigned flags);
/* Not cleared and not traced: for bytes that are written at once. */
val heap_store_raw(struct vm *vm, uint64_t bytes);
/* Gives back what lies behind the first `bytes` of a store. */
void heap_store_trim(struct vm *vm, val store, uint64_t bytes);
/* What is added is cleared where the store is traced, otherwise undefined. */
val heap_store_grow(struct vm *vm, val store, uint64_t bytes);

/* Gives memory back before the collector would; only for objects that nothing
 * else can reference. */
void heap_free(struct vm *vm, val v);

/* After a collection: so much lies in holes that small objects are cut from
 * them before the top grows. */
void heap_use_holes(struct heap *h, bool use);
/* Forgets all holes, before a sweep finds them anew. */
void heap_no_holes(struct heap *h);
/* Makes the bytes at..at+size a hole (the collector's sweep). */
void heap_hole(struct heap *h, uint64_t at, uint64_t size);

/* Marks from the run's roots and sweeps; only between instructions. */
void heap_collect(struct vm *vm);

#endif
