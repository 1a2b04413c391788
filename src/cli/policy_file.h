/* SPDX-License-Identifier: MIT
 *
 * policy_file -- what the policy commands share: the rule file, the tools it is
 * about, and how problems are told.
 */
#ifndef CORDON_CLI_POLICY_FILE_H
#define CORDON_CLI_POLICY_FILE_H

#include "cli/cli.h"
#include "policy/policy.h"
#include "tools/catalogue.h"

struct policy_file {
    const char *path;
    struct policy *policy;
    struct catalogue catalogue; /* of every --corpus */
};

/* Reads the file given as operand and all --corpus files. */
int policy_file_open(struct policy_file *f, const struct cli *cli,
                     struct err *e);
void policy_file_fini(struct policy_file *f);

#define AUTO_POLICY_FILE __attribute__((cleanup(policy_file_fini)))

/* Problems as text or JSON, then a last line or member. */
int policy_file_report(const struct policy_file *f, const struct cli *cli,
                       const struct policy_report *r, const char *counted,
                       size_t count, struct err *e);

#endif
