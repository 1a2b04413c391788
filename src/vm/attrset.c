/* SPDX-License-Identifier: MIT
 *
 * attrset -- assigning and deleting attributes.
 */
#include "vm/attr.h"
#include "vm/exc.h"
#include "vm/load.h"
#include "vm/ops.h"

static enum step done(int failed) {
    return failed ? STEP_RAISE : STEP_DONE;
}

static enum step refuse(struct vm *vm, enum exc exc, const char *fmt, val o,
                        val name) {
    AUTO_BUF struct buf b = BUF_MAX(1024);
    struct err e;
    if (buf_addf(&b, &e, "%.*s", STR_ARG(text_get(vm, name))))
        buf_truncate(&b, 0);
    if (exc == EXC_TypeError)
        vm_raise(vm, exc, "cannot set '%s' attribute of immutable type '%.*s'",
                 buf_text(&b), STR_ARG(type_name(vm, o)));
    else
        vm_raise(vm, exc, "'%s' object %s '%s'%s", vm_type_name(vm, o), fmt,
                 buf_text(&b),
                 strncmp(fmt, "attribute", 9) ? "" : " is read-only");
    return STEP_RAISE;
}

/* -- classes and modules ------------------------------------------------------
 */

static enum step set_of_type(struct vm *vm, val type, val name, val v) {
    struct otype *t = type_at(vm, type);
    if (!(t->flags & TYPE_HEAP) || type < vm->heap.template_end)
        return refuse(vm, EXC_TypeError, "", type, name);
    if (name == vm_name(vm, NAME_NAME) && vm_is(vm, v, KIND_STR)) t->name = v;
    if (name == vm_name(vm, NAME_QUALNAME) && vm_is(vm, v, KIND_STR))
        t->qualname = v;
    if (name == vm_name(vm, NAME_ABSTRACT)) {
        int truth = value_truth(vm, v);
        t->flags = (uint16_t)(truth > 0 ? t->flags | TYPE_ABSTRACT
                                        : t->flags & ~TYPE_ABSTRACT);
    }
    if (dict_set(vm, t->dict, name, v)) return STEP_RAISE;
    type_changed(vm, type);
    return STEP_DONE;
}

static enum step del_of_type(struct vm *vm, val type, val name) {
    struct otype *t = type_at(vm, type);
    if (!(t->flags & TYPE_HEAP) || type < vm->heap.template_end)
        return refuse(vm, EXC_TypeError, "", type, name);
    int there = dict_del(vm, t->dict, name);
    if (there < 0) return STEP_RAISE;
    if (!there) return attr_missing(vm, type, name);
    type_changed(vm, type);
    return STEP_DONE;
}

static enum step set_of_module(struct vm *vm, val module, val name, val v) {
    if (module < vm->heap.template_end) {
        vm_raise(vm, EXC_AttributeError, "module 'builtins' is read-only");
        return STEP_RAISE;
    }
    return done(module_set(vm, module, name, v));
}

/* -- through descriptors ------------------------------------------------------
 */

static enum step call_set(struct vm *vm, val fn, val descr, val o, val v) {
    val room[4] = {VAL_UNSET, descr, o, v};
    struct ret drop = {.how = RET_DROP};
    if (descr) return call_any(vm, fn, room + 1, 3, VAL_UNSET, drop);
    room[1] = o;
    room[2] = v;
    return call_any(vm, fn, room + 1, v ? 2 : 1, VAL_UNSET, drop);
}

static enum step no_accessor(struct vm *vm, val o, val name, const char *what) {
    str n = text_get(vm, name);
    vm_raise(vm, EXC_AttributeError, "property '%.*s' of '%s' object has no %s",
             STR_ARG(n), vm_type_name(vm, o), what);
    return STEP_RAISE;
}

/* Whether the class's descriptor takes the assignment; *step is then what came
 * of it. v unset: a deletion. */
static bool through_descriptor(struct vm *vm, val found, val o, val name, val v,
                               enum step *step) {
    enum special s = v ? SPECIAL_SET : SPECIAL_DELETE;
    if (special_of(vm, found, s)) {
        val fn = type_special(vm, type_of(vm, found), s);
        val room[4] = {VAL_UNSET, found, o, v};
        *step = call_any(vm, fn, room + 1, v ? 3 : 2, VAL_UNSET,
                         (struct ret){.how = RET_DROP});
        return true;
    }
    if (!vm_is(vm, found, KIND_DESCR)) return false;
    const struct odescr *d = heap_at(&vm->heap, found);
    val t = type_of(vm, found);
    if (type_is_subclass(vm, t, TYPE_VAL(property))) {
        val fn = v ? d->set : d->del;
        *step = fn && fn != VAL_NONE
                    ? call_set(vm, fn, VAL_UNSET, o, v)
                    : no_accessor(vm, o, name, v ? "setter" : "deleter");
        return true;
    }
    if (t == TYPE_VAL(_tuplegetter)) {
        vm_raise(vm, EXC_AttributeError, "can't %s attribute",
                 v ? "set" : "delete");
        *step = STEP_RAISE;
        return true;
    }
    if (t != TYPE_VAL(getset_descriptor)) return false;
    vm_raise(vm, EXC_AttributeError,
             "attribute '%.*s' of '%s' objects is not writable",
             STR_ARG(text_get(vm, name)), vm_type_name(vm, o));
    *step = STEP_RAISE;
    return true;
}

/* -- instances
 * ----------------------------------------------------------------- */

static bool takes_name(struct vm *vm, val o, val found) {
    const struct otype *t = type_at(vm, type_of(vm, o));
    if (type_of(vm, o) != TYPE_VAL(object) && !(t->flags & TYPE_NO_DICT))
        return true;
    return found && type_of(vm, found) == TYPE_VAL(member_descriptor);
}

static int set_field(struct vm *vm, val o, val name, val v) {
    if (vm_is(vm, o, KIND_EXCEPTION)) return exc_set_field(vm, o, name, v);
    if (vm_is(vm, o, KIND_FUNCTION)) return function_set(vm, o, name, v);
    return 0;
}

/* `o.__class__ = cls`: classes of the same layout only. */
static enum step set_class(struct vm *vm, val o, val cls) {
    const struct otype *now = type_at(vm, type_of(vm, o));
    if (!vm_is(vm, cls, KIND_TYPE) || !vm_is(vm, o, KIND_INSTANCE) ||
        !(type_at(vm, cls)->flags & TYPE_HEAP) ||
        type_at(vm, cls)->instance_kind != now->instance_kind ||
        !(now->flags & TYPE_HEAP)) {
        vm_raise(vm, EXC_TypeError,
                 "__class__ assignment only supported for mutable types or "
                 "ModuleType subclasses");
        return STEP_RAISE;
    }
    vm_obj(vm, o)->type = (uint32_t)(cls / 8);
    return STEP_DONE;
}

/* `o.__dict__ = names`: the dict itself keeps the attributes from now on. */
static enum step set_dict(struct vm *vm, val o, val v) {
    struct attrs *at = attrs_of(vm, o);
    if (!vm_is(vm, v, KIND_DICT)) {
        vm_raise(vm, EXC_TypeError,
                 "__dict__ must be set to a dictionary, not a '%s'",
                 vm_type_name(vm, v));
        return STEP_RAISE;
    }
    *at = (struct attrs){.shape = VAL_UNSET, .store = v};
    return STEP_DONE;
}

/* Whether `name` is the __dict__ that every object's class has. */
static bool is_own_dict(struct vm *vm, val o, val name, val found) {
    return name == vm_name(vm, NAME_DICT) && attrs_of(vm, o) &&
           takes_name(vm, o, VAL_UNSET) && found &&
           type_of(vm, found) == TYPE_VAL(getset_descriptor) &&
           o >= vm->heap.template_end;
}

enum step attr_set_default(struct vm *vm, val o, val name, val v) {
    val type = type_of(vm, o);
    if (vm_is(vm, o, KIND_TYPE)) return set_of_type(vm, o, name, v);
    if (vm_is(vm, o, KIND_MODULE)) return set_of_module(vm, o, name, v);
    if (name == vm_name(vm, NAME_CLASS)) return set_class(vm, o, v);
    int field = set_field(vm, o, name, v);
    if (field) return done(field < 0);
    val found = type_lookup(vm, type, name);
    enum step step;
    if (is_own_dict(vm, o, name, found)) return set_dict(vm, o, v);
    if (found && through_descriptor(vm, found, o, name, v, &step)) return step;
    struct attrs *at = attrs_of(vm, o);
    if (at && takes_name(vm, o, found) && o >= vm->heap.template_end)
        return done(attrs_set(vm, at, name, v));
    return refuse(vm, EXC_AttributeError,
                  found ? "attribute" : "has no attribute", o, name);
}

enum step attr_set(struct vm *vm, val o, val name, val v, struct ret ret) {
    if (!special_of(vm, o, SPECIAL_SETATTR))
        return attr_set_default(vm, o, name, v);
    val fn = type_special(vm, type_of(vm, o), SPECIAL_SETATTR);
    val room[4] = {VAL_UNSET, o, name, v};
    return call_any(vm, fn, room + 1, 3, VAL_UNSET, ret);
}

enum step attr_del_default(struct vm *vm, val o, val name) {
    if (vm_is(vm, o, KIND_TYPE)) return del_of_type(vm, o, name);
    if (vm_is(vm, o, KIND_MODULE)) {
        if (!module_get(vm, o, text_get(vm, name)))
            return attr_missing(vm, o, name);
        return set_of_module(vm, o, name, VAL_UNSET);
    }
    val found = type_lookup(vm, type_of(vm, o), name);
    enum step step;
    if (is_own_dict(vm, o, name, found)) {
        val fresh = dict_new(vm);
        return fresh ? set_dict(vm, o, fresh) : STEP_RAISE;
    }
    if (found && through_descriptor(vm, found, o, name, VAL_UNSET, &step))
        return step;
    int there = 0;
    struct attrs *at = attrs_of(vm, o);
    if (at) there = attrs_del(vm, at, name);
    if (vm_is(vm, o, KIND_FUNCTION)) {
        val dict = ((struct ofunc *)heap_at(&vm->heap, o))->attrs;
        if (dict) there = dict_del(vm, dict, name);
    }
    if (there < 0) return STEP_RAISE;
    return there ? STEP_DONE : attr_missing(vm, o, name);
}

enum step attr_del(struct vm *vm, val o, val name, struct ret ret) {
    if (!special_of(vm, o, SPECIAL_DELATTR))
        return attr_del_default(vm, o, name);
    val fn = type_special(vm, type_of(vm, o), SPECIAL_DELATTR);
    val room[3] = {VAL_UNSET, o, name};
    return call_any(vm, fn, room + 1, 2, VAL_UNSET, ret);
}

/* -- caches -------------------------------------------------------------------
 */

static void remember(struct vm *vm, val o, struct attrs before, val name,
                     struct cache *c) {
    const struct attrs *at = attrs_of(vm, o);
    if (!at || !at->shape || !before.shape) return;
    if (type_at(vm, type_of(vm, o))->version <= vm->engine->type_version)
        return;
    int64_t pos = shape_find(vm, at->shape, name);
    if (pos < 0 || pos > UINT16_MAX) return;
    bool same = before.shape == at->shape;
    *c = (struct cache){type_at(vm, type_of(vm, o))->version,
                        same ? CACHE_SLOT : CACHE_ADD, (uint16_t)pos,
                        before.shape, at->shape};
}

/* A new attribute that the cache knows, and the loop had no room for. */
static bool known_new(struct vm *vm, val o, const struct cache *c) {
    if (!vm_is(vm, o, KIND_INSTANCE) || c->how != CACHE_ADD) return false;
    return c->shape == attrs_of(vm, o)->shape &&
           c->version == type_at(vm, type_of(vm, o))->version;
}

enum step attr_set_cached(struct vm *vm, val o, val name, val v,
                          struct cache *c) {
    struct ret drop = {.how = RET_DROP};
    if (known_new(vm, o, c))
        return done(attrs_append(vm, attrs_of(vm, o), c->value, v));
    if (special_of(vm, o, SPECIAL_SETATTR) || !vm_is(vm, o, KIND_INSTANCE))
        return attr_set(vm, o, name, v, drop);
    struct attrs before = *attrs_of(vm, o);
    val found = type_lookup(vm, type_of(vm, o), name);
    bool plain = !found || !(vm_is(vm, found, KIND_DESCR) ||
                             special_of(vm, found, SPECIAL_SET));
    if (found && type_of(vm, found) == TYPE_VAL(member_descriptor))
        plain = true;
    enum step step = attr_set(vm, o, name, v, drop);
    if (step == STEP_DONE && plain && name != vm_name(vm, NAME_CLASS))
        remember(vm, o, before, name, c);
    return step;
}
