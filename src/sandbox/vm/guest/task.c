/* SPDX-License-Identifier: MIT
 *
 * A task on its way in, and the program it becomes.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/random.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

static struct sock_fprog filter;

static char *next_word(char **at, const char *end) {
    char *word = *at;
    char *nul = memchr(word, 0, (size_t)(end - word));
    if (!nul) channel_fail("task");
    *at = nul + 1;
    return word;
}

static void read_task(struct task *t, char *text, size_t size) {
    char *at = text + sizeof t->head;
    if (size < sizeof t->head) channel_fail("task");
    memcpy(&t->head, text, sizeof t->head);
    if (t->head.argc > MAX_WORDS || t->head.envc > MAX_WORDS)
        channel_fail("task");
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
        channel_fail("random numbers");
    close(fd);
    struct timespec now = {t->sec, t->nsec};
    if (clock_settime(CLOCK_REALTIME, &now) < 0) channel_fail("clock");
}

static void make_scratch(const struct vm_task *t) {
    char options[96];
    snprintf(options, sizeof options, "size=%llu,nr_inodes=%llu,mode=1777",
             (unsigned long long)t->scratch, (unsigned long long)t->inodes);
    if (mount("none", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        channel_fail("/tmp");
}

static int make_file(const char *text, size_t size) {
    struct vm_file head;
    char path[4096];
    if (size <= sizeof head || size - sizeof head >= sizeof path)
        channel_fail("file");
    memcpy(&head, text, sizeof head);
    memcpy(path, text + sizeof head, size - sizeof head);
    path[size - sizeof head] = 0;
    for (char *slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(path, 0755);
    }
    bool theirs = binds_filling();
    if (S_ISDIR(head.mode)) {
        mkdir(path, 0755);
        if (theirs && chown(path, USER, USER) < 0) channel_fail(path);
        return -1;
    }
    mode_t mode = head.mode & 0555;
    if (theirs) mode = (head.mode & 0777) | 0600;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (fd < 0 || (theirs && fchown(fd, USER, USER) < 0)) channel_fail(path);
    return fd;
}

/* One of the frames that come before GO; file is the one being written. */
static void take(struct task *t, uint32_t kind, char *text, size_t size,
                 int *file) {
    if (kind == VM_TASK) {
        read_task(t, text, size);
        renew(&t->head);
        make_scratch(&t->head);
    } else if (kind == VM_FILTER) {
        filter.len = (unsigned short)(size / sizeof(struct sock_filter));
        filter.filter = (struct sock_filter *)(void *)text;
    } else if (kind == VM_BIND) {
        binds_add(text, size);
    } else if (kind == VM_FILE) {
        if (*file >= 0) close(*file);
        *file = make_file(text, size);
    } else if (*file < 0 || write(*file, text, size) != (ssize_t)size) {
        channel_fail("file");
    }
}

void task_receive(struct task *t) {
    static _Alignas(8) char kept[2][VM_MAX_FRAME], other[VM_MAX_FRAME];
    int file = -1;
    for (;;) {
        struct vm_head head;
        channel_get(&head, sizeof head);
        if (head.size > VM_MAX_FRAME) channel_fail("frame");
        char *to = head.kind == VM_TASK     ? kept[0]
                   : head.kind == VM_FILTER ? kept[1]
                                            : other;
        channel_get(to, head.size);
        if (head.kind == VM_GO) break;
        take(t, head.kind, to, head.size, &file);
    }
    if (file >= 0) close(file);
    binds_cover(&t->head);
    if (mount(NULL, "/", NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID, NULL) < 0)
        channel_fail("read-only root");
}

static void limit(int which, uint64_t value) {
    struct rlimit both = {value, value};
    if (setrlimit((__rlimit_resource_t)which, &both) < 0) channel_fail("limit");
}

/* The machine is the wall; this is the second one, around its kernel. */
static int confine(void) {
    for (int i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
        if (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) < 0) return -1;
    if (setgroups(0, NULL) < 0 || setresgid(USER, USER, USER) < 0 ||
        setresuid(USER, USER, USER) < 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return filter.len ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) : 0;
}

void task_run(const struct task *t, const int std[4]) {
    for (int i = 0; i < 4; i++)
        if (std[i] >= 0 && dup2(std[i], i) < 0) _exit(125);
    limit(RLIMIT_NOFILE, t->head.files);
    limit(RLIMIT_FSIZE, t->head.file_size);
    limit(RLIMIT_NPROC, t->head.pids);
    limit(RLIMIT_MEMLOCK, 64 << 10);
    limit(RLIMIT_CORE, 0);
    signal(SIGPIPE, SIG_DFL);
    if (chdir(t->cwd) < 0 || setsid() < 0 || confine() < 0) {
        dprintf(2, "%s: %s\n", t->cwd, strerror(errno));
        _exit(125);
    }
    for (uint32_t i = 0; i < t->head.envc; i++)
        if (strncmp(t->env[i], "PATH=", 5) == 0)
            environ = (char **)(uintptr_t)t->env;
    execvpe(t->argv[0], t->argv, t->env);
    dprintf(2, "%s: %s\n", t->argv[0], strerror(errno));
    _exit(127);
}
