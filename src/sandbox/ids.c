/* SPDX-License-Identifier: MIT
 *
 * User namespaces: maps, and the step into them.
 */
#include "sandbox/ids.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "sandbox/plan.h"

/* Above every range that distributions, systemd or containers hand out. */
#define OUTSIDE_BASE 0x5c000000u
#define OUTSIDE_MASK 0x0fffffffu
enum { NOBODY = 65534 };

struct id_range {
    unsigned long long inside, outside, count;
};

/* The range of our own namespace that holds the uid. */
static bool find_range(uint32_t uid, struct id_range *out) {
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(64 << 10);
    if (file_read("/proc/self/uid_map", &text, &e)) return false;
    for (str rest = buf_str(&text); rest.n;) {
        str line = str_cut(&rest, '\n');
        struct id_range r;
        char copy[64];
        if (line.n >= sizeof copy) continue;
        memcpy(copy, line.p, line.n);
        copy[line.n] = 0;
        if (sscanf(copy, "%llu %llu %llu", &r.inside, &r.outside, &r.count) !=
                3 ||
            uid < r.inside || uid >= r.inside + r.count)
            continue;
        *out = r;
        return true;
    }
    return false;
}

bool ids_free_choice(void) {
    struct id_range r;
    return geteuid() == 0 && find_range(OUTSIDE_BASE, &r) &&
           r.inside + r.count > OUTSIDE_BASE + OUTSIDE_MASK;
}

static bool same_outside(uint32_t uid) {
    struct id_range r;
    return !find_range(uid, &r) || uid - r.inside + r.outside == uid;
}

/* Drawn, not counted: supervisors do not know of each other, and among 2^28
 * two that run at once do not meet. */
int ids_outside(uint32_t *out, struct err *e) {
    uint32_t draw;
    if (hash_random(&draw, sizeof draw, e)) return -1;
    *out = OUTSIDE_BASE + (draw & OUTSIDE_MASK);
    return 0;
}

static int write_map(pid_t pid, const char *name, const char *text,
                     struct err *e) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    AUTO_FD int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail_sys(e, "%s", path);
    /* One write, or the kernel takes the first part for the whole. */
    if (write(fd, text, strlen(text)) < 0) return fail_sys(e, "%s", path);
    return 0;
}

static int map_one(pid_t pid, const char *name, uint32_t inside,
                   uint32_t outside, struct err *e) {
    char text[48];
    snprintf(text, sizeof text, "%u %u 1\n", inside, outside);
    return write_map(pid, name, text, e);
}

int ids_map_range(pid_t pid, uint32_t outside, uint32_t count, struct err *e) {
    char text[2][48];
    const uint32_t first[] = {outside ? outside : geteuid(),
                              outside ? outside : getegid()};
    for (int i = 0; i < 2; i++)
        snprintf(text[i], sizeof text[i], "0 %u %u\n", first[i], count);
    if (!outside && write_map(pid, "setgroups", "deny", e)) return -1;
    return write_map(pid, "uid_map", text[0], e) ||
                   write_map(pid, "gid_map", text[1], e)
               ? -1
               : 0;
}

int ids_map(pid_t pid, uint32_t outside, struct err *e) {
    uint32_t uid = outside ? outside : geteuid();
    uint32_t gid = outside ? outside : getegid();
    /* An ordinary user must give up setgroups, lest a group that was to lose
     * a right is dropped. */
    if (!outside && write_map(pid, "setgroups", "deny", e)) return -1;
    if (map_one(pid, "uid_map", INNER_UID, uid, e) ||
        map_one(pid, "gid_map", INNER_GID, gid, e))
        return -1;
    return 0;
}

static int become(const struct plan *p, uid_t uid, gid_t gid, struct err *e) {
    if (p->privileged && setgroups(0, NULL) < 0)
        return fail_sys(e, "setgroups");
    if (setresgid(gid, gid, gid) < 0) return fail_sys(e, "setresgid");
    if (setresuid(uid, uid, uid) < 0) return fail_sys(e, "setresuid");
    return 0;
}

/* Without a namespace of its own a task stays who we are, unless that is
 * root. The root of a namespace that somebody else made is an ordinary user
 * outside; the capabilities it has in there are dropped like all others. */
int ids_enter(const struct plan *p, struct err *e) {
    if (plan_has(p, LAYER_NAMESPACES))
        return become(p, INNER_UID, INNER_GID, e);
    if (p->privileged) return become(p, NOBODY, NOBODY, e);
    if (geteuid() == 0 && same_outside(0))
        return fail(e, ERR_UNSUPPORTED, "the task would run as root");
    return 0;
}

/* A namespace lives in a process until it is held by a descriptor. */
static int hold_ns(pid_t pid, uint32_t from_uid, uint32_t from_gid,
                   uint32_t outside, struct err *e) {
    if (map_one(pid, "uid_map", from_uid, outside, e) ||
        map_one(pid, "gid_map", from_gid, outside, e))
        return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? fail_sys(e, "%s", path) : fd;
}

void ids_shift_end(struct ids_shift *s) {
    if (s->ns >= 0) close(s->ns);
    s->ns = -1;
    while (s->maker > 0 && waitpid(s->maker, NULL, 0) < 0 && errno == EINTR)
        continue;
    s->maker = 0;
}

static int wait_for_death(void *unused) {
    (void)unused;
    while (pause() < 0)
        continue;
    return 0;
}

/* In our memory, of which it touches nothing: a copy would cost more than the
 * namespace. No signal but the last reaches it. */
static pid_t fork_maker(struct ids_shift *s) {
    sigset_t all, before;
    sigfillset(&all);
    if (sigprocmask(SIG_SETMASK, &all, &before) < 0) return -1;
    pid_t pid = clone(wait_for_death, s->stack + sizeof s->stack,
                      CLONE_VM | CLONE_NEWUSER | SIGCHLD, NULL);
    int reason = errno;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return pid;
}

int ids_shift_from(struct ids_shift *s, uid_t uid, gid_t gid, struct err *e) {
    if (s->ns >= 0 && s->uid == uid && s->gid == gid) return 0;
    ids_shift_end(s);
    pid_t pid = fork_maker(s);
    if (pid < 0) return fail_sys(e, "user namespace for shifted ids");
    s->maker = pid;
    s->uid = uid;
    s->gid = gid;
    s->ns = hold_ns(pid, uid, gid, s->outside, e);
    kill(pid, SIGKILL);
    return s->ns < 0 ? -1 : 0;
}
