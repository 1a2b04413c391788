/* SPDX-License-Identifier: MIT
 *
 * Keys that were made to collide: they cost about what other keys cost.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "cordon.h"
#include "vm/engine.h"

/* Makes `keys`, `count` of a `kind`, which all have one hash. They follow from
 * how hash_text (objstr.c) folds: a first word that is its own mixing constant
 * wipes out the second. */
static const char make_keys[] =
    "M = 2**64 - 1\n"
    "A, B = 0x9e3779b97f4a7c15, 0xd1b54a32d192ed03\n"
    "def fold(a, b):\n"
    "    m = a * b\n"
    "    return m & M ^ m >> 64\n"
    "for n in range(24, 10000):\n"
    "    first = (A ^ fold(A, n ^ B)).to_bytes(8, 'little')\n"
    "    if all(32 <= c < 127 for c in first): break\n"
    "first = first.decode()\n"
    "keys = [first + f'{i:08}' + '.' * (n - 16) for i in range(count)]\n"
    "if kind == 'bytes':\n"
    "    tail = B.to_bytes(8, 'little') + b'x'\n"
    "    keys = [i.to_bytes(8, 'little') + tail for i in range(count)]\n"
    "if kind == 'tuple': keys = [(k, 1) for k in keys]\n"
    "len({hash(k) for k in keys})";

struct spent {
    uint64_t steps;
    long hashes; /* that the keys have */
};

static cordon_session *session(bool record) {
    cordon_options *o = cordon_options_new();
    struct cordon_limits limits = {.memory = 512u << 20, .time_ms = 120000};
    CHECK(o);
    cordon_options_limits(o, &limits);
    cordon_options_record(o, record);
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    cordon_options_free(o);
    return s;
}

static void set_up(cordon_session *s, const char *kind, int count) {
    char json[32];
    CHECK_EQ(
        cordon_set_json(s, "kind", json,
                        (size_t)snprintf(json, sizeof json, "\"%s\"", kind)),
        0);
    CHECK_EQ(cordon_set_json(s, "count", json,
                             (size_t)snprintf(json, sizeof json, "%d", count)),
             0);
    CHECK_EQ(cordon_run(s, make_keys), CORDON_DONE);
}

static struct spent steps_of(const char *kind, int count, const char *code) {
    cordon_session *s = session(false);
    struct cordon_usage usage;
    struct spent spent = {0};
    set_up(s, kind, count);
    sscanf(cordon_result_json(s), "%ld", &spent.hashes);
    CHECK_EQ(cordon_run(s, code), CORDON_DONE);
    cordon_usage(s, &usage);
    spent.steps = usage.steps;
    cordon_session_free(s);
    return spent;
}

/* Twice as many keys, about twice the steps; were each compared with all before
 * it, it would be four times. */
static void check_linear(const char *kind, const char *code) {
    struct spent half = steps_of(kind, 1 << 15, code);
    struct spent all = steps_of(kind, 1 << 16, code);
    CHECK_EQ(all.hashes, 1); /* or the attack is none any more */
    printf("# %s: %llu steps, half of it %llu\n", kind,
           (unsigned long long)all.steps, (unsigned long long)half.steps);
    CHECK(all.steps <= half.steps * 3);
}

static const char fill_dict[] = "d = {}\n"
                                "for k in keys: d[k] = 1\n"
                                "for k in keys: assert k in d\n"
                                "assert 'other' not in d and len(d) == count";
static const char fill_set[] =
    "s = set()\n"
    "for k in keys: s.add(k)\n"
    "assert all(k in s for k in keys)\n"
    "assert len(s & set(keys[:9])) == 9 and len(s | {1}) == count + 1\n"
    "assert len(set(s) - {keys[0]}) == count - 1";

TEST(colliding_keys_fill_a_dict_in_linear_steps) {
    check_linear("str", fill_dict);
    check_linear("bytes", fill_dict);
    check_linear("tuple", fill_dict);
    engine_fini();
}

TEST(colliding_items_fill_a_set_in_linear_steps) {
    check_linear("str", fill_set);
    check_linear("bytes", fill_set);
    engine_fini();
}

/* Names of attributes and keys of JSON are interned, and have shapes. */
TEST(colliding_names_are_interned_in_linear_steps) {
    check_linear("str", "import json\n"
                        "text = json.dumps([{k: 1} for k in keys])\n"
                        "assert len(json.loads(text)) == count");
    engine_fini();
}

/* A table that goes by the secret hash is a table as any other. */
static const char use_them[] =
    "class User:\n"
    "    def __init__(self, k): self.k = k\n"
    "    def __hash__(self): return hash(self.k)\n"
    "    def __eq__(self, other): return self.k == other\n"
    "d = dict.fromkeys(keys, 0)\n"
    "for k in keys[::2]: del d[k]\n"
    "assert list(d) == keys[1::2] and dict(d) == d == {**d}\n"
    "assert User(keys[1]) in d and User(keys[0]) not in d\n"
    "assert (User(keys[1]), 2) not in d and 'x' not in d\n"
    "d[User('q')] = 7\n"
    "assert d['q'] == 7 and d[keys[3]] == 0 and d.pop(keys[3]) == 0\n"
    "d.clear(); d[keys[0]] = 1; assert d == {keys[0]: 1}\n"
    "s = set(keys)\n"
    "assert User(keys[0]) in s and 5 not in s and 'x' not in s\n"
    "s.add(5); assert 5 in s; s.remove(keys[2]); assert keys[2] not in s\n"
    "f = frozenset(s); assert f == s and hash(f) == hash(frozenset(list(s)))\n"
    "assert f < s | {6} and not f - s and len(f ^ set(keys)) == 2\n"
    "s.add(User('z')); assert 'z' in s and keys[0] in s\n"
    "s &= set(keys[:4]); assert s == {keys[0], keys[1], keys[3]}";

TEST(a_table_of_colliding_keys_behaves_as_others) {
    cordon_session *s = session(false);
    set_up(s, "str", 200);
    enum cordon_status st = cordon_run(s, use_them);
    if (st != CORDON_DONE) printf("# %s\n", cordon_traceback(s));
    CHECK_EQ(st, CORDON_DONE);
    cordon_session_free(s);
    engine_fini();
}

/* The order of such a set follows from the key, which is drawn as random
 * numbers are: a journal has it, and a snapshot. */
static const char order[] = "s = set(keys)\nprint([k[8:16] for k in s])";

static void replayed(const void *journal, size_t len, const char *want) {
    cordon_options *o = cordon_options_new();
    CHECK(o);
    CHECK_EQ(cordon_options_replay(o, journal, len), 0);
    cordon_session *s = cordon_session_new(o, NULL);
    CHECK(s);
    set_up(s, "str", 100);
    CHECK_EQ(cordon_run(s, order), CORDON_DONE);
    CHECK(strcmp(cordon_output(s, NULL), want) == 0);
    cordon_session_free(s);
    cordon_options_free(o);
}

TEST(the_order_of_colliding_items_is_replayed) {
    static char one[4096], two[4096];
    cordon_session *a = session(true), *b = session(true);
    size_t len;
    set_up(a, "str", 100);
    set_up(b, "str", 100);
    CHECK_EQ(cordon_run(a, order), CORDON_DONE);
    CHECK_EQ(cordon_run(b, order), CORDON_DONE);
    snprintf(one, sizeof one, "%s", cordon_output(a, NULL));
    snprintf(two, sizeof two, "%s", cordon_output(b, NULL));
    CHECK(strcmp(one, two) != 0); /* each run has a key of its own */
    const void *journal = cordon_journal(a, &len);
    CHECK(journal);
    replayed(journal, len, one);
    cordon_session_free(a);
    cordon_session_free(b);
    engine_fini();
}

TEST(a_snapshot_has_the_key_of_its_tables) {
    static const uint8_t key[32] = "a key of the tests";
    cordon_session *s = session(false);
    size_t len;
    set_up(s, "str", 100);
    CHECK_EQ(cordon_run(s, "d = dict.fromkeys(keys)\ns = set(keys)"),
             CORDON_DONE);
    void *bytes = cordon_snapshot(s, key, &len);
    CHECK(bytes);
    cordon_session_free(s);
    cordon_options *o = cordon_options_new();
    struct cordon_limits limits = {.memory = 512u << 20};
    cordon_options_limits(o, &limits);
    s = cordon_restore(o, bytes, len, key, NULL);
    CHECK(s);
    CHECK_EQ(cordon_run(s, "assert all(k in d and k in s for k in keys)"),
             CORDON_DONE);
    cordon_session_free(s);
    cordon_options_free(o);
    cordon_free(bytes);
    engine_fini();
}
