/* SPDX-License-Identifier: MIT
 *
 * cordon tools show, with the tools of files. Without --corpus servers are
 * asked, which cordon-net does.
 */
#include "cli/corpus.h"
#include "cli/handoff.h"
#include "cli/programs.h"
#include "cli/stubs.h"

int cmd_tools_show(struct cli *cli, struct err *e) {
    AUTO_CATALOGUE struct catalogue c = CATALOGUE_INIT;
    if (!args_nth(&cli->args, "corpus", 0)) return handoff_to_net(cli, e);
    return corpus_add(&c, &cli->args, e) ? -1 : stubs_of(cli, &c, e);
}
