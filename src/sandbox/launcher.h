/* SPDX-License-Identifier: MIT
 *
 * launcher -- a process that waits inside a ready sandbox to start tasks in it.
 *
 * It lives in the user, network and mount namespaces and in the cgroup that a
 * task will have, so that starting one is a clone, two mounts and an exec. It
 * holds no capability outside of its own user namespace. For each task the
 * process, mount and ipc namespaces, the scratch and /proc are new.
 */
#ifndef CORDON_SANDBOX_LAUNCHER_H
#define CORDON_SANDBOX_LAUNCHER_H

#include "sandbox/plan.h"

#include <sys/types.h>

enum { LAUNCH_MAX_BYTES = 128 << 10 };

/* In the launcher: answers requests on the socket until it closes. */
_Noreturn void launcher_run(const struct plan *p, int control);

/* In the supervisor: asks for one task. std and status travel along; the
 * first report on status carries the task's pidfd. */
int launcher_ask(int control, const struct cage *c, const int std[3],
                 int status, struct err *e);

#endif
