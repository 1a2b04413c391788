/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "test.h"

#include <string.h>

TEST(buf_refuses_more_than_its_max) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(3);
    CHECK_OK(buf_add_text(&b, "abc", &e), &e);
    CHECK_FAIL(buf_add_char(&b, 'd', &e), &e, ERR_LIMIT);
    CHECK_STR(buf_str(&b), "abc");
}

TEST(buf_of_zero_bytes_takes_only_nothing) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(0);
    CHECK_OK(buf_add(&b, NULL, 0, &e), &e);
    CHECK_FAIL(buf_add_char(&b, 'x', &e), &e, ERR_LIMIT);
    CHECK_TEXT(buf_text(&b), "");
}

TEST(buf_formats_short_and_long_text) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(4096);
    char wide[1000];
    memset(wide, 'w', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    CHECK_OK(buf_addf(&b, &e, "%d-%s", 7, "x"), &e);
    CHECK_OK(buf_addf(&b, &e, "%s", wide), &e);
    CHECK_EQ(b.len, 3 + sizeof wide - 1);
    CHECK(memcmp(b.data, "7-xww", 5) == 0);
    CHECK_FAIL(buf_addf(&b, &e, "%4000s", ""), &e, ERR_LIMIT);
    CHECK_EQ(b.len, 3 + sizeof wide - 1);
}

TEST(buf_consumes_from_the_front_and_truncates_at_the_back) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(64);
    CHECK_OK(buf_add_text(&b, "hello world", &e), &e);
    buf_consume(&b, 6);
    CHECK_TEXT(b.data, "world");
    buf_truncate(&b, 2);
    CHECK_TEXT(b.data, "wo");
    buf_consume(&b, 2);
    CHECK_TEXT(b.data, "");
}

TEST(buf_reserve_hands_out_room_up_to_the_max) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(100);
    char *room = buf_reserve(&b, 100, &e);
    CHECK(room != NULL);
    memset(room, 'r', 100);
    buf_commit(&b, 100);
    CHECK_EQ(b.len, 100);
    CHECK(buf_reserve(&b, 1, &e) == NULL);
    CHECK_EQ(e.kind, ERR_LIMIT);
}

TEST(buf_take_gives_the_text_away) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(10);
    AUTO_MEM char *empty = buf_take(&b, &e);
    CHECK_TEXT(empty, "");
    CHECK_OK(buf_add_text(&b, "mine", &e), &e);
    AUTO_MEM char *text = buf_take(&b, &e);
    CHECK_TEXT(text, "mine");
    CHECK_EQ(b.len, 0);
    CHECK_EQ(b.max, 10);
    CHECK_OK(buf_add_text(&b, "again", &e), &e);
}

static int build(void) {
    struct err e;
    AUTO_BUF struct buf b = BUF_MAX(100000);
    for (int i = 0; i < 5000; i++)
        if (buf_addf(&b, &e, "%d,", i)) return -1;
    AUTO_MEM char *text = buf_take(&b, &e);
    return text ? 0 : -1;
}

TEST(buf_survives_every_failed_allocation) {
    TORTURE(build());
}
