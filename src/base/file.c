/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536

/* A file that is not there is a kind of its own: callers treat it apart. */
static int fail_open(const char *path, struct err *e) {
    bool missing = errno == ENOENT || errno == ENOTDIR;
    (void)fail_sys(e, "open %s", path);
    if (missing) e->kind = ERR_MISSING;
    return -1;
}

/* One read into the buffer's own memory; *end tells end of file. A buffer at
 * its maximum may still be at the end, which only a read can tell. */
static int read_some(int fd, struct buf *out, bool *end, struct err *e) {
    char past;
    size_t room = out->max - out->len < CHUNK ? out->max - out->len : CHUNK;
    char *to = room > 0 ? buf_reserve(out, room, e) : &past;
    if (!to) return -1;
    ssize_t n = read(fd, to, room > 0 ? room : 1);
    if (n < 0 && errno == EINTR) return 0;
    if (n < 0) return fail_sys(e, "read");
    *end = n == 0;
    if (n > 0 && room == 0)
        return fail(e, ERR_LIMIT, "longer than %zu bytes", out->max);
    if (n > 0) buf_commit(out, (size_t)n);
    return 0;
}

int fd_read_all(int fd, struct buf *out, struct err *e) {
    size_t before = out->len;
    for (bool end = false; !end;) {
        if (read_some(fd, out, &end, e)) {
            buf_truncate(out, before);
            return -1;
        }
    }
    return 0;
}

int file_read_at(int dir, const char *name, struct buf *out, struct err *e) {
    AUTO_FD int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_open(name, e);
    if (fd_read_all(fd, out, e)) return fail_while(e, "%s", name);
    return 0;
}

int file_read(const char *path, struct buf *out, struct err *e) {
    if (strcmp(path, "-") != 0) return file_read_at(AT_FDCWD, path, out, e);
    if (fd_read_all(STDIN_FILENO, out, e))
        return fail_while(e, "standard input");
    return 0;
}

int fd_write_all(int fd, str data, struct err *e) {
    while (data.n > 0) {
        ssize_t n = write(fd, data.p, data.n);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_sys(e, "write");
        data = str_sub(data, (size_t)n, data.n);
    }
    return 0;
}

/* The rename is on disk only when the folder is. */
static int sync_folder_of(const char *path, struct err *e) {
    const char *slash = strrchr(path, '/');
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    size_t n = slash && slash > path ? (size_t)(slash - path) : 1;
    if (buf_add(&folder, slash ? path : ".", n, e)) return -1;
    AUTO_FD int fd = open(folder.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return fail_open(folder.data, e);
    /* Some file systems cannot sync a folder and say EINVAL. */
    if (fsync(fd) && errno != EINVAL) return fail_sys(e, "sync %s", path);
    return 0;
}

static int fill(int fd, str data, unsigned mode, struct err *e) {
    if (fd_write_all(fd, data, e)) return -1;
    if (fchmod(fd, mode)) return fail_sys(e, "chmod");
    if (fsync(fd)) return fail_sys(e, "sync");
    return 0;
}

/* A temporary file beside path gets the data; `place` gives it its name. */
static int write_beside(const char *path, str data, unsigned mode,
                        int (*place)(const char *temp, const char *path),
                        struct err *e) {
    AUTO_BUF struct buf temp = BUF_MAX(PATH_MAX);
    if (buf_addf(&temp, e, "%s.XXXXXX", path)) return -1;
    AUTO_FD int fd = mkostemp(temp.data, O_CLOEXEC);
    if (fd < 0) return fail_open(path, e);
    if (fill(fd, data, mode, e) == 0) {
        if (place(temp.data, path) == 0) return sync_folder_of(path, e);
        if (errno == EEXIST)
            (void)fail(e, ERR_EXISTS, "exists already");
        else
            (void)fail_sys(e, "rename");
    }
    unlink(temp.data);
    return fail_while(e, "%s", path);
}

int file_replace(const char *path, str data, unsigned mode, struct err *e) {
    return write_beside(path, data, mode, rename, e);
}

/* rename() would replace what another process put there meanwhile. */
static int rename_to_new(const char *temp, const char *path) {
    return renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_NOREPLACE);
}

int file_create(const char *path, str data, unsigned mode, struct err *e) {
    return write_beside(path, data, mode, rename_to_new, e);
}

static int make_dir(const char *path, unsigned mode, struct err *e) {
    struct stat st;
    if (mkdir(path, mode) == 0) return 0;
    if (errno != EEXIST) return fail_sys(e, "make folder %s", path);
    if (stat(path, &st)) return fail_sys(e, "%s", path);
    if (!S_ISDIR(st.st_mode))
        return fail(e, ERR_EXISTS, "%s is not a folder", path);
    return 0;
}

int file_make_dirs(const char *path, unsigned mode, struct err *e) {
    AUTO_BUF struct buf part = BUF_MAX(PATH_MAX);
    if (buf_add_text(&part, path, e)) return fail_while(e, "folder name");
    if (part.len == 0) return fail(e, ERR_INVALID, "empty folder name");
    for (char *at = part.data + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        if (make_dir(part.data, mode, e)) return -1;
        *at = '/';
    }
    return make_dir(part.data, mode, e);
}

bool file_exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

void fd_auto_close(int *fd) {
    if (*fd >= 0) close(*fd);
}

int fd_take(int *fd) {
    int taken = *fd;
    *fd = -1;
    return taken;
}
