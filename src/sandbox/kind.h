/* SPDX-License-Identifier: MIT
 *
 * kind -- what the tasks of one pool have in common, as one text.
 *
 * Tasks of which these texts are equal can use the same slots. The text also
 * tells a steward (steward.h) what to make. It holds no secret but what the
 * environment of a CPython task has.
 */
#ifndef CORDON_SANDBOX_KIND_H
#define CORDON_SANDBOX_KIND_H

#include "sandbox/cage.h"

enum { KIND_MAX_BYTES = 64 << 10 };

/* A reason why such a task needs a start of its own, as an error. */
int kind_check(const struct cage *c, struct err *e);

/* preload: the slots have a zygote that has imported these modules; NULL: they
 * have none. */
int kind_write(const struct cage *c, const char *preload, struct buf *out,
               struct err *e);

/* The cage is one that every task of the kind is like; the texts in it live in
 * the arena. */
int kind_read(str text, struct arena *a, struct cage *out, const char **preload,
              struct err *e);

#endif
