/* SPDX-License-Identifier: MIT
 *
 * The bundle: a folder with config.json and the root directory, in memory that
 * goes with the runtime's mounts. On a disk its making and its removal would
 * take longer than the rest of a start that is ours.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
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

/* The task's own uid must be able to walk through it. */
int oci_bundle(const struct oci_space *s, struct err *e) {
    const char *path = s->oci->dir.path;
    if (mount("bundle", path, "tmpfs", 0, "size=32m,mode=711") < 0)
        return fail_sys(e, "bundle");
    AUTO_FD int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0) return fail_sys(e, "%s", path);
    if (write_at(dir, "config.json", s->config, e) ||
        (s->trusted.n && write_at(dir, OCI_TRUSTED, s->trusted, e)) ||
        (!s->cage->root && write_root(dir, e)))
        return fail_while(e, "bundle");
    return 0;
}

/* The last line of what it wrote, or as much of it as there is room for. */
static str last_line(str text) {
    str line = {"", 0};
    while (text.n) {
        str next = str_trim(str_cut(&text, '\n'));
        if (next.n) line = next;
    }
    return str_sub(line, 0, 300);
}

static size_t read_end(int dir, const char *name, char *out, size_t size) {
    AUTO_FD int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    off_t n = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
    ssize_t got = pread(fd, out, size, n > (off_t)size ? n - (off_t)size : 0);
    return got < 0 ? 0 : (size_t)got;
}

/* Where there is no pid there was no program. runsc has one too early, and
 * writes into its log only when it gives up. */
bool oci_failed(const struct oci *o, struct err *why) {
    char log[2048];
    AUTO_FD int dir = open(o->dir.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool pid = dir >= 0 && faccessat(dir, "pid", F_OK, 0) == 0;
    if (pid && !o->kind->one_id) return false;
    size_t n = read_end(dir, "log", log, sizeof log);
    if (pid && !n) return false;
    str said = last_line((str){log, n});
    err_set(why, ERR_SYSTEM, "%s did not start the program%s%.*s",
            o->kind->name, said.n ? ": " : "", STR_ARG(said));
    return true;
}
