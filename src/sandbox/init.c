/* SPDX-License-Identifier: MIT
 *
 * pid 1 of a task: makes the space, starts the program, reaps what is left
 * behind, forwards signals, tells how it ended, and takes everything in the
 * pid namespace with it when it goes.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/num.h"
#include "sandbox/launcher.h"
#include "sandbox/plan.h"
#include "sandbox/report.h"
#include "sandbox/sysnum.h"
#include "sandbox/worker.h"

enum { EXIT_SETUP = 125, HEARD_MS = 20 };

void init_give_up(const struct plan *p, const struct err *cause) {
    struct report r = {.kind = REPORT_FAILED, .value = (int32_t)cause->kind};
    snprintf(r.text, sizeof r.text, "%s", cause->text);
    struct err e;
    (void)report_send(p->status, &r, -1, &e); /* nobody left to tell */
    _exit(EXIT_SETUP);
}

/* The program shares our memory until it execs (a copy would cost more than
 * the rest of the start), so what went wrong is simply in *e. */
static pid_t start_program(const struct plan *p, struct err *e) {
    volatile bool failed = false;
    pid_t pid = vfork();
    if (pid == 0) {
        confine_task(p, e);
        failed = true;
        _exit(EXIT_SETUP);
    }
    if (pid < 0) return fail_sys(e, "start");
    return failed ? -1 : pid;
}

static int64_t cpu_of_children(const struct rusage *u) {
    int64_t sec = u->ru_utime.tv_sec + u->ru_stime.tv_sec;
    int64_t usec = u->ru_utime.tv_usec + u->ru_stime.tv_usec;
    return sec * 1000000000 + usec * 1000;
}

static _Noreturn void finish(const struct plan *p, const struct init_end *end) {
    struct report r = {
        .kind = REPORT_ENDED,
        .value = end->status,
        .cpu_ns = end->cpu_ns,
        .memory = end->memory,
    };
    struct err e;
    (void)report_send(p->status, &r, -1, &e);
    /* In a pool nobody waits for what comes now, and it takes a while: the
     * supervisor may have the processor first. It hangs up when it has read. */
    struct pollfd heard = {p->status, 0, 0};
    if (p->pooled) (void)poll(&heard, 1, HEARD_MS);
    _exit(0);
}

/* Without a pid namespace nothing ends the rest for us. What the program left
 * behind became ours (we are its subreaper): kill until nobody is left. */
static void sweep(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    for (int round = 0; round < 1000; round++) {
        struct err e;
        AUTO_BUF struct buf list = BUF_MAX(1 << 16);
        if (file_read(path, &list, &e) || list.len == 0) return;
        for (str rest = buf_str(&list); rest.n;) {
            int64_t pid;
            if (!num_parse_i64(str_cut(&rest, ' '), &pid, &e) && pid > 0)
                kill((pid_t)pid, SIGKILL);
        }
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
    }
}

/* Whoever is left in the pid namespace ends now, so that nobody but us is
 * there when the end is told. */
static void kill_rest(void) {
    kill(-1, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
}

/* Collects who died; the end of the program is the end of the task. */
static void reap(const struct plan *p, pid_t program) {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != program) continue;
        if (plan_has(p, LAYER_NAMESPACES))
            kill_rest();
        else
            sweep();
        struct rusage u = {0};
        (void)getrusage(RUSAGE_CHILDREN, &u);
        struct init_end end = {status, cpu_of_children(&u),
                               (uint64_t)u.ru_maxrss * 1024};
        finish(p, &end);
    }
}

static void on_signal(const struct plan *p, int signals, pid_t program) {
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) != sizeof info) return;
    if (info.ssi_signo == SIGCHLD)
        reap(p, program);
    else
        kill(program, (int)info.ssi_signo);
}

static void on_line(const struct plan *p, int line) {
    struct init_end end;
    if (read(line, &end, sizeof end) != (ssize_t)sizeof end) return;
    kill_rest();
    finish(p, &end);
}

/* The supervisor's end of the socket closes when it dies: then so do we. So
 * does the line, when a zygote does. */
static _Noreturn void watch(const struct plan *p, int signals, int line,
                            pid_t program) {
    struct pollfd fds[] = {
        {signals, POLLIN, 0}, {p->status, POLLIN, 0}, {line, POLLIN, 0}};
    for (;;) {
        if (poll(fds, 3, -1) < 0 && errno != EINTR) break;
        if (fds[0].revents) on_signal(p, signals, program);
        if (fds[2].revents & POLLIN) on_line(p, line);
        if ((fds[1].revents | fds[2].revents) & (POLLHUP | POLLERR)) break;
    }
    kill(program, SIGKILL);
    if (!plan_has(p, LAYER_NAMESPACES)) sweep();
    _exit(EXIT_SETUP);
}

static int take_signals(struct err *e) {
    sigset_t all;
    sigfillset(&all);
    if (sigprocmask(SIG_SETMASK, &all, NULL) < 0) return fail_sys(e, "signals");
    int fd = signalfd(-1, &all, SFD_CLOEXEC);
    return fd < 0 ? fail_sys(e, "signals") : fd;
}

/* Keeps these three (or two, where the last is -1) and nothing else: a pipe
 * held here would keep the supervisor waiting for its end. */
static void close_rest(int a, int b, int c) {
    unsigned next = 0;
    for (;;) {
        int least = -1;
        const int keep[] = {a, b, c};
        for (size_t i = 0; i < 3; i++)
            if (keep[i] >= (int)next && (least < 0 || keep[i] < least))
                least = keep[i];
        if (least < 0) break;
        if ((unsigned)least > next) close_range(next, (unsigned)least - 1, 0);
        next = (unsigned)least + 1;
    }
    close_range(next, ~0u, 0);
}

static int set_up(const struct plan *p, struct err *e) {
    if (p->pooled ? confine_fresh(p, e) : confine_space(p, e)) return -1;
    /* /proc/1 of the task belongs to nobody it knows. */
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return fail_sys(e, "dumpable");
    if (!plan_has(p, LAYER_NAMESPACES) &&
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
        return fail_sys(e, "subreaper");
    return 0;
}

/* The program may try what it likes on pid 1: there is little it could make
 * it do. (Without a pid namespace pid 1 still has to sweep.) */
static int lock_init(const struct plan *p, struct err *e) {
    static const int calls[] = {
        __NR_read,        __NR_poll,         __NR_ppoll,      __NR_wait4,
        __NR_kill,        __NR_getrusage,    __NR_exit_group, __NR_exit,
        __NR_sendmsg,     __NR_rt_sigreturn,
#ifdef __SANITIZE_ADDRESS__
        __NR_sigaltstack, /* before functions that do not return */
#endif
    };
    if (nnp_set(p, e)) return -1;
    if (!plan_has(p, LAYER_NAMESPACES)) return 0;
    return caps_drop(p, e) ||
                   worker_allow(calls, sizeof calls / sizeof calls[0], e)
               ? -1
               : 0;
}

static int begin(const struct plan *p, struct err *e) {
    int signals = take_signals(e);
    if (signals < 0 || set_up(p, e)) init_give_up(p, e);
    return signals;
}

static _Noreturn void stay(const struct plan *p, int signals, int line,
                           pid_t program) {
    struct err e;
    reap(p, program); /* a short one is over before we are locked */
    if (confine_join(p, &e)) init_give_up(p, &e);
    close_rest(p->status, signals, line);
    if (lock_init(p, &e)) init_give_up(p, &e);
    watch(p, signals, line, program);
}

void init_run(const struct plan *p) {
    struct err e;
    int signals = begin(p, &e);
    pid_t program = start_program(p, &e);
    if (program < 0) init_give_up(p, &e);
    stay(p, signals, -1, program);
}

/* A fork of its own: we have to be watching before it is told anything. */
void init_parked(const struct plan *p, void (*program)(const struct plan *p)) {
    struct err e;
    int signals = begin(p, &e);
    pid_t pid = fork();
    if (pid == 0) program(p);
    if (pid < 0) {
        (void)fail_sys(&e, "start");
        init_give_up(p, &e);
    }
    stay(p, signals, -1, pid);
}

/* Nobody else may open them: we hide from those who are not us. */
static int send_namespaces(int line, struct err *e) {
    static const char *const names[INIT_NAMESPACES] = {
        "/proc/self/ns/pid", "/proc/self/ns/ipc", "/proc/self/ns/mnt"};
    int fds[INIT_NAMESPACES];
    for (size_t i = 0; i < INIT_NAMESPACES; i++) {
        fds[i] = open(names[i], O_RDONLY | O_CLOEXEC);
        if (fds[i] < 0) return fail_sys(e, "%s", names[i]);
    }
    return launch_send(line, "n", 1, fds, INIT_NAMESPACES, e);
}

/* The program is the first that the zygote forks into the namespace. */
void init_beside(const struct plan *p, int line) {
    enum { FIRST = 2 };
    struct err e;
    if (send_namespaces(line, &e)) init_give_up(p, &e);
    int signals = begin(p, &e);
    if (send(line, "g", 1, MSG_NOSIGNAL) != 1) _exit(EXIT_SETUP);
    stay(p, signals, line, FIRST);
}
