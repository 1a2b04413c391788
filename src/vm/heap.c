/* SPDX-License-Identifier: MIT
 *
 * heap -- allocation in a run's range: holes by size class, then the top.
 */
#include "vm/heap.h"

#include <assert.h>
#include <sys/mman.h>

#include "vm/alloc.h"
#include "vm/exc.h"

#define FIRST_COLLECTION                                          \
    (1u << 20)           /* live bytes that ask for the first one \
                          */
#define OPEN_BIN      11 /* holes of 2 KB and more serve small objects */
#define OPEN_CLASS    16 /* smaller ones too, where holes are to be used */
#define BIN_TRIES     8  /* holes looked at in a bin of mixed sizes */
#define KEEP_RESIDENT (1u << 20) /* at least, of a range in the pool */
#define LARGE_PAGE    ((uintptr_t)2 << 20)
#define READY_FIRST   (64u << 10)  /* bytes whose pages come when touched */
#define READY_MORE    (256u << 10) /* asked for at once behind them */

void heap_no_holes(struct heap *h) {
    h->from = h->room = 0;
    memset(h->holes, 0, sizeof h->holes);
    memset(h->bins, 0, sizeof h->bins);
}

static unsigned bin_of(uint64_t size) {
    return (unsigned)(63 - __builtin_clzll(size));
}

static void start(struct heap *h, uint64_t limit) {
    h->top = alloc_round(h->template_end + sizeof(struct root));
    h->limit = h->bump_to = h->template_end + limit;
    h->live = h->peak = h->top - h->template_end;
    h->collect_at = h->live + FIRST_COLLECTION;
    heap_no_holes(h);
}

static void *map_anonymous(void *at, uint64_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    return mmap(at, size, PROT_READ | PROT_WRITE,
                at ? flags | MAP_FIXED : flags, -1, 0);
}

/* A length of 0 asks for the same pages at a second place. A refusal may have
 * left a gap where they were to go. */
static int lay_template(void *base, const void *bytes, bool shared,
                        uint64_t size, struct err *e) {
    void *from;
    memcpy(&from, &bytes, sizeof from);
    if (shared && mremap(from, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, base) !=
                      MAP_FAILED)
        return 0;
    if (shared && map_anonymous(base, size) == MAP_FAILED)
        return fail_sys(e, "memory for a run");
    memcpy(base, bytes, size);
    return 0;
}

/* Where pages of the kernel's larger size begin, behind what most runs use.
 * What lies before stays resident while the range waits in the pool. */
static uint64_t roomy_from(const struct heap *h) {
    uintptr_t start = (uintptr_t)h->base;
    uintptr_t from = start + h->template_end + KEEP_RESIDENT;
    uint64_t roomy = ((from + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1)) - start;
    return roomy < h->mapped ? roomy : h->mapped;
}

int heap_init(struct heap *h, const void *template_bytes, bool shared,
              uint64_t template_end, uint64_t limit, struct err *e) {
    uint64_t size = template_end + limit + HEAP_RESERVE;
    size = (size + 4095) & ~4095ull;
    void *base = map_anonymous(NULL, size);
    if (base == MAP_FAILED) return fail_sys(e, "memory for a run");
    if (template_bytes &&
        lay_template(base, template_bytes, shared, template_end, e)) {
        munmap(base, size);
        return -1;
    }
    *h = (struct heap){.base = base, .mapped = size};
    h->template_end = template_end;
    uint64_t roomy = roomy_from(h);
    madvise(h->base + roomy, size - roomy, MADV_HUGEPAGE);
    h->ready = template_end + READY_FIRST;
    start(h, limit);
    return 0;
}

/* Zeroing a little by hand is cheaper than giving pages back and faulting them
 * in again; what lies beyond goes back to the kernel, which zeroes it. */
void heap_reset(struct heap *h, uint64_t limit) {
    uint64_t used = h->dirty > h->top ? h->dirty : h->top;
    uint64_t keep = roomy_from(h);
    uint64_t by_hand = used < keep ? used : keep;
    memset(h->base + h->template_end, 0, by_hand - h->template_end);
    if (used > keep) madvise(h->base + keep, h->mapped - keep, MADV_DONTNEED);
    if (h->ready > keep) h->ready = keep;
    h->dirty = 0;
    start(h, limit);
}

void heap_fini(struct heap *h) {
    if (h->base) munmap(h->base, h->mapped);
    *h = (struct heap){0};
}

/* -- holes ------------------------------------------------------------------
 */

static void make_hole(struct heap *h, uint64_t at, uint64_t size) {
    struct ofree *f = heap_at(h, at);
    f->h = (struct obj){.kind = KIND_FREE, .type = (uint32_t)(size / 16)};
    uint64_t *list = size / 16 < HEAP_CLASSES ? &h->holes[size / 16]
                                              : &h->bins[bin_of(size)];
    f->next = *list;
    *list = at;
}

void heap_hole(struct heap *h, uint64_t at, uint64_t size) {
    make_hole(h, at, size);
}

static uint64_t hole_size(const struct heap *h, uint64_t at) {
    return (uint64_t)((struct ofree *)heap_at(h, at))->h.type * 16;
}

/* Takes `size` bytes out of the hole that *link points at. */
static uint64_t cut(struct heap *h, uint64_t *link, uint64_t size) {
    uint64_t at = *link, whole = hole_size(h, at);
    *link = ((struct ofree *)heap_at(h, at))->next;
    if (whole > size) make_hole(h, at + size, whole - size);
    return at;
}

/* A hole of at least `size` from the bins, or 0. In the bin that size itself
 * falls into holes may be too small; in those above every one fits. */
static uint64_t from_bins(struct heap *h, uint64_t size) {
    unsigned bin = bin_of(size);
    uint64_t *link = &h->bins[bin];
    for (int tries = 0; *link && tries < BIN_TRIES; tries++) {
        if (hole_size(h, *link) >= size) return cut(h, link, size);
        link = &((struct ofree *)heap_at(h, *link))->next;
    }
    for (bin++; bin < HEAP_BINS; bin++)
        if (h->bins[bin]) return cut(h, &h->bins[bin], size);
    return 0;
}

/* The top is used up: a larger hole of a small class serves too. */
static uint64_t from_larger_class(struct heap *h, uint64_t size) {
    for (uint64_t i = size / 16; i < HEAP_CLASSES; i++)
        if (h->holes[i]) return cut(h, &h->holes[i], size);
    return from_bins(h, size);
}

void heap_use_holes(struct heap *h, bool use) {
    h->bump_to = use ? 0 : h->limit;
}

/* Holes between objects that are in use, each too small for a bin, can be most
 * of a heap. Where there are none left the top is used again. */
static bool open_class(struct heap *h, uint64_t size) {
    uint64_t i = HEAP_CLASSES - 1;
    if (h->bump_to) return false;
    while (i >= OPEN_CLASS && !h->holes[i])
        i--;
    if (i < OPEN_CLASS) heap_use_holes(h, false);
    if (i < OPEN_CLASS || i < size / 16) return false;
    h->from = h->holes[i];
    h->room = i * 16;
    h->holes[i] = ((struct ofree *)heap_at(h, h->from))->next;
    return true;
}

/* The next small objects come from the largest hole there is: memory that was
 * in use is nearer than what is new. */
static bool open_hole(struct heap *h, uint64_t size) {
    if (h->room) make_hole(h, h->from, h->room);
    h->from = h->room = 0;
    for (unsigned bin = HEAP_BINS; bin-- > OPEN_BIN;) {
        uint64_t at = h->bins[bin];
        if (!at) continue;
        h->bins[bin] = ((struct ofree *)heap_at(h, at))->next;
        h->from = at;
        h->room = hole_size(h, at);
        return true;
    }
    return open_class(h, size);
}

/* The top may stand in the reserve, after a MemoryError. */
static uint64_t room_at_top(const struct heap *h) {
    return h->top < h->limit ? h->limit - h->top : 0;
}

/* Pages one by one cost several times what they cost together. Large ones come
 * by themselves. */
void alloc_pages(struct heap *h) {
    uint64_t from = h->ready & ~4095ull, roomy = roomy_from(h);
    uint64_t to = (h->top + READY_MORE) & ~4095ull;
    if (to >= roomy) {
        to = roomy;
        h->ready = UINT64_MAX;
    } else {
        h->ready = to;
    }
    if (from < to) madvise(h->base + from, to - from, MADV_POPULATE_WRITE);
}

static uint64_t take(struct heap *h, uint64_t size) {
    if (size / 16 < HEAP_CLASSES) {
        if (h->holes[size / 16]) return cut(h, &h->holes[size / 16], size);
        if (size <= h->room || open_hole(h, size)) return alloc_open(h, size);
    } else {
        uint64_t at = from_bins(h, size);
        if (at) return at;
    }
    if (size <= room_at_top(h)) {
        uint64_t at = h->top;
        h->top += size;
        if (h->top > h->ready) alloc_pages(h);
        return at;
    }
    return size / 16 < HEAP_CLASSES ? from_larger_class(h, size) : 0;
}

/* -- objects ----------------------------------------------------------------
 */

static void *refuse(struct vm *vm) {
    vm->memory_failed = true;
    exc_memory(vm);
    return NULL;
}

void *alloc_anywhere(struct vm *vm, enum kind kind, val type, uint64_t size) {
    struct heap *h = &vm->heap;
    if (size > h->mapped) return refuse(vm);
    size = alloc_round(size);
    uint64_t at = vm->building ? from_larger_class(h, size) : 0;
    if (!at) at = take(h, size);
    if (!at) return refuse(vm);
    h->live += size;
    if (h->live > h->collect_at && !vm->collect_wanted && !vm->building) {
        vm->collect_wanted = true;
        vm_look_soon(vm);
    }
    return alloc_header(vm, at, kind, type);
}

void *heap_new_raw(struct vm *vm, enum kind kind, val type, uint64_t size) {
    return alloc_raw(vm, kind, type, size);
}

void *heap_new(struct vm *vm, enum kind kind, val type, uint64_t size) {
    struct obj *o = alloc_raw(vm, kind, type, size);
    if (o) memset(o + 1, 0, alloc_round(size) - sizeof *o);
    return o;
}

void heap_free(struct vm *vm, val v) {
    struct heap *h = &vm->heap;
    assert(v >= h->template_end);
    uint64_t size = object_size(heap_at(h, v));
    h->live -= size;
    if (v + size == h->top) {
        if (h->top > h->dirty) h->dirty = h->top;
        h->top = v;
    } else {
        make_hole(h, v, size);
    }
}

/* -- stores -----------------------------------------------------------------
 */

static struct ostore *new_store(struct vm *vm, uint64_t bytes, unsigned flags) {
    if (bytes > vm->heap.mapped) return refuse(vm);
    uint64_t size = alloc_round(sizeof(struct ostore) + bytes);
    struct ostore *s = alloc_raw(vm, KIND_STORE, 0, size);
    if (!s) return NULL;
    s->h.flags = (uint8_t)flags;
    s->size = size - sizeof *s;
    s->used = 0;
    return s;
}

val heap_store(struct vm *vm, uint64_t bytes, unsigned flags) {
    struct ostore *s = new_store(vm, bytes, flags);
    if (!s) return VAL_UNSET;
    memset(s->data, 0, s->size);
    return heap_ref(&vm->heap, s);
}

val heap_store_raw(struct vm *vm, uint64_t bytes) {
    struct ostore *s = new_store(vm, bytes, 0);
    return s ? heap_ref(&vm->heap, s) : VAL_UNSET;
}

/* A store at the very top grows where it is. */
static bool grow_in_place(struct heap *h, struct ostore *s, uint64_t size) {
    uint64_t at = heap_ref(h, s), old = alloc_round(sizeof *s + s->size);
    if (at + old != h->top || size - old > room_at_top(h)) return false;
    if (s->h.flags & OBJ_TRACED) memset(h->base + h->top, 0, size - old);
    h->top += size - old;
    h->live += size - old;
    s->size = size - sizeof *s;
    return true;
}

val heap_store_grow(struct vm *vm, val store, uint64_t bytes) {
    struct ostore *old = heap_at(&vm->heap, store);
    uint64_t size = alloc_round(sizeof *old + bytes);
    if (bytes <= old->size) return store;
    if (bytes < vm->heap.mapped && grow_in_place(&vm->heap, old, size))
        return store;
    struct ostore *s = new_store(vm, bytes, old->h.flags);
    if (!s) return VAL_UNSET;
    memcpy(s->data, old->data, old->size);
    if (s->h.flags & OBJ_TRACED)
        memset((char *)s->data + old->size, 0, s->size - old->size);
    s->used = old->used;
    heap_free(vm, store);
    return heap_ref(&vm->heap, s);
}

void heap_store_trim(struct vm *vm, val store, uint64_t bytes) {
    struct heap *h = &vm->heap;
    struct ostore *s = heap_at(h, store);
    uint64_t old = sizeof *s + s->size, size = alloc_round(sizeof *s + bytes);
    if (size >= old) return;
    s->size = size - sizeof *s;
    h->live -= old - size;
    make_hole(h, store + size, old - size);
}
