/* SPDX-License-Identifier: MIT */
#include "call/sources.h"

#include "call_fake.h"

#include <stdio.h>
#include <string.h>

static const char settings[] =
    "{\"commands\":{\"sys\":{\"commands\":{\"uname\":{\"argv\":[\"uname\"],"
    "\"description\":\"Names the kernel.\"}}}},\"apis\":{\"shop\":{\"url\":"
    "\"http://127.0.0.1:9\",\"document\":{\"openapi\":\"3.1.0\",\"paths\":"
    "{\"/x\":{\"get\":{\"operationId\":\"list_orders\",\"summary\":\"Lists "
    "orders of a customer\"}}}}}}}";

TEST(every_section_brings_its_tools) {
    struct fake f;
    struct err e;
    fake_init(&f);
    struct sources *s = sources_open(&f.host, fake_json(&f, settings), &e);
    if (!s) test_fail(__FILE__, __LINE__, "%s", e.text);
    CHECK(registry_find(f.host.registry, STR("sys.uname")) != NULL);
    CHECK(registry_find(f.host.registry, STR("shop.list_orders")) != NULL);
    sources_close(s);
    CHECK_EQ(registry_count(f.host.registry), 0);
    fake_fini(&f);
}

TEST(programs_look_for_tools) {
    struct fake f;
    struct err e;
    fake_init(&f);
    struct sources *s = sources_open(&f.host, fake_json(&f, settings), &e);
    CHECK(s != NULL);
    struct entry *t = registry_find(f.host.registry, STR("tools.search"));
    CHECK(t != NULL);
    CHECK_STR(t->space, "tools");
    f.provider = t->provider;
    CHECK_HAS(fake_call(&f, "tools__search", "{\"query\":\"orders\"}"),
              "{\\\"name\\\":\\\"shop.list_orders\\\",\\\"stub\\\":"
              "\\\"shop.list_orders() # Lists orders of a customer.");
    /* They do not find themselves. */
    CHECK(!strstr(fake_call(&f, "tools__search", "{\"query\":\"find tools\"}"),
                  "tools.search"));
    CHECK_HAS(fake_call(&f, "tools__help", "{\"name\":\"sys.uname\"}"),
              "Names the kernel.");
    CHECK_HAS(fake_call(&f, "tools__help", "{\"name\":\"sys.unam\"}"),
              "did you mean sys_.uname?");
    f.provider = NULL;
    sources_close(s);
    fake_fini(&f);
}

/* One function as each vendor writes it. */
static const char vendors[] =
    "{\"functions\":{\"f\":{\"argv\":[\"printf\",\"%s\",\"{name}\"],"
    "\"bind\":{\"bound\":{\"argv\":[\"printf\",\"%s-%s\",\"{x}\",\"{y}\"]}},"
    "\"functions\":["
    "{\"type\":\"function\",\"function\":{\"name\":\"chat\",\"parameters\":"
    "{\"type\":\"object\",\"properties\":{\"q\":{\"$ref\":\"#/$defs/t\"}},"
    "\"$defs\":{\"t\":{\"type\":\"string\"}},\"required\":[\"q\"]}}},"
    "{\"type\":\"function\",\"name\":\"responses\",\"parameters\":{}},"
    "{\"name\":\"anthropic\",\"input_schema\":{\"type\":\"object\"}},"
    "{\"functionDeclarations\":[{\"name\":\"gemini\",\"description\":\"d\"}]},"
    "{\"toolSpec\":{\"name\":\"bedrock\",\"inputSchema\":{\"json\":"
    "{\"type\":\"object\"}}}},"
    "{\"name\":\"bound\",\"input_schema\":{\"type\":\"object\",\"properties\":"
    "{\"x\":{\"type\":\"integer\"},\"y\":{\"default\":7}}}}]}}}";

TEST(functions_of_every_vendor_are_bound_to_programs) {
    struct fake f;
    struct err e;
    fake_init(&f);
    struct sources *s = sources_open(&f.host, fake_json(&f, vendors), &e);
    if (!s) test_fail(__FILE__, __LINE__, "%s", e.text);
    static const char *const names[] = {"chat", "responses", "anthropic",
                                        "gemini", "bedrock"};
    for (size_t i = 0; i < 5; i++) {
        char flat[32];
        snprintf(flat, sizeof flat, "f__%s", names[i]);
        struct entry *t = registry_find(f.host.registry, str_of(flat));
        CHECK(t && !t->fault);
        f.provider = t->provider;
        CHECK_HAS(fake_call(&f, flat, "{\"q\":\"a\"}"), names[i]);
    }
    CHECK_HAS(fake_call(&f, "f__bound", "{\"x\":3}"), "3-7");
    struct entry *t = registry_find(f.host.registry, STR("f__chat"));
    struct schema *schema = entry_input(t, &e);
    CHECK(schema && schema_check(schema, fake_json(&f, "{\"q\":1}"), &e));
    f.provider = NULL;
    sources_close(s);
    fake_fini(&f);
}

TEST(functions_that_nothing_carries_out_are_refused) {
    static const char *const cases[][2] = {
        {"{\"functions\":[]}", "says what carries"},
        {"{\"functions\":[],\"url\":\"http://h/\",\"argv\":[\"a\"]}",
         "says what carries"},
        {"{\"functions\":3,\"argv\":[\"a\"]}", "a list of tools"},
        {"{\"functions\":[{}],\"argv\":[\"a\"]}", "has no name"},
        {"{\"functions\":[{\"name\":\"a/../b\"}],\"url\":\"http://h/\"}",
         "no name of a function"},
        {"{\"functions\":[],\"url\":\"http://h/{name}/x\"}", "comes last"},
        {"{\"functions\":[],\"ulr\":\"http://h/\"}", "url"},
        {"{\"functions\":\"no-such.json\",\"argv\":[\"a\"]}", "no-such"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        struct err e;
        char text[256];
        fake_init(&f);
        snprintf(text, sizeof text, "{\"functions\":{\"f\":%s}}", cases[i][0]);
        CHECK(!sources_open(&f.host, fake_json(&f, text), &e));
        CHECK_HAS(e.text, cases[i][1]);
        CHECK_EQ(registry_count(f.host.registry), 0);
        fake_fini(&f);
    }
}

TEST(one_wrong_entry_opens_nothing) {
    struct fake f;
    struct err e;
    fake_init(&f);
    CHECK(!sources_open(&f.host,
                        fake_json(&f, "{\"commands\":{\"a\":{\"commands\":{}}},"
                                      "\"databases\":{\"a\":{}}}"),
                        &e));
    CHECK_HAS(e.text, "databases: ");
    CHECK_EQ(registry_count(f.host.registry), 0);
    fake_fini(&f);
}
