/* SPDX-License-Identifier: MIT
 *
 * run -- the loop.
 *
 * Each instruction does its common case here; anything else is one call of a
 * slow path (run.h) whose answer is handled at `after`. Frames are entered and
 * left without C recursion. While an instruction runs, f->pc is stale; it is
 * stored (SAVE) before anything that may raise, push a frame or stop.
 *
 * This file is compiled three times: as it is; by run_pending.c with PENDING,
 * where each instruction first waits for the pending values it looks at
 * (pending.h); and by run_labels.c with LABELS, which does that too, joins the
 * operands' labels and gives them to the result (taint.h). Nothing of either is
 * in the loop of runs that have neither.
 */

/* What these passes carry from one instruction to the next in registers is
 * rarely wanted there and always paid for. */
#ifndef __clang__
#pragma GCC optimize("no-gcse", "no-tree-pre")
#endif

#include <math.h>

#include "vm/bind.h"
#include "vm/class.h"
#include "vm/exc.h"
#include "vm/gen.h"
#include "vm/iter.h"
#include "vm/load.h"
#include "vm/ops.h"
#include "vm/pending.h"
#include "vm/slow.h"
#include "vm/taint.h"

/* Jumping through a table of labels is an extension, and worth a quarter of the
 * running time. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* Words an instruction takes: 2 where another word follows. */
static const uint8_t op_words[] = {
#define OP(name, format, meaning) [OP_##name] = (meaning)[0] == '+' ? 2 : 1,
#include "lang/opcodes.def"
#undef OP
};

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* -- frames ------------------------------------------------------------------
 */

/* Two at a time from the end: the word before `from` may be cleared too. A call
 * of memset() would cost more, which the compiler makes of the loop unless it
 * loses sight of the pointer. */
static inline void clear(val *from, val *end) {
    while (end > from) {
        end -= 2;
        memset(end, 0, 2 * sizeof *end);
        __asm__("" : "+r"(end));
    }
}

/* Whether a simple function that is given too little has the rest itself. */
static __attribute__((noinline)) bool defaults_serve(struct vm *vm,
                                                     const struct ofunc *fn,
                                                     const struct ocode *co,
                                                     unsigned given) {
    return co->simple > given + 1 && fn->defaults &&
           tuple_len(vm, fn->defaults) + given + 1 >= co->simple;
}

static __attribute__((noinline)) void take_defaults(struct vm *vm,
                                                    const struct ofunc *fn,
                                                    const struct ocode *co,
                                                    unsigned given, val *reg) {
    const val *end =
        tuple_items(vm, fn->defaults) + tuple_len(vm, fn->defaults);
    unsigned lacking = co->simple - 1u - given;
    memcpy(reg + given, end - lacking, lacking * sizeof(val));
}

#if !defined LABELS && !defined PENDING
/* Whether a loop can resume it without further ado. */
static inline bool gen_waits(struct vm *vm, const struct ogen *g) {
    return g->state == GEN_SUSPENDED && vm_root(vm)->depth < vm->limits.depth &&
           INS_OP(gen_word_at(vm, g)) == OP_YIELD;
}

static inline void gen_continue(struct vm *vm, struct ogen *g, struct ret ret) {
    struct oframe *f = heap_at(&vm->heap, g->frame);
    f->reg[INS_A(gen_word_at(vm, g))] = VAL_NONE;
    gen_enter(vm, g, ret);
}
#endif

/* A frame whose caller wants something done with its value was left. */
static __attribute__((noinline)) enum step returned(struct vm *vm, val left,
                                                    struct oframe *f, val v) {
    struct ret ret = {f->ret_how, f->ret_reg, f->state, f->ret_word};
    frame_give(vm, left, f);
#ifdef LABELS
    return taint_deliver(vm, ret, v);
#else
    return deliver(vm, ret, v);
#endif
}

/* -- unwinding ----------------------------------------------------------------
 */

static const struct code_handler *find_handler(struct vm *vm,
                                               const struct oframe *f) {
    const struct ocode *code = frame_code(vm, f);
    const struct ostore *s = heap_at(&vm->heap, code->handlers);
    const struct code_handler *h = (const struct code_handler *)s->data;
    uint32_t pc = f->pc - 1;
    for (uint64_t n = s->used / sizeof *h; n > 0; n--, h++)
        if (h->start <= pc && pc < h->end) return h;
    return NULL;
}

/* A limit that is not to be caught leaves every frame. */
static bool catchable(const struct vm *vm) {
    return vm->fired == LIMIT_NONE;
}

static void add_line(struct vm *vm, const struct oframe *f) {
    bool there = vm->reraising;
    vm->reraising = false;
    if (there) return;
    if (code_is_library(vm, f->code) && !vm->building) return;
    exc_add_line(vm, vm_root(vm)->exception, f->code, f->pc - 1);
}

/* Brings the exception in flight to a handler; the frame it is in runs then.
 * STEP_STOP: there is none. */
static enum step unwind(struct vm *vm) {
    vm->slow_wanted = false;
    for (;;) {
        struct oframe *f = vm_frame(vm);
        add_line(vm, f);
        const struct code_handler *h =
            catchable(vm) ? find_handler(vm, f) : NULL;
        if (h) {
            val exc = exc_take(vm);
            f->reg[h->reg] = exc;
#ifdef LABELS
            taint_caught(vm, f, f->pc - 1, h->target, exc);
#endif
#if defined LABELS || defined PENDING
            f->tried = 0;
#endif
            f->pc = h->target;
            return STEP_FRAME;
        }
        struct ret ret = {f->ret_how, f->ret_reg, f->state, f->ret_word};
        bool was_generator = f->owner != VAL_UNSET;
        if (was_generator) gen_failed(vm, f);
        frame_pop(vm);
        if (ret.how == RET_END) {
            vm->status = vm->fired ? VM_LIMIT : VM_RAISED;
            return STEP_STOP;
        }
        enum step step =
            catchable(vm) ? slow_caught(vm, ret, was_generator) : STEP_RAISE;
        if (step != STEP_RAISE) return step == STEP_DONE ? STEP_FRAME : step;
    }
}

/* -- the loop -----------------------------------------------------------------
 */

#define A INS_A(w)
#define B INS_B(w)
#define C INS_C(w)

#define SAVE (f->pc = (uint32_t)(pc - words))
#if defined LABELS
#define NEXT goto next
#define ENTER_NEXT  \
    do {            \
        label = 0;  \
        goto fetch; \
    } while (0)
/* The value behind a label, where identity is asked for. */
#define PLAIN(v) value_plain(vm, v)
#elif defined PENDING
#define NEXT       goto fetch
#define ENTER_NEXT goto fetch
#define PLAIN(v)   (v)
#else
#define NEXT                \
    do {                    \
        w = *pc++;          \
        goto *go[w & 0xff]; \
    } while (0)
#define ENTER_NEXT NEXT
#define PLAIN(v)   (v)
#endif
#define SLOW(call)     \
    do {               \
        SAVE;          \
        step = (call); \
        goto after;    \
    } while (0)

/* The jump word that pc points at is taken; going back spends fuel. */
#define TAKE                                                \
    do {                                                    \
        int32_t by_ = INS_SJ(*pc);                          \
        pc += 1 + by_;                                      \
        if (by_ < 0 && unlikely(--vm->fuel < 0)) goto look; \
    } while (0)
#define BRANCH(truth)           \
    do {                        \
        if ((truth) == (bool)C) \
            TAKE;               \
        else                    \
            pc++;               \
    } while (0)

#define OBJ(v)   ((struct obj *)(base + (v)))
#define IS(v, k) (val_is_ref(v) && OBJ(v)->kind == (k))
#define IS_TYPE(v, t) \
    (val_is_ref(v) && OBJ(v)->type == (uint32_t)(TYPE_VAL(t) / 8))
#define AT(type_, v) ((struct type_ *)(base + (v)))
#define STORE(v)     ((val *)AT(ostore, v)->data)

#define RET_A                       \
    (struct ret) {                  \
        RET_VALUE, (uint8_t)A, 0, w \
    }
#define RET_BOTH(how_)         \
    (struct ret) {             \
        how_, (uint8_t)A, 0, w \
    }

/* Two floats, or a float and an inline int that is exact as one (others are
 * compared by ops.h). */
static inline bool exact_real(val v) {
    return val_int(v) <= (int64_t)1 << 53 && val_int(v) >= -((int64_t)1 << 53);
}

static inline bool both_real(val a, val b, double *x, double *y) {
    if (val_is_real(a)) {
        *x = val_real(a);
        if (val_is_real(b))
            *y = val_real(b);
        else if (val_is_int(b) && exact_real(b))
            *y = (double)val_int(b);
        else
            return false;
        return true;
    }
    if (!val_is_int(a) || !val_is_real(b) || !exact_real(a)) return false;
    *x = (double)val_int(a);
    *y = val_real(b);
    return true;
}

enum { UNKNOWN = -1, RAISED = -2 };
#ifdef LABELS
#define CONTAINS(container, item) UNKNOWN
#else
#define CONTAINS(container, item) contains_directly(vm, container, item)
/* Whether a set or dict has it; UNKNOWN: the slow path finds out. */
static inline int contains_directly(struct vm *vm, val container, val item) {
    if (!val_is_ref(container)) return UNKNOWN;
    uint32_t type = vm_obj(vm, container)->type;
    int found;
    val v;
    /* A set is looked for as a frozenset: that is for the slow path. */
    if (type == TYPE_VAL(set) / 8 && !vm_is(vm, item, KIND_SET))
        found = set_has(vm, container, item);
    else if (type == TYPE_VAL(dict) / 8)
        found = dict_get(vm, container, item, &v);
    else
        return UNKNOWN;
    if (likely(found >= 0)) return found;
    if (!vm->slow_wanted) return RAISED;
    vm->slow_wanted = false;
    return UNKNOWN;
}
#endif

static inline int64_t floor_mod(int64_t a, int64_t b) {
    int64_t r = a % b;
    return r != 0 && (r ^ b) < 0 ? r + b : r;
}

static inline int64_t floor_div(int64_t a, int64_t b) {
    int64_t q = a / b;
    return (a % b != 0) && ((a ^ b) < 0) ? q - 1 : q;
}

#define REAL_RESULT(d)                   \
    do {                                 \
        double d_ = (d);                 \
        if (likely(val_real_fits(d_))) { \
            R[A] = val_of_real(d_);      \
            NEXT;                        \
        }                                \
        val v_ = float_new(vm, d_);      \
        if (!v_) SLOW(STEP_RAISE);       \
        R[A] = v_;                       \
        NEXT;                            \
    } while (0)

/* The tag bit stays out of one operand, so that the sum is tagged again. */
#define INT_ADD(a, b)                                                          \
    do {                                                                       \
        int64_t r_;                                                            \
        if (likely(                                                            \
                !__builtin_add_overflow((int64_t)(a), (int64_t)(b)-1, &r_))) { \
            R[A] = (val)r_;                                                    \
            NEXT;                                                              \
        }                                                                      \
    } while (0)
#define INT_SUB(a, b)                                                          \
    do {                                                                       \
        int64_t r_;                                                            \
        if (likely(                                                            \
                !__builtin_sub_overflow((int64_t)(a), (int64_t)(b)-1, &r_))) { \
            R[A] = (val)r_;                                                    \
            NEXT;                                                              \
        }                                                                      \
    } while (0)

#define COMPARE(name, sign)                                                \
    op_##name : {                                                          \
        val a = R[B], b = R[C];                                            \
        double x, y;                                                       \
        if (likely(val_both_int(a, b))) {                                  \
            R[A] = val_of_bool((int64_t)a sign(int64_t) b);                \
            NEXT;                                                          \
        }                                                                  \
        if (both_real(a, b, &x, &y)) {                                     \
            R[A] = val_of_bool(x sign y);                                  \
            NEXT;                                                          \
        }                                                                  \
        SLOW(operate_compare(vm, OP_##name, a, b, RET_BOTH(RET_COMPARE))); \
    }
#define COMPARE_JUMP(name, sign)                                           \
    op_##name : {                                                          \
        val a = R[A], b = R[B];                                            \
        double x, y;                                                       \
        if (likely(val_both_int(a, b))) {                                  \
            BRANCH((int64_t)a sign(int64_t) b);                            \
            NEXT;                                                          \
        }                                                                  \
        if (both_real(a, b, &x, &y)) {                                     \
            BRANCH(x sign y);                                              \
            NEXT;                                                          \
        }                                                                  \
        pc++;                                                              \
        SLOW(operate_compare(vm, OP_##name, a, b, RET_BOTH(RET_COMPARE))); \
    }
#define COMPARE_JUMP_I(name, sign)                            \
    op_##name : {                                             \
        val a = R[A];                                         \
        int64_t i = (int8_t)B;                                \
        if (likely(val_is_int(a))) {                          \
            BRANCH(val_int(a) sign i);                        \
            NEXT;                                             \
        }                                                     \
        if (val_is_real(a)) {                                 \
            BRANCH(val_real(a) sign(double) i);               \
            NEXT;                                             \
        }                                                     \
        pc++;                                                 \
        SLOW(operate_compare(vm, OP_##name, a, val_of_int(i), \
                             RET_BOTH(RET_COMPARE)));         \
    }
#define BINARY(name) \
    op_##name : SLOW(operate_binary(vm, OP_##name, R[B], R[C], RET_A));

#if defined LABELS
enum vm_status vm_run_labels(struct vm *vm) {
#elif defined PENDING
enum vm_status vm_run_pending(struct vm *vm) {
#else
enum vm_status vm_run(struct vm *vm) {
    if (vm->labels) return vm_run_labels(vm);
    if (vm_root(vm)->pending) return vm_run_pending(vm);
#endif
    static const void *const go[256] = {
#define OP(name, format, meaning) [OP_##name] = &&op_##name,
#include "lang/opcodes.def"
#undef OP
    };
    char *const base = vm->heap.base;
    struct root *const root = vm_root(vm);
#ifndef LABELS
    const struct native *const *natives = vm->engine->natives;
#endif
    struct oframe *f;
    const struct ocode *code;
    const uint32_t *words, *pc;
    const val *K;
    val *R;
    const struct omodule *M;
    struct cache *caches;
    uint32_t w = 0;
    enum step step;
    val leaving;          /* what a frame returns */
    val callee;           /* what CALL calls, */
    unsigned nargs;       /* with how many arguments, self counted, */
    uint8_t how;          /* and what is done with its value */
    int has;              /* of `in`: 0, 1, UNKNOWN or RAISED */
    uint64_t retried = 0; /* frame and pc of an instruction tried again */
#ifdef LABELS
    uint16_t label = 0; /* joined from the operands of the instruction in w */
    uint32_t began = 0; /* where that instruction stands */
#endif

    vm_clock_start(vm);
    if (root->exception) {
        step = STEP_RAISE;
        f = AT(oframe, root->frame);
        words = pc = code_words(vm, f->code) + f->pc;
        goto unwind;
    }
enter:
    f = AT(oframe, root->frame);
    code = AT(ocode, f->code);
    words = (uint32_t *)AT(ostore, code->words)->data;
    K = AT(otuple, code->consts)->item;
    R = f->reg;
    M = AT(omodule, AT(ofunc, f->func)->globals);
    caches = vm->caches + code->cache_base;
    pc = words + f->pc;
    ENTER_NEXT;

#ifdef LABELS
next:
    if (unlikely(label)) {
        SAVE;
        if (!taint_finish(vm, f, w, began, label)) {
            vm->memory_failed = false; /* it is done: not to be done again */
            goto unwind;
        }
    }
fetch:
    if (unlikely(root->pending)) goto check;
fetched:
    began = (uint32_t)(pc - words);
    if (unlikely(began == f->join)) {
        f->control = f->control_before;
        f->h.label = f->floor_before;
        f->join = NO_JOIN;
    }
    w = *pc++;
    {
        unsigned flow = op_flows[w & 0xff];
        label = f->h.label;
        if ((flow & FROM_A) && value_label(vm, R[A]))
            label = label_join(vm->labels, label, value_label(vm, R[A]));
        if ((flow & FROM_B) && value_label(vm, R[B]))
            label = label_join(vm->labels, label, value_label(vm, R[B]));
        if ((flow & FROM_C) && value_label(vm, R[C]))
            label = label_join(vm->labels, label, value_label(vm, R[C]));
        if (flow & FROM_MORE) label = taint_gather(vm, f, w, label);
        vm->ambient = label;
    }
    goto *go[w & 0xff];
#endif
#if defined PENDING
fetch:
    if (root->pending) goto check;
fetched:
    w = *pc++;
    goto *go[w & 0xff];
#endif
#if defined PENDING || defined LABELS
check:
    step = pending_check(vm, f, *pc, (uint32_t)(pc - words));
    if (step == STEP_DONE) goto fetched;
    if (step == STEP_FRAME) goto enter;
    if (step == STEP_STOP) goto stop;
    vm->memory_failed = false;
    goto unwind;
#endif

after:
    if (step == STEP_DONE) {
        pc = words + f->pc;
        /* A slow comparison may have gone back in a loop. */
        if (unlikely(vm->fuel < 0)) goto look;
        NEXT;
    }
#ifdef LABELS
    vm->ambient = 0;
    if (step == STEP_FRAME)
        taint_enter(vm, f, AT(oframe, root->frame), w, label);
#endif
    if (step == STEP_FRAME) {
        if (unlikely(--vm->fuel < 0)) goto look_frame;
        goto enter;
    }
    if (step == STEP_STOP) goto stop;
    if (vm->memory_failed) {
        /* Nothing was changed yet: collect and do the instruction again,
         * once. */
        vm->memory_failed = false;
        uint64_t here = root->frame ^ ((uint64_t)f->pc << 40);
        bool again = vm->retrying && here == retried;
        if (!again && heap_ref(&vm->heap, f) == root->frame) {
            retried = here;
            exc_take(vm);
            f->pc -= op_words[w & 0xff];
            heap_collect(vm);
            vm->retrying = true; /* until the next look: no pc comes twice
                                    before one */
            vm_look_soon(vm);
            goto enter;
        }
    }
unwind:
#ifdef LABELS
    vm->ambient = 0;
#endif
    step = unwind(vm);
    if (step == STEP_FRAME) goto enter;
    goto stop;

look: /* between two instructions; pc is at the next one */
    SAVE;
#ifdef LABELS
    if (label && !taint_finish(vm, f, w, began, label)) {
        vm->memory_failed = false;
        goto unwind;
    }
#endif
look_frame:
    vm->retrying = false;
    if (vm->collect_wanted) heap_collect(vm);
    if (!vm_look(vm)) {
        f = AT(oframe, root->frame);
        f->pc++; /* errors are looked up by the word before pc */
        step = STEP_RAISE;
        goto unwind;
    }
    if (unlikely(vm->pause) && !vm->steady) {
        vm->pause = false;
        vm->status = VM_PAUSED;
        goto stop;
    }
    goto enter;

stop:
    vm_clock_stop(vm);
    return vm->status;

    /* -- moves -- */
op_MOVE:
    R[A] = R[B];
    NEXT;
op_MOVX : {
    uint32_t x = *pc++;
    R[x & 0xffff] = R[x >> 16];
    NEXT;
}
op_LOADK:
    R[A] = K[INS_BX(w)];
    NEXT;
op_LOADKX:
    R[A] = K[*pc++];
    NEXT;
op_LOADI:
    R[A] = val_of_int(INS_SB(w));
    NEXT;
op_LOADNONE:
    R[A] = VAL_NONE;
    NEXT;
op_LOADBOOL:
    R[A] = val_of_bool(B);
    NEXT;
op_UNSET:
    R[A] = VAL_UNSET;
    NEXT;
op_CHECK:
    if (likely(R[A])) NEXT;
    SLOW(slow_unbound(vm, INS_BX(w)));
op_DELVAR:
    if (!R[A]) SLOW(slow_unbound(vm, INS_BX(w)));
    R[A] = VAL_UNSET;
    NEXT;

    /* -- names -- */
op_GETG : {
    unsigned slot = INS_BX(w);
    val v = STORE(M->slots)[slot];
    if (unlikely(!v)) v = STORE(M->builtins)[slot];
    if (unlikely(!v)) SLOW(slow_global(vm, slot));
    R[A] = v;
    NEXT;
}
op_GETGC : {
    unsigned slot = INS_BX(w);
    val v = STORE(M->slots)[slot];
    R[A + 1] = VAL_UNSET;
    if (unlikely(!v)) v = STORE(M->builtins)[slot];
    if (unlikely(!v)) SLOW(slow_global(vm, slot));
    R[A] = v;
    NEXT;
}
op_SETG:
    STORE(M->slots)[INS_BX(w)] = R[A];
    NEXT;
op_DELG:
    if (!STORE(M->slots)[INS_BX(w)]) SLOW(slow_global(vm, INS_BX(w)));
    STORE(M->slots)[INS_BX(w)] = VAL_UNSET;
    NEXT;
op_GETN:
    SLOW(slow_get_name(vm, w));
op_SETN:
    SLOW(slow_set_name(vm, w));
op_DELN:
    SLOW(slow_del_name(vm, w));
op_MKCELL:
    SLOW(slow_make_cell(vm, w));
op_GETCELL : {
    val v = AT(ocell, R[B])->value;
    if (unlikely(!v)) SLOW(slow_unbound_cell(vm, w));
    R[A] = v;
    NEXT;
}
op_SETCELL:
    AT(ocell, R[A])->value = R[B];
    NEXT;
op_DELCELL:
    if (!AT(ocell, R[A])->value) SLOW(slow_unbound_cell(vm, w));
    AT(ocell, R[A])->value = VAL_UNSET;
    NEXT;
op_GETFREE : {
    val cells = AT(ofunc, f->func)->closure;
    val v = AT(ocell, AT(otuple, cells)->item[B])->value;
    if (unlikely(!v)) SLOW(slow_unbound_free(vm, B));
    R[A] = v;
    NEXT;
}
op_SETFREE : {
    val cells = AT(ofunc, f->func)->closure;
    AT(ocell, AT(otuple, cells)->item[B])->value = R[A];
    NEXT;
}
op_DELFREE : {
    val cells = AT(ofunc, f->func)->closure;
    struct ocell *cell = AT(ocell, AT(otuple, cells)->item[B]);
    if (!cell->value) SLOW(slow_unbound_free(vm, B));
    cell->value = VAL_UNSET;
    NEXT;
}
op_GETFREEN:
    SLOW(slow_get_free_name(vm, w));
op_FREECELL:
    R[A] = AT(otuple, AT(ofunc, f->func)->closure)->item[B];
    NEXT;

    /* -- attributes and items -- */
op_GETA : {
    uint32_t x = *pc++;
    val o = R[B];
    struct cache *c = &caches[x >> 16];
    if (IS(o, KIND_INSTANCE)) {
        const struct oinstance *i = AT(oinstance, o);
        if (c->shape == i->shape && c->how == CACHE_SLOT &&
            c->version == AT(otype, (val)i->h.type * 8)->version) {
            val v = STORE(i->store)[c->pos];
            if (likely(v)) {
                R[A] = v;
                NEXT;
            }
        }
    }
    SLOW(attr_get_cached(vm, o, AT(otuple, code->names)->item[x & 0xffff], c,
                         RET_A));
}
op_SETA : {
    uint32_t x = *pc++;
    val o = R[A];
    struct cache *c = &caches[x >> 16];
    if (IS(o, KIND_INSTANCE)) {
        struct oinstance *i = AT(oinstance, o);
        if (c->shape == i->shape &&
            c->version == AT(otype, (val)i->h.type * 8)->version) {
            if (c->how == CACHE_SLOT) {
                STORE(i->store)[c->pos] = R[B];
                NEXT;
            }
            if (c->how == CACHE_ADD && i->store &&
                AT(ostore, i->store)->size > c->pos * sizeof(val)) {
                struct ostore *s = AT(ostore, i->store);
                s->data[c->pos] = R[B];
                s->used = (c->pos + 1u) * sizeof(val);
                i->shape = c->value;
                NEXT;
            }
        }
    }
    SLOW(attr_set_cached(vm, o, AT(otuple, code->names)->item[x & 0xffff], R[B],
                         c));
}
op_DELA : {
    uint32_t x = *pc++;
    SLOW(attr_del(vm, R[A], AT(otuple, code->names)->item[x & 0xffff],
                  (struct ret){.how = RET_DROP}));
}
op_GETM : {
    uint32_t x = *pc++;
    val o = R[B];
    struct cache *c = &caches[x >> 16];
    if (val_is_ref(o)) {
        const struct obj *h = OBJ(o);
        if (c->version == AT(otype, (val)h->type * 8)->version &&
            (c->how == CACHE_TYPE_METHOD ||
             (c->how == CACHE_METHOD && h->kind == KIND_INSTANCE &&
              AT(oinstance, o)->shape == c->shape))) {
            R[A] = c->value;
            R[A + 1] = o;
            NEXT;
        }
    }
    SLOW(attr_get_method(vm, o, AT(otuple, code->names)->item[x & 0xffff], c,
                         A));
}
op_GETSUPER : {
    uint32_t x = *pc++;
    val name = AT(otuple, code->names)->item[x & 0xffff];
    SLOW(attr_get_super(vm, R[B], R[B + 1], name, RET_A));
}
op_GETI : {
    val o = R[B], i = R[C];
    if (likely(val_is_int(i)) && IS_TYPE(o, list)) {
        const struct olist *l = AT(olist, o);
        int64_t n = val_int(i);
        if (n < 0) n += (int64_t)l->len;
        if (likely((uint64_t)n < l->len)) {
            R[A] = STORE(l->store)[l->head + (uint64_t)n];
            NEXT;
        }
    } else if (val_is_int(i) && IS_TYPE(o, tuple)) {
        const struct otuple *t = AT(otuple, o);
        int64_t n = val_int(i);
        if (n < 0) n += t->len;
        if (likely((uint64_t)n < t->len)) {
            R[A] = t->item[n];
            NEXT;
        }
    } else if (IS_TYPE(o, dict)) {
        val v;
        int found = dict_get(vm, o, i, &v);
        if (likely(found > 0)) {
            R[A] = v;
            NEXT;
        }
        if (found < 0 && !vm->slow_wanted) SLOW(STEP_RAISE);
        vm->slow_wanted = false;
    } else if (val_is_int(i) && IS_TYPE(o, str)) {
        const struct ostr *s = AT(ostr, o);
        int64_t n = val_int(i);
        if (n < 0) n += s->chars;
        if (likely((uint64_t)n < s->chars)) {
            val v = text_at(vm, o, (uint64_t)n);
            if (unlikely(!v)) SLOW(STEP_RAISE);
            R[A] = v;
            NEXT;
        }
    }
    SLOW(operate_getitem(vm, o, i, RET_A));
}
op_GETII : {
    val o = R[B];
    int64_t n = INS_SC(w);
    if (IS_TYPE(o, list)) {
        const struct olist *l = AT(olist, o);
        int64_t i = n < 0 ? n + (int64_t)l->len : n;
        if (likely((uint64_t)i < l->len)) {
            R[A] = STORE(l->store)[l->head + (uint64_t)i];
            NEXT;
        }
    } else if (IS_TYPE(o, tuple)) {
        const struct otuple *t = AT(otuple, o);
        int64_t i = n < 0 ? n + t->len : n;
        if (likely((uint64_t)i < t->len)) {
            R[A] = t->item[i];
            NEXT;
        }
    }
    SLOW(operate_getitem(vm, o, val_of_int(n), RET_A));
}
op_SETI : {
    val o = R[A], i = R[B];
    if (likely(val_is_int(i)) && IS_TYPE(o, list)) {
        const struct olist *l = AT(olist, o);
        int64_t n = val_int(i);
        if (n < 0) n += (int64_t)l->len;
        if (likely((uint64_t)n < l->len)) {
            STORE(l->store)[l->head + (uint64_t)n] = R[C];
            NEXT;
        }
    } else if (IS_TYPE(o, dict)) {
        if (likely(dict_set(vm, o, i, R[C]) == 0)) NEXT;
        if (!vm->slow_wanted) SLOW(STEP_RAISE);
        vm->slow_wanted = false;
    }
    SLOW(operate_setitem(vm, o, i, R[C]));
}
op_DELI:
    SLOW(operate_delitem(vm, R[A], R[B]));
op_SLICE : {
    val v = slice_new(vm, R[B], R[B + 1], R[B + 2]);
    if (!v) SLOW(STEP_RAISE);
    R[A] = v;
    NEXT;
}
op_GETSPECIAL:
    SLOW(slow_get_special(vm, w));

    /* -- arithmetic -- */
op_IADD:
op_ADD : {
    val a = R[B], b = R[C];
    double x, y;
    if (likely(val_both_int(a, b)))
        INT_ADD(a, b);
    else if (both_real(a, b, &x, &y))
        REAL_RESULT(x + y);
    else if (IS_TYPE(a, str) && IS_TYPE(b, str)) {
        val v = text_concat(vm, a, b);
        if (unlikely(!v)) SLOW(STEP_RAISE);
        R[A] = v;
        NEXT;
    } else if (val_is_int(a) && (b == VAL_TRUE || b == VAL_FALSE)) {
        INT_ADD(a, val_of_int(b == VAL_TRUE)); /* counting what holds */
    }
    SLOW(operate_binary(vm, INS_OP(w), a, b, RET_A));
}
op_ISUB:
op_SUB : {
    val a = R[B], b = R[C];
    double x, y;
    if (likely(val_both_int(a, b)))
        INT_SUB(a, b);
    else if (both_real(a, b, &x, &y))
        REAL_RESULT(x - y);
    SLOW(operate_binary(vm, INS_OP(w), a, b, RET_A));
}
op_IMUL:
op_MUL : {
    val a = R[B], b = R[C];
    double x, y;
    int64_t r;
    if (likely(val_both_int(a, b))) {
        if (likely(!__builtin_mul_overflow((int64_t)a - 1, val_int(b), &r))) {
            R[A] = (val)r + 1;
            NEXT;
        }
    } else if (both_real(a, b, &x, &y)) {
        REAL_RESULT(x * y);
    }
    SLOW(operate_binary(vm, INS_OP(w), a, b, RET_A));
}
op_IDIV:
op_DIV : {
    val a = R[B], b = R[C];
    double x, y;
    if (both_real(a, b, &x, &y) && y != 0.0) REAL_RESULT(x / y);
    if (val_both_int(a, b) && b != val_of_int(0)) {
        int64_t i = val_int(a), k = val_int(b);
        const int64_t exact = (int64_t)1 << 53;
        if (i < exact && i > -exact && k < exact && k > -exact)
            REAL_RESULT((double)i / (double)k);
    }
    SLOW(operate_binary(vm, INS_OP(w), a, b, RET_A));
}
op_IFLOORDIV:
op_FLOORDIV : {
    val a = R[B], b = R[C];
    if (val_both_int(a, b) && b != val_of_int(0)) {
        int64_t q = floor_div(val_int(a), val_int(b));
        if (val_int_fits(q)) {
            R[A] = val_of_int(q);
            NEXT;
        }
    }
    SLOW(operate_binary(vm, INS_OP(w), a, b, RET_A));
}
op_IMOD:
op_MOD : {
    val a = R[B], b = R[C];
    if (val_both_int(a, b) && b != val_of_int(0)) {
        R[A] = val_of_int(floor_mod(val_int(a), val_int(b)));
        NEXT;
    }
    SLOW(operate_binary(vm, INS_OP(w), a, b, RET_A));
}
op_IAND:
op_AND:
    if (val_both_int(R[B], R[C])) {
        R[A] = R[B] & R[C];
        NEXT;
    }
    SLOW(operate_binary(vm, INS_OP(w), R[B], R[C], RET_A));
op_IOR:
op_OR:
    if (val_both_int(R[B], R[C])) {
        R[A] = R[B] | R[C];
        NEXT;
    }
    SLOW(operate_binary(vm, INS_OP(w), R[B], R[C], RET_A));
op_IXOR:
op_XOR:
    if (val_both_int(R[B], R[C])) {
        R[A] = (R[B] ^ R[C]) | 1;
        NEXT;
    }
    SLOW(operate_binary(vm, INS_OP(w), R[B], R[C], RET_A));
op_IRSHIFT:
op_RSHIFT:
    if (val_both_int(R[B], R[C]) && R[C] < val_of_int(62)) {
        R[A] = val_of_int(val_int(R[B]) >> val_int(R[C]));
        NEXT;
    }
    SLOW(operate_binary(vm, INS_OP(w), R[B], R[C], RET_A));
op_ILSHIFT:
op_LSHIFT:
    if (val_both_int(R[B], R[C]) && R[C] < val_of_int(32)) {
        int64_t i = val_int(R[B]);
        if (i < (1ll << 30) && i > -(1ll << 30)) {
            R[A] = val_of_int(i * ((int64_t)1 << val_int(R[C])));
            NEXT;
        }
    }
    SLOW(operate_binary(vm, INS_OP(w), R[B], R[C], RET_A));
op_IPOW:
op_POW : {
    val a = R[B], b = R[C];
    double x, y;
    if (both_real(a, b, &x, &y) && x > 0) {
        double power = pow(x, y);
        if (likely(isfinite(power))) REAL_RESULT(power);
    }
    SLOW(operate_binary(vm, INS_OP(w), a, b, RET_A));
}
    BINARY(MATMUL)
    BINARY(IMATMUL)
op_ADDI : {
    val a = R[B];
    if (likely(val_is_int(a))) INT_ADD(a, val_of_int(INS_SC(w)));
    if (val_is_real(a)) REAL_RESULT(val_real(a) + (double)INS_SC(w));
    SLOW(operate_binary(vm, OP_ADD, a, val_of_int(INS_SC(w)), RET_A));
}
op_SUBI : {
    val a = R[B];
    if (likely(val_is_int(a))) INT_SUB(a, val_of_int(INS_SC(w)));
    if (val_is_real(a)) REAL_RESULT(val_real(a) - (double)INS_SC(w));
    SLOW(operate_binary(vm, OP_SUB, a, val_of_int(INS_SC(w)), RET_A));
}
op_IADDI : {
    val a = R[B];
    if (likely(val_is_int(a))) INT_ADD(a, val_of_int(INS_SC(w)));
    if (val_is_real(a)) REAL_RESULT(val_real(a) + (double)INS_SC(w));
    SLOW(operate_binary(vm, OP_IADD, a, val_of_int(INS_SC(w)), RET_A));
}
op_ISUBI : {
    val a = R[B];
    if (likely(val_is_int(a))) INT_SUB(a, val_of_int(INS_SC(w)));
    if (val_is_real(a)) REAL_RESULT(val_real(a) - (double)INS_SC(w));
    SLOW(operate_binary(vm, OP_ISUB, a, val_of_int(INS_SC(w)), RET_A));
}
op_NEG:
    if (val_is_int(R[B]) && val_int(R[B]) != INT_INLINE_MIN) {
        R[A] = val_of_int(-val_int(R[B]));
        NEXT;
    }
    if (val_is_real(R[B])) REAL_RESULT(-val_real(R[B]));
    SLOW(operate_unary(vm, OP_NEG, R[B], RET_A));
op_POS:
    SLOW(operate_unary(vm, OP_POS, R[B], RET_A));
op_INVERT:
    if (val_is_int(R[B])) {
        R[A] = val_of_int(~val_int(R[B]));
        NEXT;
    }
    SLOW(operate_unary(vm, OP_INVERT, R[B], RET_A));
op_NOT : {
    val v = R[B];
    if (v == VAL_TRUE || v == VAL_FALSE) {
        R[A] = val_of_bool(v == VAL_FALSE);
        NEXT;
    }
    if (val_is_int(v)) {
        R[A] = val_of_bool(v == val_of_int(0));
        NEXT;
    }
    SLOW(operate_truth(vm, v, RET_BOTH(RET_TRUTH)));
}

    /* -- comparison -- */
op_EQ : {
    val a = R[B], b = R[C];
    double x, y;
    if (val_both_int(a, b)) {
        R[A] = val_of_bool(a == b);
        NEXT;
    }
    if (both_real(a, b, &x, &y)) {
        R[A] = val_of_bool(x == y);
        NEXT;
    }
    if (IS_TYPE(a, str) && IS_TYPE(b, str)) {
        R[A] = val_of_bool(text_equal(vm, a, b));
        NEXT;
    }
    SLOW(operate_compare(vm, OP_EQ, a, b, RET_BOTH(RET_COMPARE)));
}
op_NE : {
    val a = R[B], b = R[C];
    double x, y;
    if (val_both_int(a, b)) {
        R[A] = val_of_bool(a != b);
        NEXT;
    }
    if (both_real(a, b, &x, &y)) {
        R[A] = val_of_bool(x != y);
        NEXT;
    }
    if (IS_TYPE(a, str) && IS_TYPE(b, str)) {
        R[A] = val_of_bool(!text_equal(vm, a, b));
        NEXT;
    }
    SLOW(operate_compare(vm, OP_NE, a, b, RET_BOTH(RET_COMPARE)));
}
    COMPARE(LT, <)
    COMPARE(LE, <=)
    COMPARE(GT, >)
    COMPARE(GE, >=)
op_IN:
op_NOTIN:
    has = CONTAINS(R[C], R[B]);
    if (has >= 0) {
        R[A] = val_of_bool(has == (INS_OP(w) == OP_IN));
        NEXT;
    }
    if (has == RAISED) SLOW(STEP_RAISE);
    SLOW(operate_contains(vm, R[C], R[B], RET_BOTH(RET_CONTAINS)));
op_IS:
    R[A] = val_of_bool(PLAIN(R[B]) == PLAIN(R[C]));
    NEXT;
op_ISNOT:
    R[A] = val_of_bool(PLAIN(R[B]) != PLAIN(R[C]));
    NEXT;

    /* -- jumps -- */
op_JUMP : {
    int32_t by = INS_SJ(w);
    pc += by;
    if (by < 0 && unlikely(--vm->fuel < 0)) goto look;
    NEXT;
}
op_JTRUTH : {
    val v = R[A];
    if (likely(v == VAL_TRUE || v == VAL_FALSE)) {
        BRANCH(v == VAL_TRUE);
        NEXT;
    }
    if (val_is_int(v)) {
        BRANCH(v != val_of_int(0));
        NEXT;
    }
    if (v == VAL_NONE) {
        BRANCH(false);
        NEXT;
    }
    pc++;
    SLOW(operate_truth(vm, v, RET_BOTH(RET_TRUTH)));
}
op_JNONE:
    BRANCH(PLAIN(R[A]) == VAL_NONE);
    NEXT;
op_JIS:
    BRANCH(PLAIN(R[A]) == PLAIN(R[B]));
    NEXT;
op_JUNSET:
    BRANCH(R[A] == VAL_UNSET);
    NEXT;
op_JEQ : {
    val a = R[A], b = R[B];
    double x, y;
    if (val_both_int(a, b)) {
        BRANCH(a == b);
        NEXT;
    }
    if (both_real(a, b, &x, &y)) {
        BRANCH(x == y);
        NEXT;
    }
    if (IS_TYPE(a, str) && IS_TYPE(b, str)) {
        BRANCH(text_equal(vm, a, b));
        NEXT;
    }
    pc++;
    SLOW(operate_compare(vm, OP_JEQ, a, b, RET_BOTH(RET_COMPARE)));
}
op_JNE : {
    val a = R[A], b = R[B];
    double x, y;
    if (val_both_int(a, b)) {
        BRANCH(a != b);
        NEXT;
    }
    if (both_real(a, b, &x, &y)) {
        BRANCH(x != y);
        NEXT;
    }
    if (IS_TYPE(a, str) && IS_TYPE(b, str)) {
        BRANCH(!text_equal(vm, a, b));
        NEXT;
    }
    pc++;
    SLOW(operate_compare(vm, OP_JNE, a, b, RET_BOTH(RET_COMPARE)));
}
    COMPARE_JUMP(JLT, <)
    COMPARE_JUMP(JLE, <=)
    COMPARE_JUMP(JGT, >)
    COMPARE_JUMP(JGE, >=)
op_JIN:
    has = CONTAINS(R[B], R[A]);
    if (has >= 0) {
        BRANCH((bool)has);
        NEXT;
    }
    pc++;
    if (has == RAISED) SLOW(STEP_RAISE);
    SLOW(operate_contains(vm, R[B], R[A], RET_BOTH(RET_CONTAINS)));
    COMPARE_JUMP_I(JEQI, ==)
    COMPARE_JUMP_I(JLTI, <)
    COMPARE_JUMP_I(JLEI, <=)
    COMPARE_JUMP_I(JGTI, >)
    COMPARE_JUMP_I(JGEI, >=)

    /* -- iteration -- */
op_ITER : {
    val v = R[B];
    if (IS(v, KIND_GENERATOR) || IS(v, KIND_ITER)) {
        if (OBJ(v)->type != TYPE_VAL(coroutine) / 8 &&
            OBJ(v)->type != TYPE_VAL(async_generator) / 8) {
            R[A] = v;
            NEXT;
        }
    }
    SLOW(iterate(vm, v, RET_A));
}
op_FOR : {
    val it = R[A];
    if (likely(IS(it, KIND_ITER))) {
        struct oiter *i = AT(oiter, it);
        if (i->what == ITER_RANGE && i->source) {
            val left = i->extra[0];
            if ((int64_t)left < (int64_t)val_of_int(1)) {
                i->source = VAL_UNSET;
                TAKE;
                NEXT;
            }
            int64_t now = (int64_t)i->pos;
            i->extra[0] = left - 2; /* one less, tagged */
            i->pos += (uint64_t)val_int(i->extra[1]);
            if (likely(val_int_fits(now))) {
                R[B] = val_of_int(now);
                pc++;
                NEXT;
            }
        } else if (i->what == ITER_LIST && i->source) {
            const struct olist *l = AT(olist, i->source);
            if (i->pos < l->len) {
                R[B] = STORE(l->store)[l->head + i->pos++];
                pc++;
            } else {
                i->source = VAL_UNSET;
                TAKE;
            }
            NEXT;
        } else if (i->what == ITER_TUPLE && i->source) {
            const struct otuple *t = AT(otuple, i->source);
            if (i->pos < t->len) {
                R[B] = t->item[i->pos++];
                pc++;
            } else {
                i->source = VAL_UNSET;
                TAKE;
            }
            NEXT;
        }
        val item;
        SAVE;
        enum iter_step s = iter_next(vm, it, &item);
        if (likely(s == ITER_ITEM)) {
            R[B] = item;
            pc++;
            NEXT;
        }
        if (s == ITER_END) {
            TAKE;
            NEXT;
        }
        if (!vm->slow_wanted) {
            pc++;
            SLOW(STEP_RAISE);
        }
        vm->slow_wanted = false;
    }
    pc++;
#if !defined LABELS && !defined PENDING
    if (IS_TYPE(it, generator) && gen_waits(vm, AT(ogen, it))) {
        SAVE;
        gen_continue(vm, AT(ogen, it),
                     (struct ret){RET_NEXT, (uint8_t)B, 0, w});
        if (unlikely(--vm->fuel < 0)) goto look_frame;
        goto enter;
    }
#endif
    SLOW(iterate_next(vm, it, (struct ret){RET_NEXT, (uint8_t)B, 0, w}));
}

    /* -- making things -- */
op_TUPLE : {
    val v = C ? tuple_new(vm, &R[B], C) : VAL_EMPTY_TUPLE;
    if (!v) SLOW(STEP_RAISE);
    R[A] = v;
    NEXT;
}
op_LIST : {
    val v = list_new(vm, &R[B], C);
    if (!v) SLOW(STEP_RAISE);
    R[A] = v;
    NEXT;
}
op_SET:
    SLOW(slow_make_set(vm, w));
op_MAP:
    SLOW(slow_make_dict(vm, w));
op_MAPK : {
    val v = dict_from_keys(vm, K[*pc++], &R[B]);
    if (!v) SLOW(STEP_RAISE);
    R[A] = v;
    NEXT;
}
op_APPEND : {
    const struct olist *l = AT(olist, R[A]);
    if (likely(l->store)) {
        struct ostore *s = AT(ostore, l->store);
        uint64_t at = l->head + l->len;
        if (likely(at < s->size / sizeof(val))) {
            s->data[at] = R[B];
            s->used = (at + 1) * sizeof(val);
            AT(olist, R[A])->len++;
            NEXT;
        }
    }
    if (list_append(vm, R[A], R[B])) SLOW(STEP_RAISE);
    NEXT;
}
op_ADDSET:
    SLOW(slow_add_set(vm, w));
op_PUTMAP:
    SLOW(operate_setitem(vm, R[A], R[B], R[C]));
op_EXTEND:
    SLOW(slow_extend(vm, w));
op_UPDATESET:
    SLOW(slow_update_set(vm, w));
op_UPDATEMAP:
    SLOW(slow_update_map(vm, w));
op_MERGEKW:
    SLOW(slow_merge_keywords(vm, w));
op_TOTUPLE : {
    val v = tuple_new(vm, list_items(vm, R[B]), list_len(vm, R[B]));
    if (!v) SLOW(STEP_RAISE);
    R[A] = v;
    NEXT;
}
op_UNPACK : {
    val v = R[B];
    if (IS_TYPE(v, tuple) && AT(otuple, v)->len == C) {
        memmove(&R[A], AT(otuple, v)->item, C * sizeof(val));
        NEXT;
    }
    SLOW(slow_unpack(vm, w));
}
op_UNPACKEX:
    pc++;
    SLOW(slow_unpack_star(vm, w));
op_FORMAT : {
    val v = value_format(vm, R[B], R[B + 1], (int)C);
    if (unlikely(!v)) SLOW(slow_format(vm, w));
    R[A] = v;
    NEXT;
}
op_CONCAT : {
    val v = text_join(vm, &R[B], C);
    if (!v) SLOW(STEP_RAISE);
    R[A] = v;
    NEXT;
}

    /* -- functions and calls -- */
op_CLOSURE:
    SLOW(slow_closure(vm, w));
op_CALLEE:
    R[A] = R[B];
    R[A + 1] = VAL_UNSET;
    NEXT;
op_CALL:
    callee = R[A];
    how = RET_VALUE;
    if (unlikely(!IS(callee, KIND_FUNCTION))) goto call_other;
    nargs = B + (R[A + 1] != VAL_UNSET);
#if !defined LABELS && !defined PENDING
call_function :
#endif
{
    const struct ocode *co = AT(ocode, AT(ofunc, callee)->code);
    if (unlikely(co->simple != nargs + 1) &&
        !defaults_serve(vm, AT(ofunc, callee), co, nargs))
        goto call_any;
    if (unlikely(root->depth >= vm->limits.depth)) goto call_any;
    struct oframe *g = frame_take(vm, co->frame_class);
    if (unlikely(!g)) goto call_any;
    SAVE;
    clear(g->reg + nargs, g->reg + co->nregs);
    g->h = (struct obj){.kind = KIND_FRAME,
                        .type = (uint32_t)(TYPE_VAL(frame) / 8)};
    g->code = AT(ofunc, callee)->code;
    g->func = callee;
    g->back = heap_ref(&vm->heap, f);
    g->handled = f->handled;
    g->owner = VAL_UNSET;
    g->nregs = co->nregs;
    g->ret_word = w;
    g->ret_reg = (uint8_t)A;
    g->ret_how = how;
    g->state = 0;
    g->size_class = (uint8_t)co->frame_class;
    const val *arg = &R[A + 2 + B - nargs];
    for (unsigned i = 0; i < nargs; i++)
        g->reg[i] = arg[i];
    if (unlikely(co->simple != nargs + 1))
        take_defaults(vm, AT(ofunc, callee), co, nargs, g->reg);
#ifdef LABELS
    taint_begin(vm, g, f);
    taint_enter(vm, f, g, w, label);
#endif
#if defined LABELS || defined PENDING
    g->tried = 0;
#endif
    root->depth++;
    root->frame = heap_ref(&vm->heap, g);
    f = g;
    code = co;
    words = pc = (uint32_t *)AT(ostore, co->words)->data;
    K = AT(otuple, co->consts)->item;
    R = g->reg;
    M = AT(omodule, AT(ofunc, callee)->globals);
    caches = vm->caches + co->cache_base;
    if (likely(--vm->fuel >= 0)) ENTER_NEXT;
    g->pc = 0;
    goto look_frame;
}
call_other:
#ifndef LABELS /* native_apply() is for these */
    if (IS(callee, KIND_NATIVE)) {
        const struct onative *o = AT(onative, callee);
        unsigned flags = o->flags, self = R[A + 1] != VAL_UNSET;
        unsigned most = flags >> 8 & 0xff, least = flags >> 16 & 0xff;
        unsigned n = B + self;
        val *args = &R[A + 2 - self];
        /* A method reached through its object has the right self. */
        if ((flags & NATIVE_PLAIN) && n <= most && n >= least &&
            self >= (flags & NATIVE_METHOD) &&
            (n == most || args + most <= R + f->nregs)) {
            SAVE;
            for (; n < most; n++)
                args[n] = VAL_UNSET;
            val v = natives[o->number]->fn(vm, args, most);
            if (likely(v)) {
                R[A] = v;
                NEXT;
            }
            if (!vm->slow_wanted) SLOW(STEP_RAISE);
            vm->slow_wanted = false;
            goto call_any;
        }
        val v;
        if ((flags & NATIVE_SPREAD) && self >= (flags & NATIVE_METHOD) &&
            !(flags & (NATIVE_CLASS | NATIVE_NEW))) {
            SAVE;
            if (native_spread(vm, o, VAL_UNSET, args, n, &v)) {
                if (likely(v)) {
                    R[A] = v;
                    NEXT;
                }
                if (!vm->slow_wanted) SLOW(STEP_RAISE);
                vm->slow_wanted = false;
            }
        }
        goto call_any;
    }
#endif
#if !defined LABELS && !defined PENDING
    if (IS(callee, KIND_TYPE) && !R[A + 1]) {
        SAVE;
        if (!(AT(otype, callee)->flags & TYPE_HEAP)) {
            val v = class_directly(vm, callee, &R[A + 2], B);
            if (likely(v)) {
                R[A] = v;
                NEXT;
            }
            if (root->exception) SLOW(STEP_RAISE);
            goto call_any;
        }
        /* The instance takes the place of the self that a class has not. */
        val init = class_maker(vm, callee);
        const struct ofunc *fn = init ? AT(ofunc, init) : NULL;
        const struct ocode *co = init ? AT(ocode, fn->code) : NULL;
        if (init &&
            (co->simple == B + 2 || defaults_serve(vm, fn, co, B + 1))) {
            val made = class_instance(vm, callee);
            if (!made) SLOW(STEP_RAISE);
            R[A] = R[A + 1] = made;
            callee = init;
            nargs = B + 1;
            how = RET_INIT;
            goto call_function;
        }
    }
#endif
call_any : {
    if (how == RET_INIT) { /* no frame: as if it had not begun */
        R[A] = (val)OBJ(R[A])->type * 8;
        R[A + 1] = VAL_UNSET;
    }
    unsigned self = R[A + 1] != VAL_UNSET;
    SLOW(call_any(vm, R[A], &R[A + 2 - self], B + self, VAL_UNSET, RET_A));
}
op_CALLKW : {
    val names = K[*pc++];
    unsigned n = B - AT(otuple, names)->len;
    val *args = &R[A + 2];
    if (R[A + 1]) {
        args--;
        n++;
    }
    SLOW(call_any(vm, R[A], args, n, names, RET_A));
}
op_CALLEX:
    SLOW(call_spread(vm, R[A], R[A + 1], R[A + 2], R[A + 3], RET_A));
op_RETNONE:
    leaving = VAL_NONE;
    goto leave;
op_RETURN:
    leaving = R[A];
leave : {
    val v = leaving;
#ifdef LABELS
    vm->ambient = label = 0;
    v = taint_answer(vm, f, v);
    if (unlikely(!v)) {
        SAVE;
        vm->memory_failed = false;
        goto unwind;
    }
    if (unlikely(f->owner)) taint_yielded(vm, f);
#endif
    if (unlikely(f->owner)) SLOW(gen_return(vm, v));
    val left = root->frame;
    root->frame = f->back;
    root->depth--;
    if (likely(f->ret_how == RET_VALUE)) {
        AT(oframe, f->back)->reg[f->ret_reg] = v;
        frame_give(vm, left, f);
        goto enter;
    }
#ifndef LABELS /* taint_deliver() is for these */
    if (f->ret_how == RET_INIT && v == VAL_NONE) {
        frame_give(vm, left, f);
        goto enter;
    }
    if (f->ret_how == RET_BINARY && v != VAL_NOTIMPLEMENTED) {
        AT(oframe, f->back)->reg[f->ret_reg] = v;
        frame_give(vm, left, f);
        goto enter;
    }
#endif
    step = returned(vm, left, f, v);
    if (step == STEP_DONE || step == STEP_FRAME) goto enter;
    if (step == STEP_STOP) goto stop;
    vm->memory_failed = false;
    goto unwind;
}
op_RESULT:
    root->result = R[A];
    NEXT;
op_BUILDCLASS:
    R[A] = vm_prelude(vm, PRELUDE_build_class);
    NEXT;
op_PRELUDE:
    R[A] = vm_prelude(vm, (enum prelude_id)INS_BX(w));
    NEXT;

    /* -- exceptions -- */
op_RAISE:
    SLOW(slow_raise(vm, R[A], B ? R[A + 1] : VAL_UNSET));
op_RERAISE:
    SLOW(slow_reraise(vm, B ? VAL_UNSET : R[A]));
op_EXCENTER:
    R[A + 1] = f->handled;
    f->handled = R[A];
    NEXT;
op_EXCLEAVE:
    f->handled = R[A + 1];
    NEXT;
op_EXCMATCH:
    SLOW(slow_match_exception(vm, w));

    /* -- generators -- */
op_YIELD:
#ifdef LABELS
    R[B] = taint_answer(vm, f, R[B]);
    if (!R[B]) SLOW(STEP_RAISE);
    vm->ambient = label = 0;
    taint_yielded(vm, f);
#elif !defined PENDING
    if (likely(f->ret_how == RET_NEXT && IS_TYPE(f->owner, generator))) {
        SAVE;
        AT(oframe, f->back)->reg[f->ret_reg] = R[B];
        AT(ogen, f->owner)->state = GEN_SUSPENDED;
        gen_leave(vm, f);
        if (unlikely(--vm->fuel < 0)) goto look_frame;
        goto enter;
    }
#endif
    SLOW(gen_yield(vm, R[B]));
op_DELEGATE:
    SLOW(gen_delegate(vm, w));
op_AWAITABLE:
    SLOW(slow_awaitable(vm, w));

    /* -- modules -- */
op_IMPORT:
    SLOW(slow_import(vm, w));
op_IMPORTFROM : {
    uint32_t x = *pc++;
    SLOW(slow_import_from(vm, R[B], AT(otuple, code->names)->item[x & 0xffff],
                          RET_A));
}
op_IMPORTALL:
    SLOW(slow_import_all(vm, R[A]));
}
