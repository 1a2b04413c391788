/* SPDX-License-Identifier: MIT
 *
 * sandbox_exec -- cordon sandbox exec: one program, one fresh sandbox. Its
 * output is passed on as it comes; with --json it is part of the result.
 */
#ifndef CORDON_CLI_SANDBOX_EXEC_H
#define CORDON_CLI_SANDBOX_EXEC_H

#include "cli/cli.h"

/* Without TLS it becomes cordon-net when credentials may have to go into it. */
struct tls_way;
int sandbox_exec(struct cli *cli, const struct tls_way *tls, struct err *e);

#endif
