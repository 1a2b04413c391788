/* SPDX-License-Identifier: MIT
 *
 * Changes of a copy on their way to the directory that was copied: what a
 * machine sends is a stranger's, and so is what lies in that directory.
 */
#include "sandbox/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

static char top[] = "/tmp/cordon-changes-XXXXXX";
static int upper, host, outside;
static struct cage_bind bind = {BIND_RW, NULL, "/d"};

static int make_dir(int dir, const char *name) {
    CHECK(mkdirat(dir, name, 0755) == 0 || errno == EEXIST);
    return openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void put(int dir, const char *name, const char *text, mode_t mode) {
    struct err e;
    AUTO_FD int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(fd >= 0 && fd_write_all(fd, str_of(text), &e) == 0);
    CHECK(fchmod(fd, mode) == 0);
}

static bool is(int dir, const char *name, const char *text) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(4096);
    AUTO_FD int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 && fd_read_all(fd, &b, &e) == 0 && str_is(buf_str(&b), text);
}

static bool there(int dir, const char *name) {
    return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int start(void) {
    static char from[64];
    CHECK(mkdtemp(top) != NULL);
    AUTO_FD int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    upper = make_dir(dir, "upper");
    host = make_dir(dir, "host");
    outside = make_dir(dir, "outside");
    snprintf(from, sizeof from, "%s/host", top);
    bind.from = from;
    put(outside, "secret", "secret", 0644);
    return make_dir(upper, "new");
}

static void delete (int dir, const char *name) {
    CHECK(mknodat(dir, name, S_IFCHR, makedev(0, 0)) == 0);
}

TEST(files_directories_and_deletions_are_applied) {
    struct err e;
    struct stat st;
    AUTO_FD int new = start();
    AUTO_FD int old = make_dir(host, "old"), below = make_dir(old, "below");
    put(host, "changed", "1", 0644);
    put(host, "gone", "1", 0644);
    put(host, "kept", "1", 0644);
    put(below, "deep", "1", 0644);
    put(new, "changed", "2", 04755); /* no set-id bit comes through */
    delete (new, "gone");
    delete (new, "old");
    AUTO_FD int sub = make_dir(new, "sub");
    put(sub, "made", "3", 0644);
    CHECK_OK(changes_apply(upper, &bind, &e), &e);
    CHECK(is(host, "changed", "2") && is(host, "kept", "1"));
    CHECK(is(host, "sub/made", "3"));
    CHECK(!there(host, "gone") && !there(host, "old"));
    CHECK(fstatat(host, "changed", &st, 0) == 0);
    CHECK_EQ(st.st_mode & 07777, 0755);
}

TEST(a_directory_made_anew_keeps_nothing_of_the_old) {
    struct err e;
    AUTO_FD int new = start();
    AUTO_FD int old = make_dir(host, "d"), below = make_dir(old, "below");
    put(old, "old", "1", 0644);
    put(below, "deep", "1", 0644);
    AUTO_FD int again = make_dir(new, "d");
    put(again, "new", "2", 0644);
    CHECK(fsetxattr(again, CHANGES_OPAQUE, "y", 1, 0) == 0);
    CHECK_OK(changes_apply(upper, &bind, &e), &e);
    CHECK(is(host, "d/new", "2"));
    CHECK(!there(host, "d/old") && !there(host, "d/below"));
}

TEST(links_in_the_way_are_not_followed) {
    struct err e;
    AUTO_FD int new = start();
    AUTO_FD int sub = make_dir(new, "way");
    put(sub, "secret", "overwritten", 0644);
    CHECK(symlinkat("../outside", host, "way") == 0);
    CHECK_FAIL(changes_apply(upper, &bind, &e), &e, ERR_INVALID);
    CHECK(is(outside, "secret", "secret"));
    CHECK(unlinkat(host, "way", 0) == 0);
    CHECK(symlinkat("../outside/secret", host, "file") == 0);
    put(new, "file", "overwritten", 0644);
    CHECK_FAIL(changes_apply(upper, &bind, &e), &e, ERR_INVALID);
    CHECK(is(outside, "secret", "secret"));
}

TEST(a_deleted_directory_takes_links_along_and_not_what_they_lead_to) {
    struct err e;
    AUTO_FD int new = start();
    AUTO_FD int old = make_dir(host, "old");
    CHECK(symlinkat("../../outside", old, "way") == 0);
    delete (new, "old");
    CHECK_OK(changes_apply(upper, &bind, &e), &e);
    CHECK(!there(host, "old") && is(outside, "secret", "secret"));
}

TEST(links_and_other_things_of_the_task_stay_behind) {
    struct err e;
    AUTO_FD int new = start();
    CHECK(symlinkat("/etc/passwd", new, "link") == 0);
    CHECK(mkfifoat(new, "fifo", 0644) == 0);
    CHECK_OK(changes_apply(upper, &bind, &e), &e);
    CHECK(!there(host, "link") && !there(host, "fifo"));
}
