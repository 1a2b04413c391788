/* SPDX-License-Identifier: MIT */
#include "cli/tier.h"

#include <stdio.h>
#include <unistd.h>

void tier_tell(const struct cli *cli, const struct auto_choice *choice) {
    if (cli->log.level < LOG_WARN) return;
    dprintf(STDERR_FILENO, "tier %s: %s\n", auto_name(choice), choice->reason);
}
