/* SPDX-License-Identifier: MIT
 *
 * URIs of many servers, told apart and put back.
 */
#include "gateway/uris.h"
#include "test.h"
#include "json/write.h"

static void round_trip(const char *prefix, const char *uri, const char *want) {
    AUTO_BUF struct buf out = BUF_MAX(1000), inner = BUF_MAX(1000);
    struct err e;
    str found;
    CHECK_OK(uri_wrap(str_of(prefix), str_of(uri), &out, &e), &e);
    CHECK_TEXT(buf_text(&out), want);
    if (!*prefix) return;
    CHECK(uri_unwrap(buf_str(&out), &found, &inner));
    CHECK_STR(found, prefix);
    CHECK_TEXT(buf_text(&inner), uri);
}

TEST(a_uri_carries_its_server_in_front_of_the_scheme) {
    round_trip("fs", "file:///a+b", "fs+file:///a+b");
    round_trip("git", "git+ssh://x", "git+git+ssh://x");
    round_trip("fs", "test://t/{id}/d", "fs+test://t/{id}/d");
    round_trip("app", "ui://page/1", "ui://app+page/1");
    round_trip("", "file:///a", "file:///a");
}

TEST(a_uri_without_a_server_is_left_alone) {
    AUTO_BUF struct buf inner = BUF_MAX(1000);
    str prefix;
    CHECK(!uri_unwrap(STR("file:///a+b"), &prefix, &inner));
    CHECK(!uri_unwrap(STR("+x"), &prefix, &inner));
    CHECK(!uri_unwrap(STR(""), &prefix, &inner));
}

TEST(a_prefix_is_made_fit_for_a_scheme) {
    AUTO_BUF struct buf out = BUF_MAX(100);
    struct err e;
    CHECK_OK(uri_prefix(STR("9 My_Server.x"), &out, &e), &e);
    CHECK_TEXT(buf_text(&out), "s9-my-server.x");
}

static void check_result(const char *text, const char *want) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    const struct json *v, *wrapped;
    struct err e;
    CHECK_OK(json_parse(str_of(text), NULL, &a, &v, &e), &e);
    CHECK_OK(uri_wrap_result(STR("s"), v, &a, &wrapped, &e), &e);
    CHECK_OK(json_write(wrapped, JSON_COMPACT, &out, &e), &e);
    CHECK_TEXT(buf_text(&out), want);
}

TEST(resources_in_results_are_wrapped_and_nothing_else) {
    check_result("{\"content\":[{\"type\":\"text\",\"text\":\"u\",\"uri\":\"x:"
                 "y\"},{\"type\":\"resource_link\",\"uri\":\"x:y\"},"
                 "{\"type\":\"resource\",\"resource\":{\"uri\":\"x:y\"}}]}",
                 "{\"content\":[{\"type\":\"text\",\"text\":\"u\",\"uri\":\"x:"
                 "y\"},{\"type\":\"resource_link\",\"uri\":\"s+x:y\"},"
                 "{\"type\":\"resource\",\"resource\":{\"uri\":\"s+x:y\"}}]}");
    check_result("{\"contents\":[{\"uri\":\"x:y\",\"text\":\"\"}]}",
                 "{\"contents\":[{\"uri\":\"s+x:y\",\"text\":\"\"}]}");
    check_result("{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":"
                 "\"resource\",\"resource\":{\"uri\":\"x:y\"}}},1]}",
                 "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":"
                 "\"resource\",\"resource\":{\"uri\":\"s+x:y\"}}},1]}");
    check_result("{\"content\":\"odd\"}", "{\"content\":\"odd\"}");
}

TEST(definitions_change_only_where_they_must) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    const struct json *v, *changed;
    struct err e;
    CHECK_OK(json_parse(STR("{\"name\":\"n\",\"inputSchema\":{\"$ref\":\"#\"},"
                            "\"_meta\":{\"ui\":{\"resourceUri\":\"ui://p\"},"
                            "\"k\":1}}"),
                        NULL, &a, &v, &e),
             &e);
    const struct definition_change change = {
        .name = STR("s__n"), .uri_prefix = STR("s"), .description = STR("D")};
    struct json_build b = JSON_BUILD(&a);
    definition_put(&b, v, &change);
    CHECK_OK(build_done(&b, &changed, &e), &e);
    CHECK_OK(json_write(changed, JSON_COMPACT, &out, &e), &e);
    CHECK_TEXT(buf_text(&out),
               "{\"name\":\"s__n\",\"inputSchema\":{\"$ref\":\"#\"},"
               "\"_meta\":{\"ui\":{\"resourceUri\":\"ui://s+p\"},\"k\":1},"
               "\"description\":\"D\"}");
}
