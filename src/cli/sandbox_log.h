/* SPDX-License-Identifier: MIT
 *
 * sandbox_log -- where sandboxes that a command starts are written down: in
 * this user's audit log, if there is one. A log is begun by the first command
 * that has tools to call (authority.h), not by these. Signing needs more than
 * the lean program has: it finds out that there is a log, and becomes
 * cordon-net.
 */
#ifndef CORDON_CLI_SANDBOX_LOG_H
#define CORDON_CLI_SANDBOX_LOG_H

#include "call/sandboxed.h"
#include "cli/cli.h"
#include "sandbox/confine.h"

/* Appends the folder of the log; nothing where there is none, or "record" is
 * false. */
int sandbox_log_find(struct cli *cli, struct buf *out, struct err *e);

struct jail;

/* Starts the cage on our own streams and waits for its end, which is told to
 * watch (NULL: to nobody) if there is a log. The caller frees the jail. */
int sandbox_log_run(struct cli *cli, const struct cage *c, const char *by,
                    const struct confine_watch *watch, struct jail **out,
                    struct cage_result *r, struct err *e);

/* --- in cordon-net --- */

struct sandbox_log {
    struct sandboxed row;
    char by[256];
};

/* A log that cannot be written is an error of open: what is not recorded is not
 * started. */
struct confine_watch sandbox_log_watch(struct sandbox_log *l);
void sandbox_log_close(struct cli *cli, struct sandbox_log *l);

#endif
