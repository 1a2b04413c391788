/* SPDX-License-Identifier: MIT
 *
 * cage_flags -- a sandbox as the command line describes it, for every command
 * that starts one: --cage FILE first, then what the flags add to it.
 */
#ifndef CORDON_CLI_CAGE_FLAGS_H
#define CORDON_CLI_CAGE_FLAGS_H

#include "cli/args.h"
#include "sandbox/cage.h"

/* Options that the command does not have were not given. References to
 * secrets (policy/secret.h) in the file and in --add-header are replaced.
 * "auto" as a tier is left to the caller. */
int cage_flags(struct cage *c, const struct args *a, struct err *e);

/* The first of those options that was given, but for --tier, --limits and
 * --allow-missing; or NULL. */
const char *cage_flags_given(const struct args *a);

#endif
