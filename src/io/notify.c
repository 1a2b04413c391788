/* SPDX-License-Identifier: MIT */
#include "io/notify.h"

#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

#define CALM_NS ((int64_t)150 * 1000000)

static void on_calm(struct io_timer *t) {
    struct notify *n = t->data;
    n->changed(n->data);
}

/* True when one of the events is about our file, or when some were lost. */
static bool concerns_us(const struct notify *n, const char *events,
                        size_t size) {
    for (size_t at = 0; at + sizeof(struct inotify_event) <= size;) {
        struct inotify_event head;
        memcpy(&head, events + at, sizeof head);
        const char *name = events + at + sizeof head;
        if (head.mask & IN_Q_OVERFLOW) return true;
        if (head.len && !strcmp(name, n->name)) return true;
        at += sizeof head + head.len;
    }
    return false;
}

static void on_events(struct io_watch *w, uint32_t ready) {
    struct notify *n = w->data;
    char events[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
    struct err e;
    ssize_t size;
    (void)ready;
    while ((size = read(w->fd, events, sizeof events)) > 0)
        if (concerns_us(n, events, (size_t)size)) {
            loop_timer_stop(&n->calm);
            (void)loop_timer(n->loop, &n->calm, CALM_NS, &e);
        }
}

static int watch_folder(struct notify *n, const char *path, struct err *e) {
    const uint32_t what = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM |
                          IN_DELETE | IN_CREATE | IN_ATTRIB;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char folder[PATH_MAX] = ".";
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder)
        return fail(e, ERR_LIMIT, "the path is too long");
    if (slash) {
        memcpy(folder, path, length ? length : 1);
        folder[length ? length : 1] = '\0';
    }
    if (!(n->name = mem_dup(name, strlen(name), e))) return -1;
    n->watch.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (n->watch.fd < 0) return fail_sys(e, "inotify");
    if (inotify_add_watch(n->watch.fd, folder, what) < 0)
        return fail_sys(e, "watch %s", folder);
    return loop_watch(n->loop, &n->watch, EPOLLIN, e);
}

int notify_init(struct notify *n, struct loop *loop, const char *path,
                void (*changed)(void *data), void *data, struct err *e) {
    *n = (struct notify){.loop = loop, .changed = changed, .data = data};
    n->watch = (struct io_watch){.fd = -1, .fn = on_events, .data = n};
    n->calm = (struct io_timer){.fn = on_calm, .data = n};
    if (!watch_folder(n, path, e)) return 0;
    notify_fini(n);
    return -1;
}

void notify_fini(struct notify *n) {
    if (!n->loop) return;
    loop_unwatch(&n->watch);
    loop_timer_stop(&n->calm);
    fd_auto_close(&n->watch.fd);
    mem_free(n->name);
    *n = (struct notify){.watch.fd = -1};
}
