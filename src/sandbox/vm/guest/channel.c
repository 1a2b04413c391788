/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "guest.h"

static int port = -1;

void channel_off(void) {
    sync();
    reboot(RB_POWER_OFF);
    for (;;)
        pause();
}

int channel_open(void) {
    port = open("/dev/vport0p1", O_RDWR | O_CLOEXEC);
    return port;
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

/* Nothing is read before the host is there: the port then has no bytes. */
void channel_get(void *p, size_t n) {
    for (char *at = p; n;) {
        ssize_t done = read(port, at, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN) channel_off();
        if (done == 0) usleep(200);
        if (done <= 0) continue;
        at += done;
        n -= (size_t)done;
    }
}
