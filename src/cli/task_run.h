/* SPDX-License-Identifier: MIT
 *
 * task_run -- `cordon run --tools` in the container tier.
 */
#ifndef CORDON_CLI_TASK_RUN_H
#define CORDON_CLI_TASK_RUN_H

#include "cli/toolbox.h"

/* Names that a program finds, ended by NULL. */
int task_run_names(struct registry *r, struct arena *a, const char *const **out,
                   struct err *e);

/* The exit status of the program. reason: why it needs this tier, asked for
 * first; NULL: it was chosen. */
int task_run(struct toolbox *box, str code, const char *reason, struct err *e);

#endif
