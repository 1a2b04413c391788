/* SPDX-License-Identifier: MIT
 *
 * wake -- a word from one process that shares the store to another.
 *
 * Each process listens on a datagram socket in the abstract namespace, named by
 * the random part of its owner's name: who can read the store can find it. A
 * datagram names a run to look at; so a forged one costs a look, a lost one the
 * time until the next look that comes by itself.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "store/inside.h"

/* The address of an owner; 0: its name has no random part. */
static socklen_t address_of(str owner, struct sockaddr_un *out) {
    str rest = owner, last = owner;
    while (rest.p)
        last = str_cut(&rest, '/');
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (last.n != 16) return 0;
    int n = snprintf(out->sun_path + 1, sizeof out->sun_path - 1, "cordon-%.*s",
                     STR_ARG(last));
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static void on_word(struct io_watch *w, uint32_t events) {
    struct store *s = w->data;
    char run[STORE_ID];
    ssize_t n;
    (void)events;
    while ((n = recv(w->fd, run, sizeof run, MSG_DONTWAIT)) >= 0)
        if (s->woken) s->woken(s->woken_data, (str){run, (size_t)n});
}

void wake_open(struct store *s) {
    struct sockaddr_un at;
    struct err e;
    socklen_t n = address_of(str_of(s->owner), &at);
    s->wake = (struct io_watch){.fd = -1, .fn = on_word, .data = s};
    if (!s->loop || !n) return;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return;
    s->wake.fd = fd;
    if (bind(fd, (struct sockaddr *)&at, n) == 0 &&
        loop_watch(s->loop, &s->wake, EPOLLIN, &e) == 0)
        return;
    wake_close(s);
}

void wake_close(struct store *s) {
    if (s->wake.fd < 0) return;
    loop_unwatch(&s->wake);
    close(s->wake.fd);
    s->wake.fd = -1;
}

void store_on_wake(struct store *s, void (*fn)(void *data, str run),
                   void *data) {
    s->woken = fn;
    s->woken_data = data;
}

void store_wake(struct store *s, str run) {
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)64 << 20);
    struct sockaddr_un at;
    struct store_run r;
    struct err e;
    if (run.n == 0 || run.n >= STORE_ID || store_run_get(s, run, &a, &r, &e))
        return;
    socklen_t n = address_of(r.owner, &at);
    int fd = n ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
    if (fd < 0) return;
    (void)sendto(fd, run.p, run.n, MSG_DONTWAIT | MSG_NOSIGNAL,
                 (struct sockaddr *)&at, n);
    close(fd);
}
