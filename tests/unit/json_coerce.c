/* SPDX-License-Identifier: MIT */
#include "json/coerce.h"

#include "test.h"
#include "json/write.h"

#include <string.h>

#define ROOM ((size_t)1 << 20)

static const struct json *parse(const char *text, struct arena *a) {
    struct err e;
    const struct json *v;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

/* The coerced value as text, then each change as "path rule". */
static int coerce(const char *schema_text, const char *value_text,
                  struct buf *out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_SCHEMA struct schema *s = NULL;
    struct coerce_result r;
    const struct json *schema = parse(schema_text, &a);
    const struct json *value = parse(value_text, &a);
    CHECK_OK(schema_compile(schema, NULL, &s, e), e);
    if (coerce_value(s, value, &a, &r, e)) return -1;
    CHECK_OK(schema_check(s, r.value, e), e);
    if (r.count == 0) CHECK(r.value == value);
    CHECK_OK(json_write(r.value, JSON_COMPACT, out, e), e);
    for (size_t i = 0; i < r.count; i++)
        CHECK_OK(buf_addf(out, e, " %.*s %s", STR_ARG(r.changes[i].path),
                          coerce_code(r.changes[i].rule)),
                 e);
    return 0;
}

/* want NULL: there is no lossless way. */
static void check(const char *schema, const char *value, const char *want) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(4096);
    int failed = coerce(schema, value, &out, &e);
    if (want && failed) test_note("%s on %s: %s", schema, value, e.text);
    if (want)
        CHECK_STR(buf_str(&out), want);
    else if (!failed)
        test_note("%s on %s: %s", schema, value, buf_text(&out));
    CHECK(!want == (failed != 0));
    if (failed) CHECK_EQ(e.kind, ERR_INVALID);
}

TEST(a_number_is_read_from_text_only_when_no_digit_is_lost) {
    check("{\"type\":\"integer\"}", "\"5\"", "5  number_from_text");
    check("{\"type\":\"integer\"}", "\"-12\"", "-12  number_from_text");
    check("{\"type\":\"integer\"}", "\"5.0\"", "5  number_from_text");
    check("{\"type\":\"integer\"}", "\"1e3\"", "1000  number_from_text");
    check("{\"type\":\"integer\"}", "\"123456789012345678901234567890\"",
          "123456789012345678901234567890  number_from_text");
    check("{\"type\":\"number\"}", "\"0.1\"", "0.1  number_from_text");
    check("{\"type\":\"number\"}", "\"8.854e-12\"",
          "8.854e-12  number_from_text");
    check("{\"type\":\"number\"}", "\"0.1000000000000000055511151231257827\"",
          NULL);
    check("{\"type\":\"number\"}", "\"1e-400\"", NULL);
    check("{\"type\":\"integer\"}", "\"5.5\"", NULL);
    check("{\"type\":\"integer\"}", "\" 5\"", NULL);
    check("{\"type\":\"integer\"}", "\"5 apples\"", NULL);
    check("{\"type\":\"integer\"}", "\"05\"", NULL);
    check("{\"type\":\"integer\"}", "\"+5\"", NULL);
    check("{\"type\":\"integer\"}", "\"1,000\"", NULL);
    check("{\"type\":\"integer\"}", "\"0x10\"", NULL);
    check("{\"type\":\"integer\"}", "\"\"", NULL);
    check("{\"type\":\"integer\",\"maximum\":4}", "\"5\"", NULL);
}

TEST(a_boolean_is_read_from_its_words_alone) {
    check("{\"type\":\"boolean\"}", "\"true\"", "true  boolean_from_text");
    check("{\"type\":\"boolean\"}", "\"False\"", "false  boolean_from_text");
    check("{\"type\":\"boolean\"}", "\"yes\"", NULL);
    check("{\"type\":\"boolean\"}", "\"TRUE\"", NULL);
    check("{\"type\":\"boolean\"}", "1", NULL);
    check("{\"type\":\"boolean\"}", "0", NULL);
    check("{\"type\":\"boolean\"}", "\"1\"", NULL);
}

TEST(nothing_becomes_text_and_nothing_is_rounded) {
    check("{\"type\":\"string\"}", "5", NULL);
    check("{\"type\":\"string\"}", "true", NULL);
    check("{\"type\":\"string\"}", "null", NULL);
    check("{\"type\":\"string\"}", "[\"a\"]", NULL);
    check("{\"type\":\"integer\"}", "1.5", NULL);
    check("{\"type\":\"integer\"}", "true", NULL);
    check("{\"type\":\"integer\"}", "[5]", NULL);
    check("{\"enum\":[\"Red\"]}", "\"red\"", NULL);
}

TEST(containers_are_read_from_whole_json_text) {
    check("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", "\"[1, 2]\"",
          "[1,2]  array_from_text");
    check("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}",
          "\"[1,\\\"2\\\"]\"", "[1,2]  array_from_text /1 number_from_text");
    check("{\"type\":\"object\",\"required\":[\"a\"]}", "\"{\\\"a\\\":1}\"",
          "{\"a\":1}  object_from_text");
    check("{\"type\":\"object\"}", "\"{\\\"a\\\":1\"", NULL);
    check("{\"type\":\"array\"}", "\"[1,2\"", NULL);
    check("{\"type\":\"array\"}", "\"{}\"", NULL);
    check("{\"type\":\"object\"}", "[]", NULL);
}

TEST(one_scalar_becomes_a_list_of_one) {
    check("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "\"vegan\"",
          "[\"vegan\"]  list_of_one");
    check("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", "5",
          "[5]  list_of_one");
    check("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "\"a, b\"",
          NULL);
    check("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "\"[a\"",
          NULL);
    check("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}", "\"x\"",
          NULL);
    check("{\"type\":\"array\"}", "null", NULL);
    check("{\"type\":\"array\"}", "{\"a\":1}", NULL);
    check("{\"type\":\"array\",\"minItems\":2}", "1", NULL);
}

TEST(null_is_dropped_where_the_member_is_optional) {
    static const char *const schema =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},"
        "\"b\":{\"type\":\"string\"},\"n\":{\"type\":[\"null\",\"string\"]}},"
        "\"required\":[\"a\"]}";
    check(schema, "{\"a\":1,\"b\":null}", "{\"a\":1} /b null_dropped");
    check(schema, "{\"a\":\"1\",\"b\":null,\"n\":null}",
          "{\"a\":1,\"n\":null} /a number_from_text /b null_dropped");
    check(schema, "{\"a\":null}", NULL);
    check(schema, "{\"a\":1,\"n\":null}", "{\"a\":1,\"n\":null}");
}

TEST(a_valid_value_is_returned_as_it_is) {
    check("{\"type\":[\"integer\",\"string\"]}", "\"5\"", "\"5\"");
    check("{}", "\"5\"", "\"5\"");
    check("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}", "\"5\"",
          "\"5\"");
}

TEST(two_readings_are_no_reading) {
    check("{\"type\":[\"integer\",\"array\"]}", "\"5\"", NULL);
    check("{\"anyOf\":[{\"type\":\"boolean\"},{\"type\":\"array\"}]}",
          "\"true\"", NULL);
    check("{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"number\"}]}", "\"5\"",
          "5  number_from_text");
    check("{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]}", "\"5\"",
          "5  number_from_text");
    check("{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"number\"}]}", "\"5\"",
          NULL);
}

TEST(schemas_behind_references_are_followed) {
    check("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"}},"
          "\"$defs\":{\"n\":{\"type\":\"integer\"}}}",
          "{\"a\":\"7\"}", "{\"a\":7} /a number_from_text");
    check("{\"allOf\":[{\"properties\":{\"a\":{\"type\":\"integer\"}}},"
          "{\"properties\":{\"b\":{\"type\":\"boolean\"}}}]}",
          "{\"a\":\"7\",\"b\":\"true\"}",
          "{\"a\":7,\"b\":true} /a number_from_text /b boolean_from_text");
    check("{\"properties\":{\"a\":{\"items\":{\"type\":\"number\"}}}}",
          "{\"a\":[\"1\",2,\"3.5\"]}",
          "{\"a\":[1,2,3.5]} /a/0 number_from_text /a/2 number_from_text");
}

TEST(a_part_that_cannot_be_helped_leaves_no_trace) {
    check("{\"properties\":{\"a\":{\"type\":\"integer\"},"
          "\"b\":{\"type\":\"integer\"}}}",
          "{\"a\":\"1\",\"b\":\"x\"}", NULL);
}

TEST(coercion_of_a_schema_without_end_is_a_limit) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(4096);
    CHECK_FAIL(coerce("{\"anyOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}", "1",
                      &out, &e),
               &e, ERR_LIMIT);
}

static int coerce_once(const struct json *schema, const struct json *value) {
    struct err e;
    struct arena a = ARENA_MAX(ROOM);
    AUTO_SCHEMA struct schema *s = NULL;
    struct coerce_result r;
    int failed = schema_compile(schema, NULL, &s, &e) ||
                 coerce_value(s, value, &a, &r, &e);
    arena_fini(&a);
    return failed ? -1 : 0;
}

TEST(coercion_survives_every_failed_allocation) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *schema =
        parse("{\"properties\":{\"a\":{\"type\":\"integer\"},"
              "\"b\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},"
              "\"c\":{\"anyOf\":[{\"type\":\"boolean\"},{\"type\":\"null\"}]},"
              "\"d\":{\"type\":\"string\"},\"e\":{\"type\":\"array\"}}}",
              &a);
    const struct json *value =
        parse("{\"a\":\"1\",\"b\":\"[1,\\\"2.5\\\"]\",\"c\":\"True\","
              "\"d\":null,\"e\":7}",
              &a);
    TORTURE(coerce_once(schema, value));
}
