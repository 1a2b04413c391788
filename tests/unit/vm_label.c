/* SPDX-License-Identifier: MIT */
#include "test.h"
#include "vm/label.h"

static struct cordon_label from(uint8_t integrity, uint64_t hidden,
                                uint32_t origin) {
    struct cordon_label l = {.integrity = integrity, .hidden = hidden};
    if (origin) l.norigins = 1, l.origin[0] = origin;
    return l;
}

TEST(equal_labels_have_one_number_and_the_bottom_is_0) {
    struct err e;
    struct label_table *l = label_table_new(false, &e);
    struct cordon_label zero = {0}, a = from(3, 1, 7), b = from(3, 1, 8);
    CHECK(label_number(l, &zero) == 0);
    uint16_t one = label_number(l, &a);
    CHECK(one && label_number(l, &a) == one);
    CHECK(label_number(l, &b) != one);
    label_table_free(l);
}

TEST(a_join_is_the_least_label_above_both) {
    struct err e;
    struct label_table *l = label_table_new(false, &e);
    struct cordon_label a = from(3, 1, 7), b = from(1, 4, 5), c;
    uint16_t x = label_number(l, &a), y = label_number(l, &b);
    uint16_t xy = label_join(l, x, y);
    c = l->table[xy];
    CHECK(c.integrity == 3 && c.hidden == 5 && c.norigins == 2);
    CHECK(c.origin[0] == 5 && c.origin[1] == 7);
    CHECK(label_join(l, y, x) == xy && label_join(l, xy, x) == xy);
    CHECK(label_join(l, 0, x) == x && label_join(l, x, 0) == x);
    CHECK(label_join(l, x, LABEL_TOP) != x);
    label_table_free(l);
}

TEST(origins_beyond_sixteen_are_many) {
    struct err e;
    struct label_table *l = label_table_new(false, &e);
    uint16_t all = 0;
    for (uint32_t i = 1; i <= 20; i++) {
        struct cordon_label a = from(2, 0, i);
        all = label_join(l, all, label_number(l, &a));
    }
    CHECK(l->table[all].norigins == CORDON_ORIGINS_MAX);
    CHECK(l->table[all].many == 1 && l->table[all].integrity == 2);
    label_table_free(l);
}

TEST(a_full_table_gives_up_origins_and_nothing_else) {
    struct err e;
    struct label_table *l = label_table_new(false, &e);
    uint16_t last = 0;
    for (uint32_t i = 1; i < 70000; i++) {
        struct cordon_label a = from(2, 9, i);
        last = label_number(l, &a);
    }
    CHECK(l->n < 65536 && l->table[last].norigins == 0);
    CHECK(l->table[last].many && l->table[last].integrity == 2);
    CHECK(l->table[last].hidden == 9);
    label_table_free(l);
}

static int make(struct err *e) {
    struct label_table *l = label_table_new(false, e);
    if (!l) return -1;
    label_table_free(l);
    return 0;
}

TEST(a_table_that_cannot_be_made_says_so) {
    struct err e;
    TORTURE(make(&e));
}

TEST(labels_travel_as_bytes) {
    struct err e;
    struct label_table *l = label_table_new(false, &e),
                       *m = label_table_new(false, &e);
    struct cordon_label a = from(3, 1, 7);
    uint16_t x = label_number(l, &a);
    CHECK(label_table_load(m, label_table_bytes(l), &e) == 0);
    CHECK(label_number(m, &a) == x);
    CHECK(label_table_load(m, STR("short"), &e) == -1);
    label_table_free(l);
    label_table_free(m);
}
