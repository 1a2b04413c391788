/* SPDX-License-Identifier: MIT */
#include "json/write.h"

#include "test.h"
#include "json/build.h"

#include <math.h>
#include <string.h>

#define ROOM ((size_t)1 << 20)

static void check_style(const char *text, enum json_style style,
                        const char *want) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    const struct json *v = NULL;
    CHECK_OK(json_parse(str_of(text), NULL, &a, &v, &e), &e);
    CHECK_OK(json_write(v, style, &out, &e), &e);
    CHECK_STR(buf_str(&out), want);
}

TEST(compact_text_has_no_white_space) {
    check_style(" { \"a\" : [ 1 , true , null , [ ] , { } ] , \"b\" : \"c\" } ",
                JSON_COMPACT, "{\"a\":[1,true,null,[],{}],\"b\":\"c\"}");
    check_style("0", JSON_COMPACT, "0");
}

TEST(pretty_text_has_one_member_a_line) {
    check_style("{\"a\":[1,{\"b\":[]}],\"c\":{}}", JSON_PRETTY,
                "{\n"
                "  \"a\": [\n"
                "    1,\n"
                "    {\n"
                "      \"b\": []\n"
                "    }\n"
                "  ],\n"
                "  \"c\": {}\n"
                "}");
    check_style("[]", JSON_PRETTY, "[]");
}

TEST(only_what_must_be_escaped_is) {
    check_style("\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\\\/\\u007f\\u00e9\"",
                JSON_COMPACT,
                "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\x7f\u00e9\"");
    check_style("\"\\ud7ff\\ue000\\ud800\"", JSON_COMPACT,
                "\"\xed\x9f\xbf\xee\x80\x80\\ud800\"");
}

TEST(escapes_are_found_wherever_they_stand) {
    char text[64], want[128];
    for (size_t n = 1; n < 50; n++) {
        for (size_t at = 0; at < n; at++) {
            struct err e;
            AUTO_BUF struct buf out = BUF_MAX(ROOM);
            memset(text, 'x', n);
            text[at] = '\n';
            want[0] = '"';
            memset(want + 1, 'x', n + 1);
            memcpy(want + 1 + at, "\\n", 2);
            memcpy(want + n + 2, "\"", 2);
            CHECK_OK(json_write_string((str){text, n}, &out, &e), &e);
            CHECK_STR(buf_str(&out), want);
        }
    }
}

/* The example of RFC 8785, section 3.2.2 and 3.2.3. */
TEST(canonical_text_follows_rfc_8785) {
    check_style("{\"numbers\":[333333333.33333329,1E30,4.50,2e-3,"
                "0.000000000000000000000000001],\"string\":\"\\u20ac$\\u000F"
                "\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\","
                "\"literals\":[null,true,false]}",
                JSON_CANONICAL,
                "{\"literals\":[null,true,false],\"numbers\":"
                "[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    check_style("{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\","
                "\"\\ufb33\":\"Hebrew Letter Dalet With Dagesh\","
                "\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning Face\","
                "\"\\u0080\":\"Control\","
                "\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}",
                JSON_CANONICAL,
                "{\"\\r\":\"Carriage Return\",\"1\":\"One\","
                "\"\xc2\x80\":\"Control\","
                "\"\u00f6\":\"Latin Small Letter O With Diaeresis\","
                "\"\u20ac\":\"Euro Sign\","
                "\"\U0001f600\":\"Emoji: Grinning Face\","
                "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(canonical_keys_sort_by_utf16_units) {
    check_style(
        "{\"\\ud83d\\ude00\":1,\"\\ud83d\":2,\"\\ud83dz\":3,\"\\uffff\":4,"
        "\"a\":5,\"\":6,\"aa\":7}",
        JSON_CANONICAL,
        "{\"\":6,\"a\":5,\"aa\":7,\"\\ud83d\":2,\"\\ud83dz\":3,"
        "\"\U0001f600\":1,\"\uffff\":4}");
}

TEST(canonical_numbers_have_one_spelling) {
    check_style("[-0.0,1.0,1e2,10000000000000000000000,123456789012345678901,"
                "9007199254740993,1E400,10e399,-0.010e402]",
                JSON_CANONICAL,
                "[0,1,100,10000000000000000000000,123456789012345678901,"
                "9007199254740993,1e+400,1e+400,-1e+400]");
}

TEST(a_full_buffer_is_a_limit_and_stays_as_it_was) {
    static const char text[] = "{\"key\\n\":[1.5,-12345,null,\"a\\u0001b\"]}";
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = NULL;
    CHECK_OK(json_parse(str_of(text), NULL, &a, &v, &e), &e);
    for (size_t max = 0; max < sizeof text - 1; max++) {
        AUTO_BUF struct buf out = BUF_MAX(max + 3);
        CHECK_OK(buf_add_text(&out, "abc", &e), &e);
        CHECK_FAIL(json_write(v, JSON_COMPACT, &out, &e), &e, ERR_LIMIT);
        CHECK_FAIL(json_write(v, JSON_CANONICAL, &out, &e), &e, ERR_LIMIT);
        CHECK_STR(buf_str(&out), "abc");
    }
    AUTO_BUF struct buf exact = BUF_MAX(sizeof text - 1);
    CHECK_OK(json_write(v, JSON_COMPACT, &exact, &e), &e);
    CHECK_STR(buf_str(&exact), text);
}

TEST(bytes_that_are_not_utf8_are_replaced) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    str bytes = STR("a\xff\xc3(\xf0\x9f\n");
    CHECK_OK(json_write_string(bytes, &out, &e), &e);
    CHECK_STR(buf_str(&out), "\"a\ufffd\ufffd(\ufffd\ufffd\\n\"");
}

static int stream(struct buf *out, struct err *e) {
    struct jw w = JW(out);
    jw_object(&w);
    jw_put_text(&w, "text", STR("a\"b"));
    jw_put_int(&w, "int", -5);
    jw_put_bool(&w, "yes", true);
    jw_key(&w, "list");
    jw_array(&w);
    jw_null(&w);
    jw_real(&w, 2);
    jw_real(&w, INFINITY);
    jw_array(&w);
    jw_end_array(&w);
    jw_object(&w);
    jw_end_object(&w);
    jw_raw(&w, STR("[1,2]"));
    jw_end_array(&w);
    jw_end_object(&w);
    return jw_done(&w, e);
}

TEST(text_can_be_written_piece_by_piece) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    CHECK_OK(stream(&out, &e), &e);
    CHECK_STR(buf_str(&out), "{\"text\":\"a\\\"b\",\"int\":-5,\"yes\":true,"
                             "\"list\":[null,2.0,null,[],{},[1,2]]}");
}

TEST(the_first_failure_of_a_stream_sticks) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(10);
    CHECK_FAIL(stream(&out, &e), &e, ERR_LIMIT);
    CHECK(out.len <= 10);
}

static int write_everything(const struct json *v) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    if (json_write(v, JSON_COMPACT, &out, &e)) return -1;
    if (json_write(v, JSON_PRETTY, &out, &e)) return -1;
    if (json_write(v, JSON_CANONICAL, &out, &e)) return -1;
    return stream(&out, &e);
}

TEST(writing_survives_every_failed_allocation) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v = NULL;
    CHECK_OK(
        json_parse(STR("{\"b\":{\"y\":1,\"x\":[1e999,0.5]},\"a\":\"text\"}"),
                   NULL, &a, &v, &e),
        &e);
    TORTURE(write_everything(v));
}
