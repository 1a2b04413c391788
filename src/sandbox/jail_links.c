/* SPDX-License-Identifier: MIT
 *
 * Streams of a machine: its standard input, its tools, and each connection to
 * its proxy. Whoever is at the other end of one is hostile: it has its window
 * and no more, and nobody waits for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/jail_inside.h"

#define DOOR "proxy"

void jail_init_links(struct jail *j) {
    for (size_t i = 0; i < VM_MAX_STREAMS; i++)
        j->links[i] = (struct vm_link){.fd = -1, .out = BUF_MAX(VM_WINDOW)};
}

static struct vm_link *find(struct jail *j, uint32_t id) {
    for (size_t i = 0; i < VM_MAX_STREAMS; i++)
        if (j->links[i].fd >= 0 && j->links[i].id == id) return &j->links[i];
    return NULL;
}

static void drop(struct vm_link *l) {
    close(l->fd);
    buf_fini(&l->out);
    *l = (struct vm_link){.fd = -1, .out = BUF_MAX(VM_WINDOW)};
}

void jail_close_links(struct jail *j) {
    for (size_t i = 0; i < VM_MAX_STREAMS; i++)
        if (j->links[i].fd >= 0) drop(&j->links[i]);
    tmpdir_remove(&j->vm_door);
}

static int say(struct jail *j, enum vm_kind kind, const struct vm_link *l,
               size_t room, struct err *e) {
    return vm_stream(&j->vm, kind, l->id, (uint32_t)room, STR(""), e);
}

static int break_off(struct jail *j, struct vm_link *l, struct err *e) {
    int rc = say(j, VM_SHUT, l, 0, e);
    drop(l);
    return rc;
}

/* --- what epoll is asked --- */

/* Who wants nothing must not wake us, not even by hanging up. */
static int watch(struct jail *j, struct vm_link *l, struct err *e) {
    uint32_t want =
        (l->room && !l->sent_all ? EPOLLIN : 0) | (l->out.len ? EPOLLOUT : 0);
    uint32_t place = (uint32_t)(l - j->links);
    struct epoll_event event = {.events = want,
                                .data.u32 = FROM_LINK | place << 8};
    if (l->plain || want == l->events) return 0;
    int how = !want ? EPOLL_CTL_DEL : l->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(j->epoll, how, l->fd, &event) < 0) {
        if (errno != EPERM) return fail_sys(e, "watch");
        l->plain = true;
        return 0;
    }
    l->events = want;
    return 0;
}

/* --- to the guest --- */

static int carry(struct jail *j, struct vm_link *l, struct err *e) {
    char chunk[VM_CHUNK];
    ssize_t n = read(l->fd, chunk, l->room < VM_CHUNK ? l->room : VM_CHUNK);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (n < 0) n = 0; /* what cannot be read has ended */
    l->room -= (uint32_t)n;
    l->sent_all = n == 0;
    return vm_stream(&j->vm, VM_BYTES, l->id, 0, (str){chunk, (size_t)n}, e);
}

static bool over(const struct vm_link *l) {
    return l->sent_all && l->shut && !l->out.len;
}

/* --- from the guest --- */

static int give(struct jail *j, struct vm_link *l, struct err *e) {
    size_t before = l->out.len;
    while (l->out.len) {
        ssize_t n =
            send(l->fd, l->out.data, l->out.len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) break;
        if (n < 0) return break_off(j, l, e);
        buf_consume(&l->out, (size_t)n);
    }
    if (before > l->out.len && say(j, VM_MORE, l, before - l->out.len, e))
        return -1;
    if (l->shut && !l->out.len) shutdown(l->fd, SHUT_WR);
    return 0;
}

/* One turn of a link in both directions. */
static int turn(struct jail *j, struct vm_link *l, struct err *e) {
    if (l->out.len && give(j, l, e)) return -1;
    do {
        if (l->fd < 0) return 0;
        if (l->room && !l->sent_all && carry(j, l, e)) return -1;
    } while (l->plain && l->room && !l->sent_all);
    if (over(l)) {
        drop(l);
        return 0;
    }
    return watch(j, l, e);
}

int jail_turn_link(struct jail *j, size_t place, struct err *e) {
    if (place >= VM_MAX_STREAMS || j->links[place].fd < 0) return 0;
    return turn(j, &j->links[place], e);
}

int jail_turn_links(struct jail *j, struct err *e) {
    for (size_t i = 0; i < VM_MAX_STREAMS; i++)
        if (j->links[i].fd >= 0 && watch(j, &j->links[i], e)) return -1;
    for (size_t i = 0; i < VM_MAX_STREAMS; i++)
        if (j->links[i].fd >= 0 && j->links[i].plain &&
            turn(j, &j->links[i], e))
            return -1;
    return 0;
}

int jail_add_link(struct jail *j, uint32_t id, int fd, bool only_in,
                  struct err *e) {
    for (size_t i = 0; i < VM_MAX_STREAMS; i++) {
        struct vm_link *l = &j->links[i];
        if (l->fd >= 0) continue;
        l->fd = fd;
        l->id = id;
        l->room = VM_WINDOW;
        l->shut = only_in;
        return 0;
    }
    close(fd);
    return fail(e, ERR_LIMIT, "more than %d streams", VM_MAX_STREAMS);
}

/* --- connections to the proxy --- */

static int door_address(const struct jail *j, struct sockaddr_un *at,
                        struct err *e) {
    *at = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(at->sun_path, sizeof at->sun_path, "%s/" DOOR,
                     j->vm_door.path);
    if (n < 0 || (size_t)n >= sizeof at->sun_path)
        return fail(e, ERR_LIMIT, "path %s", j->vm_door.path);
    return 0;
}

/* There is no network to listen in: the proxy answers a socket in a folder that
 * nobody else can enter, and we are the only one who comes. */
int jail_open_door(struct jail *j, struct err *e) {
    struct sockaddr_un at;
    if (tmpdir_make(&j->vm_door, e) || door_address(j, &at, e)) return -1;
    AUTO_FD int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
        listen(fd, VM_MAX_STREAMS) < 0)
        return fail_sys(e, "%s", at.sun_path);
    return jail_start_proxy(j, fd_take(&fd), e);
}

static int open_link(struct jail *j, uint32_t id, struct err *e) {
    struct sockaddr_un at;
    struct vm_link refused = {.id = id};
    struct err full;
    if (id < VM_FIRST_LINK || find(j, id))
        return fail(e, ERR_PEER, "the machine opens stream %u", id);
    if (!j->vm_door.path[0])
        return fail(e, ERR_PEER, "the machine asks for a network it has not");
    if (door_address(j, &at, e)) return -1;
    AUTO_FD int fd =
        socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return fail_sys(e, "socket");
    if (connect(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
        jail_add_link(j, id, fd_take(&fd), false, &full))
        return say(j, VM_SHUT, &refused, 0, e);
    return watch(j, find(j, id), e);
}

static int take_bytes(struct jail *j, struct vm_link *l, str data,
                      struct err *e) {
    if (l->shut || data.n > VM_WINDOW - l->out.len)
        return fail(e, ERR_PEER, "the machine sends more than its window");
    if (buf_add_str(&l->out, data, e)) return -1;
    l->shut = data.n == 0;
    if (give(j, l, e)) return -1;
    if (l->fd >= 0 && over(l)) drop(l);
    return 0;
}

/* A stream that we do not know any more ended while this was on its way. */
int jail_link_said(struct jail *j, enum vm_kind kind, const struct vm_stream *s,
                   str data, struct err *e) {
    struct vm_link *l = find(j, s->id);
    if (kind == VM_OPEN) return open_link(j, s->id, e);
    if (!l) return 0;
    if (kind == VM_SHUT) {
        drop(l);
        return 0;
    }
    if (kind == VM_BYTES) return take_bytes(j, l, data, e);
    if (s->room > VM_WINDOW - l->room)
        return fail(e, ERR_PEER, "the machine takes more than it was sent");
    l->room += s->room;
    return 0;
}
