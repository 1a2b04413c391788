/* SPDX-License-Identifier: MIT
 *
 * walk -- objects that hold others are visited once: they are marked as the
 * collector would mark them (it never runs meanwhile) and kept in a list, which
 * is both what is still to be scanned and what is to be unmarked in the end.
 */
#include "vm/walk.h"

#include "base/mem.h"

#define FEW 64

struct walker {
    struct vm *vm;
    walk_fn *fn;
    void *user;
    size_t n, room;
    val *seen;
    bool failed;
    val few[FEW];
};

bool walk_holds(const struct obj *o) {
    switch ((int)o->kind) {
    case KIND_TUPLE:
    case KIND_LIST:
    case KIND_DICT:
    case KIND_SET:
    case KIND_ITER:
    case KIND_VIEW:
    case KIND_SLICE:
    case KIND_RANGE:
    case KIND_METHOD:
    case KIND_INSTANCE:
    case KIND_EXCEPTION: return true;
    default: return o->kind != KIND_STORE && (o->flags & OBJ_ATTRS);
    }
}

static void remember(struct walker *w, val v) {
    if (w->n == w->room) {
        struct err e;
        val *grown = mem_resize(w->seen == w->few ? NULL : w->seen, w->room * 2,
                                sizeof *grown, &e);
        if (!grown) {
            w->failed = true;
            return;
        }
        if (w->seen == w->few) memcpy(grown, w->few, sizeof w->few);
        w->seen = grown;
        w->room *= 2;
    }
    vm_obj(w->vm, v)->flags |= OBJ_MARK;
    w->seen[w->n++] = v;
}

static void visit(struct walker *w, val *where) {
    if (!val_is_ref(*where) || *where < w->vm->heap.template_end) return;
    w->fn(w->user, where);
    if (!val_is_ref(*where) || *where < w->vm->heap.template_end) return;
    struct obj *o = vm_obj(w->vm, *where);
    if (walk_holds(o) && !(o->flags & OBJ_MARK)) remember(w, *where);
}

static void visit_many(struct walker *w, val *v, uint64_t n) {
    w->vm->fuel -= (int64_t)(n / 16);
    for (uint64_t i = 0; i < n; i++)
        visit(w, &v[i]);
}

/* A store belongs to one object and is visited with it. */
static void visit_store(struct walker *w, val store) {
    if (!store) return;
    struct ostore *s = heap_at(&w->vm->heap, store);
    if (s->h.flags & OBJ_TRACED) visit_many(w, s->data, s->size / sizeof(val));
}

/* The attributes of an instance: values by position, or a dict. */
static void visit_attributes(struct walker *w, val *store) {
    if (!*store) return;
    if (vm_is(w->vm, *store, KIND_STORE))
        visit_store(w, *store);
    else
        visit(w, store);
}

static void scan(struct walker *w, struct obj *o) {
    switch ((int)o->kind) {
    case KIND_TUPLE: {
        struct otuple *t = (struct otuple *)o;
        visit_many(w, t->item, t->len);
        break;
    }
    case KIND_LIST: visit_store(w, ((struct olist *)o)->store); break;
    case KIND_DICT: visit_store(w, ((struct odict *)o)->store); break;
    case KIND_SET: visit_store(w, ((struct oset *)o)->store); break;
    case KIND_ITER:
        visit(w, &((struct oiter *)o)->source);
        visit_many(w, ((struct oiter *)o)->extra, 3);
        break;
    case KIND_VIEW: visit(w, &((struct oview *)o)->dict); break;
    case KIND_SLICE:
    case KIND_RANGE: visit_many(w, &((struct oslice *)o)->start, 3); break;
    case KIND_METHOD: visit(w, &((struct omethod *)o)->self); break;
    case KIND_INSTANCE:
        visit_attributes(w, &((struct oinstance *)o)->store);
        break;
    case KIND_EXCEPTION:
        visit_attributes(w, &((struct oexc *)o)->store);
        visit(w, &((struct oexc *)o)->args);
        visit(w, &((struct oexc *)o)->notes);
        break;
    default: break;
    }
    if (o->flags & OBJ_ATTRS) visit_attributes(w, &object_attrs(o)[1]);
}

int walk(struct vm *vm, val *from, walk_fn *fn, void *user) {
    struct walker w;
    w.vm = vm;
    w.fn = fn;
    w.user = user;
    w.n = 0;
    w.room = FEW;
    w.seen = w.few;
    w.failed = false;
    visit(&w, from);
    for (size_t i = 0; i < w.n; i++)
        scan(&w, vm_obj(vm, w.seen[i]));
    for (size_t i = 0; i < w.n; i++)
        vm_obj(vm, w.seen[i])->flags &= (uint8_t)~OBJ_MARK;
    if (w.seen != w.few) mem_free(w.seen);
    return w.failed ? -1 : 0;
}
