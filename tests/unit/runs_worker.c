/* SPDX-License-Identifier: MIT */
#include "runs/worker.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "lang/check.h"
#include "policy/label.h"
#include "runs/frame.h"
#include "test.h"
#include "vm/engine.h"

static const uint8_t key[32] = {9};

static struct worker *start(const struct worker_options *given) {
    static const struct worker_function functions[] = {
        {"ask", CORDON_READ_ONLY}, {"mail.send", 0}};
    struct worker_options o = given ? *given : (struct worker_options){0};
    struct worker *w = NULL;
    struct err e = {0};
    o.functions = functions;
    o.nfunctions = 2;
    o.sealing = &worker_sealing;
    o.key = key;
    int bad = worker_start(&o, &w, &e);
    if (bad) test_note("%s", e.text);
    CHECK_EQ(bad, 0);
    return w;
}

static void done(struct worker *w) {
    worker_free(w);
    engine_fini();
}

/* The next event but printed text. */
static struct worker_event next(struct worker *w) {
    struct worker_event ev;
    struct err e = {0};
    do {
        int n = worker_next(w, 60000, &ev, &e);
        if (n != 1) test_note("%s", e.text);
        CHECK_EQ(n, 1);
    } while (ev.kind == WORKER_OUTPUT);
    return ev;
}

static struct worker_event run(struct worker *w, const char *code) {
    struct err e;
    CHECK_EQ(worker_run(w, str_of(code), NULL, &e), 0);
    return next(w);
}

#define CHECK_SAYS(s, want) CHECK(str_is(s, want))

TEST(a_worker_runs_programs_of_one_session) {
    struct worker *w = start(NULL);
    struct worker_event ev = run(w, "x = 20\nx + 1");
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK_SAYS(ev.text, "21");
    CHECK(ev.usage.steps > 0);
    ev = run(w, "x * 2");
    CHECK_SAYS(ev.text, "40");
    ev = run(w, "1/0");
    CHECK_EQ(ev.kind, WORKER_RAISED);
    CHECK_SAYS(ev.error, "ZeroDivisionError: division by zero");
    CHECK(strstr(ev.traceback.p, "Traceback"));
    ev = run(w, "import sys\nsys.exit(3)");
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK_EQ(ev.exit_status, 3);
    ev = run(w, "import random, time\nrandom.random() < 1 < time.time()");
    CHECK_SAYS(ev.text, "true");
    done(w);
}

TEST(a_result_that_nobody_asks_for_is_not_told) {
    struct worker *w = start(&(struct worker_options){.no_result = true});
    struct worker_event ev = run(w, "x = 20\nx + 1");
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK(!ev.text.p);
    CHECK_EQ(ev.error.n, 0);
    ev = run(w, "object()");
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK_EQ(ev.error.n, 0);
    ev = run(w, "1/0");
    CHECK_SAYS(ev.error, "ZeroDivisionError: division by zero");
    done(w);
}

TEST(printed_text_comes_before_the_end) {
    struct worker *w = start(NULL);
    struct worker_event ev;
    struct err e;
    size_t n = 0;
    CHECK_EQ(
        worker_run(w, STR("for i in range(9000): print('line', i)"), NULL, &e),
        0);
    while (worker_next(w, 60000, &ev, &e) == 1 && ev.kind == WORKER_OUTPUT)
        n += ev.text.n;
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK_EQ(n, ev.usage.output);
    done(w);
}

TEST(calls_are_answered) {
    struct worker *w = start(NULL);
    struct err e;
    struct worker_event ev = run(w, "mail.send('a', body=[1])['ok'] + 1");
    CHECK_EQ(ev.kind, WORKER_CALL);
    CHECK_SAYS(ev.name, "mail.send");
    CHECK_SAYS(ev.args, "{\"args\": [\"a\"], \"kwargs\": {\"body\": [1]}}");
    CHECK_EQ(worker_later(w, &e), 0);
    CHECK_EQ(next(w).kind, WORKER_FAILED);
    CHECK_EQ(worker_answer(w, STR("{\"ok\": 1}"), NULL, &e), 0);
    ev = next(w);
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK_SAYS(ev.text, "2");
    ev = run(w, "try:\n  ask()\nexcept ValueError as e: r = str(e)\nr");
    CHECK_EQ(worker_answer_error(w, STR("ValueError"), STR("no"), &e), 0);
    ev = next(w);
    CHECK_SAYS(ev.text, "\"no\"");
    done(w);
}

TEST(reads_overlap) {
    struct worker *w = start(NULL);
    struct err e;
    struct worker_event ev = run(w, "a, b = ask(1), ask(2)\na + b");
    CHECK_EQ(ev.kind, WORKER_CALL);
    uint64_t first = ev.id;
    CHECK_EQ(worker_later(w, &e), 0);
    ev = next(w);
    CHECK_EQ(ev.kind, WORKER_CALL);
    uint64_t second = ev.id;
    CHECK_EQ(worker_later(w, &e), 0);
    ev = next(w);
    CHECK_EQ(ev.kind, WORKER_WAIT);
    CHECK(ev.nids == 2 && ev.ids[0] == first);
    CHECK_EQ(worker_resolve(w, second, STR("5"), NULL, &e), 0);
    CHECK_EQ(worker_resolve(w, second, STR("6"), NULL, &e), 0); /* left alone */
    CHECK_EQ(worker_resolve(w, first, STR("4"), NULL, &e), 0);
    CHECK_EQ(worker_continue(w, &e), 0);
    ev = next(w);
    CHECK_SAYS(ev.text, "9");
    done(w);
}

static const struct label *label_at_path(const struct labels *l,
                                         const char *path) {
    for (size_t i = 0; i < l->count; i++)
        if (str_is(l->items[i].path, path)) return &l->items[i].label;
    test_note("no label at %s", path);
    return label_unknown();
}

TEST(labels_cross_the_socket) {
    struct worker_options o = {.labels = CORDON_LABELS_ON};
    struct worker *w = start(&o);
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct err e;
    str bob = STR("bob");
    struct origin from = {STR("mail"), STR("mail__get"), STR("/t"), 7};
    struct label low = {0}, high = {.integrity = INTEGRITY_UNTRUSTED,
                                    .secrecy = SECRECY_READERS,
                                    .readers = &bob,
                                    .reader_count = 1,
                                    .origins = &from,
                                    .origin_count = 1};
    struct labelled items[] = {{STR(""), low}, {STR("/items/~*/t"), high}};
    struct labels labels = {.items = items, .count = 2};
    CHECK_EQ(worker_turn(w, &low, label_unknown(), &e), 0);
    CHECK_EQ(worker_set(w, "r",
                        STR("{\"items\": [{\"id\": \"x\", \"t\": \"y\"}], "
                            "\"n\": 4}"),
                        &labels, &e),
             0);
    struct worker_event ev =
        run(w, "i = r['items'][0]\nmail.send(i['id'], t=i['t'], n=len(r))");
    CHECK_EQ(ev.kind, WORKER_CALL);
    const struct labels *got;
    CHECK_EQ(worker_read_labels(ev.labels, &a, &got, &e), 0);
    CHECK_EQ(label_at_path(got, "/args/0")->integrity, 0);
    const struct label *t = label_at_path(got, "/kwargs/t");
    CHECK_EQ(t->integrity, INTEGRITY_UNTRUSTED);
    CHECK(t->reader_count == 1 && str_is(t->readers[0], "bob"));
    CHECK(t->origin_count == 1 && t->origins[0].call == 7 &&
          str_is(t->origins[0].field, "/t"));
    CHECK_EQ(worker_answer(w, STR("null"), NULL, &e), 0);
    CHECK_EQ(next(w).kind, WORKER_DONE);
    struct worker_literal trusted = {STR("Alice"), &low};
    CHECK_EQ(worker_turn(w, &high, label_unknown(), &e), 0);
    CHECK_EQ(worker_literals(w, &trusted, 1, &e), 0);
    ev = run(w, "mail.send('Alice', 'Bob')");
    CHECK_EQ(worker_read_labels(ev.labels, &a, &got, &e), 0);
    CHECK_EQ(label_at_path(got, "/args/0")->integrity, 0);
    CHECK_EQ(label_at_path(got, "/args/1")->integrity, INTEGRITY_UNTRUSTED);
    done(w);
}

TEST(a_program_is_checked_before_it_runs) {
    struct worker_options o = {.labels = CORDON_LABELS_ON};
    struct worker *w = start(&o);
    static const struct check_param params[] = {
        {{"to", sizeof("to") - 1}, CHECK_STR, true}};
    static const struct check_function f = {{"mail", sizeof("mail") - 1},
                                            {"send", sizeof("send") - 1},
                                            params,
                                            1,
                                            false};
    struct err e;
    CHECK_EQ(run(w, "kept = 1").kind, WORKER_DONE);
    CHECK_EQ(worker_check(w, STR("mail.send(recipient=1)"), &f, 1, &e), 0);
    struct worker_event ev = next(w);
    CHECK_EQ(ev.kind, WORKER_CHECKED);
    CHECK(str_find(ev.text, STR("recipient")) > 0);
    CHECK_EQ(worker_check(w, STR("mail.send('a')[kept + 1.5]"), &f, 1, &e), 0);
    ev = next(w);
    CHECK_SAYS(ev.text, "[]");
    CHECK_EQ(ev.nliterals, 2);
    CHECK_SAYS(ev.literals[0], "a");
    CHECK_SAYS(ev.literals[1], "1.5");
    done(w);
}

TEST(what_a_program_drew_is_drawn_again) {
    struct worker_options o = {.record = true, .seed = {5, 6}};
    struct worker *w = start(&o);
    static const char code[] =
        "import time, random\n"
        "[time.time(), time.monotonic(), random.random(),"
        " random.getrandbits(64)]";
    struct err e;
    struct worker_event ev = run(w, code);
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK(ev.draws.n > 0);
    char *then = mem_dup(ev.text.p, ev.text.n, &e);
    char *draws = mem_dup(ev.draws.p, ev.draws.n, &e);
    o.draws = (str){draws, ev.draws.n};
    done(w);
    w = start(&o);
    ev = run(w, code);
    CHECK_SAYS(ev.text, then);
    mem_free(then);
    mem_free(draws);
    done(w);
}

TEST(a_session_is_saved_sealed_and_goes_on_in_another_worker) {
    struct worker *w = start(NULL);
    struct err e;
    struct worker_event ev = run(w, "x = [1, 2]\ny = ask()\nx + [y]");
    CHECK_EQ(ev.kind, WORKER_CALL);
    CHECK_EQ(worker_snapshot(w, &e), 0);
    ev = next(w);
    CHECK_EQ(ev.kind, WORKER_SNAPSHOT);
    AUTO_BUF struct buf copy = BUF_MAX(1 << 24);
    CHECK_OK(worker_seal(w, ev.text, &copy, &e), &e);
    struct worker_options o = {.snapshot = buf_str(&copy)};
    worker_free(w);
    w = start(&o);
    ev = next(w); /* as it was */
    CHECK_EQ(ev.kind, WORKER_CALL);
    CHECK_SAYS(ev.name, "ask");
    CHECK_EQ(worker_answer(w, STR("3"), NULL, &e), 0);
    ev = next(w);
    CHECK_EQ(ev.kind, WORKER_DONE);
    CHECK_SAYS(ev.text, "[1, 2, 3]");
    worker_free(w);
    copy.data[copy.len / 2] ^= 1;
    struct worker *none = NULL;
    o.sealing = &worker_sealing;
    o.key = key;
    CHECK_EQ(worker_start(&o, &none, &e), -1);
    CHECK_EQ(e.kind, ERR_DENIED);
    engine_fini();
}

TEST(limits_and_cancellation_leave_the_session_usable) {
    struct worker_options o = {.limits = {.memory = 4 << 20}};
    struct worker *w = start(&o);
    struct err e;
    struct worker_event ev = run(w, "x = 'a' * (1 << 30)");
    CHECK_EQ(ev.kind, WORKER_RAISED);
    CHECK_EQ(worker_run(w, STR("while True: pass"), NULL, &e), 0);
    CHECK_EQ(worker_next(w, 50, &ev, &e), 0);
    worker_cancel(w);
    ev = next(w);
    CHECK_EQ(ev.kind, WORKER_LIMIT);
    ev = run(w, "1 + 1");
    CHECK_SAYS(ev.text, "2");
    done(w);
}

TEST(a_worker_that_dies_is_told_of) {
    struct worker *w = start(NULL);
    struct err e;
    CHECK_EQ(worker_run(w, STR("while True: pass"), NULL, &e), 0);
    kill(worker_pid(w), SIGKILL);
    struct worker_event ev = next(w);
    CHECK_EQ(ev.kind, WORKER_GONE);
    CHECK_SAYS(ev.text, "the worker was ended by signal 9");
    CHECK_EQ(worker_run(w, STR("1"), NULL, &e), -1);
    done(w);
}

static int processors(pid_t pid) {
    cpu_set_t set;
    CHECK_EQ(sched_getaffinity(pid, sizeof set, &set), 0);
    return CPU_COUNT(&set);
}

TEST(a_worker_is_kept_near_as_long_as_it_answers_at_once) {
    struct worker *w = start(NULL);
    struct worker_event ev;
    struct err e;
    for (int i = 0; i < 5000 && processors(worker_pid(w)) > 1; i++)
        CHECK_EQ(run(w, "1 + 1").kind, WORKER_DONE);
    CHECK_EQ(processors(worker_pid(w)), 1);
    CHECK_EQ(worker_run(w, STR("while True: pass"), NULL, &e), 0);
    CHECK_EQ(worker_next(w, 20, &ev, &e), 0);
    CHECK_EQ(processors(worker_pid(w)), processors(0));
    done(w);
}

TEST(frames_are_read_only_whole) {
    AUTO_BUF struct buf b = BUF_MAX(4096);
    struct err e;
    struct frame_in in;
    size_t len;
    struct frame_out f = frame_begin(&b, FRAME_RESOLVE);
    frame_u64(&f, 77);
    frame_str(&f, STR("{}"));
    CHECK_EQ(frame_end(&f, &e), 0);
    for (size_t n = 0; n < b.len; n++)
        CHECK_EQ(frame_first(str_sub(buf_str(&b), 0, n), &in, &len, &e), 0);
    CHECK_EQ(frame_first(buf_str(&b), &in, &len, &e), 1);
    CHECK(len == b.len && in.type == FRAME_RESOLVE);
    CHECK_EQ(frame_get_u64(&in), 77);
    CHECK_SAYS(frame_get_str(&in), "{}");
    CHECK(!in.bad);
    CHECK_EQ(frame_get_u8(&in), 0);
    CHECK(in.bad);
    b.data[4] = (char)FRAME_COUNT;
    CHECK_EQ(frame_first(buf_str(&b), &in, &len, &e), -1);
    memset(b.data, 0xff, 4);
    CHECK_EQ(frame_first(buf_str(&b), &in, &len, &e), -1);
}
