/* SPDX-License-Identifier: MIT
 *
 * sandboxed -- the audit rows of a task in a sandbox: "sandbox.start" says what
 * it was given, "sandbox.end" which layers were in force, how it ended, what it
 * was refused and where it tried to go. What it printed is in neither.
 */
#ifndef CORDON_CALL_SANDBOXED_H
#define CORDON_CALL_SANDBOXED_H

#include "audit/audit.h"
#include "sandbox/cage.h"

/* Whose task it is, and where that is written down. */
struct sandboxed {
    struct audit *audit; /* NULL: nowhere */
    str by;              /* names the caller: "git.log", "cli" */
    str run;             /* of code mode; may be empty */
};

/* A task whose start cannot be written down must not be started. */
int sandboxed_start(const struct sandboxed *s, const struct cage *c,
                    struct err *e);
void sandboxed_end(const struct sandboxed *s, const struct cage_result *r);

/* It did not start, or could not be watched. */
void sandboxed_failed(const struct sandboxed *s, const struct err *why);

#endif
