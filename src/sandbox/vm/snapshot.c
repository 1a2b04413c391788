/* SPDX-License-Identifier: MIT
 *
 * Making the machine that all others are copies of: booted once, saved when it
 * waits for a task, kept in the cache under a name made of all it depends on.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/crypto.h"
#include "base/dirs.h"
#include "base/file.h"
#include "base/num.h"
#include "sandbox/collect.h"
#include "sandbox/jail.h"
#include "sandbox/vm/firecracker.h"

#define STATE_BYTES ((size_t)4 << 30)

/* Bumped when what is saved means something else. */
static const char generation[] = "2";
enum { BOOT_S = 180, KVM_BOOT_S = 20, SAVE_S = 60, MIB = 1 << 20 };

/* --- finding the parts --- */

/* Beside the program, or where an installed one has it. */
static int find_guest(struct vm_parts *p, struct err *e) {
    static const char *const places[] = {"cordon-guest",
                                         "../libexec/cordon/cordon-guest"};
    char own[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (n < 0) return fail_sys(e, "/proc/self/exe");
    own[n] = 0;
    *(strrchr(own, '/') + 1) = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int length =
            snprintf(p->guest, sizeof p->guest, "%s%s", own, places[i]);
        if (length > 0 && (size_t)length < sizeof p->guest &&
            access(p->guest, R_OK) == 0)
            return 0;
    }
    return fail(e, ERR_UNSUPPORTED, "no cordon-guest in or near %s", own);
}

/* The newest kernel that has its modules; one made for clouds, if there is
 * one, for it is smaller. */
static int find_kernel(struct vm_parts *p, struct err *e) {
    DIR *d = opendir("/boot");
    bool cloud = false;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (strncmp(entry->d_name, "vmlinuz-", 8) != 0) continue;
        const char *release = entry->d_name + 8;
        char path[512];
        snprintf(path, sizeof path, "/lib/modules/%.200s/kernel", release);
        bool is_cloud = strstr(release, "cloud") != NULL;
        if (access(path, R_OK) != 0 || strlen(release) >= sizeof p->release ||
            (cloud && !is_cloud))
            continue;
        if (is_cloud == cloud && strverscmp(release, p->release) <= 0) continue;
        cloud = is_cloud;
        snprintf(p->release, sizeof p->release, "%s", release);
        snprintf(p->kernel, sizeof p->kernel, "/boot/vmlinuz-%s", release);
    }
    if (d) closedir(d);
    if (!p->release[0])
        return fail(e, ERR_UNSUPPORTED,
                    "no kernel with modules in /boot (Debian's package is "
                    "linux-image-cloud-amd64)");
    if (access(p->kernel, R_OK) != 0) return fail_sys(e, "%s", p->kernel);
    return 0;
}

static bool given_up(const char *what) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    struct err e;
    return !dirs_path(DIRS_CACHE, what, &path, &e) &&
           file_exists(buf_text(&path));
}

void vm_why_not(const char *what, struct buf *out) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    struct err e;
    if (!dirs_path(DIRS_CACHE, what, &path, &e))
        (void)file_read(buf_text(&path), out, &e);
}

static int find_monitor(struct vm_parts *p, struct err *e) {
    p->kvm = access("/dev/kvm", R_OK | W_OK) == 0 && !given_up(VM_NO_KVM);
    if (p->kvm && !given_up(VM_NO_FIRECRACKER) &&
        fc_find(p->program, sizeof p->program)) {
        p->monitor = VM_FIRECRACKER;
        return 0;
    }
    snprintf(p->program, sizeof p->program, "/usr/bin/qemu-system-x86_64");
    if (access(p->program, X_OK) != 0)
        return fail(e, ERR_UNSUPPORTED,
                    "no QEMU (Debian's package is qemu-system-x86)");
    return 0;
}

int vm_find(struct vm_parts *out, struct err *e) {
    struct vm_parts p = {.monitor = VM_QEMU};
#if !defined(__x86_64__)
    return fail(e, ERR_UNSUPPORTED, "machines are made for x86-64 only");
#endif
    if (find_monitor(&p, e) || find_kernel(&p, e) || find_guest(&p, e))
        return -1;
    p.disk = vm_disk_wanted();
    *out = p;
    return 0;
}

/* A kernel that has KVM may still not run a machine: inside of another, or
 * where QEMU's user may not open it; nor need Firecracker know what to do with
 * the distribution's. Each is tried once. */
static int give_up(struct vm_parts *p, const struct err *why, struct err *e) {
    AUTO_BUF struct buf marker = BUF_MAX(PATH_MAX);
    uint64_t memory = p->memory;
    const char *what =
        p->monitor == VM_FIRECRACKER ? VM_NO_FIRECRACKER : VM_NO_KVM;
    if (dirs_path(DIRS_CACHE, what, &marker, e) ||
        file_replace(buf_text(&marker), str_of(why->text), 0600, e) ||
        vm_find(p, e))
        return -1;
    p->memory = memory;
    return 0;
}

/* --- naming a snapshot --- */

/* When it changed is as good as what is in it, and does not take reading. */
static int add_stamp(struct sha256 *h, const char *path, struct err *e) {
    struct stat st = {0};
    char text[PATH_MAX + 64];
    (void)stat(path, &st); /* what is not there is not there */
    int n = snprintf(text, sizeof text, "%.4000s %lld %lld %lld\n", path,
                     (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                     (long long)st.st_mtim.tv_nsec);
    return sha256_add(h, (str){text, (size_t)n}, e);
}

static int hash_parts(const struct vm_parts *p, struct sha256 *h,
                      struct err *e) {
    char text[64];
    int n = snprintf(text, sizeof text, "%s %llu %d %d %d\n", generation,
                     (unsigned long long)(p->memory / MIB), p->kvm, p->disk,
                     (int)p->monitor);
    if (sha256_add(h, (str){text, (size_t)n}, e) ||
        add_stamp(h, p->program, e) || add_stamp(h, p->kernel, e) ||
        add_stamp(h, p->guest, e) || add_stamp(h, VM_CERTIFICATES, e))
        return -1;
    /* Programs and libraries change with the packages they are of. */
    return add_stamp(h, "/var/lib/dpkg/status", e);
}

int vm_folder(const struct vm_parts *p, struct buf *out, struct err *e) {
    uint8_t digest[CRYPTO_SHA256];
    struct sha256 *h = sha256_new(e);
    if (!h) return -1;
    int rc = hash_parts(p, h, e);
    if (!rc) rc = sha256_end(h, digest, e);
    sha256_free(h);
    if (rc || dirs_path(DIRS_CACHE, "microvm", out, e) ||
        file_make_dirs(buf_text(out), 0700, e) || buf_add_char(out, '/', e))
        return -1;
    return hex_encode((str){(const char *)digest, 16}, out, e);
}

/* --- talking to QEMU --- */

struct monitor {
    struct jail *jail; /* QEMU's, which wants attention meanwhile */
    bool over;         /* it ended */
    int fd;
    struct buf in;
    int64_t deadline;
};

static int await_input(struct monitor *m, int fd, struct err *e) {
    for (;;) {
        struct pollfd p[] = {{fd, POLLIN, 0}, {jail_fd(m->jail), POLLIN, 0}};
        int64_t left = (m->deadline - clock_mono_ns()) / 1000000;
        int rc = left > 0 ? poll(p, 2, (int)left) : 0;
        if (rc < 0 && errno != EINTR) return fail_sys(e, "poll");
        if (rc == 0) return fail(e, ERR_TIMEOUT, "the machine takes too long");
        if (rc > 0 && p[0].revents) return 0;
        rc = jail_step(m->jail, e);
        if (rc < 0) return -1;
        m->over = rc > 0;
        if (m->over) return fail(e, ERR_SYSTEM, "QEMU ended");
    }
}

static int read_line(struct monitor *m, str *out, struct err *e) {
    char chunk[4096];
    for (;;) {
        ptrdiff_t end = str_find_char(buf_str(&m->in), '\n');
        if (end >= 0) {
            *out = str_sub(buf_str(&m->in), 0, (size_t)end);
            return 0;
        }
        if (await_input(m, m->fd, e)) return -1;
        ssize_t n = read(m->fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(e, ERR_SYSTEM, "QEMU ended");
        if (buf_add(&m->in, chunk, (size_t)n, e)) return -1;
    }
}

/* The answer to the command, or any line when command is NULL. */
static int ask(struct monitor *m, const char *command, struct arena *a,
               const struct json **out, struct err *e) {
    if (command && fd_write_all(m->fd, str_of(command), e)) return -1;
    for (;;) {
        str line;
        const struct json *v;
        if (read_line(m, &line, e) || json_parse(line, NULL, a, &v, e))
            return -1;
        buf_consume(&m->in, line.n + 1);
        const struct json *error = json_get(v, "error");
        if (error)
            return fail(e, ERR_SYSTEM, "QEMU: %.*s",
                        STR_ARG(json_get_text(error, "desc", STR("refused"))));
        *out = json_get(v, "return");
        if (*out || !command) return 0;
    }
}

static int save(struct monitor *m, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(8 << 20);
    const struct json *answer;
    if (ask(m, NULL, &a, &answer, e) ||
        ask(m, "{\"execute\":\"qmp_capabilities\"}\n", &a, &answer, e) ||
        ask(m,
            "{\"execute\":\"migrate\",\"arguments\":"
            "{\"uri\":\"exec:cat >/tmp/" VM_STATE "\"}}\n",
            &a, &answer, e))
        return -1;
    for (;;) {
        if (ask(m, "{\"execute\":\"query-migrate\"}\n", &a, &answer, e))
            return -1;
        str status = json_get_text(answer, "status", STR(""));
        if (str_is(status, "completed")) break;
        if (str_is(status, "failed"))
            return fail(e, ERR_SYSTEM, "QEMU cannot save the machine");
        poll(NULL, 0, 10);
    }
    return ask(m, "{\"execute\":\"quit\"}\n", &a, &answer, e);
}

static int await_ready(struct monitor *m, int channel, struct err *e) {
    struct vm_head head;
    if (await_input(m, channel, e)) return -1;
    if (recv(channel, &head, sizeof head, MSG_WAITALL) !=
            (ssize_t)sizeof head ||
        head.kind != VM_READY)
        return fail(e, ERR_SYSTEM, "the machine does not start");
    return 0;
}

/* --- booting --- */

static int boot_cage(const struct vm_parts *p, const struct cage *like,
                     const char *folder, const int fds[2], struct cage *c,
                     struct err *e) {
    char bind[PATH_MAX + 8];
    snprintf(bind, sizeof bind, "%s:/vm", folder);
    c->may_miss = like->may_miss;
    c->limits.memory = like->limits.memory * 2 + ((uint64_t)512 << 20);
    c->limits.scratch = like->limits.memory + ((uint64_t)64 << 20);
    c->limits.file_size = c->limits.scratch;
    c->limits.wall = (BOOT_S + SAVE_S) * 1000000000ull;
    c->keep_scratch = true;
    c->kvm = p->kvm;
    memcpy(c->fds, fds, 2 * sizeof fds[0]);
    c->fd_count = 2;
    c->argv = vm_argv(p, 3, -1, 4, c->arena, e);
    return !c->argv || cage_add_bind(c, BIND_RO, str_of(bind), e) ? -1 : 0;
}

static int drive(struct jail *j, int channel, int monitor, int patience_s,
                 struct err *e) {
    struct monitor m = {.jail = j,
                        .fd = monitor,
                        .in = BUF_MAX(1 << 20),
                        .deadline =
                            clock_mono_ns() + patience_s * 1000000000ll};
    int rc = await_ready(&m, channel, e);
    m.deadline = clock_mono_ns() + SAVE_S * 1000000000ll;
    if (!rc) rc = save(&m, e);
    buf_fini(&m.in);
    if (!rc) return jail_wait(j, e);
    struct cage_result r;
    struct err ignored;
    jail_kill(j);
    if (!m.over && jail_wait(j, &ignored)) return -1;
    jail_result_take(j, &r);
    if (r.err.kept.len) (void)fail_while(e, "%.200s", buf_text(&r.err.kept));
    cage_result_fini(&r);
    return -1;
}

static int keep_state(struct jail *j, const char *folder, struct err *e) {
    AUTO_BUF struct buf state = BUF_MAX(STATE_BYTES);
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (collect_file(jail_scratch(j), VM_STATE, &state, e) ||
        buf_addf(&path, e, "%s/" VM_STATE, folder))
        return -1;
    return file_replace(buf_text(&path), buf_str(&state), 0600, e);
}

/* --- the same with Firecracker --- */

/* What it said is the reason. */
static int still_runs(void *context, struct err *e) {
    struct jail *j = context;
    struct cage_result r;
    int rc = jail_step(j, e);
    if (rc <= 0) return rc;
    jail_result_take(j, &r);
    err_set(e, ERR_SYSTEM, "Firecracker ended: %.300s", buf_text(&r.err.kept));
    cage_result_fini(&r);
    return -1;
}

/* The first connection only shows that it is up; it does not outlive the
 * snapshot. */
static int drive_fc(const struct fc *f, const struct vm_parts *p,
                    struct err *e) {
    struct vm_head head;
    AUTO_FD int channel = -1;
    if (fc_boot(f, p, e) || fc_connect(f, &channel, e)) return -1;
    struct timeval patience = {.tv_sec = KVM_BOOT_S};
    setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (recv(channel, &head, sizeof head, MSG_WAITALL) !=
            (ssize_t)sizeof head ||
        head.kind != VM_READY)
        return fail(e, ERR_SYSTEM, "the machine does not start");
    close(fd_take(&channel));
    return fc_save(f, e);
}

static int boot_fc(const struct vm_parts *p, const struct cage *like,
                   const char *folder, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct tmpdir door = {.path = ""};
    struct cage c;
    struct jail *j = NULL;
    char from[PATH_MAX], to[PATH_MAX];
    cage_init(&c, &a);
    c.may_miss = like->may_miss;
    c.limits.memory = like->limits.memory + ((uint64_t)512 << 20);
    c.limits.file_size = like->limits.memory + ((uint64_t)64 << 20);
    c.limits.wall = (KVM_BOOT_S + SAVE_S) * 1000000000ull;
    int rc = tmpdir_make(&door, e);
    if (!rc) rc = fc_cage(p, folder, door.path, true, &c, e);
    if (!rc) rc = jail_start(&c, &JAIL_IO_KEEP, &j, e);
    const struct fc f = {door.path, still_runs, j,
                         clock_mono_ns() +
                             (KVM_BOOT_S + SAVE_S) * 1000000000ll};
    if (!rc) rc = drive_fc(&f, p, e);
    jail_free(j);
    tmpdir_remove(&door);
    if (rc) return -1;
    snprintf(from, sizeof from, "%.4000s/" VM_STATE ".new", folder);
    snprintf(to, sizeof to, "%.4000s/" VM_STATE, folder);
    return rename(from, to) < 0 ? fail_sys(e, "%s", to) : 0;
}

/* --- with QEMU --- */

static int boot_qemu(const struct vm_parts *p, const struct cage *like,
                     const char *folder, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct cage c;
    struct jail *j = NULL;
    int channel[2], monitor[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) < 0)
        return fail_sys(e, "socket");
    AUTO_FD int ours = channel[0], theirs = channel[1];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, monitor) < 0)
        return fail_sys(e, "socket");
    AUTO_FD int control = monitor[0], far = monitor[1];
    const int fds[] = {theirs, far};
    cage_init(&c, &a);
    c.limits.memory = like->limits.memory;
    if (boot_cage(p, like, folder, fds, &c, e) ||
        jail_start(&c, &JAIL_IO_KEEP, &j, e))
        return -1;
    close(fd_take(&theirs)); /* or its end is never seen */
    close(fd_take(&far));
    int rc = drive(j, ours, control, p->kvm ? KVM_BOOT_S : BOOT_S, e);
    if (!rc) rc = keep_state(j, folder, e);
    jail_free(j);
    return rc;
}

static int copy_kernel(const struct vm_parts *p, uint32_t may_miss,
                       const char *folder, struct err *e) {
    AUTO_BUF struct buf kernel = BUF_MAX((size_t)64 << 20);
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (buf_addf(&path, e, "%s/" VM_KERNEL, folder)) return -1;
    if (p->monitor == VM_FIRECRACKER)
        return fc_kernel(p, may_miss, buf_text(&path), e);
    if (file_read(p->kernel, &kernel, e)) return -1;
    return file_replace(buf_text(&path), buf_str(&kernel), 0644, e);
}

static int make(const struct vm_parts *p, const struct cage *like,
                const char *folder, struct err *e) {
    AUTO_BUF struct buf image = BUF_MAX(PATH_MAX);
    bool fc = p->monitor == VM_FIRECRACKER;
    if (file_make_dirs(folder, 0700, e) ||
        copy_kernel(p, like->may_miss, folder, e) ||
        buf_addf(&image, e, "%s/" VM_INITRD, folder) ||
        vm_image(p, like->may_miss, buf_text(&image), e) ||
        (p->disk && vm_disk(like->may_miss, folder, e)))
        return -1;
    return fc ? boot_fc(p, like, folder, e) : boot_qemu(p, like, folder, e);
}

bool vm_folder_is_made(const char *folder) {
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/" VM_STATE, folder);
    return n > 0 && (size_t)n < sizeof path && file_exists(path);
}

/* Held while a machine is made; who waited for it may find it made. */
static int lock_making(struct err *e) {
    AUTO_BUF struct buf path = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_CACHE, "microvm/lock", &path, e)) return -1;
    AUTO_FD int fd = open(buf_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return fail_sys(e, "%s", buf_text(&path));
    while (flock(fd, LOCK_EX) < 0)
        if (errno != EINTR) return fail_sys(e, "%s", buf_text(&path));
    return fd_take(&fd);
}

/* What one that was broken off left is removed first. */
static int make_once(const struct vm_parts *p, const struct cage *c,
                     const char *folder, struct err *e) {
    AUTO_FD int lock = lock_making(e);
    if (lock < 0) return -1;
    if (vm_folder_is_made(folder)) return 0;
    vm_forget(folder);
    if (!make(p, c, folder, e)) {
        vm_prune(folder);
        return 0;
    }
    vm_forget(folder);
    return fail_while(e, "making the machine");
}

static int find_or_make(const struct vm_parts *p, const struct cage *c,
                        struct buf *out, struct err *e) {
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    if (vm_folder(p, &folder, e)) return -1;
    if (!vm_folder_is_made(buf_text(&folder)) &&
        make_once(p, c, buf_text(&folder), e))
        return -1;
    vm_touch(buf_text(&folder));
    return buf_add_str(out, buf_str(&folder), e);
}

int vm_snapshot(struct vm_parts *p, const struct cage *c, struct buf *out,
                struct err *e) {
    while (p->kvm) {
        struct err why;
        if (!find_or_make(p, c, out, &why)) return 0;
        if (give_up(p, &why, e)) return -1;
    }
    return find_or_make(p, c, out, e);
}
