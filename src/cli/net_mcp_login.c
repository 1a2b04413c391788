/* SPDX-License-Identifier: MIT
 *
 * cordon mcp login: tokens for a server, now instead of at its first use.
 */
#include "cli/peer.h"
#include "cli/programs.h"

#define LOGIN_NS ((int64_t)10 * 60 * 1000000000)

int net_mcp_login(struct cli *cli, struct err *e) {
    const char *name = cli_operand(cli, 0);
    struct peer *p = peer_open(cli, name, LOGIN_NS, e);
    if (!p) return -1;
    peer_close(p);
    log_info(&cli->log, "%s: the server lets us in", name);
    return 0;
}
