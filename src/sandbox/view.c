/* SPDX-License-Identifier: MIT
 *
 * The files a task sees: a root of its own, or the host's made read-only.
 *
 * In two parts. The template is the same for every task of a kind and can be
 * built ahead; what is fresh (scratch, proc, overlays) is made for one task.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/plan.h"
#include "sandbox/report.h"
#include "sandbox/tree.h"

enum { ROOT_BYTES = 1 << 20, ROOT_INODES = 512 };

/* --- the template: the host's system directories, or an image --- */

/* The filesystems that these names lead into are ours, and nobody but us has
 * been there: they need no walk like those of the caller (tree.h). */
static int try_node(int root, const char *path, mode_t kind,
                    const char *target) {
    const char *name = path + 1;
    if (S_ISDIR(kind)) return mkdirat(root, name, 0755);
    if (S_ISLNK(kind)) return symlinkat(target, root, name);
    return mknodat(root, name, S_IFREG | 0644, 0);
}

/* With the directories that lead to it. */
static int add_node(int root, const char *path, mode_t kind, const char *target,
                    struct err *e) {
    if (try_node(root, path, kind, target) == 0) return 0;
    size_t n = (size_t)(strrchr(path, '/') - path);
    char parent[256];
    if (errno != ENOENT || n == 0 || n >= sizeof parent)
        return fail_sys(e, "%s", path);
    memcpy(parent, path, n);
    parent[n] = 0;
    if (add_node(root, parent, S_IFDIR, NULL, e)) return -1;
    return try_node(root, path, kind, target) < 0 ? fail_sys(e, "%s", path) : 0;
}

static int add_symlink(int root, const char *path, const char *target,
                       struct err *e) {
    return add_node(root, path, S_IFLNK, target, e);
}

static int bind_path(int root, const char *path, enum tree_use use,
                     struct err *e) {
    struct stat st = {.st_mode = S_IFREG};
    AUTO_FD int tree = tree_copy(path, e);
    if (tree < 0 || tree_restrict(tree, use, e)) return -1;
    if (use != TREE_DEVICE && fstat(tree, &st) < 0)
        return fail_sys(e, "%s", path);
    if (add_node(root, path, S_ISDIR(st.st_mode) ? S_IFDIR : S_IFREG, NULL, e))
        return -1;
    if (move_mount(tree, "", root, path + 1, MOVE_MOUNT_F_EMPTY_PATH) < 0)
        return fail_sys(e, "mount on %s", path);
    return 0;
}

static int add_system(int root, const char *path, struct err *e) {
    char target[4096];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n >= 0) {
        target[n] = 0;
        return add_symlink(root, path, target, e);
    }
    if (errno != EINVAL) return 0; /* not every system has each of them */
    return bind_path(root, path, TREE_READ, e);
}

static int add_text(int root, const char *path, const char *text,
                    struct err *e) {
    if (add_node(root, path, S_IFREG, NULL, e)) return -1;
    AUTO_FD int fd = openat(root, path + 1, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail_sys(e, "%s", path);
    return fd_write_all(fd, str_of(text), e);
}

enum part_kind { PART_SYSTEM, PART_DEVICE, PART_WRITTEN };

static const struct part {
    enum part_kind kind;
    const char *path, *text;
} parts[] = {
#define SYSTEM(path)        {PART_SYSTEM, path, NULL},
#define DEVICE(path)        {PART_DEVICE, path, NULL},
#define WRITTEN(path, text) {PART_WRITTEN, path, text},
#include "sandbox/rootfs.def"
#undef SYSTEM
#undef DEVICE
#undef WRITTEN
};

static int add_part(int root, const struct part *part, struct err *e) {
    switch (part->kind) {
    case PART_SYSTEM: return add_system(root, part->path, e);
    case PART_DEVICE: return bind_path(root, part->path, TREE_DEVICE, e);
    case PART_WRITTEN: return add_text(root, part->path, part->text, e);
    }
    return fail(e, ERR_INTERNAL, "part %d", (int)part->kind);
}

static int add_parts(int root, bool devices_only, struct err *e) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (devices_only && parts[i].kind != PART_DEVICE) continue;
        if (add_part(root, &parts[i], e)) return -1;
    }
    static const char *const links[][2] = {
        {"/dev/fd", "/proc/self/fd"},
        {"/dev/stdin", "/proc/self/fd/0"},
        {"/dev/stdout", "/proc/self/fd/1"},
        {"/dev/stderr", "/proc/self/fd/2"},
        {"/dev/shm", "/tmp"}, /* shared memory counts as scratch */
    };
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (add_symlink(root, links[i][0], links[i][1], e)) return -1;
    return 0;
}

/* Covers the current root: it needs no directory of the host to exist, and
 * pivot_root takes the cover off again from below. */
static int cover_root(int tree, struct err *e) {
    if (move_mount(tree, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) < 0)
        return fail_sys(e, "mount the new root");
    return 0;
}

/* The machine's own belongs to a group that the task is not in. */
static int add_kvm(const struct plan *p, int root, struct err *e) {
    if (p->kvm_tree < 0) return bind_path(root, "/dev/kvm", TREE_DEVICE, e);
    if (tree_place(root, "/dev/.kvm", p->kvm_tree, e)) return -1;
    return add_symlink(root, "/dev/kvm", ".kvm/" TREE_NODE, e);
}

static int host_root(const struct plan *p, struct err *e) {
    AUTO_FD int root = tree_tmpfs(ROOT_BYTES, ROOT_INODES, "755", e);
    if (root < 0 || cover_root(root, e) || add_parts(root, false, e)) return -1;
    if (p->cage->kvm && add_kvm(p, root, e)) return -1;
    if (mkdirat(root, "tmp", 0755) < 0 || mkdirat(root, "proc", 0755) < 0)
        return fail_sys(e, "mount points");
    return fd_take(&root);
}

/* A module has no use for a system: there is nothing but what is bound. */
static int bare_root(struct err *e) {
    AUTO_FD int root = tree_tmpfs(ROOT_BYTES, ROOT_INODES, "755", e);
    if (root < 0 || cover_root(root, e)) return -1;
    if (mkdirat(root, "tmp", 0755) < 0) return fail_sys(e, "mount point");
    return fd_take(&root);
}

/* The image stays as it is, but for /dev: device files of an image would be
 * whatever its maker put there. */
static int image_root(const struct plan *p, struct err *e) {
    AUTO_FD int root = p->root_tree >= 0
                           ? fcntl(p->root_tree, F_DUPFD_CLOEXEC, 3)
                           : tree_copy(p->cage->root, e);
    if (root < 0) return -1;
    if (tree_restrict(root, TREE_READ, e) || cover_root(root, e)) return -1;
    AUTO_FD int dev = tree_tmpfs(ROOT_BYTES, ROOT_INODES, "755", e);
    if (dev < 0 || tree_place(root, "/dev", dev, e) || add_parts(root, true, e))
        return fail_while(e, "image %s", p->cage->root);
    return fd_take(&root);
}

/* The host's own root: nothing in it may be written or give privileges. */
static int shared_root(struct err *e) {
    AUTO_FD int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return fail_sys(e, "/");
    struct mount_attr attr = {.attr_set =
                                  MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID};
    if (mount_setattr(root, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr,
                      sizeof attr) < 0)
        return fail_sys(e, "read-only root");
    return fd_take(&root);
}

static int make_root(const struct plan *p, struct err *e) {
    if (!plan_has(p, LAYER_ROOT)) return shared_root(e);
    if (p->cage->tier == TIER_WASM) return bare_root(e);
    return p->cage->root ? image_root(p, e) : host_root(p, e);
}

/* --- what the caller adds --- */

/* Opened before anything is covered: a source may lie below the host's /tmp.
 */
static int open_binds(const struct plan *p, int trees[CAGE_MAX_BINDS],
                      struct err *e) {
    for (size_t i = 0; i < p->cage->bind_count; i++) {
        const struct cage_bind *b = &p->cage->binds[i];
        trees[i] = p->trees[i] >= 0 ? p->trees[i] : tree_copy(b->from, e);
        if (trees[i] < 0) return fail_while(e, "bind");
        enum tree_use use = b->kind == BIND_RW ? TREE_WRITE : TREE_READ;
        if (tree_restrict(trees[i], use, e)) return fail_while(e, "bind");
    }
    return 0;
}

static int tell(const struct plan *p, enum report_kind kind, size_t value,
                int fd, struct err *e) {
    struct report r = {.kind = (uint32_t)kind, .value = (int32_t)value};
    return report_send(p->status, &r, fd, e);
}

static int make_overlay(const struct plan *p, size_t index, int root, int lower,
                        struct err *e) {
    const struct cage_limits *l = &p->cage->limits;
    const struct tree_room room = {l->scratch, l->inodes, geteuid()};
    AUTO_FD int upper = -1;
    AUTO_FD int scratch = openat(root, "tmp", O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (scratch < 0) return fail_sys(e, "overlay");
    AUTO_FD int fd = tree_overlay(scratch, lower, &room, &upper, e);
    if (fd < 0 || tell(p, REPORT_UPPER, index, upper, e)) return -1;
    return fd_take(&fd);
}

static int add_bind(const struct plan *p, size_t i, int root, int tree,
                    struct err *e) {
    const struct cage_bind *b = &p->cage->binds[i];
    if (b->kind != BIND_OVERLAY) return tree_place(root, b->to, tree, e);
    AUTO_FD int overlay = make_overlay(p, i, root, tree, e);
    return overlay < 0 ? -1 : tree_place(root, b->to, overlay, e);
}

/* --- the whole --- */

static int add_proc(int root, struct err *e) {
    AUTO_FD int proc = tree_proc(e);
    return proc < 0 || tree_place(root, "/proc", proc, e) ? -1 : 0;
}

/* A filesystem of its own: the task cannot change it, and collection passes it
 * over. */
static int add_trust(const struct plan *p, int root, struct err *e) {
    if (!p->trusted.n) return 0;
    AUTO_FD int tree = tree_tmpfs(p->trusted.n + ROOT_BYTES, 16, "755", e);
    if (tree < 0 || tree_place(root, VIEW_TRUST, tree, e)) return -1;
    AUTO_FD int fd = openat(tree, strrchr(VIEW_TRUSTED, '/') + 1,
                            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return fail_sys(e, VIEW_TRUSTED);
    if (fd_write_all(fd, p->trusted, e)) return -1;
    close(fd_take(&fd)); /* or it cannot be made read-only */
    return tree_restrict(tree, TREE_READ, e);
}

static int add_fresh(const struct plan *p, int root, struct err *e) {
    const struct cage_limits *l = &p->cage->limits;
    AUTO_FD int tmp = tree_tmpfs(l->scratch, l->inodes, "1777", e);
    if (tmp < 0 || tree_place(root, "/tmp", tmp, e) || add_trust(p, root, e))
        return -1;
    if (p->cage->tier != TIER_WASM && add_proc(root, e)) return -1;
    return p->cage->keep_scratch ? tell(p, REPORT_SCRATCH, 0, tmp, e) : 0;
}

static int close_root(const struct plan *p, int root, struct err *e) {
    if (fchdir(root) < 0) return fail_sys(e, "enter the new root");
    if (!plan_has(p, LAYER_ROOT)) return 0;
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};
    if (mount_setattr(root, "", AT_EMPTY_PATH, &attr, sizeof attr) < 0)
        return fail_sys(e, "read-only root");
    /* Old and new root end up on the same place, the old one on top. */
    if (syscall(SYS_pivot_root, ".", ".") < 0) return fail_sys(e, "pivot_root");
    if (umount2(".", MNT_DETACH) < 0) return fail_sys(e, "old root");
    if (chdir("/") < 0) return fail_sys(e, "new root");
    return 0;
}

int view_private(const struct plan *p, struct err *e) {
    (void)p;
    /* What is mounted here must not appear outside. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return fail_sys(e, "private mounts");
    return 0;
}

/* The kernel lets a user namespace mount a proc only where one can be seen
 * already, so the template has the launcher's; each task's covers it. */
int view_template(const struct plan *p, struct err *e) {
    int trees[CAGE_MAX_BINDS];
    if (open_binds(p, trees, e)) return -1;
    AUTO_FD int root = make_root(p, e);
    if (root < 0) return -1;
    if (add_proc(root, e)) return -1;
    for (size_t i = 0; i < p->cage->bind_count; i++)
        if (add_bind(p, i, root, trees[i], e)) return fail_while(e, "bind");
    return close_root(p, root, e);
}

/* By name, in two calls: the directories are of the template, and nobody but
 * us has ever been in it. */
int view_fresh(const struct plan *p, struct err *e) {
    const struct cage_limits *l = &p->cage->limits;
    char options[96];
    snprintf(options, sizeof options, "size=%llu,nr_inodes=%llu,mode=1777",
             (unsigned long long)l->scratch, (unsigned long long)l->inodes);
    unsigned long flags = MS_NOSUID | MS_NODEV;
    if (mount("none", "/tmp", "tmpfs", flags, options) < 0)
        return fail_sys(e, "mount tmpfs");
    flags |= MS_NOEXEC;
    if (mount("none", "/proc", "proc", flags, "subset=pid") < 0)
        return fail_sys(e, "mount proc");
    if (!p->cage->keep_scratch) return 0;
    AUTO_FD int tmp = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (tmp < 0) return fail_sys(e, "scratch");
    return tell(p, REPORT_SCRATCH, 0, tmp, e);
}

int view_build(const struct plan *p, struct err *e) {
    int trees[CAGE_MAX_BINDS];
    if (open_binds(p, trees, e)) return -1;
    AUTO_FD int root = make_root(p, e);
    if (root < 0 || add_fresh(p, root, e)) return -1;
    for (size_t i = 0; i < p->cage->bind_count; i++)
        if (add_bind(p, i, root, trees[i], e)) return fail_while(e, "bind");
    return close_root(p, root, e);
}
