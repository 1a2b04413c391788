/* SPDX-License-Identifier: MIT */
#include "test.h"
#include "json/build.h"
#include "json/json.h"
#include "json/write.h"

#include <math.h>
#include <string.h>

#define ROOM ((size_t)16 << 20)

static const struct json *parsed(const char *text, struct arena *a) {
    struct err e;
    const struct json *v = NULL;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

TEST(members_and_items_are_found) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v =
        parsed("{\"a\":[10,{\"x\":1},20],\"b\":\"t\",\"c\":true,\"d\":7}", &a);
    CHECK_EQ(json_at(json_get(v, "a"), 2)->as.integer, 20);
    CHECK(json_at(json_get(v, "a"), 3) == NULL);
    CHECK(json_get(v, "none") == NULL);
    CHECK(json_get(NULL, "a") == NULL);
    CHECK(json_get(json_get(v, "b"), "a") == NULL);
    CHECK_STR(json_get_text(v, "b", STR("?")), "t");
    CHECK_STR(json_get_text(v, "c", STR("?")), "?");
    CHECK_EQ(json_get_int(v, "d", -1), 7);
    CHECK_EQ(json_get_int(v, "b", -1), -1);
    CHECK(json_get_bool(v, "c", false));
    CHECK(json_get_bool(v, "z", true));
}

/* The examples of RFC 6901, section 5. */
TEST(pointers_follow_rfc_6901) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v =
        parsed("{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,"
               "\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,"
               "\"m~n\":8}",
               &a);
    static const char *const numbered[] = {
        "/", "/a~1b", "/c%d", "/e^f", "/g|h", "/i\\j", "/k\"l", "/ ", "/m~0n",
    };
    for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++)
        CHECK_EQ(json_pointer(v, str_of(numbered[i]))->as.integer, i);
    CHECK(json_pointer(v, STR("")) == v);
    CHECK_STR(json_str(json_pointer(v, STR("/foo/0"))), "bar");
    static const char *const none[] = {
        "foo",     "/foo/2",  "/foo/-",
        "/foo/01", "/foo/+1", "/foo/0/x",
        "/m~n",    "/nope",   "/foo/99999999999999999999"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK(json_pointer(v, str_of(none[i])) == NULL);
}

static void check_equal(const char *left, const char *right, bool want) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *x = parsed(left, &a), *y = parsed(right, &a);
    if (json_equal(x, y) != want || json_equal(y, x) != want)
        test_fail(__FILE__, __LINE__, "%s and %s should %sbe equal", left,
                  right, want ? "" : "not ");
}

TEST(equality_is_by_value) {
    check_equal("1", "1.0", true);
    check_equal("0", "-0.0", true);
    check_equal("1", "1.5", false);
    check_equal("9007199254740993", "9007199254740992.0", false);
    check_equal("9223372036854775807", "9223372036854775808.0", false);
    check_equal("-9223372036854775808", "-9223372036854775808.0", true);
    check_equal("100000000000000000000", "1e20", true);
    check_equal("100000000000000000001", "1e20", false);
    check_equal("1e400", "10E+399", true);
    check_equal("1e400", "1e401", false);
    check_equal("-1e400", "1e400", false);
    check_equal("1e99999999999999999999", "1e99999999999999999999", true);
    check_equal("1e99999999999999999999", "1e99999999999999999998", false);
    check_equal("18446744073709551616", "18446744073709551616.0", true);
    check_equal("18446744073709551617", "18446744073709551616.0", false);
    check_equal("1", "true", false);
    check_equal("0", "false", false);
    check_equal("null", "false", false);
    check_equal("\"a\"", "\"\\u0061\"", true);
    check_equal("[1,2]", "[2,1]", false);
    check_equal("[1,2]", "[1,2,3]", false);
    check_equal("{\"a\":1,\"b\":[{}]}", "{\"b\":[{}],\"a\":1}", true);
    check_equal("{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false);
    check_equal("{\"a\":1}", "{\"a\":1,\"b\":2}", false);
    check_equal("{}", "[]", false);
}

/* {"k0":0,...} forwards or backwards; one value differs when odd >= 0. */
static const struct json *numbered(struct arena *a, size_t n, bool backwards,
                                   int64_t odd) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    for (size_t i = 0; i < n; i++) {
        int64_t k = (int64_t)(backwards ? n - 1 - i : i);
        char key[8] = {(char)('a' + k % 26), (char)('a' + k / 26 % 26),
                       (char)('a' + k / 676)};
        build_put_int(&b, key, k == odd ? -1 : k);
    }
    build_end(&b);
    struct err e;
    const struct json *v = NULL;
    CHECK_OK(build_done(&b, &v, &e), &e);
    return v;
}

TEST(large_objects_compare_without_memory_too) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *forth = numbered(&a, 500, false, -1);
    const struct json *back = numbered(&a, 500, true, -1);
    const struct json *other = numbered(&a, 500, true, 3);
    mem_fail_after(1);
    bool same = json_equal(forth, back), different = json_equal(forth, other);
    CHECK(mem_failed());
    mem_fail_after(0);
    CHECK(same && !different);
}

TEST(member_order_does_not_count_in_large_objects) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    for (size_t n = 1; n < 2000; n = n * 2 + 1) {
        const struct json *forth = numbered(&a, n, false, -1);
        CHECK(json_equal(forth, numbered(&a, n, true, -1)));
        CHECK(!json_equal(forth, numbered(&a, n, true, (int64_t)n / 2)));
    }
}

/* 500 objects inside each other; in each, two more members in this order. */
static const struct json *nested(struct arena *a, const char *p,
                                 const char *q) {
    struct err e;
    struct json_build b = JSON_BUILD(a);
    const struct json *v = NULL;
    for (int i = 0; i < 500; i++) {
        build_object(&b);
        build_key(&b, STR("deep"));
    }
    build_null(&b);
    for (int i = 0; i < 500; i++) {
        build_put_int(&b, p, 1);
        build_put_int(&b, q, 1);
        build_end(&b);
    }
    CHECK_OK(build_done(&b, &v, &e), &e);
    return v;
}

/* Would take 2^500 steps if a level compared its values twice. */
TEST(deep_objects_in_another_order_compare_in_no_time) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    CHECK(json_equal(nested(&a, "p", "q"), nested(&a, "q", "p")));
    CHECK(!json_equal(nested(&a, "p", "q"), nested(&a, "q", "x")));
}

TEST(numbers_of_every_kind_read_as_doubles) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    CHECK(json_number(parsed("3", &a)) == 3);
    CHECK(json_number(parsed("2.5", &a)) == 2.5);
    CHECK(json_number(parsed("100000000000000000000", &a)) == 1e20);
    CHECK(isinf(json_number(parsed("1e999", &a))));
}

static int build_sample(struct arena *a, const struct json *part,
                        const struct json **out, struct err *e) {
    struct json_build b = JSON_BUILD(a);
    build_object(&b);
    build_put_text(&b, "text", STR("a\0b"));
    build_put_int(&b, "int", -3);
    build_put_bool(&b, "bool", true);
    build_key(&b, STR("list"));
    build_array(&b);
    build_null(&b);
    build_real(&b, 0.5);
    build_big(&b, STR("123456789012345678901234567890"));
    build_object(&b);
    build_end(&b);
    build_end(&b);
    build_put(&b, "part", part);
    for (int i = 0; i < 20; i++) {
        char key[] = {(char)('a' + i), '\0'};
        build_put_int(&b, key, i);
    }
    build_end(&b);
    return build_done(&b, out, e);
}

TEST(values_can_be_built) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    const struct json *v = NULL;
    {
        AUTO_ARENA struct arena other = ARENA_MAX(ROOM);
        const struct json *part = parsed("{\"x\":[\"deep\",1e999]}", &other);
        CHECK_OK(build_sample(&a, part, &v, &e), &e);
    }
    CHECK_OK(json_write(v, JSON_COMPACT, &out, &e), &e);
    CHECK(str_starts(
        buf_str(&out),
        STR("{\"text\":\"a\\u0000b\",\"int\":-3,\"bool\":true,\"list\":[null,"
            "0.5,123456789012345678901234567890,{}],"
            "\"part\":{\"x\":[\"deep\",1e999]},\"a\":0,\"b\":1,")));
    CHECK_EQ(json_get_int(v, "t", -1), 19);
    CHECK(json_equal(v, parsed(buf_text(&out), &a)));
}

TEST(built_text_is_always_utf8) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct json_build b = JSON_BUILD(&a);
    const struct json *v = NULL;
    build_text(&b, STR("\xff"
                       "a\xe2\x82"
                       "b\xed\xa0\x80\xc0"));
    CHECK_OK(build_done(&b, &v, &e), &e);
    CHECK_STR(json_str(v), "\ufffd"
                           "a\ufffd\ufffd"
                           "b\xed\xa0\x80\ufffd");
}

typedef void misuse(struct json_build *b);

static void no_key(struct json_build *b) {
    build_object(b);
    build_null(b);
}

static void two_keys(struct json_build *b) {
    build_object(b);
    build_key(b, STR("a"));
    build_key(b, STR("b"));
}

static void key_only(struct json_build *b) {
    build_object(b);
    build_key(b, STR("a"));
    build_end(b);
}

static void key_in_array(struct json_build *b) {
    build_array(b);
    build_key(b, STR("a"));
}

static void two_values(struct json_build *b) {
    build_null(b);
    build_null(b);
}

static void not_closed(struct json_build *b) {
    build_array(b);
}

static void not_opened(struct json_build *b) {
    build_end(b);
}

static void nothing(struct json_build *b) {
    (void)b;
}

TEST(a_build_that_makes_no_document_fails) {
    static misuse *const cases[] = {no_key,       two_keys,   key_only,
                                    key_in_array, two_values, not_closed,
                                    not_opened,   nothing};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e;
        AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
        struct json_build b = JSON_BUILD(&a);
        const struct json *v = NULL;
        cases[i](&b);
        CHECK_FAIL(build_done(&b, &v, &e), &e, ERR_INTERNAL);
        CHECK(v == NULL);
    }
}

static enum json_type big_type(const char *digits) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct json_build b = JSON_BUILD(&a);
    const struct json *v = NULL;
    build_big(&b, str_of(digits));
    if (build_done(&b, &v, &e)) {
        CHECK_EQ(e.kind, ERR_INVALID);
        return JSON_NULL;
    }
    return json_type(v);
}

TEST(a_big_number_is_one_and_a_smaller_one_becomes_what_it_is) {
    CHECK_EQ(big_type("-9223372036854775809"), JSON_BIG);
    CHECK_EQ(big_type("1e400"), JSON_BIG);
    CHECK_EQ(big_type("-9223372036854775808"), JSON_INT);
    CHECK_EQ(big_type("1e40"), JSON_REAL);
    static const char *const wrong[] = {"",   "-",  "x",  "1x", "01", "1.",
                                        "+1", " 1", "1 ", "1e", "[1]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_EQ(big_type(wrong[i]), JSON_NULL);
}

TEST(reals_that_json_cannot_hold_are_refused) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct json_build b = JSON_BUILD(&a);
    const struct json *v;
    build_real(&b, NAN);
    CHECK_FAIL(build_done(&b, &v, &e), &e, ERR_INVALID);
}

TEST(built_values_nest_no_deeper_than_parsed_ones) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    struct json_build b = JSON_BUILD(&a), around = JSON_BUILD(&a);
    const struct json *v, *w;
    for (int i = 0; i < JSON_DEPTH_MAX; i++)
        build_array(&b);
    for (int i = 0; i < JSON_DEPTH_MAX; i++)
        build_end(&b);
    CHECK_OK(build_done(&b, &v, &e), &e);
    build_array(&around);
    build_copy(&around, v);
    build_end(&around);
    CHECK_FAIL(build_done(&around, &w, &e), &e, ERR_LIMIT);
    CHECK(json_equal(v, v));
    AUTO_BUF struct buf out = BUF_MAX(ROOM);
    CHECK_OK(json_write(v, JSON_COMPACT, &out, &e), &e);
    CHECK_OK(json_write(v, JSON_CANONICAL, &out, &e), &e);
}

static int build_once(const struct json *part) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *v;
    return build_sample(&a, part, &v, &e);
}

TEST(building_survives_every_failed_allocation) {
    AUTO_ARENA struct arena a = ARENA_MAX(ROOM);
    const struct json *part = numbered(&a, 600, false, -1);
    TORTURE(build_once(part));
}
