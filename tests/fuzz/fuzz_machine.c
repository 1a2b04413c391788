/* SPDX-License-Identifier: MIT
 *
 * What a virtual machine says over its channel, output and files: all of it
 * comes from where hostile code is root. The first byte says whether files are
 * wanted.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz.h"
#include "sandbox/vm/vm.h"

static void count(void *context, bool is_err, const char *p, size_t n) {
    uint64_t *total = context;
    (void)is_err;
    (void)p;
    *total += n;
}

static int stream(void *context, enum vm_kind kind, const struct vm_stream *s,
                  str data, struct err *e) {
    uint64_t *total = context;
    (void)e;
    *total += s->id + s->room + data.n + (uint64_t)kind;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err e;
    struct cage_limits limits = {.scratch = 64 << 10, .inodes = 16};
    uint64_t total = 0;
    const struct vm_taker taker = {&total, count, stream};
    int pair[2];
    if (size == 0 || size > (128 << 10)) return 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return 0;
    AUTO_FD int theirs = pair[1];
    struct vm vm = {.fd = pair[0],
                    .in = BUF_MAX(sizeof(struct vm_head) + VM_MAX_FRAME),
                    .out = BUF_MAX(1 << 20),
                    .keep = VM_KEEP_NONE};
    fcntl(vm.fd, F_SETFL, O_NONBLOCK);
    struct vm_keep changed = VM_KEEP_NONE;
    if (data[0] & 1) (void)vm_keep_open(&vm.keep, &limits, false, &e);
    if (data[0] & 2 && !vm_keep_open(&changed, &limits, true, &e))
        vm.binds[0] = &changed;
    if (write(theirs, data + 1, size - 1) == (ssize_t)(size - 1))
        (void)vm_turn(&vm, &taker, &e);
    vm_close(&vm);
    vm_keep_close(&vm.keep);
    vm_keep_close(&changed);
    return 0;
}
