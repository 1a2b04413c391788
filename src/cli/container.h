/* SPDX-License-Identifier: MIT
 *
 * container -- `cordon run --tier container`: CPython in a fresh sandbox.
 */
#ifndef CORDON_CLI_CONTAINER_H
#define CORDON_CLI_CONTAINER_H

#include "cli/cli.h"

struct cage;
struct cage_result;
struct jail;
struct tls_way;

/* What the command line says of the sandbox, and the program in it. */
int container_describe(const struct args *a, str text, struct cage *c,
                       struct err *e);

/* Prints what the task left, in the form that was asked for, and collects its
 * files where that was asked for. */
int container_show(struct cli *cli, struct jail *j, const struct cage_result *r,
                   struct err *e);

/* The exit status of the program. Output goes through as it comes. tls: for
 * credentials; NULL: there are none. watch may be NULL (sandbox_log.h). */
struct confine_watch;
int container_run(struct cli *cli, str text, const struct tls_way *tls,
                  const struct confine_watch *watch, struct err *e);

#endif
