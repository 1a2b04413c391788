/* SPDX-License-Identifier: MIT
 *
 * Runs that are run again: from their journal after a kill, in a replay, and
 * from the middle of their work. They take the same way in as many steps,
 * whatever came first. */
#include <sqlite3.h>
#include <sys/wait.h>

#include "call/approval.h"
#include "runs/inside.h"
#include "runs/replay.h"
#include "runs_world.h"

/* What it does next depends on which value came first: later calls have other
 * numbers then. The clock is looked at in between. */
static const char racing[] =
    "import asyncio, time\n"
    "async def one(n):\n"
    "    v = await note.read(n=n)\n"
    "    got = v['n']\n"
    "    print(got, time.monotonic() > 0)\n"
    "    await note.read(n=100 + got)\n"
    "    return time.time()\n"
    "async def main():\n"
    "    return await asyncio.gather(*(one(n) for n in (7, 1, 5, 3)))\n"
    "times = asyncio.run(main())\n"
    "note.write(text='.')\n"
    "[len(times), times]";

static void check_replay(struct world *w, const char *id, uint64_t calls) {
    AUTO_BUF struct buf out = BUF_MAX(10000);
    struct replay replay;
    struct err e;
    CHECK_OK(replay_run(w->store, str_of(id), &replay, &out, &e), &e);
    test_note("%s", buf_text(&out));
    CHECK(replay.same);
    CHECK_EQ(replay.calls, calls);
    CHECK(replay.steps > 0);
    CHECK_EQ(replay.steps, replay.steps_then);
}

TEST(reads_that_end_out_of_order_are_replayed_in_that_order) {
    struct world w;
    char text[1000];
    test_folder();
    open_world(&w, ALLOW);
    w.open = 1;
    struct told t = run(&w, racing);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_TEXT((notebook(text), text), ".");
    CHECK_STR(json_get_text(t.outcome, "output", STR("")),
              "1 True\n3 True\n5 True\n7 True\n");
    check_replay(&w, t.id, 9);
    CHECK_EQ(w.reads, 8);
    close_world(&w);
}

TEST(a_replay_has_the_failures_in_their_order_too) {
    struct world w;
    test_folder();
    open_world(&w, ALLOW);
    struct told t =
        run(&w, "import asyncio\n"
                "async def one(n):\n"
                "    try:\n"
                "        v = await (note.fail() if n == 2 else "
                "note.read(n=n))\n"
                "        print(v['n'])\n"
                "    except ToolError as e:\n"
                "        print(e)\n"
                "async def main():\n"
                "    await asyncio.gather(*(one(n) for n in (6, 2, 4)))\n"
                "asyncio.run(main())\n"
                "tools.progress(1, 2)\n"
                "note.read(n=1)['n']");
    CHECK_EQ(t.state, RUN_DONE);
    check_replay(&w, t.id, 4);
    close_world(&w);
}

/* -- kills --------------------------------------------------------------------
 */

static void child_ends(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
}

static int keep_id(void *data, const struct store_run *r, struct err *e) {
    (void)e;
    snprintf(data, STORE_ID, "%.*s", STR_ARG(r->id));
    return 1;
}

static struct told take_up(struct world *w) {
    struct told t = {.world = w};
    struct store_filter f = {.only_open = true};
    struct err e;
    CHECK_EQ(store_runs(w->store, &f, keep_id, t.id, &e), 1);
    return t;
}

static void finish(struct world *w, struct told *t) {
    struct err e;
    t->done = false;
    t->waiter = (struct run_waiter){.done = on_done, .data = t};
    CHECK_OK(runs_wait(w->runs, str_of(t->id), &t->waiter, &e), &e);
    wait_for(w, t);
}

static void answer_no(struct world *w, struct told *t) {
    struct err e;
    CHECK_EQ(t->state, RUN_WAITING);
    str id =
        json_get_text(json_get(t->outcome, "waiting"), "approval", STR(""));
    CHECK_OK(approval_answer(w->store, NULL, id, APPROVE_NOT, STR("test"), &e),
             &e);
}

/* Killed at its last write; then, recovered, at the one that follows a no. So
 * its journal is lived through twice, and what was drawn must be there once. */
TEST(after_kills_a_run_takes_the_way_it_had_taken) {
    static const char last[] = "\ntry: note.write(text='!')\n"
                               "except ToolError: print(time.time() > 0)\n"
                               "note.write(text='?')\n"
                               "note.write(text='!')\n";
    struct world w;
    char text[1000], program[2000];
    test_folder();
    snprintf(program, sizeof program, "%s%s", racing, last);
    pid_t child = fork();
    if (child == 0) {
        struct told t;
        open_world(&w, ALLOW);
        w.open = 1;
        submit(&w, &t, program, NULL);
        wait_for(&w, &t);
        _exit(0);
    }
    child_ends(child);
    CHECK_TEXT((notebook(text), text), ".");
    child = fork();
    if (child == 0) {
        open_world(&w, ALLOW);
        struct told t = take_up(&w);
        finish(&w, &t);
        answer_no(&w, &t);
        finish(&w, &t);
        _exit(0);
    }
    child_ends(child);
    CHECK_TEXT((notebook(text), text), ".?");
    open_world(&w, ALLOW);
    struct told t = take_up(&w);
    finish(&w, &t);
    answer_no(&w, &t);
    finish(&w, &t);
    CHECK_EQ(t.state, RUN_FAILED); /* nothing catches the second no */
    CHECK_STR(json_get_text(t.outcome, "output", STR("")),
              "1 True\n3 True\n5 True\n7 True\nTrue\n");
    CHECK_TEXT((notebook(text), text), ".?");
    CHECK_EQ(w.reads, 0);
    close_world(&w);
}

/* -- jobs that only work ------------------------------------------------------
 */

static const char working[] = "import time\n"
                              "began = time.time()\n"
                              "print('begun')\n"
                              "n = 0\n"
                              "while n < 3000000: n += 1\n"
                              "[n, began > 0]";

static void submit_job(struct world *w, struct told *t, const char *program) {
    struct err e;
    *t = (struct told){.waiter = {.done = on_done, .data = t}, .world = w};
    struct run_request q = {.program = str_of(program),
                            .kind = "job",
                            .principal = STR("me"),
                            .waiter = &t->waiter};
    CHECK_OK(runs_submit(w->runs, &q, t->id, &e), &e);
}

/* Steps until its state was saved in the middle of its work; true: it was. */
static bool save_halfway(struct world *w, struct told *t) {
    struct run *r = map_get(&w->runs->runs, str_of(t->id));
    struct err e;
    while (!t->done && !r->based) {
        CHECK_OK(loop_step(w->loop, 1000000, &e), &e);
        if (!t->done && r->vm == VM_BUSY && r->usage.steps == 0)
            worker_pause(r->seat.worker);
    }
    return !t->done;
}

static void forget_program(const char *id) {
    char sql[200];
    sqlite3 *db;
    snprintf(sql, sizeof sql, "UPDATE runs SET program = '1/0' WHERE id = '%s'",
             id);
    CHECK_EQ(sqlite3_open("store.db", &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

TEST(a_job_that_makes_no_call_goes_on_from_the_middle_of_its_work) {
    struct world w;
    struct err e;
    test_folder();
    pid_t child = fork();
    if (child == 0) {
        struct told t;
        open_world(&w, ALLOW);
        submit_job(&w, &t, working);
        if (!save_halfway(&w, &t)) _exit(1);
        CHECK_OK(store_flush(w.store, true, &e), &e);
        kill(getpid(), SIGKILL);
    }
    child_ends(child);
    open_world(&w, ALLOW);
    struct told again = take_up(&w);
    /* Were it to begin again it would do something else. */
    forget_program(again.id);
    finish(&w, &again);
    CHECK_EQ(again.state, RUN_DONE);
    CHECK_STR(json_get_text(again.outcome, "output", STR("")), "begun\n");
    struct told whole = run(&w, working);
    CHECK_EQ(whole.state, RUN_DONE);
    CHECK_EQ(json_get_int(json_get(again.outcome, "usage"), "steps", 0),
             json_get_int(json_get(whole.outcome, "usage"), "steps", 1));
    close_world(&w);
}

/* The worker is killed, not we: the same. */
TEST(a_job_goes_on_from_its_state_when_its_worker_is_killed) {
    struct world w;
    struct told t;
    test_folder();
    open_world(&w, ALLOW);
    submit_job(&w, &t, working);
    CHECK(save_halfway(&w, &t));
    struct run *r = map_get(&w.runs->runs, str_of(t.id));
    kill(worker_pid(r->seat.worker), SIGKILL);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_STR(json_get_text(t.outcome, "output", STR("")), "begun\n");
    check_replay(&w, t.id, 0);
    close_world(&w);
}
