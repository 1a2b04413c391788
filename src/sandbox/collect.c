/* SPDX-License-Identifier: MIT
 *
 * Collection with openat2, one name at a time.
 */
#include "sandbox/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"

enum { DEFAULT_FILES = 4096, DEFAULT_DEPTH = 32 };
#define DEFAULT_BYTES ((uint64_t)256 << 20)

struct walk {
    struct collect_limits left; /* counted down */
    collect_fn *each;
    void *context;
    struct buf path;
};

/* O_NONBLOCK: a FIFO in the way must not hold us up. */
static int open_beneath(int dir, const char *name, uint64_t flags) {
    struct open_how how = {
        .flags = flags | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
                   RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
    };
    return (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
}

static int spend(struct walk *w, uint64_t bytes, struct err *e) {
    if (w->left.files == 0)
        return fail(e, ERR_LIMIT, "too many files to collect");
    if (bytes > w->left.bytes)
        return fail(e, ERR_LIMIT, "too many bytes to collect");
    w->left.files--;
    w->left.bytes -= bytes;
    return 0;
}

static int walk_dir(struct walk *w, int dir, int depth, struct err *e);

static int walk_file(struct walk *w, int dir, const char *name, struct err *e) {
    AUTO_FD int fd = open_beneath(dir, name, O_RDONLY);
    struct stat st;
    /* Looked at again through the descriptor: the name may mean something
     * else by now. */
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) return 0;
    if (spend(w, (uint64_t)st.st_size, e)) return -1;
    return w->each(w->context, buf_text(&w->path), fd, (uint64_t)st.st_size, e);
}

static int walk_entry(struct walk *w, int dir, const char *name, int depth,
                      struct err *e) {
    struct stat st;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) return 0;
    if (S_ISREG(st.st_mode)) return walk_file(w, dir, name, e);
    if (!S_ISDIR(st.st_mode)) return 0;
    int sub = open_beneath(dir, name, O_RDONLY | O_DIRECTORY);
    if (sub < 0) return 0;
    if (spend(w, 0, e) || w->each(w->context, buf_text(&w->path), -1, 0, e)) {
        close(sub);
        return -1;
    }
    return walk_dir(w, sub, depth + 1, e);
}

/* Takes dir. */
static int walk_dir(struct walk *w, int dir, int depth, struct err *e) {
    DIR *d = fdopendir(dir);
    if (!d) {
        close(dir);
        return fail_sys(e, "collect");
    }
    int rc = depth > w->left.depth
                 ? fail(e, ERR_LIMIT, "directories nested too deep to collect")
                 : 0;
    size_t mark = w->path.len;
    for (struct dirent *entry; !rc && (entry = readdir(d));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        rc = (mark && buf_add_char(&w->path, '/', e)) ||
                     buf_add_text(&w->path, name, e) ||
                     walk_entry(w, dirfd(d), name, depth, e)
                 ? -1
                 : 0;
        buf_truncate(&w->path, mark);
    }
    closedir(d);
    return rc;
}

int collect_walk(int scratch, const struct collect_limits *limits,
                 collect_fn *each, void *context, struct err *e) {
    struct walk w = {
        .left = *limits,
        .each = each,
        .context = context,
        .path = BUF_MAX(64 << 10),
    };
    if (!w.left.bytes) w.left.bytes = DEFAULT_BYTES;
    if (!w.left.files) w.left.files = DEFAULT_FILES;
    if (!w.left.depth) w.left.depth = DEFAULT_DEPTH;
    int top = openat(scratch, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (top < 0) return fail_sys(e, "scratch");
    int rc = walk_dir(&w, top, 0, e);
    buf_fini(&w.path);
    return rc;
}

/* Plain bytes to a new plain file: no mode, owner, time or attribute of the
 * task's making comes along. */
static int copy_out(void *context, const char *path, int fd, uint64_t size,
                    struct err *e) {
    int target = *(const int *)context;
    if (fd < 0) {
        if (mkdirat(target, path, 0755) < 0) return fail_sys(e, "%s", path);
        return 0;
    }
    AUTO_FD int out =
        openat(target, path,
               O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (out < 0) return fail_sys(e, "%s", path);
    char chunk[65536];
    for (uint64_t left = size; left > 0;) {
        size_t want = left < sizeof chunk ? (size_t)left : sizeof chunk;
        ssize_t n = read(fd, chunk, want);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_sys(e, "%s", path);
        if (n == 0) return 0;
        if (fd_write_all(out, (str){chunk, (size_t)n}, e)) return -1;
        left -= (uint64_t)n;
    }
    return 0;
}

int collect_dir(int scratch, const char *path, struct err *e) {
    if (mkdir(path, 0755) < 0) return fail_sys(e, "%s", path);
    AUTO_FD int target = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (target < 0) return fail_sys(e, "%s", path);
    struct collect_limits limits = {0};
    return collect_walk(scratch, &limits, copy_out, &target, e);
}

int collect_file(int scratch, const char *path, struct buf *out,
                 struct err *e) {
    AUTO_FD int fd = open_beneath(scratch, path, O_RDONLY);
    if (fd < 0) return fail_sys(e, "%s", path);
    struct stat st;
    if (fstat(fd, &st) < 0) return fail_sys(e, "%s", path);
    if (!S_ISREG(st.st_mode))
        return fail(e, ERR_INVALID, "%s is not a file", path);
    return fd_read_all(fd, out, e);
}
