/* SPDX-License-Identifier: MIT
 *
 * The clocks that count from the start of the machine: for a task they count
 * from its own. How long the machine has been up tells machines apart, and two
 * tasks on one machine could find each other by it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/plan.h"

/* pid 1 stays outside and its program gets in when it execs. Before Linux 6.3
 * a process that is in between cannot vfork. */
static bool recent(void) {
    struct utsname u;
    unsigned major = 0, minor = 0;
    if (uname(&u) < 0 || sscanf(u.release, "%u.%u", &major, &minor) != 2)
        return false;
    return major > 6 || (major == 6 && minor >= 3);
}

int time_enter(const struct plan *p, struct err *e) {
    struct timespec now, up;
    char text[96];
    (void)p;
    if (!recent()) return 0;
    if (unshare(CLONE_NEWTIME) < 0) /* EINVAL: the kernel was built without */
        return errno == EINVAL ? 0 : fail_sys(e, "unshare");
    if (clock_gettime(CLOCK_MONOTONIC, &now) < 0 ||
        clock_gettime(CLOCK_BOOTTIME, &up) < 0)
        return fail_sys(e, "clock");
    int n = snprintf(text, sizeof text, "monotonic -%lld 0\nboottime -%lld 0\n",
                     (long long)now.tv_sec, (long long)up.tv_sec);
    AUTO_FD int fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, (size_t)n) != n)
        return fail_sys(e, "offsets");
    return 0;
}
