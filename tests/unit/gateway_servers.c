/* SPDX-License-Identifier: MIT
 *
 * Servers of the configuration: what people write, and what becomes of it.
 */
#include <string.h>

#include "gateway/servers.h"
#include "test.h"

static const char *const env[] = {"HOME=/h/me", "TOKEN=t0p",
                                  "EMPTY=", "PATH=/bin", NULL};

static int secret(void *data, str reference, struct buf *out, struct err *e) {
    (void)data;
    if (!str_is(reference, "file:/run/key"))
        return fail(e, ERR_MISSING, "no such secret");
    return buf_add_text(out, "from-file", e);
}

static const struct servers_context context = {
    .env = env, .folder = "/work", .secret = secret};

static int read_text(const char *text, struct servers *out, struct err *e) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root;
    CHECK_OK(json_parse(str_of(text), NULL, &a, &root, e), e);
    return servers_read(root, &context, out, e);
}

static bool has_env(const struct server_spec *s, const char *assignment) {
    for (const char *const *p = s->env; *p; p++)
        if (!strcmp(*p, assignment)) return true;
    return false;
}

TEST(a_server_as_other_hosts_write_it) {
    struct servers s;
    struct err e;
    CHECK_OK(read_text("{\"mcpServers\": {\"fs\": {\"command\": \"npx\","
                       " \"args\": [\"-y\", \"fs@1\", 7], \"env\":"
                       " {\"KEY\": \"${TOKEN}\", \"N\": 3, \"B\": true},"
                       " \"autoApprove\": [\"x\"], \"timeout\": 1500}}}",
                       &s, &e),
             &e);
    CHECK_EQ(s.count, 1);
    CHECK(!s.list[0].problem);
    CHECK_TEXT(s.list[0].argv[0], "npx");
    CHECK_TEXT(s.list[0].argv[3], "7");
    CHECK(!s.list[0].argv[4]);
    CHECK(has_env(&s.list[0], "KEY=t0p") && has_env(&s.list[0], "N=3") &&
          has_env(&s.list[0], "B=true") && has_env(&s.list[0], "PATH=/bin"));
    CHECK(!has_env(&s.list[0], "TOKEN=t0p"));
    CHECK_EQ(s.list[0].timeout_ns, 1500000000LL);
    servers_fini(&s);
}

TEST(references_take_values_from_many_places) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"plain $HOME {x}", "plain $HOME {x}"},
        {"${HOME}/x", "/h/me/x"},
        {"${env:TOKEN}", "t0p"},
        {"${NONE:-or this}", "or this"},
        {"${EMPTY:-or this}", "or this"},
        {"${EMPTY}", ""},
        {"${userHome}${/}${workspaceFolder}", "/h/me//work"},
        {"a${file:/run/key}b", "afrom-fileb"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AUTO_BUF struct buf out = BUF_MAX(1000);
        struct err e;
        CHECK_OK(servers_expand(&context, str_of(rows[i].text), &out, &e), &e);
        CHECK_TEXT(buf_text(&out), rows[i].want);
    }
}

TEST(a_reference_without_a_value_sets_only_its_server_aside) {
    struct servers s;
    struct err e;
    CHECK_OK(read_text("{\"mcpServers\": {"
                       "\"a\": {\"command\": \"x\", \"env\": {\"K\": "
                       "\"${NONE}\"}},"
                       "\"b\": {\"command\": \"x\"},"
                       "\"c\": {\"url\": \"ftp://x\"},"
                       "\"d\": {},"
                       "\"e\": {\"command\": \"x\", \"url\": \"http://x\"},"
                       "\"f\": {\"command\": \"x${\"},"
                       "\"g\": {\"disabled\": true}}}",
                       &s, &e),
             &e);
    CHECK_EQ(s.count, 7);
    CHECK_HAS(s.list[0].problem, "env.K: the variable NONE is not set");
    CHECK(!s.list[1].problem);
    CHECK_HAS(s.list[2].problem, "neither http:// nor https://");
    CHECK_HAS(s.list[3].problem, "neither a command nor a URL");
    CHECK_HAS(s.list[4].problem, "a command and a URL");
    CHECK_HAS(s.list[5].problem, "without its }");
    CHECK(s.list[6].disabled && !s.list[6].problem);
    servers_fini(&s);
}

TEST(a_misspelt_restriction_is_not_overlooked) {
    struct servers s;
    struct err e;
    CHECK_OK(read_text("{\"mcpServers\": {\"a\": {\"command\": \"x\","
                       " \"excludedTool\": [\"rm\"]}}}",
                       &s, &e),
             &e);
    CHECK_HAS(s.list[0].problem, "did you mean \"excludedTools\"");
    servers_fini(&s);
}

TEST(lists_say_which_tools_a_server_offers) {
    struct servers s;
    struct err e;
    CHECK_OK(read_text("{\"mcpServers\": {\"a\": {\"command\": \"x\","
                       " \"allowedTools\": [\"get_*\", \"put\"],"
                       " \"excludedTools\": [\"get_secret\"]}}}",
                       &s, &e),
             &e);
    CHECK(server_offers(&s.list[0], STR("get_file")));
    CHECK(server_offers(&s.list[0], STR("put")));
    CHECK(!server_offers(&s.list[0], STR("get_secret")));
    CHECK(!server_offers(&s.list[0], STR("rm")));
    servers_fini(&s);
}

TEST(the_mark_changes_with_what_references_mean) {
    static const char *const other[] = {"HOME=/h/me", "TOKEN=new", NULL};
    const struct servers_context changed = {.env = other, .folder = "/work"};
    static const char text[] = "{\"mcpServers\": {\"a\": {\"command\": \"x\","
                               " \"env\": {\"K\": \"${TOKEN}\"}}}}";
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root;
    struct servers before, same, after;
    struct err e;
    CHECK_OK(json_parse(str_of(text), NULL, &a, &root, &e), &e);
    CHECK_OK(servers_read(root, &context, &before, &e), &e);
    CHECK_OK(servers_read(root, &context, &same, &e), &e);
    CHECK_OK(servers_read(root, &changed, &after, &e), &e);
    CHECK_TEXT(before.list[0].mark, same.list[0].mark);
    CHECK(strcmp(before.list[0].mark, after.list[0].mark) != 0);
    servers_fini(&before);
    servers_fini(&same);
    servers_fini(&after);
}

static int read_and_drop(const struct json *root) {
    struct servers s;
    struct err e;
    if (servers_read(root, &context, &s, &e)) return -1;
    servers_fini(&s);
    return 0;
}

TEST(reading_servers_survives_every_failed_allocation) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    const struct json *root;
    struct err e;
    CHECK_OK(json_parse(STR("{\"mcpServers\": {\"a\": {\"command\": \"x\","
                            " \"env\": {\"K\": \"${TOKEN}\"}},"
                            "\"b\": {\"url\": \"http://x\", \"headers\":"
                            " {\"A\": \"${TOKEN}\"}}}}"),
                        NULL, &a, &root, &e),
             &e);
    TORTURE(read_and_drop(root));
}
