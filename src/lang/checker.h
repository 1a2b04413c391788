/* SPDX-License-Identifier: MIT
 *
 * checker -- what the files of check share; check.h is its interface.
 */
#ifndef CORDON_LANG_CHECKER_H
#define CORDON_LANG_CHECKER_H

#include "lang/check.h"
#include "lang/scope.h"

/* What is known about a name of the module, when it is bound only once. */
enum fact_kind {
    FACT_NONE,
    FACT_MODULE,   /* import module [as name] */
    FACT_MEMBER,   /* from module import member [as name] */
    FACT_FUNCTION, /* def name(...), without decorators */
};

struct fact {
    uint8_t kind;            /* enum fact_kind */
    uint32_t binds;          /* places anywhere that bind such a name */
    uint32_t module;         /* MODULE, MEMBER: its name */
    uint32_t member;         /* MEMBER */
    const struct node *args; /* FUNCTION: its parameters */
};

struct checker {
    struct ast *ast;
    const struct check_world *world;
    struct arena *arena;
    struct err *e;
    struct scope *scope;
    struct fact *facts; /* by name */
    uint32_t nfacts;
    unsigned guarded; /* inside `try` with handlers, or the like */
    bool dynamic;     /* names may come from anywhere */
    bool failed;      /* out of memory */
    unsigned count;
    struct finding *first, **last;
};

static inline str check_text(const struct checker *ck, uint32_t name) {
    return name_text(&ck->ast->names, name);
}

void check_report(struct checker *ck, const struct node *n, const char *fmt,
                  ...) __attribute__((format(printf, 3, 4)));

/* Collects the facts (check_facts.c). */
int check_facts(struct checker *ck);
const struct fact *check_fact(const struct checker *ck, uint32_t name);

/* A call against parameters (check_call.c). `name` is shown. */
void check_call(struct checker *ck, const struct node *call, str name,
                const struct node *args);
/* ... against a signature in words. */
void check_signature(struct checker *ck, const struct node *call, str name,
                     const char *signature);

/* The host's functions (check_tool.c). */
const struct check_function *check_function(const struct checker *ck, str space,
                                            str name);
bool check_space(const struct checker *ck, str space);
/* A space, or a function without one, with nearly this name; or NULL. */
const char *check_near_space(struct checker *ck, str name);
void check_unknown_function(struct checker *ck, const struct node *n, str space,
                            str name);
void check_tool(struct checker *ck, const struct node *call,
                const struct check_function *f);

#endif
