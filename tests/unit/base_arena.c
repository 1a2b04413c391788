/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/mem.h"
#include "test.h"

#include <stdint.h>
#include <string.h>

TEST(arena_memory_is_aligned_and_separate) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    char *last = NULL;
    for (size_t size = 0; size < 200; size++) {
        char *p = arena_alloc(&a, size, &e);
        CHECK(p && p != last);
        CHECK_EQ((uintptr_t)p % _Alignof(max_align_t), 0);
        memset(p, 0xaa, size);
        last = p;
    }
}

TEST(arena_refuses_more_than_its_max) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(10000);
    size_t held = 0;
    while (arena_alloc(&a, 100, &e))
        held += 100;
    CHECK_EQ(e.kind, ERR_LIMIT);
    CHECK(held > 8000 && held <= 10000);
    CHECK(a.used <= a.max);
    CHECK(arena_alloc(&a, SIZE_MAX, &e) == NULL);
    CHECK(arena_zalloc(&a, SIZE_MAX / 2, 3, &e) == NULL);
    CHECK_EQ(e.kind, ERR_LIMIT);
}

TEST(arena_holds_things_larger_than_a_block) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(16 << 20);
    CHECK(arena_alloc(&a, 3 << 20, &e) != NULL);
    unsigned char *zeros = arena_zalloc(&a, 1000, 1000, &e);
    CHECK(zeros != NULL);
    CHECK_EQ(zeros[0] | zeros[999999], 0);
}

TEST(arena_copies_and_formats_text) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(100000);
    str s;
    CHECK_OK(arena_dup(&a, STR("a\0b"), &s, &e), &e);
    CHECK_EQ(s.n, 3);
    CHECK_EQ(s.p[3], '\0');
    CHECK_TEXT(arena_text(&a, (str){NULL, 0}, &e), "");
    CHECK_TEXT(arena_printf(&a, &e, "%s-%d", "x", 5), "x-5");
    const char *wide = arena_printf(&a, &e, "%2000d", 7);
    CHECK_EQ(strlen(wide), 2000);
    CHECK_EQ(wide[1999], '7');
}

TEST(arena_rewinds_to_a_mark) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    CHECK_TEXT(arena_text(&a, STR("kept"), &e), "kept");
    struct arena_mark m = arena_mark(&a);
    size_t used = a.used;
    char *first = arena_alloc(&a, 10, &e);
    for (int i = 0; i < 100; i++)
        CHECK(arena_alloc(&a, 1000, &e) != NULL);
    CHECK(a.used > used);
    arena_rewind(&a, m);
    CHECK_EQ(a.used, used);
    CHECK(arena_alloc(&a, 10, &e) == first);
}

TEST(arena_may_be_used_after_its_end) {
    struct err e;
    struct arena a = ARENA_MAX(8192);
    struct arena_mark empty = arena_mark(&a);
    CHECK(arena_alloc(&a, 1, &e) != NULL);
    arena_fini(&a);
    CHECK_EQ(a.used, 0);
    CHECK(arena_alloc(&a, 4000, &e) != NULL);
    arena_rewind(&a, empty);
    CHECK_EQ(mem_live(), 0);
}

/* Grows one allocation from 16 bytes to 1 MiB, filled with its own pattern,
 * behind `before` bytes of others. */
static int grow_from(size_t before, size_t max) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(max);
    if (before > 0 && !arena_alloc(&a, before, &e)) return -1;
    size_t n = 16;
    unsigned char *p = arena_alloc(&a, n, &e);
    if (!p) return -1;
    memset(p, 7, n);
    while (n < 1 << 20) {
        unsigned char *more = arena_grow(&a, p, n, n * 2, &e);
        if (!more) return -1;
        p = more;
        CHECK(p[0] == 7 && p[n - 1] == 7);
        memset(p + n, 7, n);
        n *= 2;
    }
    char *next = a.next;
    arena_shrink(&a, p, n, 100);
    CHECK(a.next < next && p[99] == 7 && a.used <= max);
    return 0;
}

TEST(arena_grows_and_shrinks_its_newest_allocation) {
    CHECK_EQ(grow_from(0, 4 << 20), 0);
    CHECK_EQ(grow_from(100, 4 << 20), 0);
    CHECK_EQ(grow_from(4000, 4 << 20), 0);
    CHECK_EQ(grow_from(0, 1 << 20), -1);
    CHECK_EQ(grow_from(100, 500000), -1);
}

TEST(arena_growth_survives_every_failed_allocation) {
    TORTURE(grow_from(0, 4 << 20));
    TORTURE(grow_from(100, 4 << 20));
}

static int fill(void) {
    struct err e;
    AUTO_ARENA struct arena a = ARENA_MAX(1 << 20);
    for (int i = 0; i < 3000; i++)
        if (!arena_printf(&a, &e, "number %d", i)) return -1;
    return 0;
}

TEST(arena_survives_every_failed_allocation) {
    TORTURE(fill());
}
