/* SPDX-License-Identifier: MIT
 *
 * alloc -- heap_new_raw() where it stands, for the few places that allocate so
 * often that a call would show.
 */
#ifndef CORDON_VM_ALLOC_H
#define CORDON_VM_ALLOC_H

#include "vm/vm.h"

/* As heap_new_raw: holes of other sizes, collection, refusal. */
void *alloc_anywhere(struct vm *vm, enum kind kind, val type, uint64_t size);

/* The top has passed `ready`: pages are asked for. Which ones a range had from
 * a run before must not show in where objects go. */
void alloc_pages(struct heap *h);

static inline uint64_t alloc_round(uint64_t n) {
    return (n + 15) & ~15ull;
}

static inline struct obj *alloc_header(struct vm *vm, uint64_t at,
                                       enum kind kind, val type) {
    struct obj *o = heap_at(&vm->heap, at);
    *o = (struct obj){.kind = (uint8_t)kind,
                      .label = vm->ambient,
                      .type = (uint32_t)(type / 8)};
    return o;
}

/* The next bytes of the large hole; what is left of it is a hole at any time,
 * for those who walk the heap. */
static inline uint64_t alloc_open(struct heap *h, uint64_t size) {
    uint64_t at = h->from;
    h->from += size;
    h->room -= size;
    if (h->room)
        *(struct obj *)heap_at(h, h->from) =
            (struct obj){.kind = KIND_FREE, .type = (uint32_t)(h->room / 16)};
    return at;
}

/* A hole of just this size, or the next bytes of a large one or at the top. */
static inline void *alloc_raw(struct vm *vm, enum kind kind, val type,
                              uint64_t size) {
    struct heap *h = &vm->heap;
    if (size > 16 * (HEAP_CLASSES - 1) || h->live > h->collect_at)
        return alloc_anywhere(vm, kind, type, size);
    size = alloc_round(size);
    uint64_t at = h->holes[size / 16];
    if (at) {
        h->holes[size / 16] = ((struct ofree *)heap_at(h, at))->next;
    } else if (size <= h->room) {
        at = alloc_open(h, size);
    } else {
        at = h->top;
        if (h->bump_to < at + size) return alloc_anywhere(vm, kind, type, size);
        h->top = at + size;
        if (h->top > h->ready) alloc_pages(h);
    }
    h->live += size;
    return alloc_header(vm, at, kind, type);
}

#endif
