/* SPDX-License-Identifier: MIT
 *
 * Mounts by descriptor.
 */
#include "sandbox/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/ids.h"

#define ATTR_COMMON (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
#define ATTR_DEVICE (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC)

/* Of what takes the place of a directory that is shut: names of binds. */
enum { COVER_BYTES = 64 << 10, COVER_INODES = 256 };

struct option {
    const char *key, *value;
};

static int new_fs(const char *type, const struct option *options, unsigned attr,
                  struct err *e) {
    AUTO_FD int fs = fsopen(type, FSOPEN_CLOEXEC);
    if (fs < 0) return fail_sys(e, "%s", type);
    for (; options->key; options++) {
        unsigned how = options->value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG;
        if (fsconfig(fs, how, options->key, options->value, 0) < 0)
            return fail_sys(e, "%s option %s", type, options->key);
    }
    if (fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
        return fail_sys(e, "%s", type);
    int fd = fsmount(fs, FSMOUNT_CLOEXEC, attr);
    return fd < 0 ? fail_sys(e, "mount %s", type) : fd;
}

int tree_tmpfs(uint64_t bytes, uint64_t inodes, const char *mode,
               struct err *e) {
    char size[24], count[24];
    snprintf(size, sizeof size, "%llu", (unsigned long long)bytes);
    snprintf(count, sizeof count, "%llu", (unsigned long long)inodes);
    const struct option options[] = {
        {"size", size}, {"nr_inodes", count}, {"mode", mode}, {0}};
    return new_fs("tmpfs", options, ATTR_COMMON, e);
}

int tree_proc(struct err *e) {
    static const struct option options[] = {{"subset", "pid"}, {0}};
    return new_fs("proc", options, ATTR_COMMON | MOUNT_ATTR_NOEXEC, e);
}

#define LOWER ".lower"
#define UPPER ".upper"

static int leave_place(const char *name, struct err *e) {
    if (umount2(name, MNT_DETACH) < 0 || rmdir(name) < 0)
        return fail_sys(e, "overlay");
    return 0;
}

/* Both are mounted for a moment, because overlayfs takes names; it keeps copies
 * of its own. */
int tree_overlay(int dir, int lower, const struct tree_room *room, int *changes,
                 struct err *e) {
    static const struct option options[] = {{"lowerdir", LOWER},
                                            {"upperdir", UPPER "/new"},
                                            {"workdir", UPPER "/work"},
                                            {"userxattr", NULL},
                                            {0}};
    AUTO_FD int upper = tree_tmpfs(room->bytes, room->inodes, "755", e);
    if (upper < 0 || tree_place(dir, "/" LOWER, lower, e) ||
        tree_place(dir, "/" UPPER, upper, e))
        return -1;
    if (mkdirat(upper, "new", 0755) < 0 || mkdirat(upper, "work", 0700) < 0 ||
        fchownat(upper, "new", room->owner, room->owner, 0) < 0 ||
        fchdir(dir) < 0)
        return fail_sys(e, "overlay");
    AUTO_FD int fd = new_fs("overlay", options, ATTR_COMMON, e);
    if (fd < 0 || leave_place(LOWER, e) || leave_place(UPPER, e)) return -1;
    *changes = fd_take(&upper);
    return fd_take(&fd);
}

/* A device on a filesystem that root made works in there, too. */
int tree_device(const char *path, uint32_t owner, struct err *e) {
    const struct option options[] = {{"size", "4096"}, {"mode", "755"}, {0}};
    struct stat st;
    if (stat(path, &st) < 0) return fail_sys(e, "%s", path);
    AUTO_FD int tree = new_fs("tmpfs", options, ATTR_DEVICE, e);
    if (tree < 0) return -1;
    if (mknodat(tree, TREE_NODE, S_IFCHR | 0600, st.st_rdev) < 0 ||
        fchownat(tree, TREE_NODE, owner, owner, 0) < 0)
        return fail_sys(e, "%s", path);
    return fd_take(&tree);
}

/* Recursive: in a user namespace the kernel gives a tree with what is mounted
 * below it, or not at all. */
int tree_copy(const char *path, struct err *e) {
    unsigned flags =
        OPEN_TREE_CLONE | (unsigned)OPEN_TREE_CLOEXEC | (unsigned)AT_RECURSIVE;
    int fd = open_tree(AT_FDCWD, path, flags);
    return fd < 0 ? fail_sys(e, "%s", path) : fd;
}

static int shift_ids(int tree, struct ids_shift *shift, struct err *e) {
    struct stat st;
    if (fstat(tree, &st) < 0) return fail_sys(e, "owner");
    if (ids_shift_from(shift, st.st_uid, st.st_gid, e)) return -1;
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_IDMAP,
                              .userns_fd = (unsigned)shift->ns};
    if (mount_setattr(tree, "", AT_EMPTY_PATH, &attr, sizeof attr) < 0)
        return fail_sys(e, "shifted ids");
    return 0;
}

int tree_copy_by(const char *path, struct ids_shift *shift, struct err *e) {
    AUTO_FD int tree = tree_copy(path, e);
    if (tree < 0) return -1;
    if (shift_ids(tree, shift, e)) return fail_while(e, "%s", path);
    return fd_take(&tree);
}

int tree_copy_shifted(const char *path, uint32_t outside, struct err *e) {
    struct ids_shift shift = IDS_SHIFT(outside);
    int tree = tree_copy_by(path, &shift, e);
    ids_shift_end(&shift);
    return tree;
}

int tree_restrict(int tree, enum tree_use use, struct err *e) {
    struct mount_attr attr = {.attr_set = ATTR_COMMON};
    switch (use) {
    case TREE_WRITE: break;
    case TREE_READ: attr.attr_set |= MOUNT_ATTR_RDONLY; break;
    case TREE_DEVICE:
        attr.attr_set =
            MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
        break;
    }
    if (mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr,
                      sizeof attr) < 0)
        return fail_sys(e, "mount flags");
    return 0;
}

static int open_part(int dir, const char *name) {
    struct open_how how = {
        .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
    };
    return (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
}

/* Of a directory that the task could not search (a home of root's), only what
 * leads to its binds is there: an empty one takes its place. */
static int cover(int *dir, struct err *e) {
    AUTO_FD int empty = tree_tmpfs(COVER_BYTES, COVER_INODES, "755", e);
    if (empty < 0) return -1;
    if (move_mount(empty, "", *dir, "",
                   MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0)
        return fail_sys(e, "cover");
    close(*dir);
    *dir = fd_take(&empty);
    return 0;
}

static int make_file(int dir, const char *name) {
    AUTO_FD int fd =
        openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    return fd < 0 ? -1 : 0;
}

enum part { PART_FILE, PART_DIR };

/* Opens a part of a path, made where it is missing. */
static int make_part(int *dir, const char *name, enum part part, bool covering,
                     struct err *e) {
    int fd = open_part(*dir, name);
    if (fd >= 0) return fd;
    bool shut = covering && errno == EACCES;
    if (!shut && errno != ENOENT) return fail_sys(e, "%s", name);
    if (shut && cover(dir, e)) return -1;
    if ((part == PART_DIR ? mkdirat(*dir, name, 0755) : make_file(*dir, name)) <
        0)
        return fail_sys(e, "make %s", name);
    fd = open_part(*dir, name);
    return fd < 0 ? fail_sys(e, "%s", name) : fd;
}

static int walk(int root, const char *path, bool covering, const char **name,
                struct err *e) {
    AUTO_FD int dir = fcntl(root, F_DUPFD_CLOEXEC, 3);
    if (dir < 0) return fail_sys(e, "root");
    for (const char *at = path + 1, *slash; (slash = strchr(at, '/'));
         at = slash + 1) {
        char part[256];
        size_t n = (size_t)(slash - at);
        if (n >= sizeof part) return fail(e, ERR_INVALID, "%s: long", path);
        memcpy(part, at, n);
        part[n] = 0;
        int next = make_part(&dir, part, PART_DIR, covering, e);
        if (next < 0) return fail_while(e, "%s", path);
        close(dir);
        dir = next;
    }
    *name = strrchr(path, '/') + 1;
    return fd_take(&dir);
}

int tree_parent(int root, const char *path, const char **name, struct err *e) {
    return walk(root, path, false, name, e);
}

/* The place for a tree: a directory for a directory, a file for the rest. */
int tree_place(int root, const char *path, int tree, struct err *e) {
    struct stat st;
    if (fstat(tree, &st) < 0) return fail_sys(e, "%s", path);
    const char *name;
    AUTO_FD int parent = walk(root, path, true, &name, e);
    if (parent < 0) return -1;
    enum part part = S_ISDIR(st.st_mode) ? PART_DIR : PART_FILE;
    AUTO_FD int target = make_part(&parent, name, part, true, e);
    if (target < 0) return fail_while(e, "%s", path);
    if (move_mount(tree, "", target, "",
                   MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0)
        return fail_sys(e, "mount on %s", path);
    return 0;
}
