/* SPDX-License-Identifier: MIT
 *
 * The quick scans against their plain predicates, byte by byte. Compiled a
 * second time, without vector instructions, by json_scan_portable.c.
 */
#include "json/scan.h"

#include "test.h"

#include <string.h>

typedef size_t scan(const char *p, size_t n);

static size_t space(const char *p, size_t n) {
    return scan_space(p, n);
}

static size_t plain(const char *p, size_t n) {
    return scan_plain(p, n);
}

static size_t clean(const char *p, size_t n) {
    return scan_clean(p, n);
}

static bool is_space(char c) {
    return scan_is_space(c);
}

static bool is_plain(char c) {
    return scan_is_plain(c);
}

static bool is_clean(char c) {
    return scan_is_clean(c);
}

static const struct {
    scan *count;
    bool (*is)(char c);
    char filler; /* a byte of the class */
} classes[] = {
    {space, is_space, ' '}, {plain, is_plain, 'x'}, {clean, is_clean, '\x80'}};

/* Any byte value, at any place of a text of any length up to three blocks. */
static void check_byte(size_t kind, char c) {
    char text[48];
    for (size_t n = 1; n <= sizeof text; n++) {
        for (size_t at = 0; at < n; at++) {
            memset(text, classes[kind].filler, n);
            text[at] = c;
            size_t want = classes[kind].is(c) ? n : at;
            CHECK_EQ(classes[kind].count(text, n), want);
        }
    }
}

TEST(scans_stop_where_their_predicates_do) {
    for (size_t kind = 0; kind < 3; kind++)
        for (int c = 0; c < 256; c++)
            check_byte(kind, (char)c);
}

TEST(scans_of_nothing_find_nothing) {
    for (size_t kind = 0; kind < 3; kind++)
        CHECK_EQ(classes[kind].count("", 0), 0);
}

TEST(the_first_of_several_stops_counts) {
    CHECK_EQ(scan_plain("abc\"def\"ghijklmnopqrst", 22), 3);
    CHECK_EQ(scan_space("\n\t \r  x  y             ", 22), 6);
    CHECK_EQ(scan_clean("\xc3\xa9\\\"\xed\x9f\xbf.............", 20), 2);
}
