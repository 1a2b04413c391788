/* SPDX-License-Identifier: MIT
 *
 * audit_dir -- which audit log a command means: --dir, or the one of this
 * user's state folder.
 */
#ifndef CORDON_CLI_AUDIT_DIR_H
#define CORDON_CLI_AUDIT_DIR_H

#include "cli/cli.h"

int audit_dir(const struct cli *cli, struct buf *out, struct err *e);

#endif
