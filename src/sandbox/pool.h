/* SPDX-License-Identifier: MIT
 *
 * pool -- sandboxes made ahead, for a program that starts many.
 *
 * A pool holds slots; a slot is a launcher in a space of its own: ids, cgroup,
 * network and mounts. Each task gets a fresh sandbox inside a slot, which is
 * checked before the next one uses it and replaced where it is not as it was.
 *
 * One pool belongs to one session and one kind of task: two tasks of a slot
 * have the same uid outside and the same limits, one after the other. Make
 * the pool before the process holds secrets: launchers are forks of it.
 */
#ifndef CORDON_SANDBOX_POOL_H
#define CORDON_SANDBOX_POOL_H

#include "sandbox/start.h"

struct pool;

/* Tasks will be like this one in tier, root, binds, network and layers.
 * Overlays, binds below /tmp, egress and passed descriptors need a start of
 * their own; the one descriptor that a pool of zygotes passes is the socket to
 * the tools. */
int pool_new(const struct cage *like, size_t slots, struct pool **out,
             struct err *e);
void pool_free(struct pool *p); /* NULL is fine; kills what runs in it */

/* Gets tasks ready ahead in the slots that are free, for cages like the pool's
 * own in every limit; those of zygotes are alike in variables and directory as
 * well. Does not block. Ending a task does the same; call it when there is
 * time. */
void pool_tend(struct pool *p);

/* Zygotes are replaced after this many tasks, instead of ZYGOTE_TASKS. */
void pool_set_age(struct pool *p, unsigned tasks);

/* How many wait. */
size_t pool_parked(const struct pool *p);

/* For jail.c. Starts a task in a free slot; fails with ERR_LIMIT when all are
 * in use. */
int pool_launch(struct pool *p, const struct cage *c, const int std[3],
                struct started *out, size_t *slot, struct err *e);

/* What the task used, counted from its start. */
void pool_usage(struct pool *p, size_t slot, struct cgroup_usage *out);

/* After its end. The slot is looked at before it is used again. */
void pool_release(struct pool *p, size_t slot);

#endif
