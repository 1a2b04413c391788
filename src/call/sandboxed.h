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

/* who names the caller ("command git.log"). audit may be NULL. */
void sandboxed_start(struct audit *audit, str who, const struct cage *c);
void sandboxed_end(struct audit *audit, str who, const struct cage_result *r);

/* It did not start, or could not be watched. */
void sandboxed_failed(struct audit *audit, str who, const struct err *why);

#endif
