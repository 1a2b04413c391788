/* SPDX-License-Identifier: MIT
 *
 * Standard streams. Input is taken from the channel only when the program took
 * what came before, so that one who does not read stops nobody.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

struct input {
    int fd; /* the program's; -1 once it was closed */
    char text[VM_MAX_FRAME];
    size_t at, end; /* not yet written */
};

static void close_input(struct input *in) {
    if (in->fd >= 0) close(in->fd);
    in->fd = -1;
    in->at = in->end = 0;
}

/* A frame without bytes is the end. */
static void take_input(struct input *in) {
    struct vm_head head;
    channel_get(&head, sizeof head);
    if (head.kind != VM_IN || head.size > sizeof in->text)
        channel_fail("input");
    channel_get(in->text, head.size);
    in->at = 0;
    in->end = head.size;
    if (head.size == 0) close_input(in);
}

static void give_input(struct input *in) {
    ssize_t n = write(in->fd, in->text + in->at, in->end - in->at);
    if (n > 0) in->at += (size_t)n;
    if (n < 0 && errno != EINTR && errno != EAGAIN) close_input(in);
}

/* False when there is nothing more to come. */
static bool pass_on(int fd, enum vm_kind kind) {
    static char chunk[VM_MAX_FRAME / 2];
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n > 0) channel_send(kind, chunk, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

static void drain(int out, int err) {
    fcntl(out, F_SETFL, O_NONBLOCK);
    fcntl(err, F_SETFL, O_NONBLOCK);
    while (pass_on(out, VM_OUT) || pass_on(err, VM_ERR))
        continue;
}

/* Whoever the program left behind may hold the pipes open and is not waited
 * for. */
void pump(int in, int out, int err, pid_t pid) {
    static struct input input;
    int ended = (int)syscall(SYS_pidfd_open, pid, 0);
    if (ended < 0) channel_fail("pidfd");
    input.fd = in;
    fcntl(in, F_SETFL, O_NONBLOCK);
    struct pollfd fds[] = {{out, POLLIN, 0},
                           {err, POLLIN, 0},
                           {ended, POLLIN, 0},
                           {-1, POLLIN, 0},
                           {-1, POLLOUT, 0}};
    while (!fds[2].revents) {
        bool full = input.at < input.end;
        fds[3].fd = full ? -1 : channel_fd();
        fds[4].fd = full ? input.fd : -1;
        if (poll(fds, 5, -1) < 0 && errno != EINTR) return;
        if (fds[0].revents && !pass_on(out, VM_OUT)) fds[0].fd = -1;
        if (fds[1].revents && !pass_on(err, VM_ERR)) fds[1].fd = -1;
        if (fds[3].revents & POLLIN) take_input(&input);
        if (fds[4].revents) give_input(&input);
    }
    drain(out, err);
}
