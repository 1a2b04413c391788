/* SPDX-License-Identifier: MIT
 *
 * steward -- a small process that makes slots for one that holds secrets.
 *
 * A launcher is a fork and stays: whoever holds keys, connections and other
 * people's data starts a steward before it has any, and gets its launchers
 * from there. It also spares its starter the waiting, for a zygote takes a
 * while to import what it imports. The steward is the launchers' parent; it
 * sees them off and removes their cgroups, also when its starter was killed.
 */
#ifndef CORDON_SANDBOX_STEWARD_H
#define CORDON_SANDBOX_STEWARD_H

#include "sandbox/start.h"

struct steward;

/* Forks the calling process. module is the path of cordon-python.so; NULL:
 * there will be no zygotes. */
int steward_start(const char *module, struct steward **out, struct err *e);
void steward_free(struct steward *s); /* NULL is fine; ends the launchers */

/* Asks for a slot for tasks of a kind (kind.h). Does not wait. */
int steward_ask(struct steward *s, uint32_t number, str kind, struct err *e);

/* Readable when there is an answer. */
int steward_fd(const struct steward *s);

/* A slot that was made, or why it was not. Of the cgroup the parents are not
 * open: cgroup_drop is what ends it here. */
struct steward_answer {
    uint32_t number;
    bool made;
    struct started launcher;
    struct err why;
};

/* Does not wait. 1: an answer, 0: none yet, -1: there will be none. */
int steward_take(struct steward *s, struct steward_answer *out, struct err *e);

#endif
