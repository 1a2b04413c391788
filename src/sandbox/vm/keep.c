/* SPDX-License-Identifier: MIT
 *
 * Files that a machine sends when its program ended. All of it is hostile:
 * names are taken part by part, counts and sizes are those of the task's
 * scratch, and everything lands in a folder that nobody else can enter.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/changes.h"
#include "sandbox/tree.h"
#include "sandbox/vm/vm.h"

enum { MAX_DEPTH = 33, MAX_PATH = 4096 };

int vm_keep_open(struct vm_keep *k, const struct cage_limits *l, bool changes,
                 struct err *e) {
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    struct vm_keep made = {.top = -1,
                           .dir = -1,
                           .file = -1,
                           .bytes = l->scratch,
                           .files = l->inodes,
                           .changes = changes};
    if (tmpdir_make(&made.folder, e)) return -1;
    made.top = open(made.folder.path, FLAGS);
    if (changes && made.top >= 0) (void)mkdirat(made.top, "new", 0755);
    if (made.top >= 0)
        made.dir = openat(made.top, changes ? "new" : ".", FLAGS);
    if (made.dir < 0) {
        (void)fail_sys(e, "%s", made.folder.path);
        vm_keep_close(&made);
        return -1;
    }
    *k = made;
    return 0;
}

static bool good_part(str part) {
    return part.n > 0 && part.n < 256 && !str_is(part, ".") &&
           !str_is(part, "..");
}

/* "/a/b" in out. */
static int check_path(str path, char out[MAX_PATH], struct err *e) {
    int depth = 0;
    if (path.n == 0 || path.n >= MAX_PATH - 1 || memchr(path.p, 0, path.n))
        return fail(e, ERR_PEER, "the machine sends a name that is none");
    for (str rest = path; rest.p; depth++)
        if (!good_part(str_cut(&rest, '/')) || depth == MAX_DEPTH)
            return fail(e, ERR_PEER, "the machine sends a name that is none");
    snprintf(out, MAX_PATH, "/%.*s", STR_ARG(path));
    return 0;
}

static void close_file(struct vm_keep *k) {
    if (k->file >= 0) close(k->file);
    k->file = -1;
}

static int keep_dir(int parent, const char *name, bool opaque, struct err *e) {
    if (mkdirat(parent, name, 0755) < 0 && errno != EEXIST)
        return fail_sys(e, "%s", name);
    if (!opaque) return 0;
    AUTO_FD int dir =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0 || fsetxattr(dir, CHANGES_OPAQUE, "y", 1, 0) < 0)
        return fail_sys(e, "%s", name);
    return 0;
}

/* What is no file and no directory is only noted: deletions, and links. */
static int keep_mark(int parent, const char *name, uint32_t mode,
                     struct err *e) {
    int rc = S_ISLNK(mode) ? symlinkat("?", parent, name)
                           : mknodat(parent, name, S_IFCHR, makedev(0, 0));
    return rc < 0 ? fail_sys(e, "%s", name) : 0;
}

int vm_keep_file(struct vm_keep *k, str body, struct err *e) {
    struct vm_file head;
    char path[MAX_PATH];
    const char *name;
    close_file(k);
    if (k->dir < 0 || body.n <= sizeof head)
        return fail(e, ERR_PEER, "the machine sends files unasked");
    memcpy(&head, body.p, sizeof head);
    if (check_path(str_sub(body, sizeof head, body.n), path, e)) return -1;
    if (k->files-- == 0)
        return fail(e, ERR_PEER, "the machine sends more files than it has");
    AUTO_FD int parent = tree_parent(k->dir, path, &name, e);
    if (parent < 0) return -1;
    if (S_ISDIR(head.mode))
        return keep_dir(parent, name, k->changes && (head.mode & VM_OPAQUE), e);
    if (k->changes && (S_ISCHR(head.mode) || S_ISLNK(head.mode)))
        return keep_mark(parent, name, head.mode, e);
    mode_t mode = 0644 | (k->changes ? head.mode & 0111 : 0);
    k->file =
        openat(parent, name,
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    return k->file < 0 ? fail_sys(e, "%s", name) : 0;
}

int vm_keep_data(struct vm_keep *k, str body, struct err *e) {
    if (k->file < 0)
        return fail(e, ERR_PEER, "the machine sends bytes of no file");
    if (body.n > k->bytes)
        return fail(e, ERR_PEER, "the machine sends more than it has");
    k->bytes -= body.n;
    return fd_write_all(k->file, body, e);
}

void vm_keep_close(struct vm_keep *k) {
    close_file(k);
    if (k->dir >= 0) close(k->dir);
    if (k->top >= 0) close(k->top);
    k->dir = k->top = -1;
    tmpdir_remove(&k->folder);
}
