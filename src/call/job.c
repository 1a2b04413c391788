/* SPDX-License-Identifier: MIT */
#include "call/job.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT 3 /* the pipe, in the copy */

/* ---- in the copy ---- */

static void write_all(str bytes) {
    while (bytes.n > 0) {
        ssize_t n = write(OUT, bytes.p, bytes.n);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        bytes = str_sub(bytes, (size_t)n, bytes.n);
    }
}

static _Noreturn void run(int fd, pid_t parent,
                          void (*work)(void *context, struct buf *out),
                          void *context, size_t max) {
    struct buf out = BUF_MAX(max);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(fd, OUT) < 0) _exit(1);
    (void)syscall(SYS_close_range, OUT + 1, ~0U, 0);
    (void)fcntl(OUT, F_SETFL, 0);
    work(context, &out);
    write_all(buf_str(&out));
    _exit(0);
}

/* ---- here ---- */

void job_cancel(struct job *j) {
    loop_timer_stop(&j->timer);
    loop_unwatch(&j->out);
    if (j->pid > 0) {
        (void)kill(j->pid, SIGKILL);
        (void)waitpid(j->pid, NULL, 0);
        close(j->out.fd);
    }
    j->pid = 0;
    buf_fini(&j->answer);
}

static void end(struct job *j, const struct err *e) {
    struct buf answer = j->answer;
    j->answer = BUF_MAX(0);
    job_cancel(j);
    j->answer = answer;
    j->done(j, e);
    buf_fini(&answer);
}

static void on_time(struct io_timer *t) {
    struct err e;
    err_set(&e, ERR_TIMEOUT, "it took too long");
    end(t->data, &e);
}

static void on_bytes(struct io_watch *w, uint32_t events) {
    struct job *j = w->data;
    struct err e;
    (void)events;
    for (;;) {
        char piece[16384];
        ssize_t n = read(w->fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n < 0) {
            err_set_sys(&e, "read");
            end(j, &e);
            return;
        }
        if (n == 0) {
            end(j, NULL);
            return;
        }
        if (buf_add(&j->answer, piece, (size_t)n, &e)) {
            end(j, &e);
            return;
        }
    }
}

static int watch(struct job *j, int64_t timeout_ns, struct err *e) {
    j->out.fn = on_bytes;
    j->out.data = j;
    j->timer = (struct io_timer){.fn = on_time, .data = j};
    if (loop_watch(j->loop, &j->out, EPOLLIN, e) ||
        loop_timer(j->loop, &j->timer, timeout_ns, e)) {
        job_cancel(j);
        return -1;
    }
    return 0;
}

int job_start(struct job *j, void (*work)(void *context, struct buf *out),
              void *context, size_t answer_max, int64_t timeout_ns,
              struct err *e) {
    int fds[2];
    pid_t parent = getpid();
    if (pipe2(fds, O_CLOEXEC | O_NONBLOCK)) return fail_sys(e, "pipe");
    j->answer = BUF_MAX(answer_max);
    j->pid = fork();
    if (j->pid == 0) run(fds[1], parent, work, context, answer_max);
    close(fds[1]);
    j->out = (struct io_watch){.fd = fds[0]};
    if (j->pid > 0) return watch(j, timeout_ns, e);
    err_set_sys(e, "fork");
    close(fds[0]);
    j->pid = 0;
    return -1;
}
