/* SPDX-License-Identifier: MIT */
#include "io/loop.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

enum { BATCH = 64, SPARE_MAX = 256 * 1024 };

struct loop {
    int epoll;
    bool stopped;
    int64_t now;
    struct epoll_event batch[BATCH]; /* fetched events, not all handled yet */
    int batch_len, batch_next;
    struct io_timer **timers; /* binary heap by time */
    size_t timer_count, timer_cap;
    struct io_task *tasks, **tasks_tail;
    struct io_watch signal_watch;
    void (*signal_fn)(void *data, int signal);
    void *signal_data;
    struct buf spare; /* see loop_borrow */
};

struct loop *loop_new(struct err *e) {
    /* A peer that goes away is an error of write(), not the end of us. */
    (void)signal(SIGPIPE, SIG_IGN);
    AUTO_FD int fd = epoll_create1(EPOLL_CLOEXEC);
    if (fd < 0) {
        err_set_sys(e, "epoll_create1");
        return NULL;
    }
    struct loop *loop = mem_zalloc(1, sizeof *loop, e);
    if (!loop) return NULL;
    loop->epoll = fd_take(&fd);
    loop->tasks_tail = &loop->tasks;
    loop->signal_watch.fd = -1;
    loop->now = clock_mono_ns();
    return loop;
}

void loop_free(struct loop *loop) {
    if (!loop) return;
    fd_auto_close(&loop->signal_watch.fd);
    fd_auto_close(&loop->epoll);
    mem_free(loop->timers);
    buf_fini(&loop->spare);
    mem_free(loop);
}

void loop_auto_free(struct loop **loop) {
    loop_free(*loop);
}

int64_t loop_now(const struct loop *loop) {
    return loop->now;
}

struct buf loop_borrow(struct loop *loop) {
    struct buf b = loop->spare;
    loop->spare = (struct buf){0};
    return b;
}

void loop_give(struct loop *loop, struct buf *b) {
    if (loop->spare.data || b->cap > SPARE_MAX) {
        buf_fini(b);
    } else {
        loop->spare = *b;
        *b = (struct buf){0};
    }
}

/* -- descriptors ------------------------------------------------------------
 */

int loop_watch(struct loop *loop, struct io_watch *w, uint32_t events,
               struct err *e) {
    assert(!w->loop || w->loop == loop);
    if (w->loop && w->events == events) return 0;
    struct epoll_event ev = {.events = events, .data.ptr = w};
    int how = w->loop ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(loop->epoll, how, w->fd, &ev))
        return fail_sys(e, "watch descriptor %d", w->fd);
    w->loop = loop;
    w->events = events;
    return 0;
}

bool loop_can_watch(struct loop *loop, int fd) {
    struct epoll_event none = {0};
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &none)) return errno != EPERM;
    (void)epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
    return true;
}

/* Events of this batch that were fetched before the watch went away must not
 * reach it: its memory may be gone. */
static void forget_fetched(struct loop *loop, const struct io_watch *w) {
    for (int i = loop->batch_next; i < loop->batch_len; i++)
        if (loop->batch[i].data.ptr == w) loop->batch[i].data.ptr = NULL;
}

void loop_unwatch(struct io_watch *w) {
    if (!w->loop) return;
    /* Fails only if the descriptor was closed first, and then it is gone from
     * the set already. */
    (void)epoll_ctl(w->loop->epoll, EPOLL_CTL_DEL, w->fd, NULL);
    forget_fetched(w->loop, w);
    w->loop = NULL;
    w->events = 0;
}

/* -- timers: a binary heap whose entries know their place -------------------
 */

static void put(struct loop *loop, size_t i, struct io_timer *t) {
    loop->timers[i] = t;
    t->place = i + 1;
}

static void sift_up(struct loop *loop, size_t i) {
    struct io_timer *t = loop->timers[i];
    while (i > 0 && t->at < loop->timers[(i - 1) / 2]->at) {
        put(loop, i, loop->timers[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(loop, i, t);
}

static void sift_down(struct loop *loop, size_t i) {
    struct io_timer *t = loop->timers[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= loop->timer_count) break;
        if (child + 1 < loop->timer_count &&
            loop->timers[child + 1]->at < loop->timers[child]->at)
            child++;
        if (t->at <= loop->timers[child]->at) break;
        put(loop, i, loop->timers[child]);
        i = child;
    }
    put(loop, i, t);
}

int loop_timer(struct loop *loop, struct io_timer *t, int64_t delay_ns,
               struct err *e) {
    loop_timer_stop(t);
    if (loop->timer_count == loop->timer_cap) {
        size_t cap = loop->timer_cap ? loop->timer_cap * 2 : 16;
        void *p = mem_resize(loop->timers, cap, sizeof *loop->timers, e);
        if (!p) return -1;
        loop->timers = p;
        loop->timer_cap = cap;
    }
    t->loop = loop;
    t->at = clock_mono_ns() + (delay_ns > 0 ? delay_ns : 0);
    loop->timers[loop->timer_count] = t;
    sift_up(loop, loop->timer_count++);
    return 0;
}

void loop_timer_stop(struct io_timer *t) {
    if (!t->place) return;
    struct loop *loop = t->loop;
    size_t i = t->place - 1;
    t->place = 0;
    struct io_timer *last = loop->timers[--loop->timer_count];
    if (last == t) return;
    put(loop, i, last);
    sift_down(loop, i);
    sift_up(loop, last->place - 1);
}

/* A callback that starts its own timer again with no delay gets its turn in
 * the next step, so that one timer cannot starve the descriptors. */
static void run_due_timers(struct loop *loop) {
    int64_t now = loop->now;
    while (loop->timer_count && loop->timers[0]->at <= now) {
        struct io_timer *t = loop->timers[0];
        loop_timer_stop(t);
        t->fn(t);
    }
}

/* -- deferred work ----------------------------------------------------------
 */

void loop_post(struct loop *loop, struct io_task *t) {
    if (t->queued) return;
    t->queued = true;
    t->next = NULL;
    *loop->tasks_tail = t;
    loop->tasks_tail = &t->next;
}

void loop_unpost(struct loop *loop, struct io_task *t) {
    if (!t->queued) return;
    struct io_task **p = &loop->tasks;
    while (*p != t)
        p = &(*p)->next;
    *p = t->next;
    if (!*p) loop->tasks_tail = p;
    t->queued = false;
}

/* Tasks posted by tasks wait for the next turn: only those up to `last` run. */
static void run_tasks(struct loop *loop) {
    struct io_task **last = loop->tasks_tail;
    while (loop->tasks) {
        struct io_task *t = loop->tasks;
        bool final = last == &t->next;
        loop_unpost(loop, t);
        t->fn(t);
        if (final) return;
    }
}

/* -- signals ----------------------------------------------------------------
 */

static void on_signal(struct io_watch *w, uint32_t events) {
    (void)events;
    struct loop *loop = w->data;
    struct signalfd_siginfo info;
    while (read(w->fd, &info, sizeof info) == (ssize_t)sizeof info)
        loop->signal_fn(loop->signal_data, (int)info.ssi_signo);
}

int loop_signals(struct loop *loop, const int *signals,
                 void (*fn)(void *data, int signal), void *data,
                 struct err *e) {
    assert(loop->signal_watch.fd < 0);
    sigset_t set;
    sigemptyset(&set);
    for (; *signals; signals++)
        sigaddset(&set, *signals);
    if (sigprocmask(SIG_BLOCK, &set, NULL)) return fail_sys(e, "sigprocmask");
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0) return fail_sys(e, "signalfd");
    loop->signal_fn = fn;
    loop->signal_data = data;
    loop->signal_watch =
        (struct io_watch){.fd = fd, .fn = on_signal, .data = loop};
    return loop_watch(loop, &loop->signal_watch, EPOLLIN, e);
}

/* -- turning ----------------------------------------------------------------
 */

static int64_t wait_time(struct loop *loop, int64_t timeout_ns) {
    if (loop->tasks) return 0;
    if (!loop->timer_count) return timeout_ns;
    int64_t left = loop->timers[0]->at - clock_mono_ns();
    if (left < 0) left = 0;
    return timeout_ns < 0 || left < timeout_ns ? left : timeout_ns;
}

/* Kernels before 5.11 count in milliseconds: rounded up, so that a timer is
 * never early and the loop never spins. */
static int wait_coarse(struct loop *loop, int64_t wait_ns) {
    int64_t ms = wait_ns < 0 ? -1 : (wait_ns + 999999) / 1000000;
    return epoll_wait(loop->epoll, loop->batch, BATCH,
                      (int)(ms < INT_MAX ? ms : INT_MAX));
}

static int fetch(struct loop *loop, int64_t wait_ns, struct err *e) {
    struct timespec ts = {wait_ns / 1000000000, wait_ns % 1000000000};
    int n = epoll_pwait2(loop->epoll, loop->batch, BATCH,
                         wait_ns < 0 ? NULL : &ts, NULL);
    if (n < 0 && errno == ENOSYS) n = wait_coarse(loop, wait_ns);
    if (n < 0 && errno != EINTR) return fail_sys(e, "epoll_wait");
    loop->batch_len = n < 0 ? 0 : n;
    return 0;
}

int loop_step(struct loop *loop, int64_t timeout_ns, struct err *e) {
    if (fetch(loop, wait_time(loop, timeout_ns), e)) return -1;
    loop->now = clock_mono_ns();
    for (loop->batch_next = 0; loop->batch_next < loop->batch_len;) {
        struct epoll_event ev = loop->batch[loop->batch_next++];
        struct io_watch *w = ev.data.ptr;
        if (w) w->fn(w, ev.events);
    }
    loop->batch_len = 0;
    run_due_timers(loop);
    run_tasks(loop);
    return 0;
}

int loop_run(struct loop *loop, struct err *e) {
    loop->stopped = false;
    while (!loop->stopped)
        if (loop_step(loop, -1, e)) return -1;
    return 0;
}

void loop_stop(struct loop *loop) {
    loop->stopped = true;
}
