/* SPDX-License-Identifier: MIT */
#include "call/approval.h"
#include "cli/programs.h"
#include "cli/records.h"

int net_approvals_deny(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf by = BUF_MAX(256);
    struct records r;
    struct err ignored;
    if (records_user(&by, e) || records_open(&r, true, e)) return -1;
    int status = approval_answer(r.store, r.audit, str_of(cli_operand(cli, 0)),
                                 APPROVE_NOT, buf_str(&by), e);
    (void)records_close(&r, &ignored);
    return status;
}
