/* SPDX-License-Identifier: MIT
 *
 * explain -- a decision with its reasons, and decisions of the past by other
 * rules.
 */
#ifndef CORDON_POLICY_EXPLAIN_H
#define CORDON_POLICY_EXPLAIN_H

#include "base/buf.h"
#include "policy/policy.h"

/* Decides about a call written as in a test of a rule file, and appends a line
 * for each rule that could concern it: mail.send(to=untrusted("x")) when turn
 * untrusted */
int policy_explain(struct policy *p, str call, const struct tool *tools,
                   size_t count, struct arena *a, struct decision *out,
                   struct buf *steps, struct err *e);

/* What a "call" event of the audit log says, and what this policy would have
 * said. Labels that were not recorded count as untrusted. */
struct replayed {
    str tool, was_rule;
    enum verdict was;
    struct decision now;
    bool again;   /* the same call once more, after a person's answer: it was
                     decided before */
    bool unknown; /* its arguments were too long to be recorded: now is what
                     can be said without them */
};
/* spent counts what the calls did, as it was counted then; events come in their
 * order. */
int policy_replay(struct policy *p, struct spent *spent,
                  const struct json *event, struct arena *a,
                  struct replayed *out, struct err *e);

/* Adds members "labels" and "pc" to an event, for policy_replay and people:
 * {"/to/0": ["untrusted", "private", "mail.search, call 3, field /0/from"]}
 * Readers stand as a list behind "readers". Where there are too many paths
 * "labels_cut" is true. */
struct json_build;
void labels_record(const struct labels *labels, struct json_build *b);

/* Appends the rule file that allow/ask/deny lists of a coding agent mean.
 * *skipped counts entries about the agent's own tools, which never come here.
 */
int policy_import_text(const struct json *settings, struct buf *out,
                       size_t *skipped, struct err *e);

#endif
