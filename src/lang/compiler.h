/* SPDX-License-Identifier: MIT
 *
 * compiler -- what the files of the compiler share; compile.h is its
 * interface.
 *
 * Expressions leave their value in a register. Asked for ANY register they may
 * answer with a variable's own, which nothing writes before it is used:
 * variables that := can rebind in the middle of an expression are copied.
 * Asked for a certain one, they write it with their last instruction only, so
 * that it may be a variable that the expression itself reads.
 */
#ifndef CORDON_LANG_COMPILER_H
#define CORDON_LANG_COMPILER_H

#include "lang/emit.h"

enum { ANY = -1 };

enum special {
#define SPECIAL(name, text) SPECIAL_##name,
#include "lang/specials.def"
#undef SPECIAL
};

enum prelude {
#define PRELUDE(name) PRELUDE_##name,
#include "lang/prelude.def"
#undef PRELUDE
};

/* A statement around the one being compiled that return, break, continue and
 * exceptions pass through. */
enum block_kind {
    BLOCK_LOOP,    /* break and continue end here */
    BLOCK_TRY,     /* body of try with handlers */
    BLOCK_HANDLER, /* an except clause: leaving ends the handling */
    BLOCK_FINALLY, /* everything a finally is for: leaving goes through it */
    BLOCK_FINAL,   /* the finally's own body */
    BLOCK_WITH,    /* body of with: leaving calls __exit__ */
};

/* A way out of a BLOCK_FINALLY: what to do when its body has run. */
struct way_out {
    struct way_out *next;
    struct block *loop; /* break or continue of this loop; NULL: return */
    bool is_break;
    int16_t number; /* value of the state register */
};

struct block {
    enum block_kind kind;
    struct block *outer;
    uint32_t tag;         /* handler of the range; unused in a LOOP */
    uint32_t range_start; /* words from here on are covered */
    bool left;            /* ... but not while code that leaves it is made */
    unsigned reg; /* base of its registers, by kind: see compile_try.c */
    struct label *break_to, *continue_to; /* LOOP */
    struct label *body;                   /* FINALLY: the finally's body */
    struct way_out *ways;                 /* FINALLY */
    int16_t nways;
    uint32_t name;           /* HANDLER: of `as`, unbound when leaving */
    const struct node *node; /* WITH */
    bool async;              /* WITH */
};

/* -- names (compile_name.c) -- */

struct variable *name_variable(struct emitter *em, uint32_t name);
int name_load(struct emitter *em, const struct node *n, uint32_t name,
              int want);
void name_store(struct emitter *em, uint32_t name, unsigned reg);
void name_delete(struct emitter *em, uint32_t name);
void name_unbind(struct emitter *em, uint32_t name); /* bound or not */
/* The register that a store may write directly, or ANY. */
int name_register(struct emitter *em, uint32_t name);
void name_assigned(struct emitter *em, uint32_t name);
void name_open_unit(struct emitter *em, const struct node_arguments *args);
void name_open_scope(struct emitter *em, struct scope *s); /* comprehension */
void name_close_scope(struct emitter *em);
const uint16_t *name_captures(struct emitter *em, const struct scope *unit);

/* -- expressions -- */

int expr(struct emitter *em, const struct node *n, int want);
/* In a register of its own, which is the next temporary. */
unsigned expr_next(struct emitter *em, const struct node *n);
void expr_drop(struct emitter *em, const struct node *n);
/* The value as a constant, if it is one without running anything. */
bool expr_constant(struct emitter *em, const struct node *n,
                   struct constant *out);
bool expr_small_int(const struct node *n, int64_t *out);
void expr_binary(struct emitter *em, unsigned op, bool in_place, int to,
                 unsigned left, unsigned right);

/* Jumps to l when the truth of n is `when`, else goes on. */
void cond_jump(struct emitter *em, const struct node *n, bool when,
               struct label *l);
int cond_bool(struct emitter *em, const struct node *n, int want);
int cond_compare(struct emitter *em, const struct node *n, int want);

int chain_expr(struct emitter *em, const struct node *n, int want);
bool call_is_super(struct emitter *em, const struct node *n);
unsigned call_super(struct emitter *em, const struct node *n);
bool call_super_attribute(struct emitter *em, const struct node *n,
                          unsigned to);
/* Arguments behind a callee at `base`, and the call. */
void call_finish(struct emitter *em, unsigned base, unsigned given,
                 const struct nodes *args, const struct nodes *keywords);
/* A call of a function of the prelude: arguments go to the result + 2 on. */
unsigned call_helper(struct emitter *em, enum prelude number);

int build_display(struct emitter *em, const struct node *n, int want);
int build_dict(struct emitter *em, const struct node *n, int want);
int build_joined(struct emitter *em, const struct node *n, int want);
int build_comprehension(struct emitter *em, const struct node *n);
/* The loops of a comprehension; `add` is called for each element. */
void build_loops(struct emitter *em, const struct nodes *generators,
                 uint32_t first, unsigned first_iter,
                 void (*add)(struct emitter *, const struct node *, unsigned),
                 const struct node *n, unsigned result);
int await_value(struct emitter *em, unsigned reg, bool implicit);

/* -- functions and classes (compile_func.c) -- */

int func_lambda(struct emitter *em, const struct node *n);
void func_type_parameters(struct emitter *em, const struct nodes *l);
/* Their values, in the next temporaries. */
void func_load_parameters(struct emitter *em, const struct nodes *l);
int func_generator(struct emitter *em, const struct node *n);
void func_def(struct emitter *em, const struct node *n);
void func_class(struct emitter *em, const struct node *n);

/* -- statements -- */

void stmt_body(struct emitter *em, const struct nodes *l);
void stmt_assign(struct emitter *em, const struct node *target, unsigned reg);
void stmt_delete(struct emitter *em, const struct node *target);
void flow_if(struct emitter *em, const struct node *n);
void flow_while(struct emitter *em, const struct node *n);
void flow_for(struct emitter *em, const struct node *n);
void flow_async_for(struct emitter *em, const struct node *n);
void flow_return(struct emitter *em, const struct node *n);
void flow_jump(struct emitter *em, const struct node *n);
/* Next item of the async iterator into a register; jumps at its end. */
unsigned flow_anext(struct emitter *em, unsigned iter, struct label *end);
void flow_aiter(struct emitter *em, unsigned reg);

/* Leaves blocks from the innermost up to and without `stop`. False: a finally
 * took over and does the rest. */
bool flow_leave(struct emitter *em, struct block *stop, struct block *loop,
                bool is_break, int value);
void flow_resume(struct emitter *em, struct block *stop);
void block_open(struct emitter *em, struct block *b, enum block_kind kind);
void block_end_range(struct emitter *em, struct block *b);
void block_close(struct emitter *em, struct block *b);

void try_statement(struct emitter *em, const struct node *n);
void with_statement(struct emitter *em, const struct node *n);
void with_leave(struct emitter *em, const struct block *b);
void star_handlers(struct emitter *em, const struct node *n);
void match_statement(struct emitter *em, const struct node *n);

/* -- which variables have a value -- */

struct assigned {
    uint64_t bits[4];
    bool unreachable;
};
struct assigned assigned_now(const struct emitter *em);
void assigned_set(struct emitter *em, struct assigned a);
/* Where two ways meet: what both of them assigned. */
struct assigned assigned_meet(struct assigned a, struct assigned b);

/* A guarded body and its else, which goes on at `end`, then the beginning of
 * the handlers: the exception is in exc and being handled. Returns what has a
 * value at the end of the else. */
struct assigned try_guarded(struct emitter *em, const struct nodes *body,
                            const struct nodes *orelse,
                            const struct nodes *handlers, unsigned exc,
                            struct label *end);

#endif
