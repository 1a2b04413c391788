/* SPDX-License-Identifier: MIT
 *
 * taint -- labels on values: giving, taking off, gathering.
 */
#include "vm/taint.h"

#include <string.h>

#include "vm/ops.h"
#include "vm/walk.h"

/* -- off ---------------------------------------------------------------------
 */

val value_plain_slow(const struct vm *vm, val v) {
    const struct obj *o = vm_obj(vm, v);
    switch ((int)o->kind) {
    case KIND_NONE:
    case KIND_BOOL: return ((const struct oplain *)o)->means;
    case KIND_INT: {
        const struct oint *big = (const struct oint *)o;
        if ((val)o->type * 8 != TYPE_VAL(int)) return v;
        if (big->limbs == 0) return val_of_int(0);
        if (big->limbs < -1 || big->limbs > 1 ||
            big->limb[0] > (mp_limb_t)INT_INLINE_MAX)
            return v;
        int64_t i = (int64_t)big->limb[0];
        return val_of_int(big->limbs < 0 ? -i : i);
    }
    case KIND_REAL: {
        double d = ((const struct oreal *)o)->d;
        if ((val)o->type * 8 != TYPE_VAL(float) || !val_real_fits(d)) return v;
        return val_of_real(d);
    }
    default: return v;
    }
}

/* -- on ----------------------------------------------------------------------
 */

/* New objects get `label` while this is asked for. */
static val labelled(struct vm *vm, val (*make)(struct vm *vm, val v), val v,
                    uint16_t label) {
    uint16_t before = vm->ambient;
    vm->ambient = label;
    val made = make(vm, v);
    vm->ambient = before;
    return made;
}

static val boxed_int(struct vm *vm, val v) {
    int64_t i = val_int(v);
    uint64_t size = i < 0 ? (uint64_t)-i : (uint64_t)i;
    struct oint *o = heap_new(vm, KIND_INT, TYPE_VAL(int),
                              sizeof *o + (i ? sizeof(mp_limb_t) : 0));
    if (!o) return VAL_UNSET;
    o->limbs = i < 0 ? -1 : i > 0;
    if (i) o->limb[0] = size;
    return heap_ref(&vm->heap, o);
}

static val boxed_real(struct vm *vm, val v) {
    struct oreal *o = heap_new(vm, KIND_REAL, TYPE_VAL(float), sizeof *o);
    if (!o) return VAL_UNSET;
    o->d = val_real(v);
    return heap_ref(&vm->heap, o);
}

static val boxed_plain(struct vm *vm, val v) {
    const struct obj *from = vm_obj(vm, v);
    struct oplain *o =
        heap_new(vm, (enum kind)from->kind, (val)from->type * 8, sizeof *o);
    if (!o) return VAL_UNSET;
    o->means = ((const struct oplain *)from)->means
                   ? ((const struct oplain *)from)->means
                   : v;
    return heap_ref(&vm->heap, o);
}

static val copied(struct vm *vm, val v) {
    const struct obj *from = vm_obj(vm, v);
    uint64_t size = object_size(from);
    if (!vm_charge(vm, size / 64)) return VAL_UNSET;
    struct obj *o =
        heap_new_raw(vm, (enum kind)from->kind, (val)from->type * 8, size);
    if (!o) return VAL_UNSET;
    memcpy(o + 1, from + 1, size - sizeof *o);
    o->flags = from->flags & (uint8_t) ~(OBJ_PINNED | OBJ_MARK);
    if (o->kind == KIND_STR) o->flags &= (uint8_t)~OBJ_INTERNED;
    return heap_ref(&vm->heap, o);
}

/* How a kind gets a label: a copy, in place, or not at all. */
enum way { COPY, PLAIN, IN_PLACE, NEVER };

static enum way way_of(const struct obj *o) {
    switch ((enum kind)o->kind) {
    case KIND_NONE:
    case KIND_BOOL: return PLAIN;
    case KIND_INT:
    case KIND_REAL:
    case KIND_COMPLEX:
    case KIND_STR:
    case KIND_TUPLE:
    case KIND_RANGE:
    case KIND_SLICE: return COPY;
    case KIND_BYTES: return o->flags & OBJ_MUTABLE ? IN_PLACE : COPY;
    case KIND_SET: return o->flags & OBJ_FROZEN ? COPY : IN_PLACE;
    case KIND_LIST:
    case KIND_DICT:
    case KIND_ITER:
    case KIND_VIEW:
    case KIND_FUNCTION:
    case KIND_METHOD:
    case KIND_GENERATOR:
    case KIND_INSTANCE:
    case KIND_EXCEPTION:
    case KIND_DESCR: return IN_PLACE;
    case KIND_NATIVE:
    case KIND_TYPE:
    case KIND_MODULE:
    case KIND_HOSTFN:
    case KIND_TRACEBACK:
    case KIND_FREE:
    case KIND_STORE:
    case KIND_SHAPE:
    case KIND_CODE:
    case KIND_ORIGIN:
    case KIND_FRAME:
    case KIND_CELL:
    case KIND_BOX:
    case KIND_COUNT: return NEVER;
    }
    return NEVER;
}

/* A class, a module or a builtin function has no label: which of them was
 * chosen is a matter of control. */
static void to_control(struct vm *vm, uint16_t label) {
    if (!vm_root(vm)->frame) return;
    struct oframe *f = vm_frame(vm);
    f->control = label_join(vm->labels, f->control, label);
    if (vm->labels->strict)
        f->h.label = label_join(vm->labels, f->h.label, label);
}

void taint_chosen(struct vm *vm, val by) {
    if (vm->labels) to_control(vm, value_label(vm, by));
}

/* bytes own their store, so that a copy needs its own. */
static val copied_bytes(struct vm *vm, val v) {
    str s = bytes_get(vm, v);
    val made = bytes_new(vm, s.p, s.n);
    if (made) vm_obj(vm, made)->type = vm_obj(vm, v)->type;
    return made;
}

static val copied_set(struct vm *vm, val v) {
    val made = set_new(vm, true);
    return made && set_update(vm, made, v) == 0 ? made : VAL_UNSET;
}

static val copy_of(struct vm *vm, val v) {
    switch ((int)vm_obj(vm, v)->kind) {
    case KIND_BYTES: return copied_bytes(vm, v);
    case KIND_SET: return copied_set(vm, v);
    default: return copied(vm, v);
    }
}

val taint_attach(struct vm *vm, val v, uint16_t label) {
    if (val_is_int(v)) return labelled(vm, boxed_int, v, label);
    if (val_is_real(v)) return labelled(vm, boxed_real, v, label);
    if (v == VAL_UNSET || v == VAL_NOTIMPLEMENTED) return v;
    struct obj *o = vm_obj(vm, v);
    uint16_t all = label_join(vm->labels, o->label, label);
    if (all == o->label) return v;
    enum way way = way_of(o);
    /* What an instance of a subclass is, is no matter of copying. */
    if (way == COPY && (o->flags & OBJ_ATTRS)) way = IN_PLACE;
    if (way == IN_PLACE && v < vm->heap.template_end) way = NEVER;
    switch (way) {
    case COPY: return labelled(vm, copy_of, v, all);
    case PLAIN: return labelled(vm, boxed_plain, v, all);
    case IN_PLACE: o->label = all; return v;
    case NEVER: to_control(vm, label); return v;
    }
    return v;
}

void taint_raise(struct vm *vm, val container, uint16_t label) {
    if (!val_is_ref(container) || container < vm->heap.template_end) return;
    struct obj *o = vm_obj(vm, container);
    if (way_of(o) != NEVER) o->label = label_join(vm->labels, o->label, label);
}

/* -- all that a value holds ---------------------------------------------------
 */

struct gathered {
    struct vm *vm;
    uint16_t label;
};

static void gather(void *user, val *where) {
    struct gathered *g = user;
    uint16_t label = value_label(g->vm, *where);
    if (label) g->label = label_join(g->vm->labels, g->label, label);
}

uint16_t taint_deep(struct vm *vm, val v) {
    if (!val_is_ref(v) || v < vm->heap.template_end) return 0;
    struct obj *o = vm_obj(vm, v);
    if (!walk_holds(o)) return o->label;
    struct gathered g = {vm, 0};
    return walk(vm, &v, gather, &g) ? LABEL_TOP : g.label;
}
