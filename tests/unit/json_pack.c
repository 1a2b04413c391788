/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/mem.h"
#include "json/pack.h"
#include "json/write.h"

static const char document[] =
    "{\"name\":\"a\",\"type\":\"string\",\"n\":[1,2.5,true,null,"
    "12345678901234567890123,\"string\",\"a\\u0000b\",\"\",{}],"
    "\"properties\":{\"type\":{\"type\":\"string\",\"description\":"
    "\"a text that is longer than what is looked for again, to be sure\"}}}";

static int round_trip(void) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    AUTO_BUF struct buf text = BUF_MAX(1 << 16);
    const struct json *v;
    struct err e;
    if (json_parse(str_of(document), NULL, &a, &v, &e)) return -1;
    struct json *packed = json_pack(v, &e);
    arena_fini(&a);
    if (!packed) return -1;
    int failed = json_write(packed, JSON_COMPACT, &text, &e);
    if (!failed) CHECK_TEXT(buf_text(&text), document);
    mem_free(packed);
    return failed;
}

TEST(a_packed_value_stands_on_its_own_and_says_the_same) {
    CHECK_EQ(round_trip(), 0);
}

TEST(a_text_that_comes_again_is_held_once) {
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    const struct json *v;
    struct err e;
    CHECK_OK(json_parse(STR("[\"abc\",\"abc\",\"abd\"]"), NULL, &a, &v, &e),
             &e);
    AUTO_MEM struct json *packed = json_pack(v, &e);
    CHECK(packed);
    CHECK(packed[1].as.text == packed[2].as.text);
    CHECK(packed[1].as.text != packed[3].as.text);
    CHECK_TEXT(packed[3].as.text, "abd");
}

TEST(packing_survives_every_failed_allocation) {
    TORTURE(round_trip());
}
