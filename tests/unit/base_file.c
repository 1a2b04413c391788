/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include "base/dirs.h"
#include "base/mem.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(file_replaces_and_reads_whole_files) {
    struct err e;
    struct stat st;
    test_folder();
    CHECK_OK(file_replace("f", STR("one\0two"), 0600, &e), &e);
    AUTO_BUF struct buf b = BUF_MAX(100);
    CHECK_OK(file_read("f", &b, &e), &e);
    CHECK(str_eq(buf_str(&b), STR("one\0two")));
    CHECK_OK(file_replace("f", STR(""), 0644, &e), &e);
    CHECK(stat("f", &st) == 0 && st.st_size == 0);
    CHECK_EQ(st.st_mode & 0777, 0644);
    CHECK_OK(file_read("f", &b, &e), &e); /* appends */
    CHECK_EQ(b.len, 7);
}

TEST(file_replace_leaves_no_trace_of_failure) {
    struct err e;
    test_folder();
    CHECK_FAIL(file_replace("no/such/f", STR("x"), 0600, &e), &e, ERR_MISSING);
    CHECK_OK(file_make_dirs("taken/inside", 0700, &e), &e);
    CHECK_FAIL(file_replace("taken", STR("x"), 0600, &e), &e, ERR_SYSTEM);
    CHECK(file_exists("taken/inside"));
    CHECK(rmdir("taken/inside") == 0 && rmdir("taken") == 0);
    char here[4096];
    CHECK(getcwd(here, sizeof here) && rmdir(here) == 0); /* else not empty */
}

TEST(file_create_never_replaces) {
    struct err e;
    test_folder();
    AUTO_BUF struct buf b = BUF_MAX(100);
    CHECK_OK(file_create("f", STR("first"), 0600, &e), &e);
    CHECK_FAIL(file_create("f", STR("second"), 0600, &e), &e, ERR_EXISTS);
    CHECK_OK(file_read("f", &b, &e), &e);
    CHECK_STR(buf_str(&b), "first");
}

TEST(file_read_stops_at_the_max_and_takes_back) {
    struct err e;
    test_folder();
    CHECK_OK(file_replace("f", STR("12345"), 0600, &e), &e);
    AUTO_BUF struct buf exact = BUF_MAX(5), small = BUF_MAX(6);
    CHECK_OK(file_read("f", &exact, &e), &e);
    CHECK_OK(buf_add_text(&small, "ab", &e), &e);
    CHECK_FAIL(file_read("f", &small, &e), &e, ERR_LIMIT);
    CHECK_STR(buf_str(&small), "ab");
    CHECK_HAS(e.text, "f: longer than 6 bytes");
}

TEST(file_that_is_missing_is_a_kind_of_its_own) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(5);
    CHECK_FAIL(file_read("/nonexistent/x", &b, &e), &e, ERR_MISSING);
    CHECK_TEXT(e.text, "open /nonexistent/x: No such file or directory");
    CHECK_FAIL(file_read("/", &b, &e), &e, ERR_SYSTEM);
    CHECK(!file_exists("/nonexistent/x") && file_exists("/"));
}

TEST(file_makes_folders_with_parents) {
    struct err e;
    test_folder();
    CHECK_OK(file_make_dirs("a/b//c/", 0700, &e), &e);
    CHECK_OK(file_make_dirs("a/b/c", 0700, &e), &e);
    CHECK(file_exists("a/b/c"));
    CHECK_OK(file_replace("plain", STR(""), 0600, &e), &e);
    CHECK_FAIL(file_make_dirs("plain", 0700, &e), &e, ERR_EXISTS);
    CHECK_FAIL(file_make_dirs("plain/x", 0700, &e), &e, ERR_EXISTS);
    CHECK_FAIL(file_make_dirs("", 0700, &e), &e, ERR_INVALID);
}

TEST(fd_writes_through_a_full_pipe) {
    struct err e;
    int ends[2];
    CHECK(pipe(ends) == 0);
    AUTO_MEM char *large = mem_zalloc(1, 300000, &e);
    if (fork() == 0) {
        close(ends[0]);
        _exit(fd_write_all(ends[1], (str){large, 300000}, &e) ? 1 : 0);
    }
    close(ends[1]);
    AUTO_BUF struct buf b = BUF_MAX(1 << 20);
    CHECK_OK(fd_read_all(ends[0], &b, &e), &e);
    CHECK_EQ(b.len, 300000);
    close(ends[0]);
    CHECK_FAIL(fd_write_all(-1, STR("x"), &e), &e, ERR_SYSTEM);
}

TEST(fd_closes_at_scope_end_unless_taken) {
    int copy, taken;
    {
        AUTO_FD int fd = open("/dev/null", O_RDONLY);
        AUTO_FD int other = open("/dev/null", O_RDONLY);
        copy = fd;
        taken = fd_take(&other);
        CHECK_EQ(other, -1);
    }
    CHECK(fcntl(copy, F_GETFD) == -1);
    CHECK(fcntl(taken, F_GETFD) != -1);
}

static int replace_and_read(void) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(100);
    if (file_make_dirs("x/y", 0700, &e)) return -1;
    if (file_replace("x/y/f", STR("text"), 0600, &e)) return -1;
    return file_read("x/y/f", &b, &e);
}

TEST(file_survives_every_failed_allocation) {
    test_folder();
    TORTURE(replace_and_read());
}

/* --- dirs ----------------------------------------------------------------- */

static void check_dir(enum dirs_kind kind, const char *want) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(4096);
    CHECK_OK(dirs_path(kind, "f", &b, &e), &e);
    CHECK_TEXT(b.data, want);
}

TEST(dirs_follow_the_xdg_rules) {
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_RUNTIME_DIR");
    setenv("HOME", "/h", 1);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("XDG_CACHE_HOME", "/c", 1);
    check_dir(DIRS_CONFIG, "/h/.config/cordon/f");
    check_dir(DIRS_STATE, "/h/.local/state/cordon/f");
    check_dir(DIRS_CACHE, "/c/cordon/f");
    check_dir(DIRS_RUNTIME, "/h/.local/state/cordon/f");
    setenv("XDG_RUNTIME_DIR", "/run/user/1", 1);
    check_dir(DIRS_RUNTIME, "/run/user/1/cordon/f");
}

TEST(dirs_need_a_home) {
    struct err e;
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    AUTO_BUF struct buf b = BUF_MAX(4096);
    CHECK_OK(buf_add_text(&b, "before", &e), &e);
    CHECK_FAIL(dirs_path(DIRS_STATE, "", &b, &e), &e, ERR_SYSTEM);
    CHECK_STR(buf_str(&b), "before");
}
