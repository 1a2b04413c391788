/* SPDX-License-Identifier: MIT
 *
 * class -- making classes and instances.
 */
#include "vm/class.h"
#include "vm/strmethods.h"

#include "vm/bind.h"
#include "vm/exc.h"
#include "vm/ops.h"
#include "vm/taint.h"

/* -- a new class
 * ------------------------------------------------------------------ */

val class_metaclass(struct vm *vm, val meta, val bases) {
    val winner = meta;
    for (uint32_t i = 0; i < tuple_len(vm, bases); i++) {
        val t = type_of(vm, tuple_items(vm, bases)[i]);
        if (type_is_subclass(vm, winner, t)) continue;
        if (!type_is_subclass(vm, t, winner))
            return vm_raise(vm, EXC_TypeError,
                            "metaclass conflict: the metaclass of a derived "
                            "class must be a (non-strict) subclass of the "
                            "metaclasses of all its bases");
        winner = t;
    }
    return winner;
}

/* The base whose layout instances get: the one with a kind of its own. */
static val layout_base(struct vm *vm, val bases) {
    val best = tuple_items(vm, bases)[0];
    for (uint32_t i = 0; i < tuple_len(vm, bases); i++) {
        val base = tuple_items(vm, bases)[i];
        if (!vm_is(vm, base, KIND_TYPE))
            return vm_raise(vm, EXC_TypeError, "bases must be types");
        const struct otype *t = type_at(vm, base);
        if (t->flags & TYPE_FINAL)
            return vm_raise(vm, EXC_TypeError,
                            "type '%.*s' is not an acceptable base type",
                            STR_ARG(type_name(vm, base)));
        if (t->instance_kind == KIND_INSTANCE) continue;
        enum kind now = (enum kind)type_at(vm, best)->instance_kind;
        if (now != KIND_INSTANCE && now != t->instance_kind)
            return vm_raise(vm, EXC_TypeError,
                            "multiple bases have instance lay-out conflict");
        if (now == KIND_INSTANCE) best = base;
    }
    return best;
}

static int check_repeats(struct vm *vm, val bases) {
    const val *b = tuple_items(vm, bases);
    for (uint32_t i = 0; i < tuple_len(vm, bases); i++)
        for (uint32_t k = 0; k < i; k++)
            if (b[i] == b[k]) {
                vm_raise(vm, EXC_TypeError, "duplicate base class %.*s",
                         STR_ARG(type_name(vm, b[i])));
                return -1;
            }
    return 0;
}

static val dict_find(struct vm *vm, val dict, enum name_id id) {
    val v = VAL_UNSET;
    dict_get(vm, dict, vm_name(vm, id), &v);
    return v;
}

/* A private name as the class's own code has it: __x is _Class__x. */
static val mangled(struct vm *vm, const struct otype *t, val name) {
    str s = text_get(vm, name), c = text_get(vm, t->name);
    if (!str_starts(s, STR("__")) || str_ends(s, STR("__"))) return name;
    while (c.n && c.p[0] == '_')
        c = str_sub(c, 1, c.n);
    if (c.n == 0) return name;
    struct build b;
    build_init(&b, vm);
    build_add(&b, "_", 1);
    build_add(&b, c.p, c.n);
    build_add(&b, s.p, s.n);
    return build_take(&b);
}

/* A descriptor for each name in __slots__. */
static int add_slot(struct vm *vm, struct otype *t, val name) {
    val there;
    if (!vm_is(vm, name, KIND_STR)) {
        vm_raise(vm, EXC_TypeError, "__slots__ items must be strings, not '%s'",
                 vm_type_name(vm, name));
        return -1;
    }
    name = mangled(vm, t, name);
    if (!name || !(name = text_intern_val(vm, name))) return -1;
    if (str_m_isidentifier(vm, &name, 1) != VAL_TRUE) {
        vm_raise(vm, EXC_TypeError, "__slots__ must be identifiers");
        return -1;
    }
    if (name == vm_name(vm, NAME_DICT)) {
        t->flags &= (uint16_t)~TYPE_NO_DICT;
        return 0;
    }
    if (name == vm_name(vm, NAME_WEAKREF)) return 0;
    if (dict_get(vm, t->dict, name, &there) > 0) {
        vm_raise(vm, EXC_ValueError,
                 "'%.*s' in __slots__ conflicts with class variable",
                 STR_ARG(text_get(vm, name)));
        return -1;
    }
    struct odescr *d =
        heap_new(vm, KIND_DESCR, TYPE_VAL(member_descriptor), sizeof *d);
    if (!d) return -1;
    d->name = name;
    return dict_set(vm, t->dict, name, heap_ref(&vm->heap, d));
}

/* Instances of these have no room for slots. */
static int check_room(struct vm *vm, const struct otype *t, uint64_t n) {
    const char *what = t->instance_kind == KIND_INT     ? "int"
                       : t->instance_kind == KIND_TUPLE ? "tuple"
                       : t->instance_kind == KIND_BYTES ? "bytes"
                                                        : NULL;
    val base = t->base;
    while (base && base != TYPE_VAL(bytearray))
        base = type_at(vm, base)->base;
    if (n == 0 || !what || base) return 0;
    vm_raise(vm, EXC_TypeError,
             "nonempty __slots__ not supported for subtype of '%s'", what);
    return -1;
}

static int add_slots(struct vm *vm, struct otype *t, val slots) {
    const struct otype *base = type_at(vm, t->base);
    bool narrow = t->base == TYPE_VAL(object) || (base->flags & TYPE_NO_DICT);
    if (narrow) t->flags |= TYPE_NO_DICT;
    if (vm_is(vm, slots, KIND_STR))
        return check_room(vm, t, 1) || add_slot(vm, t, slots);
    const val *names;
    uint64_t n;
    if (value_items(vm, slots, &names, &n) || check_room(vm, t, n)) return -1;
    for (uint64_t i = 0; i < n; i++)
        if (add_slot(vm, t, names[i])) return -1;
    return 0;
}

/* __new__, __init_subclass__ and __class_getitem__ are static or class methods
 * without saying so. */
static int wrap_method(struct vm *vm, val dict, val name, val type) {
    val fn = VAL_UNSET;
    if (dict_get(vm, dict, name, &fn) <= 0 || !vm_is(vm, fn, KIND_FUNCTION))
        return 0;
    struct odescr *d = heap_new(vm, KIND_DESCR, type, sizeof *d);
    if (!d) return -1;
    d->get = fn;
    return dict_set(vm, dict, name, heap_ref(&vm->heap, d));
}

static int wrap_methods(struct vm *vm, val dict) {
    val new = template_head(vm)->specials[SPECIAL_NEW];
    return wrap_method(vm, dict, new, TYPE_VAL(staticmethod)) ||
           wrap_method(vm, dict, vm_name(vm, NAME_INIT_SUBCLASS),
                       TYPE_VAL(classmethod)) ||
           wrap_method(vm, dict, vm_name(vm, NAME_CLASS_GETITEM),
                       TYPE_VAL(classmethod));
}

/* A class with __eq__ and no __hash__ cannot be hashed. */
static int fix_hash(struct vm *vm, val dict) {
    const val *special = template_head(vm)->specials;
    val v;
    if (dict_get(vm, dict, special[SPECIAL_EQ], &v) <= 0) return 0;
    if (dict_get(vm, dict, special[SPECIAL_HASH], &v) > 0) return 0;
    return dict_set(vm, dict, special[SPECIAL_HASH], VAL_NONE);
}

static val qualname_of(struct vm *vm, val dict, val name) {
    val q = dict_find(vm, dict, NAME_QUALNAME);
    if (!q) return name;
    dict_del(vm, dict, vm_name(vm, NAME_QUALNAME));
    return vm_is(vm, q, KIND_STR) ? q : name;
}

static int add_to_bases(struct vm *vm, val type, val bases) {
    for (uint32_t i = 0; i < tuple_len(vm, bases); i++) {
        struct otype *base = type_at(vm, tuple_items(vm, bases)[i]);
        if (heap_ref(&vm->heap, base) < vm->heap.template_end) continue;
        if (!base->subclasses) base->subclasses = list_new(vm, NULL, 0);
        if (!base->subclasses || list_append(vm, base->subclasses, type))
            return -1;
    }
    return 0;
}

static int fill_class(struct vm *vm, struct otype *t, val name, val dict) {
    const struct otype *base = type_at(vm, t->base);
    t->name = name;
    t->dict = dict_new(vm);
    if (!t->dict || dict_update(vm, t->dict, dict)) return -1;
    t->qualname = qualname_of(vm, t->dict, name);
    val module = dict_find(vm, t->dict, NAME_MODULE);
    t->module = module ? module : vm_name(vm, NAME_MAIN);
    t->instance_kind = base->instance_kind;
    t->flags = TYPE_HEAP | (base->flags & TYPE_EXCEPTION);
    val slots = dict_find(vm, t->dict, NAME_SLOTS);
    if (slots && add_slots(vm, t, slots)) return -1;
    if (!dict_find(vm, t->dict, NAME_DOC) &&
        dict_set(vm, t->dict, vm_name(vm, NAME_DOC), VAL_NONE))
        return -1;
    return wrap_methods(vm, t->dict) || fix_hash(vm, t->dict) ? -1 : 0;
}

val class_new(struct vm *vm, val meta, val name, val bases, val dict) {
    val object = TYPE_VAL(object);
    if (tuple_len(vm, bases) == 0) bases = tuple_new(vm, &object, 1);
    if (!bases) return VAL_UNSET;
    val base = layout_base(vm, bases);
    if (!base || check_repeats(vm, bases)) return VAL_UNSET;
    struct otype *t = heap_new(vm, KIND_TYPE, meta, sizeof *t);
    if (!t) return VAL_UNSET;
    val type = heap_ref(&vm->heap, t);
    t->base = base;
    t->bases = bases;
    if (!(t->mro = type_mro(vm, type, bases))) return VAL_UNSET;
    if (fill_class(vm, t, name, dict) || add_to_bases(vm, type, bases))
        return VAL_UNSET;
    t->version = ++vm->type_version;
    type_collect_specials(vm, type);
    return type;
}

/* -- instances
 * ----------------------------------------------------------------------- */

val class_instance(struct vm *vm, val type) {
    val shape = vm_root(vm)->shape;
    if (!shape && !(shape = shape_empty(vm))) return VAL_UNSET;
    struct oinstance *i = heap_new(vm, KIND_INSTANCE, type, sizeof *i);
    if (!i) return VAL_UNSET;
    i->shape = shape;
    return heap_ref(&vm->heap, i);
}

/* A program can have set __abstractmethods__ to anything. */
static enum step abstract_error(struct vm *vm, val type) {
    AUTO_BUF struct buf names = BUF_MAX(4096);
    struct err e;
    val all = type_lookup(vm, type, vm_name(vm, NAME_ABSTRACT));
    const val *items;
    uint64_t n = 0;
    val list = all ? list_from(vm, all) : VAL_UNSET;
    if (!list || value_items(vm, list, &items, &n)) n = 0;
    vm->slow_wanted = false;
    for (uint64_t i = 0; i < n; i++) {
        str name =
            vm_is(vm, items[i], KIND_STR) ? text_get(vm, items[i]) : STR("?");
        if (buf_addf(&names, &e, "%s%.*s", i ? ", " : "", STR_ARG(name))) break;
    }
    vm_raise(vm, EXC_TypeError,
             "Can't instantiate abstract class %.*s with abstract method%s %s",
             STR_ARG(type_name(vm, type)), n == 1 ? "" : "s", buf_text(&names));
    return STEP_RAISE;
}

/* __init__ is called with the instance in front; the instance is in its
 * register when that returns. */
static enum step call_init(struct vm *vm, val init, val instance, val *args,
                           size_t npos, val kwnames, struct ret ret) {
    struct oframe *f = vm_frame(vm);
    struct ret after = {RET_INIT, ret.reg, 0, ret.word};
    size_t n = npos + (kwnames ? tuple_len(vm, kwnames) : 0);
    val few[18], *room = few;
    if (n + 2 > sizeof few / sizeof few[0]) {
        struct otuple *t = heap_new(vm, KIND_TUPLE, TYPE_VAL(tuple),
                                    sizeof *t + (n + 2) * sizeof(val));
        if (!t) return STEP_RAISE;
        t->len = (uint32_t)n + 2;
        room = t->item;
    }
    room[1] = instance;
    memcpy(room + 2, args, n * sizeof(val));
    enum step step = call_any(vm, init, room + 1, npos + 1, kwnames, after);
    if (step != STEP_RAISE) f->reg[ret.reg] = instance;
    return step;
}

/* Classes whose __new__ is Python, and results that do not go to a plain
 * register, are made by the prelude. */
static enum step make_in_prelude(struct vm *vm, val type, val *args,
                                 size_t npos, val kwnames, struct ret ret) {
    args[-1] = type;
    return call_any(vm, vm_prelude(vm, PRELUDE_make_instance), args - 1,
                    npos + 1, kwnames, ret);
}

static enum step no_arguments(struct vm *vm, val type) {
    vm_raise(vm, EXC_TypeError, "%.*s() takes no arguments",
             STR_ARG(type_name(vm, type)));
    return STEP_RAISE;
}

static bool is_object_method(struct vm *vm, val fn) {
    return vm_is(vm, fn, KIND_NATIVE) &&
           ((struct onative *)heap_at(&vm->heap, fn))->owner ==
               TYPE_VAL(object);
}

/* Containers that can be changed: a subclass is filled by its __init__,
 * whatever that takes. */
static bool filled_by_init(struct vm *vm, val new, val type) {
    val owner = ((struct onative *)heap_at(&vm->heap, new))->owner;
    return (type_at(vm, type)->flags & TYPE_HEAP) &&
           (owner == TYPE_VAL(list) || owner == TYPE_VAL(dict) ||
            owner == TYPE_VAL(set) || owner == TYPE_VAL(bytearray));
}

/* Builtin __new__ with class and arguments; *slow: its stand-in is called. */
static val call_new(struct vm *vm, val new, val type, val *args, size_t npos,
                    val kwnames, struct bound *b) {
    val self = args[-1], made = VAL_UNSET;
    args[-1] = type;
    if (filled_by_init(vm, new, type)) {
        npos = 0;
        kwnames = VAL_UNSET;
    }
    if (native_bind(vm, new, args - 1, npos + 1, kwnames, b))
        made = native_apply(vm, new, b->row, b->args, b->n);
    /* The call may be made again after a collection. */
    if (!made && !vm->slow_wanted) args[-1] = self;
    return made;
}

/* Builtin classes themselves are done when __new__ returns; __init__ serves
 * their subclasses. Descriptors, and exceptions with keywords, differ. */
static bool made_whole(struct vm *vm, val type, val kwnames) {
    const struct otype *t = type_at(vm, type);
    if ((t->flags & TYPE_HEAP) || t->instance_kind == KIND_DESCR) return false;
    return t->instance_kind != KIND_EXCEPTION || !kwnames;
}

static enum step construct(struct vm *vm, val type, val new, val *args,
                           size_t npos, val kwnames, struct ret ret) {
    val init = type_special(vm, type, SPECIAL_INIT);
    bool plain_init =
        !init || is_object_method(vm, init) || made_whole(vm, type, kwnames);
    bool has_args = npos || kwnames;
    val made;
    struct bound b;
    if (is_object_method(vm, new)) {
        if (has_args && plain_init) return no_arguments(vm, type);
        made = class_instance(vm, type);
    } else {
        made = call_new(vm, new, type, args, npos, kwnames, &b);
        if (!made && vm->slow_wanted) {
            val slow = ((struct onative *)heap_at(&vm->heap, new))->slow;
            if (!plain_init || !slow) {
                vm->slow_wanted = false;
                return make_in_prelude(vm, type, args, npos, kwnames, ret);
            }
            return call_stand_in(vm, new, &b, ret);
        }
    }
    if (!made) return STEP_RAISE;
    if (plain_init) return deliver(vm, ret, made);
    return call_init(vm, init, made, args, npos, kwnames, ret);
}

/* int(x), range(a, b) and the like, whose __new__ does all and takes positional
 * arguments: without binding them first. Unset where that does not suit. */
static val make_directly(struct vm *vm, val type, val new, const val *args,
                         size_t npos) {
    const struct onative *o = heap_at(&vm->heap, new);
    unsigned most = o->flags >> 8 & 0xff, least = o->flags >> 16 & 0xff;
    val room[6] = {type}, spread;
    if ((o->flags & NATIVE_SPREAD) && !vm->labels &&
        made_whole(vm, type, VAL_UNSET) &&
        native_spread(vm, o, type, args, npos, &spread)) {
        vm->slow_wanted = false;
        return spread;
    }
    if (!(o->flags & NATIVE_DIRECT) || npos + 1 > most || npos + 1 < least ||
        most > sizeof room / sizeof room[0] || vm->labels ||
        !made_whole(vm, type, VAL_UNSET))
        return VAL_UNSET;
    memcpy(room + 1, args, npos * sizeof(val));
    val made = vm->engine->natives[o->number]->fn(vm, room, most);
    vm->slow_wanted = false;
    return made;
}

val class_directly(struct vm *vm, val type, const val *args, size_t npos) {
    if ((type_at(vm, type)->flags & TYPE_HEAP) || type == TYPE_VAL(type))
        return VAL_UNSET;
    val new = type_special(vm, type, SPECIAL_NEW);
    if (!new || !vm_is(vm, new, KIND_NATIVE) || is_object_method(vm, new))
        return VAL_UNSET;
    return make_directly(vm, type, new, args, npos);
}

static val find_maker(struct vm *vm, val type) {
    const struct otype *t = type_at(vm, type);
    if (!(t->flags & TYPE_HEAP) || (t->flags & TYPE_ABSTRACT)) return VAL_UNSET;
    val new = type_special(vm, type, SPECIAL_NEW);
    val init = type_special(vm, type, SPECIAL_INIT);
    if (!new || !is_object_method(vm, new)) return VAL_UNSET;
    return vm_is(vm, init, KIND_FUNCTION) ? init : VAL_UNSET;
}

/* Remembered among the lookups, under what is no name. */
val class_maker(struct vm *vm, val type) {
    const struct otype *t = type_at(vm, type);
    if (special_of(vm, type, SPECIAL_CALL)) return VAL_UNSET;
    struct lookup *slot = &vm->lookups[t->version * 31 & (LOOKUP_SLOTS - 1)];
    if (slot->version == t->version && slot->name == 0 && t->version)
        return slot->found;
    val found = find_maker(vm, type);
    *slot = (struct lookup){t->version, 0, found};
    return found;
}

/* A __new__ that is all there is to do, or unset. */
static val own_maker(struct vm *vm, val type, val new) {
    if (type_of(vm, new) == TYPE_VAL(staticmethod))
        new = ((struct odescr *)heap_at(&vm->heap, new))->get;
    if (!vm_is(vm, new, KIND_FUNCTION) || !(vm_obj(vm, new)->flags & OBJ_MAKER))
        return VAL_UNSET;
    val init = type_special(vm, type, SPECIAL_INIT);
    return !init || is_object_method(vm, init) ? new : VAL_UNSET;
}

enum step class_call_plain(struct vm *vm, val type, val *args, size_t npos,
                           val kwnames, struct ret ret) {
    const struct otype *t = type_at(vm, type);
    if (t->flags & TYPE_ABSTRACT) return abstract_error(vm, type);
    val new = type_special(vm, type, SPECIAL_NEW);
    if (!new) {
        vm_raise(vm, EXC_TypeError, "cannot create '%.*s' instances",
                 STR_ARG(type_name(vm, type)));
        return STEP_RAISE;
    }
    val maker = own_maker(vm, type, new);
    if (maker) {
        args[-1] = type;
        return call_any(vm, maker, args - 1, npos + 1, kwnames, ret);
    }
    bool native = vm_is(vm, new, KIND_NATIVE);
    if (native) {
        const struct onative *n = heap_at(&vm->heap, new);
        const struct native *row = vm->engine->natives[n->number];
        native = row->fn != NULL;
    }
    if (!native || ret.how != RET_VALUE)
        return make_in_prelude(vm, type, args, npos, kwnames, ret);
    val made = kwnames ? VAL_UNSET : make_directly(vm, type, new, args, npos);
    if (made) return deliver(vm, ret, made);
    if (vm_root(vm)->exception) return STEP_RAISE;
    return construct(vm, type, new, args, npos, kwnames, ret);
}

enum step class_call(struct vm *vm, val type, val *args, size_t npos,
                     val kwnames, struct ret ret) {
    if (type == TYPE_VAL(type) && npos == 1 && !kwnames) {
        if (value_label(vm, args[0])) taint_chosen(vm, args[0]);
        return deliver(vm, ret, type_of(vm, args[0]));
    }
    if (special_of(vm, type, SPECIAL_CALL)) {
        val fn = type_special(vm, type_of(vm, type), SPECIAL_CALL);
        args[-1] = type;
        return call_any(vm, fn, args - 1, npos + 1, kwnames, ret);
    }
    return class_call_plain(vm, type, args, npos, kwnames, ret);
}
