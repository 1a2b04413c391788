/* SPDX-License-Identifier: MIT
 *
 * cordon policy import: a rule file from the permission lists of a coding
 * agent.
 */
#include "cli/programs.h"
#include "policy/explain.h"

#define BYTES ((size_t)16 << 20)

int cmd_policy_import(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    AUTO_BUF struct buf text = BUF_MAX(BYTES), out = BUF_MAX(BYTES);
    const char *path = cli_operand(cli, 0);
    struct json_limits limits = {.comments = true};
    const struct json *settings;
    size_t skipped;
    if (cli_read(path, &text, e)) return -1;
    if (json_parse(buf_str(&text), &limits, &a, &settings, e) ||
        policy_import_text(settings, &out, &skipped, e))
        return fail_while(e, "%s", path ? path : "-");
    return cli_out(buf_str(&out), e);
}
