/* SPDX-License-Identifier: MIT */
#include "json/config.h"

#include "base/file.h"
#include "test.h"
#include "json/schema.h"

#include <sys/stat.h>
#include <unistd.h>

static const struct config_key keys[] = {
    {"name", CONFIG_TEXT, "", "a name"},
    {"limits", CONFIG_OBJECT, "", "limits"},
    {"limits.memory", CONFIG_SIZE, "", "bytes"},
    {"limits.time", CONFIG_DURATION, "", "seconds"},
    {"limits.calls", CONFIG_INT, "", "calls"},
    {"on", CONFIG_BOOL, "", "a switch"},
    {"mode", CONFIG_CHOICE, "fast|slow", "a mode"},
    {"servers", CONFIG_OBJECT, "", "by any name"},
    {"servers.*", CONFIG_OBJECT, "", "one"},
    {"servers.*.args", CONFIG_LIST, "", "arguments"},
    {"servers.*.args[]", CONFIG_TEXT, "", "one of them"},
    {"servers.*.env", CONFIG_OBJECT, "", "environment"},
    {"servers.*.env.*", CONFIG_TEXT, "", "a variable"},
    {"free", CONFIG_ANY, "", "anything"},
    {NULL, CONFIG_ANY, "", ""},
};

static int load(str text, struct arena *a, const struct json **out,
                struct err *e) {
    return config_parse(text, "f", keys, a, out, e);
}

TEST(config_takes_what_the_table_knows) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root = NULL;
    CHECK_OK(load(STR("// a comment\n"
                      "{\"name\": \"x\", /* another */ \"on\": true,\n"
                      " \"limits\": {\"memory\": \"64k\", \"time\": 2,\n"
                      "              \"calls\": 7},\n"
                      " \"mode\": \"slow\", \"free\": {\"no\": [\"rules\"]},\n"
                      " \"servers\": {\"a.b*c\": {\"args\": [\"-x\"],\n"
                      "              \"env\": {\"PATH\": \"/bin\"}}},\n}"),
                  &a, &root, &e),
             &e);
    const struct json *limits = json_get(root, "limits");
    CHECK_EQ(config_size(json_get(limits, "memory"), 1), 65536);
    CHECK_EQ(config_duration(json_get(limits, "time"), 1), 2000000000);
    CHECK_EQ(config_size(NULL, 5), 5);
    CHECK_EQ(config_duration(NULL, 6), 6);
}

TEST(config_says_what_is_wrong_and_where) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"[]", "f: : expected an object, got array"},
        {"{\"nmae\": 1}", "f: /nmae: unknown key; did you mean \"name\"?"},
        {"{\"zzz\": 1}", "f: /zzz: unknown key"},
        {"{\"limits\": {\"memmory\": 1}}",
         "f: /limits/memmory: unknown key; did you mean \"memory\"?"},
        {"{\"name\": \"\"}", "f: /name: expected a string with text in it, "
                             "got string"},
        {"{\"name\": 3}", "got integer"},
        {"{\"on\": \"yes\"}", "expected true or false, got string"},
        {"{\"limits\": {\"memory\": \"64q\"}}", "expected a size"},
        {"{\"limits\": {\"memory\": -1}}", "expected a size"},
        {"{\"limits\": {\"time\": \"soon\"}}", "expected a duration"},
        {"{\"limits\": {\"time\": 9999999999999}}", "expected a duration"},
        {"{\"limits\": {\"calls\": -7}}", "whole number"},
        {"{\"limits\": {\"calls\": 1.5}}", "got number"},
        {"{\"mode\": \"medium\"}", "expected fast|slow, got string"},
        {"{\"servers\": {\"a/b~c\": {\"arg\": 1}}}",
         "f: /servers/a~1b~0c/arg: unknown key; did you mean \"args\"?"},
        {"{\"servers\": {\"a\": {\"args\": [\"x\", 1]}}}",
         "f: /servers/a/args/1: expected a string"},
        {"{\"servers.*\": {}}", "unknown key"},
        {"{\"limits.memory\": 1}", "unknown key"},
        {"{\"servers.*.args[]\": 1}", "unknown key"},
        {"{\"name\": }", "f: line 1"},
        {"{\"name\": \"a\", \"name\": \"b\"}", "repeated key"},
    };
    struct err e;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
        const struct json *root = NULL;
        CHECK_FAIL(load(str_of(cases[i].text), &a, &root, &e), &e, ERR_INVALID);
        CHECK_HAS(e.text, cases[i].why);
        CHECK(root == NULL); /* an invalid file never replaces a valid one */
    }
}

TEST(config_reports_every_problem) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root;
    struct config_report report;
    CHECK_OK(json_parse(STR("{\"a\": 1, \"name\": 2, \"on\": 3}"), NULL, &a,
                        &root, &e),
             &e);
    CHECK_OK(config_check(root, keys, &a, &report, &e), &e);
    CHECK_EQ(report.count, 3);
    CHECK_STR(report.problems[0].path, "/a");
    CHECK_STR(report.problems[2].path, "/on");
}

TEST(config_refuses_a_file_that_others_can_write) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root;
    test_folder();
    CHECK_OK(file_replace("c.json", STR("{}"), 0600, &e), &e);
    CHECK_OK(config_load("c.json", keys, &a, &root, &e), &e);
    CHECK(chmod("c.json", 0666) == 0);
    CHECK_FAIL(config_load("c.json", keys, &a, &root, &e), &e, ERR_DENIED);
    CHECK_FAIL(config_load("d.json", keys, &a, &root, &e), &e, ERR_MISSING);
    if (geteuid() != 0) return;
    CHECK(chmod("c.json", 0644) == 0 && chown("c.json", 1, 1) == 0);
    CHECK_FAIL(config_load("c.json", keys, &a, &root, &e), &e, ERR_DENIED);
}

/* The schema made from the table accepts and refuses what the table does. */
TEST(config_schema_agrees_with_the_table) {
    static const char *const texts[] = {
        "{}",
        "{\"name\": \"x\", \"limits\": {\"memory\": \"64KiB\"}}",
        "{\"limits\": {\"memory\": 5, \"time\": \"1.5h\", \"calls\": 7}}",
        "{\"servers\": {\"a.b\": {\"args\": [\"x\"]}}}",
        "{\"servers\": {\"a\": {\"env\": {\"A\": \"b\"}}}}",
        "{\"free\": [1, {}], \"mode\": \"fast\", \"on\": false}",
        "[]",
        "{\"nmae\": 1}",
        "{\"name\": \"\"}",
        "{\"limits\": {\"memory\": \"64q\"}}",
        "{\"limits\": {\"memory\": -1}}",
        "{\"limits\": {\"time\": \"soon\"}}",
        "{\"limits\": {\"calls\": 1.5}}",
        "{\"limits\": {\"calls\": \"1\"}}",
        "{\"mode\": \"medium\"}",
        "{\"on\": 1}",
        "{\"servers\": {\"a\": {\"args\": [1]}}}",
        "{\"servers\": {\"a\": {\"env\": {\"A\": 1}}}}",
        "{\"servers\": {\"a\": 1}}",
    };
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(1 << 16);
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 22);
    AUTO_SCHEMA struct schema *schema = NULL;
    const struct json *doc, *v;
    CHECK_OK(config_add_schema(keys, &text, &e), &e);
    CHECK_OK(json_parse(buf_str(&text), NULL, &a, &doc, &e), &e);
    CHECK_OK(schema_compile(doc, NULL, &schema, &e), &e);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct config_report report;
        CHECK_OK(json_parse(str_of(texts[i]), NULL, &a, &v, &e), &e);
        CHECK_OK(config_check(v, keys, &a, &report, &e), &e);
        test_note("%s", texts[i]);
        CHECK_EQ(schema_check(schema, v, &e) == 0, report.count == 0);
    }
}

static int make_schema(void) {
    struct err e;
    AUTO_BUF struct buf text = BUF_MAX(1 << 16);
    return config_add_schema(keys, &text, &e);
}

static int load_and_free(void) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root;
    struct config_report report;
    if (json_parse(STR("{\"nmae\": 1, \"mode\": \"x\", \"limits\": {}}"), NULL,
                   &a, &root, &e))
        return -1;
    return config_check(root, keys, &a, &report, &e);
}

TEST(config_survives_every_failed_allocation) {
    TORTURE(load_and_free());
    TORTURE(make_schema());
}
