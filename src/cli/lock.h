/* SPDX-License-Identifier: MIT
 *
 * lock -- what `cordon tools pin` and `cordon tools diff` share: the tools
 * given and the lock they are compared with.
 */
#ifndef CORDON_CLI_LOCK_H
#define CORDON_CLI_LOCK_H

#include "cli/cli.h"
#include "policy/pin.h"
#include "tools/catalogue.h"

struct lock {
    const char *path; /* --lock, or tools.lock */
    struct pins *pins;
    struct catalogue catalogue;
};

int lock_open(struct lock *l, const struct cli *cli, struct err *e);
void lock_fini(struct lock *l);

#define AUTO_LOCK __attribute__((cleanup(lock_fini)))

/* Is the tool among the operands (patterns over server.tool)? Without operands
 * all are. */
bool lock_chosen(const struct cli *cli, const struct tool *t);

/* Appends how a changed tool differs from its pin. */
int lock_add_diff(const struct cli *cli, const struct tool *t,
                  const struct json *pinned, struct buf *out, struct err *e);

#endif
