/* SPDX-License-Identifier: MIT
 *
 * start -- from a description to a running first process.
 */
#ifndef CORDON_SANDBOX_START_H
#define CORDON_SANDBOX_START_H

#include "sandbox/cgroup.h"
#include "sandbox/plan.h"

#include <sys/types.h>

struct tls_ca;

/* What a supervisor holds of a task that runs. */
struct started {
    pid_t pid; /* of its pid 1, seen from here */
    int pidfd;
    int status; /* reports arrive here */
    struct cgroup cgroup;
    uint32_t layers;
    int listener; /* of a launcher with egress: for the proxy of each task */
    struct tls_ca *ca; /* the owner frees it; NULL: no host has a credential */
};

/* The task's environment: its own, and what tells programs of the proxy and of
 * whom to trust; ended by NULL. */
void start_env(const struct cage *c, const char *out[]);

/* Whether the proxy looks into TLS, and the authority for that; its
 * certificates are appended to trusted. */
bool start_has_authority(const struct cage *c);
int start_authority(const struct cage *c, struct tls_ca **out,
                    struct buf *trusted, struct err *e);

/* The group of a task, made with these limits, and the ways into it. Where
 * there can be none and the cage may do without, the layer is taken out. */
int start_cgroup(const struct cage *c, const struct cage_limits *limits,
                 uint32_t *layers, struct cgroup *g, int doors[CGROUP_DIRS],
                 struct err *e);

/* clone3 into a v2 group (a descriptor, or -1); signals are as by default. */
pid_t start_fork(uint64_t flags, int group, int *pidfd);

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
