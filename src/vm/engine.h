/* SPDX-License-Identifier: MIT
 *
 * engine -- what all runs of a process share: the table of natives and the
 * template, both made once and never changed.
 *
 * The template's fixed part: singletons, classes (builtin.h), the root that
 * served while it was made, then struct template_head.
 */
#ifndef CORDON_VM_ENGINE_H
#define CORDON_VM_ENGINE_H

#include "vm/builtin.h"
#include "vm/pack.h"

enum prelude_id {
#define PRELUDE(name) PRELUDE_##name,
#include "lang/prelude.def"
#undef PRELUDE
    PRELUDE_COUNT,
};

/* Names that C code compares with or looks up. */
enum name_id {
#define NAME(id, text) NAME_##id,
#include "vm/names.def"
#undef NAME
    NAME_COUNT,
};

struct template_head {
    val memory_error;      /* when not even an exception can be made */
    val builtins;          /* module: globals of the prelude */
    val modules;           /* dict: name -> tuple (module of natives, code); a
                              module kept as text has bytes, see pack.h */
    struct pack pack;      /* of those bytes */
    val names[NAME_COUNT]; /* interned */
    val special_index;     /* dict: "__init__" ... -> its number; the methods of
                              binary operators have that of ARITH */
    val specials[SPECIAL_COUNT]; /* interned "__init__" ... */
    val prelude[PRELUDE_COUNT];  /* functions */
};

#define TEMPLATE_ROOT TYPES_END_VAL
#define TEMPLATE_HEAD (TEMPLATE_ROOT + ((sizeof(struct root) + 15) & ~15ull))

static inline struct template_head *template_head(const struct vm *vm) {
    return heap_at(&vm->heap, TEMPLATE_HEAD);
}

static inline val vm_name(const struct vm *vm, enum name_id id) {
    return template_head(vm)->names[id];
}

static inline val vm_prelude(const struct vm *vm, enum prelude_id id) {
    return template_head(vm)->prelude[id];
}

enum step_id {
    STEP_ID_NONE,
#define STEP(name) STEP_ID_##name,
#include "vm/steps.def"
#undef STEP
};

struct engine {
    const struct native **natives; /* by number */
    uint8_t *steps; /* beside it: enum step_id of those that push frames */
    uint32_t nnatives;
    uint32_t ncaches;  /* inline caches of the template's code */
    const void *bytes; /* the template, which begins every range */
    void *owned;       /* the same where it was made here, else NULL */
    bool shared;       /* it is a shared mapping, of which ranges get another */
    uint64_t size;
    val names;             /* see struct heap */
    uint32_t type_version; /* last one given to a class of the template */
    uint64_t build;        /* tells templates apart: their bytes, hashed */
    uint64_t key[2];       /* of the process, for tables nobody sees */
};

/* The process's engine, made at the first call; NULL and *e on failure. */
const struct engine *engine_get(struct err *e);

/* Frees what the process shares; no run may be left. For leak checkers. */
void engine_fini(void);

/* A fresh run: root filled in, nothing loaded. Its range comes from a small
 * pool of the process where there is one that fits, and goes back there. */
int vm_init(struct vm *vm, const struct engine *engine,
            const struct vm_limits *limits, struct err *e);
void vm_fini(struct vm *vm);
/* Frees without the pool. */
void vm_drop(struct vm *vm);
/* Room for the caches of code loaded since. */
int vm_grow_caches(struct vm *vm, struct err *e);
/* Root and budget of a run whose heap was just made or reset. */
void vm_begin(struct vm *vm);

#endif
