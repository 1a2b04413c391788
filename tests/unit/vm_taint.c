/* SPDX-License-Identifier: MIT
 *
 * Labels through programs. A call of ask() gives a value whose label has the
 * origin that the test says; tell() is looked at for what it is told. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "cordon.h"
#include "vm/engine.h"

static void done(cordon_session *s) {
    cordon_session_free(s);
    engine_fini();
}

static cordon_session *session(enum cordon_labels mode) {
    cordon_options *o = cordon_options_new();
    CHECK(o);
    CHECK_EQ(cordon_options_function(o, "ask", CORDON_READ_ONLY), 0);
    CHECK_EQ(cordon_options_function(o, "tell", 0), 0);
    cordon_options_labels(o, mode);
    cordon_session *s = cordon_session_new(o, NULL);
    cordon_options_free(o);
    CHECK(s);
    return s;
}

static uint16_t origin(cordon_session *s, uint32_t n) {
    struct cordon_label l = {.integrity = 3, .norigins = 1, .origin = {n}};
    int id = cordon_label_number(s, &l);
    CHECK(id > 0);
    return (uint16_t)id;
}

/* The origins of a label as "1 2 ". */
static const char *words(cordon_session *s, cordon_label_id id) {
    static char text[256];
    struct cordon_label l;
    size_t n = 0;
    cordon_label_read(s, id, &l);
    text[0] = 0;
    for (unsigned i = 0; i < l.norigins; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%u ", l.origin[i]);
    return text;
}

/* Leaves get the label of their last key's first letter: a is 1, b 2 ... */
static cordon_label_id by_letter(void *user, const struct cordon_place *p) {
    cordon_session *s = user;
    if (p->type >= CORDON_JSON_ARRAY) return 0;
    for (size_t i = p->depth; i > 0; i--)
        if (p->path[i - 1].key)
            return origin(s, (uint32_t)(p->path[i - 1].key[0] - 'a') + 1);
    return origin(s, 9);
}

static enum cordon_status answer(cordon_session *s, enum cordon_status st,
                                 const char *json) {
    while (st == CORDON_CALL && !strcmp(cordon_call_name(s), "ask"))
        st = cordon_resume_labelled(s, json, strlen(json), by_letter, s);
    if (st == CORDON_RAISED) test_note("%s", cordon_traceback(s));
    return st;
}

static const char given[] =
    "{\"a\": \"one two\", \"b\": [3, 1, 2], \"c\": 7, \"d\": true, "
    "\"e\": null, \"f\": 2.5, \"g\": {\"h\": \"x\", \"i\": [\"p\", \"q\"]}}";

/* What `expression` of r = ask() is labelled with. */
static void has(const char *expression, const char *want) {
    char code[1024];
    cordon_session *s = session(CORDON_LABELS_ON);
    snprintf(code, sizeof code,
             "import json, re\nfrom collections import deque\n"
             "r = ask()\ntell(%s)",
             expression);
    enum cordon_status st = answer(s, cordon_run(s, code), given);
    CHECK_EQ(st, CORDON_CALL);
    const char *got = words(s, cordon_call_label(s));
    if (strcmp(got, want)) test_note("%s", expression);
    CHECK_TEXT(got, want);
    cordon_session_free(s);
}

TEST(elements_keep_their_own_labels) {
    has("r['a']", "1 ");
    has("r['c'], r['d']", "3 4 ");
    has("r['g']['h']", "8 ");
    has("r['b'][0]", "2 ");
    has("len(r)", "");
    has("list(r)", "");
    has("[r['c']][0]", "3 ");
    has("{'x': r['c'], 'y': 1}['y']", "");
    has("{'x': r['c'], 'y': 1}['x']", "3 ");
    has("(r['a'], 'z')[1]", "");
    has("[x for x in [1, r['c'], 3]][0]", "");
    has("deque([r['c'], 1])[1]", "");
    has("deque([r['c'], 1])[0]", "3 ");
    has("deque([r['c'], 1]).popleft()", "3 ");
    has("deque([r['c'], 1]).pop()", "");
    has("[x for x in deque([1, r['c']])][1]", "3 ");
    has("deque(r['b']).pop()", "2 ");
    has("[x for x in deque(r['b'])][0]", "2 ");
    has("(q := deque(), q.append(r['a']), q[0])[2]", "1 ");
    engine_fini();
}

TEST(operations_join) {
    has("r['a'] + 'x'", "1 ");
    has("r['c'] + r['f']", "3 6 ");
    has("r['c'] * 2 - 1", "3 ");
    has("-r['c']", "3 ");
    has("not r['d']", "4 ");
    has("r['c'] == 7", "3 ");
    has("r['e'] is None", "5 ");
    has("r['b'] == [3, 1, 2]", "2 ");
    has("'one' in r['a']", "1 ");
    has("f\"{r['a']}-{r['c']:03d}\"", "1 3 ");
    has("'%s %d' % (r['a'], r['c'])", "1 3 ");
    has("'{} {}'.format(r['a'], 5)", "1 ");
    has("r['a'][1:3]", "1 ");
    has("'abcdefgh'[r['c']]", "3 ");
    has("[10, 20, 30, 40, 50, 60, 70, 80][r['c']]", "3 ");
    has("{7: 'x'}[r['c']]", "3 ");
    has("str(r['g'])", "8 9 ");
    engine_fini();
}

TEST(natives_join_what_they_look_at) {
    has("r['a'].upper()", "1 ");
    has("r['a'].split()", "1 ");
    has("r['a'].split()[0]", "1 ");
    has("','.join(r['g']['i'])", "9 ");
    has("sum(r['b'])", "2 ");
    has("max(r['b'])", "2 ");
    has("sorted(r['b'])", "2 ");
    has("json.dumps(r['g'])", "8 9 ");
    has("json.loads('[' + str(r['c']) + ']')[0]", "3 ");
    has("re.sub('o', '0', r['a'])", "1 ");
    has("re.sub('o', r['a'], 'foo')", "1 ");
    has("re.findall('.', r['a'])[0]", "1 ");
    has("re.split(r['a'], 'x')[0]", "1 ");
    has("re.search('t.o', r['a']).group(0)", "1 ");
    has("any(x == 7 for x in [r['c']])", "3 ");
    has("list(map(str, r['b']))", "2 ");
    has("int(str(r['c']))", "3 ");
    has("dict(k=r['a'])['k']", "1 ");
    has("list(zip(r['b'], 'xyz'))[0][1]", "");
    has("[i for i, x in enumerate(['q', r['a']])]", "");
    has("sorted([1, 2, 3], key=lambda x: x * r['c'])[0]", "3 ");
    has("isinstance(r['c'], int)", "3 ");
    engine_fini();
}

TEST(labels_go_through_functions_classes_generators_and_exceptions) {
    cordon_session *s = session(CORDON_LABELS_ON);
    enum cordon_status st =
        cordon_run(s, "class P:\n"
                      "    def __init__(self, x, y): self.x, self.y = x, y\n"
                      "    def both(self): return self.x + self.y\n"
                      "    def __eq__(self, o): return self.x == o.x\n"
                      "def gen(v):\n"
                      "    yield 1\n"
                      "    yield v\n"
                      "def outer(v):\n"
                      "    def inner(): return v\n"
                      "    return inner\n"
                      "r = ask()\n"
                      "p = P(r['c'], 5)\n"
                      "tell(p.y)\n"
                      "tell(p.both())\n"
                      "tell(p == P(1, 1))\n"
                      "g = gen(r['a'])\n"
                      "tell(next(g))\n"
                      "tell(next(g))\n"
                      "tell(outer(r['f'])())\n"
                      "try:\n"
                      "    int(r['a'])\n"
                      "except ValueError as e:\n"
                      "    tell(str(e))\n"
                      "tell(1)\n");
    static const char *const want[] = {"",   "3 ", "3 ", "",
                                       "1 ", "6 ", "1 ", ""};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        st = answer(s, st, given);
        CHECK_EQ(st, CORDON_CALL);
        CHECK_TEXT(words(s, cordon_call_label(s)), want[i]);
        if (i == 6) CHECK_TEXT(words(s, cordon_call_control(s)), "1 ");
        if (i == 7) CHECK_TEXT(words(s, cordon_call_control(s)), "");
        st = cordon_resume_json(s, "null", 4);
    }
    CHECK_EQ(st, CORDON_DONE);
    done(s);
}

TEST(control_has_the_label_of_what_decided_and_ends_where_ways_meet) {
    cordon_session *s = session(CORDON_LABELS_ON);
    enum cordon_status st = cordon_run(s, "r = ask()\n"
                                          "if r['c'] > 3:\n"
                                          "    tell('in')\n"
                                          "tell('after')\n"
                                          "for x in r['b']:\n"
                                          "    if x == 1: tell('loop')\n"
                                          "tell('end')\n");
    static const char *const want[] = {"3 ", "", "2 ", ""};
    for (size_t i = 0; i < 4; i++) {
        st = answer(s, st, given);
        CHECK_EQ(st, CORDON_CALL);
        CHECK_TEXT(words(s, cordon_call_label(s)), "");
        CHECK_TEXT(words(s, cordon_call_control(s)), want[i]);
        st = cordon_resume_json(s, "null", 4);
    }
    CHECK_EQ(st, CORDON_DONE);
    done(s);
}

TEST(strict_runs_join_control_to_values) {
    cordon_session *s = session(CORDON_LABELS_STRICT);
    enum cordon_status st = answer(s,
                                   cordon_run(s, "r = ask()\n"
                                                 "x = 'no'\n"
                                                 "if r['c'] > 3: x = 'yes'\n"
                                                 "tell(x)"),
                                   given);
    CHECK_EQ(st, CORDON_CALL);
    CHECK_TEXT(words(s, cordon_call_label(s)), "3 ");
    done(s);
}

struct seen {
    cordon_session *s;
    char text[512];
};

static void see(void *user, const struct cordon_place *p, cordon_label_id id) {
    struct seen *seen = user;
    size_t n = strlen(seen->text);
    for (size_t i = 0; i < p->depth; i++) {
        const struct cordon_step *t = &p->path[i];
        if (t->key)
            n += (size_t)snprintf(seen->text + n, sizeof seen->text - n,
                                  "/%.*s", (int)t->len, t->key);
        else
            n += (size_t)snprintf(seen->text + n, sizeof seen->text - n,
                                  "/%llu", (unsigned long long)t->index);
    }
    snprintf(seen->text + n, sizeof seen->text - n, "=%s", words(seen->s, id));
}

TEST(a_call_tells_the_label_of_every_place) {
    cordon_session *s = session(CORDON_LABELS_ON);
    struct seen seen = {.s = s};
    enum cordon_status st =
        answer(s,
               cordon_run(s, "r = ask()\n"
                             "tell(r['a'], {'k': [1, r['c']]}, z=r['e'])"),
               given);
    CHECK_EQ(st, CORDON_CALL);
    CHECK_EQ(cordon_call_labels(s, see, &seen), 0);
    CHECK_TEXT(seen.text, "/args=/args/0=1 /args/1=/args/1/k=/args/1/k/0="
                          "/args/1/k/1=3 /kwargs=/kwargs/z=5 ");
    CHECK_TEXT(cordon_call_args_json(s),
               "{\"args\": [\"one two\", {\"k\": [1, 7]}], \"kwargs\": "
               "{\"z\": null}}");
    done(s);
}

static cordon_label_id trusted_words(void *user, const char *text, size_t len) {
    cordon_session *s = user;
    return len == 5 && !memcmp(text, "Alice", 5) ? 0 : origin(s, 20);
}

TEST(literals_have_the_label_of_the_turn) {
    cordon_session *s = session(CORDON_LABELS_ON);
    cordon_label_literals(s, origin(s, 20), trusted_words, s);
    enum cordon_status st =
        cordon_run(s, "tell('Alice')\ntell('Bob')\ntell(5)\ntell([])");
    static const char *const want[] = {"", "20 ", "20 ", ""};
    for (size_t i = 0; i < 4; i++) {
        CHECK_EQ(st, CORDON_CALL);
        CHECK_TEXT(words(s, cordon_call_label(s)), want[i]);
        st = cordon_resume_json(s, "null", 4);
    }
    done(s);
}

TEST(output_result_and_traceback_have_labels) {
    cordon_session *s = session(CORDON_LABELS_ON);
    CHECK_EQ(
        answer(s, cordon_run(s, "r = ask()\nprint('x')\nr['c'] + 1"), given),
        CORDON_DONE);
    CHECK_TEXT(words(s, cordon_output_label(s)), "");
    CHECK_TEXT(words(s, cordon_result_label(s)), "3 ");
    CHECK_TEXT(cordon_result_json(s), "8");
    CHECK_EQ(cordon_run(s, "print(r['a'])"), CORDON_DONE);
    CHECK_TEXT(words(s, cordon_output_label(s)), "1 ");
    CHECK_EQ(cordon_run(s, "if r['c']: print('x')"), CORDON_DONE);
    CHECK_TEXT(words(s, cordon_output_label(s)), "3 ");
    CHECK_EQ(cordon_run(s, "raise ValueError(r['a'])"), CORDON_RAISED);
    CHECK_TEXT(words(s, cordon_traceback_label(s)), "1 ");
    cordon_label_errors(s, origin(s, 30));
    CHECK_EQ(cordon_run(s, "ask()"), CORDON_CALL);
    CHECK_EQ(cordon_resume_error(s, NULL, "no"), CORDON_RAISED);
    CHECK_TEXT(words(s, cordon_traceback_label(s)), "30 ");
    done(s);
}

TEST(labels_travel_in_snapshots) {
    static const uint8_t key[32] = {1};
    cordon_session *s = session(CORDON_LABELS_ON);
    enum cordon_status st = answer(
        s, cordon_run(s, "r = ask()\nif r['d']:\n  tell(r['a'])\nr['c']"),
        given);
    CHECK_EQ(st, CORDON_CALL);
    size_t len;
    void *bytes = cordon_snapshot(s, key, &len);
    CHECK(bytes);
    cordon_session_free(s);
    s = cordon_restore(NULL, bytes, len, key, NULL);
    cordon_free(bytes);
    CHECK(s);
    CHECK_TEXT(words(s, cordon_call_label(s)), "1 ");
    CHECK_TEXT(words(s, cordon_call_control(s)), "4 ");
    CHECK_EQ(cordon_resume_json(s, "null", 4), CORDON_DONE);
    CHECK_TEXT(words(s, cordon_result_label(s)), "3 ");
    done(s);
}

TEST(without_labels_nothing_can_be_labelled) {
    cordon_session *s = session(CORDON_LABELS_OFF);
    struct cordon_label l = {.integrity = 1};
    CHECK_EQ(cordon_label_number(s, &l), -1);
    CHECK_EQ(cordon_set_labelled(s, "x", "1", 1, by_letter, s), -1);
    CHECK_EQ(cordon_run(s, "1"), CORDON_DONE);
    CHECK_EQ(cordon_result_label(s), 0);
    done(s);
}
