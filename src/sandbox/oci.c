/* SPDX-License-Identifier: MIT
 *
 * Finding a runtime and starting a task on it.
 */
#include "sandbox/oci.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/ids.h"
#include "sandbox/start.h"
#include "sandbox/tls.h"
#include "sandbox/tree.h"

#define MIB ((uint64_t)1 << 20)

/* In the order in which they are looked for. */
static const struct oci_runtime runtimes[] = {
    {"crun",
     TIER_OCI,
     {"--cgroup-manager=disabled"},
     16 * MIB,
     8,
     .hide = true,
     .tells = true,
     .passes = true},
    {"runc",
     TIER_OCI,
     {NULL},
     48 * MIB,
     32,
     .large = true,
     .tells = true,
     .passes = true},
    {"youki", TIER_OCI, {NULL}, 48 * MIB, 32, .passes = true, .untried = true},
    {"kata-runtime",
     TIER_OCI,
     {NULL},
     512 * MIB,
     256,
     .whole = true,
     .untried = true},
    {"runsc",
     TIER_GVISOR,
     {"--network=none", "--rootless", "--ignore-cgroups", "--oci-seccomp"},
     256 * MIB,
     256,
     .hide = true,
     .one_id = true},
};

static bool in_path(const char *name, char *out, size_t size) {
    const char *path = getenv("PATH");
    for (str rest = str_of(path ? path : "/usr/bin:/bin"); rest.p;) {
        str dir = str_cut(&rest, ':');
        int n = snprintf(out, size, "%.*s/%s", STR_ARG(dir), name);
        if (dir.n && n > 0 && (size_t)n < size && access(out, X_OK) == 0)
            return true;
    }
    return false;
}

int oci_find(enum cage_tier tier, struct oci *out, struct err *e) {
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
        const struct oci_runtime *r = &runtimes[i];
        if (r->tier != tier || (r->whole && !ids_free_choice())) continue;
        if (!in_path(r->name, out->runtime, sizeof out->runtime)) continue;
        out->kind = r;
        return 0;
    }
    return fail(e, ERR_UNSUPPORTED, "%s",
                tier == TIER_GVISOR
                    ? "runsc is not in PATH"
                    : "no crun, runc, youki or kata-runtime in PATH");
}

/* What one runtime cannot that others can. */
static int check_runtime(const struct cage *c, const struct oci *o,
                         struct err *e) {
    const char *name = o->kind->name;
    if (o->kind->whole && c->net != NET_NONE)
        return fail(e, ERR_UNSUPPORTED, "tier oci: no net with %s", name);
    if (o->kind->whole && cage_has_bind(c, BIND_OVERLAY))
        return fail(e, ERR_UNSUPPORTED, "tier oci: no overlay with %s", name);
    if (!o->kind->passes && c->fd_count)
        return fail(e, ERR_UNSUPPORTED, "tier oci: no %s with %s",
                    c->tools ? "tools" : "fd", name);
    return 0;
}

/* --- starting --- */

/* What root binds is opened by root and belongs to the task's user in there;
 * others have nothing that the runtime could not open itself. */
static int open_trees(const struct cage *c, const struct oci *o,
                      struct oci_space *s, struct err *e) {
    uint32_t user = o->outside + oci_user(o);
    s->root_tree = -1;
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        s->trees[i] = -1;
    if (!o->outside) return 0;
    for (size_t i = 0; i < c->bind_count; i++) {
        s->trees[i] = tree_copy_shifted(c->binds[i].from, user, e);
        if (s->trees[i] < 0) return fail_while(e, "bind");
    }
    if (!c->root) return 0;
    s->root_tree = tree_copy_shifted(c->root, user, e);
    return s->root_tree < 0 ? fail_while(e, "root") : 0;
}

/* Out of the way of the numbers that they will have. */
static int lift_fds(const struct cage *c, struct oci_space *s, struct err *e) {
    for (size_t i = 0; i < c->fd_count; i++) {
        s->fds[i] = fcntl(c->fds[i], F_DUPFD_CLOEXEC, FD_BASE);
        if (s->fds[i] < 0) return fail_sys(e, "descriptor");
    }
    return 0;
}

static void close_all(struct oci_space *s) {
    for (size_t i = 0; i < CAGE_MAX_FDS; i++)
        if (s->fds[i] >= 0) close(s->fds[i]);
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        if (s->trees[i] >= 0) close(s->trees[i]);
    for (size_t i = 0; i < CGROUP_DIRS; i++)
        if (s->doors[i] >= 0) close(s->doors[i]);
    if (s->root_tree >= 0) close(s->root_tree);
}

static int let_go(const struct oci *o, pid_t pid, int go, struct err *e) {
    if (!o->kind->whole && ids_map_range(pid, o->outside, oci_ids(o), e))
        return fail_while(e, "ids");
    return send(go, "g", 1, MSG_NOSIGNAL) == 1 ? 0 : fail_sys(e, "runtime");
}

static int fork_runtime(struct oci_space *s, struct started *out,
                        struct err *e) {
    uint64_t flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET;
    int pair[2], pidfd = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_sys(e, "status socket");
    AUTO_FD int theirs = pair[0], ours = pair[1];
    if (!s->oci->kind->whole) flags |= CLONE_NEWUSER;
    s->status = theirs;
    pid_t pid = start_fork(flags, out->cgroup.dir[CGROUP_UNIFIED], &pidfd);
    if (pid < 0) return fail_sys(e, "namespaces");
    if (pid == 0) {
        close(ours); /* or it would never see us go */
        oci_enter(s);
    }
    out->pid = pid;
    out->pidfd = pidfd;
    if (!let_go(s->oci, pid, ours, e)) {
        out->status = fd_take(&ours);
        return 0;
    }
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(pidfd);
    return -1;
}

/* The task's limits, and what the runtime itself is made of. */
static struct cage_limits roomy(const struct cage *c, const struct oci *o) {
    struct cage_limits l = c->limits;
    l.memory += o->kind->memory;
    l.pids += o->kind->pids;
    return l;
}

static int launch(const struct cage *c, const int std[3], struct oci *o,
                  struct started *out, struct err *e) {
    struct oci_space s = {.oci = o, .cage = c, .std = {std[0], std[1], std[2]}};
    struct cage_limits limits = roomy(c, o);
    AUTO_BUF struct buf trusted = BUF_MAX(4 << 20);
    AUTO_BUF struct buf config = BUF_MAX(4 << 20);
    for (size_t i = 0; i < CAGE_MAX_FDS; i++)
        s.fds[i] = -1;
    int rc = start_cgroup(c, &limits, &out->layers, &out->cgroup, s.doors, e);
    o->counted = out->layers & LAYER_BIT(LAYER_CGROUP);
    if (!rc) rc = open_trees(c, o, &s, e);
    if (!rc) rc = lift_fds(c, &s, e);
    if (!rc && start_has_authority(c))
        rc = start_authority(c, &out->ca, &trusted, e);
    if (!rc) rc = tmpdir_make(&o->dir, e);
    if (!rc) rc = oci_config(c, o, &config, e);
    s.config = buf_str(&config);
    s.trusted = buf_str(&trusted);
    if (!rc) rc = fork_runtime(&s, out, e);
    close_all(&s);
    return rc;
}

int oci_start(const struct cage *c, const int std[3], struct oci *oci,
              struct started *out, struct err *e) {
    struct oci o = {.dir = {""}};
    struct err ignored;
    struct started s = {.status = -1,
                        .cgroup = CGROUP_NONE,
                        .layers = cage_tier_layers(c->tier)};
    if (cage_check(c, e) || oci_find(c->tier, &o, e) || check_runtime(c, &o, e))
        return -1;
    if (o.kind->tells) s.layers |= LAYER_BIT(LAYER_VIOLATIONS);
    if (ids_free_choice() && ids_outside(&o.outside, e)) return -1;
    o.outside &= ~(uint32_t)(OCI_RANGE - 1);
    if (launch(c, std, &o, &s, e)) {
        oci_stop(&o);
        (void)cgroup_close(&s.cgroup, &ignored);
        if (s.ca) c->tls->ca_free(s.ca);
        return fail_while(e, "%s", o.kind->name);
    }
    *oci = o;
    *out = s;
    return 0;
}

/* --- the end --- */

void oci_stop(struct oci *oci) {
    tmpdir_remove(&oci->dir);
}
