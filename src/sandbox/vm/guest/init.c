/* SPDX-License-Identifier: MIT
 *
 * The machine: loads its drivers, says that it is ready (and there the snapshot
 * is taken), receives a task, runs it as an ordinary user and tells how it
 * ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static void load(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/modules/%s.ko", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) syscall(SYS_finit_module, fd, "", 0);
    if (fd >= 0) close(fd);
}

static void set(const char *path, const char *value) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return; /* not every kernel has each of them */
    if (write(fd, value, strlen(value)) < 0) channel_fail(path);
    close(fd);
}

/* Where there is an image, its /usr lies over ours. */
static void mount_image(void) {
    mkdir("/image", 0755);
    if (mount("/dev/vda", "/image", "ext4", MS_RDONLY | MS_NOSUID | MS_NODEV,
              "norecovery") < 0)
        return;
    if (mount("none", "/usr", "overlay", MS_RDONLY | MS_NOSUID | MS_NODEV,
              "lowerdir=/image/usr:/usr") < 0)
        channel_fail("image");
}

/* The kernel gives us no streams. What is opened later must not have the
 * numbers that a program's have. */
static void fill_low(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd < 3);
    if (fd < 0) channel_off();
}

static void set_up(void) {
    static const char *const modules[] = {
        "virtio",         "virtio_ring",  "virtio_mmio",
        "virtio_console", "virtio_blk",   "overlay",
        "vsock",          "vsock_common", "vsock_virtio"};
    mkdir("/proc", 0755);
    mkdir("/dev", 0755);
    mkdir("/tmp", 0755);
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    mount("dev", "/dev", "devtmpfs", MS_NOSUID | MS_NOEXEC, NULL);
    fill_low();
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        load(modules[i]);
    for (int i = 0; !channel_open(); i++) {
        if (i == 3000) channel_off();
        usleep(10000);
    }
    mount_image();
    set("/proc/sys/kernel/kptr_restrict", "2");
    set("/proc/sys/kernel/dmesg_restrict", "1");
    set("/proc/sys/kernel/modules_disabled", "1");
    set("/proc/sys/user/max_user_namespaces", "0");
}

static int64_t cpu_of(const struct rusage *u) {
    return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000000ll +
           (u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000ll;
}

/* The program's ends, and ours of the same. */
static void make_ends(const struct task *t, int theirs[4], struct pump *ours) {
    int in[2], out[2], err[2], tools[2] = {-1, -1};
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 ||
        pipe2(err, O_CLOEXEC) < 0 ||
        (t->head.tools &&
         socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, tools) < 0))
        channel_fail("pipe");
    *ours = (struct pump){.in = in[1],
                          .out = out[0],
                          .err = err[0],
                          .tools = tools[0],
                          .listener = net_open((enum vm_net)t->head.net)};
    theirs[0] = in[0];
    theirs[1] = out[1];
    theirs[2] = err[1];
    theirs[3] = tools[1];
}

static pid_t start(const struct task *t, struct pump *ours) {
    int theirs[4];
    make_ends(t, theirs, ours);
    pid_t pid = fork();
    if (pid < 0) channel_fail("fork");
    if (pid == 0) task_run(t, theirs);
    for (int i = 0; i < 4; i++)
        if (theirs[i] >= 0) close(theirs[i]);
    return pid;
}

int main(void) {
    static struct task t;
    struct vm_end end = {0};
    struct rusage u;
    struct pump ours;
    signal(SIGPIPE, SIG_IGN);
    set_up();
    channel_ready();
    task_receive(&t);
    pid_t pid = start(&t, &ours);
    pump(&ours, pid);
    while (wait4(pid, &end.status, 0, &u) < 0 && errno == EINTR)
        continue;
    end.cpu_ns = cpu_of(&u);
    end.memory = (uint64_t)u.ru_maxrss * 1024;
    kill(-1, SIGKILL); /* nobody changes a file any more */
    while (wait(NULL) > 0 || errno == EINTR)
        continue;
    if (t.head.keep) leave();
    binds_leave();
    channel_send(VM_END, &end, sizeof end);
    for (;;)
        pause();
}
