/* SPDX-License-Identifier: MIT
 *
 * lock_servers -- the configured servers and sources, asked for their tools and
 * compared with the lock that `cordon serve` keeps.
 */
#ifndef CORDON_CLI_LOCK_SERVERS_H
#define CORDON_CLI_LOCK_SERVERS_H

#include "cli/lock.h"

/* A host with another key than the pinned one is sent something only for
 * lock_pin: who pins means it. */
int lock_servers(struct cli *cli,
                 int (*then)(struct lock *l, const struct cli *cli,
                             struct err *e),
                 struct err *e);

#endif
