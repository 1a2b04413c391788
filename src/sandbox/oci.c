/* SPDX-License-Identifier: MIT
 *
 * Bundles and runtimes.
 */
#include "sandbox/oci.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "sandbox/ids.h"

/* --- finding --- */

/* crun refuses machines where v1 holds the controllers and v2 is mounted as
 * well. */
static bool hybrid(void) {
    struct err e;
    struct cgroup_base b;
    return cgroup_here(&b, &e) == 0 && !b.unified && b.path[CGROUP_UNIFIED][0];
}

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
    static const char *const plain[] = {"crun", "runc", "youki", "kata-runtime",
                                        NULL};
    static const char *const gvisor[] = {"runsc", NULL};
    const char *const *names = tier == TIER_GVISOR ? gvisor : plain;
    bool skip_crun = hybrid();
    for (; *names; names++) {
        if (skip_crun && strcmp(*names, "crun") == 0) continue;
        if (in_path(*names, out->runtime, sizeof out->runtime)) return 0;
    }
    return fail(e, ERR_UNSUPPORTED, "%s",
                tier == TIER_GVISOR ? "runsc is not in PATH"
                : skip_crun ? "no runc, youki or kata-runtime in PATH (crun "
                              "does not work with v1 and v2 cgroups mixed)"
                            : "no crun, runc, youki or kata-runtime in PATH");
}

/* --- the bundle --- */

static int write_at(int dir, const char *name, const char *text,
                    struct err *e) {
    AUTO_FD int fd =
        openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return fail_sys(e, "%s", name);
    return fd_write_all(fd, str_of(text), e);
}

/* Symlinks and texts of rootfs.def; the runtime makes places to mount on. */
static int write_root(int dir, struct err *e) {
    static const struct {
        const char *path, *text;
    } parts[] = {
#define SYSTEM(path) {path, NULL},
#define DEVICE(path)
#define WRITTEN(path, text) {path, text},
#include "sandbox/rootfs.def"
#undef SYSTEM
#undef DEVICE
#undef WRITTEN
    };
    if (mkdirat(dir, "rootfs", 0755) < 0 ||
        mkdirat(dir, "rootfs/etc", 0755) < 0 ||
        mkdirat(dir, "rootfs/etc/ssl", 0755) < 0)
        return fail_sys(e, "rootfs");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char name[128], target[4096];
        snprintf(name, sizeof name, "rootfs%s", parts[i].path);
        if (parts[i].text) {
            if (write_at(dir, name, parts[i].text, e)) return -1;
            continue;
        }
        ssize_t n = readlink(parts[i].path, target, sizeof target - 1);
        if (n < 0) continue;
        target[n] = 0;
        if (symlinkat(target, dir, name) < 0) return fail_sys(e, "%s", name);
    }
    return 0;
}

/* The runtime makes mount points as the root of the task's namespace. */
static int give_root(int dir, uint32_t outside, struct err *e) {
    static const char *const dirs[] = {"rootfs", "rootfs/etc",
                                       "rootfs/etc/ssl"};
    for (size_t i = 0; outside && i < 3; i++)
        if (fchownat(dir, dirs[i], outside, outside, 0) < 0)
            return fail_sys(e, "%s", dirs[i]);
    return 0;
}

static int write_bundle(const struct cage *c, struct oci *oci, struct err *e) {
    uint32_t outside = 0;
    if (ids_free_choice() && ids_outside(&outside, e)) return -1;
    outside &= ~0xffffu; /* a range of 65536 */
    snprintf(oci->dir, sizeof oci->dir, "/tmp/cordon-oci-XXXXXX");
    if (!mkdtemp(oci->dir)) {
        oci->dir[0] = 0;
        return fail_sys(e, "bundle");
    }
    /* The task's own uid must be able to walk through it. */
    if (chmod(oci->dir, 0711) < 0) return fail_sys(e, "bundle");
    AUTO_FD int dir = open(oci->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return fail_sys(e, "%s", oci->dir);
    AUTO_BUF struct buf text = BUF_MAX(4 << 20);
    if (oci_config(c, outside, &text, e) ||
        write_at(dir, "config.json", buf_text(&text), e))
        return -1;
    if (c->root) return 0;
    return write_root(dir, e) || give_root(dir, outside, e) ? -1 : 0;
}

static void remove_tree(const char *path) {
    const char *const argv[] = {"rm", "-rf", "--one-file-system",
                                "--", path,  NULL};
    pid_t pid;
    if (posix_spawnp(&pid, "rm", NULL, NULL, (char *const *)(uintptr_t)argv,
                     environ) == 0)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
}

/* --- running --- */

static int check_cage(const struct cage *c, struct err *e) {
    if (c->net != NET_NONE)
        return fail(e, ERR_UNSUPPORTED, "tier %s has no network",
                    cage_tier_name(c->tier));
    if (c->fd_count || c->keep_scratch)
        return fail(e, ERR_UNSUPPORTED,
                    "tier %s passes no descriptors and collects no files",
                    cage_tier_name(c->tier));
    for (size_t i = 0; i < c->bind_count; i++)
        if (c->binds[i].kind == BIND_OVERLAY)
            return fail(e, ERR_UNSUPPORTED, "tier %s has no overlays",
                        cage_tier_name(c->tier));
    return cage_check(c, e);
}

static _Noreturn void exec_runtime(const struct oci *oci, const int std[3]) {
    for (int i = 0; i < 3; i++)
        if (dup2(std[i], i) < 0) _exit(125);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execl(oci->runtime, oci->runtime, "run", "--bundle", oci->dir, oci->id,
          (char *)NULL);
    _exit(125);
}

int oci_start(const struct cage *c, const int std[3], struct oci *oci,
              struct started *out, struct err *e) {
    struct oci o = {.dir = ""};
    if (check_cage(c, e) || oci_find(c->tier, &o, e)) return -1;
    snprintf(o.id, sizeof o.id, "cordon-%d-%llx", (int)getpid(),
             (unsigned long long)clock_mono_ns());
    if (write_bundle(c, &o, e)) {
        oci_stop(&o);
        return -1;
    }
    int pidfd = -1;
    struct clone_args args = {.flags = CLONE_PIDFD,
                              .pidfd = (uint64_t)(uintptr_t)&pidfd,
                              .exit_signal = SIGCHLD};
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
    if (pid == 0) exec_runtime(&o, std);
    if (pid < 0) {
        oci_stop(&o);
        return fail_sys(e, "fork");
    }
    *oci = o;
    *out = (struct started){.pid = pid,
                            .pidfd = pidfd,
                            .status = -1,
                            .cgroup = CGROUP_NONE,
                            .layers = oci_layers(c)};
    return 0;
}

/* The runtime may have died before its container. */
void oci_stop(struct oci *oci) {
    if (!oci->dir[0]) return;
    const char *const argv[] = {oci->runtime, "delete", "--force", oci->id,
                                NULL};
    pid_t pid;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, oci->runtime, &quiet, NULL,
                    (char *const *)(uintptr_t)argv, environ) == 0)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    posix_spawn_file_actions_destroy(&quiet);
    remove_tree(oci->dir);
    oci->dir[0] = 0;
}
