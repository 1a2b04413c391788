/* SPDX-License-Identifier: MIT
 *
 * Becoming the interpreter, and what the interpreter calls in our module.
 */
#include "sandbox/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/cpython.h"
#include "sandbox/kind.h"
#include "sandbox/launcher.h"
#include "sandbox/report.h"
#include "stdlib/embed.h"

EMBED(zygote_py, "src/sandbox/zygote.py");

enum { CONTROL = 3, BOOT = 4, MODULE = 5 };

/* What the module must know of the slot it is in. Behind it the places of the
 * binds follow, each with its NUL: a task may write to some. */
struct boot {
    uint32_t layers;
    int32_t landlock_abi;
    enum cage_tier tier;
    enum cage_net net;
    uint32_t unix_sockets;
    uint32_t bind_count;
    uint8_t kinds[CAGE_MAX_BINDS];
    struct cage_limits limits;
};

const char *zygote_text(void) {
    return zygote_py;
}

int zygote_module(struct buf *out, struct err *e) {
    static const char *const places[] = {"cordon-python.so",
                                         "../libexec/cordon/cordon-python.so"};
    char own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (n < 0) return fail_sys(e, "/proc/self/exe");
    while (n > 0 && own[n - 1] != '/')
        n--;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        buf_truncate(out, 0);
        if (buf_addf(out, e, "%.*s%s", (int)n, own, places[i])) return -1;
        if (access(buf_text(out), R_OK) == 0) return 0;
    }
    return fail(e, ERR_UNSUPPORTED, "no cordon-python.so in or near %.*s",
                (int)n, own);
}

int zygote_describe(struct cage *c, str text, struct err *e) {
    /* The kernel's limit for one argument, less a little. */
    if (text.n > 120 << 10)
        return fail(e, ERR_LIMIT, "a program of %zu bytes is too long", text.n);
    const char **argv = arena_zalloc(c->arena, 9, sizeof *argv, e);
    if (!argv) return -1;
    char *copy = arena_text(c->arena, text, e);
    if (!copy) return -1;
    argv[0] = CPYTHON;
    argv[1] = "-I";
    argv[2] = "-c";
    argv[3] = zygote_py;
    argv[4] = "run";
    argv[5] = copy;
    argv[6] = c->tools ? "tools" : NULL;
    argv[7] = c->tools && c->tier == TIER_GVISOR ? "input" : NULL;
    c->argv = argv;
    return 0;
}

/* --- in the launcher --- */

static int write_places(int fd, const struct cage *c, struct err *e) {
    for (size_t i = 0; i < c->bind_count; i++)
        if (fd_write_all(fd, (str){c->binds[i].to, strlen(c->binds[i].to) + 1},
                         e))
            return -1;
    return 0;
}

static int write_boot(const struct plan *p, struct err *e) {
    const struct cage *c = p->cage;
    struct boot b = {
        .layers = p->layers,
        .landlock_abi = p->landlock_abi,
        .tier = c->tier,
        .net = c->net,
        .unix_sockets = c->unix_sockets,
        .bind_count = (uint32_t)c->bind_count,
        .limits = c->limits,
    };
    for (size_t i = 0; i < c->bind_count; i++)
        b.kinds[i] = (uint8_t)c->binds[i].kind;
    AUTO_FD int fd = memfd_create("boot", MFD_CLOEXEC);
    if (fd < 0) return fail_sys(e, "memfd");
    if (fd_write_all(fd, (str){(const char *)&b, sizeof b}, e) ||
        write_places(fd, c, e))
        return fail_while(e, "memfd");
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

/* What is bound at the first use would be bound in every fork anew. */
static void python_env(const struct plan *p, const char **env, size_t size) {
    size_t n = 0;
    env[n++] = "LD_BIND_NOW=1";
    for (size_t i = 0; p->env[i] && n + 1 < size; i++)
        env[n++] = p->env[i];
    env[n] = NULL;
}

static _Noreturn void become_python(const struct plan *p, int control) {
    struct err e;
    struct report r = {.kind = REPORT_FAILED, .value = ERR_SYSTEM};
    const char *env[sizeof p->env / sizeof p->env[0] + 1];
    python_env(p, env, sizeof env / sizeof env[0]);
    if (!place_fds(p, control, &e)) {
        execve(p->zygote[0], (char *const *)(uintptr_t)p->zygote,
               (char *const *)(uintptr_t)env);
        err_set_sys(&e, "%s", p->zygote[0]);
        control = CONTROL;
    }
    memcpy(r.text, e.text, sizeof r.text);
    (void)report_send(control, &r, -1, &e);
    _exit(125);
}

int zygote_start(const struct plan *p, int *out, struct err *e) {
    int pair[2], fd = -1;
    struct report r;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_sys(e, "socket");
    AUTO_FD int ours = pair[0], theirs = pair[1];
    pid_t pid = fork();
    if (pid < 0) return fail_sys(e, "fork");
    if (pid == 0) become_python(p, theirs);
    close(fd_take(&theirs));
    int rc = report_recv(ours, &r, &fd, e);
    if (rc < 0) return -1;
    if (rc == 0) return fail(e, ERR_SYSTEM, "python3 ended at once");
    if (r.kind != REPORT_READY)
        return fail(e, (enum err_kind)r.value, "%s", r.text);
    *out = fd_take(&ours);
    return 0;
}

/* --- in the interpreter --- */

/* Of CPython; there only when it has loaded us. */
void PyOS_BeforeFork(void) __attribute__((weak, visibility("default")));
void PyOS_AfterFork_Child(void) __attribute__((weak, visibility("default")));
void PyOS_AfterFork_Parent(void) __attribute__((weak, visibility("default")));

__attribute__((visibility("default"))) long
cordon_zygote_serve(int control, int boot, char *text, size_t size, void *seed,
                    size_t seed_size);
__attribute__((visibility("default"))) int cordon_zygote_tools(void);
__attribute__((visibility("default"))) int cordon_zygote_parked(void);
__attribute__((visibility("default"))) long cordon_zygote_feed(char *text,
                                                               size_t size);

/* Of the one task that this process is or will be. */
static bool has_tools, is_parked;

struct space {
    void *seed; /* of a generator that all forks would share */
    size_t seed_size;
    struct cage cage;
    struct plan plan;
    struct bpf_program filter;
    char places[KIND_MAX_BYTES]; /* of the cage's binds */
};

static int read_places(int fd, const struct boot *b, struct space *s,
                       struct err *e) {
    ssize_t n = pread(fd, s->places, sizeof s->places - 1, sizeof *b);
    if (n < 0 || b->bind_count > CAGE_MAX_BINDS) return fail_sys(e, "boot");
    const char *at = s->places, *end = s->places + n;
    for (size_t i = 0; i < b->bind_count && at < end; i++) {
        s->cage.binds[i] = (struct cage_bind){
            .kind = (enum cage_bind_kind)b->kinds[i], .from = at, .to = at};
        at += strlen(at) + 1;
    }
    s->cage.bind_count = b->bind_count;
    return 0;
}

static int read_space(int fd, struct space *s, struct err *e) {
    struct boot b;
    if (pread(fd, &b, sizeof b, 0) != (ssize_t)sizeof b)
        return fail_sys(e, "boot");
    if (read_places(fd, &b, s, e)) return -1;
    s->cage.tier = b.tier;
    s->cage.net = b.net;
    s->cage.unix_sockets = b.unix_sockets;
    s->cage.limits = b.limits;
    s->plan.cage = &s->cage;
    s->plan.layers = b.layers;
    s->plan.landlock_abi = b.landlock_abi;
    s->plan.pooled = true;
    s->plan.warm = true;
    s->plan.filter = &s->filter;
    return seccomp_compile(&s->cage, b.layers, &s->filter, e);
}

static long copy_text(const char *from, size_t n, char *text, size_t size) {
    if (n > size) n = size;
    if (n) memcpy(text, from, n);
    return (long)n;
}

/* The parent of the sandbox's pid 1 passed its namespaces on. */
static int receive_namespaces(int line, int out[INIT_NAMESPACES]) {
    static struct launch t;
    if (!launch_receive(line, &t)) return -1;
    if (t.fd_count != INIT_NAMESPACES) {
        launch_close(&t);
        return -1;
    }
    memcpy(out, t.fds, sizeof t.fds[0] * INIT_NAMESPACES);
    return 0;
}

/* pid 1 says when there is something to enter. */
static int enter(const int ns[INIT_NAMESPACES], int line, struct err *e) {
    char go;
    ssize_t n;
    do
        n = recv(line, &go, 1, 0);
    while (n < 0 && errno == EINTR);
    if (n != 1) _exit(125); /* it has told why */
    if (setns(ns[1], CLONE_NEWIPC) < 0) return fail_sys(e, "ipc namespace");
    if (setns(ns[2], CLONE_NEWNS) < 0) return fail_sys(e, "mount namespace");
    return 0;
}

static _Noreturn void give_up(int status, const struct err *cause) {
    struct report r = {.kind = REPORT_FAILED, .value = (int32_t)cause->kind};
    struct err e;
    memcpy(r.text, cause->text, sizeof r.text);
    (void)report_send(status, &r, -1, &e);
    _exit(125);
}

int cordon_zygote_parked(void) {
    return is_parked;
}

/* What a parked task waits for. From here on nothing but 0 to 3 is open. */
long cordon_zygote_feed(char *text, size_t size) {
    static struct launch t;
    /* Copied now rather than when somebody waits for an answer. */
    *(volatile char *)t.text = 0;
    *(volatile size_t *)&t.fd_count = 0;
    *(volatile char *)text = 0;
    if (!launch_receive(LAUNCH_FEED, &t) || t.fd_count < 3 || t.fd_count > 4)
        _exit(0);
    has_tools = t.fd_count == 4;
    for (size_t i = 0; i < t.fd_count; i++)
        if (dup2(t.fds[i], (int)i) < 0) _exit(125);
    if (close_range(3 + has_tools, ~0u, 0) < 0) _exit(125);
    return copy_text(t.text, t.size, text, size);
}

/* Any bits are a state of the generator, and as good as what seeding makes of
 * them. */
static int renew(const struct space *s, struct err *e) {
    char *at = s->seed;
    for (size_t left = s->seed_size; left > 0;) {
        ssize_t n = getrandom(at, left, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_sys(e, "random");
        at += n;
        left -= (size_t)n;
    }
    return 0;
}

/* In the fork. The text is copied out before anything else is done: what it
 * lies in is shared with the next request. */
static long become_task(const struct space *s, const struct launch *t,
                        const int ns[INIT_NAMESPACES], char *text,
                        size_t size) {
    static const char *argv[CAGE_MAX_ARGS + 1];
    static struct cage cage;
    static struct plan plan;
    struct err e;
    if (launch_unpack(t, &s->plan, &cage, argv, &plan)) _exit(125);
    long n = copy_text(argv[1], argv[1] ? strlen(argv[1]) : 0, text, size);
    PyOS_AfterFork_Child();
    has_tools = cage.fd_count > 0;
    if (renew(s, &e) || enter(ns, t->fds[t->fd_count - 1], &e) ||
        confine_here(&plan, &e))
        give_up(plan.status, &e);
    is_parked = plan.parked;
    return n;
}

static int64_t cpu_of(const struct rusage *u) {
    return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000000ll +
           (u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000ll;
}

/* Its parent is here, not its pid 1, which waits to hear of its end. */
static void await_task(pid_t pid, int line) {
    struct rusage u = {0};
    struct init_end end = {0};
    while (wait4(pid, &end.status, 0, &u) < 0 && errno == EINTR)
        continue;
    end.cpu_ns = cpu_of(&u);
    end.memory = (uint64_t)u.ru_maxrss * 1024;
    (void)send(line, &end, sizeof end, MSG_NOSIGNAL); /* or it was killed */
}

/* In the fork: its text's length. In the zygote: -1 when the task ended. */
static long run_task(const struct space *s, struct launch *t, char *text,
                     size_t size) {
    int ns[INIT_NAMESPACES], line = t->fds[t->fd_count - 1];
    struct err e;
    if (receive_namespaces(line, ns)) return -1;
    PyOS_BeforeFork();
    pid_t pid = setns(ns[0], CLONE_NEWPID) < 0 ? -1 : fork();
    if (pid == 0) return become_task(s, t, ns, text, size);
    if (pid < 0) err_set_sys(&e, "fork");
    PyOS_AfterFork_Parent();
    for (int i = 0; i < INIT_NAMESPACES; i++)
        close(ns[i]);
    if (pid > 0) {
        for (size_t i = 0; i + 1 < t->fd_count; i++)
            close(t->fds[i]);
        t->fds[0] = line;
        t->fd_count = 1;
        await_task(pid, line);
    } else {
        struct report r = {.kind = REPORT_FAILED, .value = ERR_SYSTEM};
        memcpy(r.text, e.text, sizeof r.text);
        (void)report_send(t->fds[LAUNCH_STATUS], &r, -1, &e);
    }
    return -1;
}

int cordon_zygote_tools(void) {
    return has_tools;
}

/* The length of the text in a task, -1 in the zygote when it is over. */
long cordon_zygote_serve(int control, int boot, char *text, size_t size,
                         void *seed, size_t seed_size) {
    static struct space s;
    static struct launch t;
    struct err e;
    s.seed = seed;
    s.seed_size = seed_size;
    struct report r = {.kind = REPORT_READY};
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (!PyOS_BeforeFork || read_space(boot, &s, &e) ||
        launch_fill_fds(control, -1, &e) || report_send(control, &r, -1, &e))
        return -1;
    while (launch_receive(control, &t)) {
        long n = run_task(&s, &t, text, size);
        if (n >= 0) return n;
        launch_close(&t);
    }
    return -1;
}
