/* SPDX-License-Identifier: MIT
 *
 * pools -- sandboxes that are ready, for a program that serves many.
 *
 * Tasks are started here as with jail_start, and get a slot that was made ahead
 * where there is one for their kind (kind.h) and their owner; where there is
 * none they start cold, with the same layers, and one is made for the next.
 * As long as there is room, one slot of each kind that was asked for is kept
 * that nobody has used. What nobody uses for a while is given up.
 *
 * One descriptor to wait on, and one function that does what is due.
 */
#ifndef CORDON_SANDBOX_POOLS_H
#define CORDON_SANDBOX_POOLS_H

#include "sandbox/jail.h"
#include "sandbox/steward.h"

struct pools;

struct pools_config {
    struct steward *steward; /* borrowed; outlives the pools */
    size_t programs;         /* slots at most, of all kinds together */
    size_t pythons;          /* those with a CPython that waits */
    const char *preload;     /* modules that those have imported */
    int64_t idle_ns;         /* unused for so long, a slot is given up */
    /* Something is due soon: call pools_step in a moment. */
    void (*restless)(void *data);
    /* What went wrong, once each; tasks go on, cold. */
    void (*note)(void *data, const char *text);
    void *data;
};

int pools_new(const struct pools_config *config, struct pools **out,
              struct err *e);
void pools_free(struct pools *p); /* after the jails; NULL is fine */

/* Readable when pools_step has something to do. */
int pools_fd(const struct pools *p);
/* In how many nanoseconds it wants to be called again; -1: not by itself. */
int64_t pools_step(struct pools *p);

/* Programs like this one will come, or Python text. */
void pools_expect(struct pools *p, const struct cage *c, bool python);

/* p may be NULL: a cold start. The cage and the pools outlive the jail. */
int pools_start(struct pools *p, str owner, const struct cage *c,
                const struct jail_io *io, struct jail **out, struct err *e);

/* The same for Python text; the cage is one that zygote_describe was given the
 * text for. */
int pools_start_python(struct pools *p, str owner, struct cage *c, str text,
                       const struct jail_io *io, struct jail **out,
                       struct err *e);

/* How many tasks were started either way, for whoever wants to know. */
struct pools_count {
    uint64_t warm, cold;
    size_t slots, parked; /* at this moment */
};
void pools_count(const struct pools *p, struct pools_count *out);

#endif
