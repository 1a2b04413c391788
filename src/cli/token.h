/* SPDX-License-Identifier: MIT
 *
 * token -- `cordon run --credential`: a token of ours in place of a secret.
 *
 * The program gets NAME with a token that is new for each run; the proxy puts
 * the secret in its place, in headers for that host alone, in plain HTTP and
 * inside TLS. It is dead when the run ends.
 */
#ifndef CORDON_CLI_TOKEN_H
#define CORDON_CLI_TOKEN_H

#include "cli/args.h"
#include "policy/secret.h"
#include "sandbox/cage.h"

/* All that the command line names. */
int tokens_add(const struct args *a, struct secrets *secrets, struct cage *c,
               struct err *e);

#endif
