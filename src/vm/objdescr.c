/* SPDX-License-Identifier: MIT
 *
 * objdescr -- property, classmethod, staticmethod, super and the descriptors
 * that builtin classes and __slots__ have.
 */
#include "vm/attr.h"
#include "vm/dict.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/slots.h"

#define UNUSED_N (void)n

static struct odescr *descr(struct vm *vm, const val *args) {
    return heap_kind(&vm->heap, args[0], KIND_DESCR);
}

static val or_none(val v) {
    return v ? v : VAL_NONE;
}

static val new_descr(struct vm *vm, val type) {
    struct odescr *d = heap_new(vm, KIND_DESCR, type, sizeof *d);
    return d ? heap_ref(&vm->heap, d) : VAL_UNSET;
}

/* -- property
 * -------------------------------------------------------------------------- */

static val property_new(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return new_descr(vm, args[0]);
}

static val property_init(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    struct odescr *d = descr(vm, args);
    d->get = args[1];
    d->set = args[2];
    d->del = args[3];
    d->doc = args[4];
    if (!d->doc && vm_is(vm, d->get, KIND_FUNCTION)) {
        const struct ofunc *f = heap_at(&vm->heap, d->get);
        d->doc = code_origin(vm, heap_at(&vm->heap, f->code))->doc;
    }
    return VAL_NONE;
}

static val property_with(struct vm *vm, const val *args, unsigned which) {
    val copy = new_descr(vm, type_of(vm, args[0]));
    if (!copy) return VAL_UNSET;
    struct odescr *d = heap_at(&vm->heap, copy), *from = descr(vm, args);
    struct obj h = d->h;
    *d = *from;
    d->h = h;
    *(which == 0 ? &d->get : which == 1 ? &d->set : &d->del) = args[1];
    return copy;
}
static val property_getter(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return property_with(vm, args, 0);
}
static val property_setter(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return property_with(vm, args, 1);
}
static val property_deleter(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return property_with(vm, args, 2);
}
static val descr_get(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(descr(vm, args)->get);
}
static val descr_set(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(descr(vm, args)->set);
}
static val descr_del(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(descr(vm, args)->del);
}
static val descr_doc(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(descr(vm, args)->doc);
}

static const struct native property_methods[] = {
    {"__new__", "*args, **kwargs", property_new, "", NULL},
    {"__init__", "fget=None, fset=None, fdel=None, doc=None", property_init, "",
     NULL},
    {"getter", "fget, /", property_getter, "with another getter", NULL},
    {"setter", "fset, /", property_setter, "with another setter", NULL},
    {"deleter", "fdel, /", property_deleter, "with another deleter", NULL},
    {"__get__", "instance, owner=None, /", NULL, "", "_property_get"},
    {"__set__", "instance, value, /", NULL, "", "_property_set"},
    {0},
};
static const struct native property_getters[] = {
    {"fget", "", descr_get, "", NULL},
    {"fset", "", descr_set, "", NULL},
    {"fdel", "", descr_del, "", NULL},
    {"__doc__", "", descr_doc, "", NULL},
    {0},
};
const struct native_type native_property = {
    "property",
    KIND_DESCR,
    NULL,
    0,
    property_methods,
    property_getters,
    "Property attribute.",
};

/* -- classmethod, staticmethod
 * ------------------------------------------------------------ */

static val wrapper_init(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    descr(vm, args)->get = args[1];
    return VAL_NONE;
}

static const struct native wrapper_methods[] = {
    {"__new__", "*args, **kwargs", property_new, "", NULL},
    {"__init__", "function, /", wrapper_init, "", NULL},
    {"__get__", "instance, owner=None, /", NULL, "", "_wrapper_get"},
    {0},
};
static const struct native static_methods[] = {
    {"__new__", "*args, **kwargs", property_new, "", NULL},
    {"__init__", "function, /", wrapper_init, "", NULL},
    {"__get__", "instance, owner=None, /", NULL, "", "_wrapper_get"},
    {"__call__", "*args, **kwargs", NULL, "calls it", "_call_object"},
    {0},
};
static const struct native wrapper_getters[] = {
    {"__func__", "", descr_get, "", NULL},
    {"__wrapped__", "", descr_get, "", NULL},
    {"__name__", "", NULL, "", "_wrapped_name"},
    {"__qualname__", "", NULL, "", "_wrapped_qualname"},
    {"__module__", "", NULL, "", "_wrapped_module"},
    {"__doc__", "", NULL, "", "_wrapped_doc"},
    {"__annotations__", "", NULL, "", "_wrapped_annotations"},
    {0},
};
const struct native_type native_classmethod = {
    "classmethod",
    KIND_DESCR,
    NULL,
    0,
    wrapper_methods,
    wrapper_getters,
    "classmethod(function) -> method",
};
const struct native_type native_staticmethod = {
    "staticmethod",
    KIND_DESCR,
    NULL,
    0,
    static_methods,
    wrapper_getters,
    "staticmethod(function) -> method",
};

/* -- super
 * ---------------------------------------------------------------------------------
 */

/* Without arguments: the class in the method's __class__ cell, and its first
 * argument. The compiler makes GETSUPER of the usual forms; this serves the
 * rest. */
static int implied(struct vm *vm, struct odescr *d) {
    const struct oframe *f = heap_at(&vm->heap, vm_root(vm)->frame);
    const struct ocode *code = heap_at(&vm->heap, f->code);
    const struct ofunc *fn = heap_at(&vm->heap, f->func);
    val free = code_origin(vm, code)->freenames;
    for (unsigned i = 0; i < code->nfree; i++) {
        if (tuple_items(vm, free)[i] != vm_name(vm, NAME_CLASS)) continue;
        val cell = tuple_items(vm, fn->closure)[i];
        d->get = ((struct ocell *)heap_at(&vm->heap, cell))->value;
        d->set = code->nlocals ? f->reg[0] : VAL_UNSET;
        if (d->set && vm_is(vm, d->set, KIND_CELL))
            d->set = ((struct ocell *)heap_at(&vm->heap, d->set))->value;
    }
    if (d->get && d->set) return 0;
    vm_raise(vm, EXC_RuntimeError, "super(): no arguments");
    return -1;
}

static val super_init(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    struct odescr *d = descr(vm, args);
    d->get = args[1];
    d->set = args[2];
    if (!d->get && implied(vm, d)) return VAL_UNSET;
    if (!vm_is(vm, d->get, KIND_TYPE))
        return vm_raise(vm, EXC_TypeError,
                        "super() argument 1 must be a type, not %s",
                        vm_type_name(vm, d->get));
    bool of_class =
        vm_is(vm, d->set, KIND_TYPE) && type_is_subclass(vm, d->set, d->get);
    if (!d->set || of_class || type_is_instance(vm, d->set, d->get))
        return VAL_NONE;
    return vm_raise(
        vm, EXC_TypeError,
        "super(type, obj): obj must be an instance or subtype of type");
}

static const struct native super_methods[] = {
    {"__new__", "*args, **kwargs", property_new, "", NULL},
    {"__init__", "type=None, object_or_type=None, /", super_init, "", NULL},
    {0},
};
static const struct native super_getters[] = {
    {"__self__", "", descr_set, "", NULL},
    {"__thisclass__", "", descr_get, "", NULL},
    {0},
};
const struct native_type native_super = {
    "super",
    KIND_DESCR,
    NULL,
    0,
    super_methods,
    super_getters,
    "super() -> same as super(__class__, <first argument>)",
};

/* -- of builtin classes and __slots__
 * ---------------------------------------------------------- */

static val descr_name(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(descr(vm, args)->name);
}
static const struct native getset_methods[] = {
    {"__get__", "instance, owner=None, /", NULL, "", "_getset_get"},
    {0},
};
static const struct native getset_getters[] = {
    {"__name__", "", descr_name, "", NULL},
    {0},
};
const struct native_type native_getset_descriptor = {
    "getset_descriptor", KIND_DESCR,     NULL, TYPE_HIDDEN | TYPE_FINAL,
    getset_methods,      getset_getters, NULL,
};
const struct native_type native_member_descriptor = {
    "member_descriptor", KIND_DESCR,     NULL, TYPE_HIDDEN | TYPE_FINAL,
    getset_methods,      getset_getters, NULL,
};

/* -- fields of named tuples ------------------------------------------------ */

val descr_tuple_field(struct vm *vm, uint64_t index, val doc) {
    val made = new_descr(vm, TYPE_VAL(_tuplegetter));
    if (!made) return VAL_UNSET;
    struct odescr *d = heap_at(&vm->heap, made);
    d->pos = index;
    d->doc = doc;
    return made;
}

val descr_field_of(struct vm *vm, val field, val tuple) {
    uint64_t at = descr(vm, &field)->pos;
    if (vm_is(vm, tuple, KIND_TUPLE) && at < tuple_len(vm, tuple))
        return tuple_items(vm, tuple)[at];
    return vm_raise(vm, EXC_TypeError,
                    "descriptor for index '%llu' for tuple subclasses doesn't "
                    "apply to '%s' object",
                    (unsigned long long)at, vm_type_name(vm, tuple));
}

static val field_get(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (args[1] == VAL_NONE) return args[0];
    return descr_field_of(vm, args[0], args[1]);
}

static const struct native field_methods[] = {
    {"__get__", "instance, owner=None, /", field_get, "", NULL},
    {0},
};
static const struct native field_getters[] = {
    {"__doc__", "", descr_doc, "", NULL},
    {0},
};
const struct native_type native__tuplegetter = {
    "_tuplegetter", KIND_DESCR,    NULL, TYPE_HIDDEN | TYPE_FINAL,
    field_methods,  field_getters, NULL,
};

/* -- cls.__dict__
 * -------------------------------------------------------------------------------
 */

static val proxy_dict(const struct vm *vm, const val *args) {
    return ((struct oview *)heap_at(&vm->heap, args[0]))->dict;
}
static val proxy_getitem(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return value_getitem(vm, proxy_dict(vm, args), args[1]);
}
static val proxy_copy(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val copy = dict_new(vm);
    if (!copy || dict_update(vm, copy, proxy_dict(vm, args))) return VAL_UNSET;
    return copy;
}
static val proxy_get(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val v;
    int found = dict_get(vm, proxy_dict(vm, args), args[1], &v);
    if (found < 0) return VAL_UNSET;
    return found ? v : or_none(args[2]);
}
static val proxy_contains(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    int found = value_contains(vm, proxy_dict(vm, args), args[1]);
    return found < 0 ? VAL_UNSET : val_of_bool(found);
}
static val proxy_len(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return int_new(vm, value_len(vm, proxy_dict(vm, args)));
}

val dict_proxy(struct vm *vm, val dict) {
    struct oview *v =
        heap_new(vm, KIND_VIEW, TYPE_VAL(mappingproxy), sizeof *v);
    if (!v) return VAL_UNSET;
    v->dict = dict;
    return heap_ref(&vm->heap, v);
}
val dict_proxied(const struct vm *vm, val v) {
    return type_of(vm, v) == TYPE_VAL(mappingproxy) ? proxy_dict(vm, &v) : v;
}
/* Only of dicts that are read by layout: the others would need Python. */
static val proxy_make(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (type_of(vm, args[1]) == TYPE_VAL(mappingproxy))
        return dict_proxy(vm, proxy_dict(vm, args + 1));
    if (vm_is(vm, args[1], KIND_DICT) &&
        !special_of(vm, args[1], SPECIAL_GETITEM) &&
        !special_of(vm, args[1], SPECIAL_MISSING))
        return dict_proxy(vm, args[1]);
    return vm_raise(vm, EXC_TypeError,
                    "mappingproxy() argument must be a dict, not %s",
                    vm_type_name(vm, args[1]));
}

static const struct native proxy_methods[] = {
    {"__new__", "cls, mapping, /", proxy_make, "A dict that cannot be changed.",
     NULL},
    {"__getitem__", "key, /", proxy_getitem, "", NULL},
    {"__contains__", "key, /", proxy_contains, "", NULL},
    {"__len__", "", proxy_len, "", NULL},
    {"__iter__", "", NULL, "", "_proxy_iter"},
    {"get", "key, default=None, /", proxy_get, "", NULL},
    {"keys", "", NULL, "", "_proxy_keys"},
    {"values", "", NULL, "", "_proxy_values"},
    {"items", "", NULL, "", "_proxy_items"},
    {"copy", "", proxy_copy, "a dict", NULL},
#define SLOTS_COMPARE
#define SLOTS_REVERSED
#include "vm/slots.def"
    {0},
};
const struct native_type native_mappingproxy = {
    "mappingproxy", KIND_VIEW, NULL, TYPE_HIDDEN | TYPE_FINAL,
    proxy_methods,  NULL,      NULL,
};
