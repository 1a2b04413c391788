/* SPDX-License-Identifier: MIT
 *
 * Becoming the interpreter, and what the interpreter calls in our module.
 */
#include "sandbox/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/launcher.h"
#include "sandbox/report.h"
#include "stdlib/embed.h"

EMBED(zygote_py, "src/sandbox/zygote.py");

enum { CONTROL = 3, BOOT = 4, MODULE = 5 };

/* What the module must know of the slot it is in. */
struct boot {
    uint32_t layers;
    int32_t landlock_abi;
    enum cage_tier tier;
    enum cage_net net;
    uint32_t unix_sockets;
    struct cage_limits limits;
};

const char *zygote_text(void) {
    return zygote_py;
}

int zygote_describe(struct cage *c, str text, struct err *e) {
    /* The kernel's limit for one argument, less a little. */
    if (text.n > 120 << 10)
        return fail(e, ERR_LIMIT, "a program of %zu bytes is too long", text.n);
    const char **argv = arena_zalloc(c->arena, 7, sizeof *argv, e);
    if (!argv) return -1;
    char *copy = arena_text(c->arena, text, e);
    if (!copy) return -1;
    argv[0] = "/usr/bin/python3";
    argv[1] = "-I";
    argv[2] = "-c";
    argv[3] = zygote_py;
    argv[4] = "run";
    argv[5] = copy;
    c->argv = argv;
    return 0;
}

/* --- in the launcher --- */

static int write_boot(const struct plan *p, struct err *e) {
    struct boot b = {
        .layers = p->layers,
        .landlock_abi = p->landlock_abi,
        .tier = p->cage->tier,
        .net = p->cage->net,
        .unix_sockets = p->cage->unix_sockets,
        .limits = p->cage->limits,
    };
    AUTO_FD int fd = memfd_create("boot", MFD_CLOEXEC);
    if (fd < 0) return fail_sys(e, "memfd");
    if (pwrite(fd, &b, sizeof b, 0) != (ssize_t)sizeof b)
        return fail_sys(e, "memfd");
    return fd_take(&fd);
}

/* Three descriptors and nothing else go through execve. */
static int place_fds(const struct plan *p, int control, struct err *e) {
    AUTO_FD int boot = write_boot(p, e);
    if (boot < 0) return -1;
    int from[] = {control, boot, p->std[0]}, high[3];
    for (int i = 0; i < 3; i++) {
        high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, FD_BASE + 8);
        if (high[i] < 0) return fail_sys(e, "descriptors");
    }
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return fail_sys(e, "/dev/null");
    for (int fd = 0; fd < 3; fd++)
        if (dup2(null, fd) < 0) return fail_sys(e, "descriptors");
    for (int i = 0; i < 3; i++)
        if (dup2(high[i], CONTROL + i) < 0) return fail_sys(e, "descriptors");
    if (close_range(MODULE + 1, ~0u, CLOSE_RANGE_CLOEXEC) < 0)
        return fail_sys(e, "descriptors");
    return 0;
}

void zygote_exec(const struct plan *p, int control) {
    struct err e;
    struct report r = {.kind = REPORT_FAILED, .value = ERR_SYSTEM};
    if (!place_fds(p, control, &e)) {
        execve(p->zygote[0], (char *const *)(uintptr_t)p->zygote,
               (char *const *)(uintptr_t)p->env);
        err_set_sys(&e, "%s", p->zygote[0]);
        control = CONTROL;
    }
    memcpy(r.text, e.text, sizeof r.text);
    (void)report_send(control, &r, -1, &e);
    _exit(125);
}

/* --- in the interpreter --- */

/* Of CPython; there only when it has loaded us. */
void PyOS_BeforeFork(void) __attribute__((weak, visibility("default")));
void PyOS_AfterFork_Child(void) __attribute__((weak, visibility("default")));
void PyOS_AfterFork_Parent(void) __attribute__((weak, visibility("default")));

__attribute__((visibility("default"))) long
cordon_zygote_serve(int control, int boot, char *text, size_t size);

struct space {
    struct cage cage;
    struct plan plan;
    struct bpf_program filter;
};

static int read_space(int fd, struct space *s, struct err *e) {
    struct boot b;
    if (pread(fd, &b, sizeof b, 0) != (ssize_t)sizeof b)
        return fail_sys(e, "boot");
    s->cage.tier = b.tier;
    s->cage.net = b.net;
    s->cage.unix_sockets = b.unix_sockets;
    s->cage.limits = b.limits;
    s->plan.cage = &s->cage;
    s->plan.layers = b.layers;
    s->plan.landlock_abi = b.landlock_abi;
    s->plan.pooled = true;
    s->plan.filter = &s->filter;
    return seccomp_compile(&s->cage, b.layers, &s->filter, e);
}

/* The text of the task, copied out before anything else is done: what it
 * lies in is shared with the next request. */
static long take_text(const char *const *argv, char *text, size_t size) {
    size_t n = argv[1] ? strlen(argv[1]) : 0;
    if (n > size) n = size;
    if (n) memcpy(text, argv[1], n);
    return (long)n;
}

/* Returns in the task's own process only. */
static long become_task(const struct space *s, const struct launch *t,
                        char *text, size_t size) {
    static const char *argv[CAGE_MAX_ARGS + 1];
    static struct cage cage;
    static struct plan plan;
    if (launch_unpack(t, &s->plan, &cage, argv, &plan)) _exit(125);
    long n = take_text(argv, text, size);
    init_fork(&plan, PyOS_AfterFork_Child);
    return n;
}

/* The length of the text in a task, -1 in the zygote when it is over. */
long cordon_zygote_serve(int control, int boot, char *text, size_t size) {
    static struct space s;
    static struct launch t;
    struct err e;
    struct report r = {.kind = REPORT_READY};
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (!PyOS_BeforeFork || read_space(boot, &s, &e) ||
        launch_fill_fds(control, &e) || report_send(control, &r, -1, &e))
        return -1;
    while (launch_receive(control, &t)) {
        int pidfd = -1;
        PyOS_BeforeFork();
        pid_t pid = launch_clone(&pidfd);
        if (pid == 0) return become_task(&s, &t, text, size);
        PyOS_AfterFork_Parent();
        launch_finish(&t, pid, pidfd);
    }
    return -1;
}
