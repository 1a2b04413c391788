/* SPDX-License-Identifier: MIT */
#include "io/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum {
    READ_CHUNK = 64 * 1024,
    KEEP_OUTPUT = 1024 * 1024,
};

static void on_readable(struct io_watch *w, uint32_t events);
static void on_writable(struct io_watch *w, uint32_t events);
static void on_turn(struct io_task *t);

static int set_nonblocking(int fd, struct err *e) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK))
        return fail_sys(e, "make descriptor %d non-blocking", fd);
    return 0;
}

/* A socket used both ways is watched through two descriptors, because a set of
 * epoll holds each descriptor once. */
int pipe_init(struct pipe *p, struct loop *loop, int in, int out,
              size_t line_max, size_t output_max,
              const struct pipe_events *events, void *data, struct err *e) {
    AUTO_FD int in_fd = in, out_fd = -1;
    if (in >= 0 && in == out) {
        out_fd = fcntl(out, F_DUPFD_CLOEXEC, 0);
        if (out_fd < 0) return fail_sys(e, "duplicate descriptor");
    } else {
        out_fd = out;
    }
    if (in_fd >= 0 && set_nonblocking(in_fd, e)) return -1;
    if (out_fd >= 0 && set_nonblocking(out_fd, e)) return -1;
    struct pipe made = {
        .loop = loop,
        .in = {.fd = in_fd, .fn = on_readable, .data = p},
        .out = {.fd = out_fd, .fn = on_writable, .data = p},
        .events = events,
        .data = data,
        .line_max = line_max,
        .output = BUF_MAX(output_max),
        .in_closed = in_fd < 0,
        .is_file = in_fd >= 0 && !loop_can_watch(loop, in_fd),
        .turn = {.fn = on_turn, .data = p},
    };
    *p = made;
    if (pipe_pause(p, false, e)) return -1;
    fd_take(&in_fd);
    fd_take(&out_fd);
    return 0;
}

void pipe_fini(struct pipe *p) {
    if (p->gone) *p->gone = true;
    loop_unpost(p->loop, &p->turn);
    loop_unwatch(&p->in);
    loop_unwatch(&p->out);
    fd_auto_close(&p->in.fd);
    fd_auto_close(&p->out.fd);
    p->in.fd = p->out.fd = -1;
    buf_fini(&p->input);
    buf_fini(&p->output);
}

/* -- reading ----------------------------------------------------------------
 */

static void close_input(struct pipe *p, const struct err *e) {
    if (p->in_closed) return;
    p->in_closed = true;
    loop_unpost(p->loop, &p->turn);
    loop_unwatch(&p->in);
    p->events->closed(p->data, e);
}

static str without_cr(str line) {
    if (line.n && line.p[line.n - 1] == '\r') line.n--;
    return line;
}

static void drop_overlong(struct pipe *p, size_t bytes, str beginning) {
    if (p->events->overlong)
        p->events->overlong(p->data, bytes, str_sub(beginning, 0, 200));
}

/* What is left over is an unfinished line; past the maximum it is forgotten
 * and only counted, so a line without end costs no memory. */
static void shed_overlong(struct pipe *p) {
    if (p->input.len > p->line_max || p->dropping) {
        p->dropping += p->input.len;
        buf_truncate(&p->input, 0);
        p->scanned = 0;
    }
}

/* Delivers the complete lines of the input, until a callback frees the pipe
 * (*gone). */
static void deliver_lines(struct pipe *p, const bool *gone) {
    size_t start = 0;
    for (;;) {
        size_t from = p->scanned > start ? p->scanned : start;
        char *lf = p->input.len > from
                       ? memchr(p->input.data + from, '\n', p->input.len - from)
                       : NULL;
        if (!lf) break;
        size_t end = (size_t)(lf - p->input.data);
        str line = {p->input.data + start, end - start};
        start = end + 1;
        if (p->dropping) {
            size_t bytes = p->dropping + line.n;
            p->dropping = 0;
            drop_overlong(p, bytes, STR(""));
        } else if (line.n > p->line_max) {
            drop_overlong(p, line.n, line);
        } else {
            p->events->line(p->data, without_cr(line));
        }
        if (*gone) return;
        if (p->in_closed) break;
    }
    buf_consume(&p->input, start);
    p->scanned = p->input.len;
    shed_overlong(p);
}

static void end_of_file(struct pipe *p, const bool *gone) {
    if (p->dropping)
        drop_overlong(p, p->dropping + p->input.len, STR(""));
    else if (p->input.len)
        p->events->line(p->data, without_cr(buf_str(&p->input)));
    if (!*gone) close_input(p, NULL);
}

static void read_into(struct pipe *p, const bool *gone) {
    struct err e;
    char *room = buf_reserve(&p->input, READ_CHUNK, &e);
    if (!room) {
        close_input(p, &e);
        return;
    }
    ssize_t n = read(p->in.fd, room, READ_CHUNK);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n < 0 && errno != EIO) { /* a terminal's end of file is EIO */
        err_set_sys(&e, "read");
        close_input(p, &e);
    } else if (n <= 0) {
        end_of_file(p, gone);
    } else {
        buf_commit(&p->input, (size_t)n);
        deliver_lines(p, gone);
    }
}

/* Between two lines a pipe has no memory: the loop lends it some. */
static void read_some(struct pipe *p, const bool *gone) {
    if (!p->input.data) p->input = loop_borrow(p->loop);
    p->input.max = p->line_max + READ_CHUNK;
    read_into(p, gone);
    if (!*gone && p->input.len == 0) loop_give(p->loop, &p->input);
}

/* HUP and ERR show as end of file or an error of read(). */
static void on_readable(struct io_watch *w, uint32_t events) {
    (void)events;
    struct pipe *p = w->data;
    bool gone = false;
    p->gone = &gone;
    read_some(p, &gone);
    if (!gone) p->gone = NULL;
}

/* Posted again first: reading may pause or end it. */
static void on_turn(struct io_task *t) {
    struct pipe *p = t->data;
    loop_post(p->loop, t);
    on_readable(&p->in, EPOLLIN);
}

int pipe_pause(struct pipe *p, bool paused, struct err *e) {
    if (p->in_closed) return 0;
    if (!p->is_file)
        return loop_watch(p->loop, &p->in, paused ? 0 : EPOLLIN, e);
    if (paused)
        loop_unpost(p->loop, &p->turn);
    else
        loop_post(p->loop, &p->turn);
    return 0;
}

/* -- writing ----------------------------------------------------------------
 */

size_t pipe_backlog(const struct pipe *p) {
    return p->output.len - p->sent;
}

static void close_output(struct pipe *p) {
    loop_unwatch(&p->out);
    fd_auto_close(&p->out.fd);
    p->out.fd = -1;
    buf_fini(&p->output);
    p->sent = 0;
}

/* A peer that is gone shows on its reading side too, where it is reported. */
static void flush(struct pipe *p) {
    while (pipe_backlog(p)) {
        ssize_t n = write(p->out.fd, p->output.data + p->sent, pipe_backlog(p));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n < 0) {
            close_output(p);
            return;
        }
        p->sent += (size_t)n;
    }
    buf_truncate(&p->output, 0);
    p->sent = 0;
    if (p->output.cap > KEEP_OUTPUT) buf_fini(&p->output);
    if (p->finish) close_output(p);
}

static void watch_output(struct pipe *p) {
    struct err e;
    if (p->out.fd < 0) return;
    if (!pipe_backlog(p)) {
        loop_unwatch(&p->out);
    } else if (loop_watch(p->loop, &p->out, EPOLLOUT, &e)) {
        close_output(p);
    }
}

static void on_writable(struct io_watch *w, uint32_t events) {
    (void)events;
    struct pipe *p = w->data;
    flush(p);
    watch_output(p);
}

/* Moves the unsent rest down once half of the buffer is sent, so that many
 * small sends to a slow reader cost linear time. */
static void compact(struct pipe *p) {
    if (p->sent <= p->output.len / 2) return;
    buf_consume(&p->output, p->sent);
    p->sent = 0;
}

/* Both pieces or neither. */
static int queue(struct pipe *p, str bytes, str end, struct err *e) {
    if (p->out.fd < 0 || p->finish)
        return fail(e, ERR_PEER, "the other side is closed");
    compact(p);
    size_t before = p->output.len;
    if (buf_add_str(&p->output, bytes, e) || buf_add_str(&p->output, end, e)) {
        buf_truncate(&p->output, before);
        return fail_while(e, "the other side does not read");
    }
    return 0;
}

static int send_with_end(struct pipe *p, str bytes, str end, struct err *e) {
    bool idle = pipe_backlog(p) == 0;
    if (queue(p, bytes, end, e)) return -1;
    if (idle) flush(p);
    watch_output(p);
    return 0;
}

int pipe_send(struct pipe *p, str bytes, struct err *e) {
    return send_with_end(p, bytes, STR(""), e);
}

int pipe_send_line(struct pipe *p, str line, struct err *e) {
    return send_with_end(p, line, STR("\n"), e);
}

void pipe_finish(struct pipe *p) {
    p->finish = true;
    if (p->out.fd >= 0 && !pipe_backlog(p)) close_output(p);
}
