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

static void set_up(void) {
    static const char *const modules[] = {"virtio",      "virtio_ring",
                                          "virtio_mmio", "virtio_console",
                                          "virtio_blk",  "overlay"};
    mkdir("/proc", 0755);
    mkdir("/dev", 0755);
    mkdir("/tmp", 0755);
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    mount("dev", "/dev", "devtmpfs", MS_NOSUID | MS_NOEXEC, NULL);
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        load(modules[i]);
    for (int i = 0; i < 3000 && channel_open() < 0; i++)
        usleep(10000);
    if (channel_fd() < 0) channel_off();
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

static pid_t start(const struct task *t, int ours[3]) {
    int in[2], out[2], err[2];
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 ||
        pipe2(err, O_CLOEXEC) < 0)
        channel_fail("pipe");
    pid_t pid = fork();
    if (pid < 0) channel_fail("fork");
    const int std[] = {in[0], out[1], err[1]};
    if (pid == 0) task_run(t, std);
    for (int i = 0; i < 3; i++)
        close(std[i]);
    ours[0] = in[1];
    ours[1] = out[0];
    ours[2] = err[0];
    return pid;
}

int main(void) {
    static struct task t;
    struct vm_end end = {0};
    struct rusage u;
    int std[3];
    signal(SIGPIPE, SIG_IGN);
    set_up();
    channel_send(VM_READY, NULL, 0);
    task_receive(&t);
    pid_t pid = start(&t, std);
    pump(std[0], std[1], std[2], pid);
    while (wait4(pid, &end.status, 0, &u) < 0 && errno == EINTR)
        continue;
    end.cpu_ns = cpu_of(&u);
    end.memory = (uint64_t)u.ru_maxrss * 1024;
    kill(-1, SIGKILL); /* nobody changes a file any more */
    while (wait(NULL) > 0 || errno == EINTR)
        continue;
    if (t.head.keep) leave();
    channel_send(VM_END, &end, sizeof end);
    for (;;)
        pause();
}
