/* SPDX-License-Identifier: MIT
 *
 * rlimits: limits of one process, and stand-ins where there is no cgroup.
 */
#include <sys/resource.h>

#include "sandbox/plan.h"

static int set(int which, const char *name, rlim_t want, struct err *e) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)which, &now) < 0)
        return fail_sys(e, "%s", name);
    /* What is already lower stays: raising needs a privilege we may lack and
     * a limit we were given is not ours to lift. */
    if (want > now.rlim_max) want = now.rlim_max;
    struct rlimit both = {want, want};
    if (setrlimit((__rlimit_resource_t)which, &both) < 0)
        return fail_sys(e, "%s", name);
    return 0;
}

/* In a user namespace the kernel counts processes per namespace, so this
 * holds for the task alone. pid 1 counts as well, and so do launcher and
 * zygote. */
static int limit_processes(const struct plan *p, struct err *e) {
    if (!plan_has(p, LAYER_NAMESPACES)) return 0;
    uint64_t ours = p->warm ? 3 : p->pooled ? 2 : 1;
    return set(RLIMIT_NPROC, "RLIMIT_NPROC", p->cage->limits.pids + ours, e);
}

/* A module's memory may be all that the limit says; the program around it needs
 * some, too. */
enum { AROUND_MODULE = 64 << 20 };

/* Without a cgroup nothing limits the task as a whole; each process is held
 * to the task's memory and time. */
static int stand_in(const struct plan *p, struct err *e) {
    const struct cage_limits *l = &p->cage->limits;
    if (plan_has(p, LAYER_CGROUP)) return 0;
    uint64_t around = p->cage->tier == TIER_WASM ? AROUND_MODULE : 0;
    if (set(RLIMIT_AS, "RLIMIT_AS", l->memory + around, e)) return -1;
    return set(RLIMIT_CPU, "RLIMIT_CPU", l->wall / 1000000000 + 1, e);
}

/* Whoever started us may have put us before others; a task is not. */
static int plain_priority(struct err *e) {
    if (getpriority(PRIO_PROCESS, 0) >= 0) return 0;
    if (setpriority(PRIO_PROCESS, 0, 0) < 0) return fail_sys(e, "priority");
    return 0;
}

int rlimits_apply(const struct plan *p, struct err *e) {
    const struct cage_limits *l = &p->cage->limits;
    if (plain_priority(e)) return -1;
    if (set(RLIMIT_CORE, "RLIMIT_CORE", 0, e) ||
        set(RLIMIT_NOFILE, "RLIMIT_NOFILE", l->files, e) ||
        set(RLIMIT_FSIZE, "RLIMIT_FSIZE", l->file_size, e) ||
        set(RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK", 64 << 10, e) ||
        set(RLIMIT_MSGQUEUE, "RLIMIT_MSGQUEUE", 800 << 10, e) ||
        set(RLIMIT_SIGPENDING, "RLIMIT_SIGPENDING", 1024, e) ||
        set(RLIMIT_RTPRIO, "RLIMIT_RTPRIO", 0, e))
        return -1;
    return limit_processes(p, e) || stand_in(p, e) ? -1 : 0;
}
