/* SPDX-License-Identifier: MIT
 *
 * cordon tools list: the tools of an MCP server, of the whole configuration, or
 * of files.
 */
#include "cli/corpus.h"
#include "cli/offered.h"
#include "cli/peer.h"
#include "cli/programs.h"
#include "tools/catalogue.h"
#include "json/build.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)256 << 20)
#define LINE      72 /* bytes of a description that are shown */

static str first_line(str text) {
    str line = str_cut(&text, '\n');
    return str_sub(str_trim(line), 0, LINE);
}

static int add_tool(const struct cli *cli, const struct json *tool,
                    struct buf *out, struct err *e) {
    str name = json_get_text(tool, "name", STR("?"));
    str text = first_line(json_get_text(tool, "description", STR("")));
    return buf_addf(out, e, "%s%.*s%s%s%.*s\n",
                    cli_style(cli->color_out, CLI_BOLD), STR_ARG(name),
                    cli_style(cli->color_out, CLI_PLAIN), text.n ? "  " : "",
                    STR_ARG(text));
}

static int show(const struct cli *cli, const struct json *tools,
                struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    if (cli->json) {
        if (json_write(tools, JSON_PRETTY, &out, e) ||
            buf_add_char(&out, '\n', e))
            return -1;
        return cli_out(buf_str(&out), e);
    }
    const struct json *tool = json_first(tools);
    for (size_t i = json_len(tools); i > 0; i--, tool = json_skip(tool))
        if (add_tool(cli, tool, &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}

/* With their ids, because there are tools of several servers. */
static int list_all(struct cli *cli, struct catalogue *c, struct err *e) {
    struct json_build b = JSON_BUILD(&c->arena);
    const struct json *tools;
    build_array(&b);
    for (size_t i = 0; i < c->count; i++) {
        const struct tool *t = &c->tools[i];
        build_object(&b);
        build_put_text(&b, "name", t->id);
        build_put_text(&b, "description", t->description);
        if (t->input) build_put(&b, "inputSchema", t->input);
        if (t->output) build_put(&b, "outputSchema", t->output);
        build_end(&b);
    }
    build_end(&b);
    if (build_done(&b, &tools, e)) return -1;
    return show(cli, tools, e);
}

static int list_files(struct cli *cli, struct err *e) {
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    return corpus_add(&c, &cli->args, e) ? -1 : list_all(cli, &c, e);
}

int net_tools_list(struct cli *cli, struct err *e) {
    const char *server = args_text(&cli->args, "server");
    const struct json *tools;
    if (!server && args_nth(&cli->args, "corpus", 0)) return list_files(cli, e);
    if (!server) return offered(cli, list_all, e);
    struct peer *p =
        peer_open(cli, server, args_duration(&cli->args, "timeout", 0), e);
    if (!p) return -1;
    int result = peer_list(p, "tools/list", "tools", &tools, e);
    if (result == 0) result = show(cli, tools, e);
    peer_close(p);
    return result;
}
