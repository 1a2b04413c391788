/* SPDX-License-Identifier: MIT */
#include "call/command.h"

#include "call_fake.h"

#include <stdio.h>
#include <string.h>

/* ---- argv ---- */

static const char *argv_of(const char *spec, const char *args) {
    static char out[1024];
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX((size_t)16 << 20);
    const struct json *s, *v;
    const char *const *argv;
    size_t n = 0;
    CHECK_OK(json_parse(str_of(spec), NULL, &a, &s, &e), &e);
    CHECK_OK(json_parse(str_of(args), NULL, &a, &v, &e), &e);
    if (command_argv(s, v, &a, &argv, &e)) {
        snprintf(out, sizeof out, "%s", e.text);
        return out;
    }
    out[0] = 0;
    for (; *argv; argv++)
        n += (size_t)snprintf(out + n, sizeof out - n, "[%s]", *argv);
    return out;
}

static const char git[] =
    "{\"argv\":[\"git\",\"log\",\"-n{count}\",[\"--since\",\"{since}\"],"
    "\"{ref}\",\"--\",\"{paths...}\"],\"parameters\":{\"count\":{\"default\":3}"
    ",\"since\":{},\"ref\":{},\"paths\":{}}}";

TEST(arguments_are_never_more_than_arguments) {
    CHECK_TEXT(argv_of(git, "{}"), "[git][log][-n3][--]");
    CHECK_TEXT(argv_of(git, "{\"count\":7,\"since\":\"2 days; rm -rf /\","
                            "\"ref\":\"$(x)\",\"paths\":[\"a b\",\"-c\"]}"),
               "[git][log][-n7][--since][2 days; rm -rf /][$(x)][--][a b][-c]");
    CHECK_TEXT(argv_of(git, "{\"ref\":\"{since}\"}"),
               "[git][log][-n3][{since}][--]");
    CHECK_TEXT(argv_of(git, "{\"ref\":null,\"paths\":[]}"),
               "[git][log][-n3][--]");
}

TEST(a_value_is_never_an_option) {
    CHECK_HAS(argv_of(git, "{\"ref\":\"--output=/etc/x\"}"),
              "may not begin with '-'");
    CHECK_HAS(argv_of(git, "{\"since\":\"-x\"}"), "may not begin with '-'");
    CHECK_HAS(argv_of(git, "{\"ref\":\"a\\u0000b\"}"), "NUL");
    /* "--" from a value does not end the options. */
    static const char two[] = "{\"argv\":[\"p\",\"{a}\",\"{b}\"],"
                              "\"parameters\":{\"a\":{},\"b\":{}}}";
    CHECK_HAS(argv_of(two, "{\"a\":\"--\",\"b\":\"-x\"}"), "may not begin");
}

/* ---- programs ---- */

static const char config[] =
    "{\"commands\":{"
    "\"echo\":{\"argv\":[\"printf\",\"%s|\",\"{a}\"],\"parameters\":{\"a\":"
    "{\"type\":\"string\"}},\"required\":[\"a\"],\"readOnly\":true},"
    "\"cat\":{\"argv\":[\"cat\"],\"stdin\":\"json\",\"output\":\"json\","
    "\"parameters\":{\"x\":{}}},"
    "\"bad\":{\"argv\":[\"sh\",\"-c\",\"echo out; echo err >&2; exit 3\"]},"
    "\"notjson\":{\"argv\":[\"echo\",\"x\"],\"output\":\"json\"},"
    "\"long\":{\"argv\":[\"seq\",\"1\",\"100000\"]},"
    "\"slow\":{\"argv\":[\"sleep\",\"60\"]},"
    "\"net\":{\"argv\":[\"cat\",\"/proc/net/dev\"]},"
    "\"none\":{\"argv\":[\"/no/such/program\"]}}}";

static void use(struct fake *f) {
    struct err e;
    fake_init(f);
    f->provider =
        provider_command_new(&f->host, STR("c"), fake_json(f, config), &e);
    if (!f->provider) test_fail(__FILE__, __LINE__, "%s", e.text);
    if (strstr(fake_call(f, "c__echo", "{\"a\":\"x\"}"), "unavailable: "))
        SKIP("no sandbox here: %s", buf_text(&f->out));
}

TEST(a_program_runs_in_its_sandbox) {
    struct fake f;
    use(&f);
    CHECK_TEXT(fake_call(&f, "c__echo", "{\"a\":\"a b; $x\"}"),
               "{\"content\":[{\"type\":\"text\",\"text\":\"a b; $x|\"}]}");
    fake_call(&f, "c__cat", "{\"x\":[1,{\"y\":null}]}");
    CHECK_TEXT(fake_member(&f, "/structuredContent"),
               "{\"x\":[1,{\"y\":null}]}");
    CHECK(!strstr(fake_call(&f, "c__net", "{}"), "eth"));
    CHECK(registry_find(f.host.registry, STR("c.echo"))->flags &
          TOOL_HINT_READ_ONLY);
    fake_fini(&f);
}

TEST(failures_of_programs_are_told) {
    struct fake f;
    use(&f);
    fake_call(&f, "c__bad", "{}");
    CHECK_TEXT(fake_member(&f, "/structuredContent"),
               "{\"exit_code\":3,\"stdout\":\"out\\n\",\"stderr\":\"err\\n\"}");
    CHECK_TEXT(fake_member(&f, "/isError"), "true");
    CHECK_HAS(fake_call(&f, "c__notjson", "{}"), "bad_response: ");
    CHECK_HAS(fake_call(&f, "c__none", "{}"), "/no/such/program");
    f.timeout_ns = SECOND / 2;
    CHECK_HAS(fake_call(&f, "c__slow", "{}"), "timeout: ");
    f.timeout_ns = 0;
    f.result_max = 1000;
    fake_call(&f, "c__long", "{}");
    CHECK_TEXT(fake_member(&f, "/_meta/truncated"), "true");
    fake_fini(&f);
}

TEST(a_cancelled_program_ends) {
    struct fake f;
    use(&f);
    fake_start(&f, "c__slow", "{}");
    f.provider->class->cancel(f.provider, &f.call);
    CHECK(!f.ended);
    fake_start(&f, "c__slow", "{}");
    fake_fini(&f); /* with one that runs */
}

TEST(configuration_is_checked) {
    static const char *const cases[][2] = {
        {"{}", "commands: an object"},
        {"{\"commands\":{\"a\":{}}}", "a: argv: a list"},
        {"{\"commands\":{\"a\":{\"argv\":[\"x\",1]}}}", "texts, and lists"},
        {"{\"commands\":{\"a\":{\"argv\":[\"{x}\"],\"parameters\":{\"x\":{}}}}"
         "}",
         "fixed text"},
        {"{\"commands\":{\"a\":{\"argv\":[\"p\",\"{y}\"],\"parameters\":{\"x\":"
         "{}}}}}",
         "no parameter 'y'"},
        {"{\"commands\":{\"a\":{\"argv\":[\"p\"],\"output\":\"xml\"}}}",
         "text or json"},
        {"{\"commands\":{\"a\":{\"arvg\":[\"p\"]}}}", "did you mean argv?"},
    };
    struct fake f;
    struct err e;
    fake_init(&f);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(!provider_command_new(&f.host, STR("c"),
                                    fake_json(&f, cases[i][0]), &e));
        CHECK_HAS(e.text, cases[i][1]);
    }
    fake_fini(&f);
}
