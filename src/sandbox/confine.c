/* SPDX-License-Identifier: MIT
 *
 * The order of confinement. One row is one mechanism; a mechanism is one file.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sandbox/plan.h"
#include "sandbox/slice.h"

/* In pid 1, with every capability over its own namespaces and none over
 * anything else, while its ids are not mapped yet and the supervisor makes what
 * it will hand over. */
static const struct step early_steps[] = {
    {"network namespace", LAYER_NAMESPACES, net_unshare},
    {"clocks", LAYER_NAMESPACES, time_enter}, /* /proc is ours till ids */
    {"mounts", LAYER_NAMESPACES, view_private},
    {"host name", LAYER_NAMESPACES, uts_enter},
};

/* Ids first: until then the process owns what root owns. */
static const struct step space_steps[] = {
    {"ids", LAYER_COUNT, ids_enter},
    {"cgroup", LAYER_CGROUP, cgroup_enter},
    {"network", LAYER_NAMESPACES, net_enter},
    {"files", LAYER_NAMESPACES, view_build},
    {"capabilities", LAYER_CAPS, caps_bound},
};

/* Whoever gets into a new group of the scheduler's queues anew, and so does
 * all it starts: on a busy machine that takes longer than the rest of a start.
 * So the program does it for itself, once, before it is anybody's; pid 1 does
 * it beside the program that runs. */
static const struct step join_steps[] = {
    {"cgroup", LAYER_CGROUP, cgroup_enter_cpu},
    {"cgroup namespace", LAYER_NAMESPACES, cgroup_hide},
};

/* The same in a launcher, which then waits for tasks, and the rest in the
 * first process of each task. */
static const struct step ahead_steps[] = {
    {"ids", LAYER_COUNT, ids_enter},
    {"cgroup", LAYER_CGROUP, cgroup_enter},
    {"cgroup", LAYER_CGROUP, cgroup_enter_cpu},
    {"cgroup namespace", LAYER_NAMESPACES, cgroup_hide},
    {"network", LAYER_NAMESPACES, net_enter},
    {"files", LAYER_NAMESPACES, view_template},
    {"capabilities", LAYER_CAPS, caps_bound},
};
static const struct step fresh_steps[] = {
    {"files", LAYER_NAMESPACES, view_fresh},
};

/* In the process that becomes the program. Landlock and the filter come after
 * no_new_privs because without capabilities they are only given to those who
 * have it; the filter is last because it refuses what the others do. */
static const struct step task_steps[] = {
    {"descriptors", LAYER_COUNT, fds_enter},
    {"working directory", LAYER_COUNT, cwd_enter},
    {"rlimits", LAYER_RLIMITS, rlimits_apply},
    {"turns", LAYER_COUNT, slice_plain},
    {"capabilities", LAYER_CAPS, caps_drop},
    {"no_new_privs", LAYER_NNP, nnp_set},
    {"landlock", LAYER_LANDLOCK, landlock_apply},
    {"seccomp", LAYER_SECCOMP, seccomp_apply},
};

static int run_steps(const struct step *steps, size_t count,
                     const struct plan *p, struct err *e) {
    for (size_t i = 0; i < count; i++) {
        if (steps[i].layer != LAYER_COUNT && !plan_has(p, steps[i].layer))
            continue;
        if (steps[i].run(p, e)) return fail_while(e, "%s", steps[i].name);
    }
    return 0;
}

int confine_early(const struct plan *p, struct err *e) {
    return run_steps(early_steps, sizeof early_steps / sizeof early_steps[0], p,
                     e);
}

int confine_space(const struct plan *p, struct err *e) {
    return run_steps(space_steps, sizeof space_steps / sizeof space_steps[0], p,
                     e);
}

/* What a launcher starts is where the launcher is. */
int confine_join(const struct plan *p, struct err *e) {
    if (p->pooled) return 0;
    return run_steps(join_steps, sizeof join_steps / sizeof join_steps[0], p,
                     e);
}

int confine_ahead(const struct plan *p, struct err *e) {
    return run_steps(ahead_steps, sizeof ahead_steps / sizeof ahead_steps[0], p,
                     e);
}

int confine_fresh(const struct plan *p, struct err *e) {
    return run_steps(fresh_steps, sizeof fresh_steps / sizeof fresh_steps[0], p,
                     e);
}

/* A terminal of ours must not be its controlling terminal, and it starts with
 * the signals every program expects. */
static int fresh_session(struct err *e) {
    if (setsid() < 0) return fail_sys(e, "session");
    static const int ignorable[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,
                                    SIGTERM, SIGCHLD, SIGTTOU, SIGTTIN};
    for (size_t i = 0; i < sizeof ignorable / sizeof ignorable[0]; i++)
        signal(ignorable[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
        return fail_sys(e, "signals");
    return 0;
}

/* The way to the supervisor is closed by the execve; the rest is closed here,
 * for what a busy supervisor has open may be more than the task may. */
static int keep_only(unsigned first, unsigned status, struct err *e) {
    if ((status > first && close_range(first, status - 1, 0) < 0) ||
        close_range(status + 1, ~0u, 0) < 0)
        return fail_sys(e, "close descriptors");
    return 0;
}

/* The supervisor keeps its own descriptors above what a program is given. */
int fds_enter(const struct plan *p, struct err *e) {
    for (int i = 0; i < 3; i++)
        if (dup2(p->std[i], i) < 0) return fail_sys(e, "descriptor %d", i);
    int next = 3;
    for (size_t i = 0; i < p->cage->fd_count; i++, next++)
        if (dup2(p->fds[i], next) < 0)
            return fail_sys(e, "descriptor %d", next);
    return keep_only((unsigned)next, (unsigned)p->status, e);
}

int cwd_enter(const struct plan *p, struct err *e) {
    const char *own = plan_has(p, LAYER_NAMESPACES) ? "/tmp" : "/";
    const char *cwd = p->cage->cwd ? p->cage->cwd : own;
    return chdir(cwd) < 0 ? fail_sys(e, "%s", cwd) : 0;
}

static const char *search_path(const struct plan *p) {
    for (size_t i = 0; p->env[i]; i++)
        if (strncmp(p->env[i], "PATH=", 5) == 0) return p->env[i] + 5;
    return "";
}

/* execve promises not to write; its type cannot say so. */
static void exec_at(const struct plan *p, const char *path) {
    execve(path, (char *const *)(uintptr_t)p->cage->argv,
           (char *const *)(uintptr_t)p->env);
}

static void exec_in(const struct plan *p, str dir) {
    char path[4096];
    int n =
        snprintf(path, sizeof path, "%.*s/%s", STR_ARG(dir), p->cage->argv[0]);
    if (dir.n && n > 0 && (size_t)n < sizeof path) exec_at(p, path);
}

/* The first reason other than "not there" is the one to tell. */
static void exec_search(const struct plan *p) {
    int reason = ENOENT;
    for (str rest = str_of(search_path(p)); rest.p;) {
        errno = ENOENT;
        exec_in(p, str_cut(&rest, ':'));
        if (reason == ENOENT) reason = errno;
    }
    errno = reason;
}

static int exec_program(const struct plan *p, struct err *e) {
    const char *name = p->cage->argv[0];
    if (strchr(name, '/'))
        exec_at(p, name);
    else
        exec_search(p);
    return fail_sys(e, "%s", name);
}

static int confine_process(const struct plan *p, struct err *e) {
    /* A session is a group of the scheduler's, too, for who has no other. */
    if (confine_join(p, e) || fresh_session(e)) return -1;
    return run_steps(task_steps, sizeof task_steps / sizeof task_steps[0], p,
                     e);
}

int confine_task(const struct plan *p, struct err *e) {
    return confine_process(p, e) ? -1 : exec_program(p, e);
}

/* Everything that the program itself has no part in. The way to the supervisor
 * stays open for what may go wrong later. */
int confine_parked(const struct plan *p, struct err *e) {
    return confine_process(p, e);
}

int confine_fed(const struct plan *p, struct err *e) {
    if (fds_enter(p, e) || cwd_enter(p, e)) return -1;
    return exec_program(p, e);
}

/* Nothing will be closed by an execve that does not come. */
int confine_here(const struct plan *p, struct err *e) {
    if (confine_process(p, e)) return -1;
    unsigned first = 3 + (unsigned)p->cage->fd_count;
    if (close_range(first, ~0u, 0) < 0) return fail_sys(e, "close descriptors");
    /* A zygote hides from its tasks; a task may see itself. */
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0) return fail_sys(e, "dumpable");
    return 0;
}
