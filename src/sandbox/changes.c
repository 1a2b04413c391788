/* SPDX-License-Identifier: MIT
 *
 * Reading the upper layer of an overlay: a file is new or changed, a character
 * device 0:0 stands for something deleted, and a directory that was deleted and
 * made again hides all that was in it.
 */
#include "sandbox/changes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/* Deeper than a path can be long; a task made the tree, so it is counted. */
enum { MAX_DEPTH = 256 };

struct walk {
    const struct cage_bind *bind;
    struct cage_result *out;
    int lower;       /* the directory as it was */
    struct buf path; /* relative to the overlay's root */
};

static int add_change(struct walk *w, char kind, struct err *e) {
    struct cage_result *r = w->out;
    if (r->change_count == CAGE_MAX_CHANGES) {
        r->changes_cut = true;
        return 0;
    }
    char *path =
        arena_printf(&r->arena, e, "%s/%s", w->bind->to, buf_text(&w->path));
    if (!path) return -1;
    struct cage_change *grown =
        mem_resize(r->changes, r->change_count + 1, sizeof *grown, e);
    if (!grown) return -1;
    r->changes = grown;
    r->changes[r->change_count++] = (struct cage_change){kind, path};
    return 0;
}

static int visit_dir(struct walk *w, int dir, int depth, struct err *e);
static int read_names(DIR *d, struct arena *a, char ***out, size_t *count,
                      struct err *e);

/* Below w->path everything is gone that is not in dir. */
static int add_hidden(struct walk *w, int dir, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(4 << 20);
    char **names = NULL;
    size_t count = 0, mark = w->path.len;
    struct stat st;
    int fd = openat(w->lower, buf_text(&w->path),
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0) close(fd);
        return 0; /* somebody else took it away meanwhile */
    }
    int rc = read_names(d, &a, &names, &count, e);
    closedir(d);
    for (size_t i = 0; !rc && i < count; i++) {
        if (fstatat(dir, names[i], &st, AT_SYMLINK_NOFOLLOW) == 0) continue;
        rc = buf_addf(&w->path, e, "/%s", names[i]) || add_change(w, 'D', e)
                 ? -1
                 : 0;
        buf_truncate(&w->path, mark);
    }
    return rc;
}

static bool hides(int dir) {
    char mark = 0;
    return fgetxattr(dir, CHANGES_OPAQUE, &mark, 1) == 1 && mark == 'y';
}

static int visit(struct walk *w, int dir, const char *name, int depth,
                 struct err *e) {
    struct stat st, before;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) return 0;
    bool existed = fstatat(w->lower, buf_text(&w->path), &before,
                           AT_SYMLINK_NOFOLLOW) == 0;
    if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(0, 0))
        return add_change(w, 'D', e);
    if (!S_ISDIR(st.st_mode)) return add_change(w, existed ? 'M' : 'A', e);
    if (!existed && add_change(w, 'A', e)) return -1;
    int sub =
        openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (sub < 0) return 0;
    if (existed && hides(sub) && add_hidden(w, sub, e)) {
        close(sub);
        return -1;
    }
    return visit_dir(w, sub, depth + 1, e);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names first, then a descent: one directory stream open at a time. */
static int read_names(DIR *d, struct arena *a, char ***out, size_t *count,
                      struct err *e) {
    size_t n = 0, cap = 0;
    char **names = NULL;
    for (struct dirent *entry; (entry = readdir(d));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (n == cap) {
            cap = cap ? cap * 2 : 16;
            char **grown = arena_zalloc(a, cap, sizeof *grown, e);
            if (!grown) return -1;
            if (n) memcpy(grown, names, n * sizeof *names);
            names = grown;
        }
        if (!(names[n++] = arena_text(a, str_of(entry->d_name), e))) return -1;
    }
    if (n) qsort(names, n, sizeof *names, by_name);
    *out = names;
    *count = n;
    return 0;
}

static int visit_names(struct walk *w, int dir, char **names, size_t count,
                       int depth, struct err *e) {
    size_t mark = w->path.len;
    for (size_t i = 0; i < count; i++) {
        if ((mark && buf_add_char(&w->path, '/', e)) ||
            buf_add_text(&w->path, names[i], e) ||
            visit(w, dir, names[i], depth, e))
            return -1;
        buf_truncate(&w->path, mark);
    }
    return 0;
}

/* Takes dir. */
static int visit_dir(struct walk *w, int dir, int depth, struct err *e) {
    if (depth > MAX_DEPTH) {
        w->out->changes_cut = true;
        close(dir);
        return 0;
    }
    DIR *d = fdopendir(dir);
    if (!d) {
        close(dir);
        return fail_sys(e, "changes");
    }
    AUTO_ARENA struct arena a = ARENA_MAX(4 << 20);
    char **names = NULL;
    size_t count = 0;
    int rc = read_names(d, &a, &names, &count, e);
    if (!rc) rc = visit_names(w, dirfd(d), names, count, depth, e);
    closedir(d);
    return rc;
}

int changes_list(int upper, const struct cage_bind *bind,
                 struct cage_result *out, struct err *e) {
    AUTO_FD int lower = open(bind->from, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (lower < 0) return fail_sys(e, "%s", bind->from);
    int top =
        openat(upper, "new", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0) return fail_sys(e, "changes of %s", bind->to);
    AUTO_BUF struct buf path = BUF_MAX(64 << 10);
    struct walk w = {bind, out, lower, path};
    int rc = visit_dir(&w, top, 0, e);
    path = w.path;
    return rc ? fail_while(e, "changes of %s", bind->to) : 0;
}
