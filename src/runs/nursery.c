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

/* Of one worker: its pid and, beside it, the parent's end of its socket; or
 * why there is none. */
struct news {
    pid_t pid; /* 0: none */
    int error; /* errno then */
};

struct birth {
    struct msghdr head;
    struct iovec part;
    struct news news;
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
};

static void birth_init(struct birth *b) {
    *b = (struct birth){.news = {0}};
    b->part = (struct iovec){&b->news, sizeof b->news};
    b->head = (struct msghdr){.msg_iov = &b->part,
                              .msg_iovlen = 1,
                              .msg_control = b->room,
                              .msg_controllen = sizeof b->room};
}

static bool tell(int to, struct news news, int fd) {
    struct birth b;
    birth_init(&b);
    b.news = news;
    if (news.pid) {
        struct cmsghdr *c = CMSG_FIRSTHDR(&b.head);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    } else {
        b.head.msg_controllen = 0;
    }
    return sendmsg(to, &b.head, MSG_NOSIGNAL) == (ssize_t)sizeof news;
}

/* The worker becomes our parent's child, not ours: it alone has to know. */
static pid_t fork_sibling(void) {
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL,
                          NULL);
}

/* False: nobody listens any more. */
static bool give_birth(int to, pid_t parent) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return tell(to, (struct news){.error = errno}, -1);
    pid_t pid = fork_sibling();
    int error = errno;
    if (pid == 0) {
        /* It would hold its own socket open, and never see the end of it. */
        close(pair[0]);
        close(to);
        worker_child(pair[1], parent);
    }
    close(pair[1]);
    struct news news =
        pid > 0 ? (struct news){.pid = pid} : (struct news){.error = error};
    bool told = tell(to, news, pair[0]);
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
        if (n <= 0 || !give_birth(fd, parent)) _exit(0);
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

/* Of a child, whatever it does. */
static void end_process(pid_t pid) {
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Workers that were born and never taken. */
static void end_untaken(struct nursery *n) {
    struct err e;
    enum nursery_birth birth;
    int fd;
    pid_t pid;
    while ((birth = nursery_take(n, &fd, &pid, &e)) != NURSERY_GONE &&
           birth != NURSERY_NONE)
        if (birth == NURSERY_BORN) {
            close(fd);
            end_process(pid);
        }
}

void nursery_free(struct nursery *n) {
    if (!n) return;
    if (n->pid > 0) {
        end_process(n->pid);
        end_untaken(n);
    }
    close(n->fd);
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

/* The socket came with it, unless we have no room for one more descriptor. */
static bool has_socket(struct birth *b, int *fd) {
    struct cmsghdr *c = CMSG_FIRSTHDR(&b->head);
    if (!c || c->cmsg_type != SCM_RIGHTS) return false;
    memcpy(fd, CMSG_DATA(c), sizeof *fd);
    return true;
}

enum nursery_birth nursery_take(struct nursery *n, int *fd, pid_t *pid,
                                struct err *e) {
    struct birth b;
    ssize_t got;
    birth_init(&b);
    do
        got = recvmsg(n->fd, &b.head, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN) return NURSERY_NONE;
    if (got != (ssize_t)sizeof b.news) {
        err_set(e, ERR_SYSTEM, "the nursery of workers is gone");
        return NURSERY_GONE;
    }
    if (!b.news.pid) {
        err_set(e, ERR_SYSTEM, "a worker: %s", strerror(b.news.error));
        return NURSERY_FAILED;
    }
    if (!has_socket(&b, fd)) {
        end_process(b.news.pid);
        err_set(e, ERR_SYSTEM, "a worker: %s", strerror(EMFILE));
        return NURSERY_FAILED;
    }
    *pid = b.news.pid;
    return NURSERY_BORN;
}
