/* SPDX-License-Identifier: MIT
 *
 * cordon workflow show: a workflow as text, or drawn.
 */
#include "agent/workflow.h"
#include "cli/programs.h"

#define ROOM ((size_t)16 << 20)

int cmd_workflow_show(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(ROOM), out = BUF_MAX(ROOM);
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json_limits limits = {.comments = true};
    const char *path = cli_operand(cli, 0);
    const struct json *v;
    struct workflow w;
    if (cli_read(path, &text, e)) return -1;
    if (json_parse(buf_str(&text), &limits, &a, &v, e) ||
        workflow_read(v, &a, &w, e))
        return fail_while(e, "%s", path);
    if (args_flag(&cli->args, "svg") ? workflow_svg(&w, &out, e)
                                     : workflow_text(&w, &out, e))
        return -1;
    return cli_out(buf_str(&out), e);
}
