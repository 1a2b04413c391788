/* SPDX-License-Identifier: MIT
 *
 * Runs of a class that is for a person, or a rule, to give.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "call/approval.h"
#include "runs_world.h"

/* More than a job has that asks for nothing. */
static const char large[] = "len(bytearray(300 << 20)) >> 20";

static void submit_class(struct world *w, struct told *t, const char *class,
                         const char *session) {
    struct err e;
    *t = (struct told){.waiter = {.done = on_done, .data = t}, .world = w};
    struct run_request q = {.program = str_of(large),
                            .kind = "job",
                            .resources = str_of(class),
                            .session = str_of(session),
                            .principal = STR("me"),
                            .can_ask = true,
                            .waiter = &t->waiter};
    CHECK_OK(runs_submit(w->runs, &q, t->id, &e), &e);
    wait_for(w, t);
}

static str question(const struct told *t, const char *member) {
    return json_get_text(json_get(t->outcome, "waiting"), member, STR(""));
}

static str error_type(const struct told *t) {
    return json_get_text(json_get(t->outcome, "error"), "type", STR(""));
}

static void decide(struct world *w, struct told *t,
                   enum approval_choice choice) {
    AUTO_BUF struct buf id = BUF_MAX(STORE_ID);
    struct err e;
    CHECK_EQ(t->state, RUN_WAITING);
    CHECK_STR(question(t, "tool"), "sandbox__class");
    CHECK_OK(buf_add_str(&id, question(t, "approval"), &e), &e);
    CHECK_OK(approval_answer(w->store, w->audit, buf_str(&id), choice,
                             STR("test"), &e),
             &e);
    do { /* told at once of a question that was not looked at yet */
        CHECK_OK(loop_step(w->loop, 1000000, &e), &e);
        t->done = false;
        t->waiter.data = t;
        CHECK_OK(runs_wait(w->runs, str_of(t->id), &t->waiter, &e), &e);
        wait_for(w, t);
    } while (t->state == RUN_WAITING);
}

TEST(a_class_is_asked_for_before_the_program_begins) {
    struct world w;
    struct told t;
    test_folder();
    open_world(&w, "preset balanced\n");
    submit_class(&w, &t, "huge", NULL);
    decide(&w, &t, APPROVE_ONCE);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(json_get_int(t.outcome, "value", 0), 300);
    close_world(&w);
}

TEST(a_run_that_was_not_given_its_class_fails) {
    struct world w;
    struct told t;
    test_folder();
    open_world(&w, "preset balanced\n");
    submit_class(&w, &t, "huge", NULL);
    decide(&w, &t, APPROVE_NOT);
    CHECK_EQ(t.state, RUN_FAILED);
    CHECK_STR(error_type(&t), "PermissionError");
    close_world(&w);
}

TEST(rules_decide_without_a_question) {
    static const struct {
        const char *rules, *class;
        enum run_state state;
        const char *error;
    } cases[] = {
        {"preset balanced\nallow N1 tool sandbox.class\n", "huge", RUN_DONE,
         ""},
        {"preset balanced\ndeny N1 tool sandbox.class\n", "huge", RUN_FAILED,
         "PermissionError"},
        {"preset strict\n", "huge", RUN_FAILED, "PermissionError"},
        {"preset balanced\ndeny N1 tool sandbox.class\n", "long", RUN_FAILED,
         "MemoryError"},
    };
    test_folder();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world w;
        struct told t;
        open_world(&w, cases[i].rules);
        submit_class(&w, &t, cases[i].class, NULL);
        CHECK_EQ(t.state, cases[i].state);
        CHECK_STR(error_type(&t), cases[i].error);
        close_world(&w);
    }
}

/* Told its id by a process that is killed while the run waits. */
static void left_waiting(char id[STORE_ID], const char *session) {
    int pair[2], status;
    CHECK_EQ(pipe(pair), 0);
    pid_t child = fork();
    if (child == 0) {
        struct world w;
        struct told t;
        open_world(&w, "preset balanced\n");
        submit_class(&w, &t, "huge", session);
        CHECK_EQ(t.state, RUN_WAITING);
        CHECK(write(pair[1], t.id, STORE_ID) == STORE_ID);
        kill(getpid(), SIGKILL);
    }
    close(pair[1]);
    CHECK(read(pair[0], id, STORE_ID) == STORE_ID);
    close(pair[0]);
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

TEST(the_question_outlives_the_process_that_put_it) {
    static const char *const sessions[] = {NULL, "s1"};
    test_folder();
    for (int i = 0; i < 2; i++) {
        struct world w;
        struct err e;
        struct told t = {.world = &w};
        left_waiting(t.id, sessions[i]);
        open_world(&w, "preset balanced\n");
        CHECK_EQ(runs_recover(w.runs, &e), 1);
        t.waiter = (struct run_waiter){.done = on_done, .data = &t};
        CHECK_OK(runs_wait(w.runs, str_of(t.id), &t.waiter, &e), &e);
        wait_for(&w, &t);
        decide(&w, &t, APPROVE_ONCE);
        CHECK_EQ(t.state, RUN_DONE);
        CHECK_EQ(json_get_int(t.outcome, "value", 0), 300);
        close_world(&w);
    }
}

TEST(a_run_that_waits_for_its_class_can_be_cancelled) {
    struct world w;
    struct told t;
    struct err e;
    struct store_run row;
    test_folder();
    open_world(&w, "preset balanced\n");
    submit_class(&w, &t, "huge", NULL);
    CHECK_EQ(t.state, RUN_WAITING);
    CHECK_OK(runs_cancel(w.runs, str_of(t.id), "enough", &e), &e);
    CHECK_OK(store_flush(w.store, true, &e), &e);
    CHECK_OK(store_run_get(w.store, str_of(t.id), &w.arena, &row, &e), &e);
    CHECK_EQ(row.state, RUN_CANCELLED);
    close_world(&w);
}
