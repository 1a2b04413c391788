/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit/audit.h"
#include "audit/blob.h"
#include "audit/note.h"
#include "base/file.h"
#include "test.h"
#include "json/build.h"

static char dir[64];

static int remove_one(const char *path, const struct stat *st, int flag,
                      struct FTW *ftw) {
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

static void remove_dir(void) {
    (void)nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void fresh_dir(void) {
    /* Thousands of syncs: memory is as good as a disk for these tests. */
    (void)snprintf(dir, sizeof dir, "%s/cordon-audit-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(dir));
    CHECK_EQ(atexit(remove_dir), 0);
}

static const char *path_of(const char *name) {
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void add_events(struct audit *a, int n) {
    struct err e;
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 20);
    for (int i = 0; i < n; i++) {
        struct json_build b = JSON_BUILD(&arena);
        const struct json *data;
        build_object(&b);
        build_put_text(&b, "tool", STR("mail.send"));
        build_put_int(&b, "call", i);
        build_end(&b);
        CHECK_OK(build_done(&b, &data, &e), &e);
        CHECK_OK(audit_add(a, "call", data, &e), &e);
    }
}

/* A signed log of n events. */
static void make_log(int n) {
    struct err e;
    fresh_dir();
    struct audit *a = audit_open(dir, &e);
    CHECK_OK(a ? 0 : -1, &e);
    add_events(a, n);
    CHECK_OK(audit_sync(a, &e), &e);
    audit_close(a);
}

static void read_events(struct buf *text) {
    struct err e;
    CHECK_OK(file_read(path_of("events.jsonl"), text, &e), &e);
}

static void write_events(str text) {
    struct err e;
    CHECK_OK(file_replace(path_of("events.jsonl"), text, 0600, &e), &e);
}

static int verify(struct audit_report *r, struct err *e) {
    return audit_verify(dir, NULL, r, e);
}

TEST(a_log_verifies_after_it_was_closed_and_continued) {
    struct err e;
    struct audit_report r;
    make_log(5);
    struct audit *a = audit_open(dir, &e);
    CHECK_OK(a ? 0 : -1, &e);
    CHECK_EQ(audit_size(a), 5);
    add_events(a, 3);
    CHECK_OK(verify(&r, &e), &e);
    CHECK_EQ(r.events, 8);
    CHECK_EQ(r.signed_by, 5);
    CHECK_OK(audit_sync(a, &e), &e);
    audit_close(a);
    CHECK_OK(verify(&r, &e), &e);
    CHECK_EQ(r.signed_by, 8);
    CHECK_EQ(r.checkpoints, 2);
}

TEST(every_single_flipped_byte_is_found_at_its_event) {
    struct err e;
    struct audit_report r;
    make_log(4);
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    read_events(&text);
    uint64_t line = 1;
    for (size_t i = 0; i < text.len; i++) {
        bool lf = text.data[i] == '\n';
        text.data[i] ^= 1;
        write_events(buf_str(&text));
        CHECK(verify(&r, &e) == -1);
        if (!lf) CHECK_EQ(r.bad_seq, line);
        text.data[i] ^= 1;
        line += lf;
    }
}

/* Swaps, drops or repeats whole lines and checks where that is found. */
static void rearrange(const int *order, uint64_t found_at) {
    struct err e;
    struct audit_report r;
    AUTO_BUF struct buf text = BUF_MAX(1 << 20), other = BUF_MAX(1 << 20);
    read_events(&text);
    str lines[8], rest = buf_str(&text);
    for (int i = 0; i < 6; i++)
        lines[i] = str_cut(&rest, '\n');
    for (; *order; order++) {
        CHECK_OK(buf_add_str(&other, lines[*order - 1], &e), &e);
        CHECK_OK(buf_add_char(&other, '\n', &e), &e);
    }
    write_events(buf_str(&other));
    CHECK(verify(&r, &e) == -1);
    CHECK_EQ(r.bad_seq, found_at);
    write_events(buf_str(&text));
}

TEST(dropped_moved_and_repeated_events_are_found) {
    make_log(6);
    rearrange((const int[]){1, 2, 4, 5, 6, 0}, 3);
    rearrange((const int[]){1, 3, 2, 4, 5, 6, 0}, 2);
    rearrange((const int[]){1, 2, 2, 3, 4, 5, 6, 0}, 3);
    rearrange((const int[]){2, 3, 4, 5, 6, 0}, 1);
}

TEST(events_cut_off_at_the_end_are_missed) {
    struct err e;
    struct audit_report r;
    make_log(6);
    AUTO_BUF struct buf text = BUF_MAX(1 << 20);
    read_events(&text);
    char *last = memrchr(text.data, '\n', text.len - 1);
    write_events((str){text.data, (size_t)(last - text.data) + 1});
    CHECK(verify(&r, &e) == -1);
    CHECK_HAS(e.text, "6 events were signed, 5 are there");
    CHECK(!audit_open(dir, &e)); /* and nobody appends to such a log */
    CHECK_HAS(e.text, "events were removed");
}

TEST(a_log_rebuilt_with_right_hashes_is_not_the_signed_one) {
    struct err e;
    struct audit_report r;
    make_log(3);
    char kept[128], now[128];
    (void)snprintf(kept, sizeof kept, "%s", path_of("checkpoints"));
    AUTO_BUF struct buf notes = BUF_MAX(4096), head = BUF_MAX(4096);
    CHECK_OK(file_read(kept, &notes, &e), &e);
    CHECK_OK(file_read(path_of("head"), &head, &e), &e);
    CHECK_EQ(unlink(path_of("events.jsonl")), 0);
    CHECK_EQ(unlink(path_of("head")), 0);
    CHECK_EQ(unlink(path_of("state")), 0);
    struct audit *a =
        audit_open(dir, &e); /* the forger has the key's machine */
    CHECK_OK(a ? 0 : -1, &e);
    for (int i = 0; i < 3; i++)
        CHECK_OK(audit_add(a, "harmless", NULL, &e), &e);
    audit_close(a);
    (void)snprintf(now, sizeof now, "%s", path_of("head"));
    CHECK_OK(file_replace(now, buf_str(&head), 0600, &e), &e);
    CHECK(verify(&r, &e) == -1);
    CHECK_HAS(e.text, "not those that were signed");
}

TEST(a_forged_checkpoint_and_another_key_are_refused) {
    struct err e;
    struct audit_report r;
    make_log(2);
    uint8_t other[CRYPTO_KEY], secret[CRYPTO_KEY] = {9};
    CHECK_OK(crypto_sign_public(secret, other, &e), &e);
    CHECK(audit_verify(dir, other, &r, &e) == -1);
    CHECK_HAS(e.text, "signed by another key");
    AUTO_BUF struct buf notes = BUF_MAX(4096);
    CHECK_OK(file_read(path_of("checkpoints"), &notes, &e), &e);
    for (size_t i = 0; i < notes.len - 1; i++) {
        notes.data[i] ^= 1;
        CHECK_OK(
            file_replace(path_of("checkpoints"), buf_str(&notes), 0600, &e),
            &e);
        CHECK(verify(&r, &e) == -1);
        notes.data[i] ^= 1;
    }
}

TEST(a_torn_last_line_is_refused_until_it_is_mended) {
    struct err e;
    struct audit_report r;
    make_log(3);
    AUTO_FD int fd = open(path_of("events.jsonl"), O_WRONLY | O_APPEND);
    CHECK_OK(fd_write_all(fd, STR("{\"at\":\"20"), &e), &e);
    CHECK(!audit_open(dir, &e));
    CHECK_HAS(e.text, "incomplete line of 9 bytes");
    CHECK(verify(&r, &e) == -1);
    CHECK_OK(audit_mend(dir, &e), &e);
    CHECK_OK(verify(&r, &e), &e);
    CHECK_EQ(r.events, 4);
    CHECK_FAIL(audit_mend(dir, &e), &e, ERR_MISSING);
}

TEST(a_lost_key_is_reported_not_replaced) {
    struct err e;
    make_log(1);
    CHECK_EQ(unlink(path_of("key")), 0);
    CHECK(!audit_open(dir, &e));
    CHECK_EQ(e.kind, ERR_MISSING);
    CHECK_HAS(e.text, "restore the file 'key'");
}

TEST(processes_append_to_one_log_without_a_gap) {
    struct err e;
    struct audit_report r;
    make_log(1);
    for (int i = 0; i < 4; i++) {
        if (fork() != 0) continue;
        struct audit *a = audit_open(dir, &e);
        if (!a) _exit(1);
        add_events(a, 50);
        _exit(audit_sync(a, &e) ? 1 : 0);
    }
    for (int i = 0, status; i < 4; i++) {
        CHECK(wait(&status) > 0);
        CHECK_EQ(status, 0);
    }
    CHECK_OK(verify(&r, &e), &e);
    CHECK_EQ(r.events, 201);
    CHECK_EQ(r.signed_by, 201);
}

TEST(an_erased_blob_leaves_a_log_that_verifies) {
    struct err e;
    struct audit_report r;
    make_log(1);
    AUTO_ARENA struct arena arena = ARENA_MAX(1 << 20);
    struct json_build b = JSON_BUILD(&arena);
    const struct json *data;
    CHECK_OK(blob_put(dir, STR("a private value"), &b, &e), &e);
    CHECK_OK(build_done(&b, &data, &e), &e);
    struct audit *a = audit_open(dir, &e);
    CHECK_OK(audit_add(a, "result", data, &e), &e);
    audit_close(a);
    str commitment = json_get_text(data, "$blob", STR(""));
    AUTO_BUF struct buf value = BUF_MAX(100);
    CHECK_OK(blob_get(dir, commitment, &value, &e), &e);
    CHECK_STR(buf_str(&value), "a private value");
    CHECK_OK(verify(&r, &e), &e);
    CHECK_EQ(r.blobs, 1);
    CHECK_OK(blob_erase(dir, commitment, &e), &e);
    CHECK_FAIL(blob_get(dir, commitment, &value, &e), &e, ERR_MISSING);
    CHECK_OK(verify(&r, &e), &e);
    CHECK_EQ(r.erased, 1);
    CHECK_FAIL(blob_get(dir, STR("../key"), &value, &e), &e, ERR_INVALID);
}

/* Each round begins with the same two events: rounds that fail after the
 * write would else leave more and more to catch up with. */
static int open_add_close(off_t size) {
    struct err e;
    CHECK_EQ(truncate(path_of("events.jsonl"), size), 0);
    struct audit *a = audit_open(dir, &e);
    if (!a) return -1;
    int r = audit_add(a, "call", NULL, &e);
    audit_close(a);
    return r;
}

TEST(appending_and_verifying_survive_every_failed_allocation) {
    struct err e;
    struct audit_report r;
    struct stat st;
    make_log(2);
    CHECK_EQ(stat(path_of("events.jsonl"), &st), 0);
    TORTURE(open_add_close(st.st_size));
    TORTURE(verify(&r, &e));
    CHECK_EQ(r.events, 3);
}
