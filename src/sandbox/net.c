/* SPDX-License-Identifier: MIT
 *
 * The network of a task: an empty namespace, perhaps with its own loopback,
 * perhaps with a socket in it that the proxy outside answers.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/plan.h"
#include "sandbox/report.h"

static int loopback_up(struct err *e) {
    AUTO_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return fail_sys(e, "socket");
    struct ifreq req = {.ifr_flags = IFF_UP | IFF_RUNNING};
    memcpy(req.ifr_name, "lo", 3);
    if (ioctl(fd, SIOCSIFFLAGS, &req) < 0) return fail_sys(e, "loopback up");
    return 0;
}

/* A socket stays in the namespace it was made in. This one is made here and
 * handed to the proxy, so nothing inside has to carry traffic out. */
static int send_listener(const struct plan *p, struct err *e) {
    AUTO_FD int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return fail_sys(e, "socket");
    struct sockaddr_in at = {
        .sin_family = AF_INET,
        .sin_port = htons(PROXY_PORT),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(fd, 64) < 0)
        return fail_sys(e, "listen for the proxy");
    struct report r = {.kind = REPORT_LISTENER};
    return report_send(p->status, &r, fd, e);
}

/* It takes longer to make than all other namespaces together: by itself, so
 * that the supervisor has its hands free meanwhile. */
int net_unshare(const struct plan *p, struct err *e) {
    if (p->has_net) return 0;
    return unshare(CLONE_NEWNET) < 0 ? fail_sys(e, "unshare") : 0;
}

int net_enter(const struct plan *p, struct err *e) {
    if (p->cage->net == NET_NONE) return 0;
    if (loopback_up(e)) return -1;
    return p->cage->net == NET_EGRESS ? send_listener(p, e) : 0;
}

int uts_enter(const struct plan *p, struct err *e) {
    (void)p;
    if (sethostname("cordon", 6) < 0) return fail_sys(e, "host name");
    if (setdomainname("", 0) < 0) return fail_sys(e, "domain name");
    return 0;
}
