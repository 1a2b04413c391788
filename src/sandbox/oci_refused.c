/* SPDX-License-Identifier: MIT
 *
 * Refused calls of a task that a runtime started. Before the program begins the
 * runtime connects to a socket that the bundle names and sends, beside a text
 * about the container, the descriptor on which the kernel asks about such calls
 * (listenerPath of the runtime specification). From there it goes the way that
 * it goes from a container of ours.
 */
#include <linux/close_range.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/oci.h"
#include "sandbox/report.h"

int oci_listen(const struct oci *o, struct err *e) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s/" OCI_REFUSED, o->dir.path);
    AUTO_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
        listen(fd, 1) < 0)
        return fail_sys(e, "listener of refused calls");
    return fd_take(&fd);
}

/* The first descriptor that comes; the text does not matter. */
static int receive(int from) {
    union {
        struct cmsghdr align;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    char text[4096];
    int fd = -1;
    struct iovec part = {text, sizeof text};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = control.room,
                       .msg_controllen = sizeof control.room};
    while (fd < 0 && recvmsg(from, &m, MSG_CMSG_CLOEXEC) > 0) {
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            memcpy(&fd, CMSG_DATA(c), sizeof fd);
        m.msg_controllen = sizeof control.room;
    }
    return fd;
}

/* Nothing of ours but the two is kept open: this one must hold up nobody. */
void oci_pass_on(int listener, int status) {
    struct report r = {.kind = REPORT_NOTIFY};
    struct err e;
    int low = listener < status ? listener : status;
    int high = listener < status ? status : listener;
    if (low > 0) close_range(0, (unsigned)low - 1, 0);
    if (high > low + 1) close_range((unsigned)low + 1, (unsigned)high - 1, 0);
    close_range((unsigned)high + 1, ~0u, 0);
    AUTO_FD int from = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    AUTO_FD int calls = from < 0 ? -1 : receive(from);
    _exit(calls < 0 || report_send(status, &r, calls, &e) ? 1 : 0);
}
