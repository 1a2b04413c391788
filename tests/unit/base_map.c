/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/hash.h"
#include "base/mem.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static str numbered(char *buffer, size_t size, int i) {
    snprintf(buffer, size, "key-%d", i);
    return str_of(buffer);
}

TEST(map_keeps_insertion_order_and_replaces) {
    struct err e;
    AUTO_MAP struct map m = MAP_MAX(10);
    int a = 1, b = 2, c = 3;
    void *old = &c;
    CHECK(map_get(&m, STR("a")) == NULL);
    CHECK_OK(map_put(&m, STR("b"), &b, &old, &e), &e);
    CHECK(old == NULL);
    CHECK_OK(map_put(&m, STR("a"), &a, NULL, &e), &e);
    CHECK_OK(map_put(&m, STR("b"), &c, &old, &e), &e);
    CHECK(old == &b);
    CHECK(map_get(&m, STR("b")) == &c);
    const struct map_entry *it;
    size_t i = 0;
    it = map_next(&m, &i);
    CHECK_TEXT(it->key, "b");
    it = map_next(&m, &i);
    CHECK_TEXT(it->key, "a");
    CHECK(map_next(&m, &i) == NULL);
}

TEST(map_keys_may_hold_nuls_and_be_empty) {
    struct err e;
    AUTO_MAP struct map m = MAP_MAX(10);
    int x = 1, y = 2, z = 3;
    CHECK_OK(map_put(&m, STR("k\0a"), &x, NULL, &e), &e);
    CHECK_OK(map_put(&m, STR("k\0b"), &y, NULL, &e), &e);
    CHECK_OK(map_put(&m, (str){NULL, 0}, &z, NULL, &e), &e);
    CHECK(map_get(&m, STR("k\0a")) == &x);
    CHECK(map_get(&m, STR("k\0b")) == &y);
    CHECK(map_get(&m, STR("")) == &z);
    CHECK(map_get(&m, STR("k")) == NULL);
}

TEST(map_refuses_more_than_its_max) {
    struct err e;
    AUTO_MAP struct map m = MAP_MAX(1);
    int x = 1;
    CHECK_OK(map_put(&m, STR("a"), &x, NULL, &e), &e);
    CHECK_FAIL(map_put(&m, STR("b"), &x, NULL, &e), &e, ERR_LIMIT);
    CHECK_OK(map_put(&m, STR("a"), &x, NULL, &e), &e);
    CHECK(map_del(&m, STR("a")) == &x);
    CHECK_OK(map_put(&m, STR("b"), &x, NULL, &e), &e);
}

/* Against a plain array of flags, over a few thousand random steps. */
TEST(map_agrees_with_a_simple_model) {
    struct err e;
    AUTO_MAP struct map m = MAP_MAX(1000);
    static int values[300];
    bool present[300] = {false};
    size_t live = 0;
    const uint64_t key[2] = {1, 2};
    for (uint64_t step = 0; step < 20000; step++) {
        uint64_t r = hash_bytes(&step, sizeof step, key);
        int i = (int)(r % 300);
        char name[32];
        str s = numbered(name, sizeof name, i);
        if (r & 1024) {
            CHECK_OK(map_put(&m, s, &values[i], NULL, &e), &e);
            live += !present[i];
            present[i] = true;
        } else {
            CHECK(map_del(&m, s) == (present[i] ? &values[i] : NULL));
            live -= present[i];
            present[i] = false;
        }
        CHECK_EQ(m.live, live);
    }
    for (int i = 0; i < 300; i++) {
        char name[32];
        CHECK((map_get(&m, numbered(name, sizeof name, i)) != NULL) ==
              present[i]);
    }
    size_t walked = 0;
    for (size_t i = 0; map_next(&m, &i);)
        walked++;
    CHECK_EQ(walked, live);
    CHECK(m.cap <= 1024); /* holes are reused, not kept for ever */
}

static int fill(void) {
    struct err e;
    AUTO_MAP struct map m = MAP_MAX(1000);
    static int value;
    for (int i = 0; i < 100; i++) {
        char name[32];
        str s = numbered(name, sizeof name, i);
        if (map_put(&m, s, &value, NULL, &e)) {
            /* What was there is still there, and the failed one is not. */
            CHECK(map_get(&m, s) == NULL);
            CHECK_EQ(m.live, i);
            if (i > 0) CHECK(map_get(&m, numbered(name, sizeof name, i - 1)));
            return -1;
        }
    }
    return 0;
}

TEST(map_survives_every_failed_allocation) {
    TORTURE(fill());
}

/* Key 00..0f, input 00, 01, ..; the numbers come from an implementation that
 * meets the published vectors of SipHash-2-4, run with 1 and 3 rounds. */
TEST(hash_is_siphash_1_3) {
    const uint64_t key[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    unsigned char in[64];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)i;
    CHECK_EQ(hash_bytes(in, 0, key), (long long)0xabac0158050fc4dc);
    CHECK_EQ(hash_bytes(in, 1, key), (long long)0xc9f49bf37d57ca93);
    CHECK_EQ(hash_bytes(in, 8, key), (long long)0x369095118d299a8e);
    CHECK_EQ(hash_bytes(in, 15, key), (long long)0xd320d86d2a519956);
}

TEST(hash_depends_on_the_key) {
    const uint64_t a[2] = {1, 2}, b[2] = {1, 3};
    CHECK(hash_bytes("x", 1, a) != hash_bytes("x", 1, b));
    uint64_t r[2] = {0, 0};
    struct err e;
    CHECK_OK(hash_random(r, sizeof r, &e), &e);
    CHECK(r[0] != r[1]);
}
