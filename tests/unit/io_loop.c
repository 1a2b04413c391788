/* SPDX-License-Identifier: MIT */
#include "io/loop.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "test.h"

enum { MS = 1000000 };

struct tape {
    char text[64];
    size_t len;
};

static void note(struct tape *tape, char c) {
    tape->text[tape->len++] = c;
}

struct named_timer {
    struct io_timer timer;
    struct tape *tape;
    char name;
};

static void write_name(struct io_timer *t) {
    struct named_timer *n = t->data;
    note(n->tape, n->name);
}

TEST(timers_fire_in_order_of_time_not_of_start) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct tape tape = {0};
    const char names[] = "dbeca";
    struct named_timer t[5];
    for (int i = 0; i < 5; i++) {
        t[i] = (struct named_timer){
            {.fn = write_name, .data = &t[i]}, &tape, names[i]};
        CHECK_OK(loop_timer(loop, &t[i].timer, (names[i] - 'a') * MS, &e), &e);
    }
    loop_timer_stop(&t[3].timer); /* c */
    while (tape.len < 4)
        CHECK_OK(loop_step(loop, -1, &e), &e);
    CHECK_TEXT(tape.text, "abde");
}

static void start_again(struct io_timer *t) {
    struct err e;
    note(t->data, 'x');
    CHECK_OK(loop_timer(t->loop, t, 0, &e), &e);
}

TEST(a_timer_that_restarts_itself_does_not_starve_the_loop) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct tape tape = {0};
    struct io_timer t = {.fn = start_again, .data = &tape};
    CHECK_OK(loop_timer(loop, &t, 0, &e), &e);
    CHECK_OK(loop_step(loop, -1, &e), &e);
    CHECK_OK(loop_step(loop, -1, &e), &e);
    CHECK(tape.len <= 4);
    loop_timer_stop(&t);
}

static struct io_watch pair[2];

static void remove_both(struct io_watch *w, uint32_t events) {
    (void)events;
    note(w->data, 'x');
    loop_unwatch(&pair[0]);
    loop_unwatch(&pair[1]);
}

TEST(a_watch_removed_by_another_is_not_called_for_fetched_events) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct tape tape = {0};
    for (int i = 0; i < 2; i++) {
        pair[i] = (struct io_watch){
            .fd = eventfd(1, EFD_CLOEXEC), .fn = remove_both, .data = &tape};
        CHECK_OK(loop_watch(loop, &pair[i], EPOLLIN, &e), &e);
    }
    CHECK_OK(loop_step(loop, 0, &e), &e);
    CHECK_TEXT(tape.text, "x");
    for (int i = 0; i < 2; i++)
        fd_auto_close(&pair[i].fd);
}

static void count_task(struct io_task *t) {
    note(t->data, 't');
}

TEST(a_posted_task_runs_once_and_can_be_taken_back) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct tape tape = {0};
    struct io_task a = {.fn = count_task, .data = &tape}, b = a, c = a;
    loop_post(loop, &a);
    loop_post(loop, &b);
    loop_post(loop, &c);
    loop_post(loop, &a);
    loop_unpost(loop, &b);
    CHECK_OK(loop_step(loop, -1, &e), &e);
    CHECK_OK(loop_step(loop, 0, &e), &e);
    CHECK_TEXT(tape.text, "tt");
}

static void stop_on(void *data, int sig) {
    CHECK_EQ(sig, SIGUSR1);
    loop_stop(data);
}

TEST(a_signal_arrives_in_the_loop) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    const int signals[] = {SIGUSR1, 0};
    CHECK_OK(loop_signals(loop, signals, stop_on, loop, &e), &e);
    CHECK_EQ(kill(getpid(), SIGUSR1), 0);
    CHECK_OK(loop_run(loop, &e), &e);
}

TEST(a_step_waits_no_longer_than_asked) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    int64_t began = clock_mono_ns();
    CHECK_OK(loop_step(loop, 2 * MS, &e), &e);
    CHECK(clock_mono_ns() - began >= 2 * MS);
}

static int make_and_start(void) {
    struct err e;
    struct loop *loop = loop_new(&e);
    if (!loop) return -1;
    struct tape tape = {0};
    struct io_timer t = {.fn = start_again, .data = &tape};
    int r = loop_timer(loop, &t, 1000 * MS, &e);
    loop_timer_stop(&t);
    loop_free(loop);
    return r;
}

TEST(the_loop_survives_every_failed_allocation) {
    TORTURE(make_and_start());
}
