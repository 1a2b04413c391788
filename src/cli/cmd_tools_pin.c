/* SPDX-License-Identifier: MIT
 *
 * cordon tools pin: record definitions as they are now, after showing what
 * changed. A definition that hides text or speaks to the model is not pinned
 * unless told to.
 * Without --corpus the configured servers are asked, which cordon-net does.
 */
#include "cli/corpus.h"
#include "cli/handoff.h"
#include "cli/lock.h"
#include "cli/programs.h"

int cmd_tools_pin(struct cli *cli, struct err *e) {
    if (!args_nth(&cli->args, "corpus", 0)) return handoff_to_net(cli, e);
    AUTO_LOCK struct lock l = LOCK_INIT;
    if (corpus_add(&l.catalogue, &cli->args, e) ||
        lock_read(&l, cli, "tools.lock", e))
        return -1;
    return lock_pin(&l, cli, e);
}
