/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "audit/audit.h"
#include "cli/audit_dir.h"
#include "cli/programs.h"

int net_audit_mend(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf dir = BUF_MAX(PATH_MAX);
    if (audit_dir(cli, &dir, e)) return -1;
    if (audit_mend(buf_text(&dir), e)) return -1;
    log_info(&cli->log, "the incomplete line was set aside and recorded");
    return 0;
}
