/* SPDX-License-Identifier: MIT
 *
 * sandbox_exec -- cordon sandbox exec: one program, one fresh sandbox. Its
 * output is passed on as it comes; with --json it is part of the result.
 */
#ifndef CORDON_CLI_SANDBOX_EXEC_H
#define CORDON_CLI_SANDBOX_EXEC_H

#include "cli/cli.h"

/* Without TLS and somebody who records it becomes cordon-net when credentials
 * may have to go into the one, or there is a log for the other. */
struct confine_watch;
struct tls_way;
int sandbox_exec(struct cli *cli, const struct tls_way *tls,
                 const struct confine_watch *watch, struct err *e);

#endif
