/* SPDX-License-Identifier: MIT
 *
 * objobject -- the methods every object has, and the classes object and type.
 */
#include "vm/class.h"
#include "vm/dict.h"
#include "vm/exc.h"
#include "vm/load.h"
#include "vm/ops.h"

#define UNUSED_N (void)n

/* -- object
 * ------------------------------------------------------------------------ */

static val object_new(struct vm *vm, const val *args, size_t n) {
    val type = args[0];
    const struct otype *t = type_at(vm, type);
    bool own_init = t->special >> SPECIAL_INIT & 1;
    if (n > 2 && !own_init)
        return vm_raise(vm, EXC_TypeError, "%.*s() takes no arguments",
                        STR_ARG(type_name(vm, type)));
    if (t->flags & TYPE_ABSTRACT)
        return vm_raise(vm, EXC_TypeError,
                        "Can't instantiate abstract class %.*s",
                        STR_ARG(type_name(vm, type)));
    return class_instance(vm, type);
}

static val object_init(struct vm *vm, const val *args, size_t n) {
    const struct otype *t = type_at(vm, type_of(vm, args[0]));
    bool own_new = t->special >> SPECIAL_NEW & 1;
    bool own_init = t->special >> SPECIAL_INIT & 1;
    if ((n > 2 || args[1]) && (own_init || !own_new))
        return vm_raise(vm, EXC_TypeError,
                        own_init ? "object.__init__() takes exactly one "
                                   "argument (the instance to initialize)"
                                 : "%.*s() takes no arguments",
                        STR_ARG(type_name(vm, type_of(vm, args[0]))));
    return VAL_NONE;
}

static val object_eq(struct vm *vm, const val *args, size_t n) {
    (void)vm, UNUSED_N;
    return args[0] == args[1] ? VAL_TRUE : VAL_NOTIMPLEMENTED;
}

static val object_ne(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (special_of(vm, args[0], SPECIAL_EQ)) return vm_slow(vm);
    return args[0] == args[1] ? VAL_FALSE : VAL_NOTIMPLEMENTED;
}

static val not_implemented(struct vm *vm, const val *args, size_t n) {
    (void)vm, (void)args, UNUSED_N;
    return VAL_NOTIMPLEMENTED;
}

static val object_hash(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return int_new(vm, (int64_t)(value_identity(args[0]) >> 4));
}

static val object_repr(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    const struct otype *t = type_at(vm, type_of(vm, args[0]));
    AUTO_BUF struct buf b = BUF_MAX(4096);
    struct err e;
    str module =
        vm_is(vm, t->module, KIND_STR) ? text_get(vm, t->module) : STR("");
    bool show = module.n && !str_is(module, "builtins");
    if (!show) module.n = 0;
    if (buf_addf(&b, &e, "<%.*s%s%.*s object at 0x%012llx>", STR_ARG(module),
                 show ? "." : "", STR_ARG(text_get(vm, t->qualname)),
                 (unsigned long long)(0x7f0000000000 + args[0])))
        return vm_raise(vm, EXC_MemoryError, "%s", e.text);
    str s = buf_str(&b);
    return text_new(vm, s.p, s.n);
}

static val object_str(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (special_of(vm, args[0], SPECIAL_REPR)) return vm_slow(vm);
    return value_repr(vm, args[0]);
}

static val object_format(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (!vm_is(vm, args[1], KIND_STR))
        return vm_raise(vm, EXC_TypeError, "__format__() argument must be str");
    if (text_get(vm, args[1]).n)
        return vm_raise(vm, EXC_TypeError,
                        "unsupported format string passed to %s.__format__",
                        vm_type_name(vm, args[0]));
    return vm_slow(vm);
}

static val return_none(struct vm *vm, const val *args, size_t n) {
    (void)vm, (void)args, UNUSED_N;
    return VAL_NONE;
}

static val init_subclass(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (args[1])
        return vm_raise(vm, EXC_TypeError,
                        "%.*s.__init_subclass__() takes no keyword arguments",
                        STR_ARG(type_name(vm, args[0])));
    return VAL_NONE;
}

static val get_class(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return type_of(vm, args[0]);
}

static val get_dict(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    struct attrs *at = attrs_of(vm, args[0]);
    const struct otype *t = type_at(vm, type_of(vm, args[0]));
    if (at && !(t->flags & TYPE_NO_DICT) &&
        type_of(vm, args[0]) != TYPE_VAL(object))
        return attrs_dict(vm, at);
    if (vm_is(vm, args[0], KIND_FUNCTION)) {
        struct ofunc *f = heap_at(&vm->heap, args[0]);
        if (args[0] < vm->heap.template_end) return dict_new(vm);
        if (!f->attrs) f->attrs = dict_new(vm);
        return f->attrs;
    }
    return vm_raise(vm, EXC_AttributeError,
                    "'%s' object has no attribute '__dict__'",
                    vm_type_name(vm, args[0]));
}

static const struct native object_methods[] = {
    {"__new__", "*args, **kwargs", object_new, "a new object", NULL},
    {"__init__", "*args, **kwargs", object_init, "does nothing", NULL},
    {"__eq__", "other, /", object_eq, "identity", NULL},
    {"__ne__", "other, /", object_ne, "not __eq__", "_object_ne"},
    {"__lt__", "other, /", not_implemented, "no order", NULL},
    {"__le__", "other, /", not_implemented, "no order", NULL},
    {"__gt__", "other, /", not_implemented, "no order", NULL},
    {"__ge__", "other, /", not_implemented, "no order", NULL},
    {"__hash__", "", object_hash, "by identity", NULL},
    {"__repr__", "", object_repr, "class and identity", NULL},
    {"__str__", "", object_str, "as repr", "_object_str"},
    {"__format__", "format_spec, /", object_format, "as str", "_object_format"},
    {"__getattribute__", "name, /", NULL, "the attribute",
     "@object_getattribute"},
    {"__setattr__", "name, value, /", NULL, "sets it", "@object_setattr"},
    {"__delattr__", "name, /", NULL, "deletes it", "@object_delattr"},
    {"__init_subclass__", "@class **kwargs", init_subclass,
     "called for each subclass", NULL},
    {"__subclasshook__", "@class subclass, /", not_implemented, "no opinion",
     NULL},
    {"__dir__", "", NULL, "names of attributes", "_object_dir"},
    {0},
};
static const struct native object_getters[] = {
    {"__class__", "", get_class, "the object's class", NULL},
    {"__dict__", "", get_dict, "the object's attributes", NULL},
    {0},
};
const struct native_type native_object = {
    "object",
    KIND_INSTANCE,
    NULL,
    0,
    object_methods,
    object_getters,
    "The base class of the class hierarchy.",
};

/* -- type
 * ---------------------------------------------------------------------------
 */

static struct otype *self_type(struct vm *vm, const val *args) {
    return type_at(vm, args[0]);
}

static val type_get_name(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return self_type(vm, args)->name;
}
static val type_get_qualname(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return self_type(vm, args)->qualname;
}
static val type_get_module(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val own = type_own(vm, args[0], vm_name(vm, NAME_MODULE));
    return own ? own : self_type(vm, args)->module;
}
static val type_get_bases(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return self_type(vm, args)->bases;
}
static val type_get_base(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val base = self_type(vm, args)->base;
    return base ? base : VAL_NONE;
}
static val type_get_mro(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return self_type(vm, args)->mro;
}
static val type_get_doc(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val doc = type_own(vm, args[0], vm_name(vm, NAME_DOC));
    return doc ? doc : VAL_NONE;
}
static val type_get_dict(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return dict_proxy(vm, self_type(vm, args)->dict);
}
static val type_get_abstract(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val own = type_own(vm, args[0], vm_name(vm, NAME_ABSTRACT));
    if (own) return own;
    return vm_raise(vm, EXC_AttributeError, "__abstractmethods__");
}
static val type_get_annotations(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val name = vm_name(vm, NAME_ANNOTATIONS);
    val own = type_own(vm, args[0], name);
    if (own) return own;
    if (args[0] < vm->heap.template_end) return dict_new(vm);
    val fresh = dict_new(vm);
    if (!fresh || dict_set(vm, self_type(vm, args)->dict, name, fresh))
        return VAL_UNSET;
    return fresh;
}

static val type_mro_list(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val mro = self_type(vm, args)->mro;
    return list_new(vm, tuple_items(vm, mro), tuple_len(vm, mro));
}

static val type_subclasses(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    val subs = self_type(vm, args)->subclasses;
    return subs ? list_from(vm, subs) : list_new(vm, NULL, 0);
}

static val type_repr(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return value_repr(vm, args[0]);
}

static val type_instancecheck(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    return val_of_bool(type_is_instance(vm, args[1], args[0]));
}

static val type_subclasscheck(struct vm *vm, const val *args, size_t n) {
    UNUSED_N;
    if (!vm_is(vm, args[1], KIND_TYPE))
        return vm_raise(vm, EXC_TypeError,
                        "issubclass() arg 1 must be a class");
    return val_of_bool(type_is_subclass(vm, args[1], args[0]));
}

static val type_prepare(struct vm *vm, const val *args, size_t n) {
    (void)args, UNUSED_N;
    return dict_new(vm);
}

static val type_or(struct vm *vm, const val *args, size_t n) {
    (void)args, UNUSED_N;
    return vm_slow(vm);
}

static const struct native type_methods[] = {
    {"__new__", "*args, **kwargs", NULL, "a new class", "_type_new_native"},
    {"__init__", "*args, **kwargs", return_none, "does nothing", NULL},
    {"__call__", "*args, **kwargs", NULL, "an instance", "@type_call"},
    {"mro", "", type_mro_list, "the order of bases", NULL},
    {"__subclasses__", "", type_subclasses, "classes derived from it", NULL},
    {"__repr__", "", type_repr, "<class 'name'>", NULL},
    {"__instancecheck__", "instance, /", type_instancecheck, "isinstance",
     NULL},
    {"__subclasscheck__", "subclass, /", type_subclasscheck, "issubclass",
     NULL},
    {"__prepare__", "@class *args, **kwargs", type_prepare, "a namespace",
     NULL},
    {"__or__", "other, /", type_or, "a union of classes", "_type_or"},
    {"__ror__", "other, /", type_or, "a union of classes", "_type_ror"},
    {"__dir__", "", NULL, "names of attributes", "_type_dir"},
    {0},
};
static const struct native type_getters[] = {
    {"__name__", "", type_get_name, "", NULL},
    {"__qualname__", "", type_get_qualname, "", NULL},
    {"__module__", "", type_get_module, "", NULL},
    {"__bases__", "", type_get_bases, "", NULL},
    {"__base__", "", type_get_base, "", NULL},
    {"__mro__", "", type_get_mro, "", NULL},
    {"__doc__", "", type_get_doc, "", NULL},
    {"__dict__", "", type_get_dict, "", NULL},
    {"__abstractmethods__", "", type_get_abstract, "", NULL},
    {"__annotations__", "", type_get_annotations, "", NULL},
    {0},
};
const struct native_type native_type = {
    "type",
    KIND_TYPE,
    NULL,
    0,
    type_methods,
    type_getters,
    "type(object) -> the object's type",
};

/* -- steps
 * ---------------------------------------------------------------------------
 */

static val attr_name(struct vm *vm, val name) {
    if (vm_is(vm, name, KIND_STR)) return text_intern_val(vm, name);
    return vm_raise(vm, EXC_TypeError,
                    "attribute name must be string, not '%s'",
                    vm_type_name(vm, name));
}

enum step step_object_getattribute(struct vm *vm, val *args, size_t n,
                                   struct ret ret) {
    UNUSED_N;
    val name = attr_name(vm, args[1]);
    return name ? attr_get_default(vm, args[0], name, ret) : STEP_RAISE;
}
/* The step was complete if the attribute's owner did it in C; the value of the
 * call is None either way. */
static enum step then_none(struct vm *vm, enum step step, struct ret ret) {
    return step == STEP_DONE ? deliver(vm, ret, VAL_NONE) : step;
}

enum step step_object_setattr(struct vm *vm, val *args, size_t n,
                              struct ret ret) {
    UNUSED_N;
    val name = attr_name(vm, args[1]);
    if (!name) return STEP_RAISE;
    return then_none(vm, attr_set_default(vm, args[0], name, args[2]), ret);
}

enum step step_object_delattr(struct vm *vm, val *args, size_t n,
                              struct ret ret) {
    UNUSED_N;
    val name = attr_name(vm, args[1]);
    if (!name) return STEP_RAISE;
    return then_none(vm, attr_del_default(vm, args[0], name), ret);
}

enum step step_getattr(struct vm *vm, val *args, size_t n, struct ret ret) {
    val name = attr_name(vm, args[1]);
    if (!name) return STEP_RAISE;
    if (args[2])
        return call_in_prelude(vm, PRELUDE_getattr_default, args, n, ret);
    return attr_get(vm, args[0], name, ret);
}

enum step step_setattr(struct vm *vm, val *args, size_t n, struct ret ret) {
    UNUSED_N;
    val name = attr_name(vm, args[1]);
    if (!name) return STEP_RAISE;
    struct ret none = {RET_NONE, ret.reg, 0, ret.word};
    enum step step = attr_set(vm, args[0], name, args[2], none);
    return then_none(vm, step, ret);
}

enum step step_delattr(struct vm *vm, val *args, size_t n, struct ret ret) {
    UNUSED_N;
    val name = attr_name(vm, args[1]);
    if (!name) return STEP_RAISE;
    struct ret none = {RET_NONE, ret.reg, 0, ret.word};
    return then_none(vm, attr_del(vm, args[0], name, none), ret);
}

/* args: the class, keywords (a dict or unset), then the arguments. */
enum step step_type_call(struct vm *vm, val *args, size_t n, struct ret ret) {
    val type = args[0], keywords = args[1];
    if (!keywords)
        return class_call_plain(vm, type, args + 2, n - 2, VAL_UNSET, ret);
    val list = tuple_new(vm, args + 2, n - 2);
    if (!list) return STEP_RAISE;
    val parts[4] = {VAL_UNSET, type, list, keywords};
    return call_any(vm, vm_prelude(vm, PRELUDE_type_call), parts + 1, 3,
                    VAL_UNSET, ret);
}

/* run_class_body(function, namespace): the body is a function of one argument,
 * the namespace. */
enum step step_run_class_body(struct vm *vm, val *args, size_t n,
                              struct ret ret) {
    UNUSED_N;
    val room[2] = {VAL_UNSET, args[1]};
    return call_any(vm, args[0], room + 1, 1, VAL_UNSET, ret);
}

/* The function that a text defines, each text once. Compiling moves the caches,
 * so that this is no plain native: the loop begins the frame anew and looks for
 * them again. */
enum step step_made_function(struct vm *vm, val *args, size_t n,
                             struct ret ret) {
    UNUSED_N;
    const struct ofunc *asks = heap_at(&vm->heap, vm_frame(vm)->func);
    const struct omodule *m = heap_at(&vm->heap, asks->globals);
    struct root *root = vm_root(vm);
    val fn = VAL_UNSET;
    if (!root->made && !(root->made = dict_new(vm))) return STEP_RAISE;
    if (dict_get(vm, root->made, args[0], &fn) == 0) {
        fn = load_made(vm, text_get(vm, args[0]), m->name);
        if (fn && dict_set(vm, root->made, args[0], fn)) return STEP_RAISE;
    }
    if (!fn) return STEP_RAISE;
    enum step step = deliver(vm, ret, fn);
    return step == STEP_DONE ? STEP_FRAME : step;
}

/* call(function, args, kwargs) with a list or tuple and a dict. */
enum step step_call(struct vm *vm, val *args, size_t n, struct ret ret) {
    UNUSED_N;
    return call_spread(vm, args[0], VAL_UNSET, args[1], args[2], ret);
}
