/* SPDX-License-Identifier: MIT
 *
 * Starting a task: everything that must be known, opened or refused before the
 * fork, the fork, and what only the parent may do to the child.
 */
#include "sandbox/start.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/handover.h"
#include "sandbox/ids.h"
#include "sandbox/launcher.h"
#include "sandbox/report.h"
#include "sandbox/slice.h"
#include "sandbox/tls.h"
#include "sandbox/tree.h"
#include "sandbox/zygote.h"

/* The network's is made by the child itself, see net.c; only who may do
 * without must know at once whether it can be had. */
#define NAMESPACES \
    (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS)

/* --- layers --- */

/* *e says why the layer is missing; it stays the error unless the caller
 * agreed to do without. */
static int do_without(const struct cage *c, uint32_t *layers,
                      enum cage_layer layer, struct err *e) {
    const char *name = cage_layer_name(layer);
    if (!(c->may_miss & LAYER_BIT(layer))) {
        e->kind = ERR_UNSUPPORTED;
        return fail_while(e,
                          "layer %s is missing (--allow-missing %s does "
                          "without)",
                          name, name);
    }
    *layers &= ~LAYER_BIT(layer);
    return 0;
}

static int want_landlock(const struct cage *c, struct plan *p, struct err *e) {
    p->landlock_abi = landlock_abi();
    if (p->landlock_abi > 0) return 0;
    err_set_sys(e, "Landlock");
    return do_without(c, &p->layers, LAYER_LANDLOCK, e);
}

static int want_violations(const struct cage *c, struct plan *p,
                           struct err *e) {
    uint32_t action = SECCOMP_RET_USER_NOTIF;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
        return 0;
    err_set_sys(e, "seccomp notifications");
    return do_without(c, &p->layers, LAYER_VIOLATIONS, e);
}

static int begin_cgroup(const struct cage *c, struct plan *p,
                        struct cgroup_base *base, struct cgroup *g,
                        struct err *e) {
    if (cgroup_here(base, e) || cgroup_begin(base, g, e))
        return do_without(c, &p->layers, LAYER_CGROUP, e);
    return 0;
}

static int finish_cgroup(const struct cage *c, struct plan *p,
                         const struct cgroup_base *base, struct cgroup *g,
                         struct err *e) {
    if (!plan_has(p, LAYER_CGROUP)) return 0;
    if (cgroup_finish(base, &c->limits, g, e) || cgroup_doors(g, p->doors, e))
        return do_without(c, &p->layers, LAYER_CGROUP, e);
    return 0;
}

int start_cgroup(const struct cage *c, const struct cage_limits *limits,
                 uint32_t *layers, struct cgroup *g, int doors[CGROUP_DIRS],
                 struct err *e) {
    struct cgroup_base base;
    for (size_t i = 0; i < CGROUP_DIRS; i++)
        doors[i] = -1;
    if (cgroup_here(&base, e) || cgroup_open(&base, limits, g, e) ||
        cgroup_doors(g, doors, e))
        return do_without(c, layers, LAYER_CGROUP, e);
    return 0;
}

/* --- what the child will need --- */

/* Conventions that curl, pip, npm, git and most libraries follow. */
static const char *const proxy_env[] = {
    "http_proxy=http://127.0.0.1:3128",
    "https_proxy=http://127.0.0.1:3128",
    "HTTP_PROXY=http://127.0.0.1:3128",
    "HTTPS_PROXY=http://127.0.0.1:3128",
    "ALL_PROXY=socks5h://127.0.0.1:3128",
    "NO_PROXY=",
    "npm_config_proxy=http://127.0.0.1:3128",
};

/* And what they look at for certificates. */
static const char *const trust_env[] = {
    "SSL_CERT_FILE=" VIEW_TRUSTED,       "REQUESTS_CA_BUNDLE=" VIEW_TRUSTED,
    "CURL_CA_BUNDLE=" VIEW_TRUSTED,      "GIT_SSL_CAINFO=" VIEW_TRUSTED,
    "NODE_EXTRA_CA_CERTS=" VIEW_TRUSTED, "PIP_CERT=" VIEW_TRUSTED,
};

bool start_has_authority(const struct cage *c) {
    return c->tls && c->net == NET_EGRESS &&
           c->credential_count + c->token_count > 0;
}

void start_env(const struct cage *c, const char *out[]) {
    size_t n = 0;
    for (size_t i = 0; i < c->env_count; i++)
        out[n++] = c->env[i];
    if (c->net == NET_EGRESS)
        for (size_t i = 0; i < sizeof proxy_env / sizeof proxy_env[0]; i++)
            out[n++] = proxy_env[i];
    if (start_has_authority(c))
        for (size_t i = 0; i < sizeof trust_env / sizeof trust_env[0]; i++)
            out[n++] = trust_env[i];
    out[n] = NULL;
}

/* Decides which layers this start will have. A layer of the tier that the
 * machine does not give is an error unless the cage may miss it. */
static int prepare(const struct cage *c, struct plan *p, struct err *e) {
    if (cage_check(c, e)) return -1;
    if (c->tier != TIER_PROCESS && c->tier != TIER_CONTAINER &&
        c->tier != TIER_WASM)
        return fail(e, ERR_UNSUPPORTED, "tier %s is not made here",
                    cage_tier_name(c->tier));
    p->cage = c;
    p->layers = cage_tier_layers(c->tier);
    p->privileged = ids_free_choice();
    p->outside = 0;
    p->status = p->root_tree = p->kvm_tree = -1;
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        p->trees[i] = -1;
    for (size_t i = 0; i < CAGE_MAX_FDS; i++)
        p->fds[i] = -1;
    for (size_t i = 0; i < CGROUP_DIRS; i++)
        p->doors[i] = -1;
    start_env(c, p->env);
    if (p->privileged && ids_outside(&p->outside, e)) return -1;
    if (want_landlock(c, p, e) || want_violations(c, p, e)) return -1;
    return seccomp_compile(c, p->layers, p->filter, e);
}

static int lift(int fd, int *out, struct err *e) {
    *out = fcntl(fd, F_DUPFD_CLOEXEC, FD_BASE);
    return *out < 0 ? fail_sys(e, "descriptor") : 0;
}

/* A directory as standard input would be a way into the host's files. */
static int lift_std(int fd, int *out, struct err *e) {
    struct stat st;
    if (fstat(fd, &st) < 0) return fail_sys(e, "standard stream");
    if (S_ISDIR(st.st_mode))
        return fail(e, ERR_INVALID, "a standard stream is a directory");
    return lift(fd, out, e);
}

static int open_fds(const struct cage *c, const int std[3], struct plan *p,
                    struct err *e) {
    for (int i = 0; i < 3; i++)
        if (lift_std(std[i], &p->std[i], e)) return -1;
    for (size_t i = 0; i < c->fd_count; i++)
        if (lift(c->fds[i], &p->fds[i], e)) return -1;
    return 0;
}

/* Root's binds are opened here, where root's paths can be walked; the task's
 * own uid could not. */
static int open_trees(const struct cage *c, struct ids_shift *shift,
                      struct plan *p, struct err *e) {
    if (!p->privileged) return 0;
    for (size_t i = 0; i < c->bind_count; i++) {
        p->trees[i] = tree_copy_by(c->binds[i].from, shift, e);
        if (p->trees[i] < 0) return fail_while(e, "bind");
    }
    if (c->kvm) p->kvm_tree = tree_device("/dev/kvm", p->outside, e);
    if (c->kvm && p->kvm_tree < 0) return -1;
    if (!c->root) return 0;
    p->root_tree = tree_copy_by(c->root, shift, e);
    return p->root_tree < 0 ? fail_while(e, "root") : 0;
}

static void close_one(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void close_plan(struct plan *p) {
    for (int i = 0; i < 3; i++)
        close_one(&p->std[i]);
    for (size_t i = 0; i < CAGE_MAX_FDS; i++)
        close_one(&p->fds[i]);
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        close_one(&p->trees[i]);
    for (size_t i = 0; i < CGROUP_DIRS; i++)
        close_one(&p->doors[i]);
    close_one(&p->root_tree);
    close_one(&p->kvm_tree);
    close_one(&p->status);
}

/* --- the fork --- */

pid_t start_fork(uint64_t flags, int group, int *pidfd) {
    if (group >= 0) flags |= CLONE_INTO_CGROUP;
    struct clone_args args = {
        .flags = flags | CLONE_PIDFD | CLONE_CLEAR_SIGHAND,
        .cgroup = group >= 0 ? (unsigned)group : 0,
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .exit_signal = SIGCHLD,
    };
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

/* What is made of namespaces is not there without them, and whoever agreed to
 * do without did not agree to have it passed over. */
static int needs_namespaces(const struct cage *c, struct err *e) {
    const char *what = cage_has_bind(c, BIND_OVERLAY) ? "overlay"
                       : c->keep_scratch              ? "collect"
                       : c->net != NET_NONE           ? "net"
                                                      : NULL;
    for (size_t i = 0; i < c->bind_count; i++)
        if (strcmp(c->binds[i].from, c->binds[i].to) != 0)
            what = "bind to another place";
    if (!what) return 0;
    return fail(e, ERR_UNSUPPORTED, "without namespaces there is no %s", what);
}

/* Where namespaces cannot be had the kernel says so here; then the caller may
 * have agreed to do without them. */
static pid_t fork_first(const struct cage *c, struct plan *p, int group,
                        int *pidfd, struct err *e) {
    p->has_net = c->may_miss & LAYER_BIT(LAYER_NAMESPACES);
    pid_t pid =
        start_fork(NAMESPACES | (p->has_net ? CLONE_NEWNET : 0), group, pidfd);
    if (pid >= 0) return pid;
    err_set_sys(e, "namespaces");
    if (do_without(c, &p->layers, LAYER_NAMESPACES, e) ||
        needs_namespaces(c, e))
        return -1;
    if (seccomp_compile(c, p->layers, p->filter, e)) return -1;
    pid = start_fork(0, group, pidfd);
    return pid < 0 ? fail_sys(e, "fork") : pid;
}

/* A launcher is pid 1 of its slot, so that all of it ends with it. It answers
 * once its space is ready. */
static _Noreturn void run_launcher(const struct plan *p) {
    struct err e;
    int zygote = -1;
    int rc = confine_ahead(p, &e);
    if (!rc && p->zygote) rc = zygote_start(p, &zygote, &e);
    struct report r = {.kind = rc ? REPORT_FAILED : REPORT_READY,
                       .value = rc ? (int32_t)e.kind : 0};
    if (rc) memcpy(r.text, e.text, sizeof r.text);
    if (report_send(p->status, &r, -1, &e) || rc) _exit(125);
    launcher_run(p, p->status, zygote);
}

/* What goes wrong early is told when the supervisor listens. */
static _Noreturn void run_first(struct plan *p) {
    struct err e, ignored;
    slice_short();
    int rc = confine_early(p, &e);
    if (handover_take(p, &ignored)) _exit(125);
    if (rc) init_give_up(p, &e);
    if (p->pooled) run_launcher(p);
    init_run(p);
}

static int equip(const struct cage *c, const struct cgroup_base *base,
                 struct plan *p, struct started *s, struct err *e) {
    struct ids_shift shift = IDS_SHIFT(p->outside);
    int rc = finish_cgroup(c, p, base, &s->cgroup, e);
    if (!rc) rc = open_trees(c, &shift, p, e);
    if (!rc && plan_has(p, LAYER_NAMESPACES) && ids_map(s->pid, p->outside, e))
        rc = fail_while(e, "ids");
    s->layers = p->layers;
    if (!rc) rc = handover_send(s->status, p, e);
    ids_shift_end(&shift);
    return rc;
}

static int fork_task(const struct cage *c, const struct cgroup_base *base,
                     struct plan *p, struct started *s, struct err *e) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_sys(e, "status socket");
    AUTO_FD int ours = pair[0], theirs = pair[1];
    if (lift(theirs, &p->status, e)) return -1;
    AUTO_FD int pidfd = -1;
    int group = s->cgroup.dir[CGROUP_UNIFIED];
    pid_t pid = fork_first(c, p, group, &pidfd, e);
    if (pid < 0) return -1;
    if (pid == 0) {
        close(ours); /* or it would never see us go */
        run_first(p);
    }
    s->pid = pid;
    s->status = ours;
    if (equip(c, base, p, s, e)) {
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        return -1;
    }
    s->pidfd = fd_take(&pidfd);
    (void)fd_take(&ours);
    return 0;
}

int start_authority(const struct cage *c, struct tls_ca **out,
                    struct buf *trusted, struct err *e) {
    return c->tls->ca_new(out, e) || c->tls->ca_bundle(*out, trusted, e) ? -1
                                                                         : 0;
}

/* std is NULL for a launcher, z for all but a zygote. */
static int start(const struct cage *c, const int *std,
                 const struct start_zygote *z, struct started *out,
                 struct err *e) {
    struct bpf_program filter;
    struct plan p = {.std = {-1, -1, -1}, .pooled = !std, .filter = &filter};
    if (z) p.zygote = z->argv;
    AUTO_BUF struct buf trusted = BUF_MAX(4 << 20);
    struct started s = {.cgroup = CGROUP_NONE, .listener = -1};
    struct cgroup_base base;
    int rc = prepare(c, &p, e);
    if (!rc) rc = begin_cgroup(c, &p, &base, &s.cgroup, e);
    if (!rc && start_has_authority(c))
        rc = start_authority(c, &s.ca, &trusted, e);
    p.trusted = buf_str(&trusted);
    if (!rc && std) rc = open_fds(c, std, &p, e);
    if (!rc && z) rc = lift(z->module, &p.std[0], e);
    if (!rc) rc = fork_task(c, &base, &p, &s, e);
    close_plan(&p);
    struct err ignored;
    if (rc) {
        (void)cgroup_close(&s.cgroup, &ignored);
        if (s.ca) c->tls->ca_free(s.ca);
    }
    if (rc) return -1;
    cgroup_settle(&s.cgroup);
    *out = s;
    return 0;
}

int start_task(const struct cage *c, const int std[3], struct started *out,
               struct err *e) {
    return start(c, std, NULL, out, e);
}

static int await_ready(struct started *s, struct err *e) {
    struct report r;
    int fd = -1;
    int rc = report_recv(s->status, &r, &fd, e);
    if (rc < 0) return -1;
    if (rc == 0) return fail(e, ERR_SYSTEM, "launcher ended at once");
    if (r.kind == REPORT_LISTENER && s->listener < 0) {
        s->listener = fd;
        return await_ready(s, e);
    }
    if (fd >= 0) close(fd);
    if (r.kind == REPORT_READY) return 0;
    return fail(e, (enum err_kind)r.value, "%s", r.text);
}

int start_launcher(const struct cage *c, const struct start_zygote *z,
                   struct started *out, struct err *e) {
    struct cage roomy = *c;
    roomy.limits.pids += z ? 2 : 1; /* launcher and zygote */
    struct started s;
    if (start(&roomy, NULL, z, &s, e)) return -1;
    if (!await_ready(&s, e)) {
        *out = s;
        return 0;
    }
    struct err ignored;
    kill(s.pid, SIGKILL);
    while (waitpid(s.pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(s.pidfd);
    close(s.status);
    close_one(&s.listener);
    (void)cgroup_close(&s.cgroup, &ignored);
    return -1;
}
