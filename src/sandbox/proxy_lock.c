/* SPDX-License-Identifier: MIT
 *
 * The system calls of the proxy: it serves connections, makes some, reads two
 * files of /etc and forks. Whoever takes it over can do no more.
 */
#include <errno.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/bpf.h"
#include "sandbox/proxy.h"
#include "sandbox/sysnum.h"

#define NEW_NAMESPACES                                           \
    (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | \
     CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

static const int calls[] = {
    __NR_read,         __NR_write,           __NR_readv,
    __NR_writev,       __NR_close,           __NR_fstat,
    __NR_newfstatat,   __NR_lseek,           __NR_poll,
    __NR_ppoll,        __NR_recvfrom,        __NR_recvmsg,
    __NR_sendto,       __NR_sendmsg,         __NR_connect,
    __NR_getsockopt,   __NR_setsockopt,      __NR_getsockname,
    __NR_getpeername,  __NR_shutdown,        __NR_accept,
    __NR_accept4,      __NR_wait4,           __NR_exit,
    __NR_exit_group,   __NR_rt_sigaction,    __NR_rt_sigprocmask,
    __NR_rt_sigreturn, __NR_alarm,           __NR_setitimer,
    __NR_nanosleep,    __NR_clock_nanosleep, __NR_clock_gettime,
    __NR_getrandom,    __NR_munmap,          __NR_mremap,
    __NR_brk,          __NR_madvise,         __NR_open,
    __NR_openat,       __NR_fcntl,           __NR_getpid,
    __NR_getppid,      __NR_gettid,          __NR_set_robust_list,
    __NR_futex,        __NR_restart_syscall, __NR_rseq,
};
enum { CALLS = sizeof calls / sizeof calls[0], CHECKED = 4 };

/* One process more, in the same namespaces. */
static const struct bpf_test fork_tests[] = {
    {0, NEW_NAMESPACES, 0, SECCOMP_RET_ALLOW, 0},
};
/* To the hosts of the list and to name servers; to nobody on this machine. */
static const struct bpf_test socket_tests[] = {
    {0, 0xffffffff, AF_INET, SECCOMP_RET_ALLOW, 0},
    {0, 0xffffffff, AF_INET6, SECCOMP_RET_ALLOW, 0},
};
static const struct bpf_test memory_tests[] = {
    {2, PROT_EXEC, 0, SECCOMP_RET_ALLOW, 0},
};
static const struct bpf_block blocks[] = {
    {fork_tests, 1, SECCOMP_RET_KILL_PROCESS},
    {socket_tests, 2, SECCOMP_RET_ERRNO | EAFNOSUPPORT},
    {memory_tests, 1, SECCOMP_RET_KILL_PROCESS},
};

int proxy_lock(struct err *e) {
    static const struct {
        int nr, block;
    } checked[CHECKED] = {
        {__NR_clone, 1}, {__NR_socket, 2}, {__NR_mmap, 3}, {__NR_mprotect, 3}};
    struct bpf_call list[CALLS + CHECKED];
    struct bpf_program p;
    for (size_t i = 0; i < CALLS; i++)
        list[i] = (struct bpf_call){calls[i], {SECCOMP_RET_ALLOW, 0}};
    for (size_t i = 0; i < CHECKED; i++)
        list[CALLS + i] =
            (struct bpf_call){checked[i].nr, {.block = checked[i].block}};
    if (bpf_compile(&p, list, CALLS + CHECKED, blocks,
                    sizeof blocks / sizeof blocks[0], SECCOMP_RET_KILL_PROCESS,
                    e))
        return -1;
    struct {
        unsigned short len;
        const void *filter;
    } program = {p.len, p.words};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        return fail_sys(e, "load filter");
    return 0;
}
