/* SPDX-License-Identifier: MIT
 *
 * cordon mcp get: how a server is configured. Values of variables and headers
 * may be secrets: only references to them are shown.
 */
#include "cli/mcp_file.h"
#include "cli/programs.h"
#include "json/build.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)8 << 20)

static void put_masked(struct json_build *b, const struct json *object) {
    const struct json *key = json_first(object);
    build_object(b);
    for (size_t i = json_len(object); i > 0; i--, key = json_skip(key + 1)) {
        bool shown = json_type(key + 1) != JSON_STRING ||
                     str_find(json_str(key + 1), STR("${")) >= 0;
        build_key(b, json_str(key));
        if (shown)
            build_copy(b, key + 1);
        else
            build_text(b, STR("(set)"));
    }
    build_end(b);
}

static bool is_private(str name) {
    return str_is(name, "env") || str_is(name, "headers") ||
           str_is(name, "oauth");
}

int net_mcp_get(struct cli *cli, struct err *e) {
    AUTO_MCP_FILE struct mcp_file f;
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    const char *name = cli_operand(cli, 0);
    const struct json *shown;
    if (mcp_file_open(cli, &f, e)) return -1;
    const struct json *server = json_get(f.servers, name);
    if (!server) return fail(e, ERR_MISSING, "there is no server \"%s\"", name);
    struct json_build b = JSON_BUILD(&f.arena);
    const struct json *key = json_first(server);
    build_object(&b);
    for (size_t i = json_len(server); i > 0; i--, key = json_skip(key + 1)) {
        build_key(&b, json_str(key));
        if (is_private(json_str(key)) && json_type(key + 1) == JSON_OBJECT)
            put_masked(&b, key + 1);
        else
            build_copy(&b, key + 1);
    }
    build_end(&b);
    if (build_done(&b, &shown, e) || json_write(shown, JSON_PRETTY, &out, e) ||
        buf_add_char(&out, '\n', e))
        return -1;
    return cli_out(buf_str(&out), e);
}
