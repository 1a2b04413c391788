/* SPDX-License-Identifier: MIT
 *
 * Changes of a copy, made to what it is a copy of. The changes lie still in a
 * folder of ours; the directory that they are for may be changed by others
 * meanwhile, so each name is opened relative to the directory that it was found
 * in, and no link is ever followed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/changes.h"

enum { MAX_DEPTH = 64 };

struct apply {
    const char *to; /* the task's name of the directory, for messages */
    uid_t uid;      /* whose it is, and whose new files will be */
    gid_t gid;
};

static int open_dir(int dir, const char *name) {
    struct open_how how = {
        .flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
                   RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
    };
    return (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
}

typedef int each_fn(const struct apply *a, int from, int host, const char *name,
                    int depth, struct err *e);

/* Calls each for every name in dir, which it takes. */
static int for_each(const struct apply *a, int dir, int host, each_fn *each,
                    int depth, struct err *e) {
    DIR *d = fdopendir(dir);
    int rc = d ? 0 : fail_sys(e, "%s", a->to);
    if (!d) close(dir);
    for (struct dirent *entry; !rc && (entry = readdir(d));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            rc = each(a, dir, host, entry->d_name, depth, e);
    if (d) closedir(d);
    return rc;
}

/* --- what goes --- */

static int take_away(const struct apply *a, int host, int unused,
                     const char *name, int depth, struct err *e) {
    (void)unused;
    if (unlinkat(host, name, 0) == 0 || errno == ENOENT) return 0;
    if (errno != EISDIR && errno != EPERM)
        return fail_sys(e, "remove %s", name);
    int sub = depth < MAX_DEPTH ? open_dir(host, name) : -1;
    if (sub < 0) return fail_sys(e, "remove %s", name);
    if (for_each(a, sub, -1, take_away, depth + 1, e)) return -1;
    return unlinkat(host, name, AT_REMOVEDIR) < 0
               ? fail_sys(e, "remove %s", name)
               : 0;
}

/* Of a directory that was deleted and made again nothing old is left. */
static int hide(const struct apply *a, int host, int from, const char *name,
                int depth, struct err *e) {
    struct stat st;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) == 0) return 0;
    return take_away(a, host, -1, name, depth, e);
}

static int hide_old(const struct apply *a, int from, int host, int depth,
                    struct err *e) {
    char mark = 0;
    if (fgetxattr(from, CHANGES_OPAQUE, &mark, 1) != 1 || mark != 'y') return 0;
    int names = openat(host, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (names < 0) return fail_sys(e, "%s", a->to);
    return for_each(a, names, from, hide, depth, e);
}

/* --- what comes --- */

static int own(const struct apply *a, int fd, mode_t mode, struct err *e) {
    if (geteuid() == 0 && fchown(fd, a->uid, a->gid) < 0)
        return fail_sys(e, "owner");
    return fchmod(fd, mode) < 0 ? fail_sys(e, "mode") : 0;
}

static int copy(int from, int to, struct err *e) {
    char chunk[65536];
    for (;;) {
        ssize_t n = read(from, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_sys(e, "read");
        if (n == 0) return 0;
        if (fd_write_all(to, (str){chunk, (size_t)n}, e)) return -1;
    }
}

/* Whole, and then in the place of the old one. */
static int put_file(const struct apply *a, int from, int host, const char *name,
                    mode_t mode, struct err *e) {
    char temporary[64];
    snprintf(temporary, sizeof temporary, ".cordon-%d-new", (int)getpid());
    (void)unlinkat(host, temporary, 0); /* of one who was killed */
    AUTO_FD int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (in < 0) return fail_sys(e, "%s", name);
    AUTO_FD int out =
        openat(host, temporary,
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out < 0) return fail_sys(e, "%s", name);
    int rc = copy(in, out, e) || own(a, out, mode & 0777, e) ? -1 : 0;
    if (!rc && renameat(host, temporary, host, name) < 0)
        rc = fail_sys(e, "%s", name);
    if (rc) (void)unlinkat(host, temporary, 0);
    return rc;
}

static int put_entry(const struct apply *a, int from, int host,
                     const char *name, int depth, struct err *e);

static int put_dir(const struct apply *a, int from, int host, const char *name,
                   int depth, struct err *e) {
    if (depth == MAX_DEPTH) return fail(e, ERR_LIMIT, "%s: too deep", name);
    if (mkdirat(host, name, 0700) == 0) {
        AUTO_FD int made = open_dir(host, name);
        if (made < 0 || own(a, made, 0755, e)) return fail_sys(e, "%s", name);
    } else if (errno != EEXIST) {
        return fail_sys(e, "%s", name);
    }
    AUTO_FD int sub = open_dir(host, name);
    int below = open_dir(from, name);
    if (sub < 0 || below < 0) {
        if (below >= 0) close(below);
        return fail_sys(e, "%s", name);
    }
    if (hide_old(a, below, sub, depth + 1, e)) {
        close(below);
        return -1;
    }
    return for_each(a, below, sub, put_entry, depth + 1, e);
}

/* A copy has no links: one that is in the way was never seen by the task. */
static int put_entry(const struct apply *a, int from, int host,
                     const char *name, int depth, struct err *e) {
    struct stat st, old;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_sys(e, "%s", name);
    bool is = fstatat(host, name, &old, AT_SYMLINK_NOFOLLOW) == 0;
    if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(0, 0))
        return take_away(a, host, -1, name, depth, e);
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) return 0;
    if (is && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode))
        return fail(e, ERR_INVALID, "%s: what is there is no file", name);
    if (is && S_ISDIR(st.st_mode) != S_ISDIR(old.st_mode) &&
        take_away(a, host, -1, name, depth, e))
        return -1;
    return S_ISDIR(st.st_mode) ? put_dir(a, from, host, name, depth, e)
                               : put_file(a, from, host, name, st.st_mode, e);
}

int changes_apply(int upper, const struct cage_bind *bind, struct err *e) {
    struct stat st;
    AUTO_FD int host = open(bind->from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (host < 0 || fstat(host, &st) < 0) return fail_sys(e, "%s", bind->from);
    const struct apply a = {bind->to, st.st_uid, st.st_gid};
    int top = open_dir(upper, "new");
    if (top < 0) return fail_sys(e, "changes of %s", bind->to);
    return for_each(&a, top, host, put_entry, 0, e)
               ? fail_while(e, "changes of %s", bind->to)
               : 0;
}
