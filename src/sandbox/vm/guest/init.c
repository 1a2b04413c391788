/* SPDX-License-Identifier: MIT
 *
 * The first program of a virtual machine. It loads four drivers, says that it
 * is ready (and there the snapshot is taken), receives a task, runs it as an
 * ordinary user and tells how it ended. It is no part of the other programs:
 * static, and with nothing but the C library.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/random.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

enum { USER = 1000, MAX_WORDS = 4096, MAX_TEXT = VM_MAX_FRAME };

static int port = -1;

static _Noreturn void off(void) {
    sync();
    reboot(RB_POWER_OFF);
    for (;;)
        pause();
}

/* --- the channel --- */

static void put(const void *p, size_t n) {
    for (const char *at = p; n;) {
        ssize_t done = write(port, at, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN) off();
        if (done <= 0) continue;
        at += done;
        n -= (size_t)done;
    }
}

static void send_frame(enum vm_kind kind, const void *p, size_t n) {
    struct vm_head head = {(uint32_t)kind, (uint32_t)n};
    put(&head, sizeof head);
    put(p, n);
}

static _Noreturn void fail(const char *what) {
    char text[256];
    int n =
        snprintf(text, sizeof text, "guest: %.128s: %s", what, strerror(errno));
    send_frame(VM_FAILED, text, (size_t)n);
    off();
}

/* Nothing is read before the host is there: the port then has no bytes. */
static void get(void *p, size_t n) {
    for (char *at = p; n;) {
        ssize_t done = read(port, at, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN) off();
        if (done == 0) usleep(200);
        if (done <= 0) continue;
        at += done;
        n -= (size_t)done;
    }
}

/* --- the machine --- */

static void load(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/modules/%s.ko", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) syscall(SYS_finit_module, fd, "", 0);
    if (fd >= 0) close(fd);
}

static void set_up(void) {
    static const char *const modules[] = {"virtio", "virtio_ring",
                                          "virtio_mmio", "virtio_console"};
    mkdir("/proc", 0755);
    mkdir("/dev", 0755);
    mkdir("/tmp", 0755);
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    mount("dev", "/dev", "devtmpfs", MS_NOSUID | MS_NOEXEC, NULL);
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        load(modules[i]);
    for (int i = 0; i < 3000 && port < 0; i++) {
        port = open("/dev/vport0p1", O_RDWR | O_CLOEXEC);
        if (port < 0) usleep(10000);
    }
    if (port < 0) off();
}

/* --- the task --- */

struct task {
    struct vm_task head;
    char *argv[MAX_WORDS + 1];
    char *env[MAX_WORDS + 1];
    char *cwd;
};

static char *next_word(char **at, const char *end) {
    char *word = *at;
    char *nul = memchr(word, 0, (size_t)(end - word));
    if (!nul) fail("task");
    *at = nul + 1;
    return word;
}

static void read_task(struct task *t, char *text, size_t size) {
    char *at = text + sizeof t->head;
    if (size < sizeof t->head) fail("task");
    memcpy(&t->head, text, sizeof t->head);
    if (t->head.argc > MAX_WORDS || t->head.envc > MAX_WORDS) fail("task");
    for (uint32_t i = 0; i < t->head.argc; i++)
        t->argv[i] = next_word(&at, text + size);
    for (uint32_t i = 0; i < t->head.envc; i++)
        t->env[i] = next_word(&at, text + size);
    t->cwd = next_word(&at, text + size);
}

/* What the snapshot would repeat in every machine made from it. */
static void renew(const struct vm_task *t) {
    struct {
        int bits, size;
        uint8_t seed[sizeof t->seed];
    } entropy = {.bits = 8 * (int)sizeof t->seed, .size = sizeof t->seed};
    memcpy(entropy.seed, t->seed, sizeof t->seed);
    int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);
    if (fd < 0 || ioctl(fd, RNDADDENTROPY, &entropy) < 0 ||
        ioctl(fd, RNDRESEEDCRNG) < 0)
        fail("random numbers");
    close(fd);
    struct timespec now = {t->sec, t->nsec};
    if (clock_settime(CLOCK_REALTIME, &now) < 0) fail("clock");
}

static void make_scratch(const struct vm_task *t) {
    char options[96];
    snprintf(options, sizeof options, "size=%llu,nr_inodes=%llu,mode=1777",
             (unsigned long long)t->scratch, (unsigned long long)t->inodes);
    if (mount("none", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        fail("/tmp");
}

static int make_file(const char *text, size_t size) {
    struct vm_file head;
    char path[4096];
    if (size <= sizeof head || size - sizeof head >= sizeof path) fail("file");
    memcpy(&head, text, sizeof head);
    memcpy(path, text + sizeof head, size - sizeof head);
    path[size - sizeof head] = 0;
    for (char *slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(path, 0755);
    }
    if (S_ISDIR(head.mode)) {
        mkdir(path, 0755);
        return -1;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                  (mode_t)(head.mode & 0555));
    if (fd < 0) fail(path);
    return fd;
}

static void receive(struct task *t) {
    static char task_text[MAX_TEXT], text[MAX_TEXT];
    int file = -1;
    for (;;) {
        struct vm_head head;
        get(&head, sizeof head);
        if (head.size > MAX_TEXT) fail("frame");
        char *to = head.kind == VM_TASK ? task_text : text;
        get(to, head.size);
        if (head.kind == VM_GO) break;
        if (head.kind == VM_TASK) {
            read_task(t, task_text, head.size);
            renew(&t->head);
            make_scratch(&t->head);
        } else if (head.kind == VM_FILE) {
            if (file >= 0) close(file);
            file = make_file(text, head.size);
        } else if (file < 0 ||
                   write(file, text, head.size) != (ssize_t)head.size) {
            fail("file");
        }
    }
    if (file >= 0) close(file);
}

static void limit(int which, uint64_t value) {
    struct rlimit both = {value, value};
    if (setrlimit((__rlimit_resource_t)which, &both) < 0) fail("limit");
}

static _Noreturn void run(const struct task *t, const int out[2],
                          const int err[2]) {
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(out[1], 1) < 0 ||
        dup2(err[1], 2) < 0)
        _exit(125);
    limit(RLIMIT_NOFILE, t->head.files);
    limit(RLIMIT_FSIZE, t->head.file_size);
    limit(RLIMIT_NPROC, t->head.pids);
    limit(RLIMIT_CORE, 0);
    if (chdir(t->cwd) < 0 || setsid() < 0 || setgroups(0, NULL) < 0 ||
        setresgid(USER, USER, USER) < 0 || setresuid(USER, USER, USER) < 0) {
        dprintf(2, "%s: %s\n", t->cwd, strerror(errno));
        _exit(125);
    }
    execvpe(t->argv[0], t->argv, t->env);
    dprintf(2, "%s: %s\n", t->argv[0], strerror(errno));
    _exit(127);
}

/* False when there is nothing more to come. */
static bool pass_on(int fd, enum vm_kind kind) {
    static char chunk[VM_MAX_FRAME / 2];
    ssize_t n = read(fd, chunk, sizeof chunk);
    if (n > 0) send_frame(kind, chunk, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Until the program ends; whoever it left behind may hold the pipes open and
 * is not waited for. */
static void pump(int out, int err, pid_t pid) {
    int ended = (int)syscall(SYS_pidfd_open, pid, 0);
    if (ended < 0) fail("pidfd");
    struct pollfd fds[] = {
        {out, POLLIN, 0}, {err, POLLIN, 0}, {ended, POLLIN, 0}};
    while (!fds[2].revents) {
        if (poll(fds, 3, -1) < 0 && errno != EINTR) return;
        if (fds[0].revents && !pass_on(out, VM_OUT)) fds[0].fd = -1;
        if (fds[1].revents && !pass_on(err, VM_ERR)) fds[1].fd = -1;
    }
    fcntl(out, F_SETFL, O_NONBLOCK);
    fcntl(err, F_SETFL, O_NONBLOCK);
    while (pass_on(out, VM_OUT) || pass_on(err, VM_ERR))
        continue;
}

int main(void) {
    static struct task t;
    struct vm_end end = {0};
    struct rusage u;
    int out[2], err[2];
    set_up();
    send_frame(VM_READY, NULL, 0);
    receive(&t);
    for (uint32_t i = 0; i < t.head.envc; i++)
        if (strncmp(t.env[i], "PATH=", 5) == 0) environ = t.env;
    if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0) fail("pipe");
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) run(&t, out, err);
    close(out[1]);
    close(err[1]);
    pump(out[0], err[0], pid);
    while (wait4(pid, &end.status, 0, &u) < 0 && errno == EINTR)
        continue;
    end.cpu_ns = (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000ll +
                 (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000ll;
    end.memory = (uint64_t)u.ru_maxrss * 1024;
    send_frame(VM_END, &end, sizeof end);
    for (;;)
        pause();
}
