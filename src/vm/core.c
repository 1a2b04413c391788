/* SPDX-License-Identifier: MIT
 *
 * core -- builtin functions that belong to the interpreter rather than to a
 * type: attributes, classes, iteration; and what the prelude builds on.
 */
#include "vm/class.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/template.h"

#define UNUSED_N (void)n

/* -- isinstance, issubclass
 * ---------------------------------------------------------------- */

/* A metaclass that answers in Python. */
static bool checks_itself(struct vm *vm, val cls, enum name_id method) {
    val meta = type_of(vm, cls);
    if (meta == TYPE_VAL(type)) return false;
    return !vm_is(vm, type_lookup(vm, meta, vm_name(vm, method)), KIND_NATIVE);
}

/* 1, 0; -1 raised or slow. */
static int check(struct vm *vm, val type, val cls, enum name_id method,
                 const char *words) {
    if (vm_is(vm, cls, KIND_TYPE)) {
        vm_spend(vm, 4 + tuple_len(vm, type_at(vm, type)->mro) / 4);
        if (!checks_itself(vm, cls, method))
            return type_is_subclass(vm, type, cls);
        vm_slow(vm);
        return -1;
    }
    if (!vm_is(vm, cls, KIND_TUPLE)) {
        if (vm_is(vm, cls, KIND_INSTANCE))
            vm_slow(vm); /* a union, perhaps */
        else
            vm_raise(vm, EXC_TypeError, "%s", words);
        return -1;
    }
    if (!vm_enter(vm)) {
        vm_raise(vm, EXC_RecursionError, "maximum recursion depth exceeded");
        return -1;
    }
    int found = vm_charge(vm, 8) ? 0 : -1;
    for (uint32_t i = 0; i < tuple_len(vm, cls) && !found; i++)
        found = check(vm, type, tuple_items(vm, cls)[i], method, words);
    vm_leave(vm);
    return found;
}

static val is_instance(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    int yes = check(vm, type_of(vm, args[0]), args[1], NAME_INSTANCECHECK,
                    "isinstance() arg 2 must be a type, a tuple of types, or "
                    "a union");
    return yes < 0 ? VAL_UNSET : val_of_bool(yes);
}

static val is_subclass(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (!vm_is(vm, args[0], KIND_TYPE))
        return vm_raise(vm, EXC_TypeError,
                        "issubclass() arg 1 must be a class");
    int yes = check(vm, args[0], args[1], NAME_SUBCLASSCHECK,
                    "issubclass() arg 2 must be a class, a tuple of classes, "
                    "or a union");
    return yes < 0 ? VAL_UNSET : val_of_bool(yes);
}

/* -- callable
 * ------------------------------------------------------------------------------
 */

static val is_callable(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (!val_is_ref(args[0])) return VAL_FALSE;
    enum kind k = (enum kind)vm_obj(vm, args[0])->kind;
    bool yes = k == KIND_FUNCTION || k == KIND_NATIVE || k == KIND_METHOD ||
               k == KIND_TYPE || k == KIND_HOSTFN ||
               type_special(vm, type_of(vm, args[0]), SPECIAL_CALL);
    return val_of_bool(yes);
}

/* -- for the prelude
 * ------------------------------------------------------------------------ */

static val make_class(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (!vm_is(vm, args[1], KIND_STR))
        return vm_raise(vm, EXC_TypeError,
                        "type.__new__() argument 1 must be str, not %s",
                        vm_type_name(vm, args[1]));
    if (!vm_is(vm, args[2], KIND_TUPLE))
        return vm_raise(vm, EXC_TypeError,
                        "type.__new__() argument 2 must be tuple, not %s",
                        vm_type_name(vm, args[2]));
    if (!vm_is(vm, args[3], KIND_DICT))
        return vm_raise(vm, EXC_TypeError,
                        "type.__new__() argument 3 must be dict, not %s",
                        vm_type_name(vm, args[3]));
    return class_new(vm, args[0], text_intern_val(vm, args[1]), args[2],
                     args[3]);
}

static val metaclass(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return class_metaclass(vm, args[0], args[1]);
}

/* What type_lookup finds for a name, unbound; None when absent. */
static val type_attr(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val name = text_intern_val(vm, args[1]);
    val v = name ? type_lookup(vm, args[0], name) : VAL_UNSET;
    return v ? v : name ? VAL_NONE : VAL_UNSET;
}

static val exc_make(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return exc_new(vm, args[0], tuple_items(vm, args[1]),
                   tuple_len(vm, args[1]));
}

/* Names of the object's own attributes, as a list. */
static val module_own_names(struct vm *vm, val module) {
    const struct omodule *m = heap_at(&vm->heap, module);
    const struct ostore *slots = heap_at(&vm->heap, m->slots);
    val list = list_new(vm, NULL, 0), key, number;
    for (uint64_t i = 0; list && dict_next(vm, m->names, &i, &key, &number);)
        if (slots->data[val_int(number)] && list_append(vm, list, key))
            return VAL_UNSET;
    return list;
}

static val own_names(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (vm_is(vm, args[0], KIND_MODULE)) return module_own_names(vm, args[0]);
    struct attrs *at = attrs_of(vm, args[0]);
    val list = list_new(vm, NULL, 0), key, v;
    if (!list) return VAL_UNSET;
    val dict = VAL_UNSET;
    if (at && at->store && vm_is(vm, at->store, KIND_DICT)) dict = at->store;
    if (vm_is(vm, args[0], KIND_FUNCTION))
        dict = ((struct ofunc *)heap_at(&vm->heap, args[0]))->attrs;
    if (vm_is(vm, args[0], KIND_TYPE)) dict = type_at(vm, args[0])->dict;
    if (dict) {
        for (uint64_t i = 0; dict_next(vm, dict, &i, &key, &v);)
            if (list_append(vm, list, key)) return VAL_UNSET;
        return list;
    }
    uint32_t len = at && at->shape
                       ? ((struct oshape *)heap_at(&vm->heap, at->shape))->len
                       : 0;
    for (uint32_t i = 0; i < len; i++)
        if (list_append(vm, list, shape_key(vm, at->shape, i)))
            return VAL_UNSET;
    return list;
}

/* The exception being handled where the caller stands, or None. */
static val handled(struct vm *vm, const val *args, size_t n) {
    (void)args, UNUSED_N;
    for (val at = vm_root(vm)->frame; at;) {
        const struct oframe *f = heap_at(&vm->heap, at);
        if (!code_is_library(vm, f->code) || vm->building)
            return f->handled ? f->handled : VAL_NONE;
        at = f->back;
    }
    return VAL_NONE;
}

/* The names of the frame that called, as a dict: locals(), vars(). */
static val frame_locals(struct vm *vm, const struct oframe *f) {
    const struct ocode *code = heap_at(&vm->heap, f->code);
    if (code->flags & CODE_NAMES) return f->reg[0];
    val dict = dict_new(vm);
    uint32_t named = tuple_len(vm, code->varnames);
    for (uint32_t i = 0; dict && i < named; i++) {
        val v = f->reg[i];
        if (v && vm_is(vm, v, KIND_CELL))
            v = ((struct ocell *)heap_at(&vm->heap, v))->value;
        val name = tuple_items(vm, code->varnames)[i];
        if (v && dict_set(vm, dict, name, v)) return VAL_UNSET;
    }
    const struct ofunc *fn = heap_at(&vm->heap, f->func);
    val free = code_origin(vm, code)->freenames;
    for (uint32_t i = 0; dict && i < code->nfree; i++) {
        val cell = tuple_items(vm, fn->closure)[i];
        val v = ((struct ocell *)heap_at(&vm->heap, cell))->value;
        if (v && dict_set(vm, dict, tuple_items(vm, free)[i], v))
            return VAL_UNSET;
    }
    return dict;
}

static val module_names(struct vm *vm, val module) {
    const struct omodule *m = heap_at(&vm->heap, module);
    const val *slot =
        (val *)((struct ostore *)heap_at(&vm->heap, m->slots))->data;
    val dict = dict_new(vm), key, number;
    for (uint64_t i = 0; dict && dict_next(vm, m->names, &i, &key, &number);) {
        val v = slot[val_int(number)];
        if (v && dict_set(vm, dict, key, v)) return VAL_UNSET;
    }
    return dict;
}

static val locals(struct vm *vm, const val *args, size_t n) {
    (void)args, UNUSED_N;
    const struct oframe *f = heap_at(&vm->heap, vm_root(vm)->frame);
    const struct ocode *code = heap_at(&vm->heap, f->code);
    const struct ofunc *fn = heap_at(&vm->heap, f->func);
    if (code->flags & CODE_MODULE) return module_names(vm, fn->globals);
    return frame_locals(vm, f);
}

/* The names of the program's innermost frame. */
static val names_here(struct vm *vm, const val *args, size_t n) {
    (void)args, UNUSED_N;
    for (val at = vm_root(vm)->frame; at;) {
        const struct oframe *f = heap_at(&vm->heap, at);
        const struct ofunc *fn = heap_at(&vm->heap, f->func);
        const struct ocode *code = heap_at(&vm->heap, f->code);
        if (!code_is_library(vm, f->code))
            return code->flags & CODE_MODULE ? module_names(vm, fn->globals)
                                             : frame_locals(vm, f);
        at = f->back;
    }
    return dict_new(vm);
}

static val vars(struct vm *vm, const val *args, size_t n) {
    return args[0] ? vm_slow(vm) : locals(vm, args, n);
}

static val globals(struct vm *vm, const val *args, size_t n) {
    (void)args, UNUSED_N;
    const struct oframe *f = heap_at(&vm->heap, vm_root(vm)->frame);
    const struct ofunc *fn = heap_at(&vm->heap, f->func);
    return module_names(vm, fn->globals);
}

static val set_cell(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (!vm_is(vm, args[0], KIND_CELL))
        return vm_raise(vm, EXC_TypeError, "not a cell");
    ((struct ocell *)heap_at(&vm->heap, args[0]))->value = args[1];
    return VAL_NONE;
}

const struct native core_natives[] = {
    {"getattr", "object, name, default=None, /", NULL, "an attribute by name",
     "@getattr"},
    {"setattr", "object, name, value, /", NULL, "sets an attribute by name",
     "@setattr"},
    {"delattr", "object, name, /", NULL, "deletes an attribute by name",
     "@delattr"},
    {"iter", "object, sentinel=None, /", NULL, "an iterator", "@iter"},
    {"next", "iterator, default=None, /", NULL, "the next item", "@next"},
    {"isinstance", "object, classinfo, /", is_instance,
     "whether it is an instance", "_isinstance"},
    {"issubclass", "cls, classinfo, /", is_subclass,
     "whether it derives from it", "_issubclass"},
    {"callable", "object, /", is_callable, "whether it can be called", NULL},
    {"locals", "", locals, "the names here, as a dict", NULL},
    {"vars", "object=None, /", vars, "the names of an object, or here",
     "_vars"},
    {"globals", "", globals, "the module's names, as a dict", NULL},
    {"_make_class", "meta, name, bases, dict, /", make_class, "", NULL},
    {"_metaclass", "meta, bases, /", metaclass, "", NULL},
    {"_type_attr", "type, name, /", type_attr, "", NULL},
    {"_exc_make", "type, args, /", exc_make, "", NULL},
    {"_own_names", "object, /", own_names, "", NULL},
    {"_names_here", "", names_here, "", NULL},
    {"_handled", "", handled, "", NULL},
    {"_set_cell", "cell, value, /", set_cell, "", NULL},
    {"_run_class_body", "function, namespace, /", NULL, "", "@run_class_body"},
    {"_call", "function, args, kwargs, /", NULL, "", "@call"},
    {"_wait_pending", "", NULL, "", "@wait_pending"},
    {"_function", "source, /", NULL, "", "@made_function"},
    {0},
};
