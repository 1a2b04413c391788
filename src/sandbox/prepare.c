/* SPDX-License-Identifier: MIT */
#include "sandbox/prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/vm/vm.h"
#include "sandbox/wasm.h"

enum { ANSWER = 3 };

bool prepare_wanted(const struct cage *c) {
    if (c->tier == TIER_MICROVM) return !vm_is_ready(c);
    return c->tier == TIER_WASM && !wasm_is_ready(c);
}

static int make(const struct cage *c, struct err *e) {
    struct cage made;
    if (c->tier == TIER_MICROVM) return vm_make_ready(c, e);
    return wasm_cage(c, &made, e);
}

/* It has nothing of ours but the way to answer: a client's connection that it
 * held would not end with us. */
static _Noreturn void child(const struct cage *c, int answer, pid_t parent) {
    struct err e = {.text = ""};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(answer, ANSWER) < 0 ||
        close_range(ANSWER + 1, ~0u, 0) < 0 ||
        fcntl(ANSWER, F_SETFD, FD_CLOEXEC) < 0)
        _exit(1);
    struct err ignored;
    if (make(c, &e) == 0) _exit(0);
    (void)fd_write_all(ANSWER, (str){(char *)&e, sizeof e}, &ignored);
    _exit(1);
}

int prepare_start(const struct cage *c, struct prepare *out, struct err *e) {
    int pair[2];
    pid_t parent = getpid();
    if (pipe2(pair, O_CLOEXEC) < 0) return fail_sys(e, "pipe");
    pid_t pid = fork();
    if (pid == 0) child(c, pair[1], parent);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return fail_sys(e, "fork");
    }
    *out = (struct prepare){pid, pair[0]};
    return 0;
}

static int reap(struct prepare *p) {
    int status = -1;
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(p->fd);
    *p = PREPARE_NONE;
    return status;
}

int prepare_end(struct prepare *p, struct err *e) {
    struct err why;
    ssize_t n;
    do
        n = read(p->fd, &why, sizeof why);
    while (n < 0 && errno == EINTR);
    int status = reap(p);
    if (status == 0) return 0;
    if (n != (ssize_t)sizeof why)
        return fail(e, ERR_SYSTEM, "making it ready was broken off");
    why.text[sizeof why.text - 1] = 0;
    *e = why;
    return -1;
}

void prepare_stop(struct prepare *p) {
    if (p->pid <= 0) return;
    kill(p->pid, SIGKILL);
    (void)reap(p);
}
