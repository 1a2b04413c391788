/* SPDX-License-Identifier: MIT
 *
 * The launcher, and the one message it understands.
 */
#include "sandbox/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
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

#define TASK_NAMESPACES (CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC)

enum { FD_COUNT = 4, MAX_WORDS = CAGE_MAX_ARGS };

/* Followed by argc + envc + 1 texts, each with its NUL; the last is the
 * working directory. */
struct request {
    uint32_t argc, envc, keep_scratch;
    struct cage_limits limits;
};

union fds_message {
    struct cmsghdr head;
    char space[CMSG_SPACE(sizeof(int) * FD_COUNT)];
};

/* --- asking --- */

static int add_word(struct buf *b, const char *word, struct err *e) {
    return buf_add(b, word, strlen(word) + 1, e);
}

static int pack(const struct cage *c, struct buf *out, struct err *e) {
    struct request r = {.envc = (uint32_t)c->env_count,
                        .keep_scratch = c->keep_scratch,
                        .limits = c->limits};
    while (c->argv[r.argc])
        r.argc++;
    if (buf_add(out, &r, sizeof r, e)) return -1;
    for (size_t i = 0; i < r.argc; i++)
        if (add_word(out, c->argv[i], e)) return -1;
    for (size_t i = 0; i < r.envc; i++)
        if (add_word(out, c->env[i], e)) return -1;
    return add_word(out, c->cwd ? c->cwd : "", e);
}

int launcher_ask(int control, const struct cage *c, const int std[3],
                 int status, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(LAUNCH_MAX_BYTES);
    if (pack(c, &text, e)) return fail_while(e, "arguments for a launcher");
    const int fds[FD_COUNT] = {std[0], std[1], std[2], status};
    union fds_message m = {.space = {0}};
    m.head.cmsg_level = SOL_SOCKET;
    m.head.cmsg_type = SCM_RIGHTS;
    m.head.cmsg_len = CMSG_LEN(sizeof fds);
    memcpy(CMSG_DATA(&m.head), fds, sizeof fds);
    struct iovec part = {text.data, text.len};
    struct msghdr h = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = m.space,
                       .msg_controllen = sizeof m.space};
    if (sendmsg(control, &h, MSG_NOSIGNAL) < 0) return fail_sys(e, "launcher");
    return 0;
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
    if (n <= 0 || !c || c->cmsg_len != CMSG_LEN(sizeof t->fds)) return false;
    memcpy(t->fds, CMSG_DATA(&m.head), sizeof t->fds);
    t->size = (size_t)n;
    return true;
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

/* The supervisor wrote it, but a message is read as messages are. */
static int unpack(const struct launch *t, struct cage *c, const char **argv) {
    struct request r;
    size_t at = sizeof r;
    if (t->size < at) return -1;
    memcpy(&r, t->text, sizeof r);
    if (r.argc == 0 || r.argc > MAX_WORDS || r.envc > CAGE_MAX_ENV) return -1;
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
    return 0;
}

int launch_unpack(const struct launch *t, const struct plan *like,
                  struct cage *cage, const char **argv, struct plan *out) {
    *cage = *like->cage;
    *out = *like;
    if (unpack(t, cage, argv)) return -1;
    out->cage = cage;
    for (size_t i = 0; i <= cage->env_count; i++)
        out->env[i] = cage->env[i];
    memcpy(out->std, t->fds, sizeof out->std);
    out->status = t->fds[3];
    return 0;
}

pid_t launch_clone(int *pidfd) {
    struct clone_args args = {
        .flags = TASK_NAMESPACES | CLONE_PIDFD,
        .pidfd = (uint64_t)(uintptr_t)pidfd,
        .exit_signal = SIGCHLD,
    };
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

void launch_finish(struct launch *t, pid_t pid, int pidfd) {
    struct err e;
    struct report r = {.kind = pid < 0 ? REPORT_FAILED : REPORT_PID};
    if (pid < 0) {
        err_set_sys(&e, "launcher: clone");
        r.value = ERR_SYSTEM;
        memcpy(r.text, e.text, sizeof r.text);
    }
    /* If it cannot be told, the supervisor is gone, and we shall be. */
    (void)report_send(t->fds[3], &r, pidfd, &e);
    for (int i = 0; i < FD_COUNT; i++)
        close(t->fds[i]);
    if (pid < 0) return;
    close(pidfd);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

int launch_fill_fds(int control, struct err *e) {
    if (control > FD_BASE && close_range(FD_BASE, (unsigned)control - 1, 0) < 0)
        return fail_sys(e, "descriptors");
    if (close_range((unsigned)control + 1, ~0u, 0) < 0)
        return fail_sys(e, "descriptors");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return fail_sys(e, "/dev/null");
    for (int fd = 0; fd < FD_BASE; fd++)
        if (fd != null && fd != control && dup3(null, fd, O_CLOEXEC) < 0)
            return fail_sys(e, "descriptors");
    return 0;
}

/* In the first process of the task. */
static _Noreturn void become_init(const struct plan *like,
                                  const struct launch *t) {
    const char *argv[MAX_WORDS + 1];
    struct cage cage;
    struct plan p;
    if (launch_unpack(t, like, &cage, argv, &p)) _exit(125);
    init_run(&p);
}

void launcher_run(const struct plan *p, int control) {
    static struct launch t; /* one at a time, and large */
    struct err e;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (launch_fill_fds(control, &e)) _exit(125);
    while (launch_receive(control, &t)) {
        int pidfd = -1;
        pid_t pid = launch_clone(&pidfd);
        if (pid == 0) become_init(p, &t);
        launch_finish(&t, pid, pidfd);
    }
    _exit(0);
}
