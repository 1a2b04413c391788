/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <linux/vm_sockets.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest.h"

static int port = -1;
static int listener = -1; /* of vsock; the port is who came */

/* The first word, read ahead by channel_ready. */
static struct vm_head first;
static size_t first_left;

void channel_off(void) {
    sync();
    reboot(RB_POWER_OFF);
    for (;;)
        pause();
}

static void listen_vsock(void) {
    struct sockaddr_vm at = {
        .svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_ANY, .svm_port = VM_PORT};
    int fd = socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(fd, 1) < 0)
        close(fd);
    else
        listener = fd;
}

/* A machine has the one or the other. vsock without a device takes an address
 * as well, so whether there is one is asked. */
static bool has_vsock(void) {
    unsigned cid = VMADDR_CID_ANY;
    int fd = open("/dev/vsock", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool known = ioctl(fd, IOCTL_VM_SOCKETS_GET_LOCAL_CID, &cid) == 0 &&
                 cid != VMADDR_CID_ANY && cid != VMADDR_CID_LOCAL;
    close(fd);
    return known;
}

bool channel_open(void) {
    port = open("/dev/vport0p1", O_RDWR | O_CLOEXEC);
    if (port < 0 && listener < 0 && has_vsock()) listen_vsock();
    return port >= 0 || listener >= 0;
}

int channel_fd(void) {
    return port;
}

static void put(const void *p, size_t n) {
    for (const char *at = p; n;) {
        ssize_t done = write(port, at, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN) channel_off();
        if (done <= 0) continue;
        at += done;
        n -= (size_t)done;
    }
}

void channel_send(enum vm_kind kind, const void *p, size_t n) {
    struct vm_head head = {(uint32_t)kind, (uint32_t)n};
    put(&head, sizeof head);
    put(p, n);
}

void channel_fail(const char *what) {
    char text[256];
    int n =
        snprintf(text, sizeof text, "guest: %.128s: %s", what, strerror(errno));
    channel_send(VM_FAILED, text, (size_t)n);
    channel_off();
}

/* False where a host that came over vsock went away. A serial port that nobody
 * holds on the other side has no bytes. */
static bool get(void *p, size_t n) {
    for (char *at = p; n;) {
        ssize_t done = read(port, at, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (done == 0 && listener >= 0) return false;
        if (done == 0) usleep(200);
        if (done <= 0) continue;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

/* Whether who came says something before somebody else comes. Up to its version
 * 1.9 Firecracker does not tell the guest of a restored machine that its
 * connections are gone: then only the next one shows that this one is dead. */
static bool speaks(void) {
    struct pollfd fds[] = {{port, POLLIN, 0}, {listener, POLLIN, 0}};
    while (poll(fds, 2, -1) < 0)
        continue;
    return fds[0].revents != 0;
}

/* The snapshot is taken while this waits. Connections do not outlive one, the
 * listener does: whoever restores the machine comes anew. */
void channel_ready(void) {
    for (;;) {
        if (listener >= 0) port = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (port < 0) continue;
        struct vm_head ready = {VM_READY, 0};
        ssize_t said = write(port, &ready, sizeof ready);
        if (said == (ssize_t)sizeof ready && speaks() &&
            get(&first, sizeof first))
            break;
        if (listener < 0) channel_off();
        close(port);
        port = -1;
    }
    first_left = sizeof first;
}

void channel_get(void *p, size_t n) {
    if (first_left) {
        memcpy(p, &first, sizeof first);
        first_left = 0;
        return;
    }
    if (!get(p, n)) channel_off();
}
