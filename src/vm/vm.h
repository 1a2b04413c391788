/* SPDX-License-Identifier: MIT
 *
 * vm -- one run of a program: its heap, its budget, where it stands.
 *
 * Everything the program owns is in the heap; this struct holds only what the
 * host needs to drive it, and `struct root`, the few references from which all
 * live objects are reached, is itself stored at the start of the run's part of
 * the range. No C stack frame belongs to a suspended run. One thread at a time;
 * no globals.
 */
#ifndef CORDON_VM_VM_H
#define CORDON_VM_VM_H

#include "base/buf.h"
#include "base/err.h"
#include "cordon.h"
#include "vm/heap.h"

enum exc {
#define EXC(name, base) EXC_##name,
#include "vm/exceptions.def"
#undef EXC
    EXC_COUNT,
};

enum special {
#define SPECIAL(name, text) SPECIAL_##name,
#include "lang/specials.def"
#undef SPECIAL
    SPECIAL_COUNT,
};

/* How a finished frame hands its value on. Most calls use RET_VALUE; the others
 * complete an instruction of the caller that needed a Python call. The caller's
 * pc stands behind the whole instruction; frame.ret_word is the instruction. */
enum ret_how {
    RET_VALUE,    /* R[ret_reg] = value */
    RET_DROP,     /* value is ignored: __setattr__, __setitem__ */
    RET_NONE,     /* value is ignored and R[ret_reg] = None: setattr() */
    RET_INIT,     /* __init__ must return None; R[ret_reg] is already there */
    RET_TRUTH,    /* of __bool__ (state 0) or __len__ (1): decides the pending
                     jump or lands in a register, by ret_word */
    RET_CONTAINS, /* of __contains__: its truth likewise */
    RET_COMPARE,  /* __eq__ and the like; NotImplemented tries the other side */
    RET_BINARY,   /* __add__ and the like; NotImplemented likewise */
    RET_ITER,     /* of __iter__: must be an iterator; R[ret_reg] = value */
    RET_NEXT,     /* __next__ of a FOR; StopIteration ends the loop */
    RET_SEND,     /* DELEGATE's iterator: a value is yielded on, its end lands
                     in R[ret_reg] */
    RET_AWAIT,    /* of __await__: must be an iterator */
    RET_ATTR,     /* a getter of GETA: AttributeError tries __getattr__ */
    RET_CLOSE,    /* generator.close(): GeneratorExit or the end is success */
    RET_END       /* the program's own frame */
};

/* An activation. Registers follow; the collector traces all of them. */
struct oframe {
    struct obj h;
    val code;
    val func;    /* the function, for its closure and globals */
    val back;    /* the caller's frame, or VAL_UNSET */
    val handled; /* exception being handled here or in a caller, or unset */
    val owner;   /* the generator it belongs to, or unset */
    uint32_t pc;
    uint32_t nregs;
    uint32_t ret_word;
    uint8_t ret_reg;
    uint8_t ret_how;    /* enum ret_how */
    uint8_t state;      /* free for ret_how: which side was tried ... */
    uint8_t size_class; /* of the heap, 0 for a large one */
    /* Of runs with labels alone, see taint.h; h.label is the floor. */
    uint32_t join;    /* pc at which control is as it was, or NO_JOIN */
    uint16_t control; /* label of what decided that this is executed */
    uint16_t answer;  /* joins what the frame returns or yields */
    uint16_t control_before, floor_before; /* what they are at `join` again */
    uint16_t control_in; /* what control was at the frame's beginning */
    uint16_t unused;
    /* While values are pending, see pending.h: */
    uint32_t tried; /* 1 + the last pc within a block with handlers, or 0 */
    uint32_t unused_too;
    val reg[];
};

/* The run's live references. Stored in the heap at the fixed offset
 * heap.template_end, so that a snapshot is the bytes from there to top. */
struct root {
    val frame;     /* the running or suspended frame */
    val exception; /* in flight, or unset */
    val module;    /* the program's globals */
    val modules;   /* dict of imported modules */
    val result;    /* value of the last expression */
    val call;      /* suspended host call: tuple (hostfn, args, kwargs, id) */
    val pending;   /* list of boxes that are not in their places, or unset */
    val waiting;   /* list of ids of calls that the run waits for, or unset */
    val interned;  /* store: strings interned by this run */
    val shapes;    /* store: (parent shape, key) -> child shape */
    val shape;     /* the empty shape */
    val value;     /* what the outermost frame returned */
    val type_patches; /* reserved for mutable state of template types */
    val repr;         /* list of containers whose repr Python code is making */
    val answered;     /* the frame to which the host answered last */
    val patterns;     /* list of what pattern.c has compiled, or unset */
    val made;         /* dict: text -> function (load_made), or unset */
    val spare[1];
    uint32_t call_how, call_reg, call_state, call_word; /* its struct ret */
    uint64_t answered_pc;                               /* and where it was */
    uint64_t next_id;                                   /* id() counter */
    uint64_t next_call;                                 /* host call counter */
    uint64_t table_seed;              /* of the interned strings and shapes */
    uint64_t hash_key[2], hash_keyed; /* of crowded tables: see hash_secret */
    uint64_t seed[2], drawn, seeded;  /* of randomness: see history.h */
    uint64_t depth;                   /* frames on the stack */
    uint64_t type_version;            /* last version handed to a class */
};

struct vm_limits {
    uint64_t steps;  /* fuel units */
    uint64_t memory; /* heap bytes */
    int64_t time_ns; /* of execution; waiting for the host does not count */
    uint64_t output; /* bytes printed */
    uint32_t depth;  /* Python frames */
    uint32_t calls;  /* host calls */
};

enum vm_status {
    VM_READY,  /* nothing running */
    VM_DONE,   /* finished; root.result holds the value */
    VM_RAISED, /* ended by an uncaught exception: root.exception */
    VM_CALL,   /* waits for the host: root.call */
    VM_WAIT,   /* all tasks wait for pending calls */
    VM_LIMIT,  /* a limit ended it; `fired` says which */
    VM_PAUSED  /* between two instructions, because that was asked for */
};

enum vm_limit {
    LIMIT_NONE,
    LIMIT_STEPS,
    LIMIT_MEMORY,
    LIMIT_TIME,
    LIMIT_OUTPUT,
    LIMIT_DEPTH,
    LIMIT_CALLS,
    LIMIT_CANCELLED
};

struct vm {
    struct heap heap;
    int64_t fuel;        /* until the next look at the clock, cancellation,
                            collection or the end of the budget */
    int64_t fuel_parked; /* taken out of `fuel` to make the loop look up soon */
    int64_t fuel_slice;  /* what the present slice began with */
    uint64_t fuel_spent; /* all earlier slices; spent stays spent */
    struct vm_limits limits;
    enum vm_status status;
    enum vm_limit fired;
    int64_t time_spent_ns;
    int64_t slice_began_ns;
    uint64_t output_spent;
    uint32_t calls_spent;
    uint32_t c_depth; /* vm_enter() levels */
    bool collect_wanted;
    bool memory_failed;     /* an allocation was refused in this instruction */
    bool retrying;          /* an instruction is tried again after that */
    bool slow_wanted;       /* vm_slow() was asked for */
    volatile bool cancel;   /* set from a signal handler or another thread */
    volatile bool pause;    /* likewise: the loop stops at its next look */
    bool steady;            /* code of ours runs, which is not paused */
    struct buf output;      /* printed text, capped by limits.output */
    cordon_print_fn *print; /* instead of output, when set */
    void *print_user;
    bool reraising; /* the exception in flight has this frame's line */
    bool raising;   /* MemoryError is being made from the reserve */
    bool building;  /* the template is being made: dicts keep to their
                       own form, objects are pinned afterwards */
    bool library;   /* what is compiled is a module of ours: it sees the
                       prelude's own names, and shows in no traceback */
    bool made;      /* likewise, but it sees only what programs see */
    const struct engine *engine;    /* natives and template, shared by runs */
    struct cache *caches;           /* inline caches by number; only hints */
    uint32_t ncaches;               /* room in caches */
    uint32_t next_cache;            /* first number not given to code yet */
    struct lookup *lookups;         /* class attributes by version and name */
    uint32_t run_number;            /* of the runs this range has served */
    uint32_t type_version;          /* last version given to a class */
    struct pattern_cache *patterns; /* compiled regular expressions, or NULL */
    struct history *journal;        /* NULL: nothing is recorded or replayed */
    struct label_table *labels;     /* NULL: values carry none */
    uint16_t ambient; /* label that every new object gets, see taint.h */
    void *host;       /* the API layer's own */
};

/* A run begins: nothing spent yet. */
void vm_budget_begin(struct vm *vm);
/* Time counts between these two. */
void vm_clock_start(struct vm *vm);
void vm_clock_stop(struct vm *vm);
/* Units of fuel spent so far. */
uint64_t vm_steps(const struct vm *vm);

static inline struct root *vm_root(struct vm *vm) {
    return (struct root *)(vm->heap.base + vm->heap.template_end);
}

static inline const struct root *vm_root_const(const struct vm *vm) {
    return (const struct root *)(vm->heap.base + vm->heap.template_end);
}

static inline struct obj *vm_obj(const struct vm *vm, val v) {
    return (struct obj *)(vm->heap.base + v);
}

/* -- labels, see taint.h ----------------------------------------------------
 */

static inline uint16_t value_label(const struct vm *vm, val v) {
    return val_is_ref(v) ? vm_obj(vm, v)->label : 0;
}

/* The value a labelled small one stands for; any other as it is. */
val value_plain_slow(const struct vm *vm, val v);
static inline val value_plain(const struct vm *vm, val v) {
    return value_label(vm, v) ? value_plain_slow(vm, v) : v;
}

/* v is an object of this kind (any class with that layout). */
static inline bool vm_is(const struct vm *vm, val v, enum kind k) {
    return val_is_ref(v) && v && vm_obj(vm, v)->kind == k;
}

#endif
