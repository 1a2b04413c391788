/* SPDX-License-Identifier: MIT
 *
 * container -- `cordon run --tier container`: CPython in a fresh sandbox.
 */
#ifndef CORDON_CLI_CONTAINER_H
#define CORDON_CLI_CONTAINER_H

#include "cli/cli.h"

/* The exit status of the program. Output goes through as it comes. */
int container_run(struct cli *cli, str text, struct err *e);

#endif
