/* SPDX-License-Identifier: MIT
 *
 * pool -- sandboxes made ahead, for a program that starts many.
 *
 * A pool holds slots; a slot is a launcher in a space of its own: ids, cgroup,
 * network and mounts. Each task gets a fresh sandbox inside a slot, which is
 * checked before the next one uses it and replaced where it is not as it was.
 *
 * Two tasks of a slot have the same uid outside and the same limits, one after
 * the other. So tasks have an owner, a session or whoever else must not meet
 * another, and a slot that was used by one is never used by another.
 *
 * Make a pool before the process holds secrets, for launchers are forks of it;
 * or let a steward make them (steward.h), see pools.h.
 */
#ifndef CORDON_SANDBOX_POOL_H
#define CORDON_SANDBOX_POOL_H

#include "sandbox/start.h"

struct pool;

/* Tasks will be like this one in tier, root, binds, network and layers.
 * Overlays, binds below /tmp, credentials inside TLS and passed descriptors
 * need a start of their own; the one descriptor that a pool of zygotes passes
 * is the socket to the tools. */
int pool_new(const struct cage *like, size_t slots, struct pool **out,
             struct err *e);
void pool_free(struct pool *p); /* NULL is fine; kills what runs in it */

/* Gets tasks ready ahead in the slots that are free, for cages like the pool's
 * own in every limit; those of zygotes are alike in variables and directory as
 * well. Does not block. Call it when there is time: after a task ended, a slot
 * is clean a moment later. */
void pool_tend(struct pool *p);

/* Zygotes are replaced after this many tasks, instead of ZYGOTE_TASKS. */
void pool_set_age(struct pool *p, unsigned tasks);

/* How many wait. */
size_t pool_parked(const struct pool *p);

/* --- for pools.c --- */

/* A pool whose slots come from a steward, one by one; there is none yet. What
 * the cage points to must outlive the pool. */
int pool_lent(const struct cage *like, bool zygote, size_t slots,
              struct pool **out, struct err *e);
/* Takes it over, unless there are as many as there can be. */
bool pool_put(struct pool *p, const struct started *launcher);
/* There is no steward any more: what is left of the slots is ours to remove. */
void pool_orphan(struct pool *p);
/* Called when a task ended: there may be something to tend soon. */
void pool_on_release(struct pool *p, void (*fn)(void *data), void *data);

struct pool_state {
    size_t slots, busy;
    size_t spare, parked; /* free and nobody's yet; with a task that waits */
    int64_t oldest_ns;    /* of the free ones, since when; INT64_MAX: none */
};
void pool_look(const struct pool *p, struct pool_state *out);

/* Ends the slots that have been free since then or earlier. */
void pool_retire(struct pool *p, int64_t until_ns);

/* --- for jail.c --- */

/* Starts a task in a free slot; fails with ERR_LIMIT when there is none for
 * this owner. */
int pool_launch(struct pool *p, str owner, const struct cage *c,
                const int std[3], struct started *out, size_t *slot,
                struct err *e);

/* For a task with egress: where its proxy listens. The caller closes it. */
int pool_listener(struct pool *p, size_t slot, struct err *e);

/* What the task used, counted from its start. */
void pool_usage(struct pool *p, size_t slot, struct cgroup_usage *out);

/* After its end. The slot is looked at before it is used again. */
void pool_release(struct pool *p, size_t slot);

#endif
