/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include "test.h"

#define SECOND ((int64_t)1000000000)

TEST(clock_writes_rfc_3339) {
    char out[CLOCK_TEXT_SIZE];
    CHECK_TEXT(clock_format(0, out), "1970-01-01T00:00:00.000Z");
    CHECK_TEXT(clock_format(951827696789 * 1000000, out),
               "2000-02-29T12:34:56.789Z");
    CHECK_TEXT(clock_format(-1, out), "1969-12-31T23:59:59.999Z");
    CHECK_TEXT(clock_format(INT64_MAX, out), "2262-04-11T23:47:16.854Z");
    CHECK_TEXT(clock_format(INT64_MIN, out), "1677-09-21T00:12:43.145Z");
}

TEST(clock_reads_what_it_writes) {
    struct err e;
    char out[CLOCK_TEXT_SIZE];
    for (int64_t day = -100000; day < 100000; day += 37) {
        int64_t ns = day * 86400 * SECOND + 45296 * SECOND, back;
        CHECK_OK(clock_parse(str_of(clock_format(ns, out)), &back, &e), &e);
        CHECK_EQ(back, ns);
    }
}

TEST(clock_reads_zones_and_fractions) {
    struct err e;
    int64_t ns;
    CHECK_OK(clock_parse(STR("1970-01-01T01:30:00+01:30"), &ns, &e), &e);
    CHECK_EQ(ns, 0);
    CHECK_OK(clock_parse(STR("1969-12-31t19:00:00.5-05:00"), &ns, &e), &e);
    CHECK_EQ(ns, SECOND / 2);
    CHECK_OK(clock_parse(STR("1970-01-01 00:00:00.123456789123z"), &ns, &e),
             &e);
    CHECK_EQ(ns, 123456789);
    CHECK_OK(clock_parse(STR("2016-12-31T23:59:60Z"), &ns, &e), &e);
}

TEST(clock_refuses_times_that_are_none) {
    static const char *const bad[] = {
        "",
        "2026-01-31",
        "2026-01-31T12:00:00",
        "2026-02-29T12:00:00Z",
        "2026-04-31T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-00-01T12:00:00Z",
        "2026-01-00T12:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T12:60:00Z",
        "2026-01-31T12:00:61Z",
        "2026-01-31T12:00:00.Z",
        "2026-01-31T12:00:00Zx",
        "2026-01-31T12:00:00+1:00",
        "2026-01-31T12:00:00+25:00",
        "2026-01-31X12:00:00Z",
        "26-01-31T12:00:00Z",
    };
    struct err e;
    int64_t ns = 9;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAIL(clock_parse(str_of(bad[i]), &ns, &e), &e, ERR_INVALID);
    CHECK_FAIL(clock_parse(STR("9999-01-01T00:00:00Z"), &ns, &e), &e,
               ERR_LIMIT);
    CHECK_EQ(ns, 9);
}

TEST(clocks_move_forward) {
    int64_t mono = clock_mono_ns(), cpu = clock_cpu_ns();
    CHECK(clock_wall_ns() > 1700000000 * SECOND);
    for (volatile int i = 0; i < 100000; i++)
        continue;
    CHECK(clock_mono_ns() > mono);
    CHECK(clock_cpu_ns() > cpu);
}
