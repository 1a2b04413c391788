/* SPDX-License-Identifier: MIT
 *
 * scope -- which variable each name means, as CPython's symtable decides it.
 *
 * A scope is a module, a class body, a function (or lambda) or a comprehension.
 * List, set and dict comprehensions run inside the frame of the code around
 * them: their variables are registers of that unit, so reading a variable of
 * the unit from inside one captures nothing. Generator expressions are units
 * of their own.
 *
 * The pass also refuses what the grammar lets through but Python does not
 * (`return` outside a function, two starred targets, ...), and mangles private
 * names (`__x` in class C becomes `_C__x`) in the tree.
 */
#ifndef CORDON_LANG_SCOPE_H
#define CORDON_LANG_SCOPE_H

#include "lang/parse.h"

enum scope_kind {
    SCOPE_MODULE,
    SCOPE_CLASS,
    SCOPE_FUNCTION,      /* def and lambda */
    SCOPE_GENERATOR,     /* generator expression */
    SCOPE_COMPREHENSION, /* list, set or dict: part of the unit around it */
};

/* Where a variable lives, as the code of a scope reaches it. */
enum var_place {
    VAR_UNRESOLVED,
    VAR_LOCAL,     /* a register of the unit */
    VAR_CELL,      /* a cell in a register of the unit */
    VAR_FREE,      /* a cell handed to the unit by the code around it */
    VAR_GLOBAL,    /* a slot of the module, else a builtin */
    VAR_NAME,      /* a class body's namespace, else as VAR_GLOBAL */
    VAR_NAME_FREE, /* a class body's namespace, else as VAR_FREE */
};

enum var_flags {
    VAR_USED = 1,
    VAR_BOUND = 2, /* assigned, imported, defined, a loop's target ... */
    VAR_PARAM = 4,
    VAR_IS_GLOBAL = 8, /* declared global */
    VAR_IS_NONLOCAL = 16,
    VAR_DELETED = 32, /* by del, or at the end of `except ... as` */
    VAR_ANNOTATED = 64,
    VAR_ITERATION = 128, /* target of a comprehension's for */
    VAR_WALRUS = 256,
};

struct variable {
    uint32_t name;
    uint16_t flags;     /* enum var_flags */
    uint8_t place;      /* enum var_place */
    uint16_t number;    /* register or free cell, given by the compiler; for
                           VAR_FREE the position in the unit's free list */
    struct scope *home; /* the scope whose variable it is (LOCAL, CELL) */
};

struct scope {
    uint8_t kind;         /* enum scope_kind */
    bool async;           /* async def, or a comprehension that awaits */
    bool generator;       /* has a yield */
    bool uses_class_cell; /* a class with methods that need __class__ */
    struct node *node;
    struct node *annotate; /* a function's: the lambda that makes the dict of
                              its annotations, or NULL */
    struct scope *parent;  /* the scope around it */
    struct scope *unit;    /* whose frame it runs in: itself, unless a
                              comprehension */
    struct scope *comprehensions, *last_comprehension; /* of a unit */
    struct scope *next_comprehension;
    struct scope *next;    /* all scopes of a module, outermost first */
    struct variable *vars; /* in the order of their first mention */
    uint32_t *index;       /* name -> position + 1; only when there are many */
    uint32_t nvars, vars_cap, slots;
    uint32_t class_name; /* for mangling: the innermost class, or NAME_NONE */
    uint32_t *free;      /* names of a unit's free cells, in order */
    uint32_t nfree, free_cap;
};

/* Annotated names of this scope are kept with their values in __annotations__:
 * in a class, and in a module that mentions that name. */
bool scope_keeps_annotations(const struct ast *ast, const struct scope *s);

/* Fills the scope of every node that has one. As parse(): -1 and a fault, or
 * another failure. */
int scope_analyse(struct ast *ast, struct arena *a, struct fault *fault,
                  struct err *e);

/* The variable a name means in a scope, or NULL where it is not mentioned. */
struct variable *scope_find(const struct scope *s, uint32_t name);

#endif
