/* SPDX-License-Identifier: MIT
 *
 * cordon tools show, with the tools that servers have now.
 */
#include "cli/offered.h"
#include "cli/programs.h"
#include "cli/stubs.h"

int net_tools_show(struct cli *cli, struct err *e) {
    return offered(cli, stubs_of, e);
}
