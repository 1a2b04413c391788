/* SPDX-License-Identifier: MIT
 *
 * The class dict. */
#include "vm/dict.h"

#include "vm/seq.h"
#include "vm/slots.h"

#include <stdio.h>

/* -- filling ----------------------------------------------------------------
 */

static int not_a_pair(struct vm *vm, uint64_t i, val item) {
    int64_t n = value_len(vm, item);
    if (n < 0) {
        if (vm->slow_wanted) return -1;
        vm_raise(vm, EXC_TypeError,
                 "cannot convert dictionary update sequence element #%llu to a "
                 "sequence",
                 (unsigned long long)i);
        return -1;
    }
    vm_raise(vm, EXC_ValueError,
             "dictionary update sequence element #%llu has length %lld; 2 is "
             "required",
             (unsigned long long)i, (long long)n);
    return -1;
}

static int add_pairs(struct vm *vm, val dict, val pairs) {
    const val *items, *pair;
    uint64_t n, two;
    if (value_items(vm, pairs, &items, &n)) return -1;
    for (uint64_t i = 0; i < n; i++) {
        if (int_is(vm, items[i]) || float_is(vm, items[i]))
            return not_a_pair(vm, i, items[i]);
        if (value_items(vm, items[i], &pair, &two)) return -1;
        if (two != 2) return not_a_pair(vm, i, items[i]);
        if (dict_set(vm, dict, pair[0], pair[1])) return -1;
        if (!vm_charge(vm, 4)) return -1;
    }
    return 0;
}

/* A mapping or pairs, then keywords; `from` and `kwargs` may be unset. */
static int fill(struct vm *vm, val dict, val from, val kwargs) {
    if (from && vm_is(vm, from, KIND_DICT) &&
        !special_of(vm, from, SPECIAL_ITER)) {
        if (dict_update(vm, dict, from)) return -1;
    } else if (from) {
        /* keys() of an object is for Python to call. */
        if (vm_is(vm, from, KIND_INSTANCE) || vm_is(vm, from, KIND_MODULE) ||
            type_of(vm, from) == TYPE_VAL(mappingproxy)) {
            vm_slow(vm);
            return -1;
        }
        if (add_pairs(vm, dict, from)) return -1;
    }
    return kwargs ? dict_update(vm, dict, kwargs) : 0;
}

static val dict_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    if (args[0] != TYPE_VAL(dict)) return dict_new_as(vm, args[0]);
    if (args[1] && vm_is(vm, args[1], KIND_DICT) && !args[2] &&
        type_of(vm, args[1]) == TYPE_VAL(dict))
        return dict_copy(vm, args[1]);
    val d = dict_new(vm);
    return d && !fill(vm, d, args[1], args[2]) ? d : VAL_UNSET;
}

static val dict_init(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return fill(vm, args[0], args[1], args[2]) ? VAL_UNSET : VAL_NONE;
}

static val dict_update_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return fill(vm, args[0], args[1], args[2]) ? VAL_UNSET : VAL_NONE;
}

static val dict_fromkeys(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const val *items;
    uint64_t len;
    if (args[0] != TYPE_VAL(dict)) return vm_slow(vm);
    if (value_items(vm, args[1], &items, &len)) return VAL_UNSET;
    val d = dict_new(vm);
    if (!d || !vm_charge(vm, len)) return VAL_UNSET;
    for (uint64_t i = 0; i < len; i++)
        if (dict_set(vm, d, items[i], args[2] ? args[2] : VAL_NONE))
            return VAL_UNSET;
    return d;
}

/* -- entries ----------------------------------------------------------------
 */

static val dict_get_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val v;
    int found = dict_get(vm, args[0], args[1], &v);
    if (found < 0) return VAL_UNSET;
    return found ? v : args[2] ? args[2] : VAL_NONE;
}

static val dict_setdefault(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val v, missing = args[2] ? args[2] : VAL_NONE;
    int found = dict_get(vm, args[0], args[1], &v);
    if (found < 0) return VAL_UNSET;
    if (found) return v;
    return dict_set(vm, args[0], args[1], missing) ? VAL_UNSET : missing;
}

static val dict_pop(struct vm *vm, const val *args, size_t n) {
    (void)n;
    int64_t at = dict_find(vm, args[0], args[1]);
    if (at == -2) return VAL_UNSET;
    if (at == -1) {
        if (args[2]) return args[2];
        return vm_raise_args(vm, EXC_KeyError, &args[1], 1);
    }
    val v = *dict_value_at(vm, args[0], (uint64_t)at);
    return dict_del_at(vm, args[0], (uint64_t)at) ? VAL_UNSET : v;
}

static val dict_popitem(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const struct odict *d = dict_at(vm, args[0]);
    if (!d->len) {
        val words = text_of(vm, "popitem(): dictionary is empty");
        if (!words) return VAL_UNSET;
        return vm_raise_args(vm, EXC_KeyError, &words, 1);
    }
    uint64_t at = d->used - 1;
    while (!dict_key_at(vm, args[0], at))
        at--;
    val pair[2] = {dict_key_at(vm, args[0], at),
                   *dict_value_at(vm, args[0], at)};
    val t = tuple_new(vm, pair, 2);
    return t && !dict_del_at(vm, args[0], at) ? t : VAL_UNSET;
}

static val dict_clear_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    dict_clear(vm, args[0]);
    return VAL_NONE;
}

static val dict_copy_method(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return dict_copy(vm, args[0]);
}

/* -- views ------------------------------------------------------------------
 */

static val view_new(struct vm *vm, val dict, unsigned what) {
    static const enum type_id types[] = {TYPE_ID_dict_keys, TYPE_ID_dict_values,
                                         TYPE_ID_dict_items};
    struct oview *w = heap_new(vm, KIND_VIEW, TYPE_AT(types[what]), sizeof *w);
    if (!w) return VAL_UNSET;
    w->dict = dict;
    w->what = what;
    return heap_ref(&vm->heap, w);
}

static val dict_keys(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return view_new(vm, args[0], 0);
}

static val dict_values(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return view_new(vm, args[0], 1);
}

static val dict_items(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return view_new(vm, args[0], 2);
}

static const struct native methods[] = {
    {"__new__", "cls, iterable=(), /, **kwargs", dict_make,
     "A dict from a mapping, pairs or keywords.", "_dict_new"},
    {"__init__", "self, iterable=(), /, **kwargs", dict_init,
     "Adds entries as update() does.", "_dict_update"},
    {"clear", "self, /", dict_clear_method, "Removes all entries.", NULL},
    {"copy", "self, /", dict_copy_method, "A shallow copy.", NULL},
    {"fromkeys", "@class cls, iterable, value=None, /", dict_fromkeys,
     "A dict with these keys and one value.", "_dict_fromkeys"},
    {"get", "self, key, default=None, /", dict_get_method,
     "The value of key, or default.", "_dict_get"},
    {"items", "self, /", dict_items, "A view of (key, value) pairs.", NULL},
    {"keys", "self, /", dict_keys, "A view of the keys.", NULL},
    {"pop", "self, key, default=None, /", dict_pop,
     "Removes key and returns its value, or default.", "_dict_pop"},
    {"popitem", "self, /", dict_popitem, "Removes the last entry.", NULL},
    {"setdefault", "self, key, default=None, /", dict_setdefault,
     "The value of key, which is default when it was absent.",
     "_dict_setdefault"},
    {"update", "self, iterable=(), /, **kwargs", dict_update_method,
     "Adds entries of a mapping, pairs or keywords.", "_dict_update"},
    {"values", "self, /", dict_values, "A view of the values.", NULL},
#define SLOTS_CONTAINER
#define SLOTS_GETITEM
#define SLOTS_SETITEM
#define SLOTS_REVERSED
#define SLOTS_COMPARE
#define SLOTS_OR
#define SLOTS_GENERIC
#include "vm/slots.def"
    {0},
};

const struct native_type native_dict = {
    "dict",
    KIND_DICT,
    NULL,
    0,
    methods,
    NULL,
    "A mapping that keeps the order of insertion.",
};
