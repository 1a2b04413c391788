/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/programs.h"

#define HELP_BYTES ((size_t)256 << 10)

/* The operands joined by spaces: "json", "fmt" is the command "json fmt". */
static int join_operands(const struct cli *cli, struct buf *out,
                         struct err *e) {
    const char *word;
    for (size_t i = 0; (word = cli_operand(cli, i)); i++)
        if (buf_addf(out, e, "%s%s", i > 0 ? " " : "", word)) return -1;
    return 0;
}

static int show_man(struct err *e) {
    AUTO_BUF struct buf b = BUF_MAX(HELP_BYTES);
    if (help_add_man(&b, e)) return -1;
    return cli_out(buf_str(&b), e);
}

int cmd_help(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf name = BUF_MAX(256);
    if (args_flag(&cli->args, "man")) return show_man(e);
    if (join_operands(cli, &name, e)) return -1;
    const struct command *c = command_find(buf_str(&name));
    if (!c && name.len > 0 && !command_is_group(buf_str(&name)))
        return fail(e, ERR_USAGE, "unknown command \"%s\"", buf_text(&name));
    return help_show(c, buf_str(&name), e);
}
