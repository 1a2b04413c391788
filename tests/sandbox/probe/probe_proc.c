/* SPDX-License-Identifier: MIT
 *
 * Probes of /proc, /sys and /dev.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

static int list(const char *path) {
    DIR *d = opendir(path);
    if (!d) return errno;
    int entries = 0;
    for (struct dirent *e; (e = readdir(d));)
        entries += e->d_name[0] != '.';
    closedir(d);
    return entries ? 0 : ENOENT;
}

/* Opening is not enough where the kernel gives an empty or zeroed file. */
static int read_some(const char *path) {
    char c;
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    if (fd < 0) return errno;
    ssize_t n = read(fd, &c, 1);
    int rc = n < 0 ? errno : n == 0 ? ENODATA : 0;
    close(fd);
    return rc;
}

int proc1_environ(void) {
    return read_some("/proc/1/environ");
}
int proc1_mem(void) {
    return probe_open("/proc/1/mem", O_RDWR);
}
int proc1_fd(void) {
    return list("/proc/1/fd");
}

int proc_host(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/status", probe_env("HOST_PID"));
    int fd = open(path, O_RDONLY);
    if (fd < 0) return errno;
    char text[64] = {0};
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    /* The same number may belong to one of ours; its name tells. */
    return n > 0 && strstr(text, "sleep") ? 0 : ESRCH;
}

#define WRITES(name, path)                 \
    int name(void) {                       \
        return probe_open(path, O_WRONLY); \
    }
#define READS(name, path)       \
    int name(void) {            \
        return read_some(path); \
    }

WRITES(core_pattern, "/proc/sys/kernel/core_pattern")
WRITES(sysrq, "/proc/sysrq-trigger")
WRITES(modprobe_path, "/proc/sys/kernel/modprobe")
WRITES(uevent_helper, "/sys/kernel/uevent_helper")
WRITES(binfmt_misc, "/proc/sys/fs/binfmt_misc/register")
WRITES(write_sysctl, "/proc/sys/vm/overcommit_memory")
WRITES(release_agent, "/sys/fs/cgroup/memory/release_agent")
WRITES(self_exe, "/proc/self/exe")
WRITES(dev_kvm, "/dev/kvm")
WRITES(dev_disk, "/dev/vda")
WRITES(dev_mem, "/dev/mem")
WRITES(dev_kmsg, "/dev/kmsg")
WRITES(dev_fuse, "/dev/fuse")
WRITES(dev_tun, "/dev/net/tun")
WRITES(dev_tty, "/dev/tty")
WRITES(oom_score, "/proc/self/oom_score_adj")
READS(kallsyms, "/proc/kallsyms")
READS(machine_id, "/etc/machine-id")
READS(dmi, "/sys/class/dmi/id/product_name")
READS(proc_keys, "/proc/keys")
READS(proc_kcore, "/proc/kcore")

int own_cgroup(void) {
    static const char *const paths[] = {
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/pids/cgroup.procs",
        "/sys/fs/cgroup/cgroup.procs",
        "/sys/fs/cgroup/unified/cgroup.procs",
    };
    int rc = PROBE_NOT;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if ((rc = probe_open(paths[i], O_WRONLY)) == 0) return 0;
    return rc;
}

int self_mem(void) {
    static const char text[] = "constant";
    int fd = open("/proc/self/mem", O_RDWR);
    if (fd < 0) return errno;
    ssize_t n = pwrite(fd, "C", 1, (off_t)(unsigned long)text);
    return n == 1 ? 0 : errno;
}

int tiocsti(void) {
    char c = 'x';
    return probe_result(ioctl(0, TIOCSTI, &c));
}

int tioclinux(void) {
    char c = 3;
    return probe_result(ioctl(0, TIOCLINUX, &c));
}

int host_name(void) {
    struct utsname u;
    uname(&u);
    return strcmp(u.nodename, probe_env("HOST_NAME")) == 0 ? 0 : ENOENT;
}

/* Machines can be told apart by it. */
int host_uptime(void) {
    struct timespec up;
    long host = strtol(probe_env("HOST_UPTIME"), NULL, 10);
    if (clock_gettime(CLOCK_BOOTTIME, &up) < 0) return errno;
    long apart = (long)up.tv_sec - host;
    return apart > -300 && apart < 300 ? 0 : PROBE_NOT;
}

static int write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    int result = probe_result(write(fd, text, strlen(text)));
    close(fd);
    return result;
}

/* CVE-2019-5736: also through a descriptor that was opened before. */
int init_exe(void) {
    char path[64];
    int result = probe_open("/proc/1/exe", O_WRONLY);
    int fd = open("/proc/1/exe", O_PATH | O_CLOEXEC);
    if (result == 0 || fd < 0) return result;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return probe_open(path, O_WRONLY);
}

int sysfs_write(void) {
    int result =
        write_text("/sys/kernel/mm/transparent_hugepage/enabled", "never");
    return result ? write_text("/sys/power/state", "mem") : 0;
}

int clock_offsets(void) {
    return write_text("/proc/self/timens_offsets", "monotonic 100000 0");
}

int map_ids(void) {
    int result = write_text("/proc/self/uid_map", "0 0 1");
    if (result) result = write_text("/proc/self/gid_map", "0 0 1");
    return result ? write_text("/proc/self/setgroups", "allow") : 0;
}

int make_terminal(void) {
    int result = probe_open("/dev/ptmx", O_RDWR | O_NOCTTY);
    return result ? probe_open("/dev/pts/ptmx", O_RDWR | O_NOCTTY) : 0;
}

int host_sockets(void) {
    char line[512];
    const char *name = probe_env("HOST_ABSTRACT");
    FILE *f = fopen("/proc/net/unix", "re");
    int found = 0;
    if (!f) return errno;
    while (fgets(line, sizeof line, f))
        found |= strstr(line, name) != NULL;
    fclose(f);
    return found ? 0 : PROBE_NOT;
}
