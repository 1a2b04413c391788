/* SPDX-License-Identifier: MIT */
#include "cli/audit_dir.h"

#include "base/dirs.h"

int audit_dir(const struct cli *cli, struct buf *out, struct err *e) {
    const char *given = args_text(&cli->args, "dir");
    if (given) return buf_add_text(out, given, e);
    return dirs_path(DIRS_STATE, "audit", out, e);
}
