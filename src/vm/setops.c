/* SPDX-License-Identifier: MIT
 *
 * Whole sets, combined: the operators and their in-place forms. */
#include "vm/set.h"

/* Results are of the builtin class that a derives from. */
static val new_like(struct vm *vm, val a) {
    return set_new(vm, set_at(vm, a)->h.flags & OBJ_FROZEN);
}

val set_copy(struct vm *vm, val set) {
    val r = new_like(vm, set);
    return r && !set_merge(vm, r, set) ? r : VAL_UNSET;
}

val set_or(struct vm *vm, val a, val b) {
    val r = set_copy(vm, a);
    return r && !set_merge(vm, r, b) ? r : VAL_UNSET;
}

/* Adds to r the items of a that are in b, or those that are not. */
static int pick(struct vm *vm, val r, val a, val b, bool in) {
    uint64_t n;
    const struct set_entry *e = set_entries(vm, set_at(vm, a), &n);
    if (!vm_charge(vm, n)) return -1;
    for (uint64_t i = 0; i < n; i++) {
        if (!e[i].key) continue;
        int64_t at = set_find_entry(vm, b, &e[i]);
        if (at == -2) return -1;
        if ((at >= 0) == in && set_add_entry(vm, r, &e[i])) return -1;
    }
    return 0;
}

val set_and(struct vm *vm, val a, val b) {
    if (a == b) return set_copy(vm, a);
    val r = new_like(vm, a);
    bool swap = set_at(vm, b)->len > set_at(vm, a)->len;
    if (!r || pick(vm, r, swap ? a : b, swap ? b : a, true)) return VAL_UNSET;
    return r;
}

static int discard_all(struct vm *vm, val a, val b) {
    uint64_t n;
    const struct set_entry *e = set_entries(vm, set_at(vm, b), &n);
    if (!vm_charge(vm, n)) return -1;
    for (uint64_t i = 0; i < n; i++) {
        if (!e[i].key) continue;
        int64_t at = set_find_entry(vm, a, &e[i]);
        if (at == -2) return -1;
        if (at >= 0) set_del_at(vm, a, (uint64_t)at);
    }
    return 0;
}

int set_minus_update(struct vm *vm, val a, val b) {
    if (a == b) {
        set_clear(vm, a);
        return 0;
    }
    return discard_all(vm, a, b) || set_squeeze(vm, a) ? -1 : 0;
}

val set_minus(struct vm *vm, val a, val b) {
    val r;
    if (set_at(vm, a)->len >> 2 > set_at(vm, b)->len) {
        r = set_copy(vm, a);
        return r && !set_minus_update(vm, r, b) ? r : VAL_UNSET;
    }
    r = new_like(vm, a);
    return r && !pick(vm, r, a, b, false) ? r : VAL_UNSET;
}

/* Items of b that are in a leave it, the others come to it. */
static int exchange(struct vm *vm, val a, val b) {
    uint64_t n;
    const struct set_entry *e = set_entries(vm, set_at(vm, b), &n);
    if (!vm_charge(vm, n)) return -1;
    for (uint64_t i = 0; i < n; i++) {
        if (!e[i].key) continue;
        int64_t at = set_find_entry(vm, a, &e[i]);
        if (at == -2) return -1;
        if (at >= 0)
            set_del_at(vm, a, (uint64_t)at);
        else if (set_add_entry(vm, a, &e[i]))
            return -1;
    }
    return 0;
}

/* A second attempt, after a collection, must begin where the first one did. */
int set_xor_update(struct vm *vm, val a, val b) {
    if (a == b) {
        set_clear(vm, a);
        return 0;
    }
    struct oset *s = set_at(vm, a), before = *s;
    val kept = VAL_UNSET;
    if (s->store) {
        const struct ostore *o = heap_at(&vm->heap, s->store);
        if (!(kept = heap_store(vm, o->size, OBJ_TRACED))) return -1;
        struct ostore *k = heap_at(&vm->heap, kept);
        memcpy(k->data, o->data, o->size);
        k->used = o->used;
    }
    int bad = exchange(vm, a, b);
    if (bad) {
        if (s->store) heap_free(vm, s->store);
        s->store = kept;
        s->len = before.len;
        s->used = before.used;
        s->h.flags = before.h.flags;
    } else if (kept) {
        heap_free(vm, kept);
    }
    return bad;
}

val set_xor(struct vm *vm, val a, val b) {
    val r = new_like(vm, a);
    if (!r || set_merge(vm, r, b) || exchange(vm, r, a)) return VAL_UNSET;
    return r;
}

void set_swap(struct vm *vm, val a, val b) {
    struct oset *x = set_at(vm, a), *y = set_at(vm, b);
    struct oset t = *x;
    x->store = y->store;
    x->len = y->len;
    x->used = y->used;
    x->version++;
    y->store = t.store;
    y->len = t.len;
    y->used = t.used;
    const unsigned how = OBJ_SECRET | OBJ_PLACED;
    x->h.flags = (uint8_t)((x->h.flags & ~how) | (y->h.flags & how));
    y->h.flags = (uint8_t)((y->h.flags & ~how) | (t.h.flags & how));
}

int set_subset(struct vm *vm, val a, val b) {
    uint64_t n;
    if (set_at(vm, a)->len > set_at(vm, b)->len) return 0;
    const struct set_entry *e = set_entries(vm, set_at(vm, a), &n);
    if (!vm_charge(vm, n)) return -1;
    for (uint64_t i = 0; i < n; i++) {
        if (!e[i].key) continue;
        int64_t at = set_find_entry(vm, b, &e[i]);
        if (at < 0) return at == -2 ? -1 : 0;
    }
    return 1;
}
