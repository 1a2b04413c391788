/* SPDX-License-Identifier: MIT
 *
 * The classes of builtin iterators, and enumerate, zip, map, filter, reversed.
 * Where a function must be called or an iterator is written in Python, a
 * generator of the prelude does the work behind the same class. */
#include "vm/iter.h"

#include "vm/bigint.h"
#include "vm/slots.h"

static val iter_length_hint(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return int_new(vm, (int64_t)iter_hint(vm, args[0]));
}

static const struct native methods[] = {
    {"__length_hint__", "self, /", iter_length_hint, "How many are left.",
     NULL},
#define SLOTS_ITERATOR
#include "vm/slots.def"
    {0},
};

#define ITERATOR(id, name)                   \
    const struct native_type native_##id = { \
        name,                                \
        KIND_ITER,                           \
        NULL,                                \
        TYPE_FINAL | TYPE_HIDDEN,            \
        methods,                             \
        NULL,                                \
        "An iterator over a builtin type.",  \
    };

ITERATOR(list_iterator, "list_iterator")
ITERATOR(list_reverseiterator, "list_reverseiterator")
ITERATOR(tuple_iterator, "tuple_iterator")
ITERATOR(str_iterator, "str_ascii_iterator")
ITERATOR(bytes_iterator, "bytes_iterator")
ITERATOR(bytearray_iterator, "bytearray_iterator")
ITERATOR(range_iterator, "range_iterator")
ITERATOR(longrange_iterator, "longrange_iterator")
ITERATOR(dict_keyiterator, "dict_keyiterator")
ITERATOR(dict_valueiterator, "dict_valueiterator")
ITERATOR(dict_itemiterator, "dict_itemiterator")
ITERATOR(dict_reversekeyiterator, "dict_reversekeyiterator")
ITERATOR(dict_reversevalueiterator, "dict_reversevalueiterator")
ITERATOR(dict_reverseitemiterator, "dict_reverseitemiterator")
ITERATOR(set_iterator, "set_iterator")
ITERATOR(callable_iterator, "callable_iterator")

/* -- enumerate and zip ------------------------------------------------------
 */

static val enumerate_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val start = args[2] ? args[2] : val_of_int(0);
    if (!int_is(vm, start)) {
        if (special_of(vm, start, SPECIAL_INDEX)) return vm_slow(vm);
        return vm_raise(vm, EXC_TypeError,
                        "'%s' object cannot be interpreted as an integer",
                        vm_type_name(vm, start));
    }
    val it = iter_new(vm, args[1]);
    if (!it) return VAL_UNSET;
    if (!iter_is_plain(vm, it) || iter_nesting(vm, it) >= ITER_NESTING)
        return vm_slow(vm);
    val v = iter_make(vm, args[0], ITER_ENUMERATE, it);
    if (!v) return VAL_UNSET;
    iter_at(vm, v)->extra[0] = int_plain(vm, start);
    iter_at(vm, v)->pos = iter_nesting(vm, it) + 1;
    return v;
}

static val zip_make(struct vm *vm, const val *args, size_t n) {
    int strict = args[1] ? value_truth(vm, args[1]) : 0;
    if (strict < 0) return VAL_UNSET;
    size_t count = n - 2;
    val sources = tuple_new(vm, args + 2, count);
    if (!sources) return VAL_UNSET;
    uint64_t nesting = 0;
    for (size_t i = 0; i < count; i++) {
        val it = iter_new(vm, args[2 + i]);
        if (!it) return VAL_UNSET;
        if (!iter_is_plain(vm, it) || iter_nesting(vm, it) >= ITER_NESTING)
            return vm_slow(vm);
        if (iter_nesting(vm, it) > nesting) nesting = iter_nesting(vm, it);
        tuple_items(vm, sources)[i] = it;
    }
    val v = iter_make(vm, args[0], ITER_ZIP, sources);
    if (!v) return VAL_UNSET;
    iter_at(vm, v)->state = (uint32_t)strict;
    iter_at(vm, v)->pos = nesting + 1;
    return v;
}

static val reversed_make(struct vm *vm, const val *args, size_t n) {
    (void)n;
    return iter_reversed(vm, args[1]);
}

static val by_generator(struct vm *vm, const val *args, size_t n) {
    (void)args;
    (void)n;
    return vm_slow(vm);
}

#define CLASS(id, signature, make, text, slow)                              \
    static const struct native id##_methods[] = {                           \
        {"__new__", signature, make, text, slow},                           \
        {"__iter__", "self, /", slot_self, "Itself.", NULL},                \
        {"__next__", "self, /", slot_next, "The next item.", "_iter_next"}, \
        {"__repr__", "self, /", slot_repr, "repr()", NULL},                 \
        {0},                                                                \
    };                                                                      \
    const struct native_type native_##id = {                                \
        #id, KIND_ITER, NULL, 0, id##_methods, NULL, text,                  \
    };

CLASS(enumerate, "cls, iterable, start=0", enumerate_make,
      "Pairs of a count and an item.", "_enumerate_new")
CLASS(zip, "cls, /, *iterables, strict=False", zip_make,
      "Tuples of one item of each iterable.", "_zip_new")
CLASS(map, "cls, func, iterable, /, *iterables", by_generator,
      "The results of a function for each item.", "_map_new")
CLASS(filter, "cls, function, iterable, /", by_generator,
      "The items for which a function is true.", "_filter_new")
CLASS(reversed, "cls, sequence, /", reversed_make,
      "The items from the last to the first.", "_reversed_new")
