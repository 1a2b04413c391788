/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "cli/programs.h"
#include "json/json.h"
#include "json/write.h"

#define TEXT_BYTES ((size_t)64 << 20)
#define TREE_BYTES ((size_t)1 << 30)
#define OUT_BYTES  ((size_t)512 << 20) /* indentation can multiply the size */

static enum json_style style_of(const struct args *a) {
    if (args_flag(a, "canonical")) return JSON_CANONICAL;
    return args_flag(a, "compact") ? JSON_COMPACT : JSON_PRETTY;
}

/* Canonical text is for hashing: not a byte more than the value. */
static int add_newline(enum json_style style, struct buf *out, struct err *e) {
    return style == JSON_CANONICAL ? 0 : buf_add_char(out, '\n', e);
}

int cmd_json_fmt(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(TEXT_BYTES), out = BUF_MAX(OUT_BYTES);
    AUTO_ARENA struct arena tree = ARENA_MAX(TREE_BYTES);
    const char *path = cli_operand(cli, 0);
    const struct json *v;
    struct json_limits limits = {.comments = args_flag(&cli->args, "comments")};
    enum json_style style = style_of(&cli->args);
    if (cli_read(path, &text, e)) return -1;
    if (json_parse(buf_str(&text), &limits, &tree, &v, e))
        return fail_while(e, "%s", path ? path : "standard input");
    if (json_write(v, style, &out, e) || add_newline(style, &out, e)) return -1;
    return cli_out(buf_str(&out), e);
}
