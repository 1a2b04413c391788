/* SPDX-License-Identifier: MIT
 *
 * handoff -- from cordon to cordon-net, for commands that are not in it.
 */
#ifndef CORDON_CLI_HANDOFF_H
#define CORDON_CLI_HANDOFF_H

#include "cli/cli.h"

/* Appends the path of cordon-net: beside this program, or where `make install`
 * puts it. */
int handoff_find(struct buf *out, struct err *e);

/* Becomes cordon-net with the same arguments; returns only if that fails. */
cli_command handoff_to_net;

/* What cordon-net says to a command that belongs to cordon. */
cli_command handoff_refused;

#endif
