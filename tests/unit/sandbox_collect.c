/* SPDX-License-Identifier: MIT
 *
 * Bringing files out of a tree that somebody else is changing meanwhile.
 */
#include "sandbox/collect.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

enum { ROUNDS = 400 };

struct place {
    char dir[64];
    int scratch; /* dir/scratch; dir/secret lies beside it */
};

static void put(const char *path, const char *text) {
    struct err e;
    CHECK_OK(file_replace(path, str_of(text), 0644, &e), &e);
}

static void set_up(struct place *p) {
    char path[128];
    snprintf(p->dir, sizeof p->dir, "/tmp/collect-XXXXXX");
    CHECK(mkdtemp(p->dir));
    snprintf(path, sizeof path, "%s/secret", p->dir);
    CHECK_EQ(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "%s/secret/x", p->dir);
    put(path, "secret");
    snprintf(path, sizeof path, "%s/scratch", p->dir);
    CHECK_EQ(mkdir(path, 0755), 0);
    p->scratch = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(p->scratch >= 0);
}

static void tear_down(struct place *p) {
    char command[128];
    close(p->scratch);
    snprintf(command, sizeof command, "rm -rf %s", p->dir);
    CHECK_EQ(system(command), 0);
}

static void make_file(int dir, const char *name) {
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) return;
    if (write(fd, "own", 3) != 3) _exit(1);
    close(fd);
}

/* The second process: file, link to the secret, FIFO, and a directory that is
 * a link to the one beside the scratch, as fast as it can. */
static _Noreturn void swap(int scratch) {
    for (;;) {
        make_file(scratch, "x");
        unlinkat(scratch, "x", 0);
        (void)!symlinkat("../secret/x", scratch, "x");
        unlinkat(scratch, "x", 0);
        mkfifoat(scratch, "x", 0644);
        unlinkat(scratch, "x", 0);
        mkdirat(scratch, "d", 0755);
        int dir = openat(scratch, "d", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        if (dir >= 0) make_file(dir, "x");
        renameat(scratch, "d", scratch, "gone");
        (void)!symlinkat("../secret", scratch, "d");
        unlinkat(scratch, "d", 0);
        if (dir >= 0) unlinkat(dir, "x", 0);
        if (dir >= 0) close(dir);
        unlinkat(scratch, "gone", AT_REMOVEDIR);
    }
}

/* Whatever is found is the task's own. */
static int look(void *context, const char *path, int fd, uint64_t size,
                struct err *e) {
    char text[16] = "";
    (void)size;
    (void)e;
    if (fd < 0) return 0;
    ++*(int *)context;
    ssize_t n = read(fd, text, sizeof text - 1);
    CHECK(n >= 0);
    if (n > 0) CHECK(strncmp(text, "own", (size_t)n) == 0);
    CHECK(strstr(path, "..") == NULL);
    return 0;
}

TEST(a_second_process_that_races_collection_leads_nowhere) {
    struct place p;
    struct err e;
    int found = 0;
    set_up(&p);
    pid_t pid = fork();
    if (pid == 0) swap(p.scratch);
    struct collect_limits limits = {0};
    for (int i = 0; i < ROUNDS; i++)
        (void)collect_walk(p.scratch, &limits, look, &found, &e);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    tear_down(&p);
}

TEST(one_file_is_not_read_through_a_link) {
    struct place p;
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(64);
    set_up(&p);
    CHECK_EQ(symlinkat("../secret/x", p.scratch, "x"), 0);
    CHECK_EQ(symlinkat("../secret", p.scratch, "d"), 0);
    CHECK_EQ(mkfifoat(p.scratch, "pipe", 0644), 0);
    static const char *const names[] = {"x", "d/x", "pipe", "../secret/x",
                                        "/etc/passwd"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK_EQ(collect_file(p.scratch, names[i], &out, &e), -1);
    CHECK_EQ(out.len, 0);
    tear_down(&p);
}

TEST(deep_and_many_are_limited) {
    struct place p;
    struct err e;
    int found = 0;
    set_up(&p);
    for (int i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        make_file(p.scratch, name);
    }
    struct collect_limits few = {.files = 10}, small = {.bytes = 30};
    CHECK_EQ(collect_walk(p.scratch, &few, look, &found, &e), -1);
    CHECK_EQ(collect_walk(p.scratch, &small, look, &found, &e), -1);
    CHECK(found <= 20);
    tear_down(&p);
}
