/* SPDX-License-Identifier: MIT
 *
 * Locking the calling process.
 */
#include "sandbox/worker.h"

#include <assert.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sandbox/bpf.h"
#include "sandbox/plan.h"
#include "sandbox/sysnum.h"

enum { MAX_CALLS = 64 };

/* No lock waits and no clock but what the process maps: a worker has one
 * thread. Random numbers key its tables; they tell nothing. */
static const int plain_calls[] = {
    __NR_read,          __NR_write,           __NR_readv,     __NR_writev,
    __NR_exit,          __NR_exit_group,      __NR_getpid,    __NR_rt_sigreturn,
    __NR_clock_gettime, __NR_restart_syscall, __NR_getrandom,
};

static const int memory_calls[] = {__NR_brk, __NR_munmap, __NR_madvise,
                                   __NR_mremap};

/* Anonymous, and never executable: what an attacker writes stays data. */
static const struct bpf_test map_tests[] = {
    {2, PROT_EXEC, PROT_EXEC, SECCOMP_RET_KILL_PROCESS, 0},
    {3, MAP_ANONYMOUS, MAP_ANONYMOUS, SECCOMP_RET_ALLOW, 0},
};
static const struct bpf_test protect_tests[] = {
    {2, PROT_EXEC, 0, SECCOMP_RET_ALLOW, 0},
};
static const struct bpf_block memory_blocks[] = {
    {map_tests, 2, SECCOMP_RET_KILL_PROCESS},
    {protect_tests, 1, SECCOMP_RET_KILL_PROCESS},
};

struct allowed {
    struct bpf_call calls[MAX_CALLS];
    size_t count;
};

static void allow(struct allowed *a, const int *calls, size_t count) {
    assert(a->count + count <= MAX_CALLS);
    for (size_t i = 0; i < count; i++)
        a->calls[a->count++] =
            (struct bpf_call){calls[i], {SECCOMP_RET_ALLOW, 0}};
}

static void allow_checked(struct allowed *a, int call, int block) {
    assert(a->count < MAX_CALLS);
    a->calls[a->count++] = (struct bpf_call){call, {.block = block}};
}

static int load(struct allowed *a, const struct bpf_block *blocks,
                size_t block_count, struct err *e) {
    struct bpf_program p;
    if (bpf_compile(&p, a->calls, a->count, blocks, block_count,
                    SECCOMP_RET_KILL_PROCESS, e))
        return -1;
    struct {
        unsigned short len;
        const void *filter;
    } program = {p.len, p.words};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        return fail_sys(e, "load filter");
    return 0;
}

int worker_allow(const int *calls, size_t count, struct err *e) {
    struct allowed a = {.count = 0};
    allow(&a, calls, count);
    return load(&a, NULL, 0, e);
}

static int load_worker_filter(enum worker_memory memory, struct err *e) {
    struct allowed a = {.count = 0};
    allow(&a, plain_calls, sizeof plain_calls / sizeof plain_calls[0]);
    if (memory == WORKER_FIXED) return load(&a, NULL, 0, e);
    allow(&a, memory_calls, sizeof memory_calls / sizeof memory_calls[0]);
    allow_checked(&a, __NR_mmap, 1);
    allow_checked(&a, __NR_mprotect, 2);
    return load(&a, memory_blocks, 2, e);
}

static int close_others(const int *keep, size_t count, struct err *e) {
    unsigned next = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned fd = (unsigned)keep[i];
        assert(keep[i] >= 0 && fd >= next);
        if (fd > next && close_range(next, fd - 1, 0) < 0)
            return fail_sys(e, "close descriptors");
        next = fd + 1;
    }
    if (close_range(next, ~0u, 0) < 0) return fail_sys(e, "close descriptors");
    return 0;
}

/* Said again by mechanisms that have nothing to do with the filter. */
static int second_wall(struct err *e) {
    static const __rlimit_resource_t none[] = {RLIMIT_CORE, RLIMIT_NOFILE,
                                               RLIMIT_FSIZE, RLIMIT_NPROC};
    struct rlimit zero = {0, 0};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (setrlimit(none[i], &zero) < 0) return fail_sys(e, "rlimits");
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return fail_sys(e, "dumpable");
    struct plan bare = {.layers = 0};
    return caps_bound(&bare, e) || caps_drop(&bare, e) || nnp_set(&bare, e) ? -1
                                                                            : 0;
}

int worker_lock(const int *keep, size_t count, enum worker_memory memory,
                struct err *e) {
    if (close_others(keep, count, e) || second_wall(e)) return -1;
    return load_worker_filter(memory, e);
}
