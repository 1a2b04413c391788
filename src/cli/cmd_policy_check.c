/* SPDX-License-Identifier: MIT
 *
 * cordon policy check: a rule file against the tools it is about.
 */
#include "cli/policy_file.h"
#include "cli/programs.h"

#define BYTES ((size_t)256 << 20)

int cmd_policy_check(struct cli *cli, struct err *e) {
    AUTO_POLICY_FILE struct policy_file f;
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    struct policy_report r = {0};
    if (policy_file_open(&f, cli, e)) return -1;
    if (f.catalogue.count > 0 &&
        policy_check(f.policy, f.catalogue.tools, f.catalogue.count, &a, &r, e))
        return -1;
    return policy_file_report(&f, cli, &r, "tools", f.catalogue.count, e);
}
