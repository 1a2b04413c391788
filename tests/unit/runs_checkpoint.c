/* SPDX-License-Identifier: MIT
 *
 * The folder of a container job: whatever its program left there is counted
 * and removed, and nothing else is touched. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/checkpoint.h"
#include "test.h"

static void put_file(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    CHECK(fd >= 0);
    close(fd);
}

TEST(it_is_made_once_and_stays) {
    AUTO_BUF struct buf path = BUF_MAX(4096), again = BUF_MAX(4096);
    struct err e;
    test_folder();
    CHECK_OK(checkpoint_make("all", "r_1", &path, &e), &e);
    CHECK_TEXT(buf_text(&path), "all/r_1");
    put_file("all/r_1/x");
    CHECK_OK(checkpoint_make("all", "r_1", &again, &e), &e);
    CHECK_EQ(access("all/r_1/x", F_OK), 0);
}

TEST(what_is_shut_linked_or_deep_is_removed_and_nothing_else) {
    AUTO_BUF struct buf path = BUF_MAX(4096);
    struct err e;
    test_folder();
    put_file("precious");
    CHECK_EQ(mkdir("beside", 0700), 0);
    put_file("beside/file");
    CHECK_OK(checkpoint_make("all", "r_1", &path, &e), &e);
    CHECK_EQ(symlink("../../precious", "all/r_1/link"), 0);
    CHECK_EQ(symlink("../../beside", "all/r_1/folder"), 0);
    CHECK_EQ(mkdir("all/r_1/a", 0700), 0);
    CHECK_EQ(mkdir("all/r_1/a/b", 0700), 0);
    put_file("all/r_1/a/b/c");
    CHECK_EQ(chmod("all/r_1/a/b", 0), 0);
    CHECK_EQ(chmod("all/r_1/a", 0), 0);
    CHECK_EQ(mkfifo("all/r_1/pipe", 0600), 0);
    CHECK_OK(checkpoint_remove("all", "r_1", &e), &e);
    CHECK_EQ(access("all/r_1", F_OK), -1);
    CHECK_EQ(access("precious", F_OK), 0);
    CHECK_EQ(access("beside/file", F_OK), 0);
    CHECK_OK(checkpoint_remove("all", "r_1", &e), &e); /* none is no error */
    CHECK_OK(checkpoint_remove("nowhere", "r_1", &e), &e);
}

TEST(files_and_depth_have_bounds) {
    AUTO_BUF struct buf path = BUF_MAX(8192);
    struct err e;
    test_folder();
    CHECK_OK(checkpoint_make("all", "r_1", &path, &e), &e);
    CHECK_OK(checkpoint_check("all/r_1", &e), &e);
    char name[200];
    for (int i = 0; i <= CHECKPOINT_FILES; i++) {
        snprintf(name, sizeof name, "all/r_1/%d", i);
        put_file(name);
    }
    CHECK_EQ(checkpoint_check("all/r_1", &e), -1);
    CHECK_EQ(e.kind, ERR_LIMIT);
    CHECK_HAS(e.text, "10000 files");
    CHECK_OK(checkpoint_remove("all", "r_1", &e), &e);
    buf_truncate(&path, 0);
    CHECK_OK(checkpoint_make("all", "r_2", &path, &e), &e);
    for (int i = 0; i < 70; i++) {
        CHECK_OK(buf_add_text(&path, "/d", &e), &e);
        CHECK_EQ(mkdir(buf_text(&path), 0700), 0);
    }
    CHECK_EQ(checkpoint_check("all/r_2", &e), -1);
    CHECK_HAS(e.text, "too deep");
    CHECK_OK(checkpoint_remove("all", "r_2", &e), &e);
    CHECK_EQ(access("all/r_2", F_OK), -1);
}

TEST(bytes_are_those_on_disk) {
    AUTO_BUF struct buf path = BUF_MAX(4096);
    struct err e;
    test_folder();
    CHECK_OK(checkpoint_make("all", "r_1", &path, &e), &e);
    int fd = open("all/r_1/x", O_WRONLY | O_CREAT, 0600);
    CHECK_EQ(ftruncate(fd, (off_t)CHECKPOINT_BYTES * 4), 0); /* a hole */
    CHECK_OK(checkpoint_check("all/r_1", &e), &e);
    bool room = fallocate(fd, 0, 0, (off_t)CHECKPOINT_BYTES + 8192) == 0;
    close(fd);
    if (room) {
        CHECK_EQ(checkpoint_check("all/r_1", &e), -1);
        CHECK_HAS(e.text, "256 MiB");
    }
    CHECK_OK(checkpoint_remove("all", "r_1", &e), &e);
}

static void count(void *data, const char *run) {
    CHECK(strncmp(run, "r_", 2) == 0);
    ++*(int *)data;
}

TEST(they_are_found_by_their_runs) {
    AUTO_BUF struct buf a = BUF_MAX(4096), b = BUF_MAX(4096);
    struct err e;
    int n = 0;
    test_folder();
    checkpoint_each("all", count, &n);
    CHECK_EQ(n, 0);
    CHECK_OK(checkpoint_make("all", "r_1", &a, &e), &e);
    CHECK_OK(checkpoint_make("all", "r_2", &b, &e), &e);
    checkpoint_each("all", count, &n);
    CHECK_EQ(n, 2);
}
