/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/buf.h"
#include "policy/label.h"

#include <stdio.h>

static const struct label user = {0};
static const struct label meta = {.integrity = INTEGRITY_META};
static const struct label untrusted = {.integrity = INTEGRITY_UNTRUSTED};

TEST(a_join_is_as_untrusted_and_as_secret_as_the_worse_part) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    struct label mine = {.integrity = INTEGRITY_TRUSTED,
                         .secrecy = SECRECY_PRIVATE};
    struct label out;
    CHECK_OK(label_combine(&mine, &untrusted, &a, &out, &e), &e);
    CHECK_EQ(out.integrity, INTEGRITY_UNTRUSTED);
    CHECK_EQ(out.secrecy, SECRECY_PRIVATE);
    CHECK_OK(label_combine(&user, &user, &a, &out, &e), &e);
    CHECK_EQ(out.integrity, INTEGRITY_USER);
    CHECK_EQ(out.secrecy, SECRECY_PUBLIC);
}

TEST(a_join_may_be_read_by_those_who_may_read_both) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    const str one[] = {STR("a"), STR("b"), STR("d")};
    const str two[] = {STR("b"), STR("c"), STR("d")};
    struct label x = {
        .secrecy = SECRECY_READERS, .readers = one, .reader_count = 3};
    struct label y = {
        .secrecy = SECRECY_READERS, .readers = two, .reader_count = 3};
    struct label out;
    CHECK_OK(label_combine(&x, &y, &a, &out, &e), &e);
    CHECK_EQ(out.reader_count, 2);
    CHECK_STR(out.readers[0], "b");
    CHECK_STR(out.readers[1], "d");
    CHECK_OK(label_combine(&x, &user, &a, &out, &e), &e);
    CHECK_EQ(out.reader_count, 3);
}

TEST(origins_add_up_to_a_bound_and_then_say_so) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    struct label all = {0};
    for (uint64_t i = 1; i <= ORIGINS_MAX + 3; i++) {
        struct origin o = {STR("mail"), STR("search"), STR("/0/from"), i};
        struct origin *kept = arena_alloc(&a, sizeof *kept, &e);
        *kept = o;
        struct label next = {.origins = kept, .origin_count = 1};
        CHECK_OK(label_combine(&all, &next, &a, &all, &e), &e);
        CHECK_OK(label_combine(&all, &next, &a, &all, &e), &e);
    }
    CHECK_EQ(all.origin_count, ORIGINS_MAX);
    CHECK(all.many);
}

TEST(the_longest_path_gives_the_label_and_a_name_beats_a_wildcard) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    const struct labelled items[] = {
        {STR(""), untrusted},     {STR("/~*/id"), user},
        {STR("/~*/from"), meta},  {STR("/3/from"), untrusted},
        {STR("/~*/to/~*"), meta}, {STR("/x~1y"), user},
    };
    const struct labels labels = {.items = items, .count = 6};
    struct label_finder f;
    CHECK_OK(label_finder_init(&f, &labels, &a, &e), &e);
    CHECK_EQ(label_find(&f, STR(""))->integrity, INTEGRITY_UNTRUSTED);
    CHECK_EQ(label_find(&f, STR("/0/id"))->integrity, INTEGRITY_USER);
    CHECK_EQ(label_find(&f, STR("/0/from"))->integrity, INTEGRITY_META);
    CHECK_EQ(label_find(&f, STR("/3/from"))->integrity, INTEGRITY_UNTRUSTED);
    CHECK_EQ(label_find(&f, STR("/3/id"))->integrity, INTEGRITY_USER);
    CHECK_EQ(label_find(&f, STR("/9/to/4/a"))->integrity, INTEGRITY_META);
    CHECK_EQ(label_find(&f, STR("/9/body"))->integrity, INTEGRITY_UNTRUSTED);
    CHECK_EQ(label_find(&f, STR("/x~1y/z"))->integrity, INTEGRITY_USER);
}

TEST(what_no_path_reaches_is_untrusted) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 16);
    const struct labelled one = {STR("/a"), user};
    const struct labels labels = {.items = &one, .count = 1};
    struct label_finder f;
    CHECK_OK(label_finder_init(&f, NULL, &a, &e), &e);
    CHECK_EQ(label_find(&f, STR("/a"))->integrity, INTEGRITY_UNTRUSTED);
    CHECK_OK(label_finder_init(&f, &labels, &a, &e), &e);
    CHECK_EQ(label_find(&f, STR("/a"))->integrity, INTEGRITY_USER);
    CHECK_EQ(label_find(&f, STR("/b"))->integrity, INTEGRITY_UNTRUSTED);
}

TEST(many_paths_side_by_side_are_found) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 24);
    static struct labelled items[1000];
    static char paths[1000][24];
    for (int i = 0; i < 1000; i++) {
        snprintf(paths[i], sizeof paths[i], "/%d/from", i);
        items[i] = (struct labelled){str_of(paths[i]), i % 2 ? meta : user};
    }
    const struct labels labels = {.items = items, .count = 1000};
    struct label_finder f;
    CHECK_OK(label_finder_init(&f, &labels, &a, &e), &e);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(label_find(&f, str_of(paths[i]))->integrity,
                 i % 2 ? INTEGRITY_META : INTEGRITY_USER);
}

TEST(a_label_is_described_by_its_origins) {
    struct err e;
    AUTO_BUF struct buf out = BUF_MAX(1000);
    struct origin o = {STR("mail"), STR("search"), STR("/0/from"), 3};
    struct label l = {.origins = &o, .origin_count = 1, .many = true};
    CHECK_OK(label_describe(&l, &out, &e), &e);
    CHECK_STR(buf_str(&out), "mail.search, call 3, field /0/from; and more");
}
