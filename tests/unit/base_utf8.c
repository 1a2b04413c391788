/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include "test.h"

#include <string.h>

TEST(utf8_round_trips_every_code_point) {
    for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
        char out[UTF8_MAX];
        uint32_t back = 0;
        size_t n = utf8_encode(cp, out);
        bool surrogate = cp >= 0xd800 && cp <= 0xdfff;
        if (utf8_decode_loose(out, n, &back) != n || back != cp ||
            (utf8_decode(out, n, &back) == n) == surrogate)
            test_fail(__FILE__, __LINE__, "U+%04X", cp);
    }
    char out[UTF8_MAX];
    CHECK_EQ(utf8_encode(0x110000, out), 0);
}

TEST(utf8_rejects_what_rfc_3629_rejects) {
    static const char *const bad[] = {
        "\x80",             /* a tail byte first */
        "\xc0\x80",         /* overlong NUL */
        "\xc1\xbf",         /* overlong */
        "\xe0\x9f\xbf",     /* overlong */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xed\xbf\xbf",     /* surrogate */
        "\xf4\x90\x80\x80", /* past U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xc3",         /* cut */
        "\xe2\x82",     /* cut */
        "\xf0\x9f\x98", /* cut */
        "\xc3(",        /* no tail */
        "\xe2\x28\xa1",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint32_t cp = 7;
        CHECK_EQ(utf8_decode(bad[i], strlen(bad[i]), &cp), 0);
        CHECK_EQ(cp, 7);
        CHECK_EQ(utf8_valid(bad[i], strlen(bad[i])), 0);
    }
    uint32_t cp;
    CHECK_EQ(utf8_decode("", 0, &cp), 0);
}

TEST(utf8_valid_tells_where_it_breaks) {
    static const char text[] = "0123456789 \xc3\xa4 \xed\xa0\x80 \xff";
    CHECK_EQ(utf8_valid(text, sizeof text - 1), 14);
    CHECK_EQ(utf8_valid_loose(text, sizeof text - 1), 18);
    CHECK_EQ(utf8_valid("plain", 5), 5);
    CHECK_EQ(utf8_valid(NULL, 0), 0);
}

/* The fast path looks at eight bytes at a time: try every place. */
TEST(utf8_sees_a_bad_byte_at_every_offset) {
    char text[40];
    for (size_t at = 0; at < sizeof text; at++) {
        memset(text, 'a', sizeof text);
        CHECK(utf8_is_ascii(text, sizeof text));
        text[at] = '\xff';
        CHECK_EQ(utf8_valid(text, sizeof text), at);
        CHECK(!utf8_is_ascii(text, sizeof text));
    }
}

TEST(utf8_counts_code_points) {
    CHECK_EQ(utf8_count("", 0), 0);
    CHECK_EQ(utf8_count("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 10), 4);
}
