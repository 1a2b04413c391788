/* SPDX-License-Identifier: MIT
 *
 * cordon mcp add: one more server in the configuration.
 */
#include <string.h>

#include "cli/mcp_file.h"
#include "cli/programs.h"
#include "json/build.h"

/* Items "NAME=VALUE" or "NAME: VALUE" as an object. */
static int put_pairs(struct cli *cli, struct json_build *b, const char *option,
                     const char *member, char separator, struct err *e) {
    const char *text;
    if (!args_nth(&cli->args, option, 0)) return 0;
    build_key(b, str_of(member));
    build_object(b);
    for (size_t i = 0; (text = args_nth(&cli->args, option, i)); i++) {
        str value = str_of(text), name = str_trim(str_cut(&value, separator));
        if (!value.p || !name.n)
            return fail(e, ERR_USAGE, "--%s %s: NAME%cVALUE is wanted", option,
                        text, separator);
        build_key(b, name);
        build_text(b, separator == ':' ? str_trim(value) : value);
    }
    build_end(b);
    return 0;
}

static void put_command(struct cli *cli, struct json_build *b) {
    const char *cwd = args_text(&cli->args, "cwd"), *word;
    build_put_text(b, "command", str_of(cli_operand(cli, 1)));
    build_key(b, STR("args"));
    build_array(b);
    for (size_t i = 2; (word = cli_operand(cli, i)); i++)
        build_text(b, str_of(word));
    build_end(b);
    if (cwd) build_put_text(b, "cwd", str_of(cwd));
}

/* What stands after a command is the command's; a URL has no arguments. */
static int put_url(struct cli *cli, struct json_build *b, struct err *e) {
    const char *url = cli_operand(cli, 1), *more = cli_operand(cli, 2);
    if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
        return fail(e, ERR_USAGE, "%s: neither http:// nor https://", url);
    if (more)
        return fail(e, ERR_USAGE,
                    "%s: a URL takes no arguments; options stand before the "
                    "name",
                    more);
    if (args_text(&cli->args, "cwd") || args_nth(&cli->args, "env", 0))
        return fail(e, ERR_USAGE, "--env and --cwd are for programs");
    build_put_text(b, "url", str_of(url));
    return 0;
}

static int put_server(struct cli *cli, struct json_build *b, struct err *e) {
    build_object(b);
    if (strstr(cli_operand(cli, 1), "://")) {
        if (put_url(cli, b, e)) return -1;
    } else if (args_nth(&cli->args, "header", 0)) {
        return fail(e, ERR_USAGE, "--header is for URLs");
    } else {
        put_command(cli, b);
    }
    if (put_pairs(cli, b, "env", "env", '=', e) ||
        put_pairs(cli, b, "header", "headers", ':', e))
        return -1;
    build_end(b);
    return 0;
}

int net_mcp_add(struct cli *cli, struct err *e) {
    AUTO_MCP_FILE struct mcp_file f;
    const char *name = cli_operand(cli, 0);
    const struct json *servers;
    if (mcp_file_open(cli, &f, e)) return -1;
    if (json_get(f.servers, name))
        return fail(e, ERR_EXISTS, "there is a server \"%s\" already", name);
    struct json_build b = JSON_BUILD(&f.arena);
    const struct json *key = json_first(f.servers);
    build_object(&b);
    for (size_t i = json_len(f.servers); i > 0; i--, key = json_skip(key + 1)) {
        build_key(&b, json_str(key));
        build_copy(&b, key + 1);
    }
    build_key(&b, str_of(name));
    if (put_server(cli, &b, e)) return -1;
    build_end(&b);
    if (build_done(&b, &servers, e) || mcp_file_write(&f, servers, e))
        return -1;
    log_info(&cli->log, "added \"%s\" to %s", name, buf_text(&f.path));
    return 0;
}
