/* SPDX-License-Identifier: MIT
 *
 * cordon mcp logs: what a server wrote to its standard error, as far as it was
 * kept (call/downstream.h).
 */
#include <limits.h>

#include "base/file.h"
#include "call/downstream.h"
#include "cli/mcp_file.h"
#include "cli/programs.h"

#define FILE_BYTES (2 * DOWNSTREAM_LOG_MAX)

/* The last n lines. */
static str tail(str text, int64_t n) {
    size_t at = text.n;
    while (at > 0) {
        if (text.p[at - 1] == '\n' && at < text.n && --n <= 0) break;
        at--;
    }
    return str_sub(text, at, text.n);
}

static int nothing_there(struct cli *cli, const char *name, struct err *e) {
    AUTO_MCP_FILE struct mcp_file f;
    if (mcp_file_open(cli, &f, e)) return -1;
    if (!json_get(f.servers, name))
        return fail(e, ERR_MISSING, "there is no server \"%s\"", name);
    return fail(e, ERR_MISSING, "%s has written nothing so far", name);
}

int net_mcp_logs(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX), text = BUF_MAX(FILE_BYTES);
    const char *name = cli_operand(cli, 0);
    if (downstream_log_path(name, &path, e)) return -1;
    if (!file_exists(buf_text(&path))) return nothing_there(cli, name, e);
    if (file_read(buf_text(&path), &text, e)) return -1;
    return cli_out(tail(buf_str(&text), args_int(&cli->args, "lines", 100)), e);
}
