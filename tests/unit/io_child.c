/* SPDX-License-Identifier: MIT */
#include "io/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "test.h"

enum { MS = 1000000 };

static const char *const path_env[] = {"PATH=/usr/bin:/bin", NULL};

static void note_exit(struct child *c, int status) {
    *(int *)c->data = status;
}

static void start(struct child *c, struct loop *loop, const char *script,
                  int *status) {
    struct err e;
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct child_spec spec = {.argv = argv, .env = path_env};
    *status = -1;
    CHECK_OK(child_start(c, loop, &spec, note_exit, status, &e), &e);
}

static void await(struct loop *loop, const int *status) {
    struct err e;
    while (*status == -1)
        CHECK_OK(loop_step(loop, -1, &e), &e);
}

static void close_pipes(struct child *c) {
    fd_auto_close(&c->in);
    fd_auto_close(&c->out);
    fd_auto_close(&c->err);
}

TEST(a_child_gets_its_input_and_its_exit_is_seen) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct child c;
    int status;
    start(&c, loop, "read x; echo \"got $x $HOME\"; exit 3", &status);
    CHECK_OK(fd_write_all(c.in, STR("hello\n"), &e), &e);
    await(loop, &status);
    AUTO_BUF struct buf out = BUF_MAX(1000);
    CHECK_OK(fd_read_all(c.out, &out, &e), &e);
    CHECK_STR(buf_str(&out), "got hello \n"); /* no HOME: env is ours alone */
    char words[64];
    child_describe(status, words);
    CHECK_TEXT(words, "exited with status 3");
    close_pipes(&c);
}

TEST(a_program_that_does_not_exist_is_an_error_at_the_start) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    const char *const argv[] = {"no-such-program-here", NULL};
    struct child_spec spec = {.argv = argv, .env = path_env};
    struct child c = {0};
    CHECK_FAIL(child_start(&c, loop, &spec, note_exit, NULL, &e), &e,
               ERR_SYSTEM);
    CHECK_HAS(e.text, "start no-such-program-here: No such file");
    CHECK_EQ(c.pid, 0);
}

TEST(stop_ends_a_child_that_ignores_end_of_file_and_term) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct child c;
    int status;
    start(&c, loop, "trap '' TERM; echo ready; while :; do sleep 1; done",
          &status);
    char byte;
    CHECK_EQ(read(c.out, &byte, 1), 1);
    close_pipes(&c);
    CHECK_OK(child_stop(&c, 20 * MS, &e), &e);
    await(loop, &status);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(the_family_of_a_child_dies_with_it) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct child c;
    int status;
    start(&c, loop, "sleep 100 & echo $!; wait", &status);
    char text[32] = {0};
    CHECK(read(c.out, text, sizeof text - 1) > 0);
    pid_t grandchild = (pid_t)strtol(text, NULL, 10);
    CHECK_EQ(kill(grandchild, 0), 0);
    close_pipes(&c);
    child_fini(&c);
    /* It is reaped by init, a moment later. */
    int64_t deadline = clock_mono_ns() + 5000LL * MS;
    while (kill(grandchild, 0) == 0 && clock_mono_ns() < deadline)
        usleep(1000);
    siginfo_t info;
    CHECK(kill(grandchild, 0) == -1 ||
          waitid(P_PID, (id_t)grandchild, &info, WEXITED | WNOHANG) == -1);
}

TEST(a_child_starts_with_default_signals_and_only_three_descriptors) {
    struct err e;
    AUTO_LOOP struct loop *loop = loop_new(&e); /* ignores SIGPIPE */
    AUTO_FD int leak = dup(1);                  /* not close-on-exec */
    CHECK(leak > 2);
    struct child c;
    int status;
    start(&c, loop, "ls /proc/self/fd | wc -l; grep SigIgn /proc/self/status",
          &status);
    AUTO_BUF struct buf out = BUF_MAX(1000);
    CHECK_OK(fd_read_all(c.out, &out, &e), &e);
    unsigned long ignored = 0;
    CHECK_EQ(sscanf(buf_text(&out), "4 SigIgn: %lx", &ignored), 1); /* + ls's */
    CHECK_EQ(ignored & (1UL << (SIGPIPE - 1)), 0);
    await(loop, &status);
    close_pipes(&c);
}
