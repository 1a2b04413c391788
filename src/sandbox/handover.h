/* SPDX-License-Identifier: MIT
 *
 * handover -- what the supervisor makes for a task while the task's first
 * process already makes namespaces: they work side by side, and then the one
 * gives the other its part of the plan. It is also the word that ids are mapped
 * and limits are set; until it comes nothing of the task may run.
 */
#ifndef CORDON_SANDBOX_HANDOVER_H
#define CORDON_SANDBOX_HANDOVER_H

#include "sandbox/plan.h"

/* The layers, the ways into the cgroup and the trees. */
int handover_send(int sock, const struct plan *p, struct err *e);

/* Waits for them on p->status. */
int handover_take(struct plan *p, struct err *e);

#endif
