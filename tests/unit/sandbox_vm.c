/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "sandbox/vm/vm.h"

static char folder[PATH_MAX];

/* A cache of our own, with nothing in it. */
static void make_cache(void) {
    struct err e;
    char top[] = "/tmp/cordon-vm-XXXXXX";
    CHECK(mkdtemp(top) != NULL);
    CHECK(setenv("XDG_CACHE_HOME", top, 1) == 0);
    snprintf(folder, sizeof folder, "%s/cordon/microvm", top);
    CHECK(file_make_dirs(folder, 0700, &e) == 0);
}

static void put(const char *name, size_t bytes) {
    struct err e;
    char path[PATH_MAX + 64];
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (size_t i = 0; i < bytes; i++)
        CHECK(buf_add_char(&text, 'x', &e) == 0);
    CHECK(file_replace(path, buf_str(&text), 0600, &e) == 0);
}

static void machine(int number, int days_ago, char path[PATH_MAX]) {
    char name[64];
    struct timespec then[2] = {{.tv_sec = time(NULL) - days_ago * 86400},
                               {.tv_sec = time(NULL) - days_ago * 86400}};
    snprintf(path, PATH_MAX, "%.3900s/%032x", folder, (unsigned)number);
    CHECK(mkdir(path, 0700) == 0);
    snprintf(name, sizeof name, "%032x/state", (unsigned)number);
    put(name, 8192);
    CHECK(utimensat(AT_FDCWD, path, then, 0) == 0);
}

TEST(machines_that_are_old_or_too_many_go) {
    char path[20][PATH_MAX], disk[PATH_MAX + 64], in[PATH_MAX + 64];
    make_cache();
    for (int i = 0; i < 20; i++)
        machine(i, i, path[i]);
    put("disk-0", 4096);
    put("disk-1", 4096);
    put("no-kvm", 10);
    snprintf(disk, sizeof disk, "%s/disk-1", folder);
    snprintf(in, sizeof in, "%s/disk", path[1]);
    CHECK(link(disk, in) == 0);
    vm_prune(path[15]);
    for (int i = 0; i < 20; i++)
        CHECK(file_exists(path[i]) == (i < 8 || i == 15));
    CHECK(file_exists(disk));
    snprintf(disk, sizeof disk, "%s/disk-0", folder);
    CHECK(!file_exists(disk));
    snprintf(disk, sizeof disk, "%s/no-kvm", folder);
    CHECK(file_exists(disk));
}

TEST(a_machine_nobody_used_for_a_month_goes) {
    char path[2][PATH_MAX];
    make_cache();
    machine(1, 40, path[0]);
    machine(2, 40, path[1]);
    vm_touch(path[1]);
    vm_prune("");
    CHECK(!file_exists(path[0]) && file_exists(path[1]));
}

TEST(what_is_made_is_counted) {
    char path[PATH_MAX];
    struct vm_stock stock;
    struct err e;
    make_cache();
    CHECK(vm_stock(&stock, &e) == 0 && stock.count == 0 && stock.bytes == 0);
    machine(1, 0, path);
    put("disk-0", 4096);
    CHECK(vm_stock(&stock, &e) == 0);
    CHECK(stock.count == 1 && stock.bytes >= 12288);
    CHECK_TEXT(stock.folder, folder);
}
