/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/sandbox_exec.h"

int cmd_sandbox_exec(struct cli *cli, struct err *e) {
    return sandbox_exec(cli, NULL, NULL, e);
}
