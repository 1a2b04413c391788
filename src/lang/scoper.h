/* SPDX-License-Identifier: MIT
 *
 * scoper -- what the files of the scope pass share; scope.h is its interface.
 */
#ifndef CORDON_LANG_SCOPER_H
#define CORDON_LANG_SCOPER_H

#include "lang/scope.h"

/* A nonlocal statement, checked when all scopes are known. */
struct scope_nonlocal {
    struct node *node;
    struct scope *scope;
    struct scope_nonlocal *next;
};

struct scoper {
    struct ast *ast;
    struct arena *arena;
    struct fault *fault;
    struct err *e;
    struct scope *scope; /* the one being read */
    struct scope *first, *last;
    uint32_t loops;      /* loops of this unit around the statement */
    uint32_t star_try;   /* except* blocks of this unit around it */
    uint32_t star_loops; /* loops outside of the innermost such block */
    bool in_iterable;    /* in a comprehension's iterable: no walrus */
    bool code_began;     /* past the place for __future__ imports */
    bool as_text;        /* from __future__ import annotations */
    struct scope_nonlocal *nonlocals;
    struct node *value_return; /* of this function, for async generators */
    uint32_t name_class, name_super, name_future, name_debug; /* or NONE */
};

/* Gives -1. */
int scope_bad(struct scoper *sc, const struct node *n, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));

/* -- tables (scope.c) -- */

struct scope *scope_open(struct scoper *sc, enum scope_kind kind,
                         struct node *n);
void scope_close(struct scoper *sc);
struct variable *scope_mention(struct scoper *sc, struct scope *s,
                               uint32_t name, unsigned flags);
int scope_bind(struct scoper *sc, uint32_t name, unsigned flags);
int scope_use(struct scoper *sc, uint32_t name);
uint32_t scope_mangle(struct scoper *sc, uint32_t name); /* 0 on failure */
int scope_resolve(struct scoper *sc);

/* -- the walk -- */

int scope_statements(struct scoper *sc, struct nodes *l); /* scope_stmt.c */
int scope_expr(struct scoper *sc, struct node *n);        /* scope_expr.c */
int scope_exprs(struct scoper *sc, struct nodes *l);
int scope_elements(struct scoper *sc, struct nodes *l); /* may be starred */
int scope_target(struct scoper *sc, struct node *n);
int scope_call(struct scoper *sc, struct nodes *args, struct nodes *keywords);
int scope_function(struct scoper *sc, struct node *n, struct node *args,
                   struct nodes *body, struct node *value, struct scope **out);
int scope_match(struct scoper *sc, struct node *n); /* scope_match.c */
/* Of a function whose scope is known: fills its `annotate`. */
int scope_annotations(struct scoper *sc, struct node *def);
/* The expression becomes its text: what an annotation is then. */
int scope_as_text(struct scoper *sc, struct node **expr);
/* The expression becomes a lambda, which is evaluated when it is called. */
int scope_lazily(struct scoper *sc, struct node **expr);

static inline str scope_text(const struct scoper *sc, uint32_t name) {
    return name_text(&sc->ast->names, name);
}

#endif
