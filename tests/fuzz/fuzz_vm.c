/* SPDX-License-Identifier: MIT
 *
 * What a virtual machine says to its supervisor, in one piece and cut in two:
 * output, streams, an end, or a reason to stop listening.
 */
#include "fuzz.h"

#include <assert.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/jail_inside.h"

static void hear(void *context, bool is_err, const char *p, size_t n) {
    volatile uint8_t last;
    (void)context;
    (void)is_err;
    for (size_t i = 0; i < n; i++)
        last = (uint8_t)p[i];
    (void)last;
}

static int stream(void *context, enum vm_kind kind, const struct vm_stream *s,
                  str data, struct err *e) {
    return jail_link_said(context, kind, s, data, e);
}

/* Standard input that is empty, and tools that nobody answers. */
static int add_links(struct jail *j, int *far, struct err *e) {
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC), tools[2];
    if (in < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, tools))
        return -1;
    *far = tools[1];
    return jail_add_link(j, VM_STDIN, in, true, e) ||
                   jail_add_link(j, VM_TOOLS, tools[0], false, e)
               ? -1
               : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct jail j;
    int pair[2], far = -1;
    struct err e;
    const struct vm_taker taker = {&j, hear, stream};
    if (size == 0 || size > 100000) return 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) < 0) return 0;
    j = (struct jail){
        .vm = {.fd = pair[0],
               .keep = VM_KEEP_NONE,
               .in = BUF_MAX(sizeof(struct vm_head) + VM_MAX_FRAME),
               .out = BUF_MAX(1 << 20)}};
    j.epoll = epoll_create1(EPOLL_CLOEXEC);
    jail_init_links(&j);
    size_t half = data[0] % size;
    assert(send(pair[1], data, half, 0) == (ssize_t)half);
    int rc = add_links(&j, &far, &e) || vm_turn(&j.vm, &taker, &e);
    if (!rc && j.vm.fd >= 0 && !j.vm.ended) {
        ssize_t n = send(pair[1], data + half, size - half, 0);
        assert(n > 0);
        (void)(jail_turn_links(&j, &e) || vm_turn(&j.vm, &taker, &e));
    }
    jail_close_links(&j);
    vm_close(&j.vm);
    close(j.epoll);
    if (far >= 0) close(far);
    close(pair[1]);
    return 0;
}
