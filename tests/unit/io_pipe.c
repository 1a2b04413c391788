/* SPDX-License-Identifier: MIT */
#include "io/pipe.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "test.h"

/* What a pipe told, one mark each: [line], <length of an overlong one>, then .
 * for the end. */
struct ear {
    struct loop *loop;
    struct pipe pipe;
    int peer; /* our test's end */
    struct buf heard;
    bool closed;
    bool fini_on_line; /* free the pipe from its own callback */
};

static void hear_line(void *data, str line) {
    struct ear *ear = data;
    struct err e;
    CHECK_OK(buf_addf(&ear->heard, &e, "[%.*s]", STR_ARG(line)), &e);
    if (ear->fini_on_line) {
        pipe_fini(&ear->pipe);
        ear->closed = true;
    }
}

static void hear_overlong(void *data, size_t bytes, str beginning) {
    struct ear *ear = data;
    struct err e;
    (void)beginning;
    CHECK_OK(buf_addf(&ear->heard, &e, "<%zu>", bytes), &e);
}

static void hear_closed(void *data, const struct err *why) {
    struct ear *ear = data;
    struct err e;
    CHECK(!why);
    CHECK_OK(buf_add_char(&ear->heard, '.', &e), &e);
    ear->closed = true;
}

static const struct pipe_events events = {hear_line, hear_overlong,
                                          hear_closed};

static void listen_with(struct ear *ear, size_t line_max, size_t output_max) {
    struct err e;
    int ends[2];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ear->loop = loop_new(&e);
    ear->peer = ends[1];
    ear->heard = BUF_MAX(1 << 20);
    CHECK(ear->loop);
    CHECK_OK(pipe_init(&ear->pipe, ear->loop, ends[0], ends[0], line_max,
                       output_max, &events, ear, &e),
             &e);
}

static void stop_listening(struct ear *ear) {
    pipe_fini(&ear->pipe);
    fd_auto_close(&ear->peer);
    buf_fini(&ear->heard);
    loop_free(ear->loop);
}

static void say(struct ear *ear, const char *text) {
    struct err e;
    CHECK_OK(fd_write_all(ear->peer, str_of(text), &e), &e);
    CHECK_OK(loop_step(ear->loop, 0, &e), &e);
}

static void hang_up(struct ear *ear) {
    struct err e;
    fd_auto_close(&ear->peer);
    ear->peer = -1;
    while (!ear->closed)
        CHECK_OK(loop_step(ear->loop, -1, &e), &e);
}

TEST(lines_arrive_whole_however_they_were_cut) {
    struct ear ear = {0};
    listen_with(&ear, 100, 100);
    say(&ear, "one\ntw");
    say(&ear, "o\r\n\nthr\xc3");
    say(&ear, "\xa9\nrest");
    hang_up(&ear);
    CHECK_STR(buf_str(&ear.heard), "[one][two][][thr\xc3\xa9][rest].");
    stop_listening(&ear);
}

TEST(a_pipe_has_memory_only_while_a_line_is_unfinished) {
    struct ear ear = {0};
    listen_with(&ear, 100, 100);
    say(&ear, "one\n");
    CHECK(!ear.pipe.input.data);
    say(&ear, "tw");
    CHECK_EQ(ear.pipe.input.len, 2);
    say(&ear, "o\n");
    CHECK(!ear.pipe.input.data);
    struct buf lent = loop_borrow(ear.loop);
    CHECK(lent.data && lent.len == 0); /* what it gave back */
    say(&ear, "three\n");              /* while another has it */
    CHECK_STR(buf_str(&ear.heard), "[one][two][three]");
    loop_give(ear.loop, &lent);
    stop_listening(&ear);
}

TEST(an_overlong_line_is_dropped_and_the_next_one_heard) {
    struct ear ear = {0};
    listen_with(&ear, 8, 100);
    say(&ear, "123456789\nfits\n");
    say(&ear, "1234567890");
    say(&ear, "1234567890");
    say(&ear, "x\nend\n");
    hang_up(&ear);
    CHECK_STR(buf_str(&ear.heard), "<9>[fits]<21>[end].");
    stop_listening(&ear);
}

TEST(a_line_without_end_costs_no_memory) {
    struct ear ear = {0};
    static char chunk[32 * 1024];
    memset(chunk, 'a', sizeof chunk);
    listen_with(&ear, 64 * 1024, 100);
    struct err e;
    for (int i = 0; i < 100; i++) {
        CHECK_OK(fd_write_all(ear.peer, (str){chunk, sizeof chunk}, &e), &e);
        CHECK_OK(loop_step(ear.loop, 0, &e), &e);
    }
    CHECK(ear.pipe.input.cap <= 512 * 1024);
    hang_up(&ear);
    CHECK_STR(buf_str(&ear.heard), "<3276800>.");
    stop_listening(&ear);
}

TEST(a_reader_that_does_not_read_is_an_error_not_a_growing_queue) {
    struct ear ear = {0};
    struct err e;
    listen_with(&ear, 100, 64 * 1024);
    static char line[1024];
    memset(line, 'x', sizeof line);
    int sent = 0;
    while (!pipe_send_line(&ear.pipe, (str){line, sizeof line}, &e))
        sent++;
    CHECK_EQ(e.kind, ERR_LIMIT);
    CHECK(sent > 60 && pipe_backlog(&ear.pipe) <= 64 * 1024);
    stop_listening(&ear);
}

TEST(queued_bytes_go_out_in_order_when_the_reader_wakes) {
    struct ear ear = {0};
    struct err e;
    listen_with(&ear, 100, 1 << 20);
    int sent = 0;
    while (pipe_backlog(&ear.pipe) < 100000) {
        char line[16];
        int n = snprintf(line, sizeof line, "%07d", sent++);
        CHECK_OK(pipe_send_line(&ear.pipe, (str){line, (size_t)n}, &e), &e);
    }
    pipe_finish(&ear.pipe);
    AUTO_BUF struct buf got = BUF_MAX(16 << 20);
    CHECK_EQ(fcntl(ear.peer, F_SETFL, O_NONBLOCK), 0);
    char chunk[4096];
    for (ssize_t n; (n = read(ear.peer, chunk, sizeof chunk)) != 0;) {
        if (n > 0) CHECK_OK(buf_add(&got, chunk, (size_t)n, &e), &e);
        CHECK_OK(loop_step(ear.loop, 0, &e), &e);
        if (got.len == (size_t)sent * 8) break;
    }
    CHECK_EQ(got.len, sent * 8);
    for (int i = 0; i < sent; i++)
        CHECK_EQ(strtol(got.data + i * 8, NULL, 10), i);
    stop_listening(&ear);
}

TEST(a_pipe_may_be_freed_by_its_own_callback) {
    struct ear ear = {.fini_on_line = true};
    listen_with(&ear, 100, 100);
    say(&ear, "one\ntwo\n");
    CHECK_STR(buf_str(&ear.heard), "[one]");
    fd_auto_close(&ear.peer);
    buf_fini(&ear.heard);
    loop_free(ear.loop);
}

TEST(a_paused_pipe_delivers_nothing_until_it_goes_on) {
    struct ear ear = {0};
    struct err e;
    listen_with(&ear, 100, 100);
    CHECK_OK(pipe_pause(&ear.pipe, true, &e), &e);
    say(&ear, "late\n");
    CHECK_STR(buf_str(&ear.heard), "");
    CHECK_OK(pipe_pause(&ear.pipe, false, &e), &e);
    CHECK_OK(loop_step(ear.loop, 0, &e), &e);
    CHECK_STR(buf_str(&ear.heard), "[late]");
    stop_listening(&ear);
}

TEST(a_file_is_read_to_its_end) {
    struct ear ear = {.peer = -1, .heard = BUF_MAX(1 << 20)};
    char path[] = "/tmp/cordon-pipe-XXXXXX";
    struct err e;
    int fd = mkostemp(path, O_CLOEXEC);
    CHECK(fd >= 0);
    CHECK_EQ(unlink(path), 0);
    CHECK_OK(fd_write_all(fd, STR("one\ntwo\nrest"), &e), &e);
    CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
    CHECK((ear.loop = loop_new(&e)));
    CHECK_OK(
        pipe_init(&ear.pipe, ear.loop, fd, -1, 1000, 1000, &events, &ear, &e),
        &e);
    CHECK_OK(pipe_pause(&ear.pipe, true, &e), &e);
    CHECK_OK(loop_step(ear.loop, 0, &e), &e);
    CHECK_EQ(ear.heard.len, 0);
    CHECK_OK(pipe_pause(&ear.pipe, false, &e), &e);
    while (!ear.closed)
        CHECK_OK(loop_step(ear.loop, -1, &e), &e);
    CHECK_TEXT(buf_text(&ear.heard), "[one][two][rest].");
    stop_listening(&ear);
}
