/* SPDX-License-Identifier: MIT
 *
 * mcp_file -- the servers in the configuration file, read and changed.
 *
 * Changing rewrites the whole file, so one with comments is not changed: the
 * comments would be lost.
 */
#ifndef CORDON_CLI_MCP_FILE_H
#define CORDON_CLI_MCP_FILE_H

#include "cli/cli.h"
#include "json/json.h"

struct mcp_file {
    struct arena arena;
    struct buf path;
    const struct json *root;    /* an object; {} where there is no file */
    const struct json *servers; /* its mcpServers, or an empty object */
};

int mcp_file_open(struct cli *cli, struct mcp_file *f, struct err *e);
void mcp_file_close(struct mcp_file *f);

/* Writes the file with these servers instead. */
int mcp_file_write(struct mcp_file *f, const struct json *servers,
                   struct err *e);

#define AUTO_MCP_FILE __attribute__((cleanup(mcp_file_close)))

#endif
