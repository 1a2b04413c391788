/* SPDX-License-Identifier: MIT
 *
 * seccomp: the list of system calls, as a program.
 *
 * A refused call that is worth knowing about is answered by the supervisor
 * (SECCOMP_RET_USER_NOTIF), which notes its name and returns EPERM. When two
 * filters both ask a listener, the kernel asks the newer one, and that one may
 * let the call continue. So a task that could open a listener of its own could
 * undo the list; the flag for it is refused by the program itself, for good.
 *
 * What a task makes in a writable bind stays on the host, and belongs there to
 * whom the directory belongs. So a task that has one makes no set-id files;
 * elsewhere they give nothing, and end with the task.
 */
#include <errno.h>
#include <fcntl.h>
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
    ACTION_HOW, /* hides its mode from a filter; libraries fall back */
    /* from here on: checked by the block of the same name */
    ACTION_CLONE,
    ACTION_SOCKET,
    ACTION_PAIR,
    ACTION_IOCTL,
    ACTION_PERSONALITY,
    ACTION_LISTENER,
    ACTION_NODE,
    ACTION_NODEAT,
    /* and from here on only where files stay */
    ACTION_OPEN,
    ACTION_OPENAT,
    ACTION_MODE,
    ACTION_MODEAT,
    ACTION_COUNT,
};
enum { FIRST_BLOCK = ACTION_CLONE, LAST_PLAIN = ACTION_NODEAT };

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

#define SET_ID (S_ISUID | S_ISGID)

static const struct bpf_test node_tests[] = {
    {1, S_IFMT | SET_ID, S_IFREG, SECCOMP_RET_ALLOW, 0},
    {1, S_IFMT | SET_ID, 0, SECCOMP_RET_ALLOW, 0},
    {1, S_IFMT, S_IFIFO, SECCOMP_RET_ALLOW, 0},
    {1, S_IFMT, S_IFSOCK, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test nodeat_tests[] = {
    {2, S_IFMT | SET_ID, S_IFREG, SECCOMP_RET_ALLOW, 0},
    {2, S_IFMT | SET_ID, 0, SECCOMP_RET_ALLOW, 0},
    {2, S_IFMT, S_IFIFO, SECCOMP_RET_ALLOW, 0},
    {2, S_IFMT, S_IFSOCK, SECCOMP_RET_ALLOW, 0},
};

/* A mode means something only where a file can be made; else it may be what was
 * left in the register. O_TMPFILE has O_DIRECTORY in it. */
#define MAKES (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))

static const struct bpf_test open_tests[] = {
    {1, MAKES, 0, SECCOMP_RET_ALLOW, 0},
    {2, SET_ID, 0, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test openat_tests[] = {
    {2, MAKES, 0, SECCOMP_RET_ALLOW, 0},
    {3, SET_ID, 0, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test mode_tests[] = {
    {1, SET_ID, 0, SECCOMP_RET_ALLOW, 0},
};

static const struct bpf_test modeat_tests[] = {
    {2, SET_ID, 0, SECCOMP_RET_ALLOW, 0},
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
    BLOCK(OPEN) = (struct bpf_block){WHOLE(open_tests), report};
    BLOCK(OPENAT) = (struct bpf_block){WHOLE(openat_tests), report};
    BLOCK(MODE) = (struct bpf_block){WHOLE(mode_tests), report};
    BLOCK(MODEAT) = (struct bpf_block){WHOLE(modeat_tests), report};
#undef BLOCK
}

struct given {
    uint32_t report;
    bool own_ipc, stays; /* what it makes may stay on the host */
};

static struct bpf_answer answer(enum action a, const struct given *g) {
    uint32_t report = g->report;
    switch (a) {
    case ACTION_ALLOW: return (struct bpf_answer){SECCOMP_RET_ALLOW, 0};
    case ACTION_REPORT: return (struct bpf_answer){report, 0};
    case ACTION_REFUSE: return (struct bpf_answer){RET_ERRNO(EPERM), 0};
    case ACTION_ABSENT: return (struct bpf_answer){RET_ERRNO(ENOSYS), 0};
    case ACTION_IPC:
        return (struct bpf_answer){g->own_ipc ? SECCOMP_RET_ALLOW : report, 0};
    case ACTION_HOW:
        return (struct bpf_answer){
            g->stays ? RET_ERRNO(ENOSYS) : SECCOMP_RET_ALLOW, 0};
    case ACTION_OPEN:
    case ACTION_OPENAT:
    case ACTION_MODE:
    case ACTION_MODEAT:
        if (!g->stays) return (struct bpf_answer){SECCOMP_RET_ALLOW, 0};
        break;
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
    const struct given g = {
        .report = listened ? SECCOMP_RET_USER_NOTIF : RET_ERRNO(EPERM),
        .own_ipc = layers & LAYER_BIT(LAYER_NAMESPACES),
        /* A module sets no modes, and what runs it opens files by openat2. */
        .stays = c->tier != TIER_WASM && cage_has_bind(c, BIND_RW)};
    struct bpf_call calls[TABLE_SIZE];
    for (size_t i = 0; i < TABLE_SIZE; i++)
        calls[i] = (struct bpf_call){table[i].nr, answer(table[i].action, &g)};
    struct blocks blocks;
    make_blocks(&blocks, c, g.report);
    size_t count = (g.stays ? ACTION_COUNT : LAST_PLAIN + 1) - FIRST_BLOCK;
    return bpf_compile(out, calls, TABLE_SIZE, blocks.list, count,
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
