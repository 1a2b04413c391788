/* SPDX-License-Identifier: MIT
 *
 * Streams between descriptors in here and the host. What the host sends waits
 * here until its reader takes it, and is acknowledged then, so that one who
 * does not read stops nobody else.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest.h"

struct link {
    int fd; /* 0: free; ours are never that low */
    uint32_t id;
    uint32_t room;        /* bytes we may still send */
    bool sent_all, shut;  /* no more from here; no more to here */
    size_t at, end;       /* of text: what waits to be written */
    char text[VM_WINDOW]; /* the host never has more on the way */
};

static struct link links[VM_MAX_STREAMS];
static uint32_t next_id = VM_FIRST_LINK;

static struct link *find(uint32_t id) {
    for (int i = 0; i < VM_MAX_STREAMS; i++)
        if (links[i].fd && links[i].id == id) return &links[i];
    return NULL;
}

static struct link *find_free(void) {
    for (int i = 0; i < VM_MAX_STREAMS; i++)
        if (!links[i].fd) return &links[i];
    return NULL;
}

bool links_full(void) {
    return !find_free();
}

static void say(enum vm_kind kind, const struct link *l, size_t room) {
    struct vm_stream s = {l->id, (uint32_t)room};
    channel_send(kind, &s, sizeof s);
}

static void drop(struct link *l) {
    close(l->fd);
    l->fd = 0;
}

static void drop_if_over(struct link *l) {
    if (l->sent_all && l->shut && l->at == l->end) drop(l);
}

void links_add(uint32_t id, int fd, bool only_in) {
    struct link *l = find_free();
    if (fd < 0 || !l) return;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    l->fd = fd;
    l->id = id;
    l->room = VM_WINDOW;
    l->sent_all = only_in;
    l->shut = false;
    l->at = l->end = 0;
}

void links_accept(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return;
    links_add(next_id, fd, false);
    say(VM_OPEN, find(next_id++), 0);
}

/* --- from the host --- */

static void take_bytes(struct link *l, size_t n) {
    if (l->at) {
        memmove(l->text, l->text + l->at, l->end - l->at);
        l->end -= l->at;
        l->at = 0;
    }
    if (n > sizeof l->text - l->end) channel_fail("stream");
    channel_get(l->text + l->end, n);
    l->end += n;
    if (n == 0) l->shut = true;
}

static void end_writing(struct link *l) {
    if (!l->shut || l->at < l->end) return;
    if (l->sent_all)
        drop(l);
    else
        shutdown(l->fd, SHUT_WR);
}

static void skip(size_t n) {
    char scrap[512];
    for (size_t part; n; n -= part) {
        part = n < sizeof scrap ? n : sizeof scrap;
        channel_get(scrap, part);
    }
}

void links_take(const struct vm_head *head) {
    struct vm_stream s;
    if (head->size < sizeof s || head->size > VM_MAX_FRAME)
        channel_fail("stream");
    channel_get(&s, sizeof s);
    size_t n = head->size - sizeof s;
    struct link *l = find(s.id);
    if (!l) {
        skip(n); /* it ended while this was on its way */
    } else if (head->kind == VM_BYTES) {
        take_bytes(l, n);
        end_writing(l);
    } else if (head->kind == VM_MORE) {
        l->room += s.room;
    } else if (head->kind == VM_SHUT) {
        drop(l);
    } else {
        channel_fail("stream");
    }
}

/* --- to and from their descriptors --- */

static void give(struct link *l) {
    ssize_t n = write(l->fd, l->text + l->at, l->end - l->at);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n < 0) { /* nobody will read it */
        say(VM_SHUT, l, 0);
        drop(l);
        return;
    }
    l->at += (size_t)n;
    say(VM_MORE, l, (size_t)n);
    end_writing(l);
}

static void carry(struct link *l) {
    static struct {
        struct vm_stream head;
        char data[VM_CHUNK];
    } frame;
    size_t most = l->room < VM_CHUNK ? l->room : VM_CHUNK;
    ssize_t n = read(l->fd, frame.data, most);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n < 0) {
        say(VM_SHUT, l, 0);
        drop(l);
        return;
    }
    frame.head = (struct vm_stream){l->id, 0};
    channel_send(VM_BYTES, &frame, sizeof frame.head + (size_t)n);
    l->room -= (uint32_t)n;
    if (n == 0) l->sent_all = true;
    drop_if_over(l);
}

void links_watch(struct pollfd fds[VM_MAX_STREAMS]) {
    for (int i = 0; i < VM_MAX_STREAMS; i++) {
        const struct link *l = &links[i];
        short want = 0;
        if (l->fd && !l->sent_all && l->room) want |= POLLIN;
        if (l->fd && l->at < l->end) want |= POLLOUT;
        /* Who wants nothing must not wake us by hanging up. */
        fds[i] = (struct pollfd){want ? l->fd : -1, want, 0};
    }
}

void links_turn(const struct pollfd fds[VM_MAX_STREAMS]) {
    for (int i = 0; i < VM_MAX_STREAMS; i++) {
        struct link *l = &links[i];
        if (fds[i].fd < 0 || l->fd != fds[i].fd) continue;
        bool broken = fds[i].revents & (POLLHUP | POLLERR);
        if ((fds[i].events & POLLOUT) && (fds[i].revents & POLLOUT || broken))
            give(l);
        if (l->fd != fds[i].fd) continue;
        if ((fds[i].events & POLLIN) && (fds[i].revents & POLLIN || broken))
            carry(l);
    }
}
