/* SPDX-License-Identifier: MIT
 *
 * Whoever has a worker ends it, and when nobody has it, it ends: no process is
 * left, whatever failed on the way. */
#include "runs/nursery.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "runs/worker.h"
#include "test.h"

/* Every child ends by itself, soon: the harness would end a test that waits. */
static void check_childless(void) {
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
    CHECK_EQ(errno, ECHILD);
}

static struct nursery *start(void) {
    struct nursery *n = NULL;
    struct err e;
    CHECK_OK(nursery_start(&n, &e), &e);
    return n;
}

static void ask(struct nursery *n) {
    struct err e;
    CHECK_OK(nursery_ask(n, &e), &e);
}

static enum nursery_birth take(struct nursery *n, int *fd, pid_t *pid,
                               struct err *e) {
    struct pollfd p = {.fd = nursery_fd(n), .events = POLLIN};
    CHECK_EQ(poll(&p, 1, 20000), 1);
    return nursery_take(n, fd, pid, e);
}

static struct worker *adopt(struct nursery *n) {
    struct worker *w = NULL;
    struct err e = {0};
    int fd;
    pid_t pid;
    ask(n);
    CHECK_EQ(take(n, &fd, &pid, &e), NURSERY_BORN);
    CHECK_OK(worker_adopt(fd, pid, &w, &e), &e);
    return w;
}

TEST(a_worker_that_nobody_could_adopt_is_ended) {
    struct nursery *n = start();
    struct worker *w = NULL;
    struct err e;
    int fd;
    pid_t pid;
    ask(n);
    CHECK_EQ(take(n, &fd, &pid, &e), NURSERY_BORN);
    mem_fail_after(1);
    CHECK_FAIL(worker_adopt(fd, pid, &w, &e), &e, ERR_MEMORY);
    mem_fail_after(0);
    CHECK(waitpid(pid, NULL, WNOHANG) == -1 && errno == ECHILD);
    CHECK(close(fd) == -1 && errno == EBADF);
    nursery_free(n);
    check_childless();
}

TEST(workers_that_nobody_took_end_with_their_nursery) {
    struct nursery *n = start();
    struct pollfd p = {.fd = nursery_fd(n), .events = POLLIN};
    for (int i = 0; i < 3; i++)
        ask(n);
    CHECK_EQ(poll(&p, 1, 20000), 1);
    nursery_free(n);
    check_childless();
}

TEST(a_worker_ends_when_its_socket_is_closed) {
    struct nursery *n = start();
    struct err e;
    int fd;
    pid_t pid;
    ask(n);
    CHECK_EQ(take(n, &fd, &pid, &e), NURSERY_BORN);
    close(fd);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    nursery_free(n);
    check_childless();
}

/* -- whoever had them is killed -----------------------------------------------
 */

/* Tells its pid and computes. */
static void compute(struct worker *w, int tell) {
    struct worker_options o = {.at_once = true};
    struct worker_event ev;
    struct err e;
    pid_t pid = worker_pid(w);
    CHECK_OK(worker_setup(w, &o, &e), &e);
    CHECK_EQ(worker_next(w, 20000, &ev, &e), 1);
    CHECK_EQ(ev.kind, WORKER_READY);
    CHECK_OK(worker_run(w, STR("print(1)\nwhile True: pass"), NULL, &e), &e);
    CHECK_EQ(worker_next(w, 20000, &ev, &e), 1);
    CHECK_EQ(ev.kind, WORKER_OUTPUT);
    CHECK(write(tell, &pid, sizeof pid) == (ssize_t)sizeof pid);
    for (;;)
        pause();
}

/* Orphans become ours: we can see that they end. */
TEST(a_worker_that_computes_dies_with_its_parent) {
    int pair[2], status;
    pid_t worker;
    CHECK_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    CHECK_EQ(pipe(pair), 0);
    pid_t parent = fork();
    if (parent == 0) compute(adopt(start()), pair[1]);
    close(pair[1]);
    CHECK(read(pair[0], &worker, sizeof worker) == (ssize_t)sizeof worker);
    kill(parent, SIGKILL);
    CHECK_EQ(waitpid(parent, NULL, 0), parent);
    CHECK_EQ(waitpid(worker, &status, 0), worker);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    check_childless();
}

/* -- there are too many things ------------------------------------------------
 */

static struct rlimit descriptors(pid_t of, rlim_t most) {
    struct rlimit before, now;
    CHECK_EQ(prlimit(of, RLIMIT_NOFILE, NULL, &before), 0);
    now = (struct rlimit){most, before.rlim_max};
    CHECK_EQ(prlimit(of, RLIMIT_NOFILE, &now, NULL), 0);
    return before;
}

static pid_t only_child(void) {
    char path[64];
    long pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "r");
    CHECK(f && fscanf(f, "%ld", &pid) == 1);
    fclose(f);
    return (pid_t)pid;
}

/* Once there is room again, there are workers again. */
static void check_recovers(struct nursery *n) {
    worker_free(adopt(n));
    nursery_free(n);
    check_childless();
}

TEST(a_nursery_outlives_a_worker_it_could_not_make) {
    struct nursery *n = start();
    struct err e;
    int fd;
    pid_t pid, nursery = only_child();
    worker_free(adopt(n)); /* it has settled */
    struct rlimit before = descriptors(nursery, 1);
    ask(n);
    CHECK_EQ(take(n, &fd, &pid, &e), NURSERY_FAILED);
    CHECK_HAS(e.text, "Too many open files");
    descriptors(nursery, before.rlim_cur);
    check_recovers(n);
}

TEST(a_worker_whose_socket_we_have_no_room_for_is_ended) {
    struct nursery *n = start();
    struct pollfd p = {.fd = nursery_fd(n), .events = POLLIN};
    struct err e;
    int fd;
    pid_t pid;
    ask(n);
    CHECK_EQ(poll(&p, 1, 20000), 1);
    struct rlimit before = descriptors(0, 3);
    CHECK_EQ(nursery_take(n, &fd, &pid, &e), NURSERY_FAILED);
    descriptors(0, before.rlim_cur);
    CHECK_HAS(e.text, "Too many open files");
    check_recovers(n);
}
