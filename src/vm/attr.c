/* SPDX-License-Identifier: MIT
 *
 * attr -- reading attributes.
 */
#include "vm/attr.h"

#include "vm/exc.h"
#include "vm/load.h"
#include "vm/ops.h"

#define SHAPE_MAX \
    64 /* attributes kept by shape; objects with more use a dict */

/* -- where instances keep them -----------------------------------------------
 */

struct attrs *attrs_of(const struct vm *vm, val o) {
    if (!val_is_ref(o)) return NULL;
    struct obj *h = vm_obj(vm, o);
    if (h->kind == KIND_INSTANCE || h->kind == KIND_EXCEPTION ||
        h->kind == KIND_DESCR)
        return (struct attrs *)(h + 1);
    if (h->kind != KIND_STORE && (h->flags & OBJ_ATTRS))
        return (struct attrs *)object_attrs(h);
    return NULL;
}

static val *store_values(const struct vm *vm, const struct attrs *at) {
    return (val *)((struct ostore *)heap_at(&vm->heap, at->store))->data;
}

val attrs_get(struct vm *vm, const struct attrs *at, val name) {
    val v = VAL_UNSET;
    if (!at->store) return VAL_UNSET;
    if (vm_is(vm, at->store, KIND_DICT)) {
        dict_get(vm, at->store, name, &v);
        return v;
    }
    int64_t pos = at->shape ? shape_find(vm, at->shape, name) : -1;
    return pos < 0 ? VAL_UNSET : store_values(vm, at)[pos];
}

static bool make_room(struct vm *vm, struct attrs *at, uint64_t n) {
    uint64_t bytes = n * sizeof(val);
    if (!at->store) {
        /* 32 bytes beside the store's header fill its size class. */
        at->store = heap_store(vm, bytes < 40 ? 40 : bytes, OBJ_TRACED);
    } else if (((struct ostore *)heap_at(&vm->heap, at->store))->size < bytes) {
        val grown = heap_store_grow(vm, at->store, bytes * 2);
        if (!grown) return false;
        at->store = grown;
    }
    if (!at->store) return false;
    struct ostore *s = heap_at(&vm->heap, at->store);
    if (s->used < bytes) s->used = bytes;
    return true;
}

static uint32_t shape_len(const struct vm *vm, val shape) {
    return ((struct oshape *)heap_at(&vm->heap, shape))->len;
}

int attrs_append(struct vm *vm, struct attrs *at, val shape, val v) {
    uint32_t pos = ((struct oshape *)heap_at(&vm->heap, shape))->len - 1;
    if (!make_room(vm, at, (uint64_t)pos + 1)) return -1;
    at->shape = shape;
    store_values(vm, at)[pos] = v;
    return 0;
}

int attrs_set(struct vm *vm, struct attrs *at, val name, val v) {
    if (at->store && vm_is(vm, at->store, KIND_DICT))
        return dict_set(vm, at->store, name, v);
    if (!at->shape && !(at->shape = shape_empty(vm))) return -1;
    int64_t pos = shape_find(vm, at->shape, name);
    if (pos < 0 && shape_len(vm, at->shape) >= SHAPE_MAX)
        return attrs_dict(vm, at) ? dict_set(vm, at->store, name, v) : -1;
    if (pos < 0) {
        val shape = shape_add(vm, at->shape, name);
        return shape ? attrs_append(vm, at, shape, v) : -1;
    }
    store_values(vm, at)[pos] = v;
    return 0;
}

val attrs_dict(struct vm *vm, struct attrs *at) {
    if (at->store && vm_is(vm, at->store, KIND_DICT)) return at->store;
    val dict = dict_new(vm);
    if (!dict) return VAL_UNSET;
    uint32_t n = at->shape && at->store
                     ? ((struct oshape *)heap_at(&vm->heap, at->shape))->len
                     : 0;
    for (uint32_t i = 0; i < n; i++) {
        val v = store_values(vm, at)[i];
        if (v && dict_set(vm, dict, shape_key(vm, at->shape, i), v))
            return VAL_UNSET;
    }
    at->shape = VAL_UNSET;
    at->store = dict;
    return dict;
}

/* A shape cannot lose a key, so deleting goes through a dict, except that the
 * place is merely emptied when its value is the last. */
int attrs_del(struct vm *vm, struct attrs *at, val name) {
    if (!attrs_get(vm, at, name)) return 0;
    if (!attrs_dict(vm, at)) return -1;
    return dict_del(vm, at->store, name);
}

/* -- binding -----------------------------------------------------------------
 */

val attr_bound_method(struct vm *vm, val func, val self) {
    struct omethod *m = heap_new(vm, KIND_METHOD, TYPE_VAL(method), sizeof *m);
    if (!m) return VAL_UNSET;
    m->func = func;
    m->self = self;
    return heap_ref(&vm->heap, m);
}

val attr_bound_native(struct vm *vm, val native, val self) {
    struct onative *n = heap_new(vm, KIND_NATIVE, TYPE_VAL(builtin), sizeof *n);
    if (!n) return VAL_UNSET;
    struct obj h = n->h;
    *n = *(struct onative *)heap_at(&vm->heap, native);
    n->h = h;
    n->self = self;
    n->flags &= ~(uint32_t)(NATIVE_PLAIN | NATIVE_SPREAD);
    return heap_ref(&vm->heap, n);
}

static enum step deliver_new(struct vm *vm, struct ret ret, val v) {
    return v ? deliver(vm, ret, v) : STEP_RAISE;
}

/* An AttributeError of a getter is then a question to __getattr__. */
static bool has_hook(struct vm *vm, val o, struct ret ret) {
    return ret.how == RET_VALUE && INS_OP(ret.word) == OP_GETA &&
           special_of(vm, o, SPECIAL_GETATTR);
}

static enum step call_get(struct vm *vm, val getter, val o, struct ret ret) {
    val room[2] = {VAL_UNSET, o};
    if (has_hook(vm, o, ret)) ret.how = RET_ATTR;
    return call_any(vm, getter, room + 1, 1, VAL_UNSET, ret);
}

static enum step bind_property(struct vm *vm, val found, val o,
                               struct ret ret) {
    const struct odescr *d = heap_at(&vm->heap, found);
    if (!o) return deliver(vm, ret, found);
    if (d->get && d->get != VAL_NONE) return call_get(vm, d->get, o, ret);
    vm_raise(vm, EXC_AttributeError, "property of '%s' object has no getter",
             vm_type_name(vm, o));
    return STEP_RAISE;
}

static enum step bind_field(struct vm *vm, val found, val o, struct ret ret) {
    val item = o ? descr_field_of(vm, found, o) : found;
    return item ? deliver(vm, ret, item) : STEP_RAISE;
}

static enum step bind_descr(struct vm *vm, val found, val o, val type,
                            struct ret ret) {
    const struct odescr *d = heap_at(&vm->heap, found);
    val t = type_of(vm, found);
    if (t == TYPE_VAL(getset_descriptor)) {
        if (!o) return deliver(vm, ret, found);
        return call_get(vm, d->get, o, ret);
    }
    if (t == TYPE_VAL(member_descriptor)) return deliver(vm, ret, found);
    if (t == TYPE_VAL(_tuplegetter)) return bind_field(vm, found, o, ret);
    if (type_is_subclass(vm, t, TYPE_VAL(property)))
        return bind_property(vm, found, o, ret);
    if (type_is_subclass(vm, t, TYPE_VAL(staticmethod)))
        return deliver(vm, ret, d->get);
    if (type_is_subclass(vm, t, TYPE_VAL(classmethod))) {
        if (vm_is(vm, d->get, KIND_FUNCTION) || vm_is(vm, d->get, KIND_NATIVE))
            return deliver_new(vm, ret, attr_bound_method(vm, d->get, type));
        return attr_bind(vm, d->get, type, type_of(vm, type), ret);
    }
    return deliver(vm, ret, found);
}

static enum step bind_native(struct vm *vm, val found, val o, val type,
                             struct ret ret) {
    const struct onative *n = heap_at(&vm->heap, found);
    unsigned how = n->flags & (NATIVE_METHOD | NATIVE_CLASS | NATIVE_NEW);
    if (n->self || !how || (how & NATIVE_NEW)) return deliver(vm, ret, found);
    if (n->flags & NATIVE_CLASS)
        return deliver_new(vm, ret, attr_bound_native(vm, found, type));
    if (!o) return deliver(vm, ret, found);
    return deliver_new(vm, ret, attr_bound_native(vm, found, o));
}

enum step attr_bind(struct vm *vm, val found, val o, val type, struct ret ret) {
    if (!val_is_ref(found)) return deliver(vm, ret, found);
    enum kind kind = (enum kind)vm_obj(vm, found)->kind;
    if (kind == KIND_FUNCTION)
        return o ? deliver_new(vm, ret, attr_bound_method(vm, found, o))
                 : deliver(vm, ret, found);
    if (kind == KIND_NATIVE) return bind_native(vm, found, o, type, ret);
    if (special_of(vm, found, SPECIAL_GET)) {
        val fn = type_special(vm, type_of(vm, found), SPECIAL_GET);
        val room[4] = {VAL_UNSET, found, o ? o : VAL_NONE, type};
        if (o && has_hook(vm, o, ret)) ret.how = RET_ATTR;
        return call_any(vm, fn, room + 1, 3, VAL_UNSET, ret);
    }
    if (kind == KIND_DESCR) return bind_descr(vm, found, o, type, ret);
    return deliver(vm, ret, found);
}

/* Goes before what the instance itself holds. */
static bool is_data(struct vm *vm, val found) {
    if (vm_is(vm, found, KIND_DESCR)) {
        val t = type_of(vm, found);
        if (t == TYPE_VAL(getset_descriptor) || t == TYPE_VAL(_tuplegetter) ||
            type_is_subclass(vm, t, TYPE_VAL(property)))
            return true;
    }
    return special_of(vm, found, SPECIAL_SET) ||
           special_of(vm, found, SPECIAL_DELETE);
}

/* One with __set__ alone leaves reading to the instance. */
static bool reads_first(struct vm *vm, val found) {
    return is_data(vm, found) &&
           (vm_is(vm, found, KIND_DESCR) || special_of(vm, found, SPECIAL_GET));
}

/* -- lookup ------------------------------------------------------------------
 */

static enum step attribute_error(struct vm *vm, val o, val name,
                                 const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static enum step attribute_error(struct vm *vm, val o, val name,
                                 const char *fmt, ...) {
    AUTO_BUF struct buf b = BUF_MAX(4096);
    struct err e;
    va_list ap;
    va_start(ap, fmt);
    int bad = buf_vaddf(&b, &e, fmt, ap);
    va_end(ap);
    if (bad) vm_spend(vm, 4 * text_get(vm, name).n);
    if (bad) buf_truncate(&b, 0);
    vm_raise(vm, EXC_AttributeError, "%s", buf_text(&b));
    val exc = vm_root(vm)->exception;
    struct attrs *at = attrs_of(vm, exc);
    if (exc >= vm->heap.template_end && exc_is(vm, EXC_AttributeError) &&
        attrs_set(vm, at, vm_name(vm, NAME_NAME_), name) == 0)
        (void)attrs_set(vm, attrs_of(vm, exc), vm_name(vm, NAME_OBJ), o);
    return STEP_RAISE;
}

static enum step getattr_hook(struct vm *vm, val o, val name, struct ret ret) {
    val fn = type_special(vm, type_of(vm, o), SPECIAL_GETATTR);
    val room[3] = {VAL_UNSET, o, name};
    if (ret.how == RET_ATTR) ret.how = RET_VALUE;
    return call_any(vm, fn, room + 1, 2, VAL_UNSET, ret);
}

enum step attr_missing(struct vm *vm, val o, val name) {
    str n = text_get(vm, name);
    if (vm_is(vm, o, KIND_TYPE))
        return attribute_error(vm, o, name,
                               "type object '%.*s' has no attribute '%.*s'",
                               STR_ARG(type_name(vm, o)), STR_ARG(n));
    if (vm_is(vm, o, KIND_MODULE)) {
        const struct omodule *m = heap_at(&vm->heap, o);
        return attribute_error(vm, o, name,
                               "module '%.*s' has no attribute '%.*s'",
                               STR_ARG(text_get(vm, m->name)), STR_ARG(n));
    }
    return attribute_error(vm, o, name, "'%s' object has no attribute '%.*s'",
                           vm_type_name(vm, o), STR_ARG(n));
}

/* A module's own function __getattr__. */
static enum step module_hook(struct vm *vm, val module, val name,
                             struct ret ret) {
    val hook = module_get(vm, module, STR("__getattr__"));
    val room[2] = {VAL_UNSET, name};
    if (!hook) return attr_missing(vm, module, name);
    if (ret.how == RET_ATTR) ret.how = RET_VALUE;
    return call_any(vm, hook, room + 1, 1, VAL_UNSET, ret);
}

static enum step not_found(struct vm *vm, val o, val name, bool hooks,
                           struct ret ret) {
    if (vm_is(vm, o, KIND_METHOD)) /* __name__ and others are its function's */
        return attr_get(vm, ((struct omethod *)heap_at(&vm->heap, o))->func,
                        name, ret);
    if (hooks && special_of(vm, o, SPECIAL_GETATTR))
        return getattr_hook(vm, o, name, ret);
    if (vm_is(vm, o, KIND_MODULE)) return module_hook(vm, o, name, ret);
    return attr_missing(vm, o, name);
}

static val function_own(struct vm *vm, val func, val name) {
    val v = VAL_UNSET;
    const struct ofunc *f = heap_at(&vm->heap, func);
    if (f->attrs) dict_get(vm, f->attrs, name, &v);
    return v;
}

/* The object's own attribute, whatever keeps it. */
static val own_attr(struct vm *vm, val o, val name) {
    struct attrs *at = attrs_of(vm, o);
    if (at) return attrs_get(vm, at, name);
    if (vm_is(vm, o, KIND_FUNCTION)) return function_own(vm, o, name);
    if (vm_is(vm, o, KIND_MODULE)) return module_get(vm, o, text_get(vm, name));
    return VAL_UNSET;
}

static enum step get_of_type(struct vm *vm, val type, val name, bool hooks,
                             struct ret ret) {
    val meta = type_of(vm, type);
    val in_meta = type_lookup(vm, meta, name);
    if (in_meta && reads_first(vm, in_meta))
        return attr_bind(vm, in_meta, type, meta, ret);
    val found = type_lookup(vm, type, name);
    if (found) return attr_bind(vm, found, VAL_UNSET, type, ret);
    if (in_meta) return attr_bind(vm, in_meta, type, meta, ret);
    return not_found(vm, type, name, hooks, ret);
}

static bool finds_in_super(struct vm *vm, val type, val o, val name) {
    bool of_class = vm_is(vm, o, KIND_TYPE) && type_is_subclass(vm, o, type);
    val start = of_class ? o : type_of(vm, o);
    return type_lookup_after(vm, start, type, name) != VAL_UNSET;
}

enum step attr_get_super(struct vm *vm, val type, val o, val name,
                         struct ret ret) {
    bool of_class = vm_is(vm, o, KIND_TYPE) && type_is_subclass(vm, o, type);
    val start = of_class ? o : type_of(vm, o);
    if (!type_is_subclass(vm, start, type)) {
        vm_raise(
            vm, EXC_TypeError,
            "super(type, obj): obj must be an instance or subtype of type");
        return STEP_RAISE;
    }
    val found = type_lookup_after(vm, start, type, name);
    if (!found)
        return attribute_error(vm, o, name,
                               "'super' object has no attribute '%.*s'",
                               STR_ARG(text_get(vm, name)));
    return attr_bind(vm, found, of_class ? VAL_UNSET : o, start, ret);
}

/* What a super has of its own (__self__ ...) comes behind what it finds; one
 * that is bound to nothing finds nothing. */
static enum step get_of_super(struct vm *vm, val o, val name, struct ret ret) {
    const struct odescr *d = heap_at(&vm->heap, o);
    if (name == vm_name(vm, NAME_CLASS))
        return deliver(vm, ret, type_of(vm, o));
    val own = type_lookup(vm, TYPE_VAL(super), name);
    bool bound = d->get && d->set;
    if (bound && (!own || finds_in_super(vm, d->get, d->set, name)))
        return attr_get_super(vm, d->get, d->set, name, ret);
    if (own) return attr_bind(vm, own, o, TYPE_VAL(super), ret);
    return attr_missing(vm, o, name);
}

/* Without __getattribute__ of the class; with `hooks`, its __getattr__ is asked
 * for what is not there. */
static enum step get_plain(struct vm *vm, val o, val name, bool hooks,
                           struct ret ret) {
    if (vm_is(vm, o, KIND_TYPE)) return get_of_type(vm, o, name, hooks, ret);
    val type = type_of(vm, o);
    if (type == TYPE_VAL(super)) return get_of_super(vm, o, name, ret);
    val found = type_lookup(vm, type, name);
    if (found && reads_first(vm, found))
        return attr_bind(vm, found, o, type, ret);
    val own = own_attr(vm, o, name);
    if (own) return deliver(vm, ret, own);
    if (!found) return not_found(vm, o, name, hooks, ret);
    if (type_of(vm, found) == TYPE_VAL(member_descriptor))
        return not_found(vm, o, name, hooks, ret);
    return attr_bind(vm, found, o, type, ret);
}

enum step attr_get_default(struct vm *vm, val o, val name, struct ret ret) {
    return get_plain(vm, o, name, false, ret);
}

enum step attr_get(struct vm *vm, val o, val name, struct ret ret) {
    if (!special_of(vm, o, SPECIAL_GETATTRIBUTE))
        return get_plain(vm, o, name, true, ret);
    val args[2] = {o, name};
    return call_in_prelude(vm, PRELUDE_op_getattribute, args, 2, ret);
}

/* -- caches ------------------------------------------------------------------
 */

static void remember(struct vm *vm, struct cache *c, val type,
                     enum cache_how how, uint64_t pos, val shape, val value) {
    if (pos > UINT16_MAX) return;
    /* Shapes belong to a run, the template's classes to all of them: an entry
     * with both could outlive its run (ranges are used again). */
    bool by_shape = how == CACHE_SLOT || how == CACHE_CLASS;
    if (by_shape && type_at(vm, type)->version <= vm->engine->type_version)
        return;
    *c = (struct cache){type_at(vm, type)->version, (uint16_t)how,
                        (uint16_t)pos, shape, value};
}

/* A plain value or function that stands in the class. */
static bool is_static(struct vm *vm, val found) {
    if (vm_is(vm, found, KIND_NATIVE) &&
        ((struct onative *)heap_at(&vm->heap, found))->flags & NATIVE_CLASS)
        return false;
    return !vm_is(vm, found, KIND_DESCR) && !special_of(vm, found, SPECIAL_GET);
}

/* Fills *c for an instance: its own attribute, or what stands in its class. */
static void remember_instance(struct vm *vm, val o, val name, val found,
                              struct cache *c) {
    const struct attrs *at = attrs_of(vm, o);
    val type = type_of(vm, o);
    if (!at) {
        if (found && is_static(vm, found) && !vm_is(vm, o, KIND_FUNCTION))
            remember(vm, c, type, CACHE_TYPE, 0, 0, found);
        return;
    }
    if (at->store && vm_is(vm, at->store, KIND_DICT)) return;
    int64_t pos = at->shape ? shape_find(vm, at->shape, name) : -1;
    if (pos >= 0)
        remember(vm, c, type, CACHE_SLOT, (uint64_t)pos, at->shape, 0);
    else if (found && is_static(vm, found))
        remember(vm, c, type, CACHE_CLASS, 0, at->shape, found);
}

static void remember_get(struct vm *vm, val o, val name, struct cache *c) {
    if (!val_is_ref(o) || special_of(vm, o, SPECIAL_GETATTRIBUTE)) return;
    val type = type_of(vm, o);
    if (vm_is(vm, o, KIND_MODULE)) {
        val slot;
        const struct omodule *m = heap_at(&vm->heap, o);
        if (dict_get(vm, m->names, name, &slot) <= 0) return;
        remember(vm, c, type, CACHE_MODULE, (uint64_t)val_int(slot), o, 0);
        c->version = vm->run_number;
        return;
    }
    if (vm_is(vm, o, KIND_TYPE)) {
        val found = type_lookup(vm, o, name);
        val meta = type_lookup(vm, type, name);
        if (found && is_static(vm, found) && !meta)
            remember(vm, c, o, CACHE_OF_TYPE, 0, o, found);
        return;
    }
    val found = type_lookup(vm, type, name);
    if (found && is_data(vm, found)) return;
    if (type == TYPE_VAL(super)) return;
    remember_instance(vm, o, name, found, c);
}

/* What the cache holds for o, or VAL_UNSET; *in_class: it is to be bound. */
static val recall(struct vm *vm, val o, const struct cache *c, bool *in_class) {
    *in_class = true;
    if (c->how == CACHE_MODULE) {
        *in_class = false;
        if (o != c->shape || c->version != vm->run_number) return VAL_UNSET;
        const struct omodule *m = heap_at(&vm->heap, o);
        return ((val *)((struct ostore *)heap_at(&vm->heap, m->slots))
                    ->data)[c->pos];
    }
    if (c->how == CACHE_OF_TYPE) {
        *in_class = false;
        bool same = o == c->shape && type_at(vm, o)->version == c->version;
        return same ? c->value : VAL_UNSET;
    }
    if (type_at(vm, type_of(vm, o))->version != c->version) return VAL_UNSET;
    if (c->how == CACHE_TYPE || c->how == CACHE_TYPE_METHOD) return c->value;
    const struct attrs *at = attrs_of(vm, o);
    if (!at || at->shape != c->shape) return VAL_UNSET;
    if (c->how == CACHE_CLASS || c->how == CACHE_METHOD)
        return at->store && vm_is(vm, at->store, KIND_DICT) ? VAL_UNSET
                                                            : c->value;
    *in_class = false;
    return c->how == CACHE_SLOT ? store_values(vm, at)[c->pos] : VAL_UNSET;
}

enum step attr_get_cached(struct vm *vm, val o, val name, struct cache *c,
                          struct ret ret) {
    bool in_class;
    val v = recall(vm, o, c, &in_class);
    if (v && in_class) return attr_bind(vm, v, o, type_of(vm, o), ret);
    if (v) return deliver(vm, ret, v);
    remember_get(vm, o, name, c);
    return attr_get(vm, o, name, ret);
}

/* A function or method of a builtin class needs no bound object: it is called
 * with self in the register behind it. */
static bool takes_self(struct vm *vm, val found) {
    if (vm_is(vm, found, KIND_FUNCTION)) return true;
    return vm_is(vm, found, KIND_NATIVE) &&
           (((struct onative *)heap_at(&vm->heap, found))->flags &
            NATIVE_METHOD);
}

enum step attr_get_method(struct vm *vm, val o, val name, struct cache *c,
                          unsigned reg) {
    struct oframe *f = vm_frame(vm);
    bool in_class;
    val v = recall(vm, o, c, &in_class);
    if (!v) {
        remember_get(vm, o, name, c);
        v = recall(vm, o, c, &in_class);
    }
    if (v && in_class && takes_self(vm, v)) {
        if (c->how == CACHE_CLASS && c->shape) c->how = CACHE_METHOD;
        if (c->how == CACHE_TYPE) c->how = CACHE_TYPE_METHOD;
        f->reg[reg] = v;
        f->reg[reg + 1] = o;
        return STEP_DONE;
    }
    f->reg[reg + 1] = VAL_UNSET;
    if (v && !in_class) {
        f->reg[reg] = v;
        return STEP_DONE;
    }
    return attr_get(vm, o, name, ret_reg(reg));
}
