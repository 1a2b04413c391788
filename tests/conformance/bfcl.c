/* SPDX-License-Identifier: MIT
 *
 * Calls of the Berkeley Function Calling Leaderboard: valid ones, mutants of
 * them, deviations that can be undone without loss, and damaged texts.
 */
#include "../unit/test.h"
#include "base/file.h"
#include "json/build.h"
#include "json/coerce.h"
#include "json/repair.h"

#include <stdio.h>
#include <string.h>

#define ROOT      "../shared/data/bfcl/"
#define ROOM      ((size_t)256 << 20)
#define MAX_TOOLS 4096

/* The tools' schemas, by number. */
static struct {
    struct arena arena;
    struct schema *schemas[MAX_TOOLS];
    const struct json *parameters[MAX_TOOLS];
} tools;

typedef void visit(const struct json *line, void *to);

static void each_line(const char *name, visit *see, void *to) {
    char path[256];
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(ROOM);
    snprintf(path, sizeof path, ROOT "%s", name);
    if (!file_exists(path)) SKIP("%s is not there", path);
    CHECK_OK(file_read(path, &text, &e), &e);
    str rest = buf_str(&text);
    while (rest.n > 0) {
        AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
        const struct json *line;
        str row = str_cut(&rest, '\n');
        if (row.n == 0) continue;
        CHECK_OK(json_parse(row, NULL, &a, &line, &e), &e);
        see(line, to);
    }
}

static void add_tool(const struct json *line, void *to) {
    struct err e;
    size_t i = (size_t)json_get_int(line, "tool", MAX_TOOLS);
    CHECK(i < MAX_TOOLS);
    struct json_build b = JSON_BUILD(&tools.arena);
    build_copy(&b, json_get(line, "parameters"));
    CHECK_OK(build_done(&b, &tools.parameters[i], &e), &e);
    CHECK_OK(schema_compile(tools.parameters[i], NULL, &tools.schemas[i], &e),
             &e);
    ++*(size_t *)to;
}

static size_t load_tools(void) {
    size_t count = 0;
    tools.arena = ARENA_MAX(ROOM);
    each_line("tools.jsonl", add_tool, &count);
    return count;
}

static void free_tools(void) {
    for (size_t i = 0; i < MAX_TOOLS; i++)
        schema_free(tools.schemas[i]);
    arena_fini(&tools.arena);
}

static size_t tool_of(const struct json *line) {
    return (size_t)json_get_int(line, "tool", MAX_TOOLS);
}

struct tally {
    size_t right, wrong;
};

static void judge_valid(const struct json *line, void *to) {
    struct tally *t = to;
    struct err e;
    int got = schema_check(tools.schemas[tool_of(line)],
                           json_get(line, "arguments"), &e);
    t->right += got == 0;
    t->wrong += got != 0;
}

TEST(every_schema_compiles_and_every_valid_call_is_accepted) {
    struct tally t = {0};
    size_t count = load_tools();
    each_line("calls_valid.jsonl", judge_valid, &t);
    printf("## BFCL: %zu schemas compiled, %zu of %zu valid calls accepted\n",
           count, t.right, t.right + t.wrong);
    CHECK(count >= 3417 && t.right > 3000);
    CHECK_EQ(t.wrong, 0);
    free_tools();
}

static void judge_mutant(const struct json *line, void *to) {
    struct tally *t = to;
    struct err e = {0};
    bool want = json_get_bool(line, "valid", true);
    int got = schema_check(tools.schemas[tool_of(line)],
                           json_get(line, "arguments"), &e);
    bool right = want ? got == 0 : got != 0 && e.kind == ERR_INVALID;
    t->right += right;
    t->wrong += !right;
}

TEST(every_mutant_gets_its_verdict) {
    struct tally t = {0};
    load_tools();
    each_line("mutants.jsonl", judge_mutant, &t);
    printf("## BFCL: %zu of %zu mutants judged as they should be\n", t.right,
           t.right + t.wrong);
    CHECK(t.right > 29000);
    CHECK_EQ(t.wrong, 0);
    free_tools();
}

/* ---- coercion
 * ----------------------------------------------------------------- */

static void judge_coercion(const struct json *line, void *to) {
    struct tally *t = to;
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct coerce_result r;
    int got = coerce_value(tools.schemas[tool_of(line)],
                           json_get(line, "arguments"), &a, &r, &e);
    bool right = got == 0 && r.count > 0 &&
                 json_equal(r.value, json_get(line, "expected"));
    t->right += right;
    t->wrong += !right;
    if (!right && t->wrong <= 10)
        test_note("call %lld, %.*s: %s", (long long)json_get_int(line, "n", -1),
                  STR_ARG(json_get_text(line, "kind", STR("?"))),
                  got ? e.text : "another value");
}

TEST(deviations_without_loss_are_undone) {
    struct tally t = {0};
    load_tools();
    each_line("coercions.jsonl", judge_coercion, &t);
    printf("## BFCL: %zu of %zu deviations recovered exactly\n", t.right,
           t.right + t.wrong);
    CHECK(t.right > 3900);
    CHECK(t.right * 100 >= (t.right + t.wrong) * 99);
    free_tools();
}

/* What a mutant may become: judged here from the mutant alone, not from what
 * the coercion says about itself. */
struct fate {
    size_t refused, dropped, listed, decoded, unsafe;
};

static str last_token(str pointer) {
    size_t i = pointer.n;
    while (i > 0 && pointer.p[i - 1] != '/')
        i--;
    return str_sub(pointer, i, pointer.n);
}

static bool is_required(const struct json *schema, str name) {
    const struct json *list = json_get(schema, "required");
    const struct json *item = list ? json_first(list) : NULL;
    for (size_t i = list ? json_len(list) : 0; i > 0; i--, item++)
        if (str_eq(json_str(item), name)) return true;
    return false;
}

/* The same object, but for one member. */
static bool same_but(const struct json *a, const struct json *b, str but) {
    size_t seen = 0;
    if (json_type(a) != JSON_OBJECT || json_type(b) != JSON_OBJECT)
        return false;
    const struct json *key = json_first(a);
    for (size_t i = json_len(a); i > 0; i--, key = json_skip(key + 1)) {
        if (str_eq(json_str(key), but)) continue;
        const struct json *other = json_get_str(b, json_str(key));
        if (!other || !json_equal(key + 1, other)) return false;
        seen++;
    }
    return seen + (json_get_str(b, but) ? 1 : 0) == json_len(b);
}

static void classify(const struct json *line, const struct json *result,
                     struct fate *f) {
    const struct json *given = json_get(line, "arguments");
    str at = json_get_text(line, "at", STR(""));
    str name = last_token(at);
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *whole;
    if (json_type(given) == JSON_STRING &&
        json_parse(json_str(given), NULL, &a, &whole, &e) == 0 &&
        json_equal(whole, result)) {
        f->decoded++;
        return;
    }
    const struct json *was = json_get_str(given, name);
    const struct json *now = json_get_str(result, name);
    bool rest = was && same_but(given, result, name);
    bool optional = !is_required(tools.parameters[tool_of(line)], name);
    if (rest && !now && json_type(was) == JSON_NULL && optional)
        f->dropped++;
    else if (rest && now && json_type(now) == JSON_ARRAY &&
             json_len(now) == 1 && json_type(was) < JSON_ARRAY &&
             json_equal(json_first(now), was))
        f->listed++;
    else {
        f->unsafe++;
        test_note("call %lld, %.*s at %.*s",
                  (long long)json_get_int(line, "n", -1),
                  STR_ARG(json_get_text(line, "op", STR("?"))), STR_ARG(at));
    }
}

static void judge_coerced_mutant(const struct json *line, void *to) {
    struct fate *f = to;
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct coerce_result r;
    if (json_get_bool(line, "valid", true)) return;
    if (coerce_value(tools.schemas[tool_of(line)], json_get(line, "arguments"),
                     &a, &r, &e))
        f->refused++;
    else
        classify(line, r.value, f);
}

TEST(no_invalid_mutant_is_accepted_in_an_unsafe_way) {
    struct fate f = {0};
    load_tools();
    each_line("mutants.jsonl", judge_coerced_mutant, &f);
    printf("## BFCL: of the invalid mutants, after coercion: %zu refused, %zu "
           "nulls of optional members dropped, %zu put in a list, %zu decoded "
           "from text, %zu unsafe\n",
           f.refused, f.dropped, f.listed, f.decoded, f.unsafe);
    CHECK(f.refused > 20000);
    CHECK_EQ(f.unsafe, 0);
    free_tools();
}

/* ---- damaged texts
 * --------------------------------------------------------------- */

#define MAX_KINDS 32

struct texts {
    size_t count;
    struct text_kind {
        char name[32];
        size_t recovered, refused, wrong;
    } kinds[MAX_KINDS];
};

static struct text_kind *kind_of_text(struct texts *t, str name) {
    size_t i = 0;
    while (i < t->count && !str_is(name, t->kinds[i].name))
        i++;
    CHECK(i < MAX_KINDS && name.n < sizeof t->kinds[0].name);
    if (i == t->count) memcpy(t->kinds[t->count++].name, name.p, name.n);
    return &t->kinds[i];
}

static void judge_text(const struct json *line, void *to) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct text_kind *k =
        kind_of_text(to, json_get_text(line, "kind", STR("?")));
    struct repair_result r;
    int got =
        repair_parse(json_get_text(line, "text", STR("")), NULL, &a, &r, &e);
    bool same = got == 0 && json_equal(r.value, json_get(line, "expected"));
    k->refused += got != 0;
    k->recovered += same;
    k->wrong += got == 0 && !same;
}

TEST(damaged_texts_are_repaired_or_refused_and_truncated_ones_always_refused) {
    static struct texts t;
    each_line("json_text.jsonl", judge_text, &t);
    for (size_t i = 0; i < t.count; i++) {
        const struct text_kind *k = &t.kinds[i];
        printf("## BFCL text %s: %zu recovered, %zu refused, %zu wrong\n",
               k->name, k->recovered, k->refused, k->wrong);
        CHECK_EQ(k->wrong, 0);
        bool cut = str_starts(str_of(k->name), STR("truncated"));
        bool ours = str_is(str_of(k->name), "fence") ||
                    str_is(str_of(k->name), "trailing_comma") ||
                    str_is(str_of(k->name), "raw_newline") ||
                    str_is(str_of(k->name), "double_encoded") ||
                    str_is(str_of(k->name), "prefix_text");
        if (cut) CHECK_EQ(k->recovered, 0);
        if (ours) CHECK_EQ(k->refused, 0);
    }
}
