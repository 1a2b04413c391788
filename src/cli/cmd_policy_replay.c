/* SPDX-License-Identifier: MIT
 *
 * cordon policy replay: calls of the past, decided by these rules.
 */
#include "cli/policy_file.h"
#include "cli/programs.h"
#include "cli/replaying.h"

int cmd_policy_replay(struct cli *cli, struct err *e) {
    AUTO_POLICY_FILE struct policy_file f;
    if (policy_file_open(&f, cli, e)) return -1;
    return replaying(cli, f.policy, cli_operand(cli, 1), NULL, e);
}
