/* SPDX-License-Identifier: MIT
 *
 * cordon mcp list: the configured servers, and which of them cannot be used.
 */
#include <unistd.h>

#include "cli/mcp_file.h"
#include "cli/programs.h"
#include "gateway/servers.h"
#include "json/write.h"

#define OUT_BYTES ((size_t)8 << 20)

static const char *state_of(const struct server_spec *s) {
    if (s->disabled) return "disabled";
    return s->problem ? "unusable" : "ready";
}

static void write_server(struct jw *w, const struct server_spec *s) {
    jw_object(w);
    jw_put_text(w, "name", str_of(s->name));
    jw_put_text(w, "state", str_of(state_of(s)));
    if (s->argv) jw_put_text(w, "command", str_of(s->argv[0]));
    if (s->url) jw_put_text(w, "url", str_of(s->url));
    if (s->problem) jw_put_text(w, "problem", str_of(s->problem));
    jw_end_object(w);
}

static int add_json(const struct servers *s, struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_array(&w);
    for (size_t i = 0; i < s->count; i++)
        write_server(&w, &s->list[i]);
    jw_end_array(&w);
    return jw_done(&w, e) || buf_add_char(out, '\n', e) ? -1 : 0;
}

/* The command line up to a length; values of variables are not shown. */
static int add_way(const struct server_spec *s, struct buf *out,
                   struct err *e) {
    if (s->url) return buf_add_text(out, s->url, e);
    for (const char *const *p = s->argv; p && *p; p++)
        if (buf_addf(out, e, "%s%s", p == s->argv ? "" : " ", *p)) return -1;
    return 0;
}

static int add_line(const struct cli *cli, const struct server_spec *s,
                    struct buf *out, struct err *e) {
    AUTO_BUF struct buf way = BUF_MAX(OUT_BYTES);
    if (add_way(s, &way, e)) return -1;
    str text = s->problem ? str_of(s->problem) : buf_str(&way);
    return buf_addf(out, e, "%s%-20s%s %-9s %.*s\n",
                    cli_style(cli->color_out, CLI_BOLD), s->name,
                    cli_style(cli->color_out, CLI_PLAIN), state_of(s),
                    STR_ARG(str_sub(text, 0, 200)));
}

static int show(const struct cli *cli, const struct servers *s, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    if (cli->json && add_json(s, &out, e)) return -1;
    for (size_t i = 0; !cli->json && i < s->count; i++)
        if (add_line(cli, &s->list[i], &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}

int net_mcp_list(struct cli *cli, struct err *e) {
    AUTO_MCP_FILE struct mcp_file f;
    const struct servers_context context = {.env = (const char *const *)environ,
                                            .folder = "."};
    struct servers servers;
    if (mcp_file_open(cli, &f, e) ||
        servers_read(f.root, &context, &servers, e))
        return -1;
    int result = show(cli, &servers, e);
    if (servers.count == 0 && !cli->json)
        log_info(&cli->log,
                 "no servers yet: add one with `cordon mcp add NAME COMMAND "
                 "[ARG...]`, or take those of another host with `cordon mcp "
                 "import`");
    servers_fini(&servers);
    return result;
}
