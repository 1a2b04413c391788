/* SPDX-License-Identifier: MIT
 *
 * Views of dicts: keys(), values(), items(). */
#include "vm/dict.h"
#include "vm/set.h"
#include "vm/slots.h"

static val view_isdisjoint(struct vm *vm, const val *args, size_t n) {
    (void)n;
    val a = set_new(vm, false), b = set_new(vm, false);
    if (!a || !b || set_update(vm, a, args[0]) < 0 ||
        set_update(vm, b, args[1]) < 0)
        return VAL_UNSET;
    val both = set_and(vm, a, b);
    return both ? val_of_bool(!set_at(vm, both)->len) : VAL_UNSET;
}

static val view_mapping(struct vm *vm, const val *args, size_t n) {
    (void)n;
    const struct oview *w = heap_at(&vm->heap, args[0]);
    return w->dict;
}

static const struct native set_methods[] = {
    {"isdisjoint", "self, other, /", view_isdisjoint,
     "Whether no item is in both.", "_view_isdisjoint"},
#define SLOTS_CONTAINER
#define SLOTS_REVERSED
#define SLOTS_COMPARE
#define SLOTS_SET
#include "vm/slots.def"
    {0},
};

static const struct native values_methods[] = {
#define SLOTS_CONTAINER
#define SLOTS_REVERSED
#include "vm/slots.def"
    {0},
};

static const struct native getters[] = {
    {"mapping", "self", view_mapping, "The dict it looks at.", NULL},
    {0},
};

const struct native_type native_dict_keys = {
    "dict_keys",
    KIND_VIEW,
    NULL,
    TYPE_FINAL | TYPE_HIDDEN,
    set_methods,
    getters,
    "The keys of a dict.",
};

const struct native_type native_dict_values = {
    "dict_values",
    KIND_VIEW,
    NULL,
    TYPE_FINAL | TYPE_HIDDEN,
    values_methods,
    getters,
    "The values of a dict.",
};

const struct native_type native_dict_items = {
    "dict_items",
    KIND_VIEW,
    NULL,
    TYPE_FINAL | TYPE_HIDDEN,
    set_methods,
    getters,
    "The (key, value) pairs of a dict.",
};
