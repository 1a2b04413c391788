/* SPDX-License-Identifier: MIT */
#include "base/str.h"

#include "test.h"

#include <string.h>

TEST(str_compares_bytes_and_lengths) {
    CHECK(str_eq(STR(""), (str){NULL, 0}));
    CHECK(str_eq(STR("a\0b"), (str){"a\0b", 3}));
    CHECK(!str_eq(STR("a\0b"), STR("a\0c")));
    CHECK(str_is(STR("ab"), "ab") && !str_is(STR("ab"), "abc"));
    CHECK(str_is(str_of(NULL), ""));
    CHECK_EQ(str_cmp(STR("a"), STR("ab")), -1);
    CHECK_EQ(str_cmp(STR("b"), STR("ab")), 1);
    CHECK_EQ(str_cmp(STR("\xff"), STR("a")), 1);
    CHECK_EQ(str_cmp(STR(""), (str){NULL, 0}), 0);
    CHECK(str_eq_nocase(STR("Content-Type"), STR("content-tYPE")));
    CHECK(!str_eq_nocase(STR("["), STR("{")));
}

TEST(str_starts_ends_and_cuts) {
    CHECK(str_starts(STR("abc"), STR("ab")) && str_starts(STR(""), STR("")));
    CHECK(!str_starts(STR("a"), STR("ab")));
    CHECK(str_ends(STR("abc"), STR("bc")) && !str_ends(STR("c"), STR("bc")));
    CHECK_STR(str_sub(STR("abcdef"), 2, 4), "cd");
    CHECK_STR(str_sub(STR("abc"), 2, 99), "c");
    CHECK_STR(str_sub(STR("abc"), 5, 4), "");
    CHECK_STR(str_sub((str){NULL, 0}, 0, 1), "");
    CHECK_STR(str_trim(STR(" \t\r\n a b \v\f")), "a b");
    CHECK_STR(str_trim(STR("   ")), "");
}

TEST(str_finds) {
    CHECK_EQ(str_find(STR("hello"), STR("ll")), 2);
    CHECK_EQ(str_find(STR("hello"), STR("lx")), -1);
    CHECK_EQ(str_find(STR("hello"), STR("")), 0);
    CHECK_EQ(str_find((str){NULL, 0}, STR("x")), -1);
    CHECK_EQ(str_find_char(STR("a\0b"), 'b'), 2);
    CHECK_EQ(str_find_char(STR(""), 'b'), -1);
}

TEST(str_cut_walks_fields) {
    str rest = STR("a,,b");
    CHECK_STR(str_cut(&rest, ','), "a");
    CHECK_STR(str_cut(&rest, ','), "");
    CHECK(rest.p != NULL);
    CHECK_STR(str_cut(&rest, ','), "b");
    CHECK(rest.p == NULL && rest.n == 0);
    CHECK_STR(str_cut(&rest, ','), "");
}

TEST(str_distance_counts_slips) {
    CHECK_EQ(str_distance(STR("lgo"), STR("log"), 9), 1);
    CHECK_EQ(str_distance(STR("abcd"), STR("badc"), 9), 2);
    CHECK_EQ(str_distance(STR("ab"), STR("ba"), 9), 1);
    CHECK_EQ(str_distance(STR("kitten"), STR("sitting"), 9), 3);
    CHECK_EQ(str_distance(STR(""), STR("abc"), 9), 3);
    CHECK_EQ(str_distance(STR("abc"), STR("abc"), 0), 0);
    CHECK_EQ(str_distance(STR("abc"), STR("xyz"), 1), 2);
    char longer[65];
    memset(longer, 'x', sizeof longer);
    CHECK_EQ(str_distance((str){longer, 65}, STR("x"), 5), 6);
}

TEST(str_nearest_suggests_only_what_is_near) {
    static const char *const names[] = {"recipient", "subject", "to", "body",
                                        NULL};
    CHECK_TEXT(str_nearest(STR("recipent"), names), "recipient");
    CHECK_TEXT(str_nearest(STR("Body"), names), "body");
    CHECK(str_nearest(STR("attachment"), names) == NULL);
    CHECK(str_nearest(STR("x"), names) == NULL);
    CHECK(str_nearest(STR(""), names) == NULL);
}

TEST(str_glob_matches_the_whole) {
    static const struct {
        const char *pattern, *text;
        bool match;
    } cases[] = {
        {"", "", true},
        {"*", "", true},
        {"a*", "abc", true},
        {"*c", "abc", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"a*b*c", "aXbYbZc", true},
        {"a*b*c", "aXbYbZ", false},
        {"mail.*", "mail.send", true},
        {"mail.*", "email.send", false},
        {"**", "x", true},
        {"?", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_EQ(str_glob(str_of(cases[i].pattern), str_of(cases[i].text)),
                 cases[i].match);
}

TEST(str_glob_is_not_slow_on_hard_patterns) {
    char text[20000];
    memset(text, 'a', sizeof text);
    CHECK(!str_glob(STR("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"),
                    (str){text, sizeof text}));
}
