/* SPDX-License-Identifier: MIT */
#include "call/approval.h"
#include "cli/programs.h"
#include "cli/records.h"

#define OUT_BYTES ((size_t)64 << 20)

int net_approvals_show(struct cli *cli, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(OUT_BYTES);
    AUTO_BUF struct buf out = BUF_MAX(OUT_BYTES);
    struct store_approval p;
    struct records r;
    struct err ignored;
    if (records_open(&r, false, e)) return -1;
    int status =
        store_approval_get(r.store, str_of(cli_operand(cli, 0)), &a, &p, e);
    if (status == 0 && cli->json)
        status = buf_addf(&out, e, "%.*s\n", STR_ARG(p.card));
    else if (status == 0)
        status = buf_addf(&out, e, "%-10s%s\n", "state",
                          approval_state_name(p.state)) ||
                 approval_describe(r.store, &p, &out, e);
    (void)records_close(&r, &ignored);
    return status ? -1 : cli_out(buf_str(&out), e);
}
