/* SPDX-License-Identifier: MIT
 *
 * Memory runs out at every allocation of a call, of a run with two calls and of
 * its recovery: nothing crashes or leaks, whoever waits is told something
 * clear, and no write is lost or made twice. What lies in other processes (the
 * workers) has its own tests. */
#include <errno.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "runs_world.h"

#define ROUNDS_MAX 20000

/* Steps until *done, with memory back some turns after the failure has struck;
 * whether it has. */
static bool step_until(struct world *w, const bool *done) {
    struct err e;
    int since = 0;
    for (int i = 0; i < 2500 && !*done; i++) {
        (void)loop_step(w->loop, 2000000, &e);
        if (since == 0 && mem_failed()) since = 1;
        if (since && since++ == 3) mem_fail_after(0);
    }
    bool struck = since || mem_failed() || w->struck;
    w->struck = false;
    mem_fail_after(0);
    return struck;
}

/* No worker is left, whatever failed while it was made or had. */
static void check_childless(void) {
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

/* How often the text stands in the notebook. */
static int written(const char *text) {
    static char all[1 << 20];
    int fd = open("notebook", O_RDONLY), n = 0;
    ssize_t got = fd < 0 ? 0 : read(fd, all, sizeof all - 1);
    if (fd >= 0) close(fd);
    all[got < 0 ? 0 : got] = 0;
    for (char *p = all; (p = strstr(p, text)); p++)
        n++;
    return n;
}

/* -- a call -------------------------------------------------------------------
 */

struct call_told {
    bool done;
    int times;
    enum call_status status;
    char code[40], message[200];
};

static void on_call_done(void *data, const struct call_outcome *o) {
    struct call_told *t = data;
    t->done = true;
    t->times++;
    t->status = o->status;
    snprintf(t->code, sizeof t->code, "%.*s",
             STR_ARG(json_get_text(o->error, "code", STR(""))));
    snprintf(t->message, sizeof t->message, "%.*s",
             STR_ARG(json_get_text(o->error, "message", STR(""))));
}

static bool call_write(struct world *w, const char *text, size_t round,
                       struct call_told *t) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    char json[100];
    const struct json *args;
    struct err e;
    snprintf(json, sizeof json, "{\"text\":\"%s\"}", text);
    CHECK_OK(json_parse(str_of(json), NULL, &a, &args, &e), &e);
    struct call_request q = {.name = STR("note__write"),
                             .args = args,
                             .who = {.kind = "test",
                                     .principal = STR("me"),
                                     .session = STR("s"),
                                     .number = round},
                             .done = on_call_done,
                             .data = t};
    *t = (struct call_told){0};
    mem_fail_after(round);
    (void)boundary_call(w->boundary, &q);
    return step_until(w, &t->done);
}

TEST(a_call_ends_once_whichever_allocation_fails) {
    struct world w;
    struct call_told t;
    size_t round = 0, failed = 0;
    bool struck;
    test_folder();
    open_world(&w, ALLOW);
    do {
        char text[20];
        snprintf(text, sizeof text, "<%zu>", ++round);
        struck = call_write(&w, text, round, &t);
        CHECK(t.done);
        CHECK_EQ(t.times, 1);
        int n = written(text);
        CHECK(n <= 1);
        if (t.status == CALL_DONE) CHECK_EQ(n, 1);
        if (t.status == CALL_FAILED) CHECK(t.code[0] && t.message[0]);
        failed += t.status == CALL_FAILED;
        CHECK(struck || t.status == CALL_DONE);
        CHECK(round < ROUNDS_MAX);
    } while (struck);
    test_note("%zu allocations, %zu of them ended the call", round, failed);
    CHECK(failed > 5);
    close_world(&w);
}

/* -- a run --------------------------------------------------------------------
 */

/* Whether memory failed. */
static bool run_round(struct world *w, size_t round, bool *good) {
    char text[20], program[200];
    struct told t = {.waiter = {.done = on_done, .data = &t}, .world = w};
    struct err e;
    snprintf(text, sizeof text, "<%zu>", round);
    snprintf(program, sizeof program,
             "n = note.read(n=3)['n']\nnote.write(text='%s')\nn", text);
    struct run_request q = {.program = str_of(program),
                            .principal = STR("me"),
                            .waiter = &t.waiter};
    mem_fail_after(round);
    if (runs_submit(w->runs, &q, t.id, &e)) {
        if (!mem_failed()) test_note("round %zu: %s", round, e.text);
        CHECK(mem_failed() && e.text[0]);
        mem_fail_after(0);
        return true;
    }
    bool struck = step_until(w, &t.done);
    if (!t.done) test_note("round %zu hangs", round);
    CHECK(t.done);
    int n = written(text);
    CHECK(n <= 1);
    *good = t.state == RUN_DONE;
    if (!struck) CHECK(*good);
    const struct json *error = json_get(t.outcome, "error");
    if (!*good) CHECK(json_get_text(error, "message", STR("")).n > 0);
    if (*good) CHECK_EQ(n, 1);
    return struck;
}

TEST(a_run_ends_whichever_allocation_fails_and_writes_once) {
    struct world w;
    size_t round = 0, failed = 0;
    bool struck = true, good = false;
    test_folder();
    open_world(&w, ALLOW);
    while (struck || !good) {
        good = false;
        struck = run_round(&w, round += round < 40 ? 1 : 3, &good);
        failed += !good;
        CHECK(round < ROUNDS_MAX);
    }
    test_note("%zu allocations, %zu rounds failed", round, failed);
    CHECK(failed > 5);
    close_world(&w);
    check_childless();
}

/* -- recovery -----------------------------------------------------------------
 */

static void leave_run(void) {
    pid_t child = fork();
    if (child == 0) {
        struct world w;
        struct told t;
        open_world(&w, ALLOW);
        submit(&w, &t,
               "note.write(text='<a>')\nx = note.read(n=1)['n']\n"
               "note.write(text='!')\n",
               NULL);
        wait_for(&w, &t);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

static int has_ended(void *data, const struct store_run *r, struct err *e) {
    (void)e;
    *(bool *)data &= run_state_ended(r->state) || r->state == RUN_WAITING;
    return 0;
}

static bool all_settled(struct world *w) {
    bool settled = true;
    struct store_filter f = {.max = 10};
    struct err e;
    CHECK_EQ(store_runs(w->store, &f, has_ended, &settled, &e), 0);
    return settled;
}

/* Recovered with memory that fails, then once more without: it stands where a
 * person must say whether the write that was cut off may be made again. */
TEST(a_recovery_that_runs_out_of_memory_is_done_by_the_next) {
    test_folder();
    leave_run();
    for (size_t round = 1, more = 1; more; round += 5) {
        struct world w;
        struct err e;
        size_t active, waiting;
        open_world(&w, ALLOW);
        mem_fail_after(round);
        int found = runs_recover(w.runs, &e);
        for (int i = 0; i < 20; i++)
            (void)loop_step(w.loop, 1000000, &e);
        more = mem_failed();
        mem_fail_after(0);
        if (found < 0) CHECK(e.text[0]);
        while (runs_recover(w.runs, &e) > 0)
            ;
        do {
            CHECK_OK(loop_step(w.loop, 5000000, &e), &e);
            runs_count(w.runs, &active, &waiting);
        } while (active);
        CHECK(all_settled(&w));
        CHECK_EQ(written("<a>"), 1);
        CHECK_EQ(written("!"), 0);
        CHECK(round < ROUNDS_MAX);
        close_world(&w);
        if (waiting == 0) break; /* it ended, told why */
    }
}
