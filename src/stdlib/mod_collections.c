/* SPDX-License-Identifier: MIT
 *
 * collections: what a deque is used for most; the classes are Python, in
 * collections.py.
 *
 * A deque is an instance with two slots, a list (which takes and gives items at
 * both ends in constant time) and its most length or None. Where a run has
 * labels the list's own are not its deque's: the stand-ins look at both.
 */
#include "vm/iter.h"
#include "vm/label.h"
#include "vm/native.h"
#include "vm/ops.h"
#include "vm/seq.h"

enum { SLOT_ITEMS, SLOT_MAXLEN };

/* A program can call these with anything. */
static val slot_of(struct vm *vm, val self, unsigned slot) {
    if (!vm_is(vm, self, KIND_INSTANCE)) return VAL_UNSET;
    const struct oinstance *o = heap_at(&vm->heap, self);
    if (!o->store || !vm_is(vm, o->store, KIND_STORE)) return VAL_UNSET;
    const struct ostore *s = heap_at(&vm->heap, o->store);
    return slot < s->size / sizeof(val) ? s->data[slot] : VAL_UNSET;
}

static val items_of(struct vm *vm, val self) {
    val items = slot_of(vm, self, SLOT_ITEMS);
    if (items && vm_is(vm, items, KIND_LIST)) return items;
    vm_raise(vm, EXC_TypeError, "expected a deque, got '%s'",
             vm_type_name(vm, self));
    return VAL_UNSET;
}

/* It has more than it may. */
static bool too_long(struct vm *vm, val self, val items) {
    val most = slot_of(vm, self, SLOT_MAXLEN);
    return most && val_is_int(most) &&
           list_len(vm, items) > (uint64_t)val_int(most);
}

static val deque_append(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val items = items_of(vm, args[0]);
    if (items && vm->labels) return vm_slow(vm);
    if (!items || list_append(vm, items, args[1])) return VAL_UNSET;
    if (too_long(vm, args[0], items) && !list_take(vm, items, 0))
        return VAL_UNSET;
    return VAL_NONE;
}

static val deque_appendleft(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val items = items_of(vm, args[0]);
    if (items && vm->labels) return vm_slow(vm);
    if (!items || list_insert(vm, items, 0, args[1])) return VAL_UNSET;
    if (too_long(vm, args[0], items) &&
        !list_take(vm, items, list_len(vm, items) - 1))
        return VAL_UNSET;
    return VAL_NONE;
}

static val take(struct vm *vm, val self, bool first) {
    val items = items_of(vm, self);
    if (!items) return VAL_UNSET;
    if (vm->labels) return vm_slow(vm);
    uint64_t len = list_len(vm, items);
    if (!len) return vm_raise(vm, EXC_IndexError, "pop from an empty deque");
    return list_take(vm, items, first ? 0 : len - 1);
}

static val deque_pop(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return take(vm, args[0], false);
}

static val deque_popleft(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return take(vm, args[0], true);
}

static val deque_len(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val items = items_of(vm, args[0]);
    if (items && vm->labels) return vm_slow(vm);
    return items ? val_of_int((int64_t)list_len(vm, items)) : VAL_UNSET;
}

static val deque_getitem(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t at;
    val items = items_of(vm, args[0]);
    if (!items) return VAL_UNSET;
    if (vm->labels) return vm_slow(vm);
    if (vm_is(vm, args[1], KIND_SLICE))
        return vm_raise(vm, EXC_TypeError,
                        "sequence index must be integer, not 'slice'");
    if (seq_index(vm, args[1], list_len(vm, items), "deque index out of range",
                  &at))
        return VAL_UNSET;
    return list_items(vm, items)[at];
}

static val deque_iter(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val items = items_of(vm, args[0]);
    val iter = items ? iter_over_deque(vm, items) : VAL_UNSET;
    if (iter && vm->labels)
        vm_obj(vm, iter)->label = label_join(
            vm->labels, vm_obj(vm, iter)->label, vm_obj(vm, items)->label);
    return iter;
}

static const struct native functions[] = {
    {"_deque_append", "@method self, x, /", deque_append,
     "Adds an item on the right.", "_deque_append_slow"},
    {"_deque_appendleft", "@method self, x, /", deque_appendleft,
     "Adds an item on the left.", "_deque_appendleft_slow"},
    {"_deque_pop", "@method self, /", deque_pop, "Takes the last item.",
     "_deque_pop_slow"},
    {"_deque_popleft", "@method self, /", deque_popleft,
     "Takes the first item.", "_deque_popleft_slow"},
    {"_deque_len", "@method self, /", deque_len, "len(self)",
     "_deque_len_slow"},
    {"_deque_getitem", "@method self, key, /", deque_getitem, "self[key]",
     "_deque_getitem_slow"},
    {"_deque_iter", "@method self, /", deque_iter, "iter(self)", NULL},
    {0},
};

const struct native_module module_collections = {.name = "collections",
                                                 .functions = functions};
