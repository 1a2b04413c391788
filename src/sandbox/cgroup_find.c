/* SPDX-License-Identifier: MIT
 *
 * Where this process's own cgroups are, from two files of /proc.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/cgroup.h"

/* Is word one of the comma-separated items? */
static bool listed(str list, const char *word) {
    while (list.n)
        if (str_is(str_cut(&list, ','), word)) return true;
    return false;
}

/* The path of this process in the hierarchy with the given controller; v2
 * has none. "4:memory:/a/b" */
static str own_path(str own, const char *controller) {
    while (own.n) {
        str path = str_cut(&own, '\n');
        (void)str_cut(&path, ':');
        str controllers = str_cut(&path, ':');
        bool match =
            *controller ? listed(controllers, controller) : controllers.n == 0;
        if (match) return path;
    }
    return (str){0};
}

struct mount_line {
    str root, point, type, options;
};

/* "36 35 98:0 /root /point opts shared:1 - cgroup cgroup rw,memory" */
static struct mount_line split_line(str line) {
    struct mount_line m = {0};
    for (int i = 0; i < 3; i++)
        (void)str_cut(&line, ' ');
    m.root = str_cut(&line, ' ');
    m.point = str_cut(&line, ' ');
    ptrdiff_t dash = str_find(line, STR(" - "));
    if (dash < 0) return m;
    line = str_sub(line, (size_t)dash + 3, line.n);
    m.type = str_cut(&line, ' ');
    (void)str_cut(&line, ' ');
    m.options = line;
    return m;
}

/* In a container the mount shows a part of the hierarchy: what lies above its
 * root is cut off our own path. */
static void join(char out[512], struct mount_line m, str own) {
    if (str_is(own, "/")) own.n = 0;
    if (m.root.n > 1)
        own = str_starts(own, m.root) ? str_sub(own, m.root.n, own.n)
                                      : (str){"", 0};
    snprintf(out, 512, "%.*s%.*s", STR_ARG(m.point), STR_ARG(own));
}

static void use_line(struct mount_line m, str own, struct cgroup_base *b) {
    static const char *const names[CGROUP_DIRS] = {"", "memory", "pids", "cpu"};
    if (str_is(m.type, "cgroup2") && !b->path[CGROUP_UNIFIED][0])
        join(b->path[CGROUP_UNIFIED], m, own_path(own, ""));
    if (!str_is(m.type, "cgroup")) return;
    for (int i = CGROUP_MEMORY; i < CGROUP_DIRS; i++)
        if (listed(m.options, names[i]) && !b->path[i][0])
            join(b->path[i], m, own_path(own, names[i]));
}

static bool has_controllers(const char *path) {
    struct err e;
    char name[600];
    AUTO_BUF struct buf text = BUF_MAX(4096);
    snprintf(name, sizeof name, "%s/cgroup.controllers", path);
    if (!path[0] || file_read(name, &text, &e)) return false;
    bool memory = false, pids = false, cpu = false;
    for (str rest = str_trim(buf_str(&text)); rest.n;) {
        str word = str_cut(&rest, ' ');
        memory |= str_is(word, "memory");
        pids |= str_is(word, "pids");
        cpu |= str_is(word, "cpu");
    }
    return memory && pids && cpu;
}

int cgroup_find(str mountinfo, str own, struct cgroup_base *out,
                struct err *e) {
    struct cgroup_base b = {.unified = false};
    while (mountinfo.n)
        use_line(split_line(str_cut(&mountinfo, '\n')), own, &b);
    b.unified = has_controllers(b.path[CGROUP_UNIFIED]);
    static const char *const names[CGROUP_DIRS] = {"", "memory", "pids", "cpu"};
    for (int i = CGROUP_MEMORY; i < CGROUP_DIRS; i++)
        if (!b.unified && !b.path[i][0])
            return fail(e, ERR_UNSUPPORTED, "no cgroup controls %s here",
                        names[i]);
    *out = b;
    return 0;
}

int cgroup_here(struct cgroup_base *out, struct err *e) {
    AUTO_BUF struct buf mounts = BUF_MAX(1 << 20);
    AUTO_BUF struct buf own = BUF_MAX(1 << 16);
    if (file_read("/proc/self/mountinfo", &mounts, e) ||
        file_read("/proc/self/cgroup", &own, e))
        return -1;
    return cgroup_find(buf_str(&mounts), buf_str(&own), out, e);
}
