/* SPDX-License-Identifier: MIT
 *
 * Calls that are answered later. Each test drives a program and writes down
 * what happened: "c1" a call left, "w1,2" the run waits for these, "r1" the
 * value of call 1 (its id) came. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "cordon.h"
#include "vm/engine.h"

struct drive {
    cordon_session *s;
    enum cordon_status st;
    char log[512];
    uint64_t open[64];
    size_t nopen;
    bool backwards;   /* values come in the opposite order */
    uint64_t failing; /* the call that ends in an error */
    bool parks;       /* a snapshot at each stop */
};

static cordon_session *session(enum cordon_labels labels) {
    cordon_options *o = cordon_options_new();
    CHECK(o);
    CHECK_EQ(cordon_options_function(o, "read", CORDON_READ_ONLY), 0);
    CHECK_EQ(cordon_options_function(o, "write", 0), 0);
    cordon_options_labels(o, labels);
    cordon_session *s = cordon_session_new(o, NULL);
    cordon_options_free(o);
    CHECK(s);
    return s;
}

static void note(struct drive *d, const char *kind, uint64_t id) {
    size_t n = strlen(d->log);
    snprintf(d->log + n, sizeof d->log - n, "%s%llu ", kind,
             (unsigned long long)id);
}

static void park(struct drive *d) {
    static const uint8_t key[32] = {7};
    size_t len;
    const char *why = "";
    void *bytes = cordon_snapshot(d->s, key, &len);
    CHECK(bytes);
    cordon_session_free(d->s);
    d->s = cordon_restore(NULL, bytes, len, key, &why);
    cordon_free(bytes);
    CHECK_TEXT(why, "");
    CHECK(d->s);
}

/* One of those that the run waits for. */
static void resolve(struct drive *d) {
    uint64_t ids[64], id;
    size_t n = cordon_waiting(d->s, ids, 64);
    CHECK(n > 0 && n <= 64);
    id = d->backwards ? ids[n - 1] : ids[0];
    char json[32];
    snprintf(json, sizeof json, "%llu", (unsigned long long)id * 10);
    note(d, "r", id);
    if (id == d->failing)
        CHECK_EQ(cordon_resolve_error(d->s, id, "ValueError", "no luck"), 0);
    else
        CHECK_EQ(cordon_resolve_json(d->s, id, json, strlen(json)), 0);
}

static void drive(struct drive *d, const char *code) {
    d->st = cordon_run(d->s, code);
    for (;;) {
        if (d->parks && (d->st == CORDON_CALL || d->st == CORDON_WAIT)) park(d);
        if (d->st == CORDON_CALL && !strcmp(cordon_call_name(d->s), "read")) {
            note(d, "c", cordon_call_id(d->s));
            d->st = cordon_resume_pending(d->s);
        } else if (d->st == CORDON_CALL) {
            note(d, "write", cordon_call_id(d->s));
            CHECK_EQ(cordon_resume_pending(d->s), CORDON_FAILED);
            d->st = cordon_resume_json(d->s, "null", 4);
        } else if (d->st == CORDON_WAIT) {
            resolve(d);
            d->st = cordon_continue(d->s);
        } else {
            break;
        }
    }
}

static void gives(const char *code, const char *log, const char *result) {
    for (int way = 0; way < 4; way++) {
        struct drive d = {
            .s = session(way & 1 ? CORDON_LABELS_ON : CORDON_LABELS_OFF),
            .parks = way & 2};
        drive(&d, code);
        if (d.st != CORDON_DONE || strcmp(d.log, log))
            test_note("way %d: %s%s", way, code, cordon_traceback(d.s));
        CHECK_EQ(d.st, CORDON_DONE);
        CHECK_TEXT(d.log, log);
        CHECK_TEXT(cordon_result_json(d.s), result);
        cordon_session_free(d.s);
    }
}

TEST(reads_overlap_until_a_value_is_used) {
    gives("a = read(1)\nb = read(2)\na + b", "c1 c2 r1 r2 ", "30");
    gives("x = [read(i) for i in range(3)]\nlen(x)", "c1 c2 c3 r1 r2 r3 ", "3");
    gives("x = [read(i) for i in range(3)]\nsum(x)", "c1 c2 c3 r1 r2 r3 ",
          "60");
    gives("d = {'k': read(1), 'm': read(2)}\nd['k'] * 2", "c1 c2 r1 r2 ", "20");
    gives("def f(): return read(1)\ny = f()\nz = read(2)\nf'{y}-{z}'",
          "c1 c2 r1 r2 ", "\"10-20\"");
    gives("class P:\n  def __init__(s, v): s.v = v\np = P(read(1))\n"
          "q = P(read(2))\nq.v - p.v",
          "c1 c2 r2 r1 ", "10");
    gives("read(1)", "c1 r1 ", "10");
    gives("l = []\nl.append(read(1))\nl.append(read(2))\nsorted(l)[0]",
          "c1 c2 r1 r2 ", "10");
    gives("a = read(1)\nb = read(2) if a > 5 else 0\nb", "c1 r1 c2 r2 ", "20");
    gives("g = (read(i) for i in range(2))\na, b = g\n[b, a]", "c1 c2 r1 r2 ",
          "[20, 10]");
    gives("a = read(1)\nif a is None: a = 1\na", "c1 r1 ", "10");
    gives("read(read(1))", "c1 r1 c2 r2 ", "20");
    gives("print(read(1), read(2))", "c1 c2 r1 r2 ", "null");
    gives("import json\njson.dumps({'a': [read(1)]})", "c1 r1 ",
          "\"{\\\"a\\\": [10]}\"");
    engine_fini();
}

TEST(values_may_come_in_any_order) {
    struct drive d = {.s = session(CORDON_LABELS_OFF), .backwards = true};
    drive(&d, "x = [read(i) for i in range(3)]\nx == [10, 20, 30]");
    CHECK_EQ(d.st, CORDON_DONE);
    CHECK_TEXT(d.log, "c1 c2 c3 r3 r2 r1 ");
    CHECK_TEXT(cordon_result_json(d.s), "true");
    cordon_session_free(d.s);
    engine_fini();
}

TEST(a_write_waits_for_every_read_before_it) {
    gives("a = read(1)\nwrite('x')\nb = read(2)\nwrite(b)\n0",
          "c1 r1 write2 c3 r3 write4 ", "0");
    engine_fini();
}

TEST(a_value_used_by_an_operator_or_a_key_waits_at_once) {
    gives("sorted([3, 1, 2], key=lambda x: -read(x))", "c1 r1 c2 r2 c3 r3 ",
          "[2, 1, 3]");
    gives("class A:\n  def __bool__(s): return read(1) > 0\n"
          "'yes' if A() else 'no'",
          "c1 r1 ", "\"yes\"");
    gives("list(map(read, [1, 2]))", "c1 c2 r1 r2 ", "[10, 20]");
    engine_fini();
}

static void fails(const char *code, uint64_t failing, enum cordon_status end,
                  const char *log, const char *result) {
    for (int way = 0; way < 4; way++) {
        struct drive d = {
            .s = session(way & 1 ? CORDON_LABELS_ON : CORDON_LABELS_OFF),
            .failing = failing,
            .parks = way & 2};
        drive(&d, code);
        if (d.st != end || strcmp(d.log, log))
            test_note("way %d: %s%s", way, code, cordon_traceback(d.s));
        CHECK_EQ(d.st, end);
        CHECK_TEXT(d.log, log);
        if (result) CHECK_TEXT(cordon_result_json(d.s), result);
        cordon_session_free(d.s);
    }
}

TEST(an_error_is_raised_where_the_value_is_used) {
    fails("a = read(1)\nb = read(2)\ntry:\n  c = a + 1\n"
          "except ValueError as e: c = str(e)\nc",
          1, CORDON_DONE, "c1 c2 r1 r2 ", "\"no luck\"");
    engine_fini();
}

TEST(a_try_block_is_left_only_when_nothing_in_it_can_fail) {
    fails("try:\n  a = read(1)\n  b = read(2)\nexcept ValueError:\n  a = -1\n"
          "a",
          2, CORDON_DONE, "c1 c2 r1 r2 ", "-1");
    fails("def f():\n  try:\n    return read(1)\n  except ValueError:\n"
          "    return 'caught'\nf()",
          1, CORDON_DONE, "c1 r1 ", "\"caught\"");
    fails("try:\n  read(1)\nfinally:\n  x = 5\nx", 1, CORDON_RAISED, "c1 r1 ",
          NULL);
    engine_fini();
}

TEST(an_error_nobody_looked_at_ends_the_program) {
    fails("a = read(1)\n5", 1, CORDON_RAISED, "c1 r1 ", NULL);
    fails("a = read(1)\nwrite(2)\n5", 1, CORDON_RAISED, "c1 r1 ", NULL);
    engine_fini();
}

TEST(await_means_the_same) {
    gives("import asyncio\nasync def main():\n  return await read(1)\n"
          "asyncio.run(main())",
          "c1 r1 ", "10");
    gives("import asyncio\nasync def one(i):\n  v = await read(i)\n"
          "  return v + 1\nasync def main():\n"
          "  return await asyncio.gather(*[one(i) for i in range(3)])\n"
          "asyncio.run(main())",
          "c1 c2 c3 r1 r2 r3 ", "[11, 21, 31]");
    gives("import asyncio\nasync def main():\n"
          "  return await asyncio.gather(read(1), read(2))\n"
          "asyncio.run(main())",
          "c1 c2 r1 r2 ", "[10, 20]");
    engine_fini();
}

TEST(await_of_an_answer_that_is_there) {
    cordon_session *s = session(CORDON_LABELS_OFF);
    enum cordon_status st =
        cordon_run(s, "import asyncio\nasync def main():\n"
                      "  return (await read(1))['k']\nasyncio.run(main())");
    CHECK_EQ(st, CORDON_CALL);
    CHECK_EQ(cordon_resume_json(s, "{\"k\": 4}", 8), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "4");
    cordon_session_free(s);
    engine_fini();
}

TEST(what_is_not_pending_cannot_be_resolved) {
    cordon_session *s = session(CORDON_LABELS_OFF);
    CHECK_EQ(cordon_run(s, "x = read(1)\nx"), CORDON_CALL);
    CHECK_EQ(cordon_resolve_json(s, 1, "5", 1), -1);
    CHECK_EQ(cordon_continue(s), CORDON_FAILED);
    CHECK_EQ(cordon_resume_pending(s), CORDON_WAIT);
    CHECK_EQ(cordon_continue(s), CORDON_WAIT);
    CHECK_EQ(cordon_resolve_json(s, 1, "{", 1), -1);
    CHECK_EQ(cordon_resolve_json(s, 2, "5", 1), -1);
    CHECK_EQ(cordon_resolve_json(s, 1, "5", 1), 0);
    CHECK_EQ(cordon_resolve_json(s, 1, "5", 1), -1);
    CHECK_EQ(cordon_continue(s), CORDON_DONE);
    CHECK_TEXT(cordon_result_json(s), "5");
    cordon_session_free(s);
    engine_fini();
}

TEST(a_value_that_never_came_raises_in_later_runs) {
    cordon_session *s = session(CORDON_LABELS_OFF);
    CHECK_EQ(cordon_run(s, "x = read(1)\n1/0"), CORDON_CALL);
    CHECK_EQ(cordon_resume_pending(s), CORDON_RAISED);
    CHECK_EQ(cordon_run(s, "1 + 1"), CORDON_DONE);
    CHECK_EQ(cordon_run(s, "x + 1"), CORDON_RAISED);
    CHECK(strstr(cordon_traceback(s), "the run ended before this value came"));
    cordon_session_free(s);
    engine_fini();
}
