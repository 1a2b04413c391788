/* SPDX-License-Identifier: MIT
 *
 * The proxy of a task, and what it tells.
 */
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

#include "sandbox/jail_inside.h"

enum { LAST_WORDS_MS = 1000 };

int jail_start_proxy(struct jail *j, int listener, struct err *e) {
    if (j->proxy.pid > 0) {
        close(listener);
        return fail(e, ERR_INTERNAL, "a second listener");
    }
    /* In a machine the task is not what is in the cage. */
    const struct cage *c = j->vm.fd >= 0 ? &j->vm_task : j->cage;
    if (proxy_start(c, j->task.ca, listener, &j->proxy, e)) return -1;
    return jail_watch(j, j->proxy.events, FROM_PROXY, e);
}

static int keep_event(struct cage_result *r, const struct cage_egress *ev,
                      struct err *e) {
    if (r->egress_count == CAGE_MAX_ATTEMPTS) {
        r->egress_dropped++;
        return 0;
    }
    struct cage_egress *grown =
        mem_resize(r->egress, r->egress_count + 1, sizeof *grown, e);
    if (!grown) return -1;
    r->egress = grown;
    r->egress[r->egress_count++] = *ev;
    return 0;
}

int jail_on_proxy(struct jail *j, struct err *e) {
    struct cage_egress event;
    int rc;
    while ((rc = proxy_event(&j->proxy, &event)) > 0)
        if (keep_event(&j->result, &event, e)) return -1;
    if (rc < 0) jail_close_fd(&j->proxy.events);
    return 0;
}

/* Links that end with the task have something to tell yet. One whose server
 * keeps it waiting is not waited for. */
int jail_last_words(struct jail *j, struct err *e) {
    int64_t end = clock_mono_ns() + LAST_WORDS_MS * 1000000LL;
    proxy_quit(&j->proxy);
    while (j->proxy.events >= 0) {
        struct pollfd p = {j->proxy.events, POLLIN, 0};
        int64_t left = (end - clock_mono_ns()) / 1000000;
        if (left <= 0 || poll(&p, 1, (int)left) <= 0) return 0;
        if (jail_on_proxy(j, e)) return -1;
    }
    return 0;
}
