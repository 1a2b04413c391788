/* SPDX-License-Identifier: MIT
 *
 * slice -- short turns on the processor for what makes a sandbox.
 */
#ifndef CORDON_SANDBOX_SLICE_H
#define CORDON_SANDBOX_SLICE_H

#include "sandbox/plan.h"

/* This process and what it forks have short turns from now on. */
void slice_short(void);

/* And a program those of everybody else: a step of confine.c. */
int slice_plain(const struct plan *p, struct err *e);

#endif
