/* SPDX-License-Identifier: MIT
 *
 * cordon tools diff: what changed since the tools were pinned.
 * Without --corpus the configured servers are asked, which cordon-net does.
 */
#include "cli/corpus.h"
#include "cli/handoff.h"
#include "cli/lock.h"
#include "cli/programs.h"

int cmd_tools_diff(struct cli *cli, struct err *e) {
    if (!args_nth(&cli->args, "corpus", 0)) return handoff_to_net(cli, e);
    AUTO_LOCK struct lock l = LOCK_INIT;
    if (corpus_add(&l.catalogue, &cli->args, e) ||
        lock_read(&l, cli, "tools.lock", e))
        return -1;
    return lock_diff(&l, cli, e);
}
