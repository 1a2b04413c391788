/* SPDX-License-Identifier: MIT
 *
 * corpus -- the files of --corpus: catalogues, tools/list answers, OpenAPI
 * documents.
 */
#ifndef CORDON_CLI_CORPUS_H
#define CORDON_CLI_CORPUS_H

#include "cli/args.h"
#include "tools/catalogue.h"

/* Every file of the option. An OpenAPI document is a server with its file's
 * name. */
int corpus_add(struct catalogue *c, const struct args *a, struct err *e);

#endif
