/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <string.h>

#include "cordon.h"
#include "vm/engine.h"

static void done(cordon_session *s) {
    cordon_session_free(s);
    engine_fini();
}

static cordon_session *session(const struct cordon_limits *limits) {
    const char *why = "";
    cordon_options *o = cordon_options_new();
    CHECK(o);
    CHECK_EQ(cordon_options_function(o, "ask", 0), 0);
    CHECK_EQ(cordon_options_function(o, "mail.send", 0), 0);
    if (limits) cordon_options_limits(o, limits);
    cordon_session *s = cordon_session_new(o, &why);
    cordon_options_free(o);
    if (!s) test_note("%s", why);
    CHECK(s);
    return s;
}

static void result_is(cordon_session *s, const char *code, const char *want) {
    enum cordon_status status = cordon_run(s, code);
    if (status != CORDON_DONE) test_note("%s", cordon_traceback(s));
    CHECK_EQ(status, CORDON_DONE);
    const char *json = cordon_result_json(s);
    CHECK(json);
    CHECK_TEXT(json, want);
}

TEST(a_program_has_the_value_of_its_last_expression) {
    cordon_session *s = session(NULL);
    result_is(s, "1 + 1", "2");
    result_is(s, "{'a': [1, 2.5, None, True], 'b': 'é'}",
              "{\"a\": [1, 2.5, null, true], \"b\": \"é\"}");
    result_is(s, "x = 5", "null");
    done(s);
}

TEST(variables_stay_between_runs) {
    cordon_session *s = session(NULL);
    result_is(s, "def f(x): return x * k\nk = 3", "null");
    result_is(s, "f(5)", "15");
    CHECK_EQ(cordon_set_json(s, "k", "10", 2), 0);
    result_is(s, "f(5)", "50");
    CHECK_EQ(cordon_run(s, "1/0"), CORDON_RAISED);
    CHECK_HAS(cordon_traceback(s), "ZeroDivisionError: division by zero");
    result_is(s, "f(1)", "10");
    done(s);
}

TEST(functions_of_the_host_can_be_imported) {
    cordon_session *s = session(NULL);
    const char *why;
    cordon_options *o = cordon_options_new();
    result_is(s, "import mail as m\nm is mail", "true");
    result_is(s, "mail = 0\nfrom mail import send\nsend is m.send", "true");
    CHECK_EQ(cordon_run(s, "import mail.send"), CORDON_RAISED);
    CHECK_HAS(cordon_traceback(s), "'mail' is not a package");
    CHECK_EQ(cordon_run(s, "from mail import receive"), CORDON_RAISED);
    CHECK_HAS(cordon_traceback(s), "cannot import name 'receive' from 'mail'");
    cordon_session_free(s);
    /* What programs know goes before what a host names so. */
    CHECK_EQ(cordon_options_function(o, "math.pi", 0), 0);
    CHECK_EQ(cordon_options_function(o, "a.b.c", 0), 0);
    s = cordon_session_new(o, &why);
    CHECK(s);
    cordon_options_free(o);
    result_is(s, "f = math.pi\nimport math\nmath.pi > 3", "true");
    result_is(s,
              "import a.b\nfrom a.b import c\nfrom a import b\n"
              "[a.b.c is c, b.c is c, b.__name__]",
              "[true, true, \"a.b\"]");
    done(s);
}

TEST(a_host_call_suspends_and_resumes) {
    cordon_session *s = session(NULL);
    CHECK_EQ(cordon_run(s, "ask(1, [2], key={'k': 'v'}) + 1"), CORDON_CALL);
    CHECK_TEXT(cordon_call_name(s), "ask");
    CHECK_TEXT(cordon_call_args_json(s),
               "{\"args\": [1, [2]], \"kwargs\": {\"key\": {\"k\": \"v\"}}}");
    CHECK_EQ(cordon_resume_json(s, "41", 2), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "42");
    CHECK_EQ(cordon_resume_json(s, "1", 1), CORDON_FAILED);
    CHECK_EQ(cordon_run(s, "mail.send(to='x')['id']"), CORDON_CALL);
    CHECK_TEXT(cordon_call_name(s), "mail.send");
    CHECK_EQ(cordon_resume_json(s, "{\"id\": \"m1\"}", 12), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "\"m1\"");
    done(s);
}

TEST(an_answer_can_be_an_exception) {
    cordon_session *s = session(NULL);
    const char *code = "try:\n    r = ask()\nexcept ValueError as e:\n"
                       "    r = 'caught ' + str(e)\nr";
    CHECK_EQ(cordon_run(s, code), CORDON_CALL);
    CHECK_EQ(cordon_resume_error(s, "ValueError", "no"), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "\"caught no\"");
    CHECK_EQ(cordon_run(s, "ask()"), CORDON_CALL);
    CHECK_EQ(cordon_resume_error(s, NULL, "down"), CORDON_RAISED);
    CHECK_HAS(cordon_traceback(s), "ToolError: down");
    done(s);
}

/* Places where an expression can stand; each calls ask(n) and n comes back. */
static const struct {
    const char *code, *want;
} places[] = {
    {"[ask(i) for i in range(3)]", "[0, 1, 2]"},
    {"sorted([3, 1, 2], key=lambda v: ask(v))", "[1, 2, 3]"},
    {"sorted([3, 1, 2], key=ask)", "[1, 2, 3]"},
    {"list(map(ask, [1, 2]))", "[1, 2]"},
    {"max([1, 5, 2], key=ask)", "5"},
    {"sum(ask(i) for i in range(4))", "6"},
    {"def g():\n    yield ask(1)\n    yield ask(2)\nlist(g())", "[1, 2]"},
    {"class A:\n    def __init__(self): self.v = ask(7)\nA().v", "7"},
    {"class A:\n    def __eq__(self, o): return ask(1) == 1\nA() == 3", "true"},
    {"class A:\n    def __repr__(self): return str(ask(5))\nf'{A()!r}'",
     "\"5\""},
    {"class A:\n    def __getitem__(self, k): return ask(k)\nA()[4]", "4"},
    {"class A:\n    @property\n    def p(self): return ask(3)\nA().p", "3"},
    {"class A:\n    x = ask(6)\nA.x", "6"},
    {"class A:\n    def __bool__(self): return ask(0) == 1\n"
     "'yes' if A() else 'no'",
     "\"no\""},
    {"class A:\n    def __lt__(self, o): return ask(0) == 1\n"
     "len(sorted([A(), A(), A()]))",
     "3"},
    {"class A:\n    def __hash__(self): return ask(1)\n"
     "    def __eq__(self, o): return True\nlen({A(): 1, A(): 2})",
     "1"},
    {"class M:\n    def __enter__(self): return ask(1)\n"
     "    def __exit__(self, *a): ask(2); return True\n"
     "with M() as m:\n    raise ValueError\nm",
     "1"},
    {"def f():\n    try:\n        return 1\n    finally:\n        ask(9)\nf()",
     "1"},
    {"match 5:\n    case n if ask(n) == 5:\n        r = 'm'\nr", "\"m\""},
    {"f'{ask(1)}-{ask(2):>3}'", "\"1-  2\""},
    {"def d(f): return lambda: ask(f())\n@d\ndef g(): return 8\ng()", "8"},
    {"x = [0]\nx[ask(0)] += ask(5)\nx", "[5]"},
    {"(lambda a, b=ask(2): a + b)(ask(1))", "3"},
    {"a, b = ask(1), ask(2)\n[b, a]", "[2, 1]"},
    {"def k(v): return ask(v)\nx = [2, 1]\nx.sort(key=k)\nx", "[1, 2]"},
    {"any(ask(i) for i in [0, 1, 0])", "true"},
    {"'-'.join(str(ask(i)) for i in range(3))", "\"0-1-2\""},
    {"dict((i, ask(i)) for i in range(2))[1]", "1"},
    {"print(ask(1), str(ask(2)))", "null"},
};

/* Answers each call with its own first argument; between the two, the session
 * is put through `between`. */
static enum cordon_status
answer_all(cordon_session **s, cordon_session *(*between)(cordon_session *),
           enum cordon_status status) {
    while (status == CORDON_CALL) {
        char answer[64];
        const char *args = cordon_call_args_json(*s);
        CHECK(args);
        const char *from = strchr(args, '[') + 1;
        size_t n = strcspn(from, ",]");
        memcpy(answer, from, n);
        if (between) *s = between(*s);
        status = cordon_resume_json(*s, answer, n);
    }
    return status;
}

static void try_places(cordon_session *(*between)(cordon_session *)) {
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        cordon_session *s = session(NULL);
        enum cordon_status status =
            answer_all(&s, between, cordon_run(s, places[i].code));
        if (status != CORDON_DONE)
            test_note("%s\n%s", places[i].code, cordon_traceback(s));
        CHECK_EQ(status, CORDON_DONE);
        CHECK_TEXT(cordon_result_json(s), places[i].want);
        cordon_session_free(s);
    }
    engine_fini();
}

TEST(calls_suspend_wherever_an_expression_can_be) {
    try_places(NULL);
}

static const uint8_t key[32] = {1, 2, 3};

static cordon_session *through_bytes(cordon_session *s) {
    size_t n;
    const char *why = "";
    void *bytes = cordon_snapshot(s, key, &n);
    CHECK(bytes);
    cordon_session_free(s);
    cordon_session *back = cordon_restore(NULL, bytes, n, key, &why);
    if (!back) test_note("%s", why);
    CHECK(back);
    cordon_free(bytes);
    return back;
}

TEST(a_snapshot_goes_on_wherever_it_was_taken) {
    try_places(through_bytes);
}

TEST(a_snapshot_keeps_variables_and_output) {
    cordon_session *s = session(NULL);
    size_t n;
    CHECK_EQ(cordon_run(s, "class P:\n    def m(self): return self.x\n"
                           "p = P()\np.x = {'a': 10**30}\nprint('out')"),
             CORDON_DONE);
    s = through_bytes(s);
    CHECK_TEXT(cordon_output(s, &n), "out\n");
    result_is(s, "p.m()['a'] + 1", "1000000000000000000000000000001");
    done(s);
}

static const char *refusal(const void *bytes, size_t n,
                           const uint8_t with[32]) {
    const char *why = NULL;
    cordon_session *s = cordon_restore(NULL, bytes, n, with, &why);
    CHECK(!s);
    return why;
}

TEST(an_altered_snapshot_is_refused) {
    const uint8_t other[32] = {9};
    cordon_session *s = session(NULL);
    size_t n;
    CHECK_EQ(cordon_run(s, "x = [1, 2, 3]"), CORDON_DONE);
    unsigned char *bytes = cordon_snapshot(s, key, &n);
    CHECK(bytes);
    CHECK_HAS(refusal(bytes, n, other), "key");
    for (size_t i = 0; i < n; i += 1 + n / 50) {
        bytes[i] ^= 0x40;
        CHECK(refusal(bytes, n, key));
        bytes[i] ^= 0x40;
    }
    CHECK(refusal(bytes, n - 1, key));
    CHECK(refusal(bytes, 10, key));
    CHECK(refusal(bytes, 0, key));
    cordon_session *back = cordon_restore(NULL, bytes, n, key, NULL);
    CHECK(back);
    cordon_session_free(back);
    cordon_free(bytes);
    done(s);
}

TEST(limits_end_a_run_and_leave_the_session_usable) {
    struct cordon_limits l = {.steps = 100000,
                              .time_ms = 500,
                              .output = 100,
                              .depth = 50,
                              .calls = 2,
                              .memory = 4 << 20};
    cordon_session *s = session(&l);
    CHECK_EQ(cordon_run(s, "while True: pass"), CORDON_LIMIT);
    CHECK_HAS(cordon_error(s), "step limit");
    CHECK_EQ(cordon_run(s, "while True:\n  try:\n    while True: pass\n"
                           "  except BaseException: pass"),
             CORDON_LIMIT);
    CHECK_EQ(cordon_run(s, "while True: print('xxxxxxxx')"), CORDON_LIMIT);
    CHECK_HAS(cordon_error(s), "output limit");
    result_is(s,
              "def f(n): return f(n + 1)\n"
              "try:\n    f(0)\nexcept RecursionError as e:\n    r = str(e)\n"
              "r",
              "\"maximum recursion depth exceeded\"");
    result_is(s,
              "try:\n    x = [0] * 10**7\nexcept MemoryError:\n    x = 'm'\n"
              "x",
              "\"m\"");
    CHECK_EQ(cordon_run(s, "ask(); ask(); ask()"), CORDON_CALL);
    CHECK_EQ(cordon_resume_json(s, "1", 1), CORDON_CALL);
    CHECK_EQ(cordon_resume_json(s, "1", 1), CORDON_LIMIT);
    result_is(s, "1 + 1", "2");
    done(s);
}

TEST(a_run_can_be_cancelled) {
    cordon_session *s = session(NULL);
    CHECK_EQ(cordon_run(s, "ask()\nwhile True: pass"), CORDON_CALL);
    cordon_cancel(s);
    CHECK_EQ(cordon_resume_json(s, "1", 1), CORDON_LIMIT);
    CHECK_HAS(cordon_error(s), "cancelled");
    result_is(s, "3", "3");
    done(s);
}

TEST(usage_is_reported) {
    struct cordon_usage u;
    cordon_session *s = session(NULL);
    CHECK_EQ(cordon_run(s, "for i in range(1000): pass\nprint('abc')"),
             CORDON_DONE);
    cordon_usage(s, &u);
    CHECK(u.steps >= 1000 && u.steps < 5000);
    CHECK(u.memory_peak > 0);
    CHECK_EQ(u.output, 4);
    done(s);
}

TEST(the_same_program_takes_the_same_steps) {
    struct cordon_usage a, b;
    const char *code = "d = {str(i): i for i in range(100)}\n"
                       "sorted(d, key=lambda k: d[k])[:3]";
    cordon_session *s = session(NULL);
    CHECK_EQ(cordon_run(s, code), CORDON_DONE);
    cordon_usage(s, &a);
    cordon_session_free(s);
    s = session(NULL);
    CHECK_EQ(cordon_run(s, code), CORDON_DONE);
    cordon_usage(s, &b);
    CHECK_EQ(a.steps, b.steps);
    done(s);
}

TEST(names_of_functions_are_checked) {
    cordon_options *o = cordon_options_new();
    CHECK_EQ(cordon_options_function(o, "ok_1", 0), 0);
    CHECK_EQ(cordon_options_function(o, "a.b.c", 0), 0);
    CHECK_EQ(cordon_options_function(o, "", 0), -1);
    CHECK_EQ(cordon_options_function(o, "1x", 0), -1);
    CHECK_EQ(cordon_options_function(o, "a..b", 0), -1);
    CHECK_EQ(cordon_options_function(o, "a b", 0), -1);
    cordon_options_free(o);
}

TEST(one_run_leaves_nothing_for_the_next) {
    for (int i = 0; i < 3; i++) {
        cordon_session *s = session(NULL);
        CHECK_EQ(cordon_run(s, "leftover"), CORDON_RAISED);
        CHECK_EQ(cordon_run(s,
                            "leftover = ['secret'] * 100\n"
                            "class list2(list):\n    def pop(self): return 1"),
                 CORDON_DONE);
        result_is(s, "[3, 4].pop()", "4");
        done(s);
    }
}
