/* SPDX-License-Identifier: MIT
 *
 * What a worker says: a locked process that was taken over could send anything.
 * Whatever comes is an event or the end, and labels in it are read whole or not
 * at all.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "policy/label.h"
#include "runs/worker.h"

#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

static void look_at(const struct worker_event *ev) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)16 << 20);
    const struct labels *labels;
    struct label label;
    struct err e;
    if (worker_read_labels(ev->labels, &a, &labels, &e) == 0)
        for (size_t i = 0; i < labels->count; i++)
            assert(labels->items[i].label.origin_count <= ORIGINS_MAX);
    if (worker_read_label(ev->label, &a, &label, &e) == 0)
        assert(label.integrity <= INTEGRITY_UNTRUSTED);
    (void)worker_read_label(ev->printed, &a, &label, &e);
    for (size_t i = 0; i < ev->nliterals; i++)
        assert(ev->literals[i].n == 0 || ev->literals[i].p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct worker_event ev;
    struct worker *w;
    struct err e;
    int pair[2];
    if (size > 60000 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 0;
    ssize_t sent = size ? write(pair[1], data, size) : 0;
    close(pair[1]);
    assert(sent == (ssize_t)size && worker_adopt(pair[0], 0, &w, &e) == 0);
    while (worker_next(w, 0, &ev, &e) == 1 && ev.kind != WORKER_GONE)
        look_at(&ev);
    worker_free(w);
    return 0;
}
