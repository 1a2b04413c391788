/* SPDX-License-Identifier: MIT
 *
 * Probes of the kernel's surface: calls that exploits are made of.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

int try_bpf(void) {
    char attr[128] = {0};
    attr[0] = 2; /* an array map */
    return probe_result(syscall(SYS_bpf, 0, attr, sizeof attr));
}

int try_io_uring(void) {
    char params[120] = {0};
    return probe_result(syscall(SYS_io_uring_setup, 4, params));
}

int try_perf(void) {
    struct perf_event_attr a = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof a, .exclude_kernel = 1};
    return probe_result(syscall(SYS_perf_event_open, &a, 0, -1, -1, 0));
}

int try_uffd(void) {
    return probe_result(syscall(SYS_userfaultfd, 0));
}
int try_uffd_user(void) {
    return probe_result(syscall(SYS_userfaultfd, 1));
}

int try_add_key(void) {
    return probe_result(syscall(SYS_add_key, "user", "probe", "x", 1, -3));
}
int try_keyctl(void) {
    return probe_result(syscall(SYS_keyctl, 0, -3, 1, 0, 0));
}
int try_request_key(void) {
    return probe_result(syscall(SYS_request_key, "user", "probe", "x", -3));
}

int try_module(void) {
    return probe_result(syscall(SYS_finit_module, 0, "", 0));
}
int try_kexec(void) {
    return probe_result(syscall(SYS_kexec_load, 0, 0, NULL, 0));
}
/* With wrong magic numbers: even where it is allowed nothing happens. */
int try_reboot(void) {
    int rc = probe_result(syscall(SYS_reboot, 1, 2, 3, NULL));
    return rc == EINVAL ? 0 : rc;
}
int try_swapon(void) {
    return probe_result(syscall(SYS_swapon, "/tmp/none", 0));
}
int try_acct(void) {
    return probe_result(syscall(SYS_acct, "/tmp/none"));
}
int try_quotactl(void) {
    return probe_result(syscall(SYS_quotactl, 0x80000100, "/dev/vda", 0, 0));
}

int set_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return probe_result(clock_settime(CLOCK_REALTIME, &t));
}
int adjust_clock(void) {
    struct timex t = {.modes = ADJ_TICK, .tick = 10000};
    return probe_result(syscall(SYS_adjtimex, &t));
}
int set_hostname(void) {
    return probe_result(sethostname("probe", 5));
}
int try_iopl(void) {
    return probe_result(syscall(SYS_iopl, 3));
}

int try_ldt(void) {
    unsigned entry[4] = {0, 0, 0xfffff, 0x51};
    return probe_result(syscall(SYS_modify_ldt, 1, entry, sizeof entry));
}

int try_vmsplice(void) {
    static char page[4096];
    int pair[2];
    struct iovec part = {page, sizeof page};
    if (pipe(pair) < 0) return errno;
    return probe_result(syscall(SYS_vmsplice, pair[1], &part, 1, 0));
}

int try_fanotify(void) {
    return probe_result(syscall(SYS_fanotify_init, 0x200, 0));
}

int try_move_pages(void) {
    static char page[4096];
    void *pages[] = {page};
    int status[1];
    return probe_result(syscall(SYS_move_pages, 0, 1, pages, NULL, status, 0));
}

int try_syslog(void) {
    char text[64];
    return probe_result(syscall(SYS_syslog, 3, text, sizeof text));
}

/* All but IPv4 and IPv6: one that opens is one too many. */
int exotic_families(void) {
    for (int family = 0; family < 50; family++) {
        if (family == AF_INET || family == AF_INET6) continue;
        for (int type = 1; type <= 5; type++)
            if (socket(family, type, 0) >= 0) return 0;
    }
    return EPERM;
}

int try_vsock(void) {
    return probe_result(socket(AF_VSOCK, SOCK_STREAM, 0));
}
int try_alg(void) {
    return probe_result(socket(AF_ALG, SOCK_SEQPACKET, 0));
}
int try_packet(void) {
    return probe_result(socket(AF_PACKET, SOCK_DGRAM, 0));
}
int try_netlink(void) {
    return probe_result(socket(AF_NETLINK, SOCK_RAW, 12));
}
int try_mptcp(void) {
    return probe_result(socket(AF_INET, SOCK_STREAM, 262));
}

int read_tsc(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc() ? 0 : ENOSYS;
#else
    return 0;
#endif
}

/* lsm_set_self_attr(2) of Linux 6.8. */
int self_attribute(void) {
    enum { NR_LSM_SET_SELF_ATTR = 460 };
    char context[64] = {0};
    return probe_result(
        syscall(NR_LSM_SET_SELF_ATTR, 100, context, sizeof context, 0));
}

int secret_memory(void) {
    enum { NR_MEMFD_SECRET = 447 };
    return probe_result(syscall(NR_MEMFD_SECRET, 0));
}
