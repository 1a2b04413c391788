/* SPDX-License-Identifier: MIT
 *
 * The machines in the cache. Each is a folder named by a hash of all it was
 * made of, so one whose kernel, programs or memory changed is never used again;
 * and each is large. A machine that still runs keeps its files open, or mapped,
 * and does not miss their names.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dirs.h"
#include "base/file.h"
#include "sandbox/vm/vm.h"

enum { MOST = 8, MAX_FOUND = 256, DAYS = 30 };

struct machine {
    char name[40];
    int64_t used; /* seconds */
};

void vm_forget(const char *folder) {
    static const char *const names[] = {VM_KERNEL, VM_INITRD,       VM_DISK,
                                        VM_STATE,  VM_STATE ".new", VM_MEMORY};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

void vm_touch(const char *folder) {
    (void)utimensat(AT_FDCWD, folder, NULL, 0);
}

static bool is_machine(const char *name) {
    return strlen(name) == 32 && strspn(name, "0123456789abcdef") == 32;
}

static int by_use(const void *a, const void *b) {
    const struct machine *x = a, *y = b;
    return x->used < y->used ? 1 : x->used > y->used ? -1 : 0;
}

static int open_folder(char path[PATH_MAX], DIR **out, struct err *e) {
    AUTO_BUF struct buf folder = BUF_MAX(PATH_MAX);
    if (dirs_path(DIRS_CACHE, "microvm", &folder, e)) return -1;
    snprintf(path, PATH_MAX, "%s", buf_text(&folder));
    *out = opendir(path);
    return *out ? 0 : fail_sys(e, "%s", path);
}

/* Newest first. */
static size_t list_machines(DIR *d, struct machine found[MAX_FOUND]) {
    size_t n = 0;
    struct stat st;
    rewinddir(d);
    for (struct dirent *entry; n < MAX_FOUND && (entry = readdir(d));) {
        if (!is_machine(entry->d_name) ||
            fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        snprintf(found[n].name, sizeof found[n].name, "%.32s", entry->d_name);
        found[n++].used = st.st_mtim.tv_sec;
    }
    qsort(found, n, sizeof found[0], by_use);
    return n;
}

/* A disk is linked into each machine that has it. */
static void remove_disks(DIR *d) {
    struct stat st;
    rewinddir(d);
    for (struct dirent *entry; (entry = readdir(d));)
        if (strncmp(entry->d_name, "disk-", 5) == 0 &&
            fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            st.st_nlink == 1)
            (void)unlinkat(dirfd(d), entry->d_name, 0);
}

void vm_prune(const char *keep) {
    char folder[PATH_MAX], path[PATH_MAX];
    struct machine found[MAX_FOUND];
    struct err e;
    DIR *d;
    if (open_folder(folder, &d, &e)) return;
    int64_t oldest = (int64_t)time(NULL) - DAYS * 86400;
    size_t n = list_machines(d, found);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%.4000s/%.32s", folder, found[i].name);
        if ((i >= MOST || found[i].used < oldest) && strcmp(path, keep) != 0)
            vm_forget(path);
    }
    remove_disks(d);
    closedir(d);
}

/* What several machines share counts for the first. */
static uint64_t size_of(int dir, const char *name) {
    static const char *const names[] = {VM_KERNEL, VM_INITRD, VM_STATE,
                                        VM_MEMORY};
    uint64_t sum = 0;
    struct stat st;
    AUTO_FD int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; fd >= 0 && i < sizeof names / sizeof names[0]; i++)
        if (fstatat(fd, names[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
            sum += (uint64_t)st.st_blocks * 512;
    return sum;
}

int vm_stock(struct vm_stock *out, struct err *e) {
    struct vm_stock s = {.count = 0};
    struct stat st;
    DIR *d;
    if (open_folder(s.folder, &d, e)) return -1;
    for (struct dirent *entry; (entry = readdir(d));) {
        if (is_machine(entry->d_name)) {
            s.count++;
            s.bytes += size_of(dirfd(d), entry->d_name);
        } else if (strncmp(entry->d_name, "disk-", 5) == 0 &&
                   fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ==
                       0) {
            s.bytes += (uint64_t)st.st_blocks * 512;
        }
    }
    closedir(d);
    *out = s;
    return 0;
}
