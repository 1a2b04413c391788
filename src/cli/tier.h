/* SPDX-License-Identifier: MIT
 *
 * tier -- what --tier auto chose, told to whoever asked for it.
 */
#ifndef CORDON_CLI_TIER_H
#define CORDON_CLI_TIER_H

#include "cli/cli.h"
#include "sandbox/auto.h"

/* One line on standard error, unless --quiet. */
void tier_tell(const struct cli *cli, const struct auto_choice *choice);

#endif
