/* SPDX-License-Identifier: MIT
 *
 * objfunc -- functions, methods, natives and cells as objects.
 */
#include "vm/attr.h"
#include "vm/exc.h"
#include "vm/ops.h"

#define UNUSED_N (void)n

static val or_none(val v) {
    return v ? v : VAL_NONE;
}

/* -- function
 * ------------------------------------------------------------------------ */

static struct ofunc *func(struct vm *vm, const val *args) {
    return heap_kind(&vm->heap, args[0], KIND_FUNCTION);
}

static val function_attr(struct vm *vm, const val *args, enum name_id id) {
    val v = VAL_UNSET, dict = func(vm, args)->attrs;
    if (dict) dict_get(vm, dict, vm_name(vm, id), &v);
    return v;
}

static val function_name(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return func(vm, args)->name;
}
static val function_qualname(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return func(vm, args)->qualname;
}
static val function_doc(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val own = function_attr(vm, args, NAME_DOC);
    if (own) return own;
    return or_none(
        code_origin(vm, heap_at(&vm->heap, func(vm, args)->code))->doc);
}
static val function_module(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val own = function_attr(vm, args, NAME_MODULE);
    if (own) return own;
    return ((struct omodule *)heap_at(&vm->heap, func(vm, args)->globals))
        ->name;
}
static val function_defaults(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(func(vm, args)->defaults);
}
static val function_kwdefaults(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(func(vm, args)->kwdefaults);
}
static val function_closure(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(func(vm, args)->closure);
}
static val function_code(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return func(vm, args)->code;
}
static val function_annotations(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val own = function_attr(vm, args, NAME_ANNOTATIONS);
    if (own) return own;
    if (func(vm, args)->annotate) return vm_slow(vm);
    val fresh = dict_new(vm);
    if (!fresh || args[0] < vm->heap.template_end) return fresh;
    struct ofunc *f = func(vm, args);
    if (!f->attrs && !(f->attrs = dict_new(vm))) return VAL_UNSET;
    if (dict_set(vm, f->attrs, vm_name(vm, NAME_ANNOTATIONS), fresh))
        return VAL_UNSET;
    return fresh;
}

static val function_annotate(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(func(vm, args)->annotate);
}

static int set_name(struct vm *vm, val *field, val v, const char *what) {
    if (vm_is(vm, v, KIND_STR)) {
        *field = v;
        return 1;
    }
    vm_raise(vm, EXC_TypeError, "%s must be set to a string object", what);
    return -1;
}

/* What calls look into: nothing of another kind may get there. */
static int set_defaults(struct vm *vm, val *field, val v, enum kind kind,
                        const char *refusal) {
    if (v != VAL_NONE && !vm_is(vm, v, kind)) {
        vm_raise(vm, EXC_TypeError, "%s", refusal);
        return -1;
    }
    *field = v == VAL_NONE ? VAL_UNSET : v;
    return 1;
}

/* Every function has a dict; the fields below are not in it. */
int function_set(struct vm *vm, val fn, val name, val v) {
    struct ofunc *f = heap_at(&vm->heap, fn);
    if (fn < vm->heap.template_end) return 0;
    if (name == vm_name(vm, NAME_NAME))
        return set_name(vm, &f->name, v, "__name__");
    if (name == vm_name(vm, NAME_QUALNAME))
        return set_name(vm, &f->qualname, v, "__qualname__");
    if (name == vm_name(vm, NAME_DEFAULTS))
        return set_defaults(vm, &f->defaults, v, KIND_TUPLE,
                            "__defaults__ must be set to a tuple object");
    if (name == vm_name(vm, NAME_KWDEFAULTS))
        return set_defaults(vm, &f->kwdefaults, v, KIND_DICT,
                            "__kwdefaults__ must be set to a dict object");
    if (name == vm_name(vm, NAME_DICT))
        return set_defaults(vm, &f->attrs, v, KIND_DICT,
                            "__dict__ must be set to a dictionary");
    if (!f->attrs && !(f->attrs = dict_new(vm))) return -1;
    return dict_set(vm, f->attrs, name, v) ? -1 : 1;
}

static val function_get(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (args[1] == VAL_NONE) return args[0];
    return attr_bound_method(vm, args[0], args[1]);
}

static val callable_repr(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return value_repr(vm, args[0]);
}

static const struct native function_methods[] = {
    {"__get__", "instance, owner=None, /", function_get, "a bound method",
     NULL},
    {"__repr__", "", callable_repr, "", NULL},
    {"__call__", "*args, **kwargs", NULL, "calls it", "_call_object"},
    {0},
};
static const struct native function_getters[] = {
    {"__name__", "", function_name, "", NULL},
    {"__qualname__", "", function_qualname, "", NULL},
    {"__doc__", "", function_doc, "", NULL},
    {"__module__", "", function_module, "", NULL},
    {"__defaults__", "", function_defaults, "", NULL},
    {"__kwdefaults__", "", function_kwdefaults, "", NULL},
    {"__closure__", "", function_closure, "", NULL},
    {"__code__", "", function_code, "", NULL},
    {"__annotations__", "", function_annotations, "", "_annotations"},
    {"_annotate", "", function_annotate, "", NULL},
    {0},
};
const struct native_type native_function = {
    "function",       KIND_FUNCTION,    NULL, TYPE_HIDDEN | TYPE_FINAL,
    function_methods, function_getters, NULL,
};

/* -- code
 * -----------------------------------------------------------------------------
 */

static struct ocode *code(struct vm *vm, const val *args) {
    return heap_kind(&vm->heap, args[0], KIND_CODE);
}
static val code_name(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return code(vm, args)->name;
}
static val code_argcount(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return val_of_int(code(vm, args)->nargs);
}
static val code_posonly(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return val_of_int(code(vm, args)->nposonly);
}
static val code_kwonly(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return val_of_int(code(vm, args)->nkwonly);
}
static val code_varnames(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return code(vm, args)->varnames;
}
static val code_flags(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    uint32_t f = code(vm, args)->flags, out = 0;
    if (f & CODE_VARARGS) out |= 4;
    if (f & CODE_VARKW) out |= 8;
    if (f & CODE_COROUTINE)
        out |= f & CODE_GENERATOR ? 0x200 : 0x80;
    else if (f & CODE_GENERATOR)
        out |= 0x20;
    return val_of_int(out);
}
static val code_line(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return val_of_int(code(vm, args)->first_line);
}
static val code_filename(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return code_origin(vm, code(vm, args))->filename;
}

static const struct native code_getters[] = {
    {"co_name", "", code_name, "", NULL},
    {"co_argcount", "", code_argcount, "", NULL},
    {"co_posonlyargcount", "", code_posonly, "", NULL},
    {"co_kwonlyargcount", "", code_kwonly, "", NULL},
    {"co_varnames", "", code_varnames, "", NULL},
    {"co_flags", "", code_flags, "", NULL},
    {"co_firstlineno", "", code_line, "", NULL},
    {"co_filename", "", code_filename, "", NULL},
    {0},
};
const struct native_type native_code = {
    "code", KIND_CODE, NULL, TYPE_HIDDEN | TYPE_FINAL, NULL, code_getters, NULL,
};

/* -- natives
 * ----------------------------------------------------------------------------
 */

static struct onative *native(struct vm *vm, const val *args) {
    return heap_kind(&vm->heap, args[0], KIND_NATIVE);
}
static const struct native *row(struct vm *vm, const val *args) {
    return vm->engine->natives[native(vm, args)->number];
}
str native_name(const struct vm *vm, val fn) {
    const struct onative *o = heap_at(&vm->heap, fn);
    return str_of(vm->engine->natives[o->number]->name);
}

static val builtin_name(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return text_of(vm, row(vm, args)->name);
}
static val native_qualname(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val owner = native(vm, args)->owner;
    if (!owner || !vm_is(vm, owner, KIND_TYPE))
        return text_of(vm, row(vm, args)->name);
    AUTO_BUF struct buf b = BUF_MAX(512);
    struct err e;
    if (buf_addf(&b, &e, "%.*s.%s", STR_ARG(type_name(vm, owner)),
                 row(vm, args)->name))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    return text_new(vm, b.data, b.len);
}
static val native_doc(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return text_of(vm, row(vm, args)->summary);
}
static val native_self(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(native(vm, args)->self);
}
static val native_owner(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val owner = native(vm, args)->owner;
    return owner && vm_is(vm, owner, KIND_STR) ? owner : VAL_NONE;
}

static const struct native builtin_methods[] = {
    {"__repr__", "", callable_repr, "", NULL},
    {"__call__", "*args, **kwargs", NULL, "calls it", "_call_object"},
    {0},
};
static const struct native builtin_getters[] = {
    {"__name__", "", builtin_name, "", NULL},
    {"__qualname__", "", native_qualname, "", NULL},
    {"__doc__", "", native_doc, "", NULL},
    {"__self__", "", native_self, "", NULL},
    {"__module__", "", native_owner, "", NULL},
    {0},
};
const struct native_type native_builtin = {
    "builtin_function_or_method",
    KIND_NATIVE,
    NULL,
    TYPE_HIDDEN | TYPE_FINAL,
    builtin_methods,
    builtin_getters,
    NULL,
};
const struct native_type native_method_descriptor = {
    "method_descriptor", KIND_NATIVE,     NULL, TYPE_HIDDEN | TYPE_FINAL,
    builtin_methods,     builtin_getters, NULL,
};

/* -- methods
 * ------------------------------------------------------------------------------
 */

static struct omethod *method(struct vm *vm, const val *args) {
    return heap_kind(&vm->heap, args[0], KIND_METHOD);
}
static val method_self(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return method(vm, args)->self;
}
static val method_func(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return method(vm, args)->func;
}
static val method_new(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return attr_bound_method(vm, args[1], args[2]);
}

/* Anything else is the function's (attr.c): __name__, its own attributes. */
static const struct native method_methods[] = {
    {"__new__", "function, instance, /", method_new, "a bound method", NULL},
    {"__repr__", "", callable_repr, "", NULL},
    {"__call__", "*args, **kwargs", NULL, "calls it", "_call_object"},
    {0},
};
static val method_doc(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val f = method(vm, args)->func;
    if (!vm_is(vm, f, KIND_FUNCTION)) return VAL_NONE;
    return function_doc(vm, &f, 1);
}

static const struct native method_getters[] = {
    {"__doc__", "", method_doc, "its function's", NULL},
    {"__self__", "", method_self, "", NULL},
    {"__func__", "", method_func, "", NULL},
    {0},
};
const struct native_type native_method = {
    "method",       KIND_METHOD,    NULL, TYPE_HIDDEN | TYPE_FINAL,
    method_methods, method_getters, NULL,
};

/* -- cells
 * ---------------------------------------------------------------------------------
 */

static struct ocell *cell(struct vm *vm, const val *args) {
    return heap_kind(&vm->heap, args[0], KIND_CELL);
}
static val cell_contents(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val v = cell(vm, args)->value;
    return v ? v : vm_raise(vm, EXC_ValueError, "Cell is empty");
}
static val cell_set(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    cell(vm, args)->value = args[1];
    return VAL_NONE;
}
static const struct native cell_methods[] = {
    {"_set", "value, /", cell_set, "binds the variable", NULL},
    {0},
};
static const struct native cell_getters[] = {
    {"cell_contents", "", cell_contents, "", NULL},
    {0},
};
const struct native_type native_cell = {
    "cell",       KIND_CELL,    NULL, TYPE_HIDDEN | TYPE_FINAL,
    cell_methods, cell_getters, NULL,
};

/* -- functions of the host
 * ------------------------------------------------------------------- */

static struct ohostfn *host(struct vm *vm, const val *args) {
    return heap_kind(&vm->heap, args[0], KIND_HOSTFN);
}
static val host_name(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return host(vm, args)->name;
}
static val host_doc(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return or_none(host(vm, args)->doc);
}
static const struct native host_getters[] = {
    {"__name__", "", host_name, "", NULL},
    {"__qualname__", "", host_name, "", NULL},
    {"__doc__", "", host_doc, "", NULL},
    {0},
};
const struct native_type native_hostfn = {
    "function", KIND_HOSTFN,  NULL, TYPE_HIDDEN | TYPE_FINAL,
    NULL,       host_getters, NULL,
};
