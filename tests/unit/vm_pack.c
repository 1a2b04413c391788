/* SPDX-License-Identifier: MIT */
#include "test.h"
#include "vm/pack.h"

static void squeezes_to(const char *text, const char *want) {
    AUTO_BUF struct buf out = BUF_MAX(1000);
    struct err e;
    CHECK(!pack_squeeze(str_of(text), &out, &e));
    CHECK_TEXT(buf_text(&out), want);
}

TEST(pack_leaves_out_what_only_people_need) {
    squeezes_to("# all\n\nif x:  # why\n    f( 1 )\n\n        g()\n",
                "if x:\n f( 1 )\n  g()\n");
}

TEST(pack_keeps_what_is_within_strings) {
    squeezes_to("x = '# \\' #'  # y\n", "x = '# \\' #'\n");
    squeezes_to("x = \"\"\"a\n    # b\n\n\" c\"\"\"\n",
                "x = \"\"\"a\n    # b\n\n\" c\"\"\"\n");
}

TEST(pack_opens_what_it_packed) {
    const char text[] = "abcabcabcabcabcabc abab\0abcabcabc xyz\0";
    AUTO_BUF struct buf all = BUF_MAX(1000), one = BUF_MAX(100);
    struct pack pack;
    struct err e;
    CHECK(!buf_add(&all, text, sizeof text - 1, &e));
    CHECK(!pack_learn(&all, &pack, &e));
    CHECK(all.len < (sizeof text - 1) / 2);
    str rest = buf_str(&all), first = str_cut(&rest, 0);
    CHECK(!pack_open(&pack, first, &one, &e));
    CHECK_TEXT(buf_text(&one), text);
    buf_truncate(&one, 0);
    CHECK(!pack_open(&pack, str_cut(&rest, 0), &one, &e));
    CHECK_TEXT(buf_text(&one), "abcabcabc xyz");
}

TEST(pack_says_when_there_is_no_room) {
    const struct pack pack = {.pair = {{'a', 'b'}, {128, 128}}};
    AUTO_BUF struct buf out = BUF_MAX(3);
    struct err e;
    CHECK(pack_open(&pack, STR("\x81"), &out, &e) == -1);
}
