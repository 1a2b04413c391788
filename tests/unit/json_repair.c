/* SPDX-License-Identifier: MIT */
#include "json/repair.h"

#include "test.h"
#include "json/write.h"

#define ROOM ((size_t)1 << 20)

/* The value as text, then the code of each repair. */
static int repair(const char *text, struct buf *out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct repair_result r;
    if (repair_parse(str_of(text), NULL, &a, &r, e)) return -1;
    CHECK_OK(json_write(r.value, JSON_COMPACT, out, e), e);
    for (unsigned i = 0; i < REPAIR_COUNT; i++)
        if (r.rules >> i & 1)
            CHECK_OK(buf_addf(out, e, " %s", repair_code((enum repair_rule)i)),
                     e);
    return 0;
}

static void check(const char *text, const char *want) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(4096);
    CHECK_OK(repair(text, &out, &e), &e);
    CHECK_STR(buf_str(&out), want);
}

static void check_refused(const char *text, const char *why) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(4096);
    int failed = repair(text, &out, &e);
    if (!failed) test_note("%s became %s", text, buf_text(&out));
    CHECK(failed);
    CHECK_EQ(e.kind, ERR_INVALID);
    if (why) CHECK_HAS(e.text, why);
}

TEST(json_is_left_alone) {
    check("{\"a\":[1,2]}", "{\"a\":[1,2]}");
    check("\"text\"", "\"text\"");
    check("5", "5");
    check("\"{not json\"", "\"{not json\"");
}

TEST(a_fence_is_taken_off) {
    check("```json\n{\"a\":1}\n```", "{\"a\":1} code_fence");
    check("```\n[1]\n```\n", "[1] code_fence");
    check("``` {\"a\":1} ```", "{\"a\":1} code_fence");
    check("Sure:\n```json\n{\"a\":1}\n```\nDone.",
          "{\"a\":1} code_fence prose");
    check("{\"a\":\"```\"}", "{\"a\":\"```\"}");
    check_refused("```json\n{\"a\":1}", NULL);
    check_refused("```json\n{\"a\":1}\n```\n```json\n{\"a\":2}\n```", NULL);
}

TEST(a_trailing_comma_is_dropped) {
    check("{\"a\":1,}", "{\"a\":1} trailing_comma");
    check("[1,2 , ]", "[1,2] trailing_comma");
    check("{\"a\":[1,],\"b\":{\"c\":\",}\",},}",
          "{\"a\":[1],\"b\":{\"c\":\",}\"}} trailing_comma");
    check_refused("{,}", NULL);
    check_refused("[1,,]", NULL);
    check_refused("[,1]", NULL);
    check_refused("{\"a\":,}", NULL);
}

TEST(control_characters_in_strings_are_escaped) {
    check("{\"a\":\"x\ny\tz\"}", "{\"a\":\"x\\ny\\tz\"} control_char");
    check("{\"a\":\"\x01\"}", "{\"a\":\"\\u0001\"} control_char");
    check_refused("{\"a\x01\":", "truncated");
}

TEST(what_was_encoded_twice_is_decoded_twice) {
    check("\"{\\\"a\\\":1}\"", "{\"a\":1} double_encoded");
    check("\"[1]\"", "[1] double_encoded");
    check("\"\\\"{}\\\"\"", "{} double_encoded");
    check("\"{\\\"a\\\":1,}\"", "{\"a\":1} trailing_comma double_encoded");
    check("\"{\n\\\"a\\\":1}\"", "{\"a\":1} control_char double_encoded");
    check("\"{\\\"a\\\":\"", "\"{\\\"a\\\":\"");
}

TEST(prose_is_cut_off_only_when_one_value_is_left) {
    check("Here are the arguments: {\"a\":1}", "{\"a\":1} prose");
    check("{\"a\":1} is what I need.", "{\"a\":1} prose");
    check_refused("{\"a\":1} or {\"a\":2}", NULL);
    check_refused("{\"a\":1}{\"a\":1}", NULL);
    check_refused("{\"a\":1}}", NULL);
    check_refused("\"b\": {\"a\":1}", NULL);
    check_refused("}, {\"a\":1}", NULL);
    check_refused("no value at all", NULL);
    check_refused("", NULL);
}

TEST(truncated_text_is_refused_wherever_it_ends) {
    static const char whole[] =
        "{\"a\":[1,{\"b\":\"x\\\"y\"}],\"c\":{\"d\":null},\"e\":-1.5e3}";
    char text[sizeof whole];
    for (size_t n = 0; n + 1 < sizeof whole; n++) {
        for (size_t i = 0; i < n; i++)
            text[i] = whole[i];
        text[n] = '\0';
        check_refused(text, n > 0 ? "truncated" : NULL);
    }
    check_refused("The arguments: {\"a\":{\"b\":1}, \"c\":", "truncated");
    check_refused("\"{\\\"a\\\":1}", "truncated");
    check_refused("{\"a\":1,", "truncated");
    check_refused("{\"a\":\"x\n", "truncated");
}

TEST(guesses_are_not_made) {
    check_refused("{a:1}", NULL);
    check_refused("{'a':1}", NULL);
    check_refused("{\"a\":1 \"b\":2}", NULL);
    check_refused("{\"a\":True}", NULL);
    check_refused("{\"a\":1,\"a\":2}", NULL);
}

static int repair_once(const char *text) {
    struct err e;
    struct arena a = ARENA_MAX(ROOM);
    struct repair_result r;
    int failed = repair_parse(str_of(text), NULL, &a, &r, &e);
    arena_fini(&a);
    return failed;
}

TEST(repair_survives_every_failed_allocation) {
    static const char text[] =
        "Look:\n```json\n\"{\\\"a\\\":[1,],\\\"b\\\":\\\"x\n\\\"}\"\n```";
    TORTURE(repair_once(text));
}
