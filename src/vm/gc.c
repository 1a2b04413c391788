/* SPDX-License-Identifier: MIT
 *
 * gc -- mark from the root, sweep the heap; only between two instructions.
 *
 * Marking keeps a stack of what is still to be scanned; long runs of values are
 * taken in pieces, so that it grows with the depth of the data, not with its
 * width. It begins in C memory and may grow to a small part of the heap's
 * limit. Should that overflow, objects are marked without being scanned and the
 * heap is walked again for marked objects that still have unmarked children,
 * until none is left. The template is never marked: it refers to nothing above
 * itself.
 */
#include "base/mem.h"
#include "vm/builtin.h"
#include "vm/code.h"
#include "vm/exc.h"
#include "vm/heap.h"

#define STACK_SMALL 2048
#define STACK_PART  64 /* of the heap's limit that the stack may take */
#define PIECE       32 /* values of a long run that are marked at once */
#define GROWTH_MIN  (1u << 20) /* bytes allocated before the next collection */

/* An object to scan, or n values to mark. */
struct todo {
    void *at;
    uint64_t n; /* 0: an object */
};

struct marker {
    struct vm *vm;
    struct todo *stack; /* `small`, or memory of its own */
    size_t depth, room;
    bool overflowed;
    struct todo small[STACK_SMALL];
};

/* The stack as large again, within its part of the heap's limit. */
static bool grow(struct marker *m) {
    struct err e;
    bool own = m->stack != m->small;
    size_t room = m->room * 2;
    if (room * sizeof *m->stack > m->vm->heap.limit / STACK_PART) return false;
    struct todo *stack =
        mem_resize(own ? m->stack : NULL, room, sizeof *stack, &e);
    if (!stack) return false;
    if (!own) memcpy(stack, m->small, sizeof m->small);
    m->stack = stack;
    m->room = room;
    return true;
}

static void push(struct marker *m, void *at, uint64_t n) {
    if (m->depth == m->room && !grow(m))
        m->overflowed = true;
    else
        m->stack[m->depth++] = (struct todo){at, n};
}

static void mark(struct marker *m, val v) {
    if (!val_is_ref(v) || v < m->vm->heap.template_end) return;
    struct obj *o = heap_at(&m->vm->heap, v);
    if (o->flags & OBJ_MARK) return;
    o->flags |= OBJ_MARK;
    /* Plain text refers to nothing but its class. */
    if (o->kind != KIND_STR || o->flags & OBJ_VIEW ||
        (val)o->type * 8 != TYPE_VAL(str))
        push(m, o, 0);
}

static void mark_many(struct marker *m, val *v, uint64_t n) {
    if (n > PIECE) {
        push(m, v + PIECE, n - PIECE);
        n = PIECE;
    }
    for (uint64_t i = 0; i < n; i++)
        mark(m, v[i]);
}

/* The values of a fixed layout lie between two of its fields. */
#define MARK_FIELDS(type, first, last)                                       \
    mark_many(                                                               \
        m, &((struct type *)o)->first,                                       \
        (uint64_t)(&((struct type *)o)->last - &((struct type *)o)->first) + \
            1)

static void scan_text(struct marker *m, const struct ostr *s) {
    if (!(s->h.flags & OBJ_VIEW)) return;
    mark(m, s->as.view.store);
    mark(m, s->as.view.table);
}

static void scan_type(struct marker *m, struct obj *o) {
    MARK_FIELDS(otype, name, subclasses);
    MARK_FIELDS(otype, slots, shape);
}

static void scan_fields(struct marker *m, struct obj *o) {
    switch ((enum kind)o->kind) {
    case KIND_FREE:
    case KIND_NONE:
    case KIND_BOOL:
    case KIND_INT:
    case KIND_REAL:
    case KIND_COMPLEX: break;
    case KIND_STORE: {
        struct ostore *s = (struct ostore *)o;
        if (o->flags & OBJ_TRACED) mark_many(m, s->data, s->size / sizeof(val));
        break;
    }
    case KIND_SHAPE: MARK_FIELDS(oshape, parent, table); break;
    case KIND_CODE: MARK_FIELDS(ocode, words, origin); break;
    case KIND_ORIGIN: MARK_FIELDS(oorigin, filename, doc); break;
    case KIND_FRAME: {
        struct oframe *f = (struct oframe *)o;
        MARK_FIELDS(oframe, code, owner);
        mark_many(m, f->reg, f->nregs);
        break;
    }
    case KIND_CELL: MARK_FIELDS(ocell, value, value); break;
    case KIND_BOX: MARK_FIELDS(obox, inner, inner); break;
    case KIND_STR: scan_text(m, (struct ostr *)o); break;
    case KIND_BYTES: MARK_FIELDS(obytes, store, store); break;
    case KIND_TUPLE: {
        struct otuple *t = (struct otuple *)o;
        mark_many(m, t->item, t->len);
        break;
    }
    case KIND_LIST: MARK_FIELDS(olist, store, store); break;
    case KIND_DICT: MARK_FIELDS(odict, shape, index); break;
    case KIND_SET: MARK_FIELDS(oset, store, index); break;
    case KIND_RANGE: MARK_FIELDS(orange, start, step); break;
    case KIND_SLICE: MARK_FIELDS(oslice, start, step); break;
    case KIND_ITER:
        mark(m, ((struct oiter *)o)->source);
        mark_many(m, ((struct oiter *)o)->extra, 3);
        break;
    case KIND_VIEW: MARK_FIELDS(oview, dict, dict); break;
    case KIND_FUNCTION: MARK_FIELDS(ofunc, code, attrs); break;
    case KIND_NATIVE: MARK_FIELDS(onative, self, slow); break;
    case KIND_METHOD: MARK_FIELDS(omethod, self, func); break;
    case KIND_GENERATOR:
        MARK_FIELDS(ogen, frame, frame);
        MARK_FIELDS(ogen, name, qualname);
        break;
    case KIND_TYPE: scan_type(m, o); break;
    case KIND_INSTANCE: MARK_FIELDS(oinstance, shape, store); break;
    case KIND_EXCEPTION: MARK_FIELDS(oexc, shape, notes); break;
    case KIND_TRACEBACK: MARK_FIELDS(otraceback, next, code); break;
    case KIND_DESCR: MARK_FIELDS(odescr, shape, name); break;
    case KIND_MODULE: MARK_FIELDS(omodule, name, dict); break;
    case KIND_HOSTFN:
        mark(m, ((struct ohostfn *)o)->name);
        mark(m, ((struct ohostfn *)o)->doc);
        break;
    case KIND_COUNT: break;
    }
}

static void scan(struct marker *m, struct obj *o) {
    mark(m, (val)o->type * 8);
    scan_fields(m, o);
    if (o->kind != KIND_STORE && (o->flags & OBJ_ATTRS))
        mark_many(m, object_attrs(o), 2);
}

static void drain(struct marker *m) {
    while (m->depth > 0) {
        struct todo t = m->stack[--m->depth];
        if (t.n)
            mark_many(m, t.at, t.n);
        else
            scan(m, t.at);
    }
}

static uint64_t first_object(const struct vm *vm) {
    return (vm->heap.template_end + sizeof(struct root) + 15) & ~15ull;
}

/* After an overflow: scanning a marked object again finds what was dropped. */
static void rescan(struct marker *m) {
    const struct heap *h = &m->vm->heap;
    m->overflowed = false;
    for (uint64_t at = first_object(m->vm); at < h->top;) {
        struct obj *o = heap_at(h, at);
        at += object_size(o);
        if (o->kind == KIND_FREE || !(o->flags & OBJ_MARK)) continue;
        scan(m, o);
        drain(m);
    }
}

static void mark_all(struct vm *vm) {
    struct marker m;
    m.vm = vm;
    m.stack = m.small;
    m.room = STACK_SMALL;
    m.depth = 0;
    m.overflowed = false;
    struct root *root = vm_root(vm);
    mark_many(&m, &root->frame,
              (uint64_t)(&root->spare[0] - &root->frame) +
                  sizeof root->spare / sizeof root->spare[0]);
    drain(&m);
    while (m.overflowed)
        rescan(&m);
    if (m.stack != m.small) mem_free(m.stack);
}

/* -- sweep
 * ------------------------------------------------------------------------- */

/* object_size(), without a call for what is most of a heap. */
static inline uint64_t size_of(const struct obj *o) {
    if (o->kind != KIND_STR || (o->flags & (OBJ_VIEW | OBJ_ATTRS)))
        return object_size(o);
    uint64_t n = offsetof(struct ostr, as) + ((const struct ostr *)o)->len + 1;
    return (n + 15) & ~15ull;
}

/* Neighbouring holes become one; holes at the end lower the top. */
static uint64_t sweep_objects(struct heap *h, uint64_t at) {
    uint64_t live = 0, hole = 0; /* where the present hole begins */
    while (at < h->top) {
        struct obj *o = heap_at(h, at);
        uint64_t size = size_of(o);
        if (o->kind == KIND_FREE || !(o->flags & OBJ_MARK)) {
            if (!hole) hole = at;
        } else {
            o->flags &= (uint8_t)~OBJ_MARK;
            live += size;
            if (hole) heap_hole(h, hole, at - hole);
            hole = 0;
        }
        at += size;
    }
    if (hole) {
        if (h->top > h->dirty) h->dirty = h->top;
        h->top = hole;
    }
    return live;
}

void heap_collect(struct vm *vm) {
    struct heap *h = &vm->heap;
    if (h->live > h->peak) h->peak = h->live;
    if (h->peak > h->top - h->template_end) h->peak = h->top - h->template_end;
    mark_all(vm);
    heap_no_holes(h);
    h->collected = h->live = sweep_objects(h, first_object(vm));
    uint64_t growth = h->live > GROWTH_MIN ? h->live : GROWTH_MIN;
    h->collect_at = h->live + growth;
    uint64_t holes = h->top - first_object(vm) - h->live;
    heap_use_holes(h, holes / 2 > h->live && holes > 4 * GROWTH_MIN);
    vm->collect_wanted = false;
    /* Not charged: when a collection runs depends on whether the run was saved
     * in between, and steps must not. What is allocated is, and pays for it. */
}
