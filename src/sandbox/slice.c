/* SPDX-License-Identifier: MIT
 *
 * How long a process runs before it is another one's turn. Who asks for short
 * turns gets them sooner and no more of the processor in all (Linux 6.12;
 * before that it is passed over). What makes a sandbox has little to do, sleeps
 * often, and somebody waits for it: on a busy machine that is most of a start.
 */
#include "sandbox/slice.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEEP_POLICY = 0x08, SHORT_NS = 100000 };

/* The first version of struct sched_attr, which not every libc has. */
struct attr {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

/* A wish: who may not have it goes on without. */
static void ask_for(uint64_t ns) {
    struct attr a = {.size = sizeof a,
                     .flags = KEEP_POLICY,
                     .nice = getpriority(PRIO_PROCESS, 0),
                     .runtime = ns};
    (void)syscall(SYS_sched_setattr, 0, &a, 0);
}

void slice_short(void) {
    ask_for(SHORT_NS);
}

int slice_plain(const struct plan *p, struct err *e) {
    (void)p, (void)e;
    ask_for(0);
    return 0;
}
