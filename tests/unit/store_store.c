/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "store/store.h"
#include "test.h"

#define SECOND ((int64_t)1000000000)

static struct store *open_with(struct loop *loop, struct err *e) {
    struct store_config config = {.path = "store.db", .loop = loop};
    return store_open(&config, e);
}

static struct store *open_store(void) {
    struct err e;
    struct store *s = open_with(NULL, &e);
    CHECK_OK(s ? 0 : -1, &e);
    return s;
}

static void close_store(struct store *s) {
    struct err e;
    CHECK_OK(store_close(s, &e), &e);
}

static void add_run(struct store *s, const char *id) {
    struct err e;
    struct store_run r = {.id = str_of(id),
                          .kind = STR("run"),
                          .program = STR("1 + 1"),
                          .options = STR("{}"),
                          .created = clock_wall_ns()};
    CHECK_OK(store_run_add(s, &r, NULL, &e), &e);
}

static struct store_run get_run(struct store *s, struct arena *a,
                                const char *id) {
    struct err e;
    struct store_run r;
    CHECK_OK(store_run_get(s, str_of(id), a, &r, &e), &e);
    return r;
}

static void add_event(struct store *s, const char *run, uint64_t fence,
                      uint64_t seq, const char *data) {
    struct err e;
    struct store_event ev = {seq, STR("intent"), str_of(data), clock_wall_ns()};
    CHECK_OK(store_event_add(s, str_of(run), fence, &ev, &e), &e);
}

static int count_event(void *data, const struct store_event *ev,
                       struct err *e) {
    uint64_t *count = data;
    (void)e;
    CHECK_EQ(ev->seq, ++*count);
    return 0;
}

static uint64_t events(struct store *s, const char *run) {
    struct err e;
    uint64_t count = 0;
    CHECK_OK(store_events(s, str_of(run), 1, count_event, &count, &e), &e);
    return count;
}

TEST(a_run_is_there_again_after_the_store_was_closed) {
    struct err e;
    uint64_t fence;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    test_folder();
    struct store *s = open_store();
    add_run(s, "r1");
    CHECK_OK(store_claim(s, STR("r1"), &fence, &e), &e);
    add_event(s, "r1", fence, 1, "{\"tool\":\"mail.send\"}");
    CHECK_OK(
        store_run_set(s, STR("r1"), fence, RUN_DONE, STR(""), STR("2"), &e),
        &e);
    close_store(s);
    s = open_store();
    struct store_run r = get_run(s, &a, "r1");
    CHECK_STR(r.program, "1 + 1");
    CHECK_STR(r.result, "2");
    CHECK_EQ(r.state, RUN_DONE);
    CHECK_EQ(events(s, "r1"), 1);
    close_store(s);
}

TEST(only_its_owner_can_read_the_files) {
    struct stat st;
    test_folder();
    close_store(open_store());
    CHECK(stat("store.db", &st) == 0);
    CHECK_EQ(st.st_mode & 077, 0);
    CHECK(stat("store.db.key", &st) == 0);
    CHECK_EQ(st.st_mode & 077, 0);
}

TEST(a_key_stays_the_same) {
    uint8_t key[STORE_KEY];
    test_folder();
    struct store *s = open_store();
    memcpy(key, store_key(s), STORE_KEY);
    close_store(s);
    s = open_store();
    CHECK(memcmp(key, store_key(s), STORE_KEY) == 0);
    close_store(s);
}

static void count_lost(void *data, str run) {
    (void)run;
    ++*(int *)data;
}

/* Every host starts a process of its own, and they start together. */
TEST(many_processes_may_make_the_store_at_once) {
    test_folder();
    for (int round = 0; round < 10; round++) {
        pid_t child[8];
        int status;
        (void)unlink("store.db");
        (void)unlink("store.db-wal");
        (void)unlink("store.db-shm");
        for (int i = 0; i < 8; i++)
            if ((child[i] = fork()) == 0) {
                add_run(open_store(), (char[]){'r', (char)('0' + i), 0});
                _exit(0);
            }
        for (int i = 0; i < 8; i++)
            CHECK(waitpid(child[i], &status, 0) == child[i] && status == 0);
    }
}

TEST(what_an_earlier_holder_writes_is_refused) {
    struct err e;
    int lost = 0;
    uint64_t old, fresh;
    test_folder();
    struct store *first = open_store(), *second = open_store();
    store_on_lost(first, count_lost, &lost);
    add_run(first, "r1");
    CHECK_OK(store_claim(first, STR("r1"), &old, &e), &e);
    CHECK_FAIL(store_claim(second, STR("r1"), &fresh, &e), &e, ERR_EXISTS);
    CHECK_OK(store_release(first, STR("r1"), old, &e), &e);
    CHECK_OK(store_flush(first, false, &e), &e);
    CHECK_OK(store_claim(second, STR("r1"), &fresh, &e), &e);
    CHECK(fresh > old);
    add_event(second, "r1", fresh, 1, "{}");
    CHECK_OK(store_flush(second, false, &e), &e);
    add_event(first, "r1", old, 1, "{\"late\":true}");
    CHECK_OK(
        store_run_set(first, STR("r1"), old, RUN_DONE, STR(""), STR("9"), &e),
        &e);
    CHECK_OK(store_flush(first, false, &e), &e);
    CHECK_EQ(lost, 2);
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    CHECK_EQ(get_run(second, &a, "r1").state, RUN_QUEUED);
    CHECK_EQ(events(second, "r1"), 1);
    close_store(first);
    close_store(second);
}

/* What a process that was killed held is free at once, whatever the clock. */
TEST(the_lease_of_a_killed_process_is_free) {
    struct err e;
    uint64_t fence;
    char id[STORE_ID];
    test_folder();
    struct store *s = open_store();
    add_run(s, "r1");
    CHECK_OK(store_flush(s, true, &e), &e);
    pid_t child = fork();
    if (child == 0) {
        struct store *mine = open_with(NULL, &e);
        if (!mine || store_claim(mine, STR("r1"), &fence, &e)) _exit(1);
        kill(getpid(), SIGKILL);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(store_claim_next(s, id, &fence, &e), 1);
    CHECK_TEXT(id, "r1");
    CHECK_EQ(fence, 2);
    CHECK_EQ(store_claim_next(s, id, &fence, &e), 0);
    close_store(s);
}

/* Everything that was durable before a SIGKILL is there, in order. */
TEST(a_killed_writer_loses_nothing_that_was_durable) {
    struct err e;
    int pipes[2];
    test_folder();
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0) {
        struct store *mine = open_with(NULL, &e);
        uint64_t fence;
        if (!mine) _exit(1);
        add_run(mine, "r1");
        if (store_claim(mine, STR("r1"), &fence, &e)) _exit(1);
        for (uint64_t i = 1;; i++) {
            add_event(mine, "r1", fence, i, "{}");
            if (store_flush(mine, i % 7 == 0, &e)) _exit(1);
            if (write(pipes[1], &i, sizeof i) < 0) _exit(1);
        }
    }
    uint64_t last = 0;
    for (int i = 0; i < 100; i++)
        CHECK(read(pipes[0], &last, sizeof last) == sizeof last);
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    close(pipes[1]);
    while (read(pipes[0], &last, sizeof last) == sizeof last)
        ;
    close(pipes[0]);
    struct store *s = open_store();
    CHECK(events(s, "r1") >= last);
    close_store(s);
}

struct waiting {
    struct store_wait wait;
    struct loop *loop;
    struct store *store;
    int told, *order;
};

static void on_durable(struct store_wait *w) {
    struct waiting *x = w->data;
    x->told = ++*x->order;
    if (*x->order == 2) loop_stop(x->loop);
}

TEST(those_who_wait_are_told_in_order_after_one_sync) {
    struct err e;
    int order = 0;
    test_folder();
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct store *s = open_with(loop, &e);
    CHECK(s);
    struct waiting x[2];
    add_run(s, "r1");
    for (int i = 0; i < 2; i++) {
        x[i] = (struct waiting){
            {.fn = on_durable, .data = &x[i]}, loop, s, 0, &order};
        store_when_durable(s, &x[i].wait);
        CHECK_EQ(x[i].told, 0);
    }
    CHECK_OK(loop_run(loop, &e), &e);
    CHECK_EQ(x[0].told, 1);
    CHECK_EQ(x[1].told, 2);
    close_store(s);
}

static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* The disk is full for a while: nothing is lost, nobody is told too early. */
TEST(a_full_disk_refuses_new_runs_and_loses_nothing) {
    struct err e;
    int order = 1;
    uint64_t fence;
    test_folder();
    signal(SIGXFSZ, SIG_IGN);
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct store *s = open_with(loop, &e);
    CHECK(s);
    add_run(s, "r1");
    CHECK_OK(store_claim(s, STR("r1"), &fence, &e), &e);
    struct waiting x = {{.fn = on_durable, .data = &x}, loop, s, 0, &order};
    limit_files(4096);
    for (uint64_t i = 1; i <= 50; i++)
        add_event(s, "r1", fence, i, "{}");
    store_when_durable(s, &x.wait);
    CHECK_OK(loop_step(loop, 0, &e), &e);
    CHECK(store_flush(s, true, &e) != 0);
    CHECK(store_ready(s, &e) != 0);
    CHECK_EQ(x.told, 0);
    limit_files(RLIM_INFINITY);
    CHECK_OK(loop_run(loop, &e), &e);
    CHECK_EQ(x.told, 2);
    CHECK_OK(store_ready(s, &e), &e);
    CHECK_EQ(events(s, "r1"), 50);
    close_store(s);
}

/* Another process holds the file for itself for a while. */
TEST(a_locked_store_refuses_new_runs_and_loses_nothing) {
    struct err e;
    int order = 1;
    uint64_t fence;
    sqlite3 *other;
    test_folder();
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct store *s = open_with(loop, &e);
    CHECK(s);
    add_run(s, "r1");
    CHECK_OK(store_claim(s, STR("r1"), &fence, &e), &e);
    CHECK_EQ(sqlite3_open("store.db", &other), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
             SQLITE_OK);
    struct waiting x = {{.fn = on_durable, .data = &x}, loop, s, 0, &order};
    add_event(s, "r1", fence, 1, "{}");
    store_when_durable(s, &x.wait);
    CHECK(store_flush(s, true, &e) != 0);
    CHECK(store_ready(s, &e) != 0);
    CHECK(strstr(e.text, "locked"));
    CHECK_EQ(x.told, 0);
    CHECK_EQ(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_close(other), SQLITE_OK);
    CHECK_OK(loop_run(loop, &e), &e);
    CHECK_EQ(x.told, 2);
    CHECK_OK(store_ready(s, &e), &e);
    CHECK_EQ(events(s, "r1"), 1);
    close_store(s);
}

TEST(a_store_that_cannot_be_written_is_read_and_says_so) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    test_folder();
    struct store *s = open_store();
    add_run(s, "r1");
    close_store(s);
    if (geteuid() == 0) {
        test_note("root writes anywhere");
        return;
    }
    CHECK_EQ(chmod("store.db", 0400), 0);
    CHECK_EQ(chmod(".", 0500), 0);
    s = open_store();
    CHECK(store_ready(s, &e) != 0);
    CHECK(strstr(e.text, "read-only"));
    CHECK_STR(get_run(s, &a, "r1").program, "1 + 1");
    close_store(s);
    CHECK_EQ(chmod(".", 0700), 0);
}

/* After the clock jumped back a lease seems to last for years: that of a dead
 * process is free all the same. */
TEST(a_lease_is_free_when_its_holder_is_dead_whatever_the_clock_says) {
    struct err e;
    uint64_t fence, again;
    sqlite3 *other;
    test_folder();
    struct store *s = open_store();
    add_run(s, "r1");
    CHECK_OK(store_claim(s, STR("r1"), &fence, &e), &e);
    struct store *second = open_store();
    CHECK_EQ(sqlite3_open("store.db", &other), SQLITE_OK);
    CHECK(store_claim(second, STR("r1"), &again, &e) != 0);
    CHECK_EQ(sqlite3_exec(other,
                          "UPDATE runs SET lease = 9000000000000000000, owner ="
                          " replace(owner, substr(owner, 1, 8), 'ffffffff')",
                          NULL, NULL, NULL),
             SQLITE_OK);
    CHECK_OK(store_claim(second, STR("r1"), &again, &e), &e);
    CHECK(again > fence);
    CHECK_EQ(sqlite3_close(other), SQLITE_OK);
    close_store(second);
    close_store(s);
}

struct woken {
    struct loop *loop;
    char run[STORE_ID];
};

static void on_wake(void *data, str run) {
    struct woken *w = data;
    snprintf(w->run, sizeof w->run, "%.*s", STR_ARG(run));
    loop_stop(w->loop);
}

static void add_approval(struct store *s, const char *id, const char *binding,
                         int64_t expires) {
    struct err e;
    struct store_approval p = {.id = str_of(id),
                               .run = STR("r1"),
                               .number = 3,
                               .binding = str_of(binding),
                               .tool = STR("mail__send"),
                               .card = STR("{}"),
                               .created = clock_wall_ns(),
                               .expires = expires};
    CHECK_OK(store_approval_add(s, &p, &e), &e);
}

TEST(an_approval_is_spent_once_and_only_for_what_was_asked) {
    struct err e;
    test_folder();
    struct store *s = open_store(), *other = open_store();
    str id = STR("a1");
    add_approval(s, "a1", "hash", clock_wall_ns() + 60 * SECOND);
    CHECK_FAIL(store_approval_use(s, id, STR("hash"), &e), &e, ERR_DENIED);
    CHECK_OK(store_approval_decide(other, id, true, STR("cli:me"), &e), &e);
    CHECK_FAIL(store_approval_decide(s, id, false, STR("x"), &e), &e,
               ERR_EXISTS);
    CHECK_FAIL(store_approval_use(s, id, STR("other"), &e), &e, ERR_DENIED);
    CHECK_HAS(e.text, "something else");
    CHECK_OK(store_approval_use(s, id, STR("hash"), &e), &e);
    CHECK_FAIL(store_approval_use(other, id, STR("hash"), &e), &e, ERR_DENIED);
    CHECK_HAS(e.text, "used");
    close_store(s);
    close_store(other);
}

TEST(the_process_that_holds_a_run_is_told_of_its_answer) {
    struct err e;
    uint64_t fence;
    test_folder();
    AUTO_LOOP struct loop *loop = loop_new(&e);
    struct store *s = open_with(loop, &e), *other = open_store();
    struct woken w = {.loop = loop};
    store_on_wake(s, on_wake, &w);
    add_run(s, "r1");
    CHECK_OK(store_claim(s, STR("r1"), &fence, &e), &e);
    add_approval(s, "a1", "b", clock_wall_ns() + 100 * SECOND);
    CHECK_OK(store_flush(s, false, &e), &e);
    CHECK_OK(store_approval_decide(other, STR("a1"), true, STR("me"), &e), &e);
    CHECK_OK(loop_run(loop, &e), &e);
    CHECK_STR(str_of(w.run), "r1");
    close_store(other);
    close_store(s);
}

TEST(an_approval_that_expired_is_none) {
    struct err e;
    test_folder();
    struct store *s = open_store();
    add_approval(s, "a1", "hash", clock_wall_ns() - 1);
    CHECK_FAIL(store_approval_decide(s, STR("a1"), true, STR("x"), &e), &e,
               ERR_TIMEOUT);
    CHECK_FAIL(store_approval_decide(s, STR("a2"), true, STR("x"), &e), &e,
               ERR_MISSING);
    close_store(s);
}

TEST(values_are_kept_by_space_and_key) {
    struct err e;
    test_folder();
    AUTO_BUF struct buf out = BUF_MAX(100);
    struct store *s = open_store();
    int64_t past = clock_wall_ns() - 1;
    CHECK_OK(store_put(s, "shape", STR("a"), STR("1"), 0, &e), &e);
    CHECK_OK(store_put(s, "shape", STR("a"), STR("2"), 0, &e), &e);
    CHECK_OK(store_put(s, "shape", STR("old"), STR("3"), past, &e), &e);
    CHECK_OK(store_get(s, "shape", STR("a"), &out, &e), &e);
    CHECK_STR(buf_str(&out), "2");
    CHECK_FAIL(store_get(s, "usage", STR("a"), &out, &e), &e, ERR_MISSING);
    CHECK_FAIL(store_get(s, "shape", STR("old"), &out, &e), &e, ERR_MISSING);
    CHECK_OK(store_del(s, "shape", STR("a"), &e), &e);
    CHECK_FAIL(store_get(s, "shape", STR("a"), &out, &e), &e, ERR_MISSING);
    close_store(s);
}

TEST(a_large_value_is_read_in_pieces_by_its_owner) {
    struct err e;
    size_t size;
    char type[64];
    test_folder();
    AUTO_BUF struct buf out = BUF_MAX(100);
    struct store *s = open_store();
    struct store_blob b = {STR("h1"),         STR("r1"),
                           STR("text/plain"), STR("0123456789"),
                           clock_wall_ns(),   0};
    CHECK_OK(store_blob_put(s, &b, &e), &e);
    CHECK_OK(store_blob_get(s, b.id, b.owner, 4, 3, &out, &size, type, &e), &e);
    CHECK_STR(buf_str(&out), "456");
    CHECK_EQ(size, 10);
    CHECK_TEXT(type, "text/plain");
    CHECK_FAIL(store_blob_get(s, b.id, STR("r2"), 0, 9, &out, &size, NULL, &e),
               &e, ERR_MISSING);
    close_store(s);
}

/* -- states -------------------------------------------------------------------
 */

#define LARGE (STORE_ROW_MAX + 1)

static uint64_t claim(struct store *s, const char *id) {
    struct err e;
    uint64_t fence;
    CHECK_OK(store_claim(s, str_of(id), &fence, &e), &e);
    return fence;
}

/* n bytes of c. */
static void put_state(struct store *s, uint64_t fence, char c, size_t n) {
    AUTO_BUF struct buf bytes = BUF_MAX(2 * LARGE);
    struct err e;
    char *room = buf_reserve(&bytes, n, &e);
    CHECK(room);
    memset(room, c, n);
    buf_commit(&bytes, n);
    if (n <= STORE_ROW_MAX) {
        CHECK_OK(store_snapshot_put(s, STR("r1"), fence, buf_str(&bytes),
                                    (str){&c, 1}, &e),
                 &e);
        return;
    }
    char name[STORE_ID];
    store_snapshot_tidy(s, STR("r1"));
    CHECK_OK(store_new_id("s_", name, &e), &e);
    CHECK_OK(
        store_snapshot_file(s, STR("r1"), str_of(name), buf_str(&bytes), &e),
        &e);
    CHECK_OK(store_snapshot_name(s, STR("r1"), fence, str_of(name),
                                 (str){&c, 1}, &e),
             &e);
}

static void check_state(struct store *s, char c, size_t n) {
    AUTO_BUF struct buf bytes = BUF_MAX(2 * LARGE), beside = BUF_MAX(10);
    struct err e;
    CHECK_OK(store_snapshot_get(s, STR("r1"), &bytes, &beside, &e), &e);
    CHECK_EQ(bytes.len, n);
    CHECK(bytes.data[0] == c && bytes.data[n - 1] == c);
    CHECK(str_eq(buf_str(&beside), (str){&c, 1}));
}

static int count_files(void) {
    int n = 0;
    DIR *dir = opendir("store.db.snapshots/r1");
    while (dir && readdir(dir))
        n++;
    if (dir) closedir(dir);
    return dir ? n - 2 : 0;
}

TEST(a_state_is_a_row_or_a_file_as_large_as_it_is) {
    struct err e;
    test_folder();
    struct store *s = open_store();
    add_run(s, "r1");
    uint64_t fence = claim(s, "r1");
    put_state(s, fence, 'a', 10);
    check_state(s, 'a', 10);
    CHECK_EQ(count_files(), 0);
    for (char c = 'b'; c < 'f'; c++) {
        put_state(s, fence, c, LARGE);
        check_state(s, c, LARGE);
        CHECK(count_files() <= 2);
    }
    put_state(s, fence, 'z', 10);
    close_store(s);
    s = open_store();
    check_state(s, 'z', 10);
    store_snapshot_tidy(s, STR("r1"));
    CHECK_EQ(count_files(), 0);
    CHECK_OK(store_snapshot_drop(s, STR("r1"), fence - 1, &e), &e);
    check_state(s, 'z', 10); /* an earlier holder drops nothing */
    CHECK_OK(store_snapshot_drop(s, STR("r1"), fence, &e), &e);
    AUTO_BUF struct buf out = BUF_MAX(10), beside = BUF_MAX(10);
    CHECK_FAIL(store_snapshot_get(s, STR("r1"), &out, &beside, &e), &e,
               ERR_MISSING);
    CHECK_FAIL(store_snapshot_get(s, STR("../r1"), &out, &beside, &e), &e,
               ERR_MISSING);
    close_store(s);
}

/* The file is there before its row: in between the older state holds. */
TEST(a_state_that_was_not_committed_leaves_the_one_before) {
    test_folder();
    struct store *s = open_store();
    add_run(s, "r1");
    uint64_t fence = claim(s, "r1");
    put_state(s, fence, 'a', LARGE);
    check_state(s, 'a', LARGE);
    pid_t child = fork();
    if (child == 0) {
        put_state(s, fence, 'b', LARGE);
        _exit(0); /* what is queued is lost */
    }
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK_EQ(count_files(), 2);
    close_store(s);
    s = open_store();
    check_state(s, 'a', LARGE);
    store_snapshot_tidy(s, STR("r1"));
    CHECK_EQ(count_files(), 1);
    check_state(s, 'a', LARGE);
    close_store(s);
}

TEST(the_state_of_an_earlier_holder_is_refused) {
    struct err e;
    int lost = 0;
    test_folder();
    struct store *first = open_store(), *second = open_store();
    store_on_lost(first, count_lost, &lost);
    add_run(first, "r1");
    uint64_t old = claim(first, "r1");
    CHECK_OK(store_release(first, STR("r1"), old, &e), &e);
    CHECK_OK(store_flush(first, false, &e), &e);
    uint64_t fresh = claim(second, "r1");
    put_state(second, fresh, 'n', LARGE);
    CHECK_OK(store_flush(second, false, &e), &e);
    put_state(first, old, 'o', LARGE);
    CHECK_OK(store_flush(first, false, &e), &e);
    CHECK_EQ(lost, 2);
    check_state(second, 'n', LARGE);
    close_store(first);
    close_store(second);
}

/* Nobody wrote there for long, and no row names it. */
TEST(what_killed_processes_left_is_swept_away) {
    struct err e;
    struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    test_folder();
    struct store *s = open_store();
    add_run(s, "r1");
    put_state(s, claim(s, "r1"), 'a', LARGE);
    CHECK_OK(store_flush(s, false, &e), &e);
    CHECK_EQ(mkdir("store.db.snapshots/r0", 0700), 0);
    CHECK_EQ(close(open("store.db.snapshots/r0/s_x", O_CREAT | O_WRONLY, 0600)),
             0);
    CHECK(store_prune(s, 1, &e) >= 0);
    CHECK_EQ(access("store.db.snapshots/r0/s_x", F_OK), 0); /* too young */
    CHECK_EQ(utimensat(AT_FDCWD, "store.db.snapshots/r0", old, 0), 0);
    CHECK_EQ(utimensat(AT_FDCWD, "store.db.snapshots/r1", old, 0), 0);
    CHECK(store_prune(s, 1, &e) >= 0);
    CHECK(access("store.db.snapshots/r0", F_OK) < 0);
    check_state(s, 'a', LARGE);
    close_store(s);
}

TEST(a_file_of_something_else_is_refused) {
    struct err e;
    test_folder();
    CHECK_OK(file_replace("store.db",
                          STR("this is a letter to somebody, and "
                              "longer than a header of a hundred "
                              "bytes that a database would have"),
                          0600, &e),
             &e);
    CHECK(!open_with(NULL, &e));
    CHECK_EQ(e.kind, ERR_INVALID);
    CHECK_HAS(e.text, "not a store");
}

/* Bytes of a page in the middle are overwritten. */
TEST(a_damaged_file_is_refused_with_what_to_do) {
    struct err e;
    char junk[3000];
    test_folder();
    struct store *s = open_store();
    for (int i = 0; i < 400; i++) {
        char id[32];
        snprintf(id, sizeof id, "r%d", i);
        add_run(s, id);
    }
    close_store(s);
    memset(junk, 0x5a, sizeof junk);
    int fd = open("store.db", O_WRONLY);
    CHECK(pwrite(fd, junk, sizeof junk, 4096 * 3) == sizeof junk);
    CHECK(pwrite(fd, junk, sizeof junk, 4096 * 17) == sizeof junk);
    close(fd);
    CHECK(!open_with(NULL, &e));
    CHECK_HAS(e.text, "damaged");
    CHECK_HAS(e.text, ".recover");
}

/* The version stands at byte 60 of the file. */
TEST(a_store_of_a_newer_version_is_refused) {
    struct err e;
    test_folder();
    close_store(open_store());
    int fd = open("store.db", O_WRONLY);
    CHECK(pwrite(fd, "\0\0\0\77", 4, 60) == 4);
    close(fd);
    CHECK(!open_with(NULL, &e));
    CHECK_EQ(e.kind, ERR_UNSUPPORTED);
    CHECK_HAS(e.text, "newer");
}

TEST(a_conversation_keeps_its_messages) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    test_folder();
    struct store *s = open_store();
    struct store_thread t = {STR("t1"), STR("me"), STR("Hello"),
                             STR("{}"), 1,         2};
    struct store_message m = {1, STR("{\"role\":\"user\"}"), 3};
    CHECK_OK(store_thread_put(s, &t, &e), &e);
    CHECK_OK(store_message_put(s, t.id, &m, &e), &e);
    t.title = STR("Renamed");
    CHECK_OK(store_thread_put(s, &t, &e), &e);
    CHECK_OK(store_thread_get(s, t.id, &a, &t, &e), &e);
    CHECK_STR(t.title, "Renamed");
    CHECK_OK(store_thread_drop(s, t.id, &e), &e);
    CHECK_FAIL(store_thread_get(s, STR("t1"), &a, &t, &e), &e, ERR_MISSING);
    close_store(s);
}

TEST(old_runs_go_with_all_that_is_theirs) {
    struct err e;
    uint64_t fence;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct store_run r;
    test_folder();
    struct store *s = open_store();
    add_run(s, "old");
    add_run(s, "open");
    CHECK_OK(store_claim(s, STR("old"), &fence, &e), &e);
    add_event(s, "old", fence, 1, "{}");
    CHECK_OK(
        store_run_set(s, STR("old"), fence, RUN_DONE, STR(""), STR("1"), &e),
        &e);
    CHECK_EQ(store_prune(s, clock_wall_ns() + SECOND, &e), 1);
    CHECK_FAIL(store_run_get(s, STR("old"), &a, &r, &e), &e, ERR_MISSING);
    CHECK_EQ(events(s, "old"), 0);
    CHECK_EQ(get_run(s, &a, "open").state, RUN_QUEUED);
    close_store(s);
}

static int some_work(void) {
    struct err e, ignored;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct store_run r = {.id = STR("r1"),
                          .kind = STR("run"),
                          .options = STR("{}"),
                          .created = 1};
    (void)unlink("store.db");
    struct store *s = open_with(NULL, &e);
    if (!s) return -1;
    int status = store_run_add(s, &r, NULL, &e);
    if (status == 0) status = store_run_get(s, r.id, &a, &r, &e);
    if (store_close(s, &ignored)) status = -1;
    return status;
}

TEST(the_store_survives_every_failed_allocation) {
    test_folder();
    TORTURE(some_work());
}
