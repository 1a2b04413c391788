/* SPDX-License-Identifier: MIT
 *
 * Probes of processes: privileges, other processes, namespaces, limits.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

int have_caps(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct d[2] = {{0}};
    if (syscall(SYS_capget, &head, d) < 0) return errno;
    unsigned any = d[0].effective | d[0].permitted | d[0].inheritable |
                   d[1].effective | d[1].permitted | d[1].inheritable;
    for (unsigned long cap = 0; cap < 41; cap++)
        any |= prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1;
    return any ? 0 : EPERM;
}

int become_root(void) {
    if (getuid() == 0 || geteuid() == 0) return 0;
    return probe_result(setresuid(0, 0, 0));
}

int change_groups(void) {
    gid_t g = 0;
    return probe_result(setgroups(1, &g));
}

int no_nnp(void) {
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}

int no_filter(void) {
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2 ? EPERM : 0;
}

int kill_host(void) {
    pid_t pid = (pid_t)strtol(probe_env("HOST_PID"), NULL, 10);
    /* Inside a pid namespace the number may be one of ours. */
    if (pid <= 2 || pid == getpid()) return PROBE_NOT;
    return probe_result(kill(pid, 0));
}

/* Our own session is all there is: whoever else got it would be outside. The
 * sender is exempt. */
int kill_all(void) {
    int rc = kill(-1, 0);
    return rc < 0 ? errno : EPERM;
}

int pidfd_host(void) {
    pid_t pid = (pid_t)strtol(probe_env("HOST_PID"), NULL, 10);
    if (pid <= 2) return PROBE_NOT;
    return probe_result(syscall(SYS_pidfd_open, pid, 0));
}

/* Where signal 9 to pid 1 "works" the kernel has ignored it: alive means
 * blocked. */
int kill_init(void) {
    if (kill(1, SIGKILL) < 0) return errno;
    usleep(1000);
    return EPERM;
}

static pid_t sibling(void) {
    pid_t pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    return pid;
}

static int end(pid_t pid, int rc) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return rc;
}

int ptrace_sibling(void) {
    pid_t pid = sibling();
    return end(pid, probe_result(ptrace(PTRACE_ATTACH, pid, 0, 0)));
}

int vm_readv(void) {
    static char secret[16] = "secret", got[16];
    struct iovec here = {got, 16}, there = {secret, 16};
    pid_t pid = sibling();
    return end(pid,
               probe_result(process_vm_readv(pid, &here, 1, &there, 1, 0)));
}

int pidfd_getfd_sibling(void) {
    pid_t pid = sibling();
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0) return end(pid, errno);
    return end(pid, probe_result(syscall(SYS_pidfd_getfd, fd, 0, 0)));
}

int unshare_user(void) {
    return probe_result(unshare(CLONE_NEWUSER));
}
int unshare_mount(void) {
    return probe_result(unshare(CLONE_NEWNS));
}

int clone_user(void) {
    long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    return probe_result(pid);
}

int clone3_user(void) {
    unsigned long long args[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, args, sizeof args);
    if (pid == 0) _exit(0);
    return probe_result(pid);
}

int try_setns(void) {
    int fd = open("/proc/self/ns/net", O_RDONLY);
    if (fd < 0) return errno;
    return probe_result(setns(fd, 0));
}

int int80(void) {
    long rc = 20; /* getpid in the 32-bit table */
    __asm__ volatile("int $0x80" : "+a"(rc) : : "memory");
    return rc > 0 ? 0 : ENOSYS;
}

int x32_call(void) {
    return probe_result(syscall(0x40000000 | SYS_getpid));
}

int no_aslr(void) {
    return probe_result(personality(ADDR_NO_RANDOMIZE));
}

int memfd_exec(void) {
    char chunk[65536], path[64];
    int in = open("/bin/true", O_RDONLY);
    int out = (int)syscall(SYS_memfd_create, "program", 0);
    if (in < 0 || out < 0) return errno;
    for (ssize_t n; (n = read(in, chunk, sizeof chunk)) > 0;)
        if (write(out, chunk, (size_t)n) != n) return errno;
    snprintf(path, sizeof path, "/proc/self/fd/%d", out);
    pid_t pid = fork();
    int status = -1;
    if (pid == 0) {
        execl(path, "true", (char *)NULL);
        _exit(9);
    }
    waitpid(pid, &status, 0);
    return status == 0 ? 0 : EACCES;
}

int map_wx(void) {
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? errno : 0;
}

int undo_nnp(void) {
    return probe_result(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
}

int second_listener(void) {
    struct {
        unsigned short len;
        const void *filter;
    } none = {0, NULL};
    return probe_result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                SECCOMP_FILTER_FLAG_NEW_LISTENER, &none));
}

int raise_nice(void) {
    int now = getpriority(PRIO_PROCESS, 0);
    if (now < 0) return 0;
    return probe_result(setpriority(PRIO_PROCESS, 0, now - 1));
}

int realtime(void) {
    struct sched_param p = {.sched_priority = 1};
    return probe_result(sched_setscheduler(0, SCHED_FIFO, &p));
}

int raise_limit(void) {
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_max += 1;
    r.rlim_cur = r.rlim_max;
    return probe_result(setrlimit(RLIMIT_NOFILE, &r));
}

int lock_memory(void) {
    static char big[4 << 20];
    return probe_result(mlock(big, sizeof big));
}

int dump_core(void) {
    struct rlimit r;
    getrlimit(RLIMIT_CORE, &r);
    return r.rlim_max ? 0 : EPERM;
}

int host_shm(void) {
    int id = shmget((key_t)strtol(probe_env("HOST_SHM"), NULL, 10), 0, 0);
    if (id < 0) return errno;
    return shmat(id, NULL, SHM_RDONLY) == (void *)-1 ? errno : 0;
}

int many_pipes(void) {
    for (int i = 0; i < 4096; i++) {
        int pair[2];
        if (pipe(pair) < 0) return errno;
        if (fcntl(pair[1], F_SETPIPE_SZ, 1 << 20) < 0) return errno;
    }
    return 0;
}

int many_files(void) {
    for (int i = 0; i < 100000; i++)
        if (open("/dev/null", O_RDONLY) < 0) return errno;
    return 0;
}

int init_descriptor(void) {
    int fd = (int)syscall(SYS_pidfd_open, 1, 0);
    return fd < 0 ? errno : probe_result(syscall(SYS_pidfd_getfd, fd, 0, 0));
}

int init_memory(void) {
    enum { NR_PROCESS_MADVISE = 440, COLD = 20 };
    static char page[4096];
    struct iovec part = {page, sizeof page};
    int fd = (int)syscall(SYS_pidfd_open, 1, 0);
    if (fd < 0) return errno;
    return probe_result(syscall(NR_PROCESS_MADVISE, fd, &part, 1, COLD, 0));
}

int init_compare(void) {
    return probe_result(syscall(SYS_kcmp, getpid(), 1, 1, 0, 0));
}
