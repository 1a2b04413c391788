/* SPDX-License-Identifier: MIT
 *
 * What was sent on the streams of a legacy session, kept for a while for a
 * client that lost its connection and comes back (Last-Event-ID).
 */
#include <string.h>

#include "base/mem.h"
#include "mcp/serve.h"

/* Bounds: of one session, and of all together. */
#define SESSION_MAX ((size_t)1 << 20)
#define ALL_MAX     ((size_t)64 << 20)

struct mcp_event {
    struct mcp_event *next;
    uint64_t stream, number;
    size_t size;
    char text[];
};

static void drop_oldest(struct mcp_session *s) {
    struct mcp_event *ev = s->events;
    s->events = ev->next;
    if (!s->events) s->events_end = &s->events;
    s->events_size -= ev->size;
    s->server->events_size -= ev->size;
    mem_free(ev);
}

void replay_keep(struct mcp_session *s, uint64_t stream, uint64_t number,
                 str event) {
    struct err e;
    if (event.n > SESSION_MAX) return;
    while (s->events && s->events_size + event.n > SESSION_MAX)
        drop_oldest(s);
    if (s->server->events_size + event.n > ALL_MAX) return;
    struct mcp_event *ev = mem_alloc(sizeof *ev + event.n, &e);
    if (!ev) return;
    *ev = (struct mcp_event){NULL, stream, number, event.n};
    memcpy(ev->text, event.p, event.n);
    if (!s->events) s->events_end = &s->events;
    *s->events_end = ev;
    s->events_end = &ev->next;
    s->events_size += event.n;
    s->server->events_size += event.n;
}

bool replay_has(const struct mcp_session *s, uint64_t stream) {
    for (const struct mcp_event *ev = s->events; ev; ev = ev->next)
        if (ev->stream == stream) return true;
    return false;
}

int replay_after(const struct mcp_session *s, uint64_t stream, uint64_t number,
                 int (*send)(void *data, str event, struct err *e), void *data,
                 struct err *e) {
    for (const struct mcp_event *ev = s->events; ev; ev = ev->next)
        if (ev->stream == stream && ev->number > number &&
            send(data, (str){ev->text, ev->size}, e))
            return -1;
    return 0;
}

void replay_forget(struct mcp_session *s) {
    while (s->events)
        drop_oldest(s);
}
