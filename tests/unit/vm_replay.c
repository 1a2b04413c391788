/* SPDX-License-Identifier: MIT
 *
 * A recorded run, run again from its journal alone. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cordon.h"
#include "vm/engine.h"

struct told {
    char text[4096]; /* of all calls */
    struct cordon_usage usage;
    char output[4096], result[1024];
    enum cordon_status end;
};

static cordon_options *options(enum cordon_labels labels,
                               const struct cordon_limits *limits) {
    cordon_options *o = cordon_options_new();
    CHECK(o);
    CHECK_EQ(cordon_options_function(o, "ask", 0), 0);
    CHECK_EQ(cordon_options_function(o, "read", CORDON_READ_ONLY), 0);
    cordon_options_labels(o, labels);
    if (limits) cordon_options_limits(o, limits);
    cordon_options_record(o, 1);
    return o;
}

static cordon_label_id label(void *user, const struct cordon_place *p) {
    struct cordon_label l = {
        .integrity = 3, .norigins = 1, .origin = {(uint32_t)p->depth + 1}};
    return (cordon_label_id)cordon_label_number(user, &l);
}

/* The host: asks are answered by counting, reads stay pending until waited
 * for. calls < 0: nobody is there. */
static enum cordon_status host(cordon_session *s, enum cordon_status st,
                               bool labels, struct told *t, int *calls) {
    while (*calls != 0) {
        if (st == CORDON_CALL) {
            --*calls;
            size_t n = strlen(t->text);
            snprintf(t->text + n, sizeof t->text - n, "%s%s;",
                     cordon_call_name(s), cordon_call_args_json(s));
            bool ask = !strcmp(cordon_call_name(s), "ask");
            char json[64];
            snprintf(json, sizeof json, "{\"n\": %d}", rand() % 1000);
            if (!ask)
                st = cordon_resume_pending(s);
            else if (rand() % 3 == 0)
                st = cordon_resume_error(s, "ValueError", json);
            else if (labels)
                st = cordon_resume_labelled(s, json, strlen(json), label, s);
            else
                st = cordon_resume_json(s, json, strlen(json));
        } else if (st == CORDON_WAIT) {
            uint64_t ids[8];
            size_t n = cordon_waiting(s, ids, 8);
            CHECK(n > 0 && n <= 8);
            CHECK_EQ(cordon_resolve_json(s, ids[(size_t)rand() % n], "[7]", 3),
                     0);
            st = cordon_continue(s);
        } else {
            break;
        }
    }
    return st;
}

static void outcome(cordon_session *s, enum cordon_status st, struct told *t) {
    const char *json = st == CORDON_DONE ? cordon_result_json(s) : "";
    t->end = st;
    snprintf(t->output, sizeof t->output, "%s", cordon_output(s, NULL));
    snprintf(t->result, sizeof t->result, "%s", json ? json : "?");
    cordon_usage(s, &t->usage);
}

static const char program[] =
    "import time, random\n"
    "out = []\n"
    "for i in range(6):\n"
    "    try:\n"
    "        out.append(ask(i, random.random())['n'])\n"
    "    except ValueError as e:\n"
    "        out.append(str(e))\n"
    "a, b = read(1), read(2)\n"
    "print(a[0] + b[0], time.time_ns(), random.randint(1, 10**9))\n"
    "print(hash('x'), {'q', 'w', 'e'}, id(out) > 0)\n"
    "out.append(ask(time.monotonic()))\n"
    "out\n";

/* Records a run, cut after `calls` calls (-1: never), and replays it. */
static void again(enum cordon_labels labels, const char *code, int calls,
                  const struct cordon_limits *limits) {
    struct told first = {0}, second = {0};
    cordon_options *o = options(labels, limits);
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    int left = calls;
    enum cordon_status st = host(s, cordon_run(s, code), labels, &first, &left);
    outcome(s, st, &first);
    size_t len;
    const void *journal = cordon_journal(s, &len);
    CHECK(journal && len > 0);
    CHECK_EQ(cordon_options_replay(o, journal, len), 0);
    cordon_session *r = cordon_session_new(o, NULL);
    CHECK(r);
    CHECK_EQ(cordon_replaying(r), 1);
    st = cordon_run(r, code);
    CHECK_EQ(cordon_replaying(r), 0);
    outcome(r, st, &second);
    if (st == CORDON_FAILED) test_note("%s", cordon_error(r));
    CHECK_EQ(second.end, first.end);
    CHECK_TEXT(second.output, first.output);
    CHECK_TEXT(second.result, first.result);
    CHECK_EQ(second.usage.steps, first.usage.steps);
    CHECK_EQ(second.usage.calls, first.usage.calls);
    size_t len2;
    const void *journal2 = cordon_journal(r, &len2);
    CHECK(len2 == len && memcmp(journal, journal2, len) == 0);
    if (labels) {
        CHECK_EQ(cordon_result_label(r), cordon_result_label(s));
        CHECK_EQ(cordon_output_label(r), cordon_output_label(s));
    }
    cordon_session_free(s);
    cordon_session_free(r);
    cordon_options_free(o);
}

TEST(a_replayed_run_is_the_same_run) {
    srand(3);
    for (int i = 0; i < 10; i++)
        again(i % 2 ? CORDON_LABELS_ON : CORDON_LABELS_OFF, program, -1, NULL);
    engine_fini();
}

TEST(a_run_that_was_cut_goes_on_alive) {
    srand(4);
    for (int calls = 1; calls < 8; calls++)
        again(CORDON_LABELS_OFF, program, calls, NULL);
    cordon_options *o = options(CORDON_LABELS_OFF, NULL);
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_run(s, "ask(1) + ask(2)"), CORDON_CALL);
    CHECK_EQ(cordon_resume_json(s, "3", 1), CORDON_CALL);
    size_t len;
    const void *journal = cordon_journal(s, &len);
    CHECK_EQ(cordon_options_replay(o, journal, len), 0);
    cordon_session_free(s);
    s = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_run(s, "ask(1) + ask(2)"), CORDON_CALL);
    CHECK_EQ(cordon_call_id(s), 2);
    CHECK_EQ(cordon_resume_json(s, "4", 1), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "7");
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

TEST(limits_strike_at_the_same_step) {
    struct cordon_limits quick = {.time_ms = 30}, few = {.steps = 123456};
    static const char spin[] = "import time\nn = 0\nt = time.time()\n"
                               "while True:\n    n += len(str(n))\n"
                               "    if n % 1000 == 0: print(n)\n";
    static const char clocks[] = "import time\nn = 0\nwhile True:\n"
                                 "    n += 1\n    time.time_ns()\n";
    for (int i = 0; i < 3; i++) {
        again(CORDON_LABELS_OFF, spin, -1, &quick);
        again(CORDON_LABELS_ON, spin, -1, &quick);
        again(CORDON_LABELS_OFF, clocks, -1, &quick);
    }
    again(CORDON_LABELS_OFF, spin, -1, &few);
    engine_fini();
}

/* The first of two has a range that was used before, the second a new one. */
TEST(memory_runs_out_at_the_same_step) {
    static const char fill[] = "x = []\nwhile True: x.append([1, 2, 3])";
    for (uint64_t more = 0; more < 256; more += 16) {
        struct cordon_limits small = {.memory = (2 << 20) + more};
        cordon_options *o = options(CORDON_LABELS_OFF, &small);
        cordon_session *s = cordon_session_new(o, NULL);
        CHECK_EQ(cordon_run(s, fill), CORDON_RAISED);
        cordon_session_free(s);
        cordon_options_free(o);
        again(CORDON_LABELS_OFF, fill, -1, &small);
        engine_fini();
    }
}

TEST(a_cancelled_run_is_cancelled_again) {
    cordon_options *o = options(CORDON_LABELS_OFF, NULL);
    cordon_session *s = cordon_session_new(o, NULL);
    struct cordon_usage a, b;
    CHECK_EQ(cordon_run(s, "n = ask(1)\nwhile True: n += 1"), CORDON_CALL);
    cordon_cancel(s);
    CHECK_EQ(cordon_resume_json(s, "0", 1), CORDON_LIMIT);
    cordon_usage(s, &a);
    size_t len;
    const void *journal = cordon_journal(s, &len);
    CHECK_EQ(cordon_options_replay(o, journal, len), 0);
    cordon_session *r = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_run(r, "n = ask(1)\nwhile True: n += 1"), CORDON_LIMIT);
    cordon_usage(r, &b);
    CHECK_EQ(a.steps, b.steps);
    CHECK_TEXT(cordon_error(r), cordon_error(s));
    cordon_session_free(s);
    cordon_session_free(r);
    cordon_options_free(o);
    engine_fini();
}

TEST(another_program_or_call_is_refused) {
    cordon_options *o = options(CORDON_LABELS_OFF, NULL);
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_set_json(s, "x", "1", 1), 0);
    CHECK_EQ(cordon_run(s, "ask(x)"), CORDON_CALL);
    CHECK_EQ(cordon_resume_json(s, "0", 1), CORDON_DONE);
    size_t len;
    const void *journal = cordon_journal(s, &len);
    CHECK_EQ(cordon_options_replay(o, journal, len), 0);
    cordon_session_free(s);
    s = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_set_json(s, "x", "2", 1), -1);
    cordon_session_free(s);
    s = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_run(s, "ask(x)"), CORDON_FAILED);
    CHECK(strstr(cordon_error(s), "not the recorded one"));
    cordon_session_free(s);
    s = cordon_session_new(o, NULL);
    CHECK_EQ(cordon_set_json(s, "x", "1", 1), 0);
    CHECK_EQ(cordon_run(s, "ask(x) + 1"), CORDON_FAILED);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

TEST(damaged_journals_are_refused_or_run_on) {
    cordon_options *o = options(CORDON_LABELS_ON, NULL);
    cordon_session *s = cordon_session_new(o, NULL);
    struct told t = {0};
    int left = -1;
    srand(5);
    host(s, cordon_run(s, program), true, &t, &left);
    size_t len;
    const void *journal = cordon_journal(s, &len);
    char *bytes = malloc(len);
    CHECK(bytes);
    for (unsigned i = 0; i < 200; i++) {
        memcpy(bytes, journal, len);
        bytes[(size_t)rand() % len] ^= (char)(1 << rand() % 8);
        CHECK_EQ(cordon_options_replay(o, bytes, len - (size_t)rand() % 20), 0);
        cordon_session *r = cordon_session_new(o, NULL);
        enum cordon_status st = cordon_run(r, program);
        CHECK(st <= CORDON_WAIT);
        cordon_session_free(r);
    }
    free(bytes);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}
