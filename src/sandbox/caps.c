/* SPDX-License-Identifier: MIT
 *
 * capabilities and no_new_privs: what a program can never get back.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/plan.h"

/* The bounding set needs CAP_SETPCAP, so it goes before the rest. The kernel
 * says EINVAL past the last capability it knows. */
static int drop_bounding(struct err *e) {
    for (unsigned long cap = 0; cap < 64; cap++) {
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0) continue;
        if (errno == EINVAL && cap > 0) return 0;
        return fail_sys(e, "bounding set, capability %lu", cap);
    }
    return 0;
}

/* In pid 1 or a launcher, once for all that it starts: it keeps what it has,
 * and none of them can ever gain more. */
int caps_bound(const struct plan *p, struct err *e) {
    /* Without a user namespace an ordinary user may not touch the bounding
     * set; no_new_privs keeps exec from giving any. */
    if (!plan_has(p, LAYER_NAMESPACES) && geteuid() != 0) return 0;
    if (!p->zygote) return drop_bounding(e);
    /* A zygote is a program: what it needs to enter namespaces goes through
     * its execve as ambient capabilities, which must have been inheritable
     * before the bounding set was emptied. */
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &head, sets) < 0) return fail_sys(e, "capget");
    sets[0].inheritable = 1u << CAP_SYS_ADMIN | 1u << CAP_SYS_CHROOT;
    sets[1].inheritable = 0;
    if (syscall(SYS_capset, &head, sets) < 0) return fail_sys(e, "capset");
    if (drop_bounding(e)) return -1;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0) < 0 ||
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_CHROOT, 0, 0) < 0)
        return fail_sys(e, "ambient capability");
    return 0;
}

int caps_drop(const struct plan *p, struct err *e) {
    (void)p;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
        return fail_sys(e, "ambient set");
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    if (syscall(SYS_capset, &head, none) < 0) return fail_sys(e, "capset");
    return 0;
}

int nnp_set(const struct plan *p, struct err *e) {
    (void)p;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return fail_sys(e, "no_new_privs");
    return 0;
}
