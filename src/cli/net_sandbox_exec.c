/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/sandbox_exec.h"
#include "sandbox/tls.h"

int net_sandbox_exec(struct cli *cli, struct err *e) {
    return sandbox_exec(cli, &tls_openssl, e);
}
