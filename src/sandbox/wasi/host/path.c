/* SPDX-License-Identifier: MIT
 *
 * WASI: names below a preopened directory. Every one is resolved by the kernel
 * beneath the descriptor it is relative to, and never above it.
 */
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef uint32_t u32;
typedef uint64_t u64;

enum { LOOKUP_FOLLOW = 1, WASI_NOTCAPABLE = 76, WASI_MFILE = 33 };
enum { OFLAG_CREATE = 1, OFLAG_DIRECTORY = 2, OFLAG_EXCL = 4, OFLAG_TRUNC = 8 };

/* A name and the directory it is relative to. */
struct place {
    int dir;
    char path[MAX_PATH];
};

static u32 take_path(const host *h, u32 fd, u32 at, u32 n, struct place *out) {
    const char *text = host_at(h, at, n);
    out->dir = host_fd(h, fd);
    if (out->dir < 0) return WASI_BADF;
    if (!text) return WASI_FAULT;
    if (n >= MAX_PATH) return 37; /* nametoolong */
    if (n == 0 || memchr(text, 0, n)) return WASI_INVAL;
    memcpy(out->path, text, n);
    out->path[n] = 0;
    return WASI_OK;
}

static int open_beneath(int dir, const char *path, u64 flags, u64 mode) {
    struct open_how how = {
        .flags = flags | O_CLOEXEC,
        .mode = mode,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
}

static u32 failure(void) {
    /* How the kernel says that a name leads out. */
    return errno == EXDEV ? WASI_NOTCAPABLE : host_errno(errno);
}

/* The directory that holds the last part of the name, and that part: calls
 * that change a directory have no beneath of their own. */
static int open_parent(struct place *p, const char **name) {
    size_t n = strlen(p->path);
    while (n > 1 && p->path[n - 1] == '/')
        p->path[--n] = 0;
    char *slash = strrchr(p->path, '/');
    *name = slash ? slash + 1 : p->path;
    if (strcmp(*name, "..") == 0 || strcmp(*name, ".") == 0 || !**name) {
        errno = EXDEV;
        return -1;
    }
    if (slash) *slash = 0;
    const char *parent = !slash ? "." : slash == p->path ? "/" : p->path;
    return open_beneath(p->dir, parent, O_PATH | O_DIRECTORY, 0);
}

/* Runs one call with the parent open. */
#define IN_PARENT(place, call)                     \
    do {                                           \
        const char *name;                          \
        int parent = open_parent(place, &name);    \
        if (parent < 0) return failure();          \
        u32 rc = (call) < 0 ? failure() : WASI_OK; \
        close(parent);                             \
        return rc;                                 \
    } while (0)

u32 WASI(path_open)(host *h, u32 fd, u32 lookup, u32 at, u32 n, u32 oflags,
                    u64 rights, u64 inherited, u32 fdflags, u32 out_at) {
    struct place p;
    void *out = host_at(h, out_at, 4);
    u32 bad = out ? take_path(h, fd, at, n, &p) : WASI_FAULT;
    if (bad) return bad;
    bool writes = rights & (RIGHT_WRITE | RIGHT_ALLOCATE | RIGHT_SET_SIZE);
    bool reads = rights & (RIGHT_READ | RIGHT_READDIR);
    if (oflags & OFLAG_DIRECTORY) writes = false;
    u64 flags = writes ? (reads ? O_RDWR : O_WRONLY) : O_RDONLY;
    if (oflags & OFLAG_CREATE) flags |= O_CREAT;
    if (oflags & OFLAG_DIRECTORY) flags |= O_DIRECTORY;
    if (oflags & OFLAG_EXCL) flags |= O_EXCL;
    if (oflags & OFLAG_TRUNC) flags |= O_TRUNC;
    if (fdflags & 1) flags |= O_APPEND;
    if (fdflags & 4) flags |= O_NONBLOCK;
    if (!(lookup & LOOKUP_FOLLOW)) flags |= O_NOFOLLOW;
    int file = open_beneath(p.dir, p.path, flags, flags & O_CREAT ? 0644 : 0);
    if (file < 0) return failure();
    int number = host_add(h, file, rights & h->fds[fd].inherited,
                          inherited & h->fds[fd].inherited);
    if (number < 0) {
        close(file);
        return WASI_MFILE;
    }
    put32(out, (u32)number);
    return WASI_OK;
}

/* O_PATH opens whatever it is without touching it. */
static int open_any(const struct place *p, u32 lookup) {
    return open_beneath(p->dir, p->path,
                        O_PATH | (lookup & LOOKUP_FOLLOW ? 0 : O_NOFOLLOW), 0);
}

u32 WASI(path_filestat_get)(host *h, u32 fd, u32 lookup, u32 at, u32 n,
                            u32 out_at) {
    struct place p;
    struct stat st;
    char *out = host_at(h, out_at, 64);
    u32 bad = out ? take_path(h, fd, at, n, &p) : WASI_FAULT;
    if (bad) return bad;
    int file = open_any(&p, lookup);
    if (file < 0) return failure();
    u32 rc = fstat(file, &st) < 0 ? failure() : WASI_OK;
    if (!rc) host_put_stat(out, &st);
    close(file);
    return rc;
}

static struct timespec time_of(u64 ns, u32 flags, u32 set, u32 now) {
    if (flags & now) return (struct timespec){.tv_nsec = UTIME_NOW};
    if (!(flags & set)) return (struct timespec){.tv_nsec = UTIME_OMIT};
    return (struct timespec){(time_t)(ns / 1000000000),
                             (long)(ns % 1000000000)};
}

u32 WASI(fd_filestat_set_times)(host *h, u32 fd, u64 atim, u64 mtim,
                                u32 flags) {
    int file = host_fd(h, fd);
    if (file < 0) return WASI_BADF;
    struct timespec t[] = {time_of(atim, flags, 1, 2),
                           time_of(mtim, flags, 4, 8)};
    return futimens(file, t) < 0 ? failure() : WASI_OK;
}

u32 WASI(path_filestat_set_times)(host *h, u32 fd, u32 lookup, u32 at, u32 n,
                                  u64 atim, u64 mtim, u32 flags) {
    struct place p;
    u32 bad = take_path(h, fd, at, n, &p);
    if (bad) return bad;
    struct timespec t[] = {time_of(atim, flags, 1, 2),
                           time_of(mtim, flags, 4, 8)};
    (void)lookup; /* a link's own times, always */
    IN_PARENT(&p, utimensat(parent, name, t, AT_SYMLINK_NOFOLLOW));
}

u32 WASI(path_create_directory)(host *h, u32 fd, u32 at, u32 n) {
    struct place p;
    u32 bad = take_path(h, fd, at, n, &p);
    if (bad) return bad;
    IN_PARENT(&p, mkdirat(parent, name, 0755));
}

u32 WASI(path_remove_directory)(host *h, u32 fd, u32 at, u32 n) {
    struct place p;
    u32 bad = take_path(h, fd, at, n, &p);
    if (bad) return bad;
    IN_PARENT(&p, unlinkat(parent, name, AT_REMOVEDIR));
}

u32 WASI(path_unlink_file)(host *h, u32 fd, u32 at, u32 n) {
    struct place p;
    u32 bad = take_path(h, fd, at, n, &p);
    if (bad) return bad;
    IN_PARENT(&p, unlinkat(parent, name, 0));
}

/* A target that leads out is not made: nothing of ours would follow it, but
 * somebody who looks at the files later might. */
u32 WASI(path_symlink)(host *h, u32 target_at, u32 target_n, u32 fd, u32 at,
                       u32 n) {
    struct place p, target;
    u32 bad = take_path(h, fd, at, n, &p);
    if (!bad) bad = take_path(h, fd, target_at, target_n, &target);
    if (bad) return bad;
    if (target.path[0] == '/') return WASI_NOTCAPABLE;
    IN_PARENT(&p, symlinkat(target.path, parent, name));
}

u32 WASI(path_readlink)(host *h, u32 fd, u32 at, u32 n, u32 out_at, u32 room,
                        u32 used_at) {
    struct place p;
    char text[MAX_PATH];
    char *out = host_at(h, out_at, room);
    void *used = host_at(h, used_at, 4);
    u32 bad = out && used ? take_path(h, fd, at, n, &p) : WASI_FAULT;
    if (bad) return bad;
    int link = open_any(&p, 0);
    if (link < 0) return failure();
    ssize_t got = readlinkat(link, "", text, sizeof text);
    int error = errno;
    close(link);
    if (got < 0) return host_errno(error == ENOENT ? EINVAL : error);
    u32 take = (u32)got < room ? (u32)got : room;
    memcpy(out, text, take);
    put32(used, take);
    return WASI_OK;
}

typedef int pair_call(int from, const char *a, int to, const char *b);

static int link_pair(int from, const char *a, int to, const char *b) {
    return linkat(from, a, to, b, 0);
}

static u32 with_both(pair_call *call, struct place *a, struct place *b) {
    const char *from_name, *to_name;
    int from = open_parent(a, &from_name);
    if (from < 0) return failure();
    int to = open_parent(b, &to_name);
    u32 rc =
        to < 0 || call(from, from_name, to, to_name) < 0 ? failure() : WASI_OK;
    if (to >= 0) close(to);
    close(from);
    return rc;
}

u32 WASI(path_rename)(host *h, u32 fd, u32 at, u32 n, u32 to, u32 to_at,
                      u32 to_n) {
    struct place a, b;
    u32 bad = take_path(h, fd, at, n, &a);
    if (!bad) bad = take_path(h, to, to_at, to_n, &b);
    return bad ? bad : with_both(renameat, &a, &b);
}

u32 WASI(path_link)(host *h, u32 fd, u32 lookup, u32 at, u32 n, u32 to,
                    u32 to_at, u32 to_n) {
    struct place a, b;
    u32 bad = take_path(h, fd, at, n, &a);
    if (!bad) bad = take_path(h, to, to_at, to_n, &b);
    (void)lookup; /* the link itself, never what it names */
    return bad ? bad : with_both(link_pair, &a, &b);
}
