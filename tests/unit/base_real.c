/* SPDX-License-Identifier: MIT */
#include "base/real.h"

#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static str es(double d, char out[REAL_TEXT_SIZE]) {
    return (str){out, real_format_es(d, out)};
}

static str py(double d, char out[REAL_TEXT_SIZE]) {
    return (str){out, real_format_py(d, out)};
}

TEST(reals_are_written_as_ecmascript_and_python_do) {
    static const struct {
        double d;
        const char *es, *py;
    } cases[] = {
        {0.0, "0", "0.0"},
        {-0.0, "0", "-0.0"},
        {1, "1", "1.0"},
        {-1.5, "-1.5", "-1.5"},
        {0.1, "0.1", "0.1"},
        {100, "100", "100.0"},
        {123456.789, "123456.789", "123456.789"},
        {1e15, "1000000000000000", "1000000000000000.0"},
        {1e16, "10000000000000000", "1e+16"},
        {9007199254740993.0, "9007199254740992", "9007199254740992.0"},
        {1e20, "100000000000000000000", "1e+20"},
        {1e21, "1e+21", "1e+21"},
        {1.5e22, "1.5e+22", "1.5e+22"},
        {0.0001, "0.0001", "0.0001"},
        {0.00001, "0.00001", "1e-05"},
        {0.000001, "0.000001", "1e-06"},
        {1e-7, "1e-7", "1e-07"},
        {-1.2345e-10, "-1.2345e-10", "-1.2345e-10"},
        {5e-324, "5e-324", "5e-324"},
        {DBL_MIN, "2.2250738585072014e-308", "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e+308", "1.7976931348623157e+308"},
        {0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"},
        {2.0 / 3, "0.6666666666666666", "0.6666666666666666"},
        {9.5367431640625e-7, "9.5367431640625e-7", "9.5367431640625e-07"},
        {333333333.33333329, "333333333.3333333", "333333333.3333333"},
    };
    char out[REAL_TEXT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_STR(es(cases[i].d, out), cases[i].es);
        CHECK_STR(py(cases[i].d, out), cases[i].py);
    }
}

TEST(whole_numbers_are_written_with_all_their_digits) {
    static const int64_t edges[] = {INT64_MIN, INT64_MAX, 0,  -1,
                                    9,         10,        99, 100};
    char out[REAL_TEXT_SIZE], want[32];
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        snprintf(want, sizeof want, "%lld", (long long)edges[i]);
        CHECK_STR(((str){out, real_format_int(edges[i], out)}), want);
    }
    for (int64_t v = 1; v < INT64_MAX / 10; v *= 10)
        for (int64_t near = v - 1; near <= v + 1; near++) {
            snprintf(want, sizeof want, "%lld", (long long)-near);
            CHECK_STR(((str){out, real_format_int(-near, out)}), want);
        }
}

static void check_reads(const char *text) {
    double got = real_parse(str_of(text)), want = strtod(text, NULL);
    if (memcmp(&got, &want, sizeof got) != 0)
        test_fail(__FILE__, __LINE__, "%.60s reads as %a, not %a", text, got,
                  want);
}

TEST(reading_rounds_to_nearest_and_ties_to_even) {
    static const char *const cases[] = {
        "0",
        "-0",
        "0.0e5",
        "1",
        "0.1",
        "123.456e3",
        "1e22",
        "1e23",
        "1e-22",
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.0",
        "9007199254740991.4999999999999999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000001",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088284396434110686182e-324",
        "2.47032822920623272088284396434110686183e-324",
        "4.9e-324",
        "1e-400",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807937289714053e308",
        "1.797693134862315808e308",
        "1e309",
        "1e400",
        "-1e400",
        "0.000000000000000000000000000000000000000000000000000000000001",
        "1000000000000000000000000000000000000000000000000000000000000",
        "18446744073709551615",
        "18446744073709551616",
        "1e-5000",
        "1e5000",
        "8.5e19",
        "6.02214076e23",
        "1448997445238699",
        "5e-324",
        "3e-324",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "1e0000000000000000000000000000000000000000000000000000000005",
        "1e99999999999999999999999999",
        "1e-99999999999999999999999999",
        "0e99999999999999999999999999",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_reads(cases[i]);
}

/* Halfway between two doubles, exactly, and a hair to either side of it. */
static void check_around_midpoint(double d) {
    char text[1200];
    double up = nextafter(d, INFINITY);
    if (!isfinite(up)) return;
    long double mid = ((long double)d + (long double)up) / 2;
    int n = snprintf(text, sizeof text - 2, "%.800Le", mid);
    CHECK(n > 0);
    check_reads(text);
    char *e = strchr(text, 'e');
    e[-1] = '1';
    check_reads(text);
    snprintf(text, sizeof text, "%.30Le", mid);
    check_reads(text);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* xorshift from a fixed start, so that a failure can be repeated. */
static double random_double(uint64_t *state) {
    double d;
    do {
        uint64_t bits = next_random(state);
        memcpy(&d, &bits, sizeof d);
    } while (!isfinite(d));
    return d;
}

TEST(midpoints_between_doubles_are_decided_exactly) {
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 3000; i++)
        check_around_midpoint(fabs(random_double(&state)));
    check_around_midpoint(0);
    check_around_midpoint(5e-324);
    check_around_midpoint(DBL_MIN);
}

/* No text with fewer digits reads back as d: libc is the judge. */
static void check_shortest(double d, str text) {
    char shorter[40];
    size_t digits = 0;
    for (size_t i = 0; i < text.n && text.p[i] != 'e'; i++)
        if (text.p[i] >= '0' && text.p[i] <= '9' && (digits || text.p[i] > '0'))
            digits++;
    if (digits < 2) return;
    snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, d);
    CHECK(strtod(shorter, NULL) != d);
}

static void check_round_trip(double d) {
    char out[REAL_TEXT_SIZE + 1];
    str text = py(d, out);
    out[text.n] = '\0';
    double back = real_parse(text), judge = strtod(out, NULL);
    CHECK(memcmp(&back, &d, sizeof d) == 0);
    CHECK(memcmp(&judge, &d, sizeof d) == 0);
    if (strchr(out, 'e')) check_shortest(d, text);
}

TEST(random_doubles_survive_the_round_trip) {
    uint64_t state = 1;
    for (int i = 0; i < 50000; i++)
        check_round_trip(random_double(&state));
}

/* Powers of two are special: the next double below is nearer than the one
 * above. So are the smallest doubles, which have fewer digits. */
TEST(powers_of_two_and_their_neighbours_survive_the_round_trip) {
    for (uint64_t exponent = 0; exponent < 0x7ff; exponent++) {
        for (int64_t near = -2; near <= 2; near++) {
            uint64_t bits = (exponent << 52) + (uint64_t)near;
            double d;
            memcpy(&d, &bits, sizeof d);
            if (isfinite(d)) check_round_trip(d);
        }
    }
    for (uint64_t bits = 1; bits != 0 && bits < (uint64_t)1 << 53; bits *= 3) {
        double d;
        memcpy(&d, &bits, sizeof d);
        check_round_trip(d);
    }
}

TEST(seventeen_digits_read_as_libc_reads_them) {
    uint64_t state = 7;
    char text[64];
    for (int i = 0; i < 50000; i++) {
        snprintf(text, sizeof text, "%.*e", (int)(next_random(&state) % 25),
                 random_double(&state));
        check_reads(text);
    }
}
