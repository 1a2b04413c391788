/* SPDX-License-Identifier: MIT
 *
 * emit -- one code unit in the making: words, constants, names, registers,
 * jumps, handlers, places.
 *
 * A failure (memory, a limit of the format) is remembered in the compiler and
 * turns everything after it into nothing, so that code which emits need not
 * check each step; compile_source() asks once, at the end.
 */
#ifndef CORDON_LANG_EMIT_H
#define CORDON_LANG_EMIT_H

#include "lang/bytecode.h"
#include "lang/compile.h"
#include "lang/lines.h"
#include "lang/scope.h"

enum {
    EMIT_NEAR = 200, /* variables in registers that can be operands */
    EMIT_REGS = 256, /* registers that can be operands */
    EMIT_JUMP_MAX = (1 << 23) - 1,
};

/* Everything one compilation shares. */
struct compiler {
    struct ast *ast;
    struct arena *arena;
    const struct compile_env *env;
    struct fault *fault;
    struct err *e;
    bool failed;
    int32_t *slots; /* global slot by name + 1; 0: not asked yet */
    uint32_t nslots;
    struct lines lines;
};

/* A growing array in the arena. */
struct vec {
    void *at;
    uint32_t count, cap;
};

/* Where a jump goes. Jumps that are made before it is known are chained
 * through their own words. */
struct label {
    int32_t pc;    /* -1: not placed yet */
    int32_t chain; /* the last word that jumps here, -1: none */
};
#define LABEL ((struct label){-1, -1})

struct block;

struct emitter {
    struct compiler *c;
    struct emitter *outer;
    struct scope *unit;  /* the scope this unit is for */
    struct scope *scope; /* the scope code is being made for: unit, or a
                            comprehension in it */
    struct vec words, consts, names, handlers, spans, varnames;
    uint32_t *name_index; /* by number of the name, open addressing */
    uint32_t name_slots;
    unsigned top;  /* first register that is free */
    unsigned high; /* registers a frame needs */
    unsigned ncaches;
    uint32_t tags;                   /* handlers numbered so far */
    struct block *block;             /* innermost, see compiler.h */
    uint32_t start, end;             /* place of what is being emitted */
    uint32_t noted_start, noted_end; /* ... of the last word */
    uint64_t assigned[4]; /* near variables that certainly have a value */
    bool unreachable;     /* code here can never run */
    str qualname;
};

void emit_init(struct emitter *em, struct compiler *c, struct emitter *outer,
               struct scope *unit);

/* -- words -- */

uint32_t emit_abc(struct emitter *em, enum op op, unsigned a, unsigned b,
                  unsigned c);
uint32_t emit_abx(struct emitter *em, enum op op, unsigned a, unsigned bx);
uint32_t emit_word(struct emitter *em, uint32_t word);
/* With the name and a fresh cache slot in the word behind. */
void emit_named(struct emitter *em, enum op op, unsigned a, unsigned b,
                uint32_t name);
uint32_t emit_pc(const struct emitter *em);

/* The place the next words come from. */
static inline void emit_at(struct emitter *em, const struct node *n) {
    em->start = n->start;
    em->end = n->end;
}

/* -- tables -- */

uint32_t emit_const(struct emitter *em, const struct constant *k);
void emit_load(struct emitter *em, unsigned reg, const struct constant *k);
void emit_load_text(struct emitter *em, unsigned reg, str s);
unsigned emit_name(struct emitter *em, uint32_t name);
/* The number of a name that the source need not mention. */
uint32_t emit_intern(struct emitter *em, const char *name);
int emit_global(struct emitter *em, uint32_t name); /* its slot */

/* -- registers -- */

/* n consecutive registers; given back by setting `top` to what it was. */
unsigned emit_temp(struct emitter *em, unsigned n);

/* -- jumps -- */

void emit_jump(struct emitter *em, struct label *to);
/* Instruction and the jump it takes. */
void emit_branch(struct emitter *em, enum op op, unsigned a, unsigned b,
                 unsigned c, struct label *to);
void emit_label(struct emitter *em, struct label *l); /* it is here */

/* -- handlers -- */

/* Exceptions of words start..end go to a handler, with the exception in reg.
 * Call for inner ranges first. Where the handler is may be said later: `tag`
 * stands for it until emit_handler_at(). */
void emit_handler(struct emitter *em, uint32_t start, uint32_t end,
                  uint32_t tag, unsigned reg);
void emit_handler_at(struct emitter *em, uint32_t tag); /* it is here */
uint32_t emit_handler_tag(struct emitter *em);

/* -- failures; the first one stays -- */

void emit_fail(struct emitter *em, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* The finished unit, without its name, parameters and flags. */
struct code_unit *emit_finish(struct emitter *em);

void *vec_add(struct compiler *c, struct vec *v, size_t size);

#endif
