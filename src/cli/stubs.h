/* SPDX-License-Identifier: MIT
 *
 * stubs -- `cordon tools show`: tools as programs call them.
 */
#ifndef CORDON_CLI_STUBS_H
#define CORDON_CLI_STUBS_H

#include "cli/cli.h"
#include "tools/catalogue.h"

int stubs_of(struct cli *cli, struct catalogue *c, struct err *e);

#endif
