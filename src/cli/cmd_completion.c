/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/programs.h"

#define SCRIPT_BYTES ((size_t)256 << 10)

int cmd_completion(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(SCRIPT_BYTES);
    if (complete_add(str_of(cli_operand(cli, 0)), &b, e)) return -1;
    return cli_out(buf_str(&b), e);
}
