/* SPDX-License-Identifier: MIT
 *
 * System calls that the filter refused: answered, and noted by name.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>

#include "sandbox/jail_inside.h"

/* Refused calls are answered by us, so a task could keep us busy with them.
 * After this many the listener closes and the kernel answers with ENOSYS. */
enum { MAX_NOTIFICATIONS = 1000 };

static void note_violation(struct cage_result *r, int nr) {
    const char *name = seccomp_name(nr);
    if (!name) name = "unknown";
    r->violation_total++;
    for (size_t i = 0; i < r->violation_count; i++) {
        if (strcmp(r->violations[i].name, name) != 0) continue;
        r->violations[i].count++;
        return;
    }
    if (r->violation_count < CAGE_MAX_VIOLATIONS)
        r->violations[r->violation_count++] = (struct cage_violation){name, 1};
}

void jail_on_refused(struct jail *j) {
    struct seccomp_notif call = {0};
    if (ioctl(j->calls, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) {
        if (errno != ENOENT && errno != EINTR) jail_close_fd(&j->calls);
        return;
    }
    note_violation(&j->result, call.data.nr);
    struct seccomp_notif_resp answer = {.id = call.id, .error = -EPERM};
    (void)ioctl(j->calls, SECCOMP_IOCTL_NOTIF_SEND, &answer); /* may be dead */
    if (j->result.violation_total >= MAX_NOTIFICATIONS)
        jail_close_fd(&j->calls);
}
