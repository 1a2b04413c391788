/* SPDX-License-Identifier: MIT */
#include "runs/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define DEPTH 64 /* of folders; deeper ones are too much */

struct walk {
    uint64_t bytes, files;
    bool remove;
    int top;         /* of what is removed */
    unsigned moved;  /* folders that were too deep, to the top */
    unsigned number; /* of their names there */
    struct err *e;
};

static int walk_folder(struct walk *w, int parent, const char *name, int depth);

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int too_much(struct walk *w) {
    if (w->remove) return 0;
    if (w->files > CHECKPOINT_FILES)
        return fail(w->e, ERR_LIMIT, "more than %d files in %s",
                    CHECKPOINT_FILES, CHECKPOINT_AT);
    if (w->bytes > CHECKPOINT_BYTES)
        return fail(w->e, ERR_LIMIT, "more than %llu MiB in %s",
                    (unsigned long long)(CHECKPOINT_BYTES >> 20),
                    CHECKPOINT_AT);
    return 0;
}

static int walk_entry(struct walk *w, int fd, const char *name, int depth) {
    struct stat st;
    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT ? 0 : fail_sys(w->e, "%s", name);
    w->files++;
    w->bytes += (uint64_t)st.st_blocks * 512;
    if (S_ISDIR(st.st_mode)) return walk_folder(w, fd, name, depth);
    if (w->remove && unlinkat(fd, name, 0) && errno != ENOENT)
        return fail_sys(w->e, "%s", name);
    return too_much(w);
}

/* Too deep to go on: it is removed from the top in the next round. */
static int move_up(struct walk *w, int parent, const char *name) {
    char to[32];
    w->moved++;
    for (int tries = 0; tries <= 2 * CHECKPOINT_FILES; tries++) {
        snprintf(to, sizeof to, "deep-%u", w->number++);
        if (renameat(parent, name, w->top, to) == 0) return 0;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) break;
    }
    return fail_sys(w->e, "%s", name);
}

/* The program may have shut its folders; to remove them they are opened. */
static int open_folder(const struct walk *w, int parent, const char *name) {
    int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(parent, name, how);
    if (fd >= 0 || errno != EACCES || !w->remove) return fd;
    if (fchmodat(parent, name, 0700, 0)) return -1;
    return openat(parent, name, how);
}

static int walk_folder(struct walk *w, int parent, const char *name,
                       int depth) {
    const struct dirent *entry;
    int status = 0;
    if (depth == DEPTH && w->remove) return move_up(w, parent, name);
    if (depth == DEPTH)
        return fail(w->e, ERR_LIMIT, "folders too deep in %s", CHECKPOINT_AT);
    int fd = open_folder(w, parent, name);
    if (fd < 0) return errno == ENOENT ? 0 : fail_sys(w->e, "%s", name);
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return fail_sys(w->e, "%s", name);
    }
    while (status == 0 && (entry = readdir(dir)))
        if (!is_dots(entry->d_name))
            status = walk_entry(w, dirfd(dir), entry->d_name, depth + 1);
    closedir(dir);
    if (status == 0 && w->remove && unlinkat(parent, name, AT_REMOVEDIR) &&
        errno != ENOENT && !(depth == 0 && w->moved))
        return fail_sys(w->e, "%s", name);
    return status;
}

int checkpoint_make(const char *all, const char *run, struct buf *path,
                    struct err *e) {
    if (buf_addf(path, e, "%s/%s", all, run)) return -1;
    if ((mkdir(all, 0700) && errno != EEXIST) ||
        (mkdir(buf_text(path), 0700) && errno != EEXIST))
        return fail_sys(e, "%s", buf_text(path));
    return 0;
}

int checkpoint_check(const char *path, struct err *e) {
    struct walk w = {.e = e};
    return walk_folder(&w, AT_FDCWD, path, 0);
}

int checkpoint_remove(const char *all, const char *run, struct err *e) {
    struct walk w = {.remove = true, .e = e};
    AUTO_FD int fd = open(all, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? 0 : fail_sys(e, "%s", all);
    AUTO_FD int top = open_folder(&w, fd, run);
    if (top < 0) return errno == ENOENT ? 0 : fail_sys(e, "%s", run);
    w.top = top;
    do {
        w.moved = 0;
        if (walk_folder(&w, fd, run, 0)) return -1;
    } while (w.moved);
    return 0;
}

void checkpoint_each(const char *all, checkpoint_fn *fn, void *data) {
    const struct dirent *entry;
    DIR *dir = opendir(all);
    if (!dir) return;
    while ((entry = readdir(dir)))
        if (!is_dots(entry->d_name)) fn(data, entry->d_name);
    closedir(dir);
}
