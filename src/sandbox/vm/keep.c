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
#include <unistd.h>

#include "base/file.h"
#include "sandbox/tree.h"
#include "sandbox/vm/vm.h"

enum { MAX_DEPTH = 33, MAX_PATH = 4096 };

int vm_keep_open(struct vm_keep *k, const struct cage_limits *l,
                 struct err *e) {
    struct vm_keep made = {
        .dir = -1, .file = -1, .bytes = l->scratch, .files = l->inodes};
    if (tmpdir_make(&made.folder, e)) return -1;
    made.dir = open(made.folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (made.dir < 0) {
        tmpdir_remove(&made.folder);
        return fail_sys(e, "%s", made.folder.path);
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
    if (S_ISDIR(head.mode)) {
        if (mkdirat(parent, name, 0755) == 0 || errno == EEXIST) return 0;
        return fail_sys(e, "%s", name);
    }
    k->file =
        openat(parent, name,
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
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
    k->dir = -1;
    tmpdir_remove(&k->folder);
}
