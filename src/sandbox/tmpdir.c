/* SPDX-License-Identifier: MIT */
#include "sandbox/tmpdir.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What lies in there may be a stranger's; rm walks it with care. */
void tmpdir_remove(struct tmpdir *d) {
    if (!d->path[0]) return;
    const char *const argv[] = {"/bin/rm", "-rf",   "--one-file-system",
                                "--",      d->path, NULL};
    pid_t pid;
    if (posix_spawn(&pid, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv,
                    environ) == 0)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            continue;
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
