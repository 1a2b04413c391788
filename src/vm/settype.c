/* SPDX-License-Identifier: MIT
 *
 * The classes set and frozenset. */
#include "vm/set.h"

#include "vm/dict.h"
#include "vm/iter.h"
#include "vm/slots.h"

/* -- filling ----------------------------------------------------------------
 */

/* As CPython, a dict's keys make room for all of them first. */
int set_update(struct vm *vm, val set, val iterable) {
    if (vm_is(vm, iterable, KIND_SET) &&
        !special_of(vm, iterable, SPECIAL_ITER))
        return set_merge(vm, set, iterable);
    val it = iter_new(vm, iterable), item;
    if (!it) return -1;
    if (!iter_is_plain(vm, it)) {
        vm_slow(vm);
        return -1;
    }
    struct oiter before = *iter_at(vm, it);
    for (;;) {
        enum iter_step got = iter_next(vm, it, &item);
        if (got == ITER_END) return 0;
        if (got == ITER_RAISED || !vm_charge(vm, 1) ||
            set_add(vm, set, item) < 0) {
            *iter_at(vm, it) = before;
            return -1;
        }
    }
}

/* Any iterable as a set: itself when it is one. */
static val as_set(struct vm *vm, val v) {
    if (vm_is(vm, v, KIND_SET)) return v;
    val s = set_new(vm, false);
    return s && set_update(vm, s, v) >= 0 ? s : VAL_UNSET;
}

static val set_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val s = set_new_as(vm, args[0], false);
    if (!s || args[0] != TYPE_VAL(set) || !args[1]) return s;
    return set_update(vm, s, args[1]) < 0 ? VAL_UNSET : s;
}

static val set_init(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val s = args[1] ? as_set(vm, args[1]) : VAL_NONE;
    if (!s) return VAL_UNSET;
    if (s != args[0]) set_clear(vm, args[0]);
    if (args[1] && set_merge(vm, args[0], s)) return VAL_UNSET;
    return VAL_NONE;
}

static val frozenset_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (args[0] == TYPE_VAL(frozenset) && args[1] &&
        type_of(vm, args[1]) == TYPE_VAL(frozenset))
        return args[1];
    val s = set_new_as(vm, args[0], true);
    if (!s || !args[1]) return s;
    return set_update(vm, s, args[1]) < 0 ? VAL_UNSET : s;
}

/* -- items ------------------------------------------------------------------
 */

static val set_add_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return set_add(vm, args[0], args[1]) < 0 ? VAL_UNSET : VAL_NONE;
}

val set_as_key(struct vm *vm, val item) {
    if (!vm_is(vm, item, KIND_SET) || vm_obj(vm, item)->flags & OBJ_FROZEN)
        return item;
    val frozen = set_new(vm, true);
    return frozen && !set_merge(vm, frozen, item) ? frozen : VAL_UNSET;
}

static val set_discard(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val key = set_as_key(vm, args[1]);
    return key && set_del(vm, args[0], key) >= 0 ? VAL_NONE : VAL_UNSET;
}

static val set_remove(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val key = set_as_key(vm, args[1]);
    int was = key ? set_del(vm, args[0], key) : -1;
    if (was == 0) return vm_raise_args(vm, EXC_KeyError, &args[1], 1);
    return was < 0 ? VAL_UNSET : VAL_NONE;
}

static val set_pop_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return set_pop(vm, args[0]);
}

static val set_clear_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    set_clear(vm, args[0]);
    return VAL_NONE;
}

static val set_copy_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (type_of(vm, args[0]) == TYPE_VAL(frozenset)) return args[0];
    return set_copy(vm, args[0]);
}

/* -- operations with any iterables ------------------------------------------
 */

static val set_union(struct vm *vm, const val *args, size_t n) {
    val r = set_copy(vm, args[0]);
    for (size_t i = 1; r && i < n; i++)
        if (set_update(vm, r, args[i]) < 0) return VAL_UNSET;
    return r;
}

static val set_intersection(struct vm *vm, const val *args, size_t n) {
    val r = n > 1 ? args[0] : set_copy(vm, args[0]);
    for (size_t i = 1; r && i < n; i++) {
        val other = as_set(vm, args[i]);
        r = other ? set_and(vm, r, other) : VAL_UNSET;
    }
    return r;
}

static val set_difference(struct vm *vm, const val *args, size_t n) {
    val r = n > 1 ? args[0] : set_copy(vm, args[0]);
    for (size_t i = 1; r && i < n; i++) {
        val other = as_set(vm, args[i]);
        r = other ? set_minus(vm, r, other) : VAL_UNSET;
    }
    return r;
}

static val set_symmetric(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val other = as_set(vm, args[1]);
    return other ? set_xor(vm, args[0], other) : VAL_UNSET;
}

static val set_update_method(struct vm *vm, const val *args, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (set_update(vm, args[0], args[i]) < 0) return VAL_UNSET;
    return VAL_NONE;
}

static val set_intersection_update(struct vm *vm, const val *args, size_t n) {
    val r = set_intersection(vm, args, n);
    if (!r) return VAL_UNSET;
    if (r != args[0]) set_swap(vm, args[0], r);
    return VAL_NONE;
}

static val set_difference_update(struct vm *vm, const val *args, size_t n) {
    for (size_t i = 1; i < n; i++) {
        val other = as_set(vm, args[i]);
        if (!other || set_minus_update(vm, args[0], other)) return VAL_UNSET;
    }
    return VAL_NONE;
}

static val set_symmetric_update(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val other = as_set(vm, args[1]);
    if (!other || set_xor_update(vm, args[0], other)) return VAL_UNSET;
    return VAL_NONE;
}

static val of_answer(int yes) {
    return yes < 0 ? VAL_UNSET : val_of_bool(yes);
}

static val set_issubset(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val other = as_set(vm, args[1]);
    return other ? of_answer(set_subset(vm, args[0], other)) : VAL_UNSET;
}

static val set_issuperset(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val other = as_set(vm, args[1]);
    return other ? of_answer(set_subset(vm, other, args[0])) : VAL_UNSET;
}

static val set_isdisjoint(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val other = as_set(vm, args[1]);
    val both = other ? set_and(vm, args[0], other) : VAL_UNSET;
    return both ? val_of_bool(!set_at(vm, both)->len) : VAL_UNSET;
}

#define SHARED                                                              \
    {"copy", "self, /", set_copy_method, "A shallow copy.", NULL},          \
        {"difference", "self, /, *others", set_difference,                  \
         "Items that are in none of the others.", "_set_difference"},       \
        {"intersection", "self, /, *others", set_intersection,              \
         "Items that are in all of the others, too.", "_set_intersection"}, \
        {"isdisjoint", "self, other, /", set_isdisjoint,                    \
         "Whether no item is in both.", "_set_isdisjoint"},                 \
        {"issubset", "self, other, /", set_issubset,                        \
         "Whether every item is in other.", "_set_issubset"},               \
        {"issuperset", "self, other, /", set_issuperset,                    \
         "Whether every item of other is here.", "_set_issuperset"},        \
        {"symmetric_difference", "self, other, /", set_symmetric,           \
         "Items that are in exactly one of both.",                          \
         "_set_symmetric_difference"},                                      \
        {"union", "self, /, *others", set_union,                            \
         "Items of this and all the others.", "_set_union"},

static const struct native methods[] = {
    {"__new__", "cls, iterable=(), /", set_make,
     "A set of the items of an iterable.", "_set_new"},
    {"__init__", "self, iterable=(), /", set_init,
     "Replaces all items by those of an iterable.", "_set_init"},
    {"add", "self, item, /", set_add_method, "Adds an item.", "_set_add"},
    {"clear", "self, /", set_clear_method, "Removes all items.", NULL},
    {"discard", "self, item, /", set_discard, "Removes an item if it is there.",
     "_set_discard"},
    {"remove", "self, item, /", set_remove, "Removes an item.", "_set_remove"},
    {"pop", "self, /", set_pop_method, "Removes and returns some item.", NULL},
    {"update", "self, /, *others", set_update_method,
     "Adds the items of all the others.", "_set_update"},
    {"difference_update", "self, /, *others", set_difference_update,
     "Removes the items of the others.", "_set_difference_update"},
    {"intersection_update", "self, /, *others", set_intersection_update,
     "Keeps what is in all the others.", "_set_intersection_update"},
    {"symmetric_difference_update", "self, other, /", set_symmetric_update,
     "Keeps what is in exactly one of both.",
     "_set_symmetric_difference_update"},
    SHARED
#define SLOTS_CONTAINER
#define SLOTS_COMPARE
#define SLOTS_SET
#define SLOTS_SET_INPLACE
#define SLOTS_GENERIC
#include "vm/slots.def"
    {0},
};

const struct native_type native_set = {
    "set", KIND_SET, NULL, 0, methods, NULL, "A mutable set of values.",
};

static const struct native frozenset_methods[] = {
    {"__new__", "cls, iterable=(), /", frozenset_make,
     "An immutable set of the items of an iterable.", "_frozenset_new"},
    SHARED
#define SLOTS_CONTAINER
#define SLOTS_COMPARE
#define SLOTS_HASH
#define SLOTS_SET
#define SLOTS_GENERIC
#include "vm/slots.def"
    {0},
};

const struct native_type native_frozenset = {
    "frozenset",
    KIND_SET,
    NULL,
    0,
    frozenset_methods,
    NULL,
    "An immutable set of values.",
};
