/* SPDX-License-Identifier: MIT
 *
 * Standard streams of a task.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "sandbox/jail_inside.h"

static int make_stream(enum jail_stream mode, int fd, uint64_t max,
                       struct stream *s, int *theirs, struct err *e) {
    s->output->kept = BUF_MAX(max);
    s->copied = mode == STREAM_COPY;
    s->copy = s->copied ? fd : -1;
    if (mode == STREAM_GIVE) {
        *theirs = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        return *theirs < 0 ? fail_sys(e, "stream") : 0;
    }
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0) return fail_sys(e, "pipe");
    s->fd = pair[0];
    *theirs = pair[1];
    if (fcntl(s->fd, F_SETFL, O_NONBLOCK) < 0) return fail_sys(e, "pipe");
    return 0;
}

int jail_open_streams(struct jail *j, const struct jail_io *io, int std[3],
                      struct err *e) {
    uint64_t max = j->cage->limits.output;
    std[0] = io->in >= 0 ? fcntl(io->in, F_DUPFD_CLOEXEC, 3)
                         : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (std[0] < 0) return fail_sys(e, "standard input");
    if (make_stream(io->out.mode, io->out.fd, max, &j->out, &std[1], e) ||
        make_stream(io->err.mode, io->err.fd, max, &j->err, &std[2], e))
        return -1;
    return 0;
}

/* Whoever reads from us may be slow, or gone; the task's time runs on. POLLOUT
 * of a pipe promises room for PIPE_BUF bytes. */
static void copy_out(struct jail *j, struct stream *s, str data) {
    while (data.n && s->copy >= 0) {
        struct pollfd p[] = {{s->copy, POLLOUT, 0}, {j->timer, POLLIN, 0}};
        if (poll(p, 2, -1) < 0 && errno == EINTR) continue;
        if (p[1].revents) jail_time_over(j);
        if (!p[0].revents) {
            if (j->result.stop == STOP_TIME) s->copy = -1;
            continue;
        }
        ssize_t n =
            write(s->copy, data.p, data.n < PIPE_BUF ? data.n : PIPE_BUF);
        if (n < 0 && errno != EINTR && errno != EAGAIN) s->copy = -1;
        if (n > 0) data = str_sub(data, (size_t)n, data.n);
    }
}

/* What is over the limit is read and dropped: a full pipe would stop a program
 * that only talks too much. */
void jail_keep_output(struct jail *j, struct stream *s, const char *p,
                      size_t n) {
    struct buf *kept = &s->output->kept;
    size_t room =
        kept->max -
        (size_t)(s->output->total < kept->max ? s->output->total : kept->max);
    size_t take = n < room ? n : room;
    struct err e;
    s->output->total += n;
    if (take == 0) return;
    if (s->copied) {
        copy_out(j, s, (str){p, take});
    } else if (buf_add(kept, p, take, &e)) {
        kept->max = kept->len; /* out of memory: keep what there is */
    }
}

void jail_on_stream(struct jail *j, struct stream *s) {
    char chunk[65536];
    ssize_t n = read(s->fd, chunk, sizeof chunk);
    if (n > 0)
        jail_keep_output(j, s, chunk, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        jail_close_fd(&s->fd);
}
