/* SPDX-License-Identifier: MIT */
#include "base/num.h"

#include "test.h"

TEST(num_reads_whole_numbers_exactly) {
    struct err e;
    int64_t i = 5;
    uint64_t u = 5;
    CHECK_OK(num_parse_i64(STR("-9223372036854775808"), &i, &e), &e);
    CHECK(i == INT64_MIN);
    CHECK_OK(num_parse_i64(STR("9223372036854775807"), &i, &e), &e);
    CHECK(i == INT64_MAX);
    CHECK_OK(num_parse_u64(STR("18446744073709551615"), &u, &e), &e);
    CHECK(u == UINT64_MAX);
    CHECK_OK(num_parse_i64(STR("007"), &i, &e), &e);
    CHECK_EQ(i, 7);
}

TEST(num_refuses_everything_else) {
    static const char *const bad[] = {"",
                                      "-",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1a",
                                      "0x1",
                                      "--1",
                                      "1.0",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999999"};
    struct err e;
    int64_t i = 42;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        CHECK_FAIL(num_parse_i64(str_of(bad[k]), &i, &e), &e, ERR_INVALID);
    CHECK_EQ(i, 42);
    uint64_t u = 42;
    CHECK_FAIL(num_parse_u64(STR("-1"), &u, &e), &e, ERR_INVALID);
    CHECK_FAIL(num_parse_u64(STR("18446744073709551616"), &u, &e), &e,
               ERR_INVALID);
    CHECK_EQ(u, 42);
}

TEST(num_reads_sizes) {
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {
        {"512", 512},       {"64k", 65536},    {"64K", 65536},
        {"1MB", 1 << 20},   {"1MiB", 1 << 20}, {"1g", 1 << 30},
        {"2t", 2ull << 40}, {"7b", 7},         {"0", 0},
    };
    static const char *const bad[] = {
        "",   "k",    "1x",  "1kx",          "1kib1",
        "-1", "1.5k", "1 k", "17179869184g", "1ib"};
    struct err e;
    uint64_t bytes = 3;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK_OK(num_parse_size(str_of(good[i].text), &bytes, &e), &e);
        CHECK_EQ(bytes, good[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAIL(num_parse_size(str_of(bad[i]), &bytes, &e), &e, ERR_INVALID);
}

TEST(num_reads_durations) {
    static const struct {
        const char *text;
        int64_t ns;
    } good[] = {
        {"30", 30000000000},
        {"30s", 30000000000},
        {"1.5s", 1500000000},
        {"200ms", 200000000},
        {"5m", 300000000000},
        {"2h", 7200000000000},
        {"1d", 86400000000000},
        {"7ns", 7},
        {"2us", 2000},
        {"0.5m", 30000000000},
        {"0.001s", 1000000},
        {"1.25h", 4500000000000},
        {"0.1234567891s", 123456789},
        {"0", 0},
    };
    static const char *const bad[] = {
        "",    "s",   "1.s", ".5s",         "1.5.5s",
        "-1s", "1 s", "1w",  "9999999999d", "99999999999999999999"};
    struct err e;
    int64_t ns = 3;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK_OK(num_parse_duration(str_of(good[i].text), &ns, &e), &e);
        CHECK_EQ(ns, good[i].ns);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAIL(num_parse_duration(str_of(bad[i]), &ns, &e), &e,
                   ERR_INVALID);
}

TEST(num_rounds_up_to_powers_of_two) {
    CHECK_EQ(num_pow2(0), 1);
    CHECK_EQ(num_pow2(1), 1);
    CHECK_EQ(num_pow2(5), 8);
    CHECK_EQ(num_pow2(64), 64);
    CHECK_EQ(num_pow2(SIZE_MAX), 0);
}
