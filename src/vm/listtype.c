/* SPDX-License-Identifier: MIT
 *
 * The class list. */
#include "vm/seq.h"
#include "vm/slots.h"
#include "vm/sort.h"

static val list_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    /* A subclass is filled by __init__, which its own may replace. */
    if (args[0] != TYPE_VAL(list)) return list_new_as(vm, args[0]);
    return args[1] ? list_from(vm, args[1]) : list_new(vm, NULL, 0);
}

static val list_init(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val items = args[1] ? list_from(vm, args[1]) : VAL_NONE;
    if (!items) return VAL_UNSET;
    list_clear(vm, args[0]);
    if (args[1] && list_extend(vm, args[0], items)) return VAL_UNSET;
    return VAL_NONE;
}

static val list_append_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return list_append(vm, args[0], args[1]) ? VAL_UNSET : VAL_NONE;
}

static val list_extend_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return list_extend(vm, args[0], args[1]) ? VAL_UNSET : VAL_NONE;
}

static val list_clear_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    list_clear(vm, args[0]);
    return VAL_NONE;
}

static val list_copy(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t len = list_len(vm, args[0]);
    if (!vm_charge(vm, len / 8)) return VAL_UNSET;
    return list_new(vm, list_items(vm, args[0]), len);
}

static val list_insert_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at, len = (int64_t)list_len(vm, args[0]);
    if (value_index(vm, args[1], &at)) return VAL_UNSET;
    if (at < 0) at = at < -len ? 0 : at + len;
    if (at > len) at = len;
    return list_insert(vm, args[0], (uint64_t)at, args[2]) ? VAL_UNSET
                                                           : VAL_NONE;
}

static val list_pop(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t len = list_len(vm, args[0]), at = len - 1;
    int64_t given;
    if (args[1] && value_index(vm, args[1], &given)) return VAL_UNSET;
    if (!len) return vm_raise(vm, EXC_IndexError, "pop from empty list");
    if (args[1] && seq_index(vm, args[1], len, "pop index out of range", &at))
        return VAL_UNSET;
    return list_take(vm, args[0], at);
}

/* Index of the first item equal to v, -1 for none, -2 raised or slow. */
static int64_t find(struct vm *vm, val list, val v, uint64_t from,
                    uint64_t to) {
    for (uint64_t i = from; i < to && i < list_len(vm, list); i++) {
        if (i % 64 == 63 && !vm_charge(vm, 64)) return -2;
        int same = value_equal(vm, list_items(vm, list)[i], v);
        if (same) return same < 0 ? -2 : (int64_t)i;
    }
    return -1;
}

static val list_remove(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at = find(vm, args[0], args[1], 0, UINT64_MAX);
    if (at == -1)
        return vm_raise(vm, EXC_ValueError, "list.remove(x): x not in list");
    if (at < 0 || !list_take(vm, args[0], (uint64_t)at)) return VAL_UNSET;
    return VAL_NONE;
}

static val list_index(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t from, to;
    if (seq_bounds(vm, args[2], args[3], list_len(vm, args[0]), &from, &to))
        return VAL_UNSET;
    int64_t at = find(vm, args[0], args[1], from, to);
    if (at >= 0) return val_of_int(at);
    if (at == -2) return VAL_UNSET;
    val r = value_repr(vm, args[1]);
    if (!r) return VAL_UNSET;
    return vm_raise(vm, EXC_ValueError, "%.*s is not in list",
                    STR_ARG(text_get(vm, r)));
}

static val list_count(struct vm *vm, const val *args, size_t n) {
    (void)n;
    uint64_t len = list_len(vm, args[0]);
    int64_t count = 0;
    if (!vm_charge(vm, len)) return VAL_UNSET;
    for (uint64_t i = 0; i < len; i++) {
        int same = value_equal(vm, list_items(vm, args[0])[i], args[1]);
        if (same < 0) return VAL_UNSET;
        count += same;
    }
    return val_of_int(count);
}

static val list_m_reverse(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (!vm_charge(vm, list_len(vm, args[0]))) return VAL_UNSET;
    list_reverse(vm, args[0]);
    return VAL_NONE;
}

static val list_sort(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int reverse = sort_reverse(vm, args[2]);
    if (reverse < 0) return VAL_UNSET;
    if (args[1] && args[1] != VAL_NONE) return vm_slow(vm);
    val *items = list_items(vm, args[0]);
    uint64_t len = list_len(vm, args[0]);
    if (len < 2) return VAL_NONE;
    if (sort_by_keys(vm, items, items, len, reverse, items)) return VAL_UNSET;
    return VAL_NONE;
}

static const struct native methods[] = {
    {"__new__", "cls, iterable=(), /", list_make,
     "A list of the items of an iterable.", "_list_new"},
    {"__init__", "self, iterable=(), /", list_init,
     "Replaces all items by those of an iterable.", "_list_init"},
    {"append", "self, object, /", list_append_method, "Adds one item.", NULL},
    {"clear", "self, /", list_clear_method, "Removes all items.", NULL},
    {"copy", "self, /", list_copy, "A shallow copy.", NULL},
    {"count", "self, value, /", list_count, "How often value occurs.",
     "_seq_count"},
    {"extend", "self, iterable, /", list_extend_method,
     "Adds the items of an iterable.", "_list_extend"},
    {"index", "self, value, start=0, stop=9223372036854775807, /", list_index,
     "First index of value.", "_seq_index"},
    {"insert", "self, index, object, /", list_insert_method,
     "Puts an item before index.", NULL},
    {"pop", "self, index=-1, /", list_pop, "Removes and returns an item.",
     NULL},
    {"remove", "self, value, /", list_remove, "Removes the first such item.",
     "_list_remove"},
    {"reverse", "self, /", list_m_reverse, "Reverses in place.", NULL},
    {"sort", "self, /, *, key=None, reverse=False", list_sort,
     "Sorts in place; stable.", "_list_sort"},
#define SLOTS_SEQUENCE
#define SLOTS_SETITEM
#define SLOTS_REVERSED
#define SLOTS_ADD
#define SLOTS_MUL
#define SLOTS_INPLACE
#define SLOTS_COMPARE
#define SLOTS_GENERIC
#include "vm/slots.def"
    {0},
};

const struct native_type native_list = {
    "list", KIND_LIST, NULL, 0, methods, NULL, "A mutable sequence of values.",
};
