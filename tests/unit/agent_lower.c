/* SPDX-License-Identifier: MIT
 *
 * Schemas for vendors that enforce them.
 */
#include "agent/lower.h"
#include "test.h"
#include "json/coerce.h"
#include "json/write.h"

#define ROOM ((size_t)1 << 22)

static const struct json *parse(const char *text, struct arena *a) {
    const struct json *v;
    struct err e;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

static void lowers(enum api api, const char *from, const char *want) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf got = BUF_MAX(ROOM);
    const struct json *out;
    struct err e;
    CHECK_OK(lower_schema(api, parse(from, &a), &a, &out, &e), &e);
    if (json_equal(out, parse(want, &a))) return;
    CHECK_OK(json_write(out, JSON_COMPACT, &got, &e), &e);
    CHECK_TEXT(buf_text(&got), want);
}

static void refuses(const char *from, const char *why) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *out;
    struct err e;
    CHECK_FAIL(lower_schema(API_CHAT, parse(from, &a), &a, &out, &e), &e,
               ERR_UNSUPPORTED);
    CHECK_HAS(e.text, why);
}

TEST(optional_members_may_be_null_at_openai) {
    lowers(API_CHAT,
           "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
           "\"b\":{\"type\":\"integer\",\"minimum\":1}},\"required\":[\"a\"]}",
           "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
           "\"b\":{\"anyOf\":[{\"type\":\"integer\",\"minimum\":1},{\"type\":"
           "\"null\"}]}},\"required\":[\"a\",\"b\"],"
           "\"additionalProperties\":false}");
}

TEST(what_anthropic_does_not_enforce_is_said_in_words) {
    lowers(API_ANTHROPIC,
           "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"integer\","
           "\"minimum\":1,\"description\":\"Count.\"}}}",
           "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"integer\","
           "\"description\":\"Count. {minimum: 1}\"}},\"required\":[],"
           "\"additionalProperties\":false}");
}

TEST(alternatives_references_and_formats_are_kept_where_they_can_be) {
    lowers(API_CHAT,
           "{\"$schema\":\"x\",\"type\":\"object\",\"properties\":{\"p\":{"
           "\"oneOf\":[{\"$ref\":\"#/$defs/d\"},{\"type\":\"string\","
           "\"format\":\"email\"},{\"type\":\"string\",\"format\":\"uri\"}]}},"
           "\"required\":[\"p\"],\"$defs\":{\"d\":{\"type\":\"number\"}}}",
           "{\"type\":\"object\",\"properties\":{\"p\":{\"anyOf\":[{\"$ref\":"
           "\"#/$defs/d\"},{\"type\":\"string\",\"format\":\"email\"},{"
           "\"type\":\"string\",\"description\":\"{format: \\\"uri\\\"}\"}]}},"
           "\"required\":[\"p\"],\"additionalProperties\":false,"
           "\"$defs\":{\"d\":{\"type\":\"number\"}}}");
}

TEST(what_cannot_be_enforced_is_refused_with_the_reason) {
    refuses("{\"type\":\"object\",\"additionalProperties\":{\"type\":"
            "\"string\"}}",
            "any name");
    refuses("{\"type\":\"object\",\"properties\":{\"a\":{\"not\":{\"type\":"
            "\"string\"}}}}",
            "not");
    refuses("{\"type\":\"object\",\"properties\":{\"a\":{}}}", "anything");
    refuses("{\"type\":\"string\"}", "not an object");
    refuses("{\"type\":\"object\",\"anyOf\":[]}", "root");
}

TEST(the_nulls_of_strict_calls_are_taken_out_again) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_SCHEMA struct schema *s = NULL;
    struct coerce_result r;
    struct err e;
    CHECK_OK(schema_compile(
                 parse("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
                       "\"string\"},\"b\":{\"type\":\"integer\"}},"
                       "\"required\":[\"a\"]}",
                       &a),
                 NULL, &s, &e),
             &e);
    CHECK_OK(coerce_value(s, parse("{\"a\":\"x\",\"b\":null}", &a), &a, &r, &e),
             &e);
    CHECK(json_equal(r.value, parse("{\"a\":\"x\"}", &a)));
}

TEST(offers_lose_strict_where_it_cannot_be_had) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct offers offers = {0};
    struct err e;
    struct offer *good = offers_add(&offers, &a, &e);
    struct offer *bad = offers_add(&offers, &a, &e);
    good->schema = parse("{\"type\":\"object\",\"properties\":{}}", &a);
    bad->schema =
        parse("{\"type\":\"object\",\"additionalProperties\":true}", &a);
    good->strict = bad->strict = 1;
    CHECK_OK(lower_offers(&offers, vendor_of_api(API_CHAT), &a, &e), &e);
    CHECK_EQ(good->strict, 1);
    CHECK_EQ(bad->strict, 0);
    CHECK(json_get(good->schema, "required"));
}
