/* SPDX-License-Identifier: MIT
 *
 * Frames between a task and its supervisor.
 */
#include "sandbox/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "json/write.h"

enum { HEAD = 4, READ_BYTES = 65536 };

static uint32_t get_length(const char *p) {
    const uint8_t *b = (const uint8_t *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           b[3];
}

static void put_length(char *p, size_t n) {
    for (int i = 0; i < HEAD; i++)
        p[i] = (char)(n >> (8 * (HEAD - 1 - i)));
}

/* --- writing --- */

static int flush(struct calls *c, struct err *e) {
    while (c->out.len && c->fd >= 0) {
        ssize_t n = send(c->fd, c->out.data, c->out.len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return 0;
        if (n < 0 && (errno == EPIPE || errno == ECONNRESET)) {
            calls_close(c); /* it does not want to hear more */
            return 0;
        }
        if (n < 0) return fail_sys(e, "tools socket");
        buf_consume(&c->out, (size_t)n);
    }
    return 0;
}

/* The frame that starts at `from` in the buffer is complete. */
static int finish_frame(struct calls *c, size_t from, struct jw *w,
                        struct err *e) {
    int rc = jw_done(w, e);
    size_t n = c->out.len - from - HEAD;
    if (!rc && n > CALLS_MAX_FRAME)
        rc = fail(e, ERR_LIMIT, "a frame of %zu bytes", n);
    if (rc) {
        buf_truncate(&c->out, from);
        return -1;
    }
    put_length(c->out.data + from, n);
    return flush(c, e);
}

static int begin_frame(struct calls *c, size_t *from, struct err *e) {
    *from = c->out.len;
    return buf_add(&c->out, "\0\0\0", HEAD, e);
}

static int send_names(struct calls *c, const char *const *names,
                      struct err *e) {
    size_t from;
    if (begin_frame(c, &from, e)) return -1;
    struct jw w = JW(&c->out);
    jw_object(&w);
    jw_key(&w, "names");
    jw_array(&w);
    for (; *names; names++)
        jw_text(&w, str_of(*names));
    jw_end_array(&w);
    jw_end_object(&w);
    return finish_frame(c, from, &w, e);
}

/* --- life --- */

int calls_open(struct calls *c, const char *const *names, int *theirs,
               struct err *e) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return fail_sys(e, "tools socket");
    *c = (struct calls){.fd = pair[0],
                        .in = BUF_MAX(HEAD + CALLS_MAX_FRAME),
                        .out = BUF_MAX(CALLS_MAX_BACKLOG)};
    if (fcntl(c->fd, F_SETFL, O_NONBLOCK) < 0 || send_names(c, names, e)) {
        close(pair[1]);
        calls_close(c);
        return fail_while(e, "tools socket");
    }
    *theirs = pair[1];
    return 0;
}

void calls_close(struct calls *c) {
    if (c->fd >= 0) close(c->fd);
    c->fd = -1;
    buf_fini(&c->in);
    buf_fini(&c->out);
    c->waiting_count = 0;
}

bool calls_full(const struct calls *c) {
    return c->fd >= 0 && c->out.len > 0;
}

/* --- reading --- */

/* No more than one frame is kept: the rest waits in the socket. */
static int fill(struct calls *c, struct err *e) {
    while (c->fd >= 0) {
        size_t room = c->in.max - c->in.len;
        if (room > READ_BYTES) room = READ_BYTES;
        if (room == 0) return 0;
        char *to = buf_reserve(&c->in, room, e);
        if (!to) return -1;
        ssize_t n = recv(c->fd, to, room, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return 0;
        if (n <= 0) {
            calls_close(c);
            return 0;
        }
        buf_commit(&c->in, (size_t)n);
        if (c->in.len >= HEAD && get_length(c->in.data) > CALLS_MAX_FRAME)
            return fail(e, ERR_PEER, "a frame of %u bytes",
                        get_length(c->in.data));
        if ((size_t)n < room) return 0;
    }
    return 0;
}

int calls_turn(struct calls *c, struct err *e) {
    if (c->fd < 0) return 0;
    if (flush(c, e) || fill(c, e)) {
        calls_close(c);
        return fail_while(e, "tools socket");
    }
    return 0;
}

int calls_parse(str text, struct arena *a, struct task_call *out,
                struct err *e) {
    const struct json *v;
    struct json_limits limits = {.depth = 128, .bytes = CALLS_MAX_FRAME};
    if (json_parse(text, &limits, a, &v, e)) {
        if (e->kind == ERR_INVALID) e->kind = ERR_PEER;
        return -1;
    }
    const struct json *id = json_get(v, "id"), *name = json_get(v, "name");
    const struct json *args = json_get(v, "args"),
                      *kwargs = json_get(v, "kwargs");
    if (!id || json_type(id) != JSON_INT || !name ||
        json_type(name) != JSON_STRING || !args ||
        json_type(args) != JSON_ARRAY || !kwargs ||
        json_type(kwargs) != JSON_OBJECT)
        return fail(e, ERR_PEER, "not a question: id, name, args or kwargs");
    *out = (struct task_call){id->as.integer, json_str(name), args, kwargs};
    return 0;
}

static int note_waiting(struct calls *c, int64_t id, struct err *e) {
    for (size_t i = 0; i < c->waiting_count; i++)
        if (c->waiting[i] == id)
            return fail(e, ERR_PEER, "the id %lld is in use", (long long)id);
    c->waiting[c->waiting_count++] = id;
    return 0;
}

int calls_next(struct calls *c, struct arena *a, struct task_call *out,
               struct err *e) {
    if (c->fd < 0 || c->in.len < HEAD) return 0;
    if (c->waiting_count == CALLS_MAX_WAITING) return 0;
    size_t n = get_length(c->in.data);
    if (c->in.len - HEAD < n) return 0;
    struct task_call call;
    if (calls_parse((str){c->in.data + HEAD, n}, a, &call, e) ||
        note_waiting(c, call.id, e)) {
        calls_close(c);
        return fail_while(e, "tools socket");
    }
    buf_consume(&c->in, HEAD + n);
    *out = call;
    return 1;
}

/* --- answering --- */

static int take_waiting(struct calls *c, int64_t id, struct err *e) {
    for (size_t i = 0; i < c->waiting_count; i++) {
        if (c->waiting[i] != id) continue;
        c->waiting[i] = c->waiting[--c->waiting_count];
        return 0;
    }
    return fail(e, ERR_INVALID, "no call %lld waits", (long long)id);
}

/* An answer that could not be sent may be replaced by another one. */
static int settle(struct calls *c, int64_t id, int rc) {
    if (rc && c->fd >= 0) c->waiting[c->waiting_count++] = id;
    return rc;
}

int calls_answer(struct calls *c, int64_t id, const struct json *result,
                 struct err *e) {
    size_t from;
    if (c->fd < 0) return 0; /* the task is gone */
    if (take_waiting(c, id, e)) return -1;
    if (begin_frame(c, &from, e)) return settle(c, id, -1);
    struct jw w = JW(&c->out);
    jw_object(&w);
    jw_put_int(&w, "id", id);
    jw_key(&w, "result");
    jw_value(&w, result);
    jw_end_object(&w);
    return settle(c, id, finish_frame(c, from, &w, e));
}

int calls_refuse(struct calls *c, int64_t id, const char *type,
                 const char *message, struct err *e) {
    size_t from;
    if (c->fd < 0) return 0;
    if (take_waiting(c, id, e)) return -1;
    if (begin_frame(c, &from, e)) return settle(c, id, -1);
    struct jw w = JW(&c->out);
    jw_object(&w);
    jw_put_int(&w, "id", id);
    jw_key(&w, "error");
    jw_object(&w);
    jw_put_text(&w, "type", str_of(type ? type : "ToolError"));
    jw_put_text(&w, "message", str_of(message));
    jw_end_object(&w);
    jw_end_object(&w);
    return settle(c, id, finish_frame(c, from, &w, e));
}
