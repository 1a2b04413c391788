/* SPDX-License-Identifier: MIT */
#include "call/approval.h"
#include "cli/programs.h"
#include "cli/records.h"

static enum approval_choice choice_of(const struct cli *cli) {
    if (args_flag(&cli->args, "alike")) return APPROVE_ALIKE;
    if (args_flag(&cli->args, "remember")) return APPROVE_REMEMBER;
    return APPROVE_ONCE;
}

int net_approvals_approve(struct cli *cli, struct err *e) {
    AUTO_BUF struct buf by = BUF_MAX(256);
    struct records r;
    struct err ignored;
    if (records_user(&by, e) || records_open(&r, true, e)) return -1;
    int status = approval_answer(r.store, r.audit, str_of(cli_operand(cli, 0)),
                                 choice_of(cli), buf_str(&by), e);
    (void)records_close(&r, &ignored);
    return status;
}
