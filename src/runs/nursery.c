/* SPDX-License-Identifier: MIT */
#include "runs/nursery.h"

#include <errno.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "cordon.h"
#include "runs/worker_child.h"

struct nursery {
    int fd;
    pid_t pid;
};

/* -- in the nursery -----------------------------------------------------------
 */

/* A pid and, with it, the parent's end of the worker's socket. */
struct birth {
    struct msghdr head;
    struct iovec part;
    pid_t pid;
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
};

static void birth_init(struct birth *b) {
    *b = (struct birth){.pid = 0};
    b->part = (struct iovec){&b->pid, sizeof b->pid};
    b->head = (struct msghdr){.msg_iov = &b->part,
                              .msg_iovlen = 1,
                              .msg_control = b->room,
                              .msg_controllen = sizeof b->room};
}

static bool tell(int to, pid_t pid, int fd) {
    struct birth b;
    birth_init(&b);
    b.pid = pid;
    struct cmsghdr *c = CMSG_FIRSTHDR(&b.head);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    return sendmsg(to, &b.head, MSG_NOSIGNAL) == (ssize_t)sizeof b.pid;
}

/* The worker becomes our parent's child, not ours: it alone has to know. */
static pid_t fork_sibling(void) {
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL,
                          NULL);
}

static bool give_birth(int to) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return false;
    pid_t pid = fork_sibling();
    if (pid == 0) worker_child(pair[1]);
    close(pair[1]);
    bool told = pid > 0 && tell(to, pid, pair[0]);
    close(pair[0]);
    return told;
}

/* Only what the socket needs stays open; a terminal's signals are for the
 * program that started us. */
static int settle(int fd) {
    sigset_t none;
    sigemptyset(&none);
    if (fd > 0 && close_range(0, (unsigned)fd - 1, 0) < 0) return -1;
    if (close_range((unsigned)fd + 1, ~0u, 0) < 0) return -1;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    return sigprocmask(SIG_SETMASK, &none, NULL);
}

__attribute__((noreturn)) static void live(int fd, pid_t parent) {
    char asked;
    if (settle(fd) || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 ||
        getppid() != parent)
        _exit(1);
    prctl(PR_SET_NAME, "cordon-nursery");
    /* The template and a range to work in, once for all children. */
    cordon_session_free(cordon_session_new(NULL, NULL));
    for (;;) {
        ssize_t n = recv(fd, &asked, 1, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || !give_birth(fd)) _exit(0);
    }
}

/* -- outside ------------------------------------------------------------------
 */

int nursery_start(struct nursery **out, struct err *e) {
    int pair[2];
    struct nursery *n = mem_zalloc(1, sizeof *n, e);
    if (!n) return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
        mem_free(n);
        return fail_sys(e, "socket of the nursery");
    }
    pid_t parent = getpid();
    n->pid = fork();
    if (n->pid == 0) live(pair[1], parent);
    close(pair[1]);
    n->fd = pair[0];
    if (n->pid < 0) {
        nursery_free(n);
        return fail_sys(e, "fork of the nursery");
    }
    *out = n;
    return 0;
}

void nursery_free(struct nursery *n) {
    if (!n) return;
    close(n->fd);
    if (n->pid > 0) {
        kill(n->pid, SIGKILL);
        while (waitpid(n->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    mem_free(n);
}

int nursery_fd(const struct nursery *n) {
    return n->fd;
}

int nursery_ask(struct nursery *n, struct err *e) {
    ssize_t sent;
    do
        sent = send(n->fd, "w", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent == 1 ? 0 : fail_sys(e, "the nursery of workers");
}

int nursery_take(struct nursery *n, int *fd, pid_t *pid, struct err *e) {
    struct birth b;
    ssize_t got;
    birth_init(&b);
    do
        got = recvmsg(n->fd, &b.head, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN) return 0;
    struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&b.head) : NULL;
    if (got != (ssize_t)sizeof b.pid || !c || c->cmsg_type != SCM_RIGHTS)
        return fail(e, ERR_SYSTEM, "the nursery of workers is gone");
    memcpy(fd, CMSG_DATA(c), sizeof *fd);
    *pid = b.pid;
    return 1;
}
