/* SPDX-License-Identifier: MIT
 *
 * cordon tools call: one call of a tool of an MCP server, or of a configured
 * tool by way of a gateway of our own: under policy, and recorded.
 */
#include <string.h>

#include "base/file.h"
#include "cli/peer.h"
#include "cli/programs.h"
#include "json/build.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)256 << 20)
#define IN_BYTES  ((size_t)64 << 20)

/* {"name": ..., "arguments": ...} from the two operands. */
static int read_params(struct cli *cli, struct arena *a,
                       const struct json **out, struct err *e) {
    const char *given = cli_operand(cli, 1);
    AUTO_BUF struct buf text = BUF_MAX(IN_BYTES);
    struct json_build b = JSON_BUILD(a);
    const struct json *arguments;
    if (given && strcmp(given, "-") == 0) {
        if (file_read("-", &text, e)) return -1;
    } else if (buf_add_text(&text, given ? given : "{}", e)) {
        return -1;
    }
    if (json_parse(buf_str(&text), NULL, a, &arguments, e))
        return fail_while(e, "arguments");
    if (json_type(arguments) != JSON_OBJECT)
        return fail(e, ERR_USAGE, "the arguments are not a JSON object");
    build_object(&b);
    build_put_text(&b, "name", str_of(cli_operand(cli, 0)));
    build_put(&b, "arguments", arguments);
    build_end(&b);
    return build_done(&b, out, e);
}

/* Text as it is; anything else as JSON, one piece a line. */
static int add_piece(const struct json *piece, struct buf *out, struct err *e) {
    str type = json_get_text(piece, "type", STR(""));
    str text = json_get_text(piece, "text", (str){NULL, 0});
    if (str_is(type, "text") && text.p) {
        if (buf_add_str(out, text, e)) return -1;
    } else if (json_write(piece, JSON_COMPACT, out, e)) {
        return -1;
    }
    bool ended = out->len && out->data[out->len - 1] == '\n';
    return ended ? 0 : buf_add_char(out, '\n', e);
}

static int show(const struct cli *cli, const struct json *result,
                struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    const struct json *content = json_get(result, "content");
    if (cli->json || !content || json_type(content) != JSON_ARRAY) {
        if (json_write(result, JSON_PRETTY, &out, e) ||
            buf_add_char(&out, '\n', e))
            return -1;
        return cli_out(buf_str(&out), e);
    }
    const struct json *piece = json_first(content);
    for (size_t i = json_len(content); i > 0; i--, piece = json_skip(piece))
        if (add_piece(piece, &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}

int net_tools_call(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(OUT_BYTES);
    const char *server = args_text(&cli->args, "server");
    const struct json *params, *result;
    if (read_params(cli, &a, &params, e)) return -1;
    struct peer *p =
        peer_open(cli, server, args_duration(&cli->args, "timeout", 0), e);
    if (!p) return -1;
    int status = peer_call(p, "tools/call", params, &result, e);
    if (status == 0) status = show(cli, result, e);
    if (status == 0) status = json_get_bool(result, "isError", false) ? 1 : 0;
    peer_close(p);
    return status;
}
