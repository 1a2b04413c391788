/* SPDX-License-Identifier: MIT
 *
 * Configurations of other hosts, TOML included.
 */
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "gateway/import.h"
#include "gateway/toml.h"
#include "test.h"
#include "json/write.h"

static void check_toml(const char *text, const char *want) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    const struct json *v;
    struct err e;
    CHECK_OK(toml_parse(str_of(text), &a, &v, &e), &e);
    CHECK_OK(json_write(v, JSON_COMPACT, &out, &e), &e);
    CHECK_TEXT(buf_text(&out), want);
}

TEST(toml_tables_become_objects) {
    check_toml("a = 1\n[b.c]\nd = \"x\" # why\n[b]\ne = true\n",
               "{\"a\":1,\"b\":{\"c\":{\"d\":\"x\"},\"e\":true}}");
    check_toml("[[a]]\nx = 1\n[[a]]\nx = 2\n", "{\"a\":[{\"x\":1},{\"x\":2}]}");
    check_toml("a.b = 1\na.\"c d\" = 2\r\n", "{\"a\":{\"b\":1,\"c d\":2}}");
}

TEST(toml_values_are_read) {
    check_toml("a = [1, 2,\n  3, # three\n]\n", "{\"a\":[1,2,3]}");
    check_toml("a = {b = 'c:\\d', e = {}}\n", "{\"a\":{\"b\":\"c:\\\\d\","
                                              "\"e\":{}}}");
    check_toml("a = \"\"\"\none\\\n   two\"\"\"\n", "{\"a\":\"onetwo\"}");
    check_toml("a = \"\\u00e9\\n\"", "{\"a\":\"\303\251\\n\"}");
    check_toml("a = 1_000\nb = -2.5\nc = 1979-05-27\n",
               "{\"a\":1000,\"b\":-2.5,\"c\":\"1979-05-27\"}");
}

TEST(toml_mistakes_are_told_with_their_line) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"a = 1\na = 2\n", "line 2: a key is defined twice"},
        {"a = \"x\n", "line 1: a string without its end"},
        {"[a]\n[a]\n", "line 2: a table is defined twice"},
        {"a = [1\n", "',' or ']' is wanted"},
        {"a 1\n", "'=' is wanted"},
        {"a = \n", "a value is wanted"},
        {"a = 1 b = 2\n", "more than one thing on a line"},
        {"a = {b = 1\n", "',' or '}' is wanted"},
        {"a = \"\\x\"", "an unknown escape"},
        {"a = {b = 1}\n[a]\n", "defined twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
        const struct json *v;
        struct err e;
        CHECK_FAIL(toml_parse(str_of(rows[i].text), &a, &v, &e), &e,
                   ERR_INVALID);
        CHECK_HAS(e.text, rows[i].want);
    }
}

/* -- hosts -------------------------------------------------------------------
 */

static void check_import(const char *path, const char *text, const char *host,
                         const char *want) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf out = BUF_MAX(1 << 20);
    const struct import_place *place;
    const struct json *v;
    struct err e;
    CHECK_OK(import_guess(path, str_of(text), &place, &e), &e);
    CHECK_TEXT(place->host, host);
    CHECK_OK(import_read(place, str_of(text), &a, &v, &e), &e);
    CHECK_OK(json_write(v, JSON_COMPACT, &out, &e), &e);
    CHECK_TEXT(buf_text(&out), want);
}

TEST(codex_names_the_variables_it_takes_values_from) {
    check_import("/h/me/.codex/config.toml",
                 "model = \"x\"\n[mcp_servers.docs]\ncommand = \"docs\"\n"
                 "args = [\"a\"]\nenv_vars = [\"KEY\"]\n"
                 "startup_timeout_sec = 20\n"
                 "[mcp_servers.web]\nurl = \"https://x/mcp\"\n"
                 "bearer_token_env_var = \"WEB\"\nenabled = false\n"
                 "enabled_tools = [\"a\"]\n"
                 "[mcp_servers.web.env_http_headers]\nX-Key = \"XK\"\n",
                 "codex",
                 "{\"docs\":{\"command\":\"docs\",\"args\":[\"a\"],"
                 "\"startTimeout\":\"20s\",\"env\":{\"KEY\":\"${KEY}\"}},"
                 "\"web\":{\"url\":\"https://x/mcp\",\"allowedTools\":[\"a\"],"
                 "\"disabled\":true,\"headers\":{\"X-Key\":\"${XK}\","
                 "\"Authorization\":\"Bearer ${WEB}\"}}}");
}

TEST(vscode_asks_for_inputs_that_become_variables) {
    check_import("/x/.vscode/mcp.json",
                 "{// comments\n\"inputs\": [{\"id\": \"api-key\"}],"
                 "\"servers\": {\"g\": {\"type\": \"stdio\", \"command\":"
                 " \"g\", \"env\": {\"K\": \"${input:api-key}\"},"
                 " \"gallery\": true}}}",
                 "vscode",
                 "{\"g\":{\"type\":\"stdio\",\"command\":\"g\","
                 "\"env\":{\"K\":\"${API_KEY}\"}}}");
}

TEST(gemini_writes_variables_without_braces) {
    check_import("/x/.gemini/settings.json",
                 "{\"mcpServers\": {\"g\": {\"httpUrl\": \"https://x\","
                 " \"headers\": {\"A\": \"Bearer $TOK, ${B} $5\"},"
                 " \"trust\": true, \"includeTools\": [\"t\"]}}}",
                 "gemini",
                 "{\"g\":{\"url\":\"https://x\",\"headers\":{\"A\":"
                 "\"Bearer ${TOK}, ${B} $5\"},\"allowedTools\":[\"t\"]}}");
}

TEST(other_files_are_known_by_what_they_hold) {
    check_import("/x/some.json",
                 "{\"mcpServers\": {\"a\": {\"command\": "
                 "\"$x\"}}}",
                 "claude-desktop", "{\"a\":{\"command\":\"$x\"}}");
    const struct import_place *place;
    struct err e;
    CHECK_EQ(import_guess("/x/y.json", STR("{\"other\": 1}"), &place, &e), -1);
    CHECK_HAS(e.text, "no MCP servers");
    CHECK_EQ(import_guess("/x/y.json", STR("{{{"), &place, &e), -1);
    CHECK_HAS(e.text, "line 1, column 2");
    CHECK_EQ(import_guess("/x/y.toml", STR("a = ["), &place, &e), -1);
    CHECK_HAS(e.text, "line 1");
}

TEST(claude_code_has_servers_for_the_folder_one_is_in) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    AUTO_BUF struct buf out = BUF_MAX(1 << 20), text = BUF_MAX(1 << 20);
    const struct import_place *place;
    const struct json *v;
    struct err e;
    char here[4096];
    CHECK(getcwd(here, sizeof here));
    CHECK_OK(buf_addf(&text, &e,
                      "{\"projects\":{\"/else\":{\"mcpServers\":{\"b\":{"
                      "\"command\":\"b\"}}},\"%s\":{\"mcpServers\":{\"a\":{"
                      "\"command\":\"x\"}}}}}",
                      here),
             &e);
    for (size_t i = 0; (place = import_place(i)); i++)
        if (strstr(place->pointer, "projects")) break;
    CHECK(place);
    CHECK_OK(import_read(place, buf_str(&text), &a, &v, &e), &e);
    CHECK_OK(json_write(v, JSON_COMPACT, &out, &e), &e);
    CHECK_TEXT(buf_text(&out), "{\"a\":{\"command\":\"x\"}}");
}
