/* SPDX-License-Identifier: MIT */
#include "json/parse.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "test.h"
#include "json/write.h"

#include <stdio.h>
#include <string.h>

#define ROOM ((size_t)64 << 20)

static const struct json *parsed(const char *text, struct arena *a) {
    struct err e;
    const struct json *v = NULL;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

/* The text as it is written again. */
static void check_text(const char *text, const struct json_limits *limits,
                       const char *want) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    const struct json *v = NULL;
    CHECK_OK(json_parse(str_of(text), limits, &a, &v, &e), &e);
    CHECK_OK(json_write(v, JSON_COMPACT, &out, &e), &e);
    CHECK_STR(buf_str(&out), want);
}

static void check_refused(str text, const struct json_limits *limits,
                          const char *why) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = NULL;
    if (json_parse(text, limits, &a, &v, &e) == 0)
        test_fail(__FILE__, __LINE__, "accepted: %.*s", STR_ARG(text));
    CHECK_HAS(e.text, why);
    CHECK(v == NULL);
    CHECK(a.used == 0);
}

TEST(every_kind_of_value_is_read) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v =
        parsed(" [null, true ,false, -12, 1.5, \"x\", [], {\"k\":{}}] ", &a);
    CHECK_EQ(json_type(v), JSON_ARRAY);
    CHECK_EQ(json_len(v), 8);
    CHECK_EQ(v->as.span, 11);
    CHECK_EQ(json_type(json_at(v, 0)), JSON_NULL);
    CHECK(json_at(v, 1)->as.boolean && !json_at(v, 2)->as.boolean);
    CHECK_EQ(json_at(v, 3)->as.integer, -12);
    CHECK(json_at(v, 4)->as.real == 1.5);
    CHECK_STR(json_str(json_at(v, 5)), "x");
    CHECK_EQ(json_len(json_at(v, 6)), 0);
    CHECK_EQ(json_type(json_get(json_at(v, 7), "k")), JSON_OBJECT);
    CHECK(json_skip(v) == v + 11);
}

TEST(text_without_a_terminator_is_enough) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    CHECK_OK(json_parse(str_sub(STR("[12]34"), 1, 3), NULL, &a, &v, &e), &e);
    CHECK_EQ(v->as.integer, 12);
}

TEST(integers_are_exact_and_larger_numbers_keep_their_text) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    CHECK(parsed("9223372036854775807", &a)->as.integer == INT64_MAX);
    CHECK(parsed("-9223372036854775808", &a)->as.integer == INT64_MIN);
    static const char *const big[] = {
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "100000000000000000000000000000000000000",
        "1e400",
        "-1.5E+309",
    };
    for (size_t i = 0; i < sizeof big / sizeof big[0]; i++) {
        const struct json *v = parsed(big[i], &a);
        CHECK_EQ(json_type(v), JSON_BIG);
        CHECK_TEXT(v->as.text, big[i]);
    }
    check_text("[9223372036854775808,1e999,{\"a\":-1e999}]", NULL,
               "[9223372036854775808,1e999,{\"a\":-1e999}]");
}

TEST(a_real_stays_a_real) {
    check_text("[1.0,-0.0,1e2,0.1,1E-7,5e-324,123456789012345678.5]", NULL,
               "[1.0,-0.0,100.0,0.1,1e-07,5e-324,1.2345678901234568e+17]");
    check_text("[1e-999,-0]", NULL, "[0.0,0]");
}

TEST(escapes_become_text) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = parsed(
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"",
        &a);
    CHECK_STR(json_str(v), "\"\\/\b\f\n\r\tA\u00e9\u20ac\U0001f600");
    CHECK_EQ(v->as.text[json_len(v)], 0);
}

TEST(strings_may_hold_nul) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = parsed("\"a\\u0000b\"", &a);
    CHECK_EQ(json_len(v), 3);
    CHECK(memcmp(v->as.text, "a\0b", 4) == 0);
}

TEST(lone_surrogates_are_kept) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    CHECK_STR(json_str(parsed("\"\\ud800\"", &a)), "\xed\xa0\x80");
    check_text("[\"\\ud83dx\",\"\\ude00\\ud83d\",\"\\ud83d\\u0041\"]", NULL,
               "[\"\\ud83dx\",\"\\ude00\\ud83d\",\"\\ud83dA\"]");
}

TEST(strings_of_every_length_and_place_survive) {
    char text[200];
    for (size_t n = 0; n < 70; n++) {
        for (size_t at = 0; at <= n; at++) {
            AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
            int len =
                snprintf(text, sizeof text, "[\"%.*s\\n\u20ac%.*s\"]", (int)at,
                         "abcdefghijklmnopqrstuvwxyzabcdefghijk"
                         "lmnopqrstuvwxyzabcdefghijklmnopqrstuv",
                         (int)(n - at),
                         "0123456789012345678901234567890123456789"
                         "0123456789012345678901234567890123456789");
            const struct json *v = json_first(parsed(text, &a));
            CHECK_EQ(json_len(v), n + 4);
            CHECK(memcmp(v->as.text + at, "\n\u20ac", 4) == 0);
            CHECK(len > 0);
        }
    }
}

TEST(what_is_not_json_is_refused_and_the_place_told) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "line 1, column 1: expected a value, got the end"},
        {"{\"a\" 1}", "line 1, column 6: expected ':' after the key, got '1'"},
        {"[1,\n 2,\n x]", "line 3, column 2: expected a value, got 'x'"},
        {"[\"\u20ac\u20ac\", +1]", "line 1, column 8: expected a value"},
        {"{a:1}", "expected a key in double quotes, got 'a'"},
        {"{\"a\":1,}", "expected a key in double quotes, got '}'"},
        {"[1,]", "expected a value, got ']'"},
        {"[1 2]", "expected ',' or ']', got '2'"},
        {"{\"a\":1]", "expected ',' or '}', got ']'"},
        {"[1]]", "expected nothing more after the value, got ']'"},
        {"01", "expected no digit after a leading 0"},
        {"-", "expected a digit, got the end"},
        {"1.", "expected a digit after the point"},
        {"1e+", "expected a digit in the exponent"},
        {"\"\\x\"", "after the backslash, got 'x'"},
        {"\"\\u12g4\"", "expected four hexadecimal digits after \\u, got 'g'"},
        {"\"a\nb\"", "control characters are not allowed"},
        {"\"\xff\"", "expected valid UTF-8, got byte 0xff"},
        {"\"\xed\xa0\x80\"", "expected valid UTF-8, got byte 0xed"},
        {"\xef\xbb\xbf[]", "expected a value, got byte 0xef"},
        {"nul", "expected a value, got the end"},
        {"nulx", "column 4: expected a value, got 'x'"},
        {"// no\n1", "expected a value, got '/'"},
        {"[NaN]", "expected a value, got 'N'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(str_of(cases[i].text), NULL, cases[i].why);
    check_refused(STR("[1]\0"), NULL, "got byte 0x00");
}

/* Each start of a three-byte sequence with each second byte. */
TEST(utf8_is_judged_as_utf8_valid_judges_it) {
    static const char last[] = "\x7f\x80\xbf\xc0x";
    for (int first = 0xc0; first < 0x100; first++)
        for (int second = 0x5d; second < 0x100; second++)
            for (size_t i = 0; i < sizeof last - 1; i++) {
                struct err e;
                AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
                const struct json *v;
                char text[] = {'"', (char)first, (char)second, last[i], '"'};
                bool valid = utf8_valid(text, 5) == 5;
                CHECK((json_parse((str){text, 5}, NULL, &a, &v, &e) == 0) ==
                      valid);
            }
}

TEST(text_that_ended_early_is_told_apart) {
    static const char *const cut[] = {
        "",           " ",          "[",       "[1",       "[1,",   "{",
        "{\"a",       "{\"a\"",     "{\"a\":", "{\"a\":1", "\"abc", "\"abc\\",
        "\"abc\\u12", "\"\xe2\x82", "tr",      "-",        "1.",    "1e",
    };
    static const char *const wrong[] = {
        "]",    "[1}", "{\"a\"}", "\"\\x",  "\"\xe2x",
        "tru]", "1.]", "1 1",     "\"\xff",
    };
    struct err e;
    struct json_fault fault;
    const struct json *v;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        CHECK_FAIL(json_parse_fault(str_of(cut[i]), NULL, &a, &v, &fault, &e),
                   &e, ERR_INVALID);
        if (!fault.truncated)
            test_fail(__FILE__, __LINE__, "not truncated: %s", cut[i]);
        CHECK_EQ(fault.offset, strlen(cut[i]));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_FAIL(json_parse_fault(str_of(wrong[i]), NULL, &a, &v, &fault, &e),
                   &e, ERR_INVALID);
        if (fault.truncated)
            test_fail(__FILE__, __LINE__, "truncated: %s", wrong[i]);
    }
}

TEST(a_fault_behind_escapes_is_counted_in_the_original_text) {
    struct err e;
    struct json_fault fault;
    const struct json *v;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    str text = STR("[\"\\n\\n\\u20ac\",\n  \"\\n\" ?]");
    CHECK_FAIL(json_parse_fault(text, NULL, &a, &v, &fault, &e), &e,
               ERR_INVALID);
    CHECK_EQ(fault.line, 2);
    CHECK_EQ(fault.column, 8);
    CHECK_EQ(fault.offset, 22);
}

TEST(repeated_keys_are_refused_unless_kept) {
    struct json_limits keep = {.keep_duplicates = true};
    const char *text = "{\"a\":1,\"b\":2,\"\\u0061\":3}";
    check_refused(str_of(text), NULL, "line 1, column 14: repeated key \"a\"");
    check_refused(STR("[{\"x\":{\"\":1,\"\":2}}]"), NULL, "repeated key \"\"");
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    CHECK_OK(json_parse(str_of(text), &keep, &a, &v, &e), &e);
    CHECK_EQ(json_len(v), 3);
    CHECK_EQ(json_get_int(v, "a", 0), 3);
}

TEST(what_is_quoted_in_an_error_cannot_harm_a_terminal) {
    char out[PARSE_QUOTE_SIZE];
    CHECK_TEXT(parse_quote(STR("plain \u20ac"), out), "plain \u20ac");
    CHECK_TEXT(parse_quote(STR("\x1b[31m\x7f\u202e\xff\0x"), out),
               "?[31m????x");
    CHECK_TEXT(parse_quote(STR("0123456789012345678901234567890123456789"
                               "012345678901234567890123456789"),
                           out),
               "012345678901234567890123456789012345678901234567890123456789"
               "...");
    check_refused(STR("{\"\\u001b[2J\":1,\"\\u001b[2J\":2}"), NULL,
                  "repeated key \"?[2J\"");
}

/* An object of n keys "k0".., of which the last repeats the one at `again`. */
static void repeat_at(size_t n, size_t again) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(ROOM);
    CHECK_OK(buf_add_char(&b, '{', &e), &e);
    for (size_t i = 0; i < n; i++)
        CHECK_OK(buf_addf(&b, &e, "\"k%zu\":%zu,", i, i), &e);
    CHECK_OK(buf_addf(&b, &e, "\"k%zu\":0}", again), &e);
    if (again < n) {
        check_refused(buf_str(&b), NULL, "repeated key");
        return;
    }
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    CHECK_OK(json_parse(buf_str(&b), NULL, &a, &v, &e), &e);
}

TEST(repeated_keys_are_found_in_objects_of_any_size) {
    for (size_t n = 1; n < 120; n++) {
        repeat_at(n, n);
        repeat_at(n, 0);
        repeat_at(n, n / 2);
    }
    repeat_at(20000, 20000);
    repeat_at(20000, 7);
}

TEST(depth_and_size_have_limits) {
    struct json_limits three = {.depth = 3}, ten = {.bytes = 10};
    check_text("[[{}]]", &three, "[[{}]]");
    check_refused(STR("[[[[]]]]"), &three, "nested deeper than 3 levels");
    check_text("\"12345678\"", &ten, "\"12345678\"");
    check_refused(STR("\"123456789\""), &ten, "longer than 10 bytes");
    struct json_limits endless = {.depth = SIZE_MAX};
    char deep[JSON_DEPTH_MAX + 1];
    memset(deep, '[', sizeof deep);
    check_refused((str){deep, sizeof deep}, &endless,
                  "nested deeper than 1024 levels");
}

TEST(config_files_may_have_comments_and_a_last_comma) {
    struct json_limits config = {.comments = true};
    check_text("// a\n{ /* b */ \"k\" /**/ : // c\n [1, 2,], /* d */ } // end",
               &config, "{\"k\":[1,2]}");
    check_text("\"// no comment /* here */\"", &config,
               "\"// no comment /* here */\"");
    check_refused(STR("[,]"), &config, "expected a value, got ','");
    check_refused(STR("[1,,]"), &config, "expected a value, got ','");
    check_refused(STR("1 /* "), &config, "expected the end of the comment");
    check_refused(STR("1 / 2"), &config, "expected a comment after '/'");
}

TEST(a_failed_parse_leaves_the_arena_as_it_was) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = parsed("[1]", &a), *other = v;
    char *next = a.next;
    CHECK_FAIL(json_parse(STR("[1,2,3,4"), NULL, &a, &other, &e), &e,
               ERR_INVALID);
    CHECK(a.next == next && other == v);
}

TEST(a_long_string_fits_an_arena_little_larger) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1200000);
    AUTO_BUF struct buf b = BUF_MAX(ROOM);
    const struct json *v;
    CHECK_OK(buf_add_char(&b, '"', &e), &e);
    for (int i = 0; i < 100000; i++)
        CHECK_OK(buf_add_text(&b, "0123456789", &e), &e);
    CHECK_OK(buf_add_char(&b, '"', &e), &e);
    CHECK_OK(json_parse(buf_str(&b), NULL, &a, &v, &e), &e);
    CHECK_EQ(json_len(v), 1000000);
}

TEST(an_arena_that_is_too_small_is_a_limit) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(20000);
    AUTO_BUF struct buf b = BUF_MAX(ROOM);
    const struct json *v;
    CHECK_OK(buf_add_char(&b, '[', &e), &e);
    for (int i = 0; i < 4000; i++)
        CHECK_OK(buf_add_text(&b, "1,", &e), &e);
    CHECK_OK(buf_add_text(&b, "1]", &e), &e);
    CHECK_FAIL(json_parse(buf_str(&b), NULL, &a, &v, &e), &e, ERR_LIMIT);
}

static int parse_all(str text) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    return json_parse(text, NULL, &a, &v, &e);
}

TEST(parsing_survives_every_failed_allocation) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(ROOM);
    CHECK_OK(buf_add_text(&b, "[{\"a\":1", &e), &e);
    for (int i = 0; i < 100; i++)
        CHECK_OK(buf_addf(&b, &e, ",\"k%d\":1", i), &e);
    CHECK_OK(buf_add_text(&b, "}", &e), &e);
    for (int i = 0; i < 9000; i++)
        CHECK_OK(buf_add_text(&b, ",1", &e), &e);
    CHECK_OK(buf_add_text(&b, "]", &e), &e);
    TORTURE(parse_all(buf_str(&b)));
}

/* A sink of another kind: it counts, and stops at a budget. */
struct tally {
    size_t events, budget, bytes, ascii;
};

static int tally_one(struct tally *t, size_t bytes) {
    t->bytes += bytes;
    return t->events++ < t->budget ? 0 : -1;
}

static int tally_null(void *to) {
    return tally_one(to, 0);
}

static int tally_bool(void *to, bool v) {
    return tally_one(to, v);
}

static int tally_int(void *to, int64_t v) {
    return tally_one(to, (size_t)v);
}

static int tally_real(void *to, double v) {
    return tally_one(to, (size_t)v);
}

static int tally_big(void *to, char *p, size_t n) {
    return tally_one(to, p ? n : 0);
}

static int tally_text(void *to, char *p, size_t n, bool ascii) {
    struct tally *t = to;
    t->ascii += ascii;
    CHECK_EQ(p[n], 0);
    return tally_one(t, n);
}

static int tally_close(void *to, size_t count) {
    return tally_one(to, count);
}

static const struct parse_sink tally_sink = {
    .null = tally_null,
    .boolean = tally_bool,
    .integer = tally_int,
    .real = tally_real,
    .big = tally_big,
    .string = tally_text,
    .open_array = tally_null,
    .close_array = tally_close,
    .open_object = tally_null,
    .key = tally_text,
    .close_object = tally_close,
};

static enum parse_result tally(struct tally *t, struct json_fault *fault) {
    char text[] = " {\"k\":[1,2,\"\\u00e9\"],\"\\u006c\":null}";
    struct parse_in in = {text + 1, sizeof text - 2, 8, false};
    return parse_run(&in, &tally_sink, t, fault);
}

TEST(another_sink_gets_the_same_events) {
    struct json_fault fault;
    struct tally t = {.budget = 100};
    CHECK_EQ(tally(&t, &fault), PARSE_DONE);
    CHECK_EQ(t.events, 10);
    CHECK_EQ(t.bytes, 1 + 1 + 2 + 2 + 3 + 1 + 2);
    CHECK_EQ(t.ascii, 2);
}

TEST(a_sink_can_stop_the_parse_at_any_event) {
    struct json_fault fault;
    for (size_t budget = 0; budget < 10; budget++) {
        struct tally t = {.budget = budget};
        CHECK_EQ(tally(&t, &fault), PARSE_REFUSED);
        CHECK_EQ(t.events, budget + 1);
    }
}
