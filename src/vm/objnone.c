/* SPDX-License-Identifier: MIT
 *
 * None, Ellipsis and NotImplemented. */
#include "vm/builtin.h"
#include "vm/slots.h"

static val none_make(struct vm *vm, const val *args, size_t n) {
    (void)vm;
    (void)n;
    (void)args;
    return VAL_NONE;
}

static val ellipsis_make(struct vm *vm, const val *args, size_t n) {
    (void)vm;
    (void)n;
    (void)args;
    return VAL_ELLIPSIS;
}

static val not_implemented_make(struct vm *vm, const val *args, size_t n) {
    (void)vm;
    (void)n;
    (void)args;
    return VAL_NOTIMPLEMENTED;
}

static const struct native none_methods[] = {
    {"__new__", "cls, /", none_make, "None.", NULL},
    {"__bool__", "self, /", slot_bool_, "False.", NULL},
#define SLOTS_HASH
#include "vm/slots.def"
    {0},
};

static const struct native ellipsis_methods[] = {
    {"__new__", "cls, /", ellipsis_make, "Ellipsis.", NULL},
#define SLOTS_HASH
#include "vm/slots.def"
    {0},
};

static const struct native not_implemented_methods[] = {
    {"__new__", "cls, /", not_implemented_make, "NotImplemented.", NULL},
#define SLOTS_HASH
#include "vm/slots.def"
    {0},
};

const struct native_type native_NoneType = {
    "NoneType",
    KIND_NONE,
    NULL,
    TYPE_FINAL | TYPE_HIDDEN,
    none_methods,
    NULL,
    "The type of None.",
};

const struct native_type native_ellipsis = {
    "ellipsis",
    KIND_NONE,
    NULL,
    TYPE_FINAL | TYPE_HIDDEN,
    ellipsis_methods,
    NULL,
    "The type of Ellipsis.",
};

const struct native_type native_NotImplementedType = {
    "NotImplementedType",
    KIND_NONE,
    NULL,
    TYPE_FINAL | TYPE_HIDDEN,
    not_implemented_methods,
    NULL,
    "The type of NotImplemented.",
};
