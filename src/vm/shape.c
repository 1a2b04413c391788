/* SPDX-License-Identifier: MIT
 *
 * Shapes: which keys, in which order. Children are found through one table per
 * run, so shapes of the template can have children too without being changed.
 */
#include "vm/text.h"

#define LINEAR 8 /* keys searched one by one */

static struct oshape *shape_at(const struct vm *vm, val shape) {
    return heap_at(&vm->heap, shape);
}

/* An allocation of this size cannot fail now. */
static bool room_for(const struct vm *vm, uint64_t bytes) {
    return vm->heap.limit - vm->heap.top > bytes + 64;
}

/* -- children ---------------------------------------------------------------
 */

/* root.shapes is a traced store: the number of shapes made as an int, then
 * slots for child shapes, a power of two. */
static uint64_t slot_count(const struct ostore *o) {
    return (uint64_t)1 << (63 - __builtin_clzll(o->size / sizeof(val) - 1));
}

/* Keys are interned, so where they stand tells them apart; what they say is
 * chosen outside. */
static uint64_t key_hash(const struct vm *vm, val key, uint32_t parent_id) {
    uint64_t h =
        (uint64_t)parent_id << 32 ^ key ^ vm_root_const(vm)->table_seed;
    return (h * 0x9e3779b97f4a7c15u) >> 20;
}

static val *child_slot(struct vm *vm, val table, val parent, val key) {
    struct ostore *o = heap_at(&vm->heap, table);
    uint64_t mask = slot_count(o) - 1;
    uint64_t i = key_hash(vm, key, shape_at(vm, parent)->id) & mask;
    val *slots = (val *)o->data + 1;
    for (; slots[i]; i = (i + 1) & mask) {
        const struct oshape *s = shape_at(vm, slots[i]);
        if (s->parent == parent && s->key == key) break;
    }
    return &slots[i];
}

static val new_children(struct vm *vm, uint64_t slots) {
    val t = heap_store(vm, (slots + 1) * sizeof(val), OBJ_TRACED);
    if (!t) return VAL_UNSET;
    struct ostore *o = heap_at(&vm->heap, t);
    o->used = o->size;
    o->data[0] = val_of_int(0);
    return t;
}

static int grow_children(struct vm *vm) {
    struct root *root = vm_root(vm);
    if (!root->shapes) root->shapes = new_children(vm, 32);
    if (!root->shapes) return -1;
    struct ostore *o = heap_at(&vm->heap, root->shapes);
    uint64_t slots = slot_count(o);
    if ((uint64_t)val_int(o->data[0]) < slots - slots / 4) return 0;
    val t = new_children(vm, slots * 2);
    if (!t) return -1;
    struct ostore *n = heap_at(&vm->heap, t);
    n->data[0] = o->data[0];
    for (uint64_t i = 1; i <= slots; i++) {
        if (!o->data[i]) continue;
        const struct oshape *s = shape_at(vm, o->data[i]);
        *child_slot(vm, t, s->parent, s->key) = o->data[i];
    }
    heap_free(vm, root->shapes);
    root->shapes = t;
    return 0;
}

static val new_shape(struct vm *vm, val parent, val key) {
    struct oshape *s = heap_new(vm, KIND_SHAPE, 0, sizeof *s);
    if (!s) return VAL_UNSET;
    struct ostore *o = heap_at(&vm->heap, vm_root(vm)->shapes);
    o->data[0] = val_of_int(val_int(o->data[0]) + 1);
    s->id = (uint32_t)val_int(o->data[0]);
    s->parent = parent;
    s->key = key;
    s->len = parent ? shape_at(vm, parent)->len + 1 : 0;
    return heap_ref(&vm->heap, s);
}

val shape_empty(struct vm *vm) {
    struct root *root = vm_root(vm);
    if (root->shape) return root->shape;
    if (grow_children(vm)) return VAL_UNSET;
    return root->shape = new_shape(vm, VAL_UNSET, VAL_UNSET);
}

uint64_t shape_count(const struct vm *vm) {
    val shapes = vm_root_const(vm)->shapes;
    if (!shapes) return 0;
    const struct ostore *o = heap_at(&vm->heap, shapes);
    return (uint64_t)val_int(o->data[0]);
}

val shape_add(struct vm *vm, val shape, val key) {
    if (grow_children(vm)) return VAL_UNSET;
    val *slot = child_slot(vm, vm_root(vm)->shapes, shape, key);
    if (!*slot) {
        val child = new_shape(vm, shape, key);
        if (!child) return VAL_UNSET;
        *slot = child;
    }
    return *slot;
}

/* -- lookups ----------------------------------------------------------------
 */

/* All keys in order, or NULL when there is no room to list them. */
static const val *shape_keys(struct vm *vm, struct oshape *s) {
    if (s->keys) return tuple_items(vm, s->keys);
    uint64_t bytes = sizeof(struct otuple) + (uint64_t)s->len * sizeof(val);
    if (s->h.flags & OBJ_PINNED || !room_for(vm, bytes)) return NULL;
    struct otuple *t = heap_new(vm, KIND_TUPLE, TYPE_VAL(tuple), bytes);
    if (!t) return NULL;
    t->len = s->len;
    const struct oshape *at = s;
    for (uint32_t i = s->len; i-- > 0; at = shape_at(vm, at->parent))
        t->item[i] = at->key;
    s->keys = heap_ref(&vm->heap, t);
    return t->item;
}

static int64_t find_by_walking(const struct vm *vm, const struct oshape *s,
                               val key) {
    for (; s->len; s = shape_at(vm, s->parent))
        if (s->key == key) return s->len - 1;
    return -1;
}

static bool make_table(struct vm *vm, struct oshape *s, const val *keys) {
    uint64_t slots = (uint64_t)2 << (64 - __builtin_clzll(s->len));
    if (s->h.flags & OBJ_PINNED || !room_for(vm, slots * sizeof(uint32_t)))
        return false;
    val t = heap_store(vm, slots * sizeof(uint32_t), 0);
    if (!t) return false;
    struct ostore *o = heap_at(&vm->heap, t);
    uint32_t *table = (uint32_t *)o->data;
    for (uint32_t i = 0; i < s->len; i++) {
        uint64_t at = key_hash(vm, keys[i], 0) & (slots - 1);
        while (table[at])
            at = (at + 1) & (slots - 1);
        table[at] = i + 1;
    }
    s->table = t;
    return true;
}

static int64_t find_in_table(struct vm *vm, const struct oshape *s,
                             const val *keys, val key) {
    const struct ostore *o = heap_at(&vm->heap, s->table);
    const uint32_t *table = (const uint32_t *)o->data;
    uint64_t mask = ((uint64_t)2 << (64 - __builtin_clzll(s->len))) - 1;
    uint64_t at = key_hash(vm, key, 0) & mask;
    for (; table[at]; at = (at + 1) & mask)
        if (keys[table[at] - 1] == key) return table[at] - 1;
    return -1;
}

int64_t shape_find(struct vm *vm, val shape, val key) {
    struct oshape *s = shape_at(vm, shape);
    const val *keys = shape_keys(vm, s);
    if (!keys) return find_by_walking(vm, s, key);
    if (s->len > LINEAR && (s->table || make_table(vm, s, keys)))
        return find_in_table(vm, s, keys, key);
    for (uint32_t i = 0; i < s->len; i++)
        if (keys[i] == key) return i;
    return -1;
}

val shape_key(const struct vm *vm, val shape, uint32_t position) {
    const struct oshape *s = shape_at(vm, shape);
    if (s->keys) return tuple_items(vm, s->keys)[position];
    while (s->len > position + 1)
        s = shape_at(vm, s->parent);
    return s->key;
}
