/* SPDX-License-Identifier: MIT
 *
 * cordon mcp login: tokens for a server, now instead of at its first use.
 */
#include <string.h>

#include "cli/mcp_file.h"
#include "cli/peer.h"
#include "cli/programs.h"

#define LOGIN_NS ((int64_t)10 * 60 * 1000000000)

/* A program gets what it needs from its environment: nothing is logged in to.
 */
static int check_server(struct cli *cli, const char *name, struct err *e) {
    AUTO_MCP_FILE struct mcp_file f;
    if (strstr(name, "://")) return 0;
    if (mcp_file_open(cli, &f, e)) return -1;
    const struct json *server = json_get(f.servers, name);
    if (!server) return fail(e, ERR_MISSING, "there is no server \"%s\"", name);
    if (json_get(server, "url") || json_get(server, "httpUrl") ||
        json_get(server, "serverUrl"))
        return 0;
    return fail(e, ERR_INVALID,
                "\"%s\" is a program: it has no login; what it needs goes into "
                "its \"env\"",
                name);
}

int net_mcp_login(struct cli *cli, struct err *e) {
    const char *name = cli_operand(cli, 0);
    if (check_server(cli, name, e)) return -1;
    struct peer *p = peer_open(cli, name, LOGIN_NS, e);
    if (!p) return -1;
    peer_close(p);
    log_info(&cli->log, "%s: the server lets us in", name);
    return 0;
}
