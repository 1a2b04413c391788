/* SPDX-License-Identifier: MIT
 *
 * Runs that are limited to a set of tools.
 */
#include "call/approval.h"
#include "runs_world.h"

static void submit_as(struct world *w, struct told *t, const char *program,
                      const char *scopes) {
    struct err e;
    *t = (struct told){.waiter = {.done = on_done, .data = t}, .world = w};
    struct run_request q = {.program = str_of(program),
                            .scopes = str_of(scopes),
                            .principal = STR("me"),
                            .can_ask = true,
                            .waiter = &t->waiter};
    CHECK_OK(runs_submit(w->runs, &q, t->id, &e), &e);
}

#define MAY_ASK "ask N1 tool sandbox.tool\n" ASK

/* What the run waits for: the tool of the question. */
static const char *question(struct told *t, char id[STORE_ID]) {
    const struct json *waiting = json_get(t->outcome, "waiting");
    str approval = json_get_text(waiting, "approval", STR(""));
    str tool = json_get_text(waiting, "tool", STR(""));
    snprintf(id, STORE_ID, "%.*s", STR_ARG(approval));
    struct err e;
    return arena_text(&t->world->arena, tool, &e);
}

static void answer_and_wait(struct world *w, struct told *t, const char *id,
                            enum approval_choice choice) {
    struct err e;
    CHECK_OK(approval_answer(w->store, w->audit, str_of(id), choice,
                             STR("test"), &e),
             &e);
    t->done = false;
    t->waiter.data = t;
    CHECK_OK(runs_wait(w->runs, str_of(t->id), &t->waiter, &e), &e);
    /* Told at once of a question that had not been looked at yet. */
    while (t->done && t->state == RUN_WAITING) {
        char now[STORE_ID];
        question(t, now);
        if (strcmp(now, id) != 0) break;
        t->done = false;
        CHECK_OK(loop_step(w->loop, -1, &e), &e);
        CHECK_OK(runs_wait(w->runs, str_of(t->id), &t->waiter, &e), &e);
    }
    wait_for(w, t);
}

static const char two_writes[] = "note.write(text='a')\n"
                                 "note.write(text='b')\n"
                                 "'went on'";

TEST(a_run_asks_for_a_tool_outside_of_its_set_and_goes_on) {
    struct world w;
    struct told t;
    char text[1000], id[STORE_ID];
    test_folder();
    open_world(&w, MAY_ASK);
    submit_as(&w, &t, two_writes, "few");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_WAITING);
    CHECK_STR(str_of(question(&t, id)), "sandbox__tool");
    /* The tool itself is still asked about, by its own rule, each time. */
    for (int i = 0; i < 2; i++) {
        answer_and_wait(&w, &t, id, APPROVE_ONCE);
        CHECK_EQ(t.state, RUN_WAITING);
        CHECK_STR(str_of(question(&t, id)), "note__write");
        CHECK_EQ(notebook(text), i);
    }
    answer_and_wait(&w, &t, id, APPROVE_ONCE);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_STR(value_text(&t), "went on");
    CHECK_EQ(notebook(text), 2);
    close_world(&w);
}

TEST(a_tool_that_a_run_was_given_stays_given_in_the_next_process) {
    struct world w;
    struct told t;
    struct err e;
    char text[1000], id[STORE_ID], run_id[STORE_ID];
    test_folder();
    open_world(&w, MAY_ASK);
    submit_as(&w, &t, two_writes, "few");
    wait_for(&w, &t);
    question(&t, id);
    answer_and_wait(&w, &t, id, APPROVE_ONCE);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(t.state, RUN_WAITING);
        CHECK_STR(str_of(question(&t, id)), "note__write");
        memcpy(run_id, t.id, sizeof run_id);
        close_world(&w);
        open_world(&w, MAY_ASK);
        CHECK_EQ(runs_recover(w.runs, &e), 1);
        t = (struct told){.waiter = {.done = on_done, .data = &t}, .world = &w};
        memcpy(t.id, run_id, sizeof run_id);
        answer_and_wait(&w, &t, id, APPROVE_ONCE);
    }
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(notebook(text), 2);
    close_world(&w);
}

TEST(no_to_a_tool_raises_in_the_program) {
    struct world w;
    struct told t;
    char text[1000], id[STORE_ID];
    test_folder();
    open_world(&w, MAY_ASK);
    submit_as(&w, &t,
              "try:\n    note.write(text='x')\n"
              "except PermissionError as e:\n    out = str(e)\nout",
              "few");
    wait_for(&w, &t);
    CHECK_STR(str_of(question(&t, id)), "sandbox__tool");
    answer_and_wait(&w, &t, id, APPROVE_NOT);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK(str_find(value_text(&t), STR("a person said no")) >= 0);
    CHECK_EQ(notebook(text), 0);
    close_world(&w);
}

#define DENY "deny N1 tool sandbox.tool\n" ALLOW

TEST(without_a_rule_a_tool_outside_of_the_set_does_not_exist) {
    static const char *const policies[] = {ALLOW, "preset balanced\n",
                                           "preset strict\n", "shadow\n", DENY};
    test_folder();
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        struct world w;
        struct told t;
        char text[1000];
        open_world(&w, policies[i]);
        submit_as(&w, &t, "note.write(text='x')", "few");
        wait_for(&w, &t);
        CHECK_EQ(t.state, RUN_FAILED); /* told by the check already */
        submit_as(&w, &t,
                  "try:\n    tools.call('note__write', {'text': 'x'})\n"
                  "except NameError as e:\n    out = str(e)\nout",
                  "few");
        wait_for(&w, &t);
        CHECK_EQ(t.state, RUN_DONE);
        CHECK(str_find(value_text(&t), STR("there is no tool")) >= 0);
        CHECK_EQ(notebook(text), 0);
        close_world(&w);
    }
}

TEST(a_rule_may_give_one_tool_and_no_other) {
    struct world w;
    struct told t;
    char text[1000];
    test_folder();
    open_world(&w, "allow N1 tool sandbox.tool and arg tool in "
                   "\"note__write\"\n" ALLOW);
    submit_as(&w, &t, "note.write(text='x')\nnote.read(n=1)", "few");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_DONE);
    CHECK_EQ(notebook(text), 1);
    submit_as(&w, &t, "note.fail()", "few");
    wait_for(&w, &t);
    CHECK_EQ(t.state, RUN_FAILED);
    close_world(&w);
}
