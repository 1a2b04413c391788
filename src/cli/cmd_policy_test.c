/* SPDX-License-Identifier: MIT
 *
 * cordon policy test: the tests inside a rule file.
 */
#include "cli/policy_file.h"
#include "cli/programs.h"

#define BYTES ((size_t)256 << 20)

int cmd_policy_test(struct cli *cli, struct err *e) {
    AUTO_POLICY_FILE struct policy_file f;
    AUTO_ARENA struct arena a = ARENA_MAX(BYTES);
    struct policy_report r;
    size_t passed;
    if (policy_file_open(&f, cli, e) ||
        policy_test(f.policy, f.catalogue.tools, f.catalogue.count, &a, &r,
                    &passed, e))
        return -1;
    return policy_file_report(&f, cli, &r, "passed", passed, e);
}
