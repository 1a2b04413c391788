/* SPDX-License-Identifier: MIT
 *
 * seccomp: the list of system calls, as a program.
 *
 * A refused call that is worth knowing about is answered by the supervisor
 * (SECCOMP_RET_USER_NOTIF), which notes its name and returns EPERM. When two
 * filters both ask a listener, the kernel asks the newer one, and that one may
 * let the call continue. So a task that could open a listener of its own could
 * undo the list; the flag for it is refused by the program itself, for good.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/plan.h"
#include "sandbox/report.h"
#include "sandbox/sysnum.h"

enum action {
    ACTION_ALLOW,
    ACTION_REPORT,
    ACTION_REFUSE,
    ACTION_ABSENT,
    ACTION_IPC,
    /* from here on: checked by the block of the same name */
    ACTION_CLONE,
    ACTION_SOCKET,
    ACTION_PAIR,
    ACTION_IOCTL,
    ACTION_PERSONALITY,
    ACTION_LISTENER,
    ACTION_NODE,
    ACTION_NODEAT,
    ACTION_COUNT,
};
enum { FIRST_BLOCK = ACTION_CLONE };

static const struct {
    int nr;
    enum action action;
    const char *name;
} table[] = {
#define SYS(name, action) {__NR_##name, ACTION_##action, #name},
#include "sandbox/syscalls.def"
#undef SYS
};
enum { TABLE_SIZE = sizeof table / sizeof table[0] };

#define RET_ERRNO(n) (SECCOMP_RET_ERRNO | (uint32_t)(n))

/* Flags of clone(2) that make namespaces. */
#define CLONE_NAMESPACES 0x7e020000u

enum {
    TTY_INJECT = 0x5412,     /* TIOCSTI: types into the terminal */
    TTY_LINUX = 0x541c,      /* TIOCLINUX: pastes into a console */
    TTY_DISCIPLINE = 0x5423, /* TIOCSETD: loads line disciplines */
    PROTO_TCP = 6,
    PROTO_UDP = 17,
};

static const struct bpf_test clone_tests[] = {
    {0, CLONE_NAMESPACES, 0, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test personality_tests[] = {
    {0, 0xffffffff, 0, SECCOMP_RET_ALLOW, 0},
    {0, 0xffffffff, 0xffffffff, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test listener_tests[] = {
    {1, SECCOMP_FILTER_FLAG_NEW_LISTENER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
     RET_ERRNO(EPERM), 0},
};

static const struct bpf_test node_tests[] = {
    {1, S_IFMT, S_IFREG, SECCOMP_RET_ALLOW, 0},
    {1, S_IFMT, 0, SECCOMP_RET_ALLOW, 0},
    {1, S_IFMT, S_IFIFO, SECCOMP_RET_ALLOW, 0},
    {1, S_IFMT, S_IFSOCK, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test nodeat_tests[] = {
    {2, S_IFMT, S_IFREG, SECCOMP_RET_ALLOW, 0},
    {2, S_IFMT, 0, SECCOMP_RET_ALLOW, 0},
    {2, S_IFMT, S_IFIFO, SECCOMP_RET_ALLOW, 0},
    {2, S_IFMT, S_IFSOCK, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test pair_tests[] = {
    {0, 0xffffffff, AF_UNIX, SECCOMP_RET_ALLOW, 0},
};

#define WHOLE(tests) (tests), sizeof(tests) / sizeof((tests)[0])

struct blocks {
    struct bpf_test socket[11];
    struct bpf_test ioctl[3];
    struct bpf_block list[ACTION_COUNT - FIRST_BLOCK];
};

/* IPv4 and IPv6, streams and datagrams, TCP and UDP: MPTCP and SCTP would pass
 * by Landlock's rules on TCP. Name lookup tries AF_UNIX and netlink and lives
 * without, so those are refused quietly. */
static void socket_block(struct blocks *b, bool unix_too, uint32_t report) {
    struct bpf_test tests[] = {
        {0, 0xffffffff, AF_UNIX,
         unix_too ? SECCOMP_RET_ALLOW : RET_ERRNO(EACCES), 0},
        {0, 0xffffffff, AF_NETLINK, RET_ERRNO(EAFNOSUPPORT), 0},
        {0, 0xffffffff, AF_INET, 0, 2},
        {0, 0xffffffff, AF_INET6, 0, 1},
        {0, 0, 0, report, 0}, /* any other family */
        {1, 0xf, SOCK_STREAM, 0, 2},
        {1, 0xf, SOCK_DGRAM, 0, 1},
        {0, 0, 0, report, 0}, /* raw and other types */
        {2, 0xffffffff, PROTO_TCP, SECCOMP_RET_ALLOW, 0},
        {2, 0xffffffff, PROTO_UDP, SECCOMP_RET_ALLOW, 0},
        {2, 0xffffffff, 0, SECCOMP_RET_ALLOW, 0},
    };
    memcpy(b->socket, tests, sizeof tests);
}

static void ioctl_block(struct blocks *b, uint32_t report) {
    const uint32_t commands[] = {TTY_INJECT, TTY_LINUX, TTY_DISCIPLINE};
    for (size_t i = 0; i < 3; i++)
        b->ioctl[i] = (struct bpf_test){1, 0xffffffff, commands[i], report, 0};
}

static void make_blocks(struct blocks *b, const struct cage *c,
                        uint32_t report) {
    socket_block(b, c->unix_sockets, report);
    ioctl_block(b, report);
#define BLOCK(action) b->list[ACTION_##action - FIRST_BLOCK]
    BLOCK(CLONE) = (struct bpf_block){WHOLE(clone_tests), report};
    BLOCK(SOCKET) = (struct bpf_block){WHOLE(b->socket), report};
    BLOCK(PAIR) = (struct bpf_block){WHOLE(pair_tests), report};
    BLOCK(IOCTL) = (struct bpf_block){WHOLE(b->ioctl), SECCOMP_RET_ALLOW};
    BLOCK(PERSONALITY) =
        (struct bpf_block){WHOLE(personality_tests), RET_ERRNO(EPERM)};
    BLOCK(LISTENER) =
        (struct bpf_block){WHOLE(listener_tests), SECCOMP_RET_ALLOW};
    BLOCK(NODE) = (struct bpf_block){WHOLE(node_tests), report};
    BLOCK(NODEAT) = (struct bpf_block){WHOLE(nodeat_tests), report};
#undef BLOCK
}

static struct bpf_answer answer(enum action a, uint32_t layers,
                                uint32_t report) {
    bool own_ipc = layers & LAYER_BIT(LAYER_NAMESPACES);
    switch (a) {
    case ACTION_ALLOW: return (struct bpf_answer){SECCOMP_RET_ALLOW, 0};
    case ACTION_REPORT: return (struct bpf_answer){report, 0};
    case ACTION_REFUSE: return (struct bpf_answer){RET_ERRNO(EPERM), 0};
    case ACTION_ABSENT: return (struct bpf_answer){RET_ERRNO(ENOSYS), 0};
    case ACTION_IPC:
        return (struct bpf_answer){own_ipc ? SECCOMP_RET_ALLOW : report, 0};
    case ACTION_CLONE:
    case ACTION_SOCKET:
    case ACTION_PAIR:
    case ACTION_IOCTL:
    case ACTION_PERSONALITY:
    case ACTION_LISTENER:
    case ACTION_NODE:
    case ACTION_NODEAT:
    case ACTION_COUNT: break;
    }
    return (struct bpf_answer){0, (int)a - FIRST_BLOCK + 1};
}

int seccomp_compile(const struct cage *c, uint32_t layers,
                    struct bpf_program *out, struct err *e) {
    bool listened = layers & LAYER_BIT(LAYER_VIOLATIONS);
    uint32_t report = listened ? SECCOMP_RET_USER_NOTIF : RET_ERRNO(EPERM);
    struct bpf_call calls[TABLE_SIZE];
    for (size_t i = 0; i < TABLE_SIZE; i++)
        calls[i] = (struct bpf_call){table[i].nr,
                                     answer(table[i].action, layers, report)};
    struct blocks blocks;
    make_blocks(&blocks, c, report);
    return bpf_compile(out, calls, TABLE_SIZE, WHOLE(blocks.list),
                       RET_ERRNO(ENOSYS), e);
}

const char *seccomp_name(int nr) {
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (table[i].nr == nr) return table[i].name;
    return NULL;
}

/* The listener goes to the supervisor through the status socket, which the
 * program then loses at execve. */
static int hand_over(const struct plan *p, int listener, struct err *e) {
    struct report r = {.kind = REPORT_NOTIFY};
    int rc = report_send(p->status, &r, listener, e);
    close(listener);
    return rc;
}

int seccomp_apply(const struct plan *p, struct err *e) {
    struct {
        unsigned short len;
        const void *filter;
    } program = {p->filter->len, p->filter->words};
    bool listened = plan_has(p, LAYER_VIOLATIONS);
    unsigned long flags = listened ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long rc = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (rc < 0) return fail_sys(e, "load filter");
    return listened ? hand_over(p, (int)rc, e) : 0;
}
