/* SPDX-License-Identifier: MIT */
#include "io/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

/* Both ends of the pipes a start needs; what is not handed out closes itself.
 */
struct ends {
    int in[2], out[2], err[2], failure[2];
};

static void close_ends(struct ends *p) {
    int *fds[] = {p->in, p->out, p->err, p->failure};
    for (size_t i = 0; i < 4; i++) {
        fd_auto_close(&fds[i][0]);
        fd_auto_close(&fds[i][1]);
    }
}

static int open_ends(struct ends *p, bool with_stderr, struct err *e) {
    if (pipe2(p->in, O_CLOEXEC) || pipe2(p->out, O_CLOEXEC) ||
        pipe2(p->failure, O_CLOEXEC))
        return fail_sys(e, "pipe");
    if (with_stderr && pipe2(p->err, O_CLOEXEC)) return fail_sys(e, "pipe");
    return 0;
}

/* -- in the child, between fork and exec: only async-signal-safe calls -------
 */

static void default_signals(void) {
    for (int sig = 1; sig < NSIG; sig++)
        (void)signal(sig, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The three standard descriptors, then nothing else survives exec. */
static int take_descriptors(const struct ends *p) {
    if (dup2(p->in[0], 0) < 0 || dup2(p->out[1], 1) < 0) return -1;
    if (p->err[1] >= 0 && dup2(p->err[1], 2) < 0) return -1;
    return close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
}

static void become(const struct child_spec *spec, const struct ends *p,
                   pid_t parent) {
    static const char *const empty[] = {NULL};
    const char *const *env = spec->env ? spec->env : empty;
    (void)setsid();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return;
    if (getppid() != parent) _exit(0); /* it died before prctl */
    default_signals();
    if (take_descriptors(p)) return;
    if (spec->cwd && chdir(spec->cwd)) return;
    environ = (char **)(uintptr_t)env; /* execvpe would search our own PATH */
    (void)execvp(spec->argv[0], (char *const *)(uintptr_t)spec->argv);
}

/* -- in the parent ----------------------------------------------------------
 */

/* The failure pipe closes by itself when exec succeeds; else errno comes. */
static int await_exec(int fd, const char *program, struct err *e) {
    int code = 0;
    ssize_t n;
    do {
        n = read(fd, &code, sizeof code);
    } while (n < 0 && errno == EINTR);
    if (n == 0) return 0;
    errno = code;
    return fail_sys(e, "start %s", program);
}

static void on_exit(struct io_watch *w, uint32_t events) {
    (void)events;
    struct child *c = w->data;
    int status = 0;
    if (waitpid(c->pid, &status, WNOHANG) != c->pid) return;
    /* What it left behind in its session goes with it. */
    (void)kill(-c->pid, SIGKILL);
    c->pid = 0;
    loop_timer_stop(&c->timer);
    loop_unwatch(w);
    fd_auto_close(&w->fd);
    w->fd = -1;
    c->exited(c, status);
}

static int fork_child(const struct child_spec *spec, struct ends *p, pid_t *out,
                      struct err *e) {
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid < 0) return fail_sys(e, "fork");
    if (pid == 0) {
        become(spec, p, parent);
        int code = errno;
        (void)!write(p->failure[1], &code, sizeof code);
        _exit(127);
    }
    fd_auto_close(&p->failure[1]);
    p->failure[1] = -1;
    if (await_exec(p->failure[0], spec->argv[0], e)) {
        (void)waitpid(pid, NULL, 0);
        return -1;
    }
    *out = pid;
    return 0;
}

static int watch_child(struct child *c, struct loop *loop, struct err *e) {
    c->pidfd.fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
    if (c->pidfd.fd < 0) return fail_sys(e, "pidfd_open");
    return loop_watch(loop, &c->pidfd, EPOLLIN, e);
}

int child_start(struct child *c, struct loop *loop,
                const struct child_spec *spec,
                void (*exited)(struct child *c, int status), void *data,
                struct err *e) {
    __attribute__((cleanup(close_ends))) struct ends p = {
        {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    if (open_ends(&p, !spec->keep_stderr, e)) return -1;
    pid_t pid;
    if (fork_child(spec, &p, &pid, e)) return -1;
    *c = (struct child){
        .pid = pid,
        .in = fd_take(&p.in[1]),
        .out = fd_take(&p.out[0]),
        .err = fd_take(&p.err[0]),
        .pidfd = {.fd = -1, .fn = on_exit, .data = c},
        .timer = {.data = c, .loop = loop},
        .exited = exited,
        .data = data,
    };
    if (watch_child(c, loop, e)) {
        child_fini(c);
        return -1;
    }
    return 0;
}

static void next_stop_step(struct io_timer *t) {
    struct child *c = t->data;
    struct err e;
    (void)kill(-c->pid, c->stop_step++ == 0 ? SIGTERM : SIGKILL);
    if (c->stop_step < 2) (void)loop_timer(t->loop, t, c->grace_ns, &e);
}

int child_stop(struct child *c, int64_t grace_ns, struct err *e) {
    if (!c->pid || c->stop_step || c->timer.place) return 0;
    c->grace_ns = grace_ns;
    c->timer.fn = next_stop_step;
    return loop_timer(c->timer.loop, &c->timer, grace_ns, e);
}

void child_fini(struct child *c) {
    if (c->pid) {
        (void)kill(-c->pid, SIGKILL);
        (void)kill(c->pid, SIGKILL); /* before setsid there is no session */
        (void)waitpid(c->pid, NULL, 0);
        loop_timer_stop(&c->timer);
        loop_unwatch(&c->pidfd);
        fd_auto_close(&c->pidfd.fd);
        fd_auto_close(&c->in);
        fd_auto_close(&c->out);
        fd_auto_close(&c->err);
    }
    *c = (struct child){.in = -1, .out = -1, .err = -1, .pidfd.fd = -1};
}

void child_describe(int status, char out[64]) {
    if (WIFEXITED(status))
        (void)snprintf(out, 64, "exited with status %d", WEXITSTATUS(status));
    else
        (void)snprintf(out, 64, "killed by SIG%s",
                       sigabbrev_np(WTERMSIG(status))
                           ? sigabbrev_np(WTERMSIG(status))
                           : "?");
}
