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

/* The pieces of launcher_run, for a launcher that is another program. */
struct launch {
    char text[LAUNCH_MAX_BYTES];
    size_t size;
    int fds[4];
};

/* False at the end. */
bool launch_receive(int control, struct launch *t);

/* Makes plan and cage of the task from those of the launcher; argv has room
 * for CAGE_MAX_ARGS + 1. */
int launch_unpack(const struct launch *t, const struct plan *like,
                  struct cage *cage, const char **argv, struct plan *out);

/* In the launcher: clones the first process of a task (0 in it), and tells
 * the supervisor. launch_finish waits for its end. */
pid_t launch_clone(int *pidfd);
void launch_finish(struct launch *t, pid_t pid, int pidfd);

/* Descriptors below FD_BASE belong to programs: what arrives must not take
 * their numbers, so they are filled up. All others are the supervisor's and
 * are closed: a pipe held here would never end. */
int launch_fill_fds(int control, struct err *e);

/* In the supervisor: asks for one task. std and status travel along; the
 * first report on status carries the task's pidfd. */
int launcher_ask(int control, const struct cage *c, const int std[3],
                 int status, struct err *e);

#endif
