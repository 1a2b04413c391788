/* SPDX-License-Identifier: MIT
 *
 * pending -- waiting for values, and putting them in their places.
 */
#include "vm/pending.h"

#include "vm/exc.h"
#include "vm/joins.h"
#include "vm/ops.h"
#include "vm/taint.h"
#include "vm/walk.h"

static struct obox *box_at(const struct vm *vm, val v) {
    return heap_at(&vm->heap, v);
}

static bool settled(const struct obox *box) {
    return box->inner != VAL_UNSET;
}

/* -- boxes --------------------------------------------------------------------
 */

static uint32_t handler_at(struct vm *vm, const struct oframe *f, uint32_t at) {
    const struct ocode *code = frame_code(vm, f);
    const struct ostore *s = heap_at(&vm->heap, code->handlers);
    const struct code_handler *h = (const struct code_handler *)s->data;
    uint64_t n = s->used / sizeof *h;
    for (uint32_t i = 0; i < n; i++)
        if (h[i].start <= at && at < h[i].end) return i + 1;
    return 0;
}

/* Frames that the plain loop pushed have not said whether they stand within a
 * block with handlers. */
static void prepare_frames(struct vm *vm) {
    for (val at = vm_root(vm)->frame; at;) {
        struct oframe *f = heap_at(&vm->heap, at);
        f->tried = f->pc && handler_at(vm, f, f->pc - 1) ? f->pc : 0;
        at = f->back;
    }
}

bool pending_add(struct vm *vm) {
    struct root *root = vm_root(vm);
    if (!root->pending) prepare_frames(vm);
    struct obox *box = heap_new(vm, KIND_BOX, TYPE_VAL(object), sizeof *box);
    if (!box) return false;
    box->call = (uint64_t)val_int(tuple_items(vm, root->call)[3]);
    if (!root->pending && !(root->pending = list_new(vm, NULL, 0)))
        return false;
    return list_append(vm, root->pending, heap_ref(&vm->heap, box)) == 0;
}

val pending_find(const struct vm *vm, uint64_t id) {
    val list = vm_root_const(vm)->pending;
    uint64_t n = list ? list_len(vm, list) : 0;
    for (uint64_t i = 0; i < n; i++) {
        val box = list_items(vm, list)[i];
        if (box_at(vm, box)->call == id && !settled(box_at(vm, box)))
            return box;
    }
    return VAL_UNSET;
}

void pending_settle(struct vm *vm, val box, val value, bool failed) {
    struct obox *b = box_at(vm, box);
    b->inner = value;
    if (failed) b->h.flags |= BOX_FAILED;
}

/* -- waiting ------------------------------------------------------------------
 */

struct force {
    struct vm *vm;
    bool waits;
    val failed; /* the first box whose exception is to be raised */
};

static void wait_for(struct force *f, const struct obox *box) {
    struct root *root = vm_root(f->vm);
    f->waits = true;
    if (!root->waiting && !(root->waiting = list_new(f->vm, NULL, 0))) return;
    val id = val_of_int((int64_t)box->call);
    uint64_t n = list_len(f->vm, root->waiting);
    for (uint64_t i = 0; i < n; i++)
        if (list_items(f->vm, root->waiting)[i] == id) return;
    if (list_append(f->vm, root->waiting, id)) exc_take(f->vm);
}

/* The value where its box stands. */
static void force(void *user, val *where) {
    struct force *f = user;
    if (!vm_is(f->vm, *where, KIND_BOX)) return;
    struct obox *box = box_at(f->vm, *where);
    if (!settled(box))
        wait_for(f, box);
    else if (!(box->h.flags & BOX_FAILED))
        *where = box->inner;
    else if (!f->failed)
        f->failed = *where;
}

static void force_deep(struct force *f, val *where) {
    if (!*where) return;
    if (walk(f->vm, where, force, f)) f->waits = true;
}

static void force_many(struct force *f, val *where, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (where[i]) force(f, &where[i]);
}

/* Every box: what has no value is waited for, an error nobody has seen is
 * raised. */
static void force_all(struct force *f) {
    val list = vm_root(f->vm)->pending;
    uint64_t n = list_len(f->vm, list);
    for (uint64_t i = 0; i < n; i++) {
        val v = list_items(f->vm, list)[i];
        struct obox *box = box_at(f->vm, v);
        if (!settled(box))
            wait_for(f, box);
        else if ((box->h.flags & (BOX_FAILED | BOX_RAISED)) == BOX_FAILED &&
                 !f->failed)
            f->failed = v;
    }
}

static void raise_failed(struct vm *vm, val box) {
    struct obox *b = box_at(vm, box);
    b->h.flags |= BOX_RAISED;
    exc_raise(vm, b->inner);
}

static enum step outcome(struct force *f) {
    if (f->waits) {
        f->vm->status = VM_WAIT;
        return STEP_STOP;
    }
    if (!f->failed) return STEP_DONE;
    raise_failed(f->vm, f->failed);
    return STEP_RAISE;
}

/* -- what an instruction looks at ---------------------------------------------
 */

/* Natives that hand elements on look at their arguments alone. */
static bool looks_inside(const struct vm *vm, val native) {
    const struct onative *o = heap_at(&vm->heap, native);
    return taint_looks_inside(o->flags);
}

static void force_native(struct force *f, val native, val *args, unsigned n) {
    const struct onative *o = heap_at(&f->vm->heap, native);
    unsigned stored = taint_stored_from(o->flags), bound = o->self ? 1 : 0;
    bool deep = looks_inside(f->vm, native);
    for (unsigned i = 0; i < n && i + bound < stored; i++) {
        if (deep)
            force_deep(f, &args[i]);
        else if (args[i])
            force(f, &args[i]);
    }
    val self = o->self;
    if (deep) force_deep(f, &self);
}

/* A builtin class looks at what it is called with as its __new__ does; others
 * hand it on to __init__. */
static void force_class(struct force *f, val type, val *args, unsigned n) {
    struct vm *vm = f->vm;
    if (type_at(vm, type)->flags & TYPE_HEAP) return;
    val new = type_special(vm, type, SPECIAL_NEW);
    bool deep = !vm_is(vm, new, KIND_NATIVE) || looks_inside(vm, new);
    for (unsigned i = 0; i < n; i++) {
        if (deep)
            force_deep(f, &args[i]);
        else if (args[i])
            force(f, &args[i]);
    }
}

static void force_call(struct force *f, val callee, val *args, unsigned n) {
    if (!val_is_ref(callee)) return;
    switch ((int)vm_obj(f->vm, callee)->kind) {
    case KIND_NATIVE: force_native(f, callee, args, n); break;
    case KIND_TYPE: force_class(f, callee, args, n); break;
    default: break;
    }
}

static void force_operands(struct force *f, val *R, uint32_t w) {
    switch ((int)INS_OP(w)) {
    case OP_CALL:
    case OP_CALLKW: {
        unsigned a = INS_A(w), self = R[a + 1] != VAL_UNSET;
        force(f, &R[a]);
        force_call(f, R[a], &R[a + 2 - self], INS_B(w) + self);
        break;
    }
    case OP_CALLEX:
        force_many(f, &R[INS_A(w)], 4);
        if (vm_is(f->vm, R[INS_A(w)], KIND_NATIVE)) {
            force_deep(f, &R[INS_A(w) + 2]);
            force_deep(f, &R[INS_A(w) + 3]);
        }
        break;
    case OP_SLICE: force_many(f, &R[INS_B(w)], 3); break;
    case OP_SET:
        for (unsigned i = 0; i < INS_C(w); i++)
            force_deep(f, &R[INS_B(w) + i]);
        break;
    case OP_MAP:
        for (unsigned i = 0; i < INS_C(w); i++)
            force_deep(f, &R[INS_B(w) + 2 * i]);
        break;
    case OP_FORMAT:
        force_deep(f, &R[INS_B(w)]);
        force_many(f, &R[INS_B(w) + 1], 1);
        break;
    case OP_MOD:
    case OP_IMOD:
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_IN:
    case OP_NOTIN:
        force_deep(f, &R[INS_B(w)]);
        force_deep(f, &R[INS_C(w)]);
        break;
    case OP_JEQ:
    case OP_JNE:
    case OP_JLT:
    case OP_JLE:
    case OP_JGT:
    case OP_JGE:
    case OP_JIN:
        force_deep(f, &R[INS_A(w)]);
        force_deep(f, &R[INS_B(w)]);
        break;
    case OP_ADDSET:
    case OP_UPDATESET: force_deep(f, &R[INS_B(w)]); break;
    case OP_RAISE: force_many(f, &R[INS_A(w)], INS_B(w) ? 2 : 1); break;
    case OP_GETSPECIAL:
    case OP_DELEGATE:
    case OP_UNPACK: force_many(f, &R[INS_B(w)], 1); break;
    default: {
        unsigned flow = op_flows[INS_OP(w)];
        bool object = (flow & TO_MASK) == TO_OBJECT;
        if ((flow & FROM_A) || object) force_many(f, &R[INS_A(w)], 1);
        if (flow & FROM_B) force_many(f, &R[INS_B(w)], 1);
        if (flow & FROM_C) force_many(f, &R[INS_C(w)], 1);
    }
    }
}

/* -- await --------------------------------------------------------------------
 */

/* `await` of a box: within a coroutine others may go on meanwhile. */
static enum step await_box(struct vm *vm, struct oframe *f, uint32_t w,
                           struct force *force_) {
    val *reg = &f->reg[INS_B(w)];
    struct obox *box = box_at(vm, *reg);
    if (!settled(box) && !f->owner) {
        wait_for(force_, box);
        return outcome(force_);
    }
    return pending_await(vm, w);
}

enum step pending_await(struct vm *vm, uint32_t w) {
    struct oframe *f = vm_frame(vm);
    val held = list_new(vm, &f->reg[INS_B(w)], 1);
    if (!held) return STEP_RAISE;
    f->pc--;
    enum step step =
        call_in_prelude(vm, PRELUDE_await_pending, &held, 1, ret_reg(INS_B(w)));
    if (step == STEP_RAISE) f->pc++;
    return step;
}

/* -- try ----------------------------------------------------------------------
 */

/* A block with handlers is left only when nothing from within it can fail any
 * more; what fails is raised as within it. */
static enum step leave_try(struct vm *vm, struct oframe *f, uint32_t w,
                           uint32_t at, struct force *force_) {
    if (code_is_library(vm, f->code)) return STEP_DONE;
    uint32_t now = handler_at(vm, f, at);
    bool ends = INS_OP(w) == OP_RETURN || INS_OP(w) == OP_RETNONE;
    bool left = f->tried && handler_at(vm, f, f->tried - 1) != now;
    if (!left && !(ends && (now || f->ret_how == RET_END))) {
        f->tried = now ? at + 1 : 0;
        return STEP_DONE;
    }
    force_all(force_);
    enum step step = outcome(force_);
    if (step == STEP_RAISE && left) f->pc = f->tried;
    if (step != STEP_STOP) f->tried = now && step == STEP_DONE ? at + 1 : 0;
    return step;
}

enum step pending_check(struct vm *vm, struct oframe *f, uint32_t w,
                        uint32_t at) {
    struct force force_ = {.vm = vm};
    uint16_t ambient = vm->ambient;
    vm->ambient = 0;
    f->pc = at + joins_words(w);
    enum step step = leave_try(vm, f, w, at, &force_);
    if (step == STEP_DONE) {
        if (INS_OP(w) == OP_AWAITABLE &&
            vm_is(vm, f->reg[INS_B(w)], KIND_BOX)) {
            step = await_box(vm, f, w, &force_);
        } else {
            force_operands(&force_, f->reg, w);
            step = outcome(&force_);
        }
    }
    if (step == STEP_STOP) f->pc = at;
    vm->ambient = ambient;
    return step;
}

/* Every task waits: any value that comes helps. A list of ids that begins with
 * 0 is one of which one is enough. */
enum step step_wait_pending(struct vm *vm, val *args, size_t n,
                            struct ret ret) {
    (void)args, (void)n;
    struct root *root = vm_root(vm);
    struct force f = {.vm = vm};
    enum step step = deliver(vm, ret, VAL_NONE);
    if (step != STEP_DONE || !root->pending) return step;
    val any = val_of_int(0);
    root->waiting = list_new(vm, &any, 1);
    if (!root->waiting) return STEP_RAISE;
    force_all(&f);
    if (f.waits) return outcome(&f);
    root->waiting = VAL_UNSET;
    return STEP_DONE;
}

/* -- host calls ---------------------------------------------------------------
 */

bool pending_bars(struct vm *vm, val call, bool read_only) {
    struct root *root = vm_root(vm);
    struct force f = {.vm = vm};
    if (!root->pending) return false;
    if (!read_only) force_all(&f);
    force_deep(&f, &tuple_items(vm, call)[1]);
    force_deep(&f, &tuple_items(vm, call)[2]);
    return f.waits || f.failed;
}

bool pending_waits(const struct vm *vm) {
    val list = vm_root_const(vm)->waiting;
    uint64_t n = list ? list_len(vm, list) : 0, missing = 0;
    bool any = n && list_items(vm, list)[0] == val_of_int(0);
    for (uint64_t i = any; i < n; i++)
        if (pending_find(vm, (uint64_t)val_int(list_items(vm, list)[i])))
            missing++;
    return any ? missing == n - 1 && missing : missing > 0;
}

/* -- the end of pending -------------------------------------------------------
 */

static void replace(const struct vm *vm, val *v, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        if (!vm_is(vm, v[i], KIND_BOX)) continue;
        const struct obox *box = box_at(vm, v[i]);
        if (settled(box) && !(box->h.flags & BOX_FAILED)) v[i] = box->inner;
    }
}

static void replace_in(const struct vm *vm, struct obj *o) {
    switch ((int)o->kind) {
    case KIND_STORE: {
        struct ostore *s = (struct ostore *)o;
        if (o->flags & OBJ_TRACED) replace(vm, s->data, s->size / sizeof(val));
        break;
    }
    case KIND_FRAME:
        replace(vm, ((struct oframe *)o)->reg, ((struct oframe *)o)->nregs);
        break;
    case KIND_CELL: replace(vm, &((struct ocell *)o)->value, 1); break;
    case KIND_TUPLE:
        replace(vm, ((struct otuple *)o)->item, ((struct otuple *)o)->len);
        break;
    case KIND_ITER:
        replace(vm, &((struct oiter *)o)->source, 1);
        replace(vm, ((struct oiter *)o)->extra, 3);
        break;
    default: break;
    }
}

/* Boxes whose error the program has not come upon stay. */
static void replace_everywhere(struct vm *vm) {
    struct root *root = vm_root(vm);
    val list = root->pending;
    struct olist *l = heap_at(&vm->heap, list);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < l->len; i++) {
        val v = list_items(vm, list)[i];
        if (!settled(box_at(vm, v))) return;
        if (box_at(vm, v)->h.flags & BOX_FAILED)
            list_items(vm, list)[kept++] = v;
    }
    l->len = kept;
    uint64_t at = (vm->heap.template_end + sizeof *root + 15) & ~15ull;
    while (at < vm->heap.top) {
        struct obj *o = heap_at(&vm->heap, at);
        replace_in(vm, o);
        at += object_size(o);
    }
    replace(vm, &root->result, 1);
    if (!kept) root->pending = VAL_UNSET;
}

void pending_abandon(struct vm *vm) {
    struct root *root = vm_root(vm);
    root->waiting = VAL_UNSET;
    if (!root->pending) return;
    vm_raise(vm, EXC_RuntimeError, "the run ended before this value came");
    val exc = exc_take(vm);
    uint64_t n = list_len(vm, root->pending);
    for (uint64_t i = 0; i < n; i++) {
        struct obox *box = box_at(vm, list_items(vm, root->pending)[i]);
        if (!settled(box)) {
            box->inner = exc;
            box->h.flags |= BOX_FAILED;
        }
        box->h.flags |= BOX_RAISED;
    }
}

bool pending_over(struct vm *vm, val call) {
    struct root *root = vm_root(vm);
    struct force f = {.vm = vm};
    root->waiting = VAL_UNSET;
    if (!root->pending) return true;
    if (call) {
        const struct ohostfn *fn = heap_at(&vm->heap, tuple_items(vm, call)[0]);
        if (!(fn->flags & HOSTFN_READ_ONLY)) force_all(&f);
        force_deep(&f, &tuple_items(vm, call)[1]);
        force_deep(&f, &tuple_items(vm, call)[2]);
    }
    replace_everywhere(vm);
    if (!f.failed) return true;
    raise_failed(vm, f.failed);
    return false;
}
