/* SPDX-License-Identifier: MIT */
#include "sandbox/handover.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { SLOTS = CGROUP_DIRS + CAGE_MAX_BINDS + 2 };

struct word {
    uint32_t layers;
    uint8_t given[SLOTS]; /* whether a descriptor is along for it */
};

union fds_message {
    struct cmsghdr head;
    char space[CMSG_SPACE(sizeof(int) * SLOTS)];
};

/* The descriptors of a plan that are made after the fork. */
static void slots_of(struct plan *p, int *out[SLOTS]) {
    size_t n = 0;
    for (size_t i = 0; i < CGROUP_DIRS; i++)
        out[n++] = &p->doors[i];
    for (size_t i = 0; i < CAGE_MAX_BINDS; i++)
        out[n++] = &p->trees[i];
    out[n++] = &p->root_tree;
    out[n++] = &p->kvm_tree;
}

int handover_send(int sock, const struct plan *p, struct err *e) {
    struct plan copy = *p;
    int *slots[SLOTS], fds[SLOTS];
    struct word word = {.layers = p->layers};
    size_t n = 0;
    slots_of(&copy, slots);
    for (size_t i = 0; i < SLOTS; i++) {
        word.given[i] = *slots[i] >= 0;
        if (word.given[i]) fds[n++] = *slots[i];
    }
    union fds_message m = {.space = {0}};
    struct iovec part = {&word, sizeof word};
    struct msghdr h = {.msg_iov = &part, .msg_iovlen = 1};
    if (n) {
        m.head.cmsg_level = SOL_SOCKET;
        m.head.cmsg_type = SCM_RIGHTS;
        m.head.cmsg_len = CMSG_LEN(sizeof(int) * n);
        memcpy(CMSG_DATA(&m.head), fds, sizeof(int) * n);
        h.msg_control = m.space;
        h.msg_controllen = CMSG_SPACE(sizeof(int) * n);
    }
    ssize_t sent;
    do
        sent = sendmsg(sock, &h, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? fail_sys(e, "first process") : 0;
}

int handover_take(struct plan *p, struct err *e) {
    struct word word;
    union fds_message m = {.space = {0}};
    struct iovec part = {&word, sizeof word};
    struct msghdr h = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = m.space,
                       .msg_controllen = sizeof m.space};
    ssize_t n;
    do
        n = recvmsg(p->status, &h, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0) return fail_sys(e, "supervisor");
    if (n != sizeof word) return fail(e, ERR_PEER, "the supervisor is gone");
    const struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    size_t count = c ? (c->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0, at = 0;
    int *slots[SLOTS], fds[SLOTS];
    if (c) memcpy(fds, CMSG_DATA(c), sizeof(int) * count);
    slots_of(p, slots);
    for (size_t i = 0; i < SLOTS; i++) {
        if (!word.given[i]) continue;
        if (at == count) return fail(e, ERR_LIMIT, "too few descriptors");
        *slots[i] = fds[at++];
    }
    p->layers = word.layers;
    return 0;
}
