/* SPDX-License-Identifier: MIT
 *
 * Standard streams, and turns of the others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

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

static void take_frame(void) {
    struct vm_head head;
    channel_get(&head, sizeof head);
    links_take(&head);
}

/* Whoever the program left behind may hold the pipes open and is not waited
 * for. */
void pump(const struct pump *p, pid_t pid) {
    enum { OUT, ERR, ENDED, CHANNEL, LISTENER, LINKS };
    int ended = (int)syscall(SYS_pidfd_open, pid, 0);
    if (ended < 0) channel_fail("pidfd");
    links_add(VM_STDIN, p->in, true);
    links_add(VM_TOOLS, p->tools, false);
    struct pollfd fds[LINKS + VM_MAX_STREAMS] = {
        [OUT] = {p->out, POLLIN, 0},  [ERR] = {p->err, POLLIN, 0},
        [ENDED] = {ended, POLLIN, 0}, [CHANNEL] = {channel_fd(), POLLIN, 0},
        [LISTENER] = {-1, POLLIN, 0},
    };
    while (!fds[ENDED].revents) {
        fds[LISTENER].fd = links_full() ? -1 : p->listener;
        links_watch(fds + LINKS);
        if (poll(fds, LINKS + VM_MAX_STREAMS, -1) < 0 && errno != EINTR) return;
        if (fds[OUT].revents && !pass_on(p->out, VM_OUT)) fds[OUT].fd = -1;
        if (fds[ERR].revents && !pass_on(p->err, VM_ERR)) fds[ERR].fd = -1;
        if (fds[CHANNEL].revents & POLLIN) take_frame();
        links_turn(fds + LINKS);
        if (fds[LISTENER].revents) links_accept(p->listener);
    }
    drain(p->out, p->err);
}
