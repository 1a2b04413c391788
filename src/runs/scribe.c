/* SPDX-License-Identifier: MIT */
#include "runs/scribe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "runs/frame.h"

/* -- in the process that writes -----------------------------------------------
 */

static int write_state(const struct scribe *s, const struct scribe_job *job,
                       struct err *e) {
    AUTO_BUF struct buf sealed = BUF_MAX(FRAME_MAX);
    str bytes = job->bytes;
    if (job->sealer) {
        if (worker_seal(job->sealer, bytes, &sealed, e)) return -1;
        bytes = buf_str(&sealed);
    }
    return store_snapshot_file(job->store, job->run, str_of(s->name), bytes, e);
}

/* Connections and files of ours must not stay open for its sake. */
static int keep_only(int fd) {
    if (dup2(fd, 3) != 3) return -1;
    return close_range(4, ~0U, 0);
}

static _Noreturn void work(const struct scribe *s, const struct scribe_job *job,
                           int out, pid_t parent) {
    struct err e = {0};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || keep_only(out)) _exit(1);
    int failed = write_state(s, job, &e);
    if (failed) (void)fd_write_all(3, (str){(const char *)&e, sizeof e}, &e);
    _exit(failed ? 1 : 0);
}

/* -- in ours ------------------------------------------------------------------
 */

static void end(struct scribe *s, int *status) {
    int fd = s->watch.fd;
    loop_unwatch(&s->watch);
    fd_auto_close(&fd);
    while (waitpid(s->pid, status, 0) < 0 && errno == EINTR)
        ;
    s->pid = 0;
}

/* It says what went wrong, or just ends. */
static void on_end(struct io_watch *w, uint32_t events) {
    struct scribe *s = w->data;
    struct err why = {0};
    int status = 0;
    (void)events;
    ssize_t n = read(w->fd, &why, sizeof why);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    end(s, &status);
    why.text[sizeof why.text - 1] = '\0';
    bool good = n == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good && n != sizeof why)
        err_set(&why, ERR_SYSTEM, "the process that writes states ended early");
    s->done(s, good ? NULL : &why);
}

static int watch(struct scribe *s, struct loop *loop, int fd, struct err *e) {
    s->watch = (struct io_watch){.fd = fd, .fn = on_end, .data = s};
    return loop_watch(loop, &s->watch, EPOLLIN, e);
}

int scribe_start(struct scribe *s, const struct scribe_job *job,
                 struct err *e) {
    int pair[2];
    pid_t parent = getpid();
    store_snapshot_tidy(job->store, job->run);
    if (store_ready(job->store, e) || store_new_id("s_", s->name, e)) return -1;
    if (pipe2(pair, O_CLOEXEC | O_NONBLOCK)) return fail_sys(e, "pipe");
    AUTO_FD int in = pair[0], out = pair[1];
    if (watch(s, job->loop, in, e)) return -1;
    s->pid = fork();
    if (s->pid == 0) work(s, job, out, parent);
    if (s->pid < 0) {
        s->pid = 0;
        loop_unwatch(&s->watch);
        return fail_sys(e, "fork");
    }
    (void)fd_take(&in);
    return 0;
}

void scribe_stop(struct scribe *s) {
    int status;
    if (!s->pid) return;
    (void)kill(s->pid, SIGKILL);
    end(s, &status);
}
