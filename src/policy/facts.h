/* SPDX-License-Identifier: MIT
 *
 * facts -- a call as rules see it: what its arguments hold, each piece with its
 * role and its label.
 */
#ifndef CORDON_POLICY_FACTS_H
#define CORDON_POLICY_FACTS_H

#include "policy/rule.h"

/* A scalar inside an argument, or the key of an object in one; arguments
 * without a role are among them. */
struct fact {
    const struct json *node;
    const struct label *label;
    enum role role;
    str arg; /* the argument's name */
};

struct role_sum {
    size_t count;
    enum integrity worst;
    enum secrecy most;
    const struct fact *worst_fact; /* the first of them */
};

struct facts {
    const struct policy *policy;
    const struct policy_call *call;
    const struct bound *bound;
    str key; /* "server.tool" */
    struct arena *arena;
    const struct fact *items;
    size_t count;
    struct role_sum roles[ROLE_COUNT];
    enum integrity worst; /* of those that select: all but content */
    struct label pc;
};

int facts_gather(struct facts *f, const struct policy_call *c,
                 const struct bound *b, struct arena *a, struct err *e);

/* The path of an argument's node; found when it is wanted, by walking again. */
int facts_path(const struct facts *f, const struct json *node, str *out,
               struct err *e);

/* Does the condition hold? *hit is the argument that made it so, or NULL. A
 * thing that cannot be known (a number that is none) is MAYBE. */
enum truth cond_holds(const struct facts *f, const struct cond *c,
                      const struct fact **hit);

/* Does a fact fit all tests of COND_ARGS? */
bool fact_fits(const struct facts *f, const struct cond *c,
               const struct fact *x);

/* The server's own hint, which may only tighten. */
bool says_destructive(const struct entry *t);

/* Of an amount so far, in a run: see spent.c. */
double spent_sum(const struct spent *s, str run, str key, str arg);
uint64_t spent_count(const struct spent *s, str scope, enum limit_kind kind,
                     const struct limit *l);

#endif
