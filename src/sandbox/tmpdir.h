/* SPDX-License-Identifier: MIT
 *
 * tmpdir -- a folder of our own in /tmp, for as long as a task runs.
 */
#ifndef CORDON_SANDBOX_TMPDIR_H
#define CORDON_SANDBOX_TMPDIR_H

#include "base/err.h"

struct tmpdir {
    char path[64]; /* "" when there is none */
};

/* Mode 0700. */
int tmpdir_make(struct tmpdir *d, struct err *e);

/* With all that is in it; nothing where there is none. */
void tmpdir_remove(struct tmpdir *d);

#endif
