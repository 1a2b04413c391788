/* SPDX-License-Identifier: MIT
 *
 * Reports over a socket, with descriptors.
 */
#include "sandbox/report.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union fd_message {
    struct cmsghdr head;
    char space[CMSG_SPACE(sizeof(int))];
};

int report_send(int sock, const struct report *r, int fd, struct err *e) {
    union fd_message control = {.space = {0}};
    /* sendmsg never writes through the pointer; msghdr has no const. */
    struct report copy = *r;
    struct iovec part = {.iov_base = &copy, .iov_len = sizeof copy};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0) {
        m.msg_control = control.space;
        m.msg_controllen = sizeof control.space;
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    }
    ssize_t n;
    do
        n = sendmsg(sock, &m, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n < 0 ? fail_sys(e, "report") : 0;
}

static int take_fd(struct msghdr *m) {
    int fd = -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(m);
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
        c->cmsg_len == CMSG_LEN(sizeof fd))
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

int report_recv(int sock, struct report *r, int *fd, struct err *e) {
    union fd_message control = {.space = {0}};
    struct iovec part = {.iov_base = r, .iov_len = sizeof *r};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control.space,
                       .msg_controllen = sizeof control.space};
    ssize_t n;
    do
        n = recvmsg(sock, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno == ECONNRESET) return 0;
    if (n < 0) return fail_sys(e, "report");
    if (n == 0) return 0;
    int got = take_fd(&m);
    if (n != sizeof *r) {
        if (got >= 0) close(got);
        return fail(e, ERR_PEER, "a report of %zd bytes", n);
    }
    r->text[sizeof r->text - 1] = 0;
    *fd = got;
    return 1;
}
