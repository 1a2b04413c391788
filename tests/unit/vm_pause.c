/* SPDX-License-Identifier: MIT
 *
 * A run that is stopped in the middle of its work, as often as it looks up:
 * saved and restored each time, it does what it would have done, in as many
 * steps. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "cordon.h"
#include "vm/engine.h"

static const uint8_t key[32] = "a key of the tests and no other";

struct told {
    char output[8192], result[1024], error[512];
    enum cordon_status end;
    struct cordon_usage usage;
};

static cordon_options *options(enum cordon_labels labels,
                               const struct cordon_limits *limits) {
    cordon_options *o = cordon_options_new();
    CHECK(o);
    CHECK_EQ(cordon_options_function(o, "ask", 0), 0);
    CHECK_EQ(cordon_options_function(o, "read", CORDON_READ_ONLY), 0);
    cordon_options_labels(o, labels);
    if (limits) cordon_options_limits(o, limits);
    return o;
}

static void outcome(cordon_session *s, enum cordon_status st, struct told *t) {
    const char *json = st == CORDON_DONE ? cordon_result_json(s) : "";
    t->end = st;
    cordon_usage(s, &t->usage);
    snprintf(t->output, sizeof t->output, "%s", cordon_output(s, NULL));
    snprintf(t->error, sizeof t->error, "%s",
             st == CORDON_DONE ? "" : cordon_traceback(s));
    snprintf(t->result, sizeof t->result, "%s", json ? json : "?");
}

/* Answers reads later, oldest first, and other calls at once. */
static enum cordon_status answer(cordon_session *s, enum cordon_status st) {
    uint64_t ids[8];
    if (st == CORDON_CALL)
        return strcmp(cordon_call_name(s), "read") == 0
                   ? cordon_resume_pending(s)
                   : cordon_resume_json(s, "[3, 4]", 6);
    CHECK(cordon_waiting(s, ids, 8) > 0);
    CHECK_EQ(cordon_resolve_json(s, ids[0], "7", 1), 0);
    return cordon_continue(s);
}

static void run(const cordon_options *o, const char *code, struct told *t) {
    cordon_session *s = cordon_session_new(o, NULL);
    enum cordon_status st = cordon_run(s, code);
    while (st == CORDON_CALL || st == CORDON_WAIT)
        st = answer(s, st);
    CHECK(st != CORDON_PAUSED);
    outcome(s, st, t);
    cordon_session_free(s);
}

static cordon_session *reborn(const cordon_options *o, cordon_session *s) {
    size_t n;
    const char *why = "";
    void *bytes = cordon_snapshot(s, key, &n);
    CHECK(bytes);
    cordon_session_free(s);
    s = cordon_restore(o, bytes, n, key, &why);
    if (!s) printf("# %s\n", why);
    CHECK(s);
    cordon_free(bytes);
    return s;
}

/* How often it was stopped. */
static int run_paused(const cordon_options *o, const char *code,
                      struct told *t) {
    cordon_session *s = cordon_session_new(o, NULL);
    int pauses = 0;
    cordon_pause(s);
    enum cordon_status st = cordon_run(s, code);
    while (st == CORDON_CALL || st == CORDON_WAIT || st == CORDON_PAUSED) {
        if (st == CORDON_PAUSED) {
            CHECK_EQ(cordon_call_name(s) != NULL, 0);
            /* One that was restored looks up at its first step. */
            if (pauses < 20 || pauses % 8 == 0) s = reborn(o, s);
            pauses++;
        }
        cordon_pause(s);
        st = st == CORDON_PAUSED ? cordon_continue(s) : answer(s, st);
    }
    outcome(s, st, t);
    cordon_session_free(s);
    return pauses;
}

static const char *const programs[] = {
    /* a loop of the program itself */
    "n = 0\n"
    "for i in range(100000):\n"
    "    n = (n * 31 + i) % 1000003\n"
    "print(n)\n"
    "n",
    /* generators, classes, exceptions, closures */
    "class P:\n"
    "    def __init__(self, n): self.n = n\n"
    "    def __lt__(self, o): return self.n < o.n\n"
    "def squares():\n"
    "    for i in range(4000):\n"
    "        try:\n"
    "            if i % 7 == 3: raise ValueError(i)\n"
    "            yield i * i\n"
    "        except ValueError as e:\n"
    "            yield -e.args[0]\n"
    "ps = sorted((P(x % 1009) for x in squares()), reverse=True)\n"
    "print(ps[0].n, ps[-1].n, len(ps))\n"
    "sum(map(lambda p: p.n, ps))",
    /* long work in C, and calls in between */
    "import re, json\n"
    "text = 'ab12 ' * 1000\n"
    "found = 0\n"
    "for i in range(20):\n"
    "    found += len(re.findall(r'\\d+', text)) + len(json.dumps([text]))\n"
    "    if i % 10 == 0: found += sum(ask(i))\n"
    "found",
    /* values that are pending while it works */
    "a = [read(i) for i in range(4)]\n"
    "n = 0\n"
    "while n < 60000: n += 1\n"
    "b = sum(a)\n"
    "while n < 200000: n += b\n"
    "print(b)\n"
    "n",
    /* it ends badly */
    "class Odd(Exception):\n"
    "    def __str__(self):\n"
    "        n = 0\n"
    "        for i in range(100000): n += i\n"
    "        return 'odd %d' % n\n"
    "for i in range(100000): pass\n"
    "raise Odd()",
};

static void compare(enum cordon_labels labels,
                    const struct cordon_limits *limits, const char *code) {
    struct told a, b;
    cordon_options *o = options(labels, limits);
    run(o, code, &a);
    int pauses = run_paused(o, code, &b);
    cordon_options_free(o);
    CHECK(pauses > 3);
    CHECK_EQ(a.end, b.end);
    CHECK_TEXT(b.output, a.output);
    CHECK_TEXT(b.result, a.result);
    CHECK_TEXT(b.error, a.error);
    CHECK_EQ(b.usage.steps, a.usage.steps);
    CHECK_EQ(b.usage.calls, a.usage.calls);
}

TEST(a_run_that_is_stopped_all_the_time_does_the_same_in_as_many_steps) {
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        compare(CORDON_LABELS_OFF, NULL, programs[i]);
        compare(CORDON_LABELS_ON, NULL, programs[i]);
    }
    engine_fini();
}

TEST(what_was_spent_before_a_pause_stays_spent) {
    struct cordon_limits limits = {.steps = 90000};
    compare(CORDON_LABELS_OFF, &limits, programs[0]);
    compare(CORDON_LABELS_ON, &limits, programs[0]);
    engine_fini();
}

/* The journal knows nothing of pauses: a replay may be stopped as well. */
TEST(a_replay_may_be_paused) {
    struct told a, b;
    size_t n;
    cordon_options *o = options(CORDON_LABELS_OFF, NULL);
    cordon_options_record(o, 1);
    cordon_session *s = cordon_session_new(o, NULL);
    enum cordon_status st = cordon_run(s, programs[2]);
    while (st == CORDON_CALL)
        st = answer(s, st);
    outcome(s, st, &a);
    const void *journal = cordon_journal(s, &n);
    CHECK_EQ(cordon_options_replay(o, journal, n), 0);
    cordon_session_free(s);
    s = cordon_session_new(o, NULL);
    int pauses = 0;
    cordon_pause(s);
    st = cordon_run(s, programs[2]);
    for (; st == CORDON_PAUSED; pauses++) {
        cordon_pause(s);
        st = cordon_continue(s);
    }
    outcome(s, st, &b);
    CHECK(pauses > 3);
    CHECK_EQ(b.end, CORDON_DONE);
    CHECK_TEXT(b.result, a.result);
    CHECK_EQ(b.usage.steps, a.usage.steps);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}

TEST(a_paused_session_takes_no_answer) {
    cordon_options *o = options(CORDON_LABELS_OFF, NULL);
    cordon_session *s = cordon_session_new(o, NULL);
    cordon_pause(s);
    CHECK_EQ(cordon_run(s, programs[0]), CORDON_PAUSED);
    CHECK_EQ(cordon_resume_json(s, "1", 1), CORDON_FAILED);
    CHECK_EQ(cordon_resume_pending(s), CORDON_FAILED);
    CHECK_EQ(cordon_continue(s), CORDON_DONE);
    CHECK_EQ(cordon_continue(s), CORDON_FAILED);
    cordon_session_free(s);
    cordon_options_free(o);
    engine_fini();
}
