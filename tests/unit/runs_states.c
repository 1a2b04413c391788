/* SPDX-License-Identifier: MIT
 *
 * States that are too large for a row of the store: a run waits for a person,
 * and a job goes on after a kill, with all that it had. */
#include <dirent.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "call/approval.h"
#include "runs/inside.h"
#include "runs_world.h"

/* Of n million letters and a few. */
#define LARGE(n) "data = ['x' * 1000000 + str(i) for i in range(" #n ")]\n"
#define FEW      11 /* a file all the same */
#define MANY     68 /* more than a row can hold */
#define HOUR_NS  ((int64_t)3600 * 1000000000)
#define SUM                                                       \
    "{'n': len(data), 'all': sum(len(d) for d in data), 'last': " \
    "data[-1][-2:]}"

#define WORKING(n)                 \
    LARGE(n)                       \
    "print(note.read(n=1)['n'])\n" \
    "n = 0\n"                      \
    "while n < 3000000: n += 1\n" SUM

/* Files of the run beside the store; bytes may be NULL. */
static int files_of(const char *run, long long *bytes) {
    char path[200];
    int n = 0;
    snprintf(path, sizeof path, "store.db.snapshots/%s", run);
    DIR *dir = opendir(path);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        struct stat st;
        if (entry->d_name[0] == '.') continue;
        CHECK_EQ(fstatat(dirfd(dir), entry->d_name, &st, 0), 0);
        CHECK_EQ(st.st_mode & 0777, 0600);
        if (bytes) *bytes = st.st_size;
        n++;
    }
    if (dir) closedir(dir);
    return n;
}

static void submit_large(struct world *w, struct told *t, const char *program,
                         const char *kind) {
    struct err e;
    *t = (struct told){.waiter = {.done = on_done, .data = t}, .world = w};
    struct run_request q = {.program = str_of(program),
                            .kind = kind,
                            .resources = STR("long"),
                            .principal = STR("me"),
                            .can_ask = true,
                            .waiter = &t->waiter};
    CHECK_OK(runs_submit(w->runs, &q, t->id, &e), &e);
}

static void check_sum(const struct told *t, int n) {
    char last[12];
    int digits = 10 + 2 * (n - 10);
    const struct json *v = json_get(t->outcome, "value");
    if (t->state != RUN_DONE)
        test_note("%.*s", STR_ARG(json_get_text(json_get(t->outcome, "error"),
                                                "message", STR(""))));
    CHECK_EQ(t->state, RUN_DONE);
    snprintf(last, sizeof last, "%d", n - 1);
    CHECK_EQ(json_get_int(v, "n", 0), n);
    CHECK_EQ(json_get_int(v, "all", 0), n * 1000000 + digits);
    CHECK_STR(json_get_text(v, "last", STR("")), last);
}

/* Until its state was saved in the middle of its work; not before it has all
 * its data, however slow the machine is. */
static void save_halfway(struct world *w, struct told *t) {
    struct run *r = map_get(&w->runs->runs, str_of(t->id));
    struct err e;
    while (!r->based) {
        r->kept = w->reads ? 0 : clock_mono_ns() + HOUR_NS;
        CHECK_OK(loop_step(w->loop, 1000000, &e), &e);
        CHECK(!t->done);
        if (r->vm == VM_BUSY && w->reads) worker_pause(r->seat.worker);
    }
}

/* A job that was killed when its state had been saved; its id. */
static void leave_job(const char *program, char id[STORE_ID]) {
    struct world w;
    struct told t;
    struct err e;
    int pair[2], status;
    CHECK_EQ(pipe(pair), 0);
    pid_t child = fork();
    if (child == 0) {
        open_world(&w, ALLOW);
        submit_large(&w, &t, program, "job");
        save_halfway(&w, &t);
        CHECK_OK(store_flush(w.store, true, &e), &e);
        CHECK(write(pair[1], t.id, STORE_ID) == STORE_ID);
        kill(getpid(), SIGKILL);
    }
    close(pair[1]);
    CHECK(read(pair[0], id, STORE_ID) == STORE_ID);
    close(pair[0]);
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static void change_program(const char *id) {
    char sql[200];
    sqlite3 *db;
    snprintf(sql, sizeof sql, "UPDATE runs SET program = '1/0' WHERE id = '%s'",
             id);
    CHECK_EQ(sqlite3_open("store.db", &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void finish(struct world *w, const char *id, struct told *t) {
    struct err e;
    *t = (struct told){.waiter = {.done = on_done, .data = t}, .world = w};
    CHECK_OK(runs_wait(w->runs, str_of(id), &t->waiter, &e), &e);
    wait_for(w, t);
}

TEST(a_job_with_a_large_state_goes_on_from_it) {
    struct world w;
    struct told t;
    struct err e;
    char id[STORE_ID];
    long long bytes;
    test_folder();
    leave_job(WORKING(68), id);
    CHECK_EQ(files_of(id, &bytes), 1);
    CHECK(bytes > (64 << 20));
    change_program(id); /* were it to begin again it would fail */
    open_world(&w, ALLOW);
    CHECK_EQ(runs_recover(w.runs, &e), 1);
    finish(&w, id, &t);
    check_sum(&t, MANY);
    CHECK_STR(json_get_text(t.outcome, "output", STR("")), "1\n");
    CHECK_EQ(files_of(id, NULL), 0);
    close_world(&w);
}

TEST(a_large_state_that_is_lost_costs_the_work_not_the_run) {
    struct world w;
    struct told t;
    struct err e;
    char id[STORE_ID], command[200];
    test_folder();
    leave_job(WORKING(11), id);
    snprintf(command, sizeof command, "rm -r store.db.snapshots/%s", id);
    CHECK_EQ(system(command), 0);
    open_world(&w, ALLOW);
    CHECK_EQ(runs_recover(w.runs, &e), 1);
    finish(&w, id, &t);
    check_sum(&t, FEW);
    CHECK_STR(json_get_text(t.outcome, "output", STR("")), "1\n");
    close_world(&w);
}

static void say_yes(struct world *w, const struct told *t) {
    str id =
        json_get_text(json_get(t->outcome, "waiting"), "approval", STR(""));
    struct err e;
    CHECK_OK(
        approval_answer(w->store, w->audit, id, APPROVE_ONCE, STR("test"), &e),
        &e);
}

TEST(a_run_with_a_large_state_waits_for_a_person) {
    struct world w;
    struct told t;
    char id[STORE_ID], text[1000];
    test_folder();
    open_world(&w, ASK);
    submit_large(&w, &t,
                 LARGE(11) "note.write(text='a')\nnote.write(text='b')\n" SUM,
                 "run");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_WAITING);
    memcpy(id, t.id, sizeof id);
    CHECK_EQ(files_of(id, NULL), 1);
    say_yes(&w, &t);
    finish(&w, id, &t);
    CHECK_EQ(t.state, RUN_WAITING);
    CHECK(files_of(id, NULL) <= 2);
    say_yes(&w, &t);
    finish(&w, id, &t);
    check_sum(&t, FEW);
    CHECK_EQ(notebook(text), 2);
    CHECK_EQ(files_of(id, NULL), 0);
    close_world(&w);
}

static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(a_large_state_waits_for_room_on_the_disk) {
    struct world w;
    struct told t;
    struct err e;
    char id[STORE_ID], text[1000];
    test_folder();
    signal(SIGXFSZ, SIG_IGN);
    open_world(&w, ASK);
    submit_large(&w, &t, LARGE(11) "note.write(text='a')\n" SUM, "run");
    memcpy(id, t.id, sizeof id);
    const struct run *r = map_get(&w.runs->runs, str_of(id));
    limit_files(4 << 20);
    while (r->save_tries == 0) {
        CHECK_OK(loop_step(w.loop, 1000000, &e), &e);
        CHECK(!t.done);
    }
    CHECK_EQ(files_of(id, NULL), 0); /* not even a part of it */
    limit_files(RLIM_INFINITY);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_WAITING);
    CHECK_EQ(files_of(id, NULL), 1);
    say_yes(&w, &t);
    finish(&w, id, &t);
    check_sum(&t, FEW);
    CHECK_EQ(notebook(text), 1);
    close_world(&w);
}

/* -- while it is written ------------------------------------------------------
 */

struct ticks {
    struct loop *loop;
    struct io_timer timer;
    const struct run *run;
    int while_writing;
};

static void tick(struct io_timer *t) {
    struct ticks *k = t->data;
    struct err e;
    k->while_writing += k->run->vm == VM_WRITING;
    CHECK_OK(loop_timer(k->loop, t, 1000000, &e), &e);
}

/* Until its state is being written. */
static const struct run *writes(struct world *w, struct told *t) {
    struct err e;
    submit_large(w, t, LARGE(40) "note.write(text='a')\n" SUM, "run");
    const struct run *r = map_get(&w->runs->runs, str_of(t->id));
    while (r->vm != VM_WRITING)
        CHECK_OK(loop_step(w->loop, 1000000, &e), &e);
    return r;
}

/* It waits, with all that it had, and ends with a yes. */
static void goes_on(struct world *w, struct told *t) {
    char id[STORE_ID];
    CHECK_EQ(t->state, RUN_WAITING);
    memcpy(id, t->id, sizeof id);
    say_yes(w, t);
    finish(w, id, t);
    check_sum(t, 40);
    close_world(w);
}

TEST(the_loop_goes_on_while_a_large_state_is_written) {
    struct world w;
    struct told t;
    struct err e;
    test_folder();
    open_world(&w, ASK);
    struct ticks k = {.loop = w.loop, .run = writes(&w, &t)};
    k.timer = (struct io_timer){.fn = tick, .data = &k};
    CHECK_OK(loop_timer(w.loop, &k.timer, 0, &e), &e);
    wait_for(&w, &t);
    loop_timer_stop(&k.timer);
    CHECK(k.while_writing > 3);
    goes_on(&w, &t);
}

TEST(a_state_whose_writer_was_killed_is_written_again) {
    struct world w;
    struct told t;
    test_folder();
    open_world(&w, ASK);
    const struct run *r = writes(&w, &t);
    CHECK_EQ(kill(r->scribe.pid, SIGKILL), 0);
    wait_for(&w, &t);
    CHECK_EQ(r->save_tries, 1);
    goes_on(&w, &t);
}

TEST(a_run_may_end_and_its_worker_die_while_its_state_is_written) {
    struct world w;
    struct told t;
    struct err e;
    test_folder();
    open_world(&w, ASK);
    (void)writes(&w, &t);
    CHECK_OK(runs_cancel(w.runs, str_of(t.id), "enough", &e), &e);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_CANCELLED);
    const struct run *r = writes(&w, &t);
    CHECK_EQ(kill(worker_pid(r->seat.worker), SIGKILL), 0);
    wait_for(&w, &t);
    goes_on(&w, &t); /* in another worker */
}
