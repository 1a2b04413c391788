/* SPDX-License-Identifier: MIT
 *
 * loop -- the one event loop: descriptors, timers, signals, deferred work.
 *
 * Watches, timers and tasks are embedded in their owners and never allocated
 * here. A callback may stop, remove or free any of them, itself included: what
 * was removed is not called any more, not even for an event already fetched.
 * One loop per thread; nothing here blocks but loop_run and loop_step.
 */
#ifndef CORDON_IO_LOOP_H
#define CORDON_IO_LOOP_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

struct loop;

/* A descriptor of interest. Zero-initialise, set fd, fn and data, loop_watch.
 */
struct io_watch {
    int fd;
    void (*fn)(struct io_watch *w, uint32_t events); /* EPOLLIN, EPOLLHUP ... */
    void *data;
    uint32_t events;   /* what is asked for; 0 while not watched */
    struct loop *loop; /* NULL while not watched */
};

/* One-shot; start it again from its callback for a period. */
struct io_timer {
    void (*fn)(struct io_timer *t);
    void *data;
    int64_t at;        /* monotonic ns */
    size_t place;      /* position in the loop's heap + 1; 0: not running */
    struct loop *loop; /* of the last start */
};

/* Work for the end of this turn of the loop. */
struct io_task {
    void (*fn)(struct io_task *t);
    void *data;
    struct io_task *next;
    bool queued;
};

struct loop *loop_new(struct err *e);
void loop_free(struct loop *loop); /* owners have removed their things */

/* Starts watching, or changes what is watched for. */
int loop_watch(struct loop *loop, struct io_watch *w, uint32_t events,
               struct err *e);
void loop_unwatch(struct io_watch *w); /* the descriptor stays open */
/* Files and /dev/null cannot be: they are always ready. */
bool loop_can_watch(struct loop *loop, int fd);

int loop_timer(struct loop *loop, struct io_timer *t, int64_t delay_ns,
               struct err *e);
void loop_timer_stop(struct io_timer *t);

void loop_post(struct loop *loop, struct io_task *t);
void loop_unpost(struct loop *loop, struct io_task *t);

/* Calls fn in the loop when one of the signals (a list ended by 0) arrives;
 * they are blocked for the process from now on. One handler per loop. */
int loop_signals(struct loop *loop, const int *signals,
                 void (*fn)(void *data, int signal), void *data, struct err *e);

/* Runs until loop_stop. */
int loop_run(struct loop *loop, struct err *e);
void loop_stop(struct loop *loop);

/* One turn: waits at most timeout_ns (negative: until something happens). */
int loop_step(struct loop *loop, int64_t timeout_ns, struct err *e);

/* An empty buffer to read into, of the memory that was given back last. Whoever
 * has nothing left in it gives it back, so that a thousand idle connections
 * have one between them. */
struct buf loop_borrow(struct loop *loop);
void loop_give(struct loop *loop, struct buf *b);

/* The monotonic clock as of the start of this turn. */
int64_t loop_now(const struct loop *loop);

#define AUTO_LOOP __attribute__((cleanup(loop_auto_free)))
void loop_auto_free(struct loop **loop);

#endif
