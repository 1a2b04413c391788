/* SPDX-License-Identifier: MIT
 *
 * cordon mcp remove: servers out of the configuration.
 */
#include "cli/mcp_file.h"
#include "cli/programs.h"
#include "json/build.h"

static bool is_named(struct cli *cli, str name) {
    const char *operand;
    for (size_t i = 0; (operand = cli_operand(cli, i)); i++)
        if (str_is(name, operand)) return true;
    return false;
}

int net_mcp_remove(struct cli *cli, struct err *e) {
    AUTO_MCP_FILE struct mcp_file f;
    const char *name;
    const struct json *servers;
    if (mcp_file_open(cli, &f, e)) return -1;
    for (size_t i = 0; (name = cli_operand(cli, i)); i++)
        if (!json_get(f.servers, name))
            return fail(e, ERR_MISSING, "there is no server \"%s\"", name);
    struct json_build b = JSON_BUILD(&f.arena);
    const struct json *key = json_first(f.servers);
    build_object(&b);
    for (size_t i = json_len(f.servers); i > 0; i--, key = json_skip(key + 1)) {
        if (is_named(cli, json_str(key))) continue;
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    build_end(&b);
    if (build_done(&b, &servers, e)) return -1;
    return mcp_file_write(&f, servers, e);
}
