/* SPDX-License-Identifier: MIT
 *
 * start -- from a description to a running first process.
 */
#ifndef CORDON_SANDBOX_START_H
#define CORDON_SANDBOX_START_H

#include "sandbox/cgroup.h"
#include "sandbox/plan.h"

#include <sys/types.h>

/* What a supervisor holds of a task that runs. */
struct started {
    pid_t pid; /* of its pid 1, seen from here */
    int pidfd;
    int status; /* reports arrive here */
    struct cgroup cgroup;
    uint32_t layers;
};

/* Decides which layers this start will have. A layer of the tier that the
 * machine does not give is an error unless the cage may miss it. On success
 * the group is made and *p is filled but for its descriptors; p->filter points
 * to where the filter goes. */
int start_prepare(const struct cage *c, struct plan *p, struct cgroup *g,
                  struct err *e);

/* Starts pid 1 with std as its program's 0, 1 and 2. */
int start_task(const struct cage *c, const int std[3], struct started *out,
               struct err *e);

/* Starts a launcher for tasks like c; requests go to out->status. With a
 * zygote (its argv, and an open module) it becomes that. */
struct start_zygote {
    const char *const *argv;
    int module;
};
int start_launcher(const struct cage *c, const struct start_zygote *z,
                   struct started *out, struct err *e);

#endif
