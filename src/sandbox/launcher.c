/* SPDX-License-Identifier: MIT
 *
 * The launcher, and the one message it understands.
 */
#include "sandbox/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "sandbox/report.h"
#include "sandbox/start.h"

#define TASK_NAMESPACES (CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC)

enum { MAX_WORDS = CAGE_MAX_ARGS };

/* Followed by argc + envc + 1 texts, each with its NUL; the last is the
 * working directory. */
struct request {
    uint32_t argc, envc, keep_scratch, fd_count, parked;
    struct cage_limits limits;
};

union fds_message {
    struct cmsghdr head;
    char space[CMSG_SPACE(sizeof(int) * LAUNCH_MAX_FDS)];
};

/* --- asking --- */

static int add_word(struct buf *b, const char *word, struct err *e) {
    return buf_add(b, word, strlen(word) + 1, e);
}

static int pack(const struct cage *c, bool parked, struct buf *out,
                struct err *e) {
    const char *env[CAGE_MAX_ENV + PROXY_ENV + 1];
    struct request r = {.keep_scratch = c->keep_scratch,
                        .fd_count = (uint32_t)c->fd_count,
                        .parked = parked,
                        .limits = c->limits};
    start_env(c, env);
    while (c->argv[r.argc])
        r.argc++;
    while (env[r.envc])
        r.envc++;
    if (buf_add(out, &r, sizeof r, e)) return -1;
    for (size_t i = 0; i < r.argc; i++)
        if (add_word(out, c->argv[i], e)) return -1;
    for (size_t i = 0; i < r.envc; i++)
        if (add_word(out, env[i], e)) return -1;
    return add_word(out, c->cwd ? c->cwd : "", e);
}

int launch_send(int sock, const void *text, size_t size, const int *fds,
                size_t fd_count, struct err *e) {
    union fds_message m = {.space = {0}};
    m.head.cmsg_level = SOL_SOCKET;
    m.head.cmsg_type = SCM_RIGHTS;
    m.head.cmsg_len = CMSG_LEN(sizeof(int) * fd_count);
    memcpy(CMSG_DATA(&m.head), fds, sizeof(int) * fd_count);
    /* sendmsg never writes through the pointer; iovec has no const. */
    struct iovec part = {(void *)(uintptr_t)text, size};
    struct msghdr h = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = m.space,
                       .msg_controllen = CMSG_SPACE(sizeof(int) * fd_count)};
    ssize_t n;
    do
        n = sendmsg(sock, &h, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n < 0 ? fail_sys(e, "launcher") : 0;
}

int launcher_ask(int control, const struct cage *c, const int std[3],
                 int status, bool parked, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LAUNCH_MAX_BYTES);
    if (pack(c, parked, &text, e))
        return fail_while(e, "arguments for a launcher");
    int fds[LAUNCH_MAX_FDS] = {std[0], std[1], std[2], status};
    memcpy(fds + LAUNCH_OWN, c->fds, c->fd_count * sizeof c->fds[0]);
    return launch_send(control, text.data, text.len, fds,
                       LAUNCH_OWN + c->fd_count, e);
}

int launcher_feed(int feed, const struct cage *c, const int std[3],
                  struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LAUNCH_MAX_BYTES);
    if (pack(c, true, &text, e))
        return fail_while(e, "arguments for a launcher");
    return launch_send(feed, text.data, text.len, std, 3, e);
}

int launcher_feed_text(int feed, str text, const int std[3], int tools,
                       struct err *e) {
    const int fds[] = {std[0], std[1], std[2], tools};
    if (text.n > LAUNCH_MAX_BYTES)
        return fail(e, ERR_LIMIT, "a program of %zu bytes is too long", text.n);
    /* A message without bytes would read like the end. */
    return launch_send(feed, text.n ? text.p : "\n", text.n ? text.n : 1, fds,
                       tools < 0 ? 3 : 4, e);
}

/* --- answering --- */

bool launch_receive(int control, struct launch *t) {
    union fds_message m = {.space = {0}};
    struct iovec part = {t->text, sizeof t->text};
    struct msghdr h = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = m.space,
                       .msg_controllen = sizeof m.space};
    ssize_t n;
    do
        n = recvmsg(control, &h, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    const struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    t->size = n > 0 ? (size_t)n : 0;
    t->fd_count = 0;
    if (n <= 0 || !c || c->cmsg_type != SCM_RIGHTS) return false;
    t->fd_count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(t->fds, CMSG_DATA(&m.head), t->fd_count * sizeof(int));
    return true;
}

void launch_close(struct launch *t) {
    for (size_t i = 0; i < t->fd_count; i++)
        close(t->fds[i]);
    t->fd_count = 0;
}

/* The next text, or NULL when the message is not what it should be. */
static const char *next_word(const struct launch *t, size_t *at) {
    if (*at >= t->size) return NULL;
    const char *word = t->text + *at;
    const char *end = memchr(word, 0, t->size - *at);
    if (!end) return NULL;
    *at = (size_t)(end - t->text) + 1;
    return word;
}

/* The supervisor wrote it, but a message is read as messages are. others is
 * how many descriptors come before the cage's own. */
static int unpack(const struct launch *t, size_t others, struct cage *c,
                  const char **argv) {
    struct request r;
    size_t at = sizeof r;
    if (t->size < at) return -1;
    memcpy(&r, t->text, sizeof r);
    if (r.argc == 0 || r.argc > MAX_WORDS || r.envc > CAGE_MAX_ENV ||
        r.fd_count > CAGE_MAX_FDS || t->fd_count < others + r.fd_count)
        return -1;
    for (size_t i = 0; i < r.argc; i++)
        if (!(argv[i] = next_word(t, &at))) return -1;
    argv[r.argc] = NULL;
    for (size_t i = 0; i < r.envc; i++)
        if (!(c->env[i] = next_word(t, &at))) return -1;
    c->env[r.envc] = NULL;
    c->env_count = r.envc;
    const char *cwd = next_word(t, &at);
    if (!cwd) return -1;
    c->cwd = *cwd ? cwd : NULL;
    c->argv = argv;
    c->limits = r.limits;
    c->keep_scratch = r.keep_scratch;
    c->fd_count = r.fd_count;
    return r.parked ? 1 : 0;
}

/* Up to the standard streams. */
static int unpack_plan(const struct launch *t, size_t others,
                       const struct plan *like, struct cage *cage,
                       const char **argv, struct plan *out) {
    *cage = *like->cage;
    *out = *like;
    int parked = unpack(t, others, cage, argv);
    if (parked < 0) return -1;
    out->parked = parked;
    out->cage = cage;
    for (size_t i = 0; i <= cage->env_count; i++)
        out->env[i] = cage->env[i];
    memcpy(out->std, t->fds, sizeof out->std);
    return 0;
}

int launch_unpack(const struct launch *t, const struct plan *like,
                  struct cage *cage, const char **argv, struct plan *out) {
    if (unpack_plan(t, LAUNCH_OWN, like, cage, argv, out)) return -1;
    memcpy(out->fds, t->fds + LAUNCH_OWN, cage->fd_count * sizeof(int));
    out->status = t->fds[LAUNCH_STATUS];
    return 0;
}

/* Clones the first process of a task: 0 in it. */
static pid_t clone_first(int *pidfd) {
    struct clone_args args = {
        .flags = TASK_NAMESPACES | CLONE_PIDFD,
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .exit_signal = SIGCHLD,
    };
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

/* If it cannot be told, the supervisor is gone, and we shall be. */
static void tell_pid(int status, pid_t pid, int pidfd) {
    struct err e;
    struct report r = {.kind = pid < 0 ? REPORT_FAILED : REPORT_PID};
    if (pid < 0) {
        err_set_sys(&e, "launcher: clone");
        r.value = ERR_SYSTEM;
        memcpy(r.text, e.text, sizeof r.text);
    }
    (void)report_send(status, &r, pidfd, &e);
}

static int keep_two(unsigned a, unsigned b) {
    unsigned low = a < b ? a : b, high = a < b ? b : a;
    if (low > FD_BASE && close_range(FD_BASE, low - 1, 0) < 0) return -1;
    if (high > low + 1 && close_range(low + 1, high - 1, 0) < 0) return -1;
    return close_range(high + 1, ~0u, 0);
}

int launch_fill_fds(int control, int zygote, struct err *e) {
    int other = zygote >= 0 ? zygote : control;
    if (keep_two((unsigned)control, (unsigned)other) < 0)
        return fail_sys(e, "descriptors");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return fail_sys(e, "/dev/null");
    for (int fd = 0; fd < FD_BASE; fd++)
        if (fd != null && fd != control && fd != zygote &&
            dup3(null, fd, O_CLOEXEC) < 0)
            return fail_sys(e, "descriptors");
    return 0;
}

/* In a task that is ready but for what it is to run: limits are set and the
 * filter is loaded, which lets through what is left to do. */
_Noreturn static void await_program(const struct plan *like) {
    static struct launch t; /* large, and hardly touched */
    const char *argv[MAX_WORDS + 1];
    struct cage cage;
    struct plan p;
    struct err e;
    if (confine_parked(like, &e)) init_give_up(like, &e);
    if (!launch_receive(LAUNCH_FEED, &t)) _exit(0); /* it is not wanted */
    if (unpack_plan(&t, 3, like, &cage, argv, &p)) _exit(125);
    cage.fd_count = 0;
    confine_fed(&p, &e);
    init_give_up(like, &e);
}

/* In the first process of the task. line leads to the zygote, if there is
 * one. */
static _Noreturn void become_init(const struct plan *like,
                                  const struct launch *t, int line) {
    const char *argv[MAX_WORDS + 1];
    struct cage cage;
    struct plan p;
    if (launch_unpack(t, like, &cage, argv, &p)) _exit(125);
    if (line >= 0) init_beside(&p, line);
    if (p.parked) init_parked(&p, await_program);
    init_run(&p);
}

/* The zygote gets the request and the other end of the line to pid 1; the
 * rest is between the two of them. */
static void pass_on(struct launch *t, int zygote, int line) {
    struct err e;
    int fds[LAUNCH_MAX_FDS];
    memcpy(fds, t->fds, t->fd_count * sizeof(int));
    fds[t->fd_count] = line;
    (void)launch_send(zygote, t->text, t->size, fds, t->fd_count + 1, &e);
}

static void run_one(const struct plan *p, struct launch *t, int zygote) {
    int line[2] = {-1, -1}, pidfd = -1;
    pid_t pid = -1;
    if (zygote < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) == 0)
        pid = clone_first(&pidfd);
    if (pid == 0) {
        if (line[0] >= 0) close(line[0]); /* or it never sees an end */
        become_init(p, t, line[1]);
    }
    if (pid > 0 && zygote >= 0) pass_on(t, zygote, line[0]);
    tell_pid(t->fds[LAUNCH_STATUS], pid, pidfd);
    launch_close(t);
    for (int i = 0; i < 2; i++)
        if (line[i] >= 0) close(line[i]);
    if (pid < 0) return;
    close(pidfd);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* False when there will be none. A zygote that is gone takes us along. */
static bool await_request(int control, int zygote) {
    struct pollfd fds[] = {{control, POLLIN, 0}, {zygote, POLLIN, 0}};
    while (poll(fds, 2, -1) < 0)
        if (errno != EINTR) return false;
    return !fds[1].revents;
}

void launcher_run(const struct plan *p, int control, int zygote) {
    static struct launch t; /* one at a time, and large */
    struct err e;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (launch_fill_fds(control, zygote, &e)) _exit(125);
    while (await_request(control, zygote) && launch_receive(control, &t))
        run_one(p, &t, zygote);
    _exit(0);
}
