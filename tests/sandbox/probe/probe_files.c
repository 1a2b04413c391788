/* SPDX-License-Identifier: MIT
 *
 * Probes of files: what may be read, written, linked, mounted and filled.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "probe.h"

int read_shadow(void) {
    return probe_open("/etc/shadow", O_RDONLY);
}
int read_secret(void) {
    return probe_open(probe_env("SECRET"), O_RDONLY);
}

int list_home(void) {
    DIR *d = opendir("/root");
    return d ? 0 : errno;
}

int read_proc1_root(void) {
    char path[512];
    snprintf(path, sizeof path, "/proc/1/root%s", probe_env("SECRET"));
    return probe_open(path, O_RDONLY);
}

static int create(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd >= 0) unlink(path);
    return probe_result(fd);
}

int write_usr(void) {
    return create("/usr/cordon-probe");
}
int write_etc(void) {
    return create("/etc/cordon-probe");
}
int write_root(void) {
    return create("/cordon-probe");
}
int chmod_usr(void) {
    return probe_result(chmod("/usr", 0777));
}

int remount_root(void) {
    return probe_result(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
}

int try_chroot(void) {
    return probe_result(chroot("/tmp"));
}
int try_pivot(void) {
    return probe_result(syscall(SYS_pivot_root, "/tmp", "/tmp"));
}

int mount_tmpfs(void) {
    return probe_result(mount("none", "/tmp", "tmpfs", 0, NULL));
}
int mount_proc(void) {
    return probe_result(mount("none", "/tmp", "proc", 0, NULL));
}
int mount_bind(void) {
    return probe_result(mount("/usr", "/tmp", NULL, MS_BIND, NULL));
}
int umount_proc(void) {
    return probe_result(umount2("/proc", MNT_DETACH));
}
int try_fsopen(void) {
    return probe_result(fsopen("tmpfs", 0));
}
int try_open_tree(void) {
    return probe_result(open_tree(AT_FDCWD, "/usr", OPEN_TREE_CLONE));
}
int try_mount_setattr(void) {
    struct mount_attr attr = {.attr_clr = MOUNT_ATTR_RDONLY};
    return probe_result(mount_setattr(AT_FDCWD, "/", 0, &attr, sizeof attr));
}
int try_move_mount(void) {
    return probe_result(move_mount(AT_FDCWD, "/proc", AT_FDCWD, "/tmp", 0));
}

int open_by_handle(void) {
    struct {
        struct file_handle head;
        unsigned char id[8];
    } h = {.head = {.handle_bytes = 8, .handle_type = 1}, .id = {2}};
    return probe_result(syscall(SYS_open_by_handle_at, AT_FDCWD, &h, O_RDONLY));
}

int name_to_handle(void) {
    struct {
        struct file_handle head;
        unsigned char id[128];
    } h = {.head = {.handle_bytes = 128}};
    int mount_id;
    return probe_result(
        syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", &h, &mount_id, 0));
}

int mknod_char(void) {
    return probe_result(mknod("/tmp/dev", S_IFCHR | 0600, (1 << 8) | 1));
}
int mknod_block(void) {
    return probe_result(mknod("/tmp/dev", S_IFBLK | 0600, 254 << 8));
}

int symlink_secret(void) {
    unlink("/tmp/link");
    if (symlink(probe_env("SECRET"), "/tmp/link") < 0) return errno;
    return probe_open("/tmp/link", O_RDONLY);
}

int hardlink_usr(void) {
    return probe_result(link("/usr/bin/env", "/tmp/hard"));
}

/* Runs a program and tells whether its effective uid differs from its real
 * one, by the exit status of `test`. */
static int gains(const char *program) {
    pid_t pid = fork();
    int status = 1;
    if (pid == 0) {
        execl(program, program, "-p", "-c", "[ $(id -u) != $(id -ru) ]",
              (char *)NULL);
        _exit(9);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EPERM;
}

static int copy_file(const char *from, const char *to) {
    char chunk[65536];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT, 0755);
    if (in < 0 || out < 0) return -1;
    for (ssize_t n; (n = read(in, chunk, sizeof chunk)) > 0;)
        if (write(out, chunk, (size_t)n) != n) return -1;
    close(in);
    return close(out);
}

int setuid_scratch(void) {
    if (copy_file("/bin/sh", "/tmp/suid-sh") < 0) return errno;
    if (chmod("/tmp/suid-sh", 06755) < 0) return errno;
    return gains("/tmp/suid-sh");
}

int setuid_system(void) {
    struct stat st;
    if (stat("/usr/bin/su", &st) < 0) return PROBE_NOT;
    if (!(st.st_mode & S_ISUID)) return PROBE_NOT;
    /* su refuses without a password long before this would matter; what
     * counts is whether the kernel would have honoured the bit. */
    pid_t pid = fork();
    int status = 0;
    if (pid == 0) {
        close(0);
        execl("/usr/bin/su", "su", "-c", "true", (char *)NULL);
        _exit(9);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EPERM;
}

/* Writes up to `limit` bytes in files of `each`; 0 when all of it fitted. */
static int fill(const char *dir, size_t limit, size_t each) {
    static char chunk[1 << 20];
    char path[128];
    for (size_t done = 0, file = 0; done < limit; file++) {
        snprintf(path, sizeof path, "%s/fill%zu", dir, file);
        int fd = open(path, O_WRONLY | O_CREAT, 0600);
        if (fd < 0) return errno;
        for (size_t in_file = 0; in_file < each; in_file += sizeof chunk) {
            ssize_t n = write(fd, chunk, sizeof chunk);
            if (n != sizeof chunk) return n < 0 ? errno : ENOSPC;
            done += sizeof chunk;
        }
        close(fd);
    }
    return 0;
}

static void empty(const char *dir) {
    char path[128];
    for (size_t file = 0; file < 512; file++) {
        snprintf(path, sizeof path, "%s/fill%zu", dir, file);
        if (unlink(path) < 0) return;
    }
}

int fill_disk(void) {
    int rc = fill("/tmp", (size_t)256 << 20, 16 << 20);
    empty("/tmp");
    return rc;
}

int fill_shm(void) {
    int rc = fill("/dev/shm", (size_t)256 << 20, 16 << 20);
    empty("/dev/shm");
    return rc;
}

int sparse_file(void) {
    signal(25 /* SIGXFSZ */, SIG_IGN);
    int fd = open("/tmp/sparse", O_WRONLY | O_CREAT, 0600);
    if (fd < 0) return errno;
    int rc = probe_result(ftruncate(fd, (off_t)1 << 40));
    unlink("/tmp/sparse");
    return rc;
}

int many_inodes(void) {
    char path[64];
    int rc = 0, made = 0;
    for (; made < 100000 && !rc; made++) {
        snprintf(path, sizeof path, "/tmp/i%d", made);
        rc = probe_result(mkdir(path, 0700));
    }
    for (int i = 0; i < made; i++) {
        snprintf(path, sizeof path, "/tmp/i%d", i);
        rmdir(path);
    }
    return rc;
}

int deleted_files(void) {
    static char chunk[1 << 20];
    for (int i = 0; i < 200; i++) {
        int fd = open("/tmp/gone", O_WRONLY | O_CREAT, 0600);
        if (fd < 0) return errno;
        unlink("/tmp/gone");
        ssize_t n = write(fd, chunk, sizeof chunk);
        if (n != sizeof chunk) return n < 0 ? errno : ENOSPC;
    }
    return 0;
}

/* Anything beyond the three standard streams (and what we opened). */
int leaked_directory(void) {
    for (int fd = 0; fd < 1024; fd++) {
        struct stat st;
        if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) return 0;
    }
    return EBADF;
}

int old_files(void) {
    DIR *d = opendir("/tmp");
    if (!d) return errno;
    int found = 0;
    for (struct dirent *e; (e = readdir(d));)
        found += strstr(e->d_name, "planted") != NULL;
    closedir(d);
    return found ? 0 : ENOENT;
}

int old_env(void) {
    return *probe_env("PLANTED") ? 0 : ENOENT;
}

/* listmount(2) of Linux 6.8: names what /proc hides. */
int list_mounts(void) {
    enum { NR_LISTMOUNT = 458 };
    struct {
        uint32_t size, spare;
        uint64_t mount, parameter;
    } ask = {24, 0, UINT64_MAX, 0};
    uint64_t ids[16];
    return probe_result(syscall(NR_LISTMOUNT, &ask, ids, 16, 0));
}

/* cap_setuid, in the form of revision 2. */
int file_capability(void) {
    const uint32_t value[5] = {0x02000001, 1 << 7, 0, 0, 0};
    int fd = open("/tmp/capable", O_WRONLY | O_CREAT, 0755);
    if (fd < 0) return errno;
    int result =
        probe_result(fsetxattr(fd, "security.capability", value, 20, 0));
    close(fd);
    unlink("/tmp/capable");
    return result;
}

/* A directory of the host that was left as the working directory, or below a
 * descriptor: CVE-2024-21626. */
int climb_out(void) {
    static const char up[] = "../../../../../../../../..";
    char path[4096];
    int first = ENOENT;
    for (int i = -1; i < 16; i++) {
        if (i < 0)
            snprintf(path, sizeof path, "%s%s", up, probe_env("SECRET"));
        else
            snprintf(path, sizeof path, "/proc/self/fd/%d/%s%s", i, up,
                     probe_env("SECRET"));
        int result = probe_open(path, O_RDONLY);
        if (result == 0) return 0;
        if (i < 0) first = result;
    }
    return first;
}
