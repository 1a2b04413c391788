/* SPDX-License-Identifier: MIT
 *
 * offered -- the tools that there are now, for looking at them: of the server
 * that --server names, or of everything the configuration has.
 */
#ifndef CORDON_CLI_OFFERED_H
#define CORDON_CLI_OFFERED_H

#include "cli/cli.h"
#include "tools/catalogue.h"

typedef int offered_user(struct cli *cli, struct catalogue *c, struct err *e);

/* Calls then with them; its result is returned. */
int offered(struct cli *cli, offered_user *then, struct err *e);

#endif
