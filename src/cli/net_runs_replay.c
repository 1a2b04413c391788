/* SPDX-License-Identifier: MIT */
#include "cli/programs.h"
#include "cli/records.h"
#include "cli/replaying.h"
#include "runs/replay.h"

#define OUT_BYTES ((size_t)64 << 20)

static int tell(const struct replay *replay, struct err *e) {
    AUTO_BUF struct buf out = BUF_MAX(4096);
    if (replay->same ? buf_addf(&out, e, "same: %llu calls, same end\n",
                                (unsigned long long)replay->calls)
                     : buf_addf(&out, e, "differs at call %llu: %s\n",
                                (unsigned long long)replay->at, replay->why))
        return -1;
    return cli_out(buf_str(&out), e);
}

/* What if other rules had held: the calls it made, decided by them. */
static int what_if(struct cli *cli, const char *path, struct err *e) {
    struct policy *p = policy_load(path, e);
    if (!p) return -1;
    int status = replaying(cli, p, NULL, cli_operand(cli, 0), e);
    policy_free(p);
    return status;
}

int net_runs_replay(struct cli *cli, struct err *e) {
    const char *policy = args_text(&cli->args, "policy");
    if (policy) return what_if(cli, policy, e);
    AUTO_BUF struct buf outcome = BUF_MAX(OUT_BYTES);
    struct replay replay;
    struct records r;
    struct err ignored;
    if (records_open(&r, false, e)) return -1;
    int status =
        replay_run(r.store, str_of(cli_operand(cli, 0)), &replay, &outcome, e);
    (void)records_close(&r, &ignored);
    if (status) return -1;
    if (!cli->json) {
        if (tell(&replay, e)) return -1;
    } else if (buf_add_char(&outcome, '\n', e) ||
               cli_out(buf_str(&outcome), e)) {
        return -1;
    }
    return replay.same ? 0 : 1;
}
