/* SPDX-License-Identifier: MIT */
#include "call/sources.h"

#include "call_fake.h"

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
              "\\\"shop.list_orders()  # Lists orders of a customer.");
    /* They do not find themselves. */
    CHECK(!strstr(fake_call(&f, "tools__search", "{\"query\":\"find tools\"}"),
                  "tools.search"));
    CHECK_HAS(fake_call(&f, "tools__help", "{\"name\":\"sys.uname\"}"),
              "Names the kernel.");
    CHECK_HAS(fake_call(&f, "tools__help", "{\"name\":\"sys.unam\"}"),
              "did you mean sys__uname?");
    f.provider = NULL;
    sources_close(s);
    fake_fini(&f);
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
