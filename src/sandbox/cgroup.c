/* SPDX-License-Identifier: MIT
 *
 * Groups: made, limited, read, removed.
 */
#include "sandbox/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/num.h"
#include "sandbox/plan.h"

/* Where a v2 group has processes it may not hand controllers down, so we move
 * ourselves into a leaf of this name first. */
#define HOST_LEAF "cordon-host"

enum { PERIOD_US = 100000, CLOSE_WAIT_MS = 2000, STAT_BYTES = 512 };

static int write_file(int dir, const char *name, struct err *e, const char *fmt,
                      ...) __attribute__((format(printf, 4, 5)));

static int write_file(int dir, const char *name, struct err *e, const char *fmt,
                      ...) {
    char text[64];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    AUTO_FD int fd = openat(dir, name, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, (size_t)n) < 0)
        return fail_sys(e, "%s", name);
    return 0;
}

/* The text of a statistic, NUL-terminated; "" where there is none. */
static void read_stat(const struct cgroup *g, enum cgroup_stat which,
                      char text[STAT_BYTES]) {
    ssize_t n =
        g->stat[which] < 0 ? 0 : pread(g->stat[which], text, STAT_BYTES - 1, 0);
    text[n > 0 ? n : 0] = 0;
}

static uint64_t read_number(const struct cgroup *g, enum cgroup_stat which) {
    char text[STAT_BYTES];
    struct err e;
    uint64_t value;
    read_stat(g, which, text);
    return num_parse_u64(str_trim(str_of(text)), &value, &e) ? 0 : value;
}

/* The number after "key " in a file of such lines. */
static uint64_t read_key(const struct cgroup *g, enum cgroup_stat which,
                         const char *key) {
    char text[STAT_BYTES];
    struct err e;
    read_stat(g, which, text);
    for (str rest = str_of(text); rest.n;) {
        str value = str_cut(&rest, '\n');
        str word = str_cut(&value, ' ');
        uint64_t n;
        if (str_is(word, key) && !num_parse_u64(value, &n, &e)) return n;
    }
    return 0;
}

/* --- limits --- */

static int limit_v2(int dir, const struct cage_limits *l, struct err *e) {
    if (write_file(dir, "memory.max", e, "%llu",
                   (unsigned long long)l->memory) ||
        write_file(dir, "memory.oom.group", e, "1") ||
        write_file(dir, "pids.max", e, "%llu",
                   (unsigned long long)l->pids + 1) ||
        write_file(dir, "cpu.max", e, "%llu %d",
                   (unsigned long long)(l->cpu * PERIOD_US / 1000), PERIOD_US))
        return -1;
    /* Absent where the kernel counts no swap; then there is none to use. */
    struct err ignored;
    (void)write_file(dir, "memory.swap.max", &ignored, "0");
    return 0;
}

static int limit_v1(const struct cgroup *g, const struct cage_limits *l,
                    struct err *e) {
    if (write_file(g->dir[CGROUP_MEMORY], "memory.limit_in_bytes", e, "%llu",
                   (unsigned long long)l->memory) ||
        write_file(g->dir[CGROUP_PIDS], "pids.max", e, "%llu",
                   (unsigned long long)l->pids + 1) ||
        write_file(g->dir[CGROUP_CPU], "cpu.cfs_period_us", e, "%d",
                   PERIOD_US) ||
        write_file(g->dir[CGROUP_CPU], "cpu.cfs_quota_us", e, "%llu",
                   (unsigned long long)(l->cpu * PERIOD_US / 1000)))
        return -1;
    return 0;
}

int cgroup_limit(const struct cgroup *g, const struct cage_limits *l,
                 struct err *e) {
    return g->unified ? limit_v2(g->dir[CGROUP_UNIFIED], l, e)
                      : limit_v1(g, l, e);
}

/* --- making --- */

/* Groups of a supervisor that was killed are empty and in nobody's way, but
 * they are left: whoever comes next removes them. In each hierarchy by itself,
 * for two supervisors may share one and not the other. */
static void remove_stale(int parent) {
    AUTO_FD int fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) return;
    fd = -1; /* the stream owns it */
    for (struct dirent *d; (d = readdir(dir));) {
        int pid;
        if (sscanf(d->d_name, "cordon-%d-", &pid) != 1) continue;
        if (kill(pid, 0) < 0 && errno == ESRCH)
            unlinkat(parent, d->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

static size_t sweep_dir(int parent, pid_t pid) {
    AUTO_FD int fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    size_t left = 0;
    if (!dir) return 0;
    fd = -1; /* the stream owns it */
    for (struct dirent *d; (d = readdir(dir));) {
        int made_by;
        if (sscanf(d->d_name, "cordon-%d-", &made_by) == 1 && made_by == pid)
            left += unlinkat(parent, d->d_name, AT_REMOVEDIR) < 0;
    }
    closedir(dir);
    return left;
}

size_t cgroup_sweep(pid_t pid) {
    struct cgroup_base base;
    struct err e;
    size_t left = 0;
    if (cgroup_here(&base, &e)) return 0;
    for (int i = 0; i < CGROUP_DIRS; i++) {
        AUTO_FD int parent =
            open(base.path[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (parent >= 0) left += sweep_dir(parent, pid);
    }
    return left;
}

static int make_dir(struct cgroup *g, enum cgroup_dir i, const char *base,
                    struct err *e) {
    g->parent[i] = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (g->parent[i] < 0) return fail_sys(e, "%s", base);
    if (mkdirat(g->parent[i], g->name, 0755) < 0)
        return fail_sys(e, "make a group in %s", base);
    g->dir[i] = openat(g->parent[i], g->name, O_PATH | O_CLOEXEC);
    if (g->dir[i] < 0) return fail_sys(e, "%s/%s", base, g->name);
    return 0;
}

/* The group that may hand out controllers: the root one may always; another
 * only when no process is in it. */
static int enable_v2(const char *base, char *parent, size_t size,
                     struct err *e) {
    snprintf(parent, size, "%s", base);
    char *leaf = strrchr(parent, '/');
    bool moved = leaf && strcmp(leaf, "/" HOST_LEAF) == 0;
    if (moved) *leaf = 0;
    AUTO_FD int dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return fail_sys(e, "%s", parent);
    const char *all = "+memory +pids +cpu";
    if (!write_file(dir, "cgroup.subtree_control", e, "%s", all)) return 0;
    if (moved) return -1;
    if (mkdirat(dir, HOST_LEAF, 0755) < 0 && errno != EEXIST)
        return fail_sys(e, "%s", parent);
    if (write_file(dir, HOST_LEAF "/cgroup.procs", e, "0")) return -1;
    return write_file(dir, "cgroup.subtree_control", e, "%s", all);
}

static int make_v2(struct cgroup *g, const struct cgroup_base *b,
                   struct err *e) {
    char parent[512];
    if (enable_v2(b->path[CGROUP_UNIFIED], parent, sizeof parent, e)) return -1;
    g->unified = true;
    return make_dir(g, CGROUP_UNIFIED, parent, e);
}

/* Beside v1: welcome, not needed. */
static void make_switch(struct cgroup *g, const struct cgroup_base *b) {
    struct err ignored;
    if (b->path[CGROUP_UNIFIED][0] &&
        make_dir(g, CGROUP_UNIFIED, b->path[CGROUP_UNIFIED], &ignored) &&
        g->parent[CGROUP_UNIFIED] >= 0) {
        close(g->parent[CGROUP_UNIFIED]);
        g->parent[CGROUP_UNIFIED] = -1;
    }
}

static int make_v1(struct cgroup *g, const struct cgroup_base *b,
                   struct err *e) {
    static const enum cgroup_dir needed[] = {CGROUP_MEMORY, CGROUP_PIDS,
                                             CGROUP_CPU};
    for (size_t i = 0; i < 3; i++)
        if (make_dir(g, needed[i], b->path[needed[i]], e)) return -1;
    return 0;
}

static void name_group(struct cgroup *g) {
    snprintf(g->name, sizeof g->name, "cordon-%d-%llx", (int)getpid(),
             (unsigned long long)clock_mono_ns());
}

/* Kernels before 5.19 have no peak in v2, and a group without limits has none
 * of them: a statistic that is missing reads as 0. */
void cgroup_open_stats(struct cgroup *g) {
    static const char *const v2[] = {"pids.current", "pids.events",
                                     "memory.current", "memory.peak",
                                     "memory.events"};
    static const char *const v1[] = {
        "pids.current", "pids.events", "memory.usage_in_bytes",
        "memory.max_usage_in_bytes", "memory.oom_control"};
    for (int i = 0; i < CGROUP_STATS; i++) {
        enum cgroup_dir from = g->unified          ? CGROUP_UNIFIED
                               : i <= STAT_REFUSED ? CGROUP_PIDS
                                                   : CGROUP_MEMORY;
        int mode = i == STAT_PEAK ? O_RDWR : O_RDONLY;
        g->stat[i] =
            openat(g->dir[from], g->unified ? v2[i] : v1[i], mode | O_CLOEXEC);
    }
}

int cgroup_begin(const struct cgroup_base *base, struct cgroup *out,
                 struct err *e) {
    struct cgroup g = CGROUP_NONE;
    struct err ignored;
    name_group(&g);
    if (!base->unified) {
        make_switch(&g, base);
    } else if (make_v2(&g, base, e)) {
        (void)cgroup_close(&g, &ignored);
        return -1;
    }
    *out = g;
    return 0;
}

int cgroup_finish(const struct cgroup_base *base,
                  const struct cage_limits *limits, struct cgroup *g,
                  struct err *e) {
    if (!base->unified && make_v1(g, base, e)) return -1;
    return cgroup_limit(g, limits, e);
}

void cgroup_settle(struct cgroup *g) {
    cgroup_open_stats(g);
    for (int i = 0; i < CGROUP_DIRS; i++)
        if (g->parent[i] >= 0) remove_stale(g->parent[i]);
}

int cgroup_open(const struct cgroup_base *base,
                const struct cage_limits *limits, struct cgroup *out,
                struct err *e) {
    struct cgroup g;
    struct err ignored;
    if (cgroup_begin(base, &g, e)) return -1;
    if (cgroup_finish(base, limits, &g, e)) {
        (void)cgroup_close(&g, &ignored);
        return -1;
    }
    cgroup_settle(&g);
    *out = g;
    return 0;
}

int cgroup_doors(const struct cgroup *g, int fds[CGROUP_DIRS], struct err *e) {
    for (int i = 0; i < CGROUP_DIRS; i++)
        fds[i] = -1;
    if (g->unified) return 0;
    for (int i = CGROUP_MEMORY; i < CGROUP_DIRS; i++) {
        fds[i] = openat(g->dir[i], "tasks", O_WRONLY | O_CLOEXEC);
        if (fds[i] < 0) return fail_sys(e, "tasks");
    }
    return 0;
}

int cgroup_join(const int fds[CGROUP_DIRS], struct err *e) {
    for (int i = 0; i < CGROUP_DIRS; i++)
        if (fds[i] >= 0 && write(fds[i], "0", 1) < 0)
            return fail_sys(e, "tasks");
    return 0;
}

/* --- use --- */

void cgroup_usage(const struct cgroup *g, struct cgroup_usage *out) {
    out->pids_refused = read_key(g, STAT_REFUSED, "max");
    out->memory_peak = read_number(g, STAT_PEAK);
    out->oom_kills = read_key(g, STAT_OOM, "oom_kill");
}

void cgroup_now(const struct cgroup *g, uint64_t *bytes, uint64_t *pids) {
    *pids = read_number(g, STAT_PIDS);
    *bytes = read_number(g, STAT_MEMORY);
}

void cgroup_forget(const struct cgroup *g) {
    if (g->stat[STAT_PEAK] >= 0 && pwrite(g->stat[STAT_PEAK], "0", 1, 0) < 0)
        return; /* then the peak is that of the slot */
}

void cgroup_kill(const struct cgroup *g) {
    struct err ignored; /* Linux 5.14; the pid namespace does it as well */
    if (g->dir[CGROUP_UNIFIED] >= 0)
        (void)write_file(g->dir[CGROUP_UNIFIED], "cgroup.kill", &ignored, "1");
}

/* A process counts until it is fully gone, a moment after it was reaped. */
static int remove_dir(int parent, const char *name, struct err *e) {
    for (int64_t end = clock_mono_ns() + CLOSE_WAIT_MS * 1000000ll;;) {
        if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
            return 0;
        if (errno != EBUSY || clock_mono_ns() > end)
            return fail_sys(e, "remove group %s", name);
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

void cgroup_drop(struct cgroup *g) {
    for (int i = 0; i < CGROUP_STATS; i++)
        if (g->stat[i] >= 0) close(g->stat[i]);
    for (int i = 0; i < CGROUP_DIRS; i++) {
        if (g->dir[i] >= 0) close(g->dir[i]);
        if (g->parent[i] >= 0) close(g->parent[i]);
    }
    *g = CGROUP_NONE;
}

void cgroup_adopt(struct cgroup *g) {
    for (int i = 0; i < CGROUP_DIRS; i++)
        if (g->dir[i] >= 0 && g->parent[i] < 0)
            g->parent[i] =
                openat(g->dir[i], "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int cgroup_close(struct cgroup *g, struct err *e) {
    int rc = 0;
    for (int i = 0; i < CGROUP_STATS; i++) {
        if (g->stat[i] >= 0) close(g->stat[i]);
        g->stat[i] = -1;
    }
    for (int i = 0; i < CGROUP_DIRS; i++) {
        if (g->dir[i] >= 0) close(g->dir[i]);
        if (g->dir[i] >= 0 && remove_dir(g->parent[i], g->name, e)) rc = -1;
        if (g->parent[i] >= 0) close(g->parent[i]);
        g->dir[i] = g->parent[i] = -1;
    }
    return rc;
}

int cgroup_enter(const struct plan *p, struct err *e) {
    int doors[CGROUP_DIRS];
    memcpy(doors, p->doors, sizeof doors);
    doors[CGROUP_CPU] = -1;
    return cgroup_join(doors, e);
}

int cgroup_enter_cpu(const struct plan *p, struct err *e) {
    const int doors[CGROUP_DIRS] = {-1, -1, -1, p->doors[CGROUP_CPU]};
    return cgroup_join(doors, e);
}

/* After the process is in its group: the namespace shows that group as the
 * root. */
int cgroup_hide(const struct plan *p, struct err *e) {
    (void)p;
    if (unshare(CLONE_NEWCGROUP) < 0) return fail_sys(e, "unshare");
    return 0;
}
