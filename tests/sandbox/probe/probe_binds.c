/* SPDX-License-Identifier: MIT
 *
 * Probes of a writable bind: what lies in it already, and what stays in it. The
 * test put a link to the secret, a device and a socket there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe.h"

static const char *in_bind(const char *name, char path[4096]) {
    snprintf(path, 4096, "%s/%s", probe_env("SHARED"), name);
    return path;
}

static int is_secret(const char *path) {
    char text[16] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    return n > 0 && strncmp(text, "planted", 7) == 0 ? 0 : PROBE_NOT;
}

static int is_set_id(const char *path) {
    struct stat st;
    int is = stat(path, &st) == 0 && (st.st_mode & 06000);
    unlink(path);
    return is;
}

static void make(const char *path, mode_t mode) {
    int fd = open(path, O_WRONLY | O_CREAT, mode);
    if (fd >= 0) close(fd);
}

static void change(const char *path) {
    enum { NR_FCHMODAT2 = 452 };
    int fd = open(path, O_WRONLY | O_CREAT, 0755);
    (void)fchmod(fd, 04755);
    (void)chmod(path, 04755);
    (void)fchmodat(AT_FDCWD, path, 02755, 0);
    (void)syscall(NR_FCHMODAT2, AT_FDCWD, path, 04755, 0);
    close(fd);
}

static void make_how(const char *path) {
    struct {
        uint64_t flags, mode, resolve;
    } how = {O_WRONLY | O_CREAT, 04755, 0};
    long fd = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (fd >= 0) close((int)fd);
}

/* By every call that has a mode. */
int bind_set_id(void) {
    char path[4096], name[32];
    snprintf(name, sizeof name, "set-id-%d", (int)getpid());
    in_bind(name, path);
    make(path, 06755);
    if (is_set_id(path)) return 0;
    change(path);
    if (is_set_id(path)) return 0;
    (void)mknod(path, S_IFREG | 04755, 0);
    if (is_set_id(path)) return 0;
    make_how(path);
    return is_set_id(path) ? 0 : EPERM;
}

int bind_device(void) {
    char path[4096];
    return probe_open(in_bind("device", path), O_RDWR);
}

int bind_socket(void) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s/socket", probe_env("SHARED"));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd < 0
               ? errno
               : probe_result(connect(fd, (struct sockaddr *)&at, sizeof at));
}

int bind_link(void) {
    char path[4096];
    return is_secret(in_bind("link", path));
}

int bind_own_link(void) {
    char path[4096];
    in_bind("own-link", path);
    unlink(path);
    if (symlink(probe_env("SECRET"), path) < 0) return errno;
    int result = is_secret(path);
    unlink(path);
    return result;
}

int bind_climb(void) {
    char path[4096];
    return is_secret(in_bind("../secret", path));
}
