/* SPDX-License-Identifier: MIT
 *
 * cordon tools pin, with the tools that the configured servers have now.
 */
#include "cli/lock_servers.h"
#include "cli/programs.h"

int net_tools_pin(struct cli *cli, struct err *e) {
    return lock_servers(cli, lock_pin, e);
}
