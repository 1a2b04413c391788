/* SPDX-License-Identifier: MIT
 *
 * search -- the command `cordon tools search`, wherever the tools come from.
 */
#ifndef CORDON_CLI_SEARCH_H
#define CORDON_CLI_SEARCH_H

#include "cli/cli.h"
#include "tools/select/select.h"

struct search {
    struct cli *cli;
    struct catalogue *catalogue; /* of the tools that are searched */
    struct selector *selector;   /* that has them; borrowed */
    struct selection found;
    str request;
};

/* The catalogue into a selector of the caller's, which keeps its index in a
 * file where one is named. */
int search_load(struct search *s, struct selector *own, const char *index,
                struct err *e);

/* Searches as the options say, and shows what was found. */
int search_run(struct search *s, struct err *e);

#endif
