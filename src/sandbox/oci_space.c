/* SPDX-License-Identifier: MIT
 *
 * Where a runtime runs: as the root of nobody, with processes, mounts and a
 * /proc of its own, and no cgroup to arrange, for it is in one.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/oci.h"
#include "sandbox/plan.h"
#include "sandbox/report.h"
#include "sandbox/slice.h"
#include "sandbox/tree.h"

enum { EXIT_SETUP = 125, MAX_ARGS = 16 };

static int become_root(const struct oci *o, struct err *e) {
    if (o->kind->whole) return 0;
    if (o->outside && setgroups(0, NULL) < 0) return fail_sys(e, "groups");
    if (setresgid(0, 0, 0) < 0 || setresuid(0, 0, 0) < 0)
        return fail_sys(e, "ids");
    return 0;
}

/* crun refuses machines where v1 and v2 groups are mixed unless it sees none;
 * runc looks for those that /proc names, and lives with what it may not do. */
static int make_mounts(const struct oci *o, struct err *e) {
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return fail_sys(e, "private mounts");
    if (mount("proc", "/proc", "proc", flags, NULL) < 0)
        return fail_sys(e, "/proc");
    if (o->kind->hide &&
        mount("none", "/sys/fs/cgroup", "tmpfs", flags, "size=4k") < 0 &&
        errno != ENOENT)
        return fail_sys(e, "/sys/fs/cgroup");
    return 0;
}

/* After the last change of ids, which would undo it. Who is gone already does
 * not die again. */
static int end_with_parent(const struct oci_space *s, struct err *e) {
    struct pollfd p = {s->status, 0, 0};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return fail_sys(e, "death");
    if (poll(&p, 1, 0) != 0) return fail(e, ERR_SYSTEM, "alone");
    return 0;
}

static int place_overlay(const struct oci_space *s, size_t i, int dir,
                         const char *place, int lower, struct err *e) {
    const struct cage_limits *l = &s->cage->limits;
    const struct tree_room room = {l->scratch, l->inodes, oci_user(s->oci)};
    const struct report r = {.kind = REPORT_UPPER, .value = (int32_t)i};
    AUTO_FD int changes = -1;
    AUTO_FD int tree = tree_overlay(dir, lower, &room, &changes, e);
    if (tree < 0 || tree_place(dir, place, tree, e)) return -1;
    return report_send(s->status, &r, changes, e);
}

static int place_bind(const struct oci_space *s, size_t i, int dir,
                      struct err *e) {
    char place[32];
    const struct cage_bind *b = &s->cage->binds[i];
    snprintf(place, sizeof place, "/binds/%zu", i);
    AUTO_FD int tree = s->trees[i] >= 0 ? fcntl(s->trees[i], F_DUPFD_CLOEXEC, 3)
                                        : tree_copy(b->from, e);
    /* crun leaves devices of a bind to work, whatever the bundle says. */
    enum tree_use use = b->kind == BIND_RW ? TREE_WRITE : TREE_READ;
    if (tree < 0 || tree_restrict(tree, use, e)) return -1;
    if (b->kind == BIND_OVERLAY)
        return place_overlay(s, i, dir, place, tree, e);
    return tree_place(dir, place, tree, e);
}

static int place_trees(const struct oci_space *s, struct err *e) {
    AUTO_FD int dir = open(s->oci->dir.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return fail_sys(e, "%s", s->oci->dir.path);
    for (size_t i = 0; i < s->cage->bind_count; i++)
        if (place_bind(s, i, dir, e)) return fail_while(e, "bind");
    if (s->root_tree < 0) return 0;
    /* runsc opens no device of an image, and insists on mounting it anew. */
    bool ours = !s->oci->kind->one_id;
    return (ours && tree_restrict(s->root_tree, TREE_READ, e)) ||
                   tree_place(dir, "/rootfs", s->root_tree, e)
               ? -1
               : 0;
}

/* Scratch of ours is bound into the container. */
static int place_scratch(const struct oci_space *s, struct err *e) {
    const struct cage_limits *l = &s->cage->limits;
    struct report r = {.kind = REPORT_SCRATCH};
    if (!oci_own_scratch(s->cage)) return 0;
    AUTO_FD int dir = open(s->oci->dir.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return fail_sys(e, "%s", s->oci->dir.path);
    AUTO_FD int tmp = tree_tmpfs(l->scratch, l->inodes, "1777", e);
    if (tmp < 0 || tree_place(dir, "/scratch", tmp, e)) return -1;
    return report_send(s->status, &r, tmp, e);
}

/* gVisor has a network of its own unless it is told to use that of its
 * namespace, which is one that we made. */
static const char *option(const struct oci_space *s, const char *text) {
    bool own = strcmp(text, "--network=none") == 0;
    return own && s->cage->net != NET_NONE ? "--network=host" : text;
}

/* A loopback, and the socket that the proxy answers. */
static int make_network(const struct oci_space *s, struct err *e) {
    const struct plan p = {.cage = s->cage, .status = s->status};
    return net_enter(&p, e);
}

static _Noreturn void exec_runtime(const struct oci_space *s) {
    const struct oci *o = s->oci;
    char state[80], pid[80], log[80], home[96], passed[32];
    const char *argv[MAX_ARGS] = {o->runtime, "--root", state, "--log", log};
    const char *const env[] = {"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin",
                               home, NULL};
    size_t n = 5;
    snprintf(state, sizeof state, "%s/state", o->dir.path);
    snprintf(pid, sizeof pid, "%s/pid", o->dir.path);
    snprintf(log, sizeof log, "%s/log", o->dir.path);
    snprintf(home, sizeof home, "XDG_RUNTIME_DIR=%s", o->dir.path);
    for (size_t i = 0; i < 4 && o->kind->options[i]; i++)
        argv[n++] = option(s, o->kind->options[i]);
    argv[n++] = "run";
    size_t fds = s->cage->fd_count;
    snprintf(passed, sizeof passed, "--preserve-fds=%zu", fds);
    if (fds) argv[n++] = passed;
    const char *const rest[] = {"--bundle", o->dir.path, "--pid-file", pid,
                                "task"};
    memcpy(argv + n, rest, sizeof rest);
    (void)slice_plain(NULL, NULL); /* from here on it is the task's time */
    for (size_t i = 0; i < fds; i++)
        if (dup2(s->fds[i], 3 + (int)i) < 0) _exit(EXIT_SETUP);
    if (close_range(3 + (unsigned)fds, ~0u, 0) == 0)
        execve(o->runtime, (char *const *)(uintptr_t)argv,
               (char *const *)(uintptr_t)env);
    _exit(EXIT_SETUP);
}

static int enter(const struct oci_space *s, struct err *e) {
    char go;
    if (recv(s->status, &go, 1, 0) != 1) return fail(e, ERR_SYSTEM, "alone");
    for (int i = 0; i < 3; i++)
        if (dup2(s->std[i], i) < 0) return fail_sys(e, "streams");
    return time_enter(NULL, e) || cgroup_join(s->doors, e) ||
                   become_root(s->oci, e) || make_network(s, e) ||
                   end_with_parent(s, e) || make_mounts(s->oci, e) ||
                   oci_bundle(s, e) || place_trees(s, e) || place_scratch(s, e)
               ? -1
               : 0;
}

/* Where the program never ran, that is what the supervisor hears. */
static void tell_failure(const struct oci_space *s, const struct err *why) {
    struct report r = {.kind = REPORT_FAILED, .value = (int32_t)why->kind};
    struct err ignored;
    snprintf(r.text, sizeof r.text, "%s", why->text);
    (void)report_send(s->status, &r, -1, &ignored);
}

static void close_all_but(unsigned fd) {
    if (fd > 0) close_range(0, fd - 1, 0);
    close_range(fd + 1, ~0u, 0);
}

static pid_t start_runtime(const struct oci_space *s, struct err *e) {
    AUTO_FD int listener = -1;
    if (enter(s, e)) return -1;
    if (s->oci->kind->tells && (listener = oci_listen(s->oci, e)) < 0)
        return -1;
    pid_t relay = listener >= 0 ? fork() : 1;
    if (relay == 0) oci_pass_on(listener, s->status);
    pid_t runtime = relay < 0 ? -1 : fork();
    if (runtime == 0) exec_runtime(s);
    return runtime < 0 ? fail_sys(e, "fork") : runtime;
}

/* We are pid 1: what the runtime leaves behind is ours to reap, and ends with
 * us. */
void oci_enter(const struct oci_space *s) {
    struct err e;
    int status = 0;
    umask(022); /* the program is not the root that makes all this */
    pid_t runtime = start_runtime(s, &e);
    if (runtime < 0) {
        err_context(&e, "%s", s->oci->kind->name);
        tell_failure(s, &e);
        _exit(EXIT_SETUP);
    }
    close_all_but((unsigned)s->status);
    for (;;) {
        pid_t pid = wait(&status);
        if (pid == runtime) break;
        if (pid < 0 && errno != EINTR) _exit(EXIT_SETUP);
    }
    if (oci_failed(s->oci, &e)) tell_failure(s, &e);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
