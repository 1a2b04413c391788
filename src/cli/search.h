/* SPDX-License-Identifier: MIT
 *
 * search -- `cordon tools search`: the tools of a catalogue that fit a request.
 */
#ifndef CORDON_CLI_SEARCH_H
#define CORDON_CLI_SEARCH_H

#include "cli/cli.h"
#include "tools/catalogue.h"

int search_in(struct cli *cli, struct catalogue *c, struct err *e);

#endif
