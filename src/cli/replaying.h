/* SPDX-License-Identifier: MIT
 *
 * replaying -- what-if: calls of the past, decided by other rules.
 */
#ifndef CORDON_CLI_REPLAYING_H
#define CORDON_CLI_REPLAYING_H

#include "cli/cli.h"
#include "policy/policy.h"

/* Decides the events of a file (as in events.h) again and tells which would be
 * decided otherwise; run: only the calls of this run, each of them; NULL: all
 * runs. */
int replaying(const struct cli *cli, struct policy *p, const char *events,
              const char *run, struct err *e);

#endif
