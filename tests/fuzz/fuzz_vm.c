/* SPDX-License-Identifier: MIT
 *
 * What a virtual machine says to its supervisor, in one piece and cut in two:
 * output, an end, or a reason to stop listening.
 */
#include "fuzz.h"

#include <assert.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/vm/vm.h"

static void hear(void *context, bool is_err, const char *p, size_t n) {
    uint64_t *total = context;
    (void)is_err;
    for (size_t i = 0; i < n; i++)
        *total += (uint8_t)p[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int pair[2];
    uint64_t total = 0;
    struct err e;
    if (size == 0 || size > 100000) return 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) < 0) return 0;
    struct vm vm = {.fd = pair[0],
                    .in = BUF_MAX(sizeof(struct vm_head) + VM_MAX_FRAME),
                    .out = BUF_MAX(1024)};
    size_t half = data[0] % size;
    assert(send(pair[1], data, half, 0) == (ssize_t)half);
    int rc = vm_turn(&vm, hear, &total, &e);
    if (!rc && vm.fd >= 0 && !vm.ended) {
        ssize_t n = send(pair[1], data + half, size - half, 0);
        assert(n > 0);
        (void)vm_turn(&vm, hear, &total, &e);
    }
    vm_close(&vm);
    close(pair[1]);
    return 0;
}
