/* SPDX-License-Identifier: MIT */

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "call/approval.h"
#include "runs/replay.h"
#include "runs_world.h"

TEST(a_program_calls_tools_and_gives_a_value) {
    struct world w;
    char text[1000];
    test_folder();
    open_world(&w, ALLOW);
    struct told t = run(&w, "a = note.read(n=3)\n"
                            "note.write(text='x' * a['n'])\n"
                            "print('hello')\n"
                            "a['n'] + 1");
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(json_get_int(t.outcome, "value", 0), 4);
    CHECK_STR(json_get_text(t.outcome, "output", STR("")), "hello\n");
    CHECK_EQ(json_len(json_get(t.outcome, "calls")), 2);
    CHECK_EQ(notebook(text), 3);
    close_world(&w);
}

TEST(errors_are_exceptions_that_a_program_can_catch) {
    struct world w;
    test_folder();
    open_world(&w, ALLOW "deny R9 tool note.write\n");
    struct told t = run(&w, "out = []\n"
                            "for f in (lambda: note.write(text='x'),\n"
                            "          lambda: note.read(**{'m': 1}),\n"
                            "          lambda: note.read(n=str('x')),\n"
                            "          lambda: note.fail()):\n"
                            "    try:\n"
                            "        f()\n"
                            "    except Exception as e:\n"
                            "        out.append(type(e).__name__)\n"
                            "' '.join(out)");
    CHECK_STR(value_text(&t), "PermissionError TypeError ValueError ToolError");
    close_world(&w);
}

TEST(what_is_wrong_with_a_program_is_told_before_anything_runs) {
    struct world w;
    char text[1000];
    test_folder();
    open_world(&w, ALLOW);
    struct told t = run(&w, "note.write(text='x')\n"
                            "note.reed(n=1)\n"
                            "note.read(m=1)\n"
                            "undefined_name");
    CHECK_EQ(t.state, RUN_FAILED);
    const struct json *error = json_get(t.outcome, "error");
    CHECK_STR(json_get_text(error, "type", STR("")), "CheckError");
    const struct json *problems = json_get(error, "problems");
    CHECK_EQ(json_len(problems), 3);
    CHECK_EQ(json_get_int(json_at(problems, 0), "line", 0), 2);
    CHECK(str_find(json_get_text(json_at(problems, 1), "message", STR("")),
                   STR("'m'")) >= 0);
    CHECK_EQ(notebook(text), 0);
    CHECK_EQ(json_len(json_get(t.outcome, "calls")), 0);
    close_world(&w);
}

/* Ends every process that is our child but the nursery, which is the first. */
static void kill_workers(void) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    CHECK(n > 0);
    text[n] = 0;
    for (char *at = strchr(text, ' '), *end; at && *at; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at) break;
        CHECK_EQ(kill((pid_t)pid, SIGKILL), 0);
    }
}

TEST(a_run_whose_worker_is_killed_goes_on_in_another) {
    struct world w;
    struct told t;
    struct err e;
    char text[1000];
    test_folder();
    open_world(&w, ALLOW);
    submit(&w, &t,
           "import time, random\n"
           "a = [time.time_ns(), random.random()]\n"
           "note.write(text='x')\n"
           "b = note.read(n=a[0])['n']\n"
           "[b == a[0], note.write(text=str(a[1]))['text'] == str(a[1])]",
           NULL);
    while (w.reads == 0)
        CHECK_OK(loop_step(w.loop, -1, &e), &e);
    kill_workers();
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    const struct json *value = json_get(t.outcome, "value");
    AUTO_BUF struct buf both = BUF_MAX(100);
    CHECK_OK(json_write(value, JSON_COMPACT, &both, &e), &e);
    CHECK_STR(buf_str(&both), "[true,true]");
    CHECK(notebook(text) > 2 && text[0] == 'x' && text[1] == '0');
    close_world(&w);
}

TEST(a_run_whose_worker_dies_again_and_again_fails_with_a_reason) {
    struct world w;
    struct told t;
    struct err e;
    test_folder();
    open_world(&w, ALLOW);
    submit(&w, &t, "while True: pass", NULL);
    for (int i = 0; i < 100 && !t.done; i++) {
        CHECK_OK(loop_step(w.loop, 50 * 1000000, &e), &e);
        if (i % 4 == 3 && !t.done) kill_workers();
    }
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_FAILED);
    const struct json *error = json_get(t.outcome, "error");
    CHECK_STR(json_get_text(error, "type", STR("")), "WorkerError");
    CHECK_STR(json_get_text(error, "message", STR("")),
              "the worker was ended by signal 9");
    close_world(&w);
}

TEST(more_runs_than_workers_wait_at_once) {
    struct world w;
    static struct told t[100];
    test_folder();
    open_world(&w, ALLOW);
    for (int i = 0; i < 90; i++)
        submit(&w, &t[i],
               "a = note.read(n=1)\nb = note.read(n=2)\nprint('p')\n"
               "a['n'] + b['n']",
               NULL);
    for (int i = 0; i < 90; i++) {
        wait_for(&w, &t[i]);
        CHECK_EQ(t[i].state, RUN_DONE);
        CHECK_EQ(json_get_int(t[i].outcome, "value", 0), 3);
        CHECK_STR(json_get_text(t[i].outcome, "output", STR("")), "p\n");
    }
    close_world(&w);
}

TEST(an_exception_nobody_catches_is_told_with_its_traceback) {
    struct world w;
    test_folder();
    open_world(&w, ALLOW);
    struct told t = run(&w, "x = 1\nx / 0");
    CHECK_EQ(t.state, RUN_FAILED);
    const struct json *error = json_get(t.outcome, "error");
    CHECK_STR(json_get_text(error, "type", STR("")), "ZeroDivisionError");
    CHECK_STR(json_get_text(error, "message", STR("")), "division by zero");
    CHECK(str_find(json_get_text(error, "traceback", STR("")), STR("line 2")) >
          0);
    close_world(&w);
}

TEST(a_session_keeps_its_variables_in_another_process_too) {
    struct world w;
    struct told t;
    test_folder();
    open_world(&w, ALLOW);
    submit(&w, &t, "total = 40", "s1");
    wait_for(&w, &t);
    submit(&w, &t, "total += 1\ntotal", "s1");
    wait_for(&w, &t);
    CHECK_EQ(json_get_int(t.outcome, "value", 0), 41);
    close_world(&w);
    open_world(&w, ALLOW);
    submit(&w, &t, "total += 1\ntotal", "s1");
    wait_for(&w, &t);
    CHECK_EQ(json_get_int(t.outcome, "value", 0), 42);
    close_world(&w);
}

static void in_store(const char *sql) {
    sqlite3 *db;
    CHECK_EQ(sqlite3_open("store.db", &db), SQLITE_OK);
    CHECK_EQ(sqlite3_busy_timeout(db, 10000), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_close(db), SQLITE_OK);
}

/* A process that sets a variable of session s1 and stands still in the middle,
 * with nothing left to write down but the end: its worker goes on, and what
 * that says is read when the process may. */
static pid_t stopped_in_session(void) {
    pid_t child = fork();
    int status;
    if (child == 0) {
        struct world w;
        struct told t;
        struct err e;
        open_world(&w, ALLOW);
        submit(&w, &t,
               "note.read(n=1)\n"
               "for i in range(10000000): pass\n"
               "total = 'old'",
               "s1");
        while (w.reads == 0 || w.now > 0)
            CHECK_OK(loop_step(w.loop, 1000000, &e), &e);
        CHECK_OK(store_flush(w.store, true, &e), &e);
        CHECK_OK(loop_step(w.loop, 1000000, &e), &e);
        raise(SIGSTOP);
        wait_for(&w, &t);
        bool lost = t.state == RUN_FAILED; /* "another process goes on" */
        _exit(lost ? 0 : 1);
    }
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    return child;
}

TEST(a_process_that_lost_a_run_leaves_its_session_alone) {
    struct world w;
    struct told t;
    struct err e;
    int status;
    test_folder();
    pid_t child = stopped_in_session();
    in_store("UPDATE runs SET lease = 1"); /* as if it had slept for long */
    open_world(&w, ALLOW);
    CHECK_EQ(runs_recover(w.runs, &e), 1);
    for (size_t active = 1, waiting; active;) {
        CHECK_OK(loop_step(w.loop, -1, &e), &e);
        runs_count(w.runs, &active, &waiting);
    }
    submit(&w, &t, "before, total = total, 'new'\nbefore", "s1");
    wait_for(&w, &t);
    CHECK_STR(value_text(&t), "old");
    CHECK_EQ(kill(child, SIGCONT), 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    submit(&w, &t, "total", "s1");
    wait_for(&w, &t);
    CHECK_STR(value_text(&t), "new");
    close_world(&w);
}

TEST(a_session_is_busy_for_other_processes_too) {
    struct world w;
    struct told t;
    int status;
    test_folder();
    pid_t child = stopped_in_session();
    open_world(&w, ALLOW);
    submit(&w, &t, "total", "s1");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_FAILED);
    CHECK(str_find(
              json_get_text(json_get(t.outcome, "error"), "message", STR("")),
              STR("session s1 is busy with run")) == 0);
    submit(&w, &t, "1", "s2");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK(waitpid(child, &status, 0) == child);
    submit(&w, &t, "1", "s1"); /* who is gone holds nothing */
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    close_world(&w);
}

TEST(a_run_waits_for_a_person_and_goes_on) {
    struct world w;
    struct err e;
    char text[1000];
    test_folder();
    open_world(&w, ASK);
    struct told t = run(&w, "a = 20\nnote.write(text='x')\na + 1");
    CHECK_EQ(t.state, RUN_WAITING);
    CHECK_EQ(notebook(text), 0);
    str id = json_get_text(json_get(t.outcome, "waiting"), "approval", STR(""));
    CHECK_OK(
        approval_answer(w.store, w.audit, id, APPROVE_ONCE, STR("test"), &e),
        &e);
    t.done = false;
    t.waiter.data = &t;
    CHECK_OK(runs_wait(w.runs, str_of(t.id), &t.waiter, &e), &e);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(json_get_int(t.outcome, "value", 0), 21);
    CHECK_EQ(notebook(text), 1);
    close_world(&w);
}

/* The clock jumped back between the question and the answer. */
TEST(an_answer_is_found_whatever_its_time) {
    struct world w;
    struct err e;
    sqlite3 *db;
    test_folder();
    open_world(&w, ASK);
    struct told t = run(&w, "note.write(text='x')\n7");
    CHECK_EQ(t.state, RUN_WAITING);
    str id = json_get_text(json_get(t.outcome, "waiting"), "approval", STR(""));
    t.done = false;
    t.waiter.data = &t;
    CHECK_OK(runs_wait(w.runs, str_of(t.id), &t.waiter, &e), &e);
    t.done = false;
    CHECK_OK(
        approval_answer(w.store, w.audit, id, APPROVE_ONCE, STR("test"), &e),
        &e);
    CHECK_EQ(sqlite3_open("store.db", &db), SQLITE_OK);
    CHECK_EQ(
        sqlite3_exec(db, "UPDATE approvals SET decided = 1", NULL, NULL, NULL),
        SQLITE_OK);
    CHECK_EQ(sqlite3_close(db), SQLITE_OK);
    CHECK_OK(runs_wait(w.runs, str_of(t.id), &t.waiter, &e), &e);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(json_get_int(t.outcome, "value", 0), 7);
    close_world(&w);
}

TEST(an_answer_given_while_nobody_ran_is_found_at_the_next_start) {
    struct world w;
    struct err e;
    char text[1000];
    test_folder();
    open_world(&w, ASK);
    struct told t = run(&w, "note.write(text='y')\n'went on'");
    CHECK_EQ(t.state, RUN_WAITING);
    char id[STORE_ID], approval[STORE_ID];
    memcpy(id, t.id, sizeof id);
    str a = json_get_text(json_get(t.outcome, "waiting"), "approval", STR(""));
    snprintf(approval, sizeof approval, "%.*s", STR_ARG(a));
    close_world(&w);
    struct store_config config = {.path = "store.db"};
    struct store *s = store_open(&config, &e);
    CHECK_OK(approval_answer(s, NULL, str_of(approval), APPROVE_ONCE,
                             STR("cli"), &e),
             &e);
    CHECK_OK(store_close(s, &e), &e);
    open_world(&w, ASK);
    CHECK_EQ(runs_recover(w.runs, &e), 1);
    t = (struct told){.waiter = {.done = on_done, .data = &t}, .world = &w};
    CHECK_OK(runs_wait(w.runs, str_of(id), &t.waiter, &e), &e);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_STR(value_text(&t), "went on");
    CHECK_EQ(notebook(text), 1);
    close_world(&w);
}

TEST(no_raises_in_the_program) {
    struct world w;
    struct err e;
    test_folder();
    open_world(&w, ASK);
    struct told t = run(&w, "try:\n"
                            "    note.write(text='x')\n"
                            "except PermissionError as e:\n"
                            "    'refused'");
    str id = json_get_text(json_get(t.outcome, "waiting"), "approval", STR(""));
    CHECK_OK(approval_answer(w.store, NULL, id, APPROVE_NOT, STR("test"), &e),
             &e);
    t.done = false;
    t.waiter.data = &t;
    CHECK_OK(runs_wait(w.runs, str_of(t.id), &t.waiter, &e), &e);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    close_world(&w);
}

/* Runs the program in a child that is killed where the flags say. */
static void killed(const char *program, bool before, bool after) {
    pid_t child = fork();
    if (child == 0) {
        struct world w;
        struct told t;
        open_world(&w, ALLOW);
        w.die_before = before;
        w.die_after = after;
        submit(&w, &t, program, NULL);
        wait_for(&w, &t);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
}

static struct told recovered(struct world *w) {
    struct err e;
    struct told t = {.world = w};
    CHECK_EQ(runs_recover(w->runs, &e), 1);
    size_t active, waiting;
    do {
        CHECK_OK(loop_step(w->loop, -1, &e), &e);
        runs_count(w->runs, &active, &waiting);
    } while (active);
    t.done = waiting == 0;
    return t;
}

static int first_pending(void *data, const struct store_approval *p,
                         struct err *e) {
    (void)e;
    snprintf(data, STORE_ID, "%.*s", STR_ARG(p->id));
    return 1;
}

/* The write may or may not have happened: only a person can know. */
TEST(a_write_cut_off_by_a_kill_is_not_repeated_without_a_word) {
    struct world w;
    struct err e;
    char text[1000], id[STORE_ID] = "";
    test_folder();
    killed("note.write(text='once')", false, true);
    CHECK_EQ(notebook(text), 4);
    open_world(&w, ALLOW);
    struct told t = recovered(&w);
    CHECK(!t.done);
    CHECK_EQ(notebook(text), 4);
    struct store_approval_filter f = {.only_pending = true};
    CHECK_EQ(store_approvals(w.store, &f, first_pending, id, &e), 1);
    CHECK_OK(approval_answer(w.store, NULL, str_of(id), APPROVE_ONCE,
                             STR("test"), &e),
             &e);
    size_t active = 1, waiting = 1;
    while (active || waiting) {
        CHECK_OK(loop_step(w.loop, -1, &e), &e);
        runs_count(w.runs, &active, &waiting);
    }
    CHECK_EQ(notebook(text), 8);
    close_world(&w);
}

/* The third write kills the process before anything is written. */
TEST(calls_that_were_made_before_a_kill_are_not_made_again) {
    struct world w;
    struct err e;
    char text[1000], id[STORE_ID] = "";
    test_folder();
    killed("note.write(text='a')\n"
           "x = note.read(n=5)\n"
           "note.write(text='b')\n"
           "note.write(text='!')\n"
           "note.write(text='c')",
           false, false);
    CHECK_TEXT((notebook(text), text), "ab");
    open_world(&w, ALLOW);
    struct told t = recovered(&w);
    CHECK(!t.done);
    CHECK_EQ(w.reads, 0);
    struct store_approval_filter f = {.only_pending = true};
    CHECK_EQ(store_approvals(w.store, &f, first_pending, id, &e), 1);
    CHECK_OK(approval_answer(w.store, NULL, str_of(id), APPROVE_NOT,
                             STR("test"), &e),
             &e);
    size_t active = 1, waiting = 1;
    while (active || waiting) {
        CHECK_OK(loop_step(w.loop, -1, &e), &e);
        runs_count(w.runs, &active, &waiting);
    }
    CHECK_TEXT((notebook(text), text), "ab"); /* it raised, nothing caught it */
    close_world(&w);
}

/* Its lease was over and somebody else has it: here nothing is done any more.
 */
TEST(a_run_that_another_process_took_makes_no_call_here) {
    struct world w;
    struct told t;
    struct err e;
    char text[1000];
    size_t active, waiting;
    test_folder();
    open_world(&w, ALLOW);
    submit(&w, &t, "n = note.read(n=1)['n']\nnote.write(text='x')\nn", NULL);
    while (w.reads == 0)
        CHECK_OK(loop_step(w.loop, 1000000, &e), &e);
    CHECK_OK(store_flush(w.store, true, &e), &e);
    in_store("UPDATE runs SET fence = fence + 1, owner = 'b/1/2'");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_FAILED);
    CHECK_STR(json_get_text(json_get(t.outcome, "error"), "message", STR("")),
              "another process goes on with this run");
    CHECK_EQ(notebook(text), 0);
    runs_count(w.runs, &active, &waiting);
    CHECK_EQ(active + waiting, 0);
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct store_run row;
    CHECK_OK(store_run_get(w.store, str_of(t.id), &a, &row, &e), &e);
    CHECK_EQ(row.state, RUN_RUNNING); /* whoever has it says how it ends */
    close_world(&w);
}

TEST(a_cancelled_run_ends_and_its_calls_with_it) {
    struct world w;
    struct told t;
    struct err e;
    test_folder();
    open_world(&w, ALLOW);
    submit(&w, &t, "note.read(n=1)['n']", NULL);
    while (w.now == 0)
        CHECK_OK(loop_step(w.loop, -1, &e), &e);
    CHECK_OK(runs_cancel(w.runs, str_of(t.id), "enough", &e), &e);
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_CANCELLED);
    CHECK_EQ(w.now, 0);
    close_world(&w);
}

/* `cordon runs cancel` beside the process that holds the run. */
TEST(a_run_can_be_cancelled_from_another_process) {
    struct world w;
    struct err e;
    struct store_run row;
    test_folder();
    open_world(&w, ASK);
    struct told t = run(&w, "note.write(text='x')");
    CHECK_EQ(t.state, RUN_WAITING);
    CHECK_OK(store_put(w.store, "cancel", str_of(t.id), STR("cli"), 0, &e), &e);
    size_t active = 1, waiting = 1;
    while (active || waiting) {
        CHECK_OK(loop_step(w.loop, -1, &e), &e);
        runs_count(w.runs, &active, &waiting);
    }
    CHECK_OK(store_run_get(w.store, str_of(t.id), &w.arena, &row, &e), &e);
    CHECK_EQ(row.state, RUN_CANCELLED);
    close_world(&w);
}

TEST(a_replay_takes_the_same_way_and_calls_nothing) {
    struct world w;
    struct err e;
    struct replay replay;
    AUTO_BUF struct buf out = BUF_MAX(10000);
    test_folder();
    open_world(&w, ALLOW);
    struct told t = run(&w, "n = note.read(n=3)['n']\n"
                            "for i in range(n): note.write(text=str(i))\n"
                            "try: note.fail()\n"
                            "except ToolError as e: print(e)\n"
                            "n * 2");
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(w.reads, 1);
    CHECK_OK(replay_run(w.store, str_of(t.id), &replay, &out, &e), &e);
    test_note("%s", buf_text(&out));
    CHECK(replay.same);
    CHECK_EQ(replay.calls, 5);
    CHECK_EQ(w.reads, 1);
    close_world(&w);
}

#define FLOW                                 \
    "source note.read * -> untrusted\n"      \
    "sink note.write dest text class send\n" \
    "ask R2 dest dest integrity untrusted\n" \
    "preset permissive\n"

/* What the model wrote before it saw anything goes; what came from a tool that
 * nobody trusts is asked about, and the card says where it came from. */
TEST(a_value_from_an_untrusted_tool_is_asked_about_where_it_leaves) {
    struct world w;
    struct err e;
    struct store_approval p;
    test_folder();
    open_world(&w, FLOW);
    CHECK_EQ(run(&w, "x = note.read(n=3)\nnote.write(text='typed')").state,
             RUN_DONE);
    struct told t = run(&w, "x = note.read(n=3)\n"
                            "note.write(text='n is ' + str(x['n']))");
    CHECK_EQ(t.state, RUN_WAITING);
    str id = json_get_text(json_get(t.outcome, "waiting"), "approval", STR(""));
    CHECK_OK(store_approval_get(w.store, id, &w.arena, &p, &e), &e);
    CHECK(str_find(p.card, STR("\"path\":\"/text\"")) > 0);
    CHECK(str_find(p.card, STR("note.read")) > 0);
    close_world(&w);
}

/* The model has seen it: what it writes from now on may come from there. */
TEST(what_a_run_printed_taints_what_the_model_writes_next) {
    struct world w;
    struct told t;
    test_folder();
    open_world(&w, FLOW);
    submit(&w, &t, "note.write(text='first')", "s");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    submit(&w, &t, "print(note.read(n=3))", "s");
    wait_for(&w, &t);
    submit(&w, &t, "note.write(text='second')", "s");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_WAITING);
    close_world(&w);
}

/* They take the time of one; a write waits for those before it, and those
 * behind it wait for the write. */
TEST(reads_overlap_and_writes_keep_their_place) {
    struct world w;
    char text[1000];
    test_folder();
    open_world(&w, ALLOW);
    struct told t = run(&w, "a = [note.read(n=i) for i in range(20)]\n"
                            "note.write(text='between')\n"
                            "b = [note.read(n=i) for i in range(20)]\n"
                            "sum(x['n'] for x in a + b)");
    CHECK_EQ(json_get_int(t.outcome, "value", 0), 380);
    CHECK_EQ(w.most, 20);
    CHECK_EQ(w.reads, 40);
    CHECK_TEXT((notebook(text), text), "between");
    CHECK_EQ(w.reads_at_write, 20);
    close_world(&w);
}

TEST(a_run_whose_time_is_over_is_ended) {
    struct world w;
    struct err e;
    struct store_run row;
    char id[STORE_ID];
    test_folder();
    open_world(&w, ASK);
    struct run_request q = {.program = STR("note.write(text='x')"),
                            .principal = STR("me"),
                            .can_ask = true,
                            .expires = clock_wall_ns() + 1000000};
    CHECK_OK(runs_submit(w.runs, &q, id, &e), &e);
    size_t active = 1, waiting = 1;
    while (active || waiting) {
        CHECK_OK(loop_step(w.loop, -1, &e), &e);
        runs_count(w.runs, &active, &waiting);
    }
    CHECK_OK(store_run_get(w.store, str_of(id), &w.arena, &row, &e), &e);
    CHECK_EQ(row.state, RUN_EXPIRED);
    close_world(&w);
}

TEST(a_principal_can_have_so_many_runs_and_no_more) {
    struct world w;
    struct told t;
    struct err e;
    char id[STORE_ID];
    test_folder();
    open_world(&w, ASK);
    for (int i = 0; i < 100; i++)
        submit(&w, &t, "note.write(text='x')", NULL);
    struct run_request q = {.program = STR("1"), .principal = STR("me")};
    CHECK_FAIL(runs_submit(w.runs, &q, id, &e), &e, ERR_LIMIT);
    close_world(&w);
}

TEST(long_output_is_cut_and_kept) {
    struct world w;
    struct err e;
    size_t size;
    AUTO_BUF struct buf out = BUF_MAX(100000);
    test_folder();
    open_world(&w, ALLOW);
    struct told t = run(&w, "print('x' * 50000)");
    CHECK(json_get_text(t.outcome, "output", STR("")).n <= 16384);
    str handle = json_get_text(
        json_pointer(t.outcome, STR("/truncated/output")), "handle", STR(""));
    CHECK_OK(store_blob_get(w.store, handle, str_of(t.id), 0, 100000, &out,
                            &size, NULL, &e),
             &e);
    CHECK_EQ(size, 50001);
    close_world(&w);
}
