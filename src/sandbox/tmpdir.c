/* SPDX-License-Identifier: MIT */
#include "sandbox/tmpdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { MAX_DEPTH = 64 };

/* What lies in there may be a stranger's: no link is followed, and nothing else
 * mounted is entered. */
static void empty(int parent, const char *name, dev_t device, int depth) {
    AUTO_FD int fd =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0 || st.st_dev != device) return;
    DIR *dir = fdopendir(fd);
    if (!dir) return;
    int own = fd_take(&fd); /* the stream's */
    for (struct dirent *d; (d = readdir(dir));) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0 ||
            unlinkat(own, d->d_name, 0) == 0 || depth == MAX_DEPTH)
            continue;
        empty(own, d->d_name, device, depth + 1);
        (void)unlinkat(own, d->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

void tmpdir_remove(struct tmpdir *d) {
    struct stat st;
    if (!d->path[0]) return;
    if (lstat(d->path, &st) == 0) empty(AT_FDCWD, d->path, st.st_dev, 0);
    (void)rmdir(d->path);
    d->path[0] = 0;
}

/* What a supervisor that was killed left behind; whoever comes next removes it.
 * Who is not its owner cannot. */
static void remove_stale(void) {
    DIR *dir = opendir("/tmp");
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        int pid;
        struct tmpdir stale;
        if (sscanf(entry->d_name, "cordon-task-%d-", &pid) != 1) continue;
        if (kill(pid, 0) == 0 || errno != ESRCH) continue;
        snprintf(stale.path, sizeof stale.path, "/tmp/%.50s", entry->d_name);
        struct stat st;
        uid_t own = geteuid();
        if (lstat(stale.path, &st) == 0 && (own == 0 || st.st_uid == own))
            tmpdir_remove(&stale);
    }
    if (dir) closedir(dir);
}

int tmpdir_make(struct tmpdir *d, struct err *e) {
    struct tmpdir made;
    remove_stale();
    snprintf(made.path, sizeof made.path, "/tmp/cordon-task-%d-XXXXXX",
             (int)getpid());
    if (!mkdtemp(made.path)) return fail_sys(e, "%s", made.path);
    *d = made;
    return 0;
}
