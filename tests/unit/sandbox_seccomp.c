/* SPDX-License-Identifier: MIT
 *
 * The filter, run on the generator's own machine: what the kernel would be
 * told for a call with given arguments.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "sandbox/plan.h"
#include "sandbox/sysnum.h"
#include "test.h"

#define EPERM_RET  (SECCOMP_RET_ERRNO | EPERM)
#define ENOSYS_RET (SECCOMP_RET_ERRNO | ENOSYS)

static struct bpf_program compile(enum cage_tier tier, uint32_t without) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct cage c;
    struct bpf_program p;
    cage_init(&c, &a);
    uint32_t layers = cage_tier_layers(tier) & ~without;
    CHECK_OK(seccomp_compile(&c, layers, &p, &e), &e);
    return p;
}

static uint32_t ask(const struct bpf_program *p, int nr, uint64_t a0,
                    uint64_t a1, uint64_t a2) {
    const uint64_t args[6] = {a0, a1, a2};
    return bpf_run(p, bpf_arch(), nr, args);
}

TEST(every_call_of_the_table_gets_its_answer) {
    enum { ALLOW, REPORT, REFUSE, ABSENT, IPC, OTHER };
    enum { CLONE = OTHER, SOCKET = OTHER, PAIR = OTHER, IOCTL = OTHER };
    enum { PERSONALITY = OTHER, LISTENER = OTHER, NODE = OTHER };
    enum { NODEAT = OTHER, OPEN = OTHER, OPENAT = OTHER, MODE = OTHER };
    enum { MODEAT = OTHER, HOW = ALLOW };
    static const struct {
        int nr, action;
        const char *name;
    } table[] = {
#define SYS(name, action) {__NR_##name, action, #name},
#include "sandbox/syscalls.def"
#undef SYS
    };
    static const uint32_t want[] = {SECCOMP_RET_ALLOW, SECCOMP_RET_USER_NOTIF,
                                    EPERM_RET, ENOSYS_RET, SECCOMP_RET_ALLOW};
    struct bpf_program p = compile(TIER_CONTAINER, 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].nr < 0 || table[i].action == OTHER) continue;
        if (ask(&p, table[i].nr, 0, 0, 0) != want[table[i].action])
            test_fail(__FILE__, __LINE__, "%s", table[i].name);
        CHECK_TEXT(seccomp_name(table[i].nr), table[i].name);
    }
}

TEST(numbers_nobody_knows_are_absent_and_foreign_ones_kill) {
    struct bpf_program p = compile(TIER_CONTAINER, 0);
    const uint64_t none[6] = {0};
    CHECK_EQ(ask(&p, 400, 0, 0, 0), ENOSYS_RET);
    CHECK_EQ(ask(&p, 2000, 0, 0, 0), ENOSYS_RET);
    CHECK_EQ(ask(&p, 0x40000000 | 1, 0, 0, 0), SECCOMP_RET_KILL_PROCESS);
    CHECK_EQ(ask(&p, -1, 0, 0, 0), SECCOMP_RET_KILL_PROCESS);
    CHECK_EQ(bpf_run(&p, AUDIT_ARCH_I386, 1, none), SECCOMP_RET_KILL_PROCESS);
    CHECK(p.len < 200); /* a search, not a list */
}

TEST(where_files_stay_none_is_set_id) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct cage c;
    struct bpf_program with, without = compile(TIER_CONTAINER, 0);
    cage_init(&c, &a);
    CHECK_OK(cage_add_bind(&c, BIND_RW, STR("/srv:/w"), &e), &e);
    CHECK_OK(seccomp_compile(&c, cage_tier_layers(TIER_CONTAINER), &with, &e),
             &e);
    enum { MAKE = O_CREAT | O_WRONLY, LATER = O_TMPFILE | O_RDWR };
    static const struct {
        int nr;
        uint64_t args[6];
        bool good;
    } calls[] = {
        {__NR_chmod, {0, 0755}, true},
        {__NR_chmod, {0, 04755}, false},
        {__NR_fchmod, {0, 02755}, false},
        {__NR_creat, {0, 06755}, false},
        {__NR_fchmodat, {0, 0, 04755}, false},
        {__NR_fchmodat2, {0, 0, 02755}, false},
        {__NR_fchmodat2, {0, 0, 01755}, true},
        {__NR_open, {0, O_RDONLY, 04755}, true}, /* what was in the register */
        {__NR_open, {0, MAKE, 0644}, true},
        {__NR_open, {0, MAKE, 04755}, false},
        {__NR_openat, {0, 0, MAKE, 02755}, false},
        {__NR_openat, {0, 0, LATER, 04755}, false},
        {__NR_openat, {0, 0, LATER, 0600}, true},
        {__NR_openat, {0, 0, O_DIRECTORY, 04755}, true},
        {__NR_mknod, {0, S_IFREG | 04755}, false},
        {__NR_mknodat, {0, 0, 04755}, false},
        {__NR_mknodat, {0, 0, S_IFREG | 0644}, true},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        uint32_t got = bpf_run(&with, bpf_arch(), calls[i].nr, calls[i].args);
        uint32_t want =
            calls[i].good ? SECCOMP_RET_ALLOW : SECCOMP_RET_USER_NOTIF;
        if (calls[i].nr >= 0 && got != want)
            test_fail(__FILE__, __LINE__, "%s, row %zu",
                      seccomp_name(calls[i].nr), i);
    }
    CHECK_EQ(ask(&with, __NR_openat2, 0, 0, 0), ENOSYS_RET);
    CHECK_EQ(ask(&without, __NR_openat2, 0, 0, 0), SECCOMP_RET_ALLOW);
    CHECK_EQ(ask(&without, __NR_chmod, 0, 04755, 0), SECCOMP_RET_ALLOW);
}

TEST(clone_may_make_threads_and_processes_but_no_namespace) {
    struct bpf_program p = compile(TIER_CONTAINER, 0);
    CHECK_EQ(ask(&p, __NR_clone, 0x11, 0, 0), SECCOMP_RET_ALLOW);
    CHECK_EQ(ask(&p, __NR_clone, 0x3d0f00, 0, 0), SECCOMP_RET_ALLOW);
    static const uint32_t flags[] = {0x20000,    0x2000000,  0x4000000,
                                     0x8000000,  0x10000000, 0x20000000,
                                     0x40000000, 0x7e020011};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        CHECK_EQ(ask(&p, __NR_clone, flags[i], 0, 0), SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_clone3, 0, 0, 0), ENOSYS_RET);
}

TEST(sockets_are_tcp_and_udp_over_ip_and_nothing_else) {
    struct bpf_program p = compile(TIER_CONTAINER, 0);
    for (uint64_t type = 1; type <= 2; type++) {
        CHECK_EQ(ask(&p, __NR_socket, AF_INET, type, 0), SECCOMP_RET_ALLOW);
        CHECK_EQ(ask(&p, __NR_socket, AF_INET6, type | SOCK_CLOEXEC, 0),
                 SECCOMP_RET_ALLOW);
    }
    CHECK_EQ(ask(&p, __NR_socket, AF_INET, SOCK_STREAM, 6), SECCOMP_RET_ALLOW);
    CHECK_EQ(ask(&p, __NR_socket, AF_INET, SOCK_STREAM, 262), /* MPTCP */
             SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_socket, AF_INET, SOCK_STREAM, 132), /* SCTP */
             SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_socket, AF_INET, SOCK_RAW, 6),
             SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_socket, AF_INET, SOCK_SEQPACKET, 0),
             SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_socket, AF_UNIX, SOCK_STREAM, 0),
             SECCOMP_RET_ERRNO | EACCES);
    CHECK_EQ(ask(&p, __NR_socketpair, AF_UNIX, SOCK_STREAM, 0),
             SECCOMP_RET_ALLOW);
    for (uint64_t family = 3; family < 50; family++)
        if (family != AF_INET6 && family != AF_NETLINK)
            CHECK_EQ(ask(&p, __NR_socket, family, SOCK_DGRAM, 0),
                     SECCOMP_RET_USER_NOTIF);
}

TEST(high_halves_of_arguments_do_not_fool_a_check) {
    struct bpf_program p = compile(TIER_CONTAINER, 0);
    uint64_t junk = (uint64_t)0xdeadbeef << 32;
    CHECK_EQ(ask(&p, __NR_socket, junk | AF_ALG, SOCK_SEQPACKET, 0),
             SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_ioctl, 0, junk | 0x5412, 0), SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_clone, junk | 0x10000000, 0, 0),
             SECCOMP_RET_USER_NOTIF);
}

TEST(a_second_listener_is_refused_by_the_program_itself) {
    struct bpf_program p = compile(TIER_CONTAINER, 0);
    CHECK_EQ(ask(&p, __NR_seccomp, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0),
             EPERM_RET);
    CHECK_EQ(ask(&p, __NR_seccomp, 1,
                 SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_LOG, 0),
             EPERM_RET);
    CHECK_EQ(ask(&p, __NR_seccomp, 1, 0, 0), SECCOMP_RET_ALLOW);
}

TEST(devices_cannot_be_made_but_pipes_can) {
    struct bpf_program p = compile(TIER_CONTAINER, 0);
    CHECK_EQ(ask(&p, __NR_mknodat, 0, 0, S_IFIFO | 0600), SECCOMP_RET_ALLOW);
    CHECK_EQ(ask(&p, __NR_mknodat, 0, 0, S_IFCHR | 0600),
             SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_mknodat, 0, 0, S_IFBLK | 0600),
             SECCOMP_RET_USER_NOTIF);
}

TEST(without_namespaces_there_is_no_shared_memory_of_all) {
    struct bpf_program p = compile(TIER_PROCESS, LAYER_BIT(LAYER_NAMESPACES));
    CHECK_EQ(ask(&p, __NR_shmget, 0, 0, 0), SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ask(&p, __NR_mq_open, 0, 0, 0), SECCOMP_RET_USER_NOTIF);
}

TEST(without_a_listener_refused_calls_get_eperm) {
    struct bpf_program p = compile(TIER_CONTAINER, LAYER_BIT(LAYER_VIOLATIONS));
    CHECK_EQ(ask(&p, __NR_ptrace, 0, 0, 0), EPERM_RET);
    CHECK_EQ(ask(&p, __NR_socket, AF_VSOCK, 1, 0), EPERM_RET);
}
