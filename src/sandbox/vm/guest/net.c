/* SPDX-License-Identifier: MIT
 *
 * The network of a task: none, or a loopback with a socket on it that stands
 * for the proxy outside. The machine has no card; what comes to that socket
 * goes through the channel.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest.h"

static void loopback_up(void) {
    struct ifreq req = {.ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    memcpy(req.ifr_name, "lo", 3);
    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &req) < 0) channel_fail("loopback");
    close(fd);
}

int net_open(enum vm_net net) {
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons(VM_PROXY_PORT),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (net == VM_NET_NONE) return -1;
    loopback_up();
    if (net == VM_NET_LOOPBACK) return -1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
        listen(fd, 64) < 0)
        channel_fail("proxy");
    return fd;
}
