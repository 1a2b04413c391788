/* SPDX-License-Identifier: MIT
 *
 * taint_flow -- labels through instructions, frames and natives.
 */
#include "vm/bind.h"
#include "vm/exc.h"
#include "vm/joins.h"
#include "vm/ops.h"
#include "vm/taint.h"

#include <limits.h>
#include <string.h>

const uint8_t op_flows[256] = {
#define OPFLOW(name, from, to) [OP_##name] = (from) | (to),
#include "vm/opflows.def"
#undef OPFLOW
};

enum native_flow { GATHERS, PASSES, STORES, KEYED, MERGES, ORDERS, BY_KEYS };

unsigned native_flow_of(const struct vm *vm, val owner, const char *name) {
    str class = owner ? text_get(vm, type_at(vm, owner)->name) : STR("");
    static const struct {
        const char *owner, *name;
        enum native_flow flow;
    } rows[] = {
#define NATIVEFLOW(owner, name, how) {owner, name, how},
#include "vm/nativeflows.def"
#undef NATIVEFLOW
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!strcmp(rows[i].name, name) && !rows[i].owner == !owner &&
            (!owner || str_is(class, rows[i].owner)))
            return rows[i].flow;
    return GATHERS;
}

static uint16_t join(struct vm *vm, uint16_t a, uint16_t b) {
    return label_join(vm->labels, a, b);
}

/* Code of ours computes by branching; in strict runs all code does. */
static bool floor_rises(const struct vm *vm, const struct oframe *f) {
    return vm->labels->strict || code_is_library(vm, f->code);
}

/* -- before an instruction ----------------------------------------------------
 */

static uint16_t deep_range(struct vm *vm, const val *v, unsigned n,
                           unsigned step) {
    uint16_t label = 0;
    for (unsigned i = 0; i < n; i++)
        label = join(vm, label, taint_deep(vm, v[i * step]));
    return label;
}

/* A value stored under the floor takes it along. */
static void store_under(struct vm *vm, val *reg, uint16_t label) {
    if (!label || !*reg) return;
    val v = taint_attach(vm, *reg, label);
    if (v)
        *reg = v;
    else
        exc_take(vm);
}

static uint16_t code_label(const struct vm *vm, const struct oframe *f) {
    return ((const struct obj *)heap_at(&vm->heap, f->code))->label;
}

/* What comprehensions add to depends on what they loop over and ask. */
static uint16_t within(const struct oframe *f) {
    return f->control != f->control_in ? f->control : 0;
}

uint16_t taint_gather(struct vm *vm, struct oframe *f, uint32_t w,
                      uint16_t label) {
    val *R = f->reg;
    switch ((int)INS_OP(w)) {
    case OP_LOADI:
    case OP_LOADBOOL: return join(vm, label, code_label(vm, f));
    case OP_SETG:
    case OP_SETFREE:
    case OP_SETN: store_under(vm, &R[INS_A(w)], label); return 0;
    case OP_SETCELL:
    case OP_YIELD: store_under(vm, &R[INS_B(w)], label); break;
    case OP_SLICE:
    case OP_CONCAT: {
        unsigned n = INS_OP(w) == OP_SLICE ? 3 : INS_C(w);
        return join(vm, label, deep_range(vm, &R[INS_B(w)], n, 1));
    }
    case OP_MOD:
    case OP_IMOD:
        label = join(vm, label, value_label(vm, R[INS_B(w)]));
        return join(vm, label, taint_deep(vm, R[INS_C(w)]));
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_IN:
    case OP_NOTIN:
        label = join(vm, label, taint_deep(vm, R[INS_B(w)]));
        return join(vm, label, taint_deep(vm, R[INS_C(w)]));
    case OP_JEQ:
    case OP_JNE:
    case OP_JLT:
    case OP_JLE:
    case OP_JGT:
    case OP_JGE:
    case OP_JIN:
        label = join(vm, label, taint_deep(vm, R[INS_A(w)]));
        return join(vm, label, taint_deep(vm, R[INS_B(w)]));
    case OP_SET:
        return join(vm, label, deep_range(vm, &R[INS_B(w)], INS_C(w), 1));
    case OP_MAP:
        return join(vm, label, deep_range(vm, &R[INS_B(w)], INS_C(w), 2));
    case OP_ADDSET:
        label = join(vm, label, taint_deep(vm, R[INS_B(w)]));
        return join(vm, label, within(f));
    case OP_APPEND:
    case OP_PUTMAP: return join(vm, label, within(f));
    case OP_UPDATESET: return join(vm, label, taint_deep(vm, R[INS_B(w)]));
    case OP_FORMAT:
        label = join(vm, label, taint_deep(vm, R[INS_B(w)]));
        return join(vm, label, value_label(vm, R[INS_B(w) + 1]));
    case OP_CALLEX: return join(vm, label, value_label(vm, R[INS_A(w)]));
    case OP_RESULT:
        store_under(vm, &R[INS_A(w)], label);
        vm->labels->result_under = f->control;
        return 0;
    case OP_RAISE: /* that it is raised, control decided */
        taint_raise(vm, R[INS_A(w)], join(vm, label, f->control));
        return label;
    default: break;
    }
    return label;
}

/* -- control ------------------------------------------------------------------
 */

/* Where the last way back to a loop's head begins. */
static uint32_t last_way_back(struct vm *vm, const struct oframe *f,
                              uint32_t from, uint32_t head) {
    const uint32_t *words = code_words(vm, f->code);
    uint32_t n = frame_code(vm, f)->nwords, last = from;
    for (uint32_t i = from; i < n; i += joins_words(words[i]))
        if (INS_OP(words[i]) == OP_JUMP &&
            (int64_t)i + 1 + INS_SJ(words[i]) == head)
            last = i;
    return last;
}

/* In strict runs a variable has the label of a branch that could have assigned
 * to it, whether or not it went there: else a way not taken would tell. (What
 * the way not taken would have done to objects is not known.) */
static void label_assigned(struct vm *vm, struct oframe *f, uint32_t from,
                           uint32_t to, uint16_t label) {
    const uint32_t *words = code_words(vm, f->code);
    if (to <= from) to = last_way_back(vm, f, from, to);
    unsigned locals = frame_code(vm, f)->nlocals;
    struct ofunc *fn = heap_at(&vm->heap, f->func);
    const struct omodule *m = heap_at(&vm->heap, fn->globals);
    val *slots = (val *)((struct ostore *)heap_at(&vm->heap, m->slots))->data;
    vm->fuel -= (int64_t)((to - from) / 4);
    for (uint32_t i = from; i < to; i += joins_words(words[i])) {
        uint32_t w = words[i];
        val *place = NULL;
        unsigned reg = INS_OP(w) == OP_FOR ? INS_B(w) : INS_A(w);
        unsigned goes = op_flows[INS_OP(w)] & TO_MASK;
        if (INS_OP(w) == OP_SETG)
            place = &slots[INS_BX(w)];
        else if (INS_OP(w) == OP_SETFREE)
            place = &((struct ocell *)heap_at(
                          &vm->heap, tuple_items(vm, fn->closure)[INS_B(w)]))
                         ->value;
        else if (INS_OP(w) == OP_SETCELL && vm_is(vm, f->reg[reg], KIND_CELL))
            place = &((struct ocell *)heap_at(&vm->heap, f->reg[reg]))->value;
        else if (reg < locals &&
                 (goes == TO_A || goes == TO_MOVED || INS_OP(w) == OP_FOR))
            place = &f->reg[reg];
        if (place) store_under(vm, place, label);
    }
}

/* What goes on from words[at] to join_at was decided by a value with a label.
 */
static void decided(struct vm *vm, struct oframe *f, uint32_t at,
                    uint32_t join_at, uint16_t label) {
    /* A generator's branches decide what it yields later too. */
    bool own = !code_is_library(vm, f->code) && !f->owner;
    bool higher = join(vm, f->control, label) != f->control;
    if (own && f->join == NO_JOIN && higher) {
        f->join = join_at;
        f->control_before = f->control;
        f->floor_before = f->h.label;
    }
    f->control = join(vm, f->control, label);
    if (floor_rises(vm, f)) f->h.label = join(vm, f->h.label, label);
    if (own && higher && vm->labels->strict && join_at != NO_JOIN)
        label_assigned(vm, f, at, join_at, label);
}

void taint_caught(struct vm *vm, struct oframe *f, uint32_t at, uint32_t target,
                  val exc) {
    uint16_t label = value_label(vm, exc);
    if (label) decided(vm, f, at, joins_of_two(vm, f->code, at, target), label);
}

/* -- after an instruction -----------------------------------------------------
 */

static bool attach_all(struct vm *vm, val *reg, unsigned n, uint16_t label) {
    for (unsigned i = 0; i < n; i++) {
        if (!reg[i]) continue;
        val v = taint_attach(vm, reg[i], label);
        if (!v) return false;
        reg[i] = v;
    }
    return true;
}

static bool finish_more(struct vm *vm, struct oframe *f, uint32_t w,
                        uint32_t at, uint16_t label) {
    val *R = f->reg;
    switch ((int)INS_OP(w)) {
    case OP_GETM: /* a method is bound to its object, which has the label */
        return R[INS_A(w) + 1] || attach_all(vm, &R[INS_A(w)], 1, label);
    case OP_UNPACK: return attach_all(vm, &R[INS_A(w)], INS_C(w), label);
    case OP_UNPACKEX: {
        uint32_t x = code_words(vm, f->code)[at + 1];
        return attach_all(vm, &R[INS_A(w)], (x & 0xffff) + (x >> 16) + 1,
                          label);
    }
    case OP_FOR:
        decided(vm, f, at, joins_at(vm, f->code, at), label);
        return attach_all(vm, &R[INS_B(w)], 1, label);
    default: return true;
    }
}

/* A value that was moved under the floor: what can be changed is the same
 * object as before and stays as it is. */
static bool finish_move(struct vm *vm, val *reg, uint16_t label) {
    val v = *reg;
    if (val_is_ref(v) && v >= vm->heap.template_end) {
        enum kind k = (enum kind)vm_obj(vm, v)->kind;
        if (k == KIND_CELL || k >= KIND_BYTES) return true;
    }
    return attach_all(vm, reg, 1, label);
}

bool taint_finish(struct vm *vm, struct oframe *f, uint32_t w, uint32_t at,
                  uint16_t label) {
    val *R = f->reg;
    vm->ambient = 0;
    switch (op_flows[INS_OP(w)] & TO_MASK) {
    case TO_A: return attach_all(vm, &R[INS_A(w)], 1, label);
    case TO_MOVED: return finish_move(vm, &R[INS_A(w)], label);
    case TO_CONTROL:
        decided(vm, f, at, joins_at(vm, f->code, at), label);
        return true;
    case TO_OBJECT: taint_raise(vm, R[INS_A(w)], label); return true;
    case TO_MORE: return finish_more(vm, f, w, at, label);
    default: return true;
    }
}

/* -- frames -------------------------------------------------------------------
 */

void taint_begin(struct vm *vm, struct oframe *f, const struct oframe *caller) {
    f->join = NO_JOIN;
    f->answer = 0;
    f->h.label = 0;
    f->control = f->control_in = caller ? caller->control : 0;
    if (caller && floor_rises(vm, f)) f->h.label = caller->h.label;
}

void taint_enter(struct vm *vm, const struct oframe *from, struct oframe *to,
                 uint32_t w, uint16_t label) {
    if (to->back != heap_ref(&vm->heap, from)) return; /* it was left */
    to->answer = label;
    to->control = join(vm, to->control, from->control);
    enum op op = INS_OP(w);
    if (op == OP_CALL || op == OP_CALLKW || op == OP_CALLEX)
        to->control = join(vm, to->control, label);
}

val taint_answer(struct vm *vm, const struct oframe *f, val v) {
    uint16_t label = join(vm, f->answer, f->h.label);
    return label ? taint_attach(vm, v, label) : v;
}

void taint_yielded(struct vm *vm, const struct oframe *f) {
    struct oframe *to = heap_at(&vm->heap, f->back);
    if (f->control == f->control_in || to->pc < 2) return;
    decided(vm, to, to->pc - 2, joins_at(vm, to->code, to->pc - 2), f->control);
}

enum step taint_deliver(struct vm *vm, struct ret ret, val v) {
    struct oframe *f = vm_frame(vm);
    uint16_t label = value_label(vm, v);
    bool jump = (op_flows[INS_OP(ret.word)] & TO_MASK) == TO_CONTROL;
    bool truth = ret.how == RET_TRUTH || ret.how == RET_CONTAINS ||
                 ret.how == RET_INIT || (ret.how == RET_COMPARE && jump);
    if (!label || ret.how == RET_END) return deliver(vm, ret, v);
    uint32_t at = f->pc - 2;
    enum step step = deliver(vm, ret, truth ? value_plain(vm, v) : v);
    if (step == STEP_FRAME) taint_enter(vm, f, vm_frame(vm), ret.word, label);
    if (step != STEP_DONE || !truth || ret.how == RET_INIT) return step;
    return taint_finish(vm, f, ret.word, at, label) ? STEP_DONE : STEP_RAISE;
}

void taint_print(struct vm *vm) {
    struct label_table *l = vm->labels;
    l->output = label_join(l, l->output, vm->ambient);
    if (vm_root(vm)->frame)
        l->output = label_join(l, l->output, vm_frame(vm)->control);
}

/* -- natives ------------------------------------------------------------------
 */

uint16_t taint_arguments(struct vm *vm, const val *args, size_t n) {
    uint16_t label = 0;
    for (size_t i = 0; i < n; i++)
        label = join(vm, label, value_label(vm, args[i]));
    return label;
}

static uint16_t deep_arguments(struct vm *vm, const val *args, size_t n) {
    uint16_t label = 0;
    for (size_t i = 0; i < n; i++)
        label = join(vm, label, taint_deep(vm, args[i]));
    return label;
}

/* What the result gets, and what args[0] gets. */
static uint16_t native_label(struct vm *vm, enum native_flow flow,
                             const val *args, size_t n, uint16_t *first) {
    uint16_t label = 0;
    *first = 0;
    switch (flow) {
    case GATHERS: return deep_arguments(vm, args, n);
    case PASSES: return taint_arguments(vm, args, n);
    case STORES: return n ? value_label(vm, args[0]) : 0;
    case KEYED:
        if (n > 1) *first = taint_deep(vm, args[1]);
        return join(vm, *first, value_label(vm, args[0]));
    case MERGES: return *first = taint_arguments(vm, args, n);
    case ORDERS: return *first = deep_arguments(vm, args, n);
    case BY_KEYS:
        label = n ? value_label(vm, args[0]) : 0;
        return join(vm, label, n > 1 ? deep_arguments(vm, args + 1, n - 1) : 0);
    }
    return label;
}

/* An argument beyond the few that fit is handed on as it is: C code takes a
 * labelled value for what it stands for, but for the singletons. */
static const val *plain_arguments(struct vm *vm, const val *args, size_t n,
                                  val *few, size_t kept) {
    size_t i = 0;
    while (i < n && (!value_label(vm, args[i]) ||
                     value_plain_slow(vm, args[i]) == args[i]))
        i++;
    if (i == n || n > BOUND_MAX) return args;
    for (i = 0; i < n; i++)
        few[i] = i >= kept ? args[i] : value_plain(vm, args[i]);
    return few;
}

/* The first argument that is stored with its label. */
static unsigned first_kept(enum native_flow flow) {
    if (flow == KEYED) return 2;
    return flow == STORES || flow == MERGES ? 1 : UINT_MAX;
}

static enum native_flow flow_of(uint32_t flags) {
    return (enum native_flow)(flags >> NATIVE_FLOW_SHIFT & NATIVE_FLOW_MASK);
}

bool taint_looks_inside(uint32_t flags) {
    enum native_flow flow = flow_of(flags);
    return flow == GATHERS || flow == ORDERS || flow == BY_KEYS;
}

unsigned taint_stored_from(uint32_t flags) {
    return flow_of(flags) == MERGES ? UINT_MAX : first_kept(flow_of(flags));
}

val taint_native(struct vm *vm, val native, const struct native *row,
                 const val *args, size_t n) {
    const struct onative *o = heap_at(&vm->heap, native);
    enum native_flow flow = flow_of(o->flags);
    struct oframe *f = vm_root(vm)->frame ? vm_frame(vm) : NULL;
    uint16_t first, before = vm->ambient, floor = f ? f->h.label : 0;
    uint16_t label = native_label(vm, flow, args, n, &first);
    label = join(vm, label, floor);
    val few[BOUND_MAX];
    vm->ambient = label;
    val v = row->fn(vm, plain_arguments(vm, args, n, few, first_kept(flow)), n);
    vm->ambient = before;
    if (!v) return v;
    first = join(vm, first, flow == PASSES || flow == GATHERS ? 0 : floor);
    if (first && n) taint_raise(vm, args[0], first);
    return label ? taint_attach(vm, v, label) : v;
}

enum step taint_step(struct vm *vm, enum step step, struct ret ret,
                     const struct oframe *caller, uint16_t label) {
    if (!label) return step;
    struct oframe *f = vm_frame(vm);
    if (step == STEP_FRAME && f->back == heap_ref(&vm->heap, caller))
        f->answer = join(vm, f->answer, label);
    if (step != STEP_DONE || ret.how != RET_VALUE) return step;
    return attach_all(vm, &f->reg[ret.reg], 1, label) ? step : STEP_RAISE;
}
