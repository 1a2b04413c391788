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

enum {
    LAUNCH_MAX_BYTES = 128 << 10,
    LAUNCH_STATUS = 3, /* std come before it, the cage's own after it */
    LAUNCH_OWN = 4,
    LAUNCH_FEED = 3, /* of a parked task: where it hears what to run */
    LAUNCH_MAX_FDS = LAUNCH_OWN + CAGE_MAX_FDS + 1,
};

/* In the launcher: answers requests on the socket until it closes. With a
 * zygote (its socket, or -1) tasks are that one's forks. */
_Noreturn void launcher_run(const struct plan *p, int control, int zygote);

/* A request, with what came along. */
struct launch {
    char text[LAUNCH_MAX_BYTES];
    size_t size;
    int fds[LAUNCH_MAX_FDS];
    size_t fd_count;
};

/* False at the end, and where no descriptor came along. */
bool launch_receive(int control, struct launch *t);
void launch_close(struct launch *t);

/* Sends bytes and descriptors as one message. */
int launch_send(int sock, const void *text, size_t size, const int *fds,
                size_t fd_count, struct err *e);

/* Makes plan and cage of the task from those of the launcher; argv has room
 * for CAGE_MAX_ARGS + 1. */
int launch_unpack(const struct launch *t, const struct plan *like,
                  struct cage *cage, const char **argv, struct plan *out);

/* Descriptors below FD_BASE belong to programs: what arrives must not take
 * their numbers, so they are filled up. All others are the supervisor's and
 * are closed: a pipe held here would never end. */
int launch_fill_fds(int control, int zygote, struct err *e);

/* In the supervisor: asks for one task. std, status and the cage's own
 * descriptors travel along; the first report on status carries the pidfd of
 * its pid 1. A parked one waits for launcher_feed on its descriptor 3. */
int launcher_ask(int control, const struct cage *c, const int std[3],
                 int status, bool parked, struct err *e);

/* In the supervisor: what a parked task shall run, its standard streams and,
 * for a zygote's, if it is not negative, its socket to the tools. Of the cage
 * arguments, environment and working directory count: the rest it has. */
int launcher_feed(int feed, const struct cage *c, const int std[3],
                  struct err *e);
int launcher_feed_text(int feed, str text, const int std[3], int tools,
                       struct err *e);

#endif
