/* SPDX-License-Identifier: MIT
 *
 * WASI: arguments, clocks, randomness, and what is done to open files.
 */
#define _GNU_SOURCE
#include "host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

typedef uint32_t u32;
typedef uint64_t u64;

enum { WASI_NOSYS = 52, WASI_NOTSUP = 58, WASI_NAMETOOLONG = 37 };
enum { FDFLAG_APPEND = 1, FDFLAG_NONBLOCK = 4 };

void *host_at(const host *h, u32 address, u64 n) {
    u64 size = h->memory->size;
    if (address > size || n > size - address) return NULL;
    return h->memory->data + address;
}

u32 host_errno(int error) {
    static const struct {
        int ours;
        u32 theirs;
    } list[] = {
        {0, 0},       {E2BIG, 1},    {EACCES, 2},        {EAGAIN, 6},
        {EBADF, 8},   {EBUSY, 10},   {EDQUOT, 19},       {EEXIST, 20},
        {EFAULT, 21}, {EFBIG, 22},   {EILSEQ, 25},       {EINTR, 27},
        {EINVAL, 28}, {EIO, 29},     {EISDIR, 31},       {ELOOP, 32},
        {EMFILE, 33}, {EMLINK, 34},  {ENAMETOOLONG, 37}, {ENFILE, 41},
        {ENODEV, 43}, {ENOENT, 44},  {ENOMEM, 48},       {ENOSPC, 51},
        {ENOSYS, 52}, {ENOTDIR, 54}, {ENOTEMPTY, 55},    {ENOTSUP, 58},
        {ENOTTY, 59}, {ENXIO, 60},   {EOVERFLOW, 61},    {EPERM, 63},
        {EPIPE, 64},  {ERANGE, 68},  {EROFS, 69},        {ESPIPE, 70},
        {ESTALE, 72}, {ETXTBSY, 74}, {EXDEV, 76},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (list[i].ours == error) return list[i].theirs;
    return 29; /* io */
}

static u32 result(long rc) {
    return rc < 0 ? host_errno(errno) : WASI_OK;
}

int host_fd(const host *h, u32 fd) {
    return fd < MAX_FDS ? h->fds[fd].fd : -1;
}

int host_add(host *h, int fd, u64 rights, u64 inherited) {
    for (int i = 0; i < MAX_FDS; i++) {
        if (h->fds[i].fd >= 0) continue;
        h->fds[i] = (struct entry){fd, NULL, rights, inherited};
        return i;
    }
    return -1;
}

/* --- arguments and environment --- */

static u32 list_sizes(const host *h, char **list, u32 count_at, u32 bytes_at) {
    u32 count = 0, bytes = 0;
    void *c = host_at(h, count_at, 4), *b = host_at(h, bytes_at, 4);
    if (!c || !b) return WASI_FAULT;
    for (; list[count]; count++)
        bytes += (u32)strlen(list[count]) + 1;
    put32(c, count);
    put32(b, bytes);
    return WASI_OK;
}

static u32 list_get(const host *h, char **list, u32 pointers, u32 text) {
    for (; *list; list++, pointers += 4) {
        u32 n = (u32)strlen(*list) + 1;
        void *p = host_at(h, pointers, 4), *t = host_at(h, text, n);
        if (!p || !t) return WASI_FAULT;
        put32(p, text);
        memcpy(t, *list, n);
        text += n;
    }
    return WASI_OK;
}

u32 WASI(args_sizes_get)(host *h, u32 count, u32 bytes) {
    return list_sizes(h, h->argv, count, bytes);
}
u32 WASI(args_get)(host *h, u32 pointers, u32 text) {
    return list_get(h, h->argv, pointers, text);
}
u32 WASI(environ_sizes_get)(host *h, u32 count, u32 bytes) {
    return list_sizes(h, h->env, count, bytes);
}
u32 WASI(environ_get)(host *h, u32 pointers, u32 text) {
    return list_get(h, h->env, pointers, text);
}

/* --- clocks, randomness, the end --- */

static int clock_of(u32 id, clockid_t *out) {
    static const clockid_t ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,
                                    CLOCK_PROCESS_CPUTIME_ID,
                                    CLOCK_THREAD_CPUTIME_ID};
    if (id >= sizeof ids / sizeof ids[0]) return -1;
    *out = ids[id];
    return 0;
}

static u64 nanoseconds(const struct timespec *t) {
    return (u64)t->tv_sec * 1000000000 + (u64)t->tv_nsec;
}

u32 WASI(clock_time_get)(host *h, u32 id, u64 precision, u32 at) {
    clockid_t clock;
    struct timespec t;
    void *out = host_at(h, at, 8);
    (void)precision;
    if (!out) return WASI_FAULT;
    if (clock_of(id, &clock)) return WASI_INVAL;
    if (clock_gettime(clock, &t) < 0) return host_errno(errno);
    put64(out, nanoseconds(&t));
    return WASI_OK;
}

u32 WASI(clock_res_get)(host *h, u32 id, u32 at) {
    clockid_t clock;
    struct timespec t;
    void *out = host_at(h, at, 8);
    if (!out) return WASI_FAULT;
    if (clock_of(id, &clock)) return WASI_INVAL;
    if (clock_getres(clock, &t) < 0) return host_errno(errno);
    put64(out, nanoseconds(&t));
    return WASI_OK;
}

u32 WASI(random_get)(host *h, u32 at, u32 n) {
    char *out = host_at(h, at, n);
    if (!out) return WASI_FAULT;
    while (n) {
        ssize_t got = getrandom(out, n, 0);
        if (got < 0 && errno != EINTR) return host_errno(errno);
        if (got < 0) continue;
        out += got;
        n -= (u32)got;
    }
    return WASI_OK;
}

u32 WASI(sched_yield)(host *h) {
    (void)h;
    syscall(SYS_sched_yield);
    return WASI_OK;
}

void WASI(proc_exit)(host *h, u32 code) {
    (void)h;
    _exit((int)(code & 255));
}

u32 WASI(proc_raise)(host *h, u32 signal) {
    (void)h;
    (void)signal;
    return WASI_NOTSUP;
}

/* --- waiting: files are always ready, clocks are slept for --- */

static int64_t wait_of(const char *s) {
    clockid_t clock;
    struct timespec now;
    u64 timeout = get64(s + 24);
    if (timeout > INT64_MAX) timeout = INT64_MAX;
    if (!(s[40] & 1)) return (int64_t)timeout;
    if (clock_of(get32(s + 16), &clock) || clock_gettime(clock, &now) < 0)
        return 0;
    u64 at = nanoseconds(&now);
    return timeout > at ? (int64_t)(timeout - at) : 0;
}

static void put_event(char *out, const char *s, u32 *count) {
    memset(out, 0, 32);
    memcpy(out, s, 8);
    out[10] = s[8];
    ++*count;
}

u32 WASI(poll_oneoff)(host *h, u32 in_at, u32 out_at, u32 n, u32 count_at) {
    const char *in = host_at(h, in_at, (u64)n * 48);
    char *out = host_at(h, out_at, (u64)n * 32);
    void *count_out = host_at(h, count_at, 4);
    if (!in || !out || !count_out) return WASI_FAULT;
    if (n == 0) return WASI_INVAL;
    int64_t least = INT64_MAX;
    u32 count = 0;
    for (u32 i = 0; i < n; i++) {
        const char *s = in + (u64)i * 48;
        int64_t wait = s[8] == 0 ? wait_of(s) : 0;
        if (wait < least) least = wait;
    }
    struct timespec t = {least / 1000000000, least % 1000000000};
    while (least > 0 && clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
        continue;
    for (u32 i = 0; i < n; i++) {
        const char *s = in + (u64)i * 48;
        if (s[8] != 0 || wait_of(s) <= least)
            put_event(out + (u64)count * 32, s, &count);
    }
    put32(count_out, count);
    return WASI_OK;
}

/* --- reading and writing --- */

static u32 gather(const host *h, u32 at, u32 n, struct iovec *v) {
    const char *list = host_at(h, at, (u64)n * 8);
    if (!list) return WASI_FAULT;
    if (n > MAX_IOVECS) return WASI_INVAL;
    for (u32 i = 0; i < n; i++) {
        u32 size = get32(list + (u64)i * 8 + 4);
        v[i].iov_base = host_at(h, get32(list + (u64)i * 8), size);
        v[i].iov_len = size;
        if (!v[i].iov_base) return WASI_FAULT;
    }
    return WASI_OK;
}

enum move { READ, WRITE };

static u32 move(host *h, enum move how, u32 fd, u32 at, u32 n, u32 out_at) {
    struct iovec v[MAX_IOVECS];
    int file = host_fd(h, fd);
    void *out = host_at(h, out_at, 4);
    if (file < 0) return WASI_BADF;
    u32 bad = out ? gather(h, at, n, v) : WASI_FAULT;
    if (bad) return bad;
    ssize_t moved =
        how == READ ? readv(file, v, (int)n) : writev(file, v, (int)n);
    if (moved < 0) return host_errno(errno);
    put32(out, (u32)moved);
    return WASI_OK;
}

u32 WASI(fd_read)(host *h, u32 fd, u32 at, u32 n, u32 out) {
    return move(h, READ, fd, at, n, out);
}
u32 WASI(fd_write)(host *h, u32 fd, u32 at, u32 n, u32 out) {
    return move(h, WRITE, fd, at, n, out);
}

static u32 move_at(host *h, enum move how, u32 fd, u32 at, u32 n, u64 offset,
                   u32 out_at) {
    struct iovec v[MAX_IOVECS];
    int file = host_fd(h, fd);
    void *out = host_at(h, out_at, 4);
    u64 total = 0;
    if (file < 0) return WASI_BADF;
    u32 bad = out ? gather(h, at, n, v) : WASI_FAULT;
    if (bad) return bad;
    for (u32 i = 0; i < n; i++) {
        off_t where = (off_t)(offset + total);
        ssize_t moved = how == READ
                            ? pread(file, v[i].iov_base, v[i].iov_len, where)
                            : pwrite(file, v[i].iov_base, v[i].iov_len, where);
        if (moved < 0 && total == 0) return host_errno(errno);
        if (moved <= 0) break;
        total += (u64)moved;
        if ((size_t)moved < v[i].iov_len) break;
    }
    put32(out, (u32)total);
    return WASI_OK;
}

u32 WASI(fd_pread)(host *h, u32 fd, u32 at, u32 n, u64 offset, u32 out) {
    return move_at(h, READ, fd, at, n, offset, out);
}
u32 WASI(fd_pwrite)(host *h, u32 fd, u32 at, u32 n, u64 offset, u32 out) {
    return move_at(h, WRITE, fd, at, n, offset, out);
}

u32 WASI(fd_seek)(host *h, u32 fd, u64 offset, u32 whence, u32 out_at) {
    int file = host_fd(h, fd);
    void *out = host_at(h, out_at, 8);
    if (file < 0) return WASI_BADF;
    if (!out) return WASI_FAULT;
    if (whence > 2) return WASI_INVAL; /* SEEK_SET, CUR and END are 0, 1, 2 */
    off_t at = lseek(file, (off_t)offset, (int)whence);
    if (at < 0) return host_errno(errno);
    put64(out, (u64)at);
    return WASI_OK;
}

u32 WASI(fd_tell)(host *h, u32 fd, u32 out) {
    return WASI(fd_seek)(h, fd, 0, SEEK_CUR, out);
}

/* --- about a file --- */

uint8_t host_file_type(unsigned mode) {
    switch (mode & S_IFMT) {
    case S_IFBLK: return 1;
    case S_IFCHR: return 2;
    case S_IFDIR: return 3;
    case S_IFREG: return 4;
    case S_IFSOCK: return 6;
    case S_IFLNK: return 7;
    default: return 0;
    }
}

void host_put_stat(char *out, const struct stat *st) {
    memset(out, 0, 64);
    put64(out, st->st_dev);
    put64(out + 8, st->st_ino);
    out[16] = (char)host_file_type(st->st_mode);
    put64(out + 24, st->st_nlink);
    put64(out + 32, (u64)st->st_size);
    put64(out + 40, nanoseconds(&st->st_atim));
    put64(out + 48, nanoseconds(&st->st_mtim));
    put64(out + 56, nanoseconds(&st->st_ctim));
}

u32 WASI(fd_filestat_get)(host *h, u32 fd, u32 at) {
    struct stat st;
    int file = host_fd(h, fd);
    char *out = host_at(h, at, 64);
    if (file < 0) return WASI_BADF;
    if (!out) return WASI_FAULT;
    if (fstat(file, &st) < 0) return host_errno(errno);
    host_put_stat(out, &st);
    return WASI_OK;
}

u32 WASI(fd_fdstat_get)(host *h, u32 fd, u32 at) {
    struct stat st;
    int file = host_fd(h, fd);
    char *out = host_at(h, at, 24);
    if (file < 0) return WASI_BADF;
    if (!out) return WASI_FAULT;
    int flags = fcntl(file, F_GETFL);
    if (flags < 0 || fstat(file, &st) < 0) return host_errno(errno);
    memset(out, 0, 24);
    out[0] = (char)host_file_type(st.st_mode);
    put16(out + 2, (uint16_t)((flags & O_APPEND ? FDFLAG_APPEND : 0) |
                              (flags & O_NONBLOCK ? FDFLAG_NONBLOCK : 0)));
    put64(out + 8, h->fds[fd].rights);
    put64(out + 16, h->fds[fd].inherited);
    return WASI_OK;
}

u32 WASI(fd_fdstat_set_flags)(host *h, u32 fd, u32 flags) {
    int file = host_fd(h, fd);
    if (file < 0) return WASI_BADF;
    int set = (flags & FDFLAG_APPEND ? O_APPEND : 0) |
              (flags & FDFLAG_NONBLOCK ? O_NONBLOCK : 0);
    return result(fcntl(file, F_SETFL, set));
}

/* Rights can only be given up. */
u32 WASI(fd_fdstat_set_rights)(host *h, u32 fd, u64 base, u64 inherited) {
    if (host_fd(h, fd) < 0) return WASI_BADF;
    struct entry *e = &h->fds[fd];
    if ((base & ~e->rights) || (inherited & ~e->inherited)) return 76;
    e->rights = base;
    e->inherited = inherited;
    return WASI_OK;
}

u32 WASI(fd_filestat_set_size)(host *h, u32 fd, u64 size) {
    int file = host_fd(h, fd);
    return file < 0 ? WASI_BADF : result(ftruncate(file, (off_t)size));
}

u32 WASI(fd_allocate)(host *h, u32 fd, u64 offset, u64 size) {
    int file = host_fd(h, fd);
    if (file < 0) return WASI_BADF;
    return result(fallocate(file, 0, (off_t)offset, (off_t)size));
}

u32 WASI(fd_sync)(host *h, u32 fd) {
    int file = host_fd(h, fd);
    return file < 0 ? WASI_BADF : result(fsync(file));
}

u32 WASI(fd_datasync)(host *h, u32 fd) {
    int file = host_fd(h, fd);
    return file < 0 ? WASI_BADF : result(fdatasync(file));
}

u32 WASI(fd_advise)(host *h, u32 fd, u64 offset, u64 size, u32 advice) {
    (void)offset;
    (void)size;
    if (host_fd(h, fd) < 0) return WASI_BADF;
    return advice > 5 ? WASI_INVAL : WASI_OK; /* advice need not be taken */
}

u32 WASI(fd_close)(host *h, u32 fd) {
    int file = host_fd(h, fd);
    if (file < 0) return WASI_BADF;
    h->fds[fd] = (struct entry){.fd = -1};
    return result(close(file));
}

u32 WASI(fd_renumber)(host *h, u32 from, u32 to) {
    if (host_fd(h, from) < 0 || host_fd(h, to) < 0) return WASI_BADF;
    if (from == to) return WASI_OK;
    close(h->fds[to].fd);
    h->fds[to] = h->fds[from];
    h->fds[from] = (struct entry){.fd = -1};
    return WASI_OK;
}

/* --- directories --- */

u32 WASI(fd_prestat_get)(host *h, u32 fd, u32 at) {
    char *out = host_at(h, at, 8);
    if (host_fd(h, fd) < 0 || !h->fds[fd].preopen) return WASI_BADF;
    if (!out) return WASI_FAULT;
    put32(out, 0); /* a directory */
    put32(out + 4, (u32)strlen(h->fds[fd].preopen));
    return WASI_OK;
}

u32 WASI(fd_prestat_dir_name)(host *h, u32 fd, u32 at, u32 n) {
    if (host_fd(h, fd) < 0 || !h->fds[fd].preopen) return WASI_BADF;
    size_t length = strlen(h->fds[fd].preopen);
    char *out = host_at(h, at, n);
    if (!out) return WASI_FAULT;
    if (length > n) return WASI_NAMETOOLONG;
    memcpy(out, h->fds[fd].preopen, length);
    return WASI_OK;
}

struct entry64 {
    u64 ino;
    int64_t next;
    unsigned short size;
    unsigned char type;
    char name[];
};

static unsigned char type_of(unsigned char d_type) {
    return host_file_type(DTTOIF(d_type));
}

/* One entry, cut where the buffer ends: a full buffer tells the module that
 * there is more. */
static u32 put_entry(char *out, u32 room, const struct entry64 *d) {
    char head[24] = {0};
    u32 n = (u32)strlen(d->name), first = room < 24 ? room : 24;
    put64(head, (u64)d->next);
    put64(head + 8, d->ino);
    put32(head + 16, n);
    head[20] = (char)type_of(d->type);
    memcpy(out, head, first);
    if (room - first < n) n = room - first;
    memcpy(out + first, d->name, n);
    return first + n;
}

u32 WASI(fd_readdir)(host *h, u32 fd, u32 at, u32 room, u64 cookie,
                     u32 used_at) {
    _Alignas(8) char chunk[8192];
    int file = host_fd(h, fd);
    char *out = host_at(h, at, room);
    void *used_out = host_at(h, used_at, 4);
    u32 used = 0;
    if (file < 0) return WASI_BADF;
    if (!out || !used_out) return WASI_FAULT;
    if (lseek(file, (off_t)cookie, SEEK_SET) < 0) return host_errno(errno);
    while (used < room) {
        long n = syscall(SYS_getdents64, file, chunk, sizeof chunk);
        if (n < 0) return host_errno(errno);
        if (n == 0) break;
        for (long i = 0; i < n && used < room;) {
            const struct entry64 *d = (const void *)(chunk + i);
            used += put_entry(out + used, room - used, d);
            i += d->size;
        }
    }
    put32(used_out, used);
    return WASI_OK;
}

/* --- sockets: there are none --- */

u32 WASI(sock_accept)(host *h, u32 fd, u32 flags, u32 out) {
    (void)h, (void)fd, (void)flags, (void)out;
    return WASI_NOSYS;
}
u32 WASI(sock_recv)(host *h, u32 fd, u32 at, u32 n, u32 flags, u32 size,
                    u32 out) {
    (void)h, (void)fd, (void)at, (void)n, (void)flags, (void)size, (void)out;
    return WASI_NOSYS;
}
u32 WASI(sock_send)(host *h, u32 fd, u32 at, u32 n, u32 flags, u32 out) {
    (void)h, (void)fd, (void)at, (void)n, (void)flags, (void)out;
    return WASI_NOSYS;
}
u32 WASI(sock_shutdown)(host *h, u32 fd, u32 how) {
    (void)h, (void)fd, (void)how;
    return WASI_NOSYS;
}
