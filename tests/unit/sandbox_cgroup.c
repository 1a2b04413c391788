/* SPDX-License-Identifier: MIT
 *
 * Finding cgroups from the two files of /proc, and the files a group is made
 * of, on a directory that only looks like cgroup v2 (the kernel of a test
 * machine has one kind or the other).
 */
#include "sandbox/cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

TEST(the_controllers_of_v1_are_found_where_they_are_mounted) {
    struct err e;
    struct cgroup_base b;
    CHECK_OK(
        cgroup_find(
            STR("31 30 0:26 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                "32 30 0:27 / /cg/memory rw shared:1 - cgroup c rw,memory\n"
                "33 30 0:28 /pod /cg/pids rw - cgroup cgroup rw,pids\n"
                "34 30 0:29 / /cg/unified rw - cgroup2 cgroup2 rw\n"),
            STR("4:memory:/a/b\n3:cpu,cpuacct:/\n2:pids:/pod/x\n0::/u\n"), &b,
            &e),
        &e);
    CHECK_TEXT(b.path[CGROUP_MEMORY], "/cg/memory/a/b");
    CHECK_TEXT(b.path[CGROUP_CPU], "/cg/cpu");
    CHECK_TEXT(b.path[CGROUP_PIDS], "/cg/pids/x");
    CHECK_TEXT(b.path[CGROUP_UNIFIED], "/cg/unified/u");
    CHECK(!b.unified);
}

TEST(a_missing_controller_is_named) {
    struct err e;
    struct cgroup_base b;
    CHECK_FAIL(
        cgroup_find(STR("31 30 0:26 / /cg/cpu rw - cgroup cgroup rw,cpu\n"
                        "32 30 0:27 / /cg/memory rw - cgroup c rw,memory\n"),
                    STR("4:memory:/\n3:cpu:/\n"), &b, &e),
        &e, ERR_UNSUPPORTED);
    CHECK_HAS(e.text, "pids");
    CHECK_FAIL(cgroup_find(STR(""), STR(""), &b, &e), &e, ERR_UNSUPPORTED);
}

static void put(const char *dir, const char *name, const char *text) {
    struct err e;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    CHECK_OK(file_replace(path, str_of(text), 0644, &e), &e);
}

static const char *got(const char *dir, const char *name, struct buf *out) {
    struct err e;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    buf_truncate(out, 0);
    CHECK_OK(file_read(path, out, &e), &e);
    return buf_text(out);
}

/* A stand-in for the kernel: cgroup_limit writes to files that exist. */
TEST(limits_of_v2_are_written_to_one_directory) {
    static const char *const files[] = {"memory.max", "memory.oom.group",
                                        "pids.max", "cpu.max",
                                        "memory.swap.max"};
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(256);
    char dir[] = "/tmp/cordon-cgroup-XXXXXX";
    CHECK(mkdtemp(dir));
    for (size_t i = 0; i < 5; i++)
        put(dir, files[i], "");
    struct cgroup g = CGROUP_NONE;
    g.unified = true;
    g.dir[CGROUP_UNIFIED] = open(dir, O_PATH | O_CLOEXEC);
    struct cage_limits l = {.cpu = 1500, .memory = 1 << 20, .pids = 7};
    CHECK_OK(cgroup_limit(&g, &l, &e), &e);
    CHECK_TEXT(got(dir, "memory.max", &text), "1048576");
    CHECK_TEXT(got(dir, "memory.oom.group", &text), "1");
    CHECK_TEXT(got(dir, "pids.max", &text), "8");
    CHECK_TEXT(got(dir, "cpu.max", &text), "150000 100000");
    CHECK_TEXT(got(dir, "memory.swap.max", &text), "0");
    put(dir, "memory.events", "low 0\noom 2\noom_kill 1\n");
    put(dir, "pids.events", "max 3\n");
    put(dir, "memory.current", "5\n");
    put(dir, "memory.peak", "9\n");
    struct cgroup_usage u;
    cgroup_open_stats(&g);
    cgroup_usage(&g, &u);
    CHECK_EQ(u.oom_kills, 1);
    CHECK_EQ(u.pids_refused, 3);
    CHECK_EQ(u.memory_peak, 9);
    static const char *const more[] = {"memory.events", "pids.events",
                                       "memory.current", "memory.peak"};
    for (size_t i = 0; i < 5; i++)
        unlinkat(g.dir[CGROUP_UNIFIED], files[i], 0);
    for (size_t i = 0; i < 4; i++)
        unlinkat(g.dir[CGROUP_UNIFIED], more[i], 0);
    close(g.dir[CGROUP_UNIFIED]);
    for (int i = 0; i < CGROUP_STATS; i++)
        close(g.stat[i]);
    CHECK_EQ(rmdir(dir), 0);
}
