/* SPDX-License-Identifier: MIT
 *
 * The steward, and how it is asked.
 */
#include "sandbox/steward.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "sandbox/cpython.h"
#include "sandbox/kind.h"
#include "sandbox/launcher.h"
#include "sandbox/zygote.h"

enum { MAX_SLOTS = 64, TIDY_MS = 1000 };

struct steward {
    int fd;
    pid_t pid;
    struct launch message; /* large, so it is not on the stack */
};

/* What goes back. With it come the launcher's socket, its pidfd, the listener
 * where there is one, and the directories of the group in their order; or, when
 * it was not made, one descriptor that means nothing. */
struct answer {
    uint32_t number, layers, dirs; /* of dirs one bit each */
    int32_t kind, pid;             /* kind of error, when it was not made */
    uint8_t made, unified, listener;
    char name[sizeof(((struct cgroup *)0)->name)];
    char text[sizeof(((struct err *)0)->text)];
};

/* --- in the steward --- */

struct house {
    int control, null, module;
    struct started slots[MAX_SLOTS];
    size_t count;
    struct launch message;
};

static int make(const struct house *h, str kind, struct started *out,
                struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct cage like;
    const char *preload;
    if (h->count == MAX_SLOTS)
        return fail(e, ERR_LIMIT, "%d slots are the most", MAX_SLOTS);
    if (kind_read(kind, &a, &like, &preload, e)) return -1;
    if (preload && h->module < 0)
        return fail(e, ERR_UNSUPPORTED, "there is no cordon-python.so");
    const char *const argv[] = {CPYTHON, "-I",    "-c", zygote_text(),
                                "serve", preload, NULL};
    struct start_zygote z = {argv, h->module};
    return start_launcher(&like, preload ? &z : NULL, out, e);
}

static size_t gather_fds(const struct started *s, struct answer *a, int *fds) {
    size_t n = 0;
    fds[n++] = s->status;
    fds[n++] = s->pidfd;
    a->listener = s->listener >= 0;
    if (a->listener) fds[n++] = s->listener;
    for (int i = 0; i < CGROUP_DIRS; i++) {
        if (s->cgroup.dir[i] < 0) continue;
        a->dirs |= 1u << i;
        fds[n++] = s->cgroup.dir[i];
    }
    return n;
}

/* We keep the pidfd and the group; requests are not for us. */
static int tell(struct house *h, struct answer *a, struct started *s,
                struct err *e) {
    int fds[LAUNCH_MAX_FDS] = {h->null};
    size_t n = 1;
    if (a->made) {
        a->layers = s->layers;
        a->pid = s->pid;
        a->unified = s->cgroup.unified;
        memcpy(a->name, s->cgroup.name, sizeof a->name);
        n = gather_fds(s, a, fds);
    }
    int rc = launch_send(h->control, a, sizeof *a, fds, n, e);
    if (!a->made) return rc;
    close(s->status);
    if (s->listener >= 0) close(s->listener);
    h->slots[h->count++] = *s;
    return rc;
}

static int answer(struct house *h, struct err *e) {
    const struct launch *m = &h->message;
    struct answer a;
    struct started s;
    struct err why;
    memset(&a, 0, sizeof a);
    if (m->size < sizeof a.number) return fail(e, ERR_INVALID, "a request");
    memcpy(&a.number, m->text, sizeof a.number);
    str kind = {m->text + sizeof a.number, m->size - sizeof a.number};
    a.made = make(h, kind, &s, &why) == 0;
    if (!a.made) {
        a.kind = (int32_t)why.kind;
        memcpy(a.text, why.text, sizeof a.text);
    }
    return tell(h, &a, &s, e);
}

static void see_off(struct house *h, size_t i) {
    struct started *s = &h->slots[i];
    struct err ignored;
    kill(s->pid, SIGKILL);
    cgroup_kill(&s->cgroup);
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(s->pidfd);
    (void)cgroup_close(&s->cgroup, &ignored);
    h->slots[i] = h->slots[--h->count];
}

static int wait_for(const struct house *h, struct pollfd *fds) {
    fds[0] = (struct pollfd){h->control, POLLIN, 0};
    for (size_t i = 0; i < h->count; i++)
        fds[i + 1] = (struct pollfd){h->slots[i].pidfd, POLLIN, 0};
    int n;
    do
        n = poll(fds, (nfds_t)h->count + 1, -1);
    while (n < 0 && errno == EINTR);
    return n;
}

/* From the last to the first: the last takes the place of one that goes. */
static _Noreturn void live(struct house *h) {
    struct pollfd fds[MAX_SLOTS + 1];
    struct err e;
    while (wait_for(h, fds) >= 0) {
        for (size_t i = h->count; i > 0; i--)
            if (fds[i].revents) see_off(h, i - 1);
        if (!fds[0].revents) continue;
        if (!launch_receive(h->control, &h->message)) break;
        launch_close(&h->message);
        if (answer(h, &e)) break;
    }
    while (h->count)
        see_off(h, h->count - 1);
    _exit(0);
}

/* A terminal's signals are for the program that started us, and nothing of what
 * it has open is ours. */
static int settle(struct house *h) {
    sigset_t none;
    sigemptyset(&none);
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    if (sigprocmask(SIG_SETMASK, &none, NULL) < 0) return -1;
    h->control = fcntl(h->control, F_DUPFD_CLOEXEC, FD_BASE);
    if (h->control < 0 ||
        (h->module >= 0 && (h->module = dup2(h->module, 3)) < 0))
        return -1;
    h->null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        if (h->null < 0 || dup2(h->null, fd) < 0) return -1;
    unsigned after = (unsigned)h->control + 1;
    if (close_range(h->module >= 0 ? 4 : 3, (unsigned)h->control - 1, 0) < 0)
        return -1;
    h->null = 0;
    prctl(PR_SET_NAME, "cordon-steward");
    return close_range(after, ~0u, 0);
}

static _Noreturn void become_steward(const char *module, int control) {
    static struct house h; /* of this process alone */
    h.control = control;
    h.module = module ? open(module, O_RDONLY | O_CLOEXEC) : -1;
    if (settle(&h)) _exit(1);
    live(&h);
}

/* --- outside --- */

int steward_start(const char *module, struct steward **out, struct err *e) {
    int pair[2];
    struct steward *s = mem_zalloc(1, sizeof *s, e);
    if (!s) return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
        mem_free(s);
        return fail_sys(e, "socket of the steward");
    }
    s->fd = pair[0];
    s->pid = fork();
    if (s->pid == 0) become_steward(module, pair[1]);
    close(pair[1]);
    if (s->pid < 0) {
        steward_free(s);
        return fail_sys(e, "fork of the steward");
    }
    *out = s;
    return 0;
}

/* One that was killed could not tidy up. */
static void tidy_up(const struct steward *s) {
    for (int i = 0; i < TIDY_MS && cgroup_sweep(s->pid) > 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void steward_free(struct steward *s) {
    if (!s) return;
    close(s->fd); /* it ends its launchers, and then itself */
    int status = 0;
    while (s->pid > 0 && waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (s->pid > 0 && WIFSIGNALED(status)) tidy_up(s);
    mem_free(s);
}

int steward_fd(const struct steward *s) {
    return s->fd;
}

int steward_ask(struct steward *s, uint32_t number, str kind, struct err *e) {
    AUTO_BUF struct buf text = BUF_MAX(KIND_MAX_BYTES + sizeof number);
    if (buf_add(&text, &number, sizeof number, e) ||
        buf_add_str(&text, kind, e))
        return -1;
    /* Messages carry descriptors; this one needs none. */
    return launch_send(s->fd, text.data, text.len, &s->fd, 1, e);
}

static void adopt(const struct answer *a, const struct launch *m,
                  struct started *out) {
    size_t n = 0;
    *out = (struct started){.pid = a->pid,
                            .layers = a->layers,
                            .listener = -1,
                            .cgroup = CGROUP_NONE};
    out->status = m->fds[n++];
    out->pidfd = m->fds[n++];
    if (a->listener) out->listener = m->fds[n++];
    out->cgroup.unified = a->unified;
    memcpy(out->cgroup.name, a->name, sizeof a->name);
    for (int i = 0; i < CGROUP_DIRS; i++)
        if (a->dirs & (1u << i)) out->cgroup.dir[i] = m->fds[n++];
    if (a->dirs) cgroup_open_stats(&out->cgroup);
}

static size_t fds_wanted(const struct answer *a) {
    size_t n = a->made ? 2u + a->listener : 1;
    for (int i = 0; i < CGROUP_DIRS; i++)
        n += (a->dirs >> i) & 1;
    return n;
}

/* Descriptors for which there is no room get lost on their way; the launcher
 * sees that, and ends. */
static void check_fds(struct answer *a, struct launch *m) {
    if (m->fd_count == fds_wanted(a)) return;
    launch_close(m);
    a->made = 0;
    a->kind = ERR_LIMIT;
    snprintf(a->text, sizeof a->text, "no descriptors are left for it");
}

int steward_take(struct steward *s, struct steward_answer *out, struct err *e) {
    struct pollfd there = {s->fd, POLLIN, 0};
    struct launch *m = &s->message;
    struct answer a;
    if (poll(&there, 1, 0) <= 0) return 0;
    (void)launch_receive(s->fd, m);
    if (m->size != sizeof a) {
        launch_close(m);
        return fail(e, ERR_SYSTEM, "the steward of sandboxes is gone");
    }
    memcpy(&a, m->text, sizeof a);
    check_fds(&a, m);
    *out = (struct steward_answer){.number = a.number, .made = a.made};
    if (a.made) {
        adopt(&a, m, &out->launcher);
        return 1;
    }
    launch_close(m);
    a.text[sizeof a.text - 1] = 0;
    err_set(&out->why, (enum err_kind)a.kind, "%s", a.text);
    return 1;
}
