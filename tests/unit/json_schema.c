/* SPDX-License-Identifier: MIT */
#include "json/schema.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

/* A schema with the memory its document lies in. */
struct compiled {
    struct arena arena;
    struct schema *schema;
};

static const struct json *parse(const char *text, struct arena *a) {
    struct err e;
    const struct json *v;
    CHECK_OK(json_parse(str_of(text), NULL, a, &v, &e), &e);
    return v;
}

static struct compiled compile(const char *text,
                               const struct schema_options *options) {
    struct err e;
    struct compiled c = {.arena = ARENA_MAX(16u << 20)};
    CHECK_OK(schema_compile(parse(text, &c.arena), options, &c.schema, &e), &e);
    return c;
}

static void compiled_fini(struct compiled *c) {
    schema_free(c->schema);
    arena_fini(&c->arena);
}

#define AUTO_COMPILED __attribute__((cleanup(compiled_fini)))

static void check_verdict(const char *schema, const char *value, bool valid) {
    struct err e = {0};
    AUTO_COMPILED struct compiled c = compile(schema, NULL);
    int got = schema_check(c.schema, parse(value, &c.arena), &e);
    if ((got == 0) == valid && (valid || e.kind == ERR_INVALID)) return;
    test_note("%s on %s: %s", schema, value, got ? e.text : "valid");
    CHECK(false);
}

struct verdict {
    const char *schema, *good, *bad;
};

static void check_verdicts(const struct verdict *list) {
    for (; list->schema; list++) {
        if (list->good) check_verdict(list->schema, list->good, true);
        if (list->bad) check_verdict(list->schema, list->bad, false);
    }
}

TEST(types_are_told_apart) {
    static const struct verdict list[] = {
        {"{\"type\":\"integer\"}", "1", "1.5"},
        {"{\"type\":\"integer\"}", "1.0", "\"1\""},
        {"{\"type\":\"integer\"}", "123456789012345678901234567890", "true"},
        {"{\"type\":\"number\"}", "1e400", "null"},
        {"{\"type\":[\"string\",\"null\"]}", "null", "0"},
        {"{\"type\":\"object\"}", "{}", "[]"},
        {"true", "1", NULL},
        {"false", NULL, "1"},
        {"{}", "[]", NULL},
        {0},
    };
    check_verdicts(list);
}

TEST(numbers_are_compared_exactly) {
    static const struct verdict list[] = {
        {"{\"minimum\":9007199254740993}", "9007199254740993",
         "9007199254740992"},
        {"{\"maximum\":0.1}", "0.1", "0.10000000000000002"},
        {"{\"exclusiveMinimum\":-1e400}", "-1e399", "-1e401"},
        {"{\"maximum\":18446744073709551616}", "18446744073709551616",
         "18446744073709551617"},
        {"{\"multipleOf\":0.01}", "19.99", "19.995"},
        {"{\"multipleOf\":0.0001}", "0.0075", "0.00751"},
        {"{\"multipleOf\":3}", "123456789012345678901234567890",
         "123456789012345678901234567891"},
        {"{\"multipleOf\":0.5}", "1e308", "0.25"},
        {"{\"multipleOf\":7e20}", "14e20", "15e20"},
        {0},
    };
    check_verdicts(list);
}

TEST(text_is_measured_in_code_points) {
    static const struct verdict list[] = {
        {"{\"maxLength\":2}", "\"\xf0\x9f\x92\xa9\xf0\x9f\x92\xa9\"",
         "\"abc\""},
        {"{\"minLength\":2}", "\"\xc3\xa9\xc3\xa9\"", "\"\xf0\x9f\x92\xa9\""},
        {"{\"pattern\":\"^a+$\"}", "\"aaa\"", "\"aab\""},
        {"{\"pattern\":\"^a$\"}", "\"a\"", "\"a\\n\""},
        {"{\"pattern\":\"\\\\p{Letter}cole\"}",
         "\"\xc3\xa9"
         "cole\"",
         "\"1cole\""},
        {0},
    };
    check_verdicts(list);
}

TEST(members_are_checked_in_one_pass) {
    static const struct verdict list[] = {
        {"{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]}",
         "{\"b\":1,\"a\":\"x\"}", "{\"a\":1}"},
        {"{\"required\":[\"a\",\"b\",\"a\"]}", "{\"b\":1,\"a\":2}",
         "{\"a\":1}"},
        {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}",
         "{\"a\":1}", "{\"a\":1,\"b\":2}"},
        {"{\"patternProperties\":{\"^x\":{\"type\":\"null\"}},"
         "\"additionalProperties\":{\"type\":\"integer\"}}",
         "{\"xy\":null,\"y\":1}", "{\"xy\":1}"},
        {"{\"propertyNames\":{\"maxLength\":2}}", "{\"ab\":1}", "{\"abc\":1}"},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1,\"b\":2}",
         "{\"a\":1}"},
        {0},
    };
    check_verdicts(list);
}

TEST(unevaluated_members_are_those_no_keyword_looked_at) {
    static const char *const schema =
        "{\"properties\":{\"a\":{}},\"anyOf\":["
        "{\"required\":[\"b\"],\"properties\":{\"b\":{\"type\":\"null\"}}},"
        "{\"properties\":{\"c\":{\"type\":\"null\"}}}],"
        "\"unevaluatedProperties\":false}";
    check_verdict(schema, "{\"a\":1,\"b\":null}", true);
    check_verdict(schema, "{\"a\":1,\"b\":null,\"c\":null}", true);
    check_verdict(schema, "{\"a\":1,\"b\":1,\"c\":null}", false);
    check_verdict(schema, "{\"a\":1,\"d\":1}", false);
}

TEST(many_required_members_are_counted_like_few) {
    char schema[8192] = "{\"required\":[", value[8192] = "{";
    for (int i = 0; i < 200; i++) {
        sprintf(schema + strlen(schema), "%s\"k%d\"", i ? "," : "", i);
        sprintf(value + strlen(value), "%s\"k%d\":0", i ? "," : "", 199 - i);
    }
    strcat(schema, "]}");
    strcat(value, "}");
    check_verdict(schema, value, true);
    value[strlen(value) - 5] = 'x'; /* "k0":0} becomes "kx":0} */
    check_verdict(schema, value, false);
}

TEST(names_that_collide_under_the_short_hash_are_still_found) {
    /* The hash reads eight bytes from either end; these differ in between. */
    char schema[65536] = "{\"additionalProperties\":false,\"properties\":{";
    for (int i = 0; i < 500; i++)
        sprintf(schema + strlen(schema), "%s\"aaaaaaaa%04dbbbbbbbb\":{}",
                i ? "," : "", i);
    strcat(schema, "}}");
    check_verdict(schema, "{\"aaaaaaaa0499bbbbbbbb\":1}", true);
    check_verdict(schema, "{\"aaaaaaaa0500bbbbbbbb\":1}", false);
}

TEST(large_arrays_of_distinct_items_are_unique) {
    char value[65536] = "[";
    for (int i = 0; i < 2000; i++)
        sprintf(value + strlen(value), "%s{\"n\":%d,\"m\":[%d]}", i ? "," : "",
                i, -i);
    strcat(value, "]");
    check_verdict("{\"uniqueItems\":true}", value, true);
    strcpy(value + strlen(value) - 1, ",{\"m\":[-7.0],\"n\":7e0}]");
    check_verdict("{\"uniqueItems\":true}", value, false);
}

TEST(a_reference_leads_only_to_documents_that_were_given) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1u << 20);
    const struct json *doc =
        parse("{\"$ref\":\"http://example.com/a#/$defs/x\"}", &a);
    struct schema *s = NULL;
    CHECK_FAIL(schema_compile(doc, NULL, &s, &e), &e, ERR_INVALID);
    CHECK_HAS(e.text, "#/$ref: ");
    CHECK_HAS(e.text, "nothing is fetched");
    CHECK(!s);
    struct schema_doc given = {
        STR("http://example.com/a"),
        parse("{\"$defs\":{\"x\":{\"type\":\"string\"}}}", &a)};
    struct schema_options o = {.docs = &given, .doc_count = 1};
    CHECK_OK(schema_compile(doc, &o, &s, &e), &e);
    CHECK_OK(schema_check(s, parse("\"x\"", &a), &e), &e);
    CHECK_FAIL(schema_check(s, parse("1", &a), &e), &e, ERR_INVALID);
    schema_free(s);
}

TEST(dynamic_references_reach_what_only_other_dynamic_references_reach) {
    static const char *const schema =
        "{\"$id\":\"http://x/root\",\"$ref\":\"other#/$defs/entry\",\"$defs\":{"
        "\"ra\":{\"$dynamicAnchor\":\"a\",\"properties\":{\"p\":"
        "{\"$dynamicRef\":\"#b\"}}},"
        "\"b\":{\"$dynamicAnchor\":\"b\",\"type\":\"integer\"},"
        "\"other\":{\"$id\":\"other\",\"$defs\":{\"entry\":"
        "{\"$dynamicRef\":\"#a\"},\"oa\":{\"$dynamicAnchor\":\"a\"}}}}}";
    check_verdict(schema, "{\"p\":1}", true);
    check_verdict(schema, "{\"p\":\"x\"}", false);
}

static void check_compile_error(const char *schema, const char *want) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1u << 20);
    struct schema *s;
    CHECK_FAIL(schema_compile(parse(schema, &a), NULL, &s, &e), &e,
               ERR_INVALID);
    CHECK_HAS(e.text, want);
}

TEST(references_into_a_large_object_find_each_member) {
    char schema[16384] = "{\"prefixItems\":[";
    for (int i = 0; i < 100; i++)
        sprintf(schema + strlen(schema), "%s{\"$ref\":\"#/$defs/~1d%d\"}",
                i ? "," : "", i);
    strcat(schema, "],\"$defs\":{");
    for (int i = 0; i < 100; i++)
        sprintf(schema + strlen(schema), "%s\"/d%d\":{\"const\":%d}",
                i ? "," : "", i, i);
    strcat(schema, "}}");
    check_verdict(schema, "[0,1,2,3,4,5,6,7]", true);
    check_verdict(schema, "[0,1,2,3,4,5,6,8]", false);
    check_compile_error("{\"$ref\":\"#/$defs/x\",\"$defs\":{}}",
                        "#/$ref: nothing at #/$defs/x");
}

TEST(the_metaschemas_are_built_in) {
    static const char *const uris[] = {
        "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}",
        "{\"$ref\":\"http://json-schema.org/draft-07/schema#\"}"};
    for (size_t i = 0; i < 2; i++) {
        check_verdict(uris[i], "{\"properties\":{\"a\":{\"minLength\":1}}}",
                      true);
        check_verdict(uris[i], "{\"properties\":{\"a\":{\"minLength\":-1}}}",
                      false);
        check_verdict(uris[i], "{\"allOf\":[{\"type\":\"text\"}]}", false);
    }
}

TEST(draft_7_is_chosen_by_schema) {
    static const char *const schema =
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
        "\"items\":[{\"type\":\"string\"}],\"additionalItems\":false}";
    check_verdict(schema, "[\"a\"]", true);
    check_verdict(schema, "[\"a\",1]", false);
}

TEST(a_compile_error_names_what_and_where) {
    check_compile_error("{\"properties\":{\"a/b\":{\"type\":\"text\"}}}",
                        "#/properties/a~1b/type: there is no type \"text\"");
    check_compile_error("{\"items\":[{}]}", "#/items: a schema is an object");
    check_compile_error("{\"allOf\":[{},{\"minimum\":\"1\"}]}",
                        "#/allOf/1/minimum: expected a number");
    check_compile_error("{\"pattern\":\"(\"}", "#/pattern: bad pattern");
    check_compile_error("{\"required\":[1]}", "#/required: expected an array");
    check_compile_error("{\"$ref\":\"#/nowhere\"}", "#/$ref: ");
    check_compile_error("{\"maxItems\":-1}", "#/maxItems: ");
    check_compile_error("{\"multipleOf\":0}", "#/multipleOf: ");
    check_compile_error("1", "#: a schema is an object or a boolean");
}

TEST(a_report_lists_violations_with_paths_and_expectations) {
    struct err e;
    AUTO_COMPILED struct compiled c =
        compile("{\"properties\":{\"a/b\":{\"type\":\"integer\"},"
                "\"list\":{\"items\":{\"maximum\":5}},"
                "\"unit\":{\"enum\":[\"C\",\"F\"]}},\"required\":[\"to\"],"
                "\"additionalProperties\":false}",
                NULL);
    const struct json *v = parse("{\"a/b\":\"x\",\"list\":[1,9],\"unit\":\"K\","
                                 "\"extra\":[1,2]}",
                                 &c.arena);
    struct schema_report r;
    CHECK_OK(schema_explain(c.schema, v, 10, &c.arena, &r, &e), &e);
    static const struct {
        const char *path, *keyword, *schema_path, *expected, *got;
    } want[] = {
        {"/a~1b", "type", "#/properties/a~1b/type", "integer", "\"x\""},
        {"/list/1", "maximum", "#/properties/list/items/maximum", "at most 5",
         "9"},
        {"/unit", "enum", "#/properties/unit/enum", "one of \"C\", \"F\"",
         "\"K\""},
        {"/extra", "additionalProperties", "#/additionalProperties",
         "no member \"extra\"", "[1,2]"},
        {"", "required", "#/required", "a member \"to\"", NULL},
    };
    CHECK_EQ(r.count, 5);
    CHECK(!r.more);
    for (size_t i = 0; i < r.count; i++) {
        CHECK_STR(r.errors[i].path, want[i].path);
        CHECK_TEXT(r.errors[i].keyword, want[i].keyword);
        CHECK_STR(r.errors[i].schema_path, want[i].schema_path);
        CHECK_STR(r.errors[i].expected, want[i].expected);
        if (want[i].got) CHECK_STR(r.errors[i].got, want[i].got);
    }
    CHECK_OK(schema_explain(c.schema, v, 2, &c.arena, &r, &e), &e);
    CHECK_EQ(r.count, 2);
    CHECK(r.more);
    CHECK_FAIL(schema_check(c.schema, v, &e), &e, ERR_INVALID);
    CHECK_TEXT(e.text, "/a~1b: expected integer, got \"x\"");
}

static void check_message(const char *schema, const char *value,
                          const char *want) {
    struct err e;
    AUTO_COMPILED struct compiled c = compile(schema, NULL);
    CHECK_FAIL(schema_check(c.schema, parse(value, &c.arena), &e), &e,
               ERR_INVALID);
    CHECK_TEXT(e.text, want);
}

TEST(alternatives_are_explained_by_the_one_that_was_meant) {
    static const char *const schema =
        "{\"anyOf\":[{\"$ref\":\"#/$defs/o\"},{\"type\":\"null\"},"
        "{\"type\":\"integer\"}],\"$defs\":{\"o\":{\"type\":\"object\","
        "\"properties\":{\"a\":{\"type\":\"integer\"}}}}}";
    check_message(schema, "{\"a\":\"x\"}", "/a: expected integer, got \"x\"");
    check_message(schema, "true",
                  "value: expected null or integer or object, got true");
    check_message("{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":1}]}", "5",
                  "value: expected a value for exactly one of 2 schemas, "
                  "got 5");
}

TEST(a_misspelt_member_is_named) {
    static const char *const schema =
        "{\"properties\":{\"to\":{},\"subject\":{}},\"required\":[\"to\"],"
        "\"additionalProperties\":false}";
    check_message(schema, "{\"to\":1,\"subjet\":2}",
                  "/subjet: expected no member \"subjet\" (did you mean "
                  "\"subject\"?), got 2");
    check_message(schema, "{\"to\":1,\"recipient\":2}",
                  "/recipient: expected no member \"recipient\", got 2");
    check_message("{\"required\":[\"number\"]}", "{\"Number\":1}",
                  "value: expected a member \"number\" (not \"Number\"), got "
                  "{\"Number\":1}");
}

static void check_limit(const char *schema, const char *value) {
    struct err e;
    AUTO_COMPILED struct compiled c = compile(schema, NULL);
    const struct json *v = parse(value, &c.arena);
    struct schema_report r;
    CHECK_FAIL(schema_check(c.schema, v, &e), &e, ERR_LIMIT);
    CHECK_FAIL(schema_explain(c.schema, v, 4, &c.arena, &r, &e), &e, ERR_LIMIT);
}

TEST(a_reference_to_itself_is_a_limit_not_a_crash) {
    check_limit("{\"$ref\":\"#\"}", "1");
    check_limit("{\"not\":{\"$ref\":\"#\"}}", "1");
    check_limit("{\"anyOf\":[{\"$ref\":\"#\"},true]}", "1");
}

TEST(a_tree_of_references_that_doubles_is_stopped) {
    char schema[8192] = "{\"$ref\":\"#/$defs/d0\",\"$defs\":{";
    for (int i = 0; i < 40; i++)
        sprintf(schema + strlen(schema),
                "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},"
                "{\"$ref\":\"#/$defs/d%d\"}]},",
                i, i + 1, i + 1);
    strcat(schema, "\"d40\":true}}");
    check_limit(schema, "1");
}

TEST(a_pattern_that_explodes_is_a_limit_not_a_mismatch) {
    check_limit("{\"pattern\":\"^(a+)+$\"}",
                "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"");
    check_limit("{\"not\":{\"pattern\":\"^(a|a)*$\"}}",
                "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"");
}

TEST(steps_can_be_limited_by_the_caller) {
    struct err e;
    struct schema_options o = {.steps = 10};
    AUTO_COMPILED struct compiled c =
        compile("{\"items\":{\"minimum\":0}}", &o);
    CHECK_OK(schema_check(c.schema, parse("[1,2]", &c.arena), &e), &e);
    CHECK_FAIL(
        schema_check(c.schema, parse("[1,2,3,4,5,6,7,8,9,10]", &c.arena), &e),
        &e, ERR_LIMIT);
}

TEST(a_schema_too_large_for_its_memory_is_refused) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1u << 20);
    struct schema_options o = {.bytes = 200};
    struct schema *s;
    CHECK_FAIL(
        schema_compile(parse("{\"enum\":[\"a\",\"b\"]}", &a), &o, &s, &e), &e,
        ERR_LIMIT);
}

TEST(formats_are_asserted_only_when_asked) {
    struct err e;
    struct schema_options o = {.assert_formats = true};
    AUTO_COMPILED struct compiled c = compile("{\"format\":\"date\"}", &o);
    check_verdict("{\"format\":\"date\"}", "\"never\"", true);
    CHECK_OK(schema_check(c.schema, parse("\"2024-02-29\"", &c.arena), &e), &e);
    CHECK_FAIL(schema_check(c.schema, parse("\"2023-02-29\"", &c.arena), &e),
               &e, ERR_INVALID);
}

/* Something of everything that allocates. */
static const char *const wide_schema =
    "{\"$id\":\"http://example.com/root\",\"type\":\"object\","
    "\"properties\":{\"a\":{\"$ref\":\"#leaf\"},"
    "\"b\":{\"enum\":[\"x\",\"y\"]},"
    "\"c\":{\"pattern\":\"^c+$\",\"multipleOf\":0.5},"
    "\"d\":{\"uniqueItems\":true,\"contains\":{\"const\":1}},"
    "\"e\":{\"if\":{\"type\":\"null\"},\"else\":{\"minItems\":1}},"
    "\"f\":{\"$ref\":\"http://json-schema.org/draft-07/schema#\"}},"
    "\"patternProperties\":{\"^p\":{\"anyOf\":[true,false]}},"
    "\"dependentRequired\":{\"a\":[\"b\"]},\"required\":[\"a\"],"
    "\"unevaluatedProperties\":{\"$dynamicRef\":\"#node\"},"
    "\"$defs\":{\"l\":{\"$anchor\":\"leaf\",\"type\":\"integer\"},"
    "\"n\":{\"$dynamicAnchor\":\"node\"}}}";

static int compile_and_use(const struct json *schema, const struct json *v) {
    struct err e;
    AUTO_SCHEMA struct schema *s = NULL;
    struct arena a = ARENA_MAX(1u << 20);
    struct schema_report r;
    int failed = schema_compile(schema, NULL, &s, &e) ||
                 schema_explain(s, v, 8, &a, &r, &e);
    arena_fini(&a);
    return failed ? -1 : 0;
}

TEST(compiling_and_reporting_survive_every_failed_allocation) {
    AUTO_ARENA struct arena a = ARENA_MAX(1u << 20);
    const struct json *schema = parse(wide_schema, &a);
    const struct json *v =
        parse("{\"a\":\"1\",\"b\":\"z\",\"c\":\"cd\",\"d\":[1,2,3,4,5,6,7,8,9,"
              "[1],10,1],\"e\":[],\"f\":{\"type\":1},\"p\":1,\"q\":2}",
              &a);
    TORTURE(compile_and_use(schema, v));
}
