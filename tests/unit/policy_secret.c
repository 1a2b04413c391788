/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/file.h"
#include "policy/secret.h"
#include "json/write.h"

#include <stdlib.h>

static struct secrets *fresh(void) {
    struct err e;
    struct secrets *s = secrets_new(&e);
    CHECK(s);
    return s;
}

static void expands_to(struct secrets *s, const char *text, const char *want) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    CHECK_OK(secrets_expand(s, str_of(text), &out, &e), &e);
    CHECK_STR(buf_str(&out), want);
}

TEST(references_come_from_variables_files_and_commands) {
    struct err e;
    struct secrets *s = fresh();
    test_folder();
    setenv("CORDON_TEST_TOKEN", "hunter2-hunter2", 1);
    CHECK_OK(file_replace("key.txt", STR("from a file\n"), 0600, &e), &e);
    expands_to(s, "Bearer ${env:CORDON_TEST_TOKEN}!",
               "Bearer hunter2-hunter2!");
    expands_to(s, "${file:key.txt}", "from a file");
    expands_to(s, "${command:printf %s-%s 'a b' c}", "a b-c");
    expands_to(s, "cost: $5, {x}, $${env:HOME}, ${unclosed",
               "cost: $5, {x}, ${env:HOME}, ${unclosed");
    secrets_free(s);
}

TEST(a_reference_that_leads_nowhere_says_which_one) {
    struct err e;
    struct secrets *s = fresh();
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    CHECK_FAIL(secrets_expand(s, STR("${env:CORDON_NO_SUCH}"), &out, &e), &e,
               ERR_MISSING);
    CHECK_HAS(e.text, "${env:CORDON_NO_SUCH}");
    CHECK_FAIL(secrets_expand(s, STR("${vault:x}"), &out, &e), &e, ERR_INVALID);
    CHECK_FAIL(secrets_expand(s, STR("${command:false}"), &out, &e), &e,
               ERR_INVALID);
    CHECK_HAS(e.text, "status 1");
    CHECK_FAIL(secrets_expand(s, STR("${command:echo 'x}"), &out, &e), &e,
               ERR_INVALID);
    CHECK_FAIL(secrets_expand(s, STR("${nothing}"), &out, &e), &e, ERR_INVALID);
    secrets_free(s);
}

TEST(a_value_that_was_given_out_is_taken_out_of_text) {
    struct err e;
    struct secrets *s = fresh();
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    setenv("CORDON_TEST_TOKEN", "s3cr\"t/value+", 1);
    expands_to(s, "${env:CORDON_TEST_TOKEN}", "s3cr\"t/value+");
    CHECK(secrets_occur(s, STR("x s3cr\"t/value+ y")));
    CHECK(!secrets_occur(s, STR("x s3cr y")));
    CHECK_OK(
        secrets_redact(s,
                       STR("raw s3cr\"t/value+, url s3cr%22t%2Fvalue%2B, "
                           "json s3cr\\\"t/value+, b64 czNjciJ0L3ZhbHVlKw"),
                       &out, &e),
        &e);
    CHECK_STR(buf_str(&out), "raw [secret CORDON_TEST_TOKEN], url [secret "
                             "CORDON_TEST_TOKEN], json [secret "
                             "CORDON_TEST_TOKEN], b64 [secret "
                             "CORDON_TEST_TOKEN]Kw");
    secrets_free(s);
}

TEST(redaction_reaches_every_string_and_key_of_a_value) {
    struct err e;
    struct secrets *s = fresh();
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    const struct json *v, *clean, *plain;
    CHECK_OK(secrets_add(s, STR("token"), STR("abcdefghij"), &e), &e);
    CHECK_OK(json_parse(STR("{\"a\":[1,\"x abcdefghij\",{\"abcdefghij\":"
                            "null}],\"b\":{}}"),
                        NULL, &a, &v, &e),
             &e);
    CHECK_OK(secrets_redact_json(s, v, &a, &clean, &e), &e);
    CHECK_OK(json_write(clean, JSON_COMPACT, &out, &e), &e);
    CHECK_STR(buf_str(&out),
              "{\"a\":[1,\"x [secret token]\",{\"[secret token]\":null}],"
              "\"b\":{}}");
    CHECK_OK(json_parse(STR("[\"nothing here\"]"), NULL, &a, &v, &e), &e);
    CHECK_OK(secrets_redact_json(s, v, &a, &plain, &e), &e);
    CHECK(plain == v);
    secrets_free(s);
}

TEST(a_handle_becomes_its_value_only_for_the_servers_it_is_meant_for) {
    struct err e;
    struct secrets *s = fresh();
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *v, *filled;
    setenv("CORDON_TEST_TOKEN", "value-of-it", 1);
    CHECK_OK(secrets_declare(s, STR("gh"), STR("t-${env:CORDON_TEST_TOKEN}"),
                             STR("github, git*"), &e),
             &e);
    CHECK_OK(json_parse(STR("{\"auth\":\"Bearer {{secret:gh}}\"}"), NULL, &a,
                        &v, &e),
             &e);
    CHECK_OK(secrets_fill(s, STR("gitlab"), v, &a, &filled, &e), &e);
    CHECK_STR(json_get_text(filled, "auth", STR("")), "Bearer t-value-of-it");
    CHECK_FAIL(secrets_fill(s, STR("mail"), v, &a, &filled, &e), &e,
               ERR_DENIED);
    CHECK_OK(json_parse(STR("[\"{{secret:other}}\"]"), NULL, &a, &v, &e), &e);
    CHECK_FAIL(secrets_fill(s, STR("github"), v, &a, &filled, &e), &e,
               ERR_DENIED);
    CHECK(secrets_occur(s, STR("value-of-it")));
    secrets_free(s);
}

static int life(void) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(1 << 16);
    struct secrets *s = secrets_new(&e);
    if (!s) return -1;
    int failed = secrets_declare(s, STR("a"), STR("b"), STR("*"), &e) ||
                 secrets_expand(s, STR("${env:CORDON_TEST_TOKEN}"), &out, &e) ||
                 secrets_redact(s, STR("a value-of-it b"), &out, &e);
    secrets_free(s);
    return failed ? -1 : 0;
}

TEST(secrets_survive_every_failed_allocation) {
    setenv("CORDON_TEST_TOKEN", "value-of-it", 1);
    TORTURE(life());
}
