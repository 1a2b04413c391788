/* SPDX-License-Identifier: MIT
 *
 * No operation loses a label. Random programs get four inputs, each with an
 * origin of its own, and hand every variable they made to tell(). Each program
 * runs again with one input changed: a variable that differs must have carried
 * that input's origin.
 *
 * Where nothing but data decides (expressions), both runs must show it. Where a
 * way not taken decides (an empty comprehension; with control in strict runs) a
 * run that did not go there cannot know, so one of the two must.
 *
 * TAINT_RUNS and TAINT_SEED in the environment make it longer, or another. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cordon.h"
#include "vm/engine.h"

#define VARS   10
#define CODE   8192
#define ANSWER 4096

/* -- programs -----------------------------------------------------------------
 */

struct maker {
    uint64_t state;
    char code[CODE];
    size_t n;
    unsigned count[3]; /* of variables by type */
};

enum type { INT, STR, LIST, TYPES };

/* Expressions alone; with loops in them; with statements, in strict runs. */
enum family { DATA, LOOPS, CONTROL };

static unsigned pick(struct maker *m, unsigned n) {
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(m->state >> 33) % n;
}

static void put(struct maker *m, const char *text) {
    size_t n = strlen(text);
    if (m->n + n + 1 > CODE) return;
    memcpy(m->code + m->n, text, n + 1);
    m->n += n;
}

static void put_var(struct maker *m, enum type t) {
    static const char letters[] = "isl";
    char name[16];
    snprintf(name, sizeof name, "%c%u", letters[t], pick(m, m->count[t]));
    put(m, name);
}

/* In a template I, S and L stand for variables of these types. */
static const char *const expressions[TYPES][48] = {
    [INT] = {"I + I",
             "I - I",
             "I * I % 1000",
             "I // 7",
             "I % 5",
             "-I",
             "~I",
             "I ** 2 % 97",
             "I & 7",
             "I | I",
             "I ^ 3",
             "I << 2",
             "I >> 1",
             "len(S)",
             "len(L)",
             "abs(I)",
             "S.count('a')",
             "S.find('b')",
             "int(str(I))",
             "divmod(I, 3)[0]",
             "(L + [3])[I % (len(L) + 1)]",

             "min(I, I)",
             "int(I > I)",
             "int(S == S)",
             "int(S in S)",
             "int(I in L)",
             "int(L == L)",
             "bool(L) + 0",
             "hash(I) % 11",
             "ord((S + 'x')[0])",
             "round(I / 3)",
             "int(I is None)",
             "{1: I, 2: 5}[1]",
             "(I, 2)[0]",
             "I if True else 0",
             "int(not I)",
             "I.bit_length()",
             "sorted([I, 3])[0]",
             "[I, 4].index(4)",
             "len({I, I, 3})",
             "int(isinstance(I, int))",
             "pow(I, 2, 13)"},
    [STR] = {"S + S",
             "S * 2",
             "S[1:3]",
             "S[::-1]",
             "S[I % 5:]",
             "S.upper()",
             "S.replace('a', S)",
             "f'{I}-{S!r}'",
             "'%s|%d' % (S, I)",
             "'{}'.format(L)",

             "str(L)",
             "repr((S, I))",
             "json.dumps(L)",
             "json.dumps({'k': S, 'n': I})",
             "S.strip()",
             "(S + 'x').split('x')[0]",
             "re.sub('[a-c]', '#', S)",
             "S.encode().decode()",
             "S.title()",
             "chr(97 + I % 26)",
             "format(I, '05d')",
             "S.partition('b')[2]",
             "''.join(sorted(S))",
             "''.join(reversed(S))",
             "S.center(12, '.')",
             "S.zfill(9)",
             "bytes(S, 'utf-8').hex()",
             "''.join(map(str, L))",
             "'abcdef'[I % 6]",
             "{True: S, False: 'n'}[True]",
             "str({I: S})",
             "'-'.join({S: 1, 'q': 2})",
             "S.translate({97: 'A'})",
             "re.findall('.', S + 'z')[0]",
             "str(dict(a=S, b=I))",
             "S.join(['<', '>'])",
             "f'{S:>10}'",
             "str(None) + S",
             "'%r' % [S]",
             "S.rsplit('a', 1)[0]",

             "str(I == I)",
             "max(S, 'm')",
             "' '.join([S, str(I)])"},
    [LIST] = {"[I, S]",
              "L + L",
              "L[1:]",
              "L * 2",
              "[I] + L",

              "list(reversed(L))",
              "list(range(I % 5))",
              "[len(S), I]",
              "list(zip(L, range(9)))",
              "list(enumerate(L))",
              "S.split('a')",
              "list({'a': I, 'b': S}.values())",
              "list({S: 1})",
              "list({'a': I}.items())",

              "L.copy()",
              "list(S)",
              "[*L, I]",
              "list(map(str, L))",

              "json.loads(json.dumps(L))",
              "[[I], {'s': S}]",
              "list((I, S))",
              "sorted({S, 'k'})",
              "list({**{'a': I}})",
              "L[:I % 4]",

              "re.findall('[a-m]', S)",
              "list(dict(enumerate(L)).values())",
              "sorted([S, 'x'], key=len)",
              "sorted([3, 1], key=lambda x: x * I)",
              "[max([I, 2])]",
              "list(filter(None, [I, S]))",
              "list(S.encode())"},
};

static const char *const loops[TYPES][12] = {
    [INT] = {"sum(1 for x in L if x)", "len([x for x in L if str(x) > 'b'])",
             "sum(len(str(x)) for x in L)", "len({x: 1 for x in S})",
             "max([len(str(x)) for x in L] + [0])", "len({c for c in S})"},
    [STR] = {"''.join(c for c in S if c > 'c')", "','.join(str(x) for x in L)",
             "''.join([c for c in S if c != 'a'])"},
    [LIST] = {"[x for x in L if str(x) < 'm']", "[str(x) for x in L]",
              "[c for c in S if c in 'abc']", "list(g(L))",
              "sorted(L, key=str)", "[i for i in range(9) if i < I]",
              "sorted(str(x) for x in L)", "[y for x in [L, L] for y in x]"},
};

static const char *const choices[TYPES][12] = {
    [INT] = {"I if I > 3 else 1", "I and I", "f_int(I)", "I or 4"},
    [STR] = {"S if I % 2 else 'e'", "S and 'y'", "S or S", "f_str(S, I)",
             "type(I).__name__ + S", "'t' if S > S else 'f'"},
    [LIST] = {"L if L else [1]", "L and [2]", "L or [3]"},
};

static unsigned many(const char *const *row, unsigned max) {
    unsigned n = 0;
    while (n < max && row[n])
        n++;
    return n;
}

static void put_expression(struct maker *m, enum type t, enum family family) {
    const char *const *row = expressions[t];
    unsigned n = many(row, 48);
    if (family != DATA && pick(m, 3) == 0) {
        row = family == CONTROL && pick(m, 2) ? choices[t] : loops[t];
        n = many(row, 12);
    }
    char one[2] = "";
    bool quoted = false;
    for (const char *p = row[pick(m, n)]; *p; p++) {
        bool word =
            (p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z');
        if (*p == '\'') quoted = !quoted;
        one[0] = *p;
        if (word || (quoted && p[1] == '\''))
            put(m, one);
        else if (*p == 'I')
            put_var(m, INT);
        else if (*p == 'S')
            put_var(m, STR);
        else if (*p == 'L')
            put_var(m, LIST);
        else
            put(m, one);
    }
}

static void put_assignment(struct maker *m, const char *indent,
                           enum family family) {
    static const char letters[] = "isl";
    enum type t = (enum type)pick(m, TYPES);
    char name[16];
    bool fresh = m->count[t] < VARS && !indent[0];
    unsigned at = fresh ? m->count[t] : pick(m, m->count[t]);
    snprintf(name, sizeof name, "%c%u = ", letters[t], at);
    put(m, indent);
    put(m, name);
    put_expression(m, t, family);
    put(m, "\n");
    if (fresh) m->count[t]++;
}

static void put_change(struct maker *m, const char *indent) {
    static const char *const changes[] = {"L.append(I)",     "L.insert(0, S)",
                                          "L.extend(L[:3])", "L.reverse()",
                                          "L.sort(key=str)", "L += [S]"};
    put(m, indent);
    bool first = true;
    char name[16] = "";
    for (const char *p = changes[pick(m, 6)]; *p; p++) {
        char one[2] = {*p, 0};
        if (*p == 'L' && first) {
            snprintf(name, sizeof name, "l%u", pick(m, m->count[LIST]));
            put(m, name);
            first = false;
        } else if (*p == 'L')
            put_var(m, LIST);
        else if (*p == 'I')
            put_var(m, INT);
        else if (*p == 'S')
            put_var(m, STR);
        else
            put(m, one);
    }
    put(m, "\n");
}

static void put_branch(struct maker *m) {
    static const char *const heads[] = {"if I > 4:\n", "if S > 'b':\n",
                                        "for x in L[:4]:\n", "if L:\n",
                                        "while len(L) < 0:\n"};
    bool quoted = false;
    for (const char *p = heads[pick(m, 5)]; *p; p++) {
        char one[2] = {*p, 0};
        if (*p == '\'') quoted = !quoted;
        if (*p == 'I')
            put_var(m, INT);
        else if (*p == 'S')
            put_var(m, STR);
        else if (*p == 'L')
            put_var(m, LIST);
        else
            put(m, one);
    }
    for (unsigned i = 1 + pick(m, 2); i > 0; i--)
        put_assignment(m, "    ", DATA);
    if (pick(m, 2)) put_change(m, "    ");
}

static void make_program(struct maker *m, enum family family) {
    m->n = 0;
    m->count[INT] = 2, m->count[STR] = 2, m->count[LIST] = 1;
    put(m, "import json, re\n"
           "def f_int(x): return x * 2 if x > 2 else 7\n"
           "def f_str(s, n):\n    if n > 3: return s + '!'\n    return 'few'\n"
           "def g(l):\n    for x in l:\n        if str(x) > 'a': yield x\n"
           "i0 = 3\ns0 = 'lit'\n");
    for (unsigned i = 4 + pick(m, 8); i > 0; i--) {
        unsigned kind = pick(m, 8);
        if (family == CONTROL && kind < 3)
            put_branch(m);
        else if (family != DATA && kind == 3)
            put_change(m, "");
        else
            put_assignment(m, "", family);
    }
    for (unsigned t = 0; t < TYPES; t++)
        for (unsigned i = 0; i < m->count[t]; i++) {
            char line[32];
            snprintf(line, sizeof line, "tell(%c%u)\n", "isl"[t], i);
            put(m, line);
        }
}

/* -- runs ---------------------------------------------------------------------
 */

struct told {
    char value[ANSWER];
    uint32_t origins; /* bits */
};

struct trace {
    unsigned n;
    struct told told[VARS * TYPES];
    enum cordon_status end;
};

static cordon_session *session(bool strict) {
    cordon_options *o = cordon_options_new();
    struct cordon_limits limits = {.memory = 8u << 20};
    CHECK_EQ(cordon_options_function(o, "tell", 0), 0);
    cordon_options_limits(o, &limits);
    cordon_options_labels(o, strict ? CORDON_LABELS_STRICT : CORDON_LABELS_ON);
    cordon_session *s = cordon_session_new(o, NULL);
    cordon_options_free(o);
    CHECK(s);
    return s;
}

struct input {
    cordon_session *s;
    uint32_t origin;
};

static cordon_label_id label_input(void *user, const struct cordon_place *p) {
    struct input *in = user;
    (void)p;
    struct cordon_label l = {
        .integrity = 3, .norigins = 1, .origin = {in->origin}};
    return (cordon_label_id)cordon_label_number(in->s, &l);
}

static void set_input(cordon_session *s, const char *name, uint32_t origin,
                      const char *json) {
    struct input in = {s, origin};
    CHECK_EQ(cordon_set_labelled(s, name, json, strlen(json), label_input, &in),
             0);
}

static const char *const inputs[][2] = {
    {"4", "9"},
    {"\"abba\"", "\"xb\""},
    {"[2, \"ab\", null, 5.5]", "[1]"},
};

/* Runs with input number `changed` (from 1; 0: none) the other one. */
static void run(const struct maker *m, bool strict, unsigned changed,
                struct trace *t) {
    static const char *const names[] = {"i1", "s1", "l0"};
    cordon_session *s = session(strict);
    for (unsigned i = 0; i < 3; i++)
        set_input(s, names[i], i + 1, inputs[i][changed == i + 1]);
    t->n = 0;
    enum cordon_status st = cordon_run(s, m->code);
    while (st == CORDON_CALL) {
        struct told *told = &t->told[t->n++];
        struct cordon_label l;
        const char *json = cordon_call_args_json(s);
        snprintf(told->value, sizeof told->value, "%s", json ? json : "?");
        cordon_label_read(s, cordon_call_label(s), &l);
        told->origins = l.many ? UINT32_MAX : 0;
        for (unsigned i = 0; i < l.norigins; i++)
            told->origins |= 1u << l.origin[i];
        st = cordon_resume_json(s, "null", 4);
    }
    t->end = st;
    cordon_session_free(s);
}

/* False: a run ended early, and there is nothing to compare. */
static bool check(const struct maker *m, enum family family, unsigned changed) {
    static struct trace one, two;
    bool strict = family == CONTROL;
    run(m, strict, 0, &one);
    run(m, strict, changed, &two);
    if (one.end != CORDON_DONE || two.end != CORDON_DONE) return false;
    CHECK_EQ(one.n, two.n);
    for (unsigned i = 0; i < one.n; i++) {
        if (!strcmp(one.told[i].value, two.told[i].value)) continue;
        bool a = one.told[i].origins >> changed & 1;
        bool b = two.told[i].origins >> changed & 1;
        if (family == DATA ? a && b : a || b) continue;
        test_note("input %u is lost in tell number %u: %s / %s", changed, i,
                  one.told[i].value, two.told[i].value);
        test_note("%s", m->code);
        test_fail(__FILE__, __LINE__, "a label was lost");
    }
    return true;
}

static void check_many(enum family family) {
    const char *runs = getenv("TAINT_RUNS"), *seed = getenv("TAINT_SEED");
    unsigned n = runs ? (unsigned)atoi(runs) : 150;
    static struct maker m;
    m.state = (seed ? (uint64_t)atoi(seed) : 1) * 7919 + family;
    unsigned finished = 0;
    for (unsigned i = 0; i < n; i++) {
        make_program(&m, family);
        finished += check(&m, family, 1 + pick(&m, 3));
    }
    test_note("%u of %u programs ran to their end", finished, n);
    CHECK(finished > n * 3 / 4);
    engine_fini();
}

TEST(expressions_lose_no_label) {
    check_many(DATA);
}

TEST(comprehensions_and_generators_lose_no_label) {
    check_many(LOOPS);
}

TEST(control_loses_no_label_in_strict_runs) {
    check_many(CONTROL);
}
