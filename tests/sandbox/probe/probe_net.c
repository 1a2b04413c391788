/* SPDX-License-Identifier: MIT
 *
 * Probes of the network. Addresses outside are documentation ranges, and no
 * packet leaves: a connect that is stopped fails at once.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe.h"

static struct sockaddr_in address(const char *ip, int port) {
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((unsigned short)port)};
    inet_pton(AF_INET, ip, &a.sin_addr);
    return a;
}

static int connect_to(const char *ip, int port) {
    struct sockaddr_in a = address(ip, port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    return probe_result(connect(fd, (struct sockaddr *)&a, sizeof a));
}

int connect_host(void) {
    return connect_to("127.0.0.1",
                      (int)strtol(probe_env("HOST_PORT"), NULL, 10));
}
int connect_outside(void) {
    return connect_to("192.0.2.1", 443);
}
int connect_metadata(void) {
    return connect_to("169.254.169.254", 80);
}

int udp_outside(void) {
    struct sockaddr_in a = address("192.0.2.1", 53);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) return errno;
    return probe_result(sendto(fd, "x", 1, 0, (struct sockaddr *)&a, sizeof a));
}

int abstract_socket(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    const char *name = probe_env("HOST_ABSTRACT");
    snprintf(a.sun_path + 1, sizeof a.sun_path - 1, "%s", name);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    socklen_t n =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    return probe_result(connect(fd, (struct sockaddr *)&a, n));
}

int unix_socket(void) {
    return probe_result(socket(AF_UNIX, SOCK_DGRAM, 0));
}
int raw_socket(void) {
    return probe_result(socket(AF_INET, SOCK_RAW, 1));
}
int ping_socket(void) {
    return probe_result(socket(AF_INET, SOCK_DGRAM, 1));
}

int interface_up(void) {
    struct ifreq r = {.ifr_flags = IFF_UP};
    memcpy(r.ifr_name, "lo", 3);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) return errno;
    return probe_result(ioctl(fd, SIOCSIFFLAGS, &r));
}

int listen_tcp(void) {
    struct sockaddr_in a = address("0.0.0.0", 8099);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    return probe_result(bind(fd, (struct sockaddr *)&a, sizeof a));
}
