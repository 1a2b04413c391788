/* SPDX-License-Identifier: MIT
 *
 * The bundle: a folder with config.json and the root directory.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/oci.h"

static int write_at(int dir, const char *name, str text, struct err *e) {
    AUTO_FD int fd =
        openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return fail_sys(e, "%s", name);
    return fd_write_all(fd, text, e);
}

/* Symlinks and texts of rootfs.def; the runtime makes places to mount on. */
static int write_root(int dir, struct err *e) {
    static const struct {
        const char *path, *text;
    } parts[] = {
#define SYSTEM(path) {path, NULL},
#define DEVICE(path)
#define WRITTEN(path, text) {path, text},
#include "sandbox/rootfs.def"
#undef SYSTEM
#undef DEVICE
#undef WRITTEN
    };
    if (mkdirat(dir, "rootfs", 0755) < 0 ||
        mkdirat(dir, "rootfs/etc", 0755) < 0 ||
        mkdirat(dir, "rootfs/etc/ssl", 0755) < 0)
        return fail_sys(e, "rootfs");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char name[128], target[4096];
        snprintf(name, sizeof name, "rootfs%s", parts[i].path);
        if (parts[i].text) {
            if (write_at(dir, name, str_of(parts[i].text), e)) return -1;
            continue;
        }
        ssize_t n = readlink(parts[i].path, target, sizeof target - 1);
        if (n < 0) continue;
        target[n] = 0;
        if (symlinkat(target, dir, name) < 0) return fail_sys(e, "%s", name);
    }
    return 0;
}

/* The runtime makes mount points and keeps its state in there, as the root of
 * its namespace. */
static int give_away(int dir, const struct oci *o, struct err *e) {
    static const char *const dirs[] = {".", "rootfs", "rootfs/etc",
                                       "rootfs/etc/ssl"};
    for (size_t i = 0; o->outside && !o->kind->whole && i < 4; i++)
        if (fchownat(dir, dirs[i], o->outside, o->outside, 0) < 0 && i == 0)
            return fail_sys(e, "%s", dirs[i]);
    return 0;
}

static int fill(const struct cage *c, str trusted, int dir, const struct oci *o,
                struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(4 << 20);
    if (oci_config(c, o, &text, e) ||
        write_at(dir, "config.json", buf_str(&text), e) ||
        (trusted.n && write_at(dir, OCI_TRUSTED, trusted, e)))
        return -1;
    if (!c->root && write_root(dir, e)) return -1;
    return give_away(dir, o, e);
}

int oci_bundle(const struct cage *c, str trusted, struct oci *o,
               struct err *e) {
    if (tmpdir_make(&o->dir, e)) return fail_while(e, "bundle");
    /* The task's own uid must be able to walk through it. */
    if (chmod(o->dir.path, 0711) < 0) return fail_sys(e, "bundle");
    AUTO_FD int dir = open(o->dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return fail_sys(e, "%s", o->dir.path);
    return fill(c, trusted, dir, o, e) ? fail_while(e, "bundle") : 0;
}
