/* SPDX-License-Identifier: MIT
 *
 * cordon tools search, with the tools that servers have now.
 */
#include "cli/offered.h"
#include "cli/programs.h"
#include "cli/search.h"

int net_tools_search(struct cli *cli, struct err *e) {
    return offered(cli, search_in, e);
}
