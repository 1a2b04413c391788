/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include "test.h"

#include <stdint.h>
#include <string.h>

TEST(mem_counts_what_is_live) {
    struct err e;
    size_t before = mem_live();
    void *a = mem_alloc(10, &e), *b = mem_zalloc(3, 4, &e);
    CHECK(a && b);
    CHECK_EQ(mem_live(), before + 2);
    a = mem_resize(a, 100, 10, &e);
    CHECK(a != NULL);
    CHECK_EQ(mem_live(), before + 2);
    mem_free(a);
    mem_free(b);
    mem_free(NULL);
    CHECK_EQ(mem_live(), before);
}

TEST(mem_zalloc_gives_zeros) {
    struct err e;
    AUTO_MEM unsigned char *p = mem_zalloc(100, 10, &e);
    CHECK(p != NULL);
    for (size_t i = 0; i < 1000; i++)
        CHECK_EQ(p[i], 0);
}

TEST(mem_of_zero_bytes_is_memory) {
    struct err e;
    AUTO_MEM void *a = mem_alloc(0, &e);
    AUTO_MEM void *b = mem_zalloc(0, 8, &e);
    AUTO_MEM void *c = mem_resize(NULL, 0, 0, &e);
    CHECK(a && b && c);
}

TEST(mem_sizes_that_overflow_fail) {
    struct err e;
    CHECK(mem_zalloc(SIZE_MAX / 2, 3, &e) == NULL);
    CHECK_EQ(e.kind, ERR_MEMORY);
    CHECK(mem_resize(NULL, SIZE_MAX, 2, &e) == NULL);
    CHECK(mem_alloc(SIZE_MAX, &e) == NULL);
    CHECK(mem_zalloc(1, (size_t)PTRDIFF_MAX + 1, &e) == NULL);
    CHECK(mem_dup("x", SIZE_MAX, &e) == NULL);
}

TEST(mem_resize_keeps_the_old_block_on_failure) {
    struct err e;
    AUTO_MEM char *p = mem_dup("keep", 4, &e);
    CHECK(p != NULL);
    mem_fail_after(1);
    CHECK(mem_resize(p, 1000, 1, &e) == NULL);
    CHECK(mem_failed());
    mem_fail_after(0);
    CHECK_TEXT(p, "keep");
}

TEST(mem_fails_from_the_nth_allocation_on) {
    struct err e;
    mem_fail_after(2);
    AUTO_MEM void *first = mem_alloc(1, &e);
    CHECK(first && !mem_failed());
    CHECK(mem_alloc(1, &e) == NULL);
    CHECK(mem_alloc(1, &e) == NULL);
    CHECK(mem_failed());
    mem_fail_after(0);
    CHECK(!mem_failed());
    AUTO_MEM void *later = mem_alloc(1, &e);
    CHECK(later != NULL);
}

TEST(mem_take_hands_out_of_a_scope) {
    struct err e;
    char *out;
    {
        AUTO_MEM char *text = mem_dup("a\0b", 3, &e);
        out = mem_take(&text);
        CHECK(text == NULL);
    }
    CHECK(memcmp(out, "a\0b", 4) == 0);
    mem_wipe(out, 3);
    CHECK(memcmp(out, "\0\0\0", 4) == 0);
    mem_free(out);
}
