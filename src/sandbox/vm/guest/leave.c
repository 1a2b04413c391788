/* SPDX-License-Identifier: MIT
 *
 * Files on their way out. The host believes nothing of this; what is wrong here
 * costs only the task its files.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "guest.h"

enum { MAX_DEPTH = 32 };

static bool changes; /* not all files, but those of an upper layer */

static void send_head(const char *path, uint32_t mode) {
    char text[sizeof(struct vm_file) + 4096];
    struct vm_file head = {mode};
    size_t n = strlen(path);
    memcpy(text, &head, sizeof head);
    memcpy(text + sizeof head, path, n);
    channel_send(VM_FILE, text, sizeof head + n);
}

static void send_file(int dir, const char *name, const char *path,
                      mode_t mode) {
    static char chunk[VM_MAX_FRAME / 2];
    ssize_t n;
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    send_head(path, mode);
    while ((n = read(fd, chunk, sizeof chunk)) > 0)
        channel_send(VM_DATA, chunk, (size_t)n);
    close(fd);
}

static void send_dir(int dir, const char *prefix, int depth);

static bool hides(int dir) {
    char mark = 0;
    return changes && fgetxattr(dir, "trusted.overlay.opaque", &mark, 1) == 1 &&
           mark == 'y';
}

static void send_entry(int dir, const char *name, const char *prefix,
                       int depth) {
    char path[4096];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s%s", prefix, name);
    if (n < 0 || (size_t)n >= sizeof path - 1 ||
        fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    if (S_ISREG(st.st_mode)) send_file(dir, name, path, st.st_mode);
    bool gone = S_ISCHR(st.st_mode) && st.st_rdev == 0;
    if (changes && (gone || S_ISLNK(st.st_mode))) send_head(path, st.st_mode);
    if (!S_ISDIR(st.st_mode) || depth == MAX_DEPTH) return;
    int below =
        openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    send_head(path, st.st_mode | (hides(below) ? VM_OPAQUE : 0));
    path[n] = '/';
    path[n + 1] = 0;
    if (below >= 0) send_dir(below, path, depth + 1);
}

static void send_dir(int dir, const char *prefix, int depth) {
    DIR *d = fdopendir(dir);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        /* What the host put there itself (VIEW_TRUST). */
        if (!changes && depth == 0 && strcmp(e->d_name, ".cordon") == 0)
            continue;
        send_entry(dir, e->d_name, prefix, depth);
    }
    closedir(d);
}

void leave(void) {
    int dir = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0) send_dir(dir, "", 0);
}

void leave_changes(int dir) {
    changes = true;
    send_dir(dir, "", 0);
}
