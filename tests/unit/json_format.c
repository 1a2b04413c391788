/* SPDX-License-Identifier: MIT */
#include "json/format.h"

#include "test.h"
#include "json/regex.h"

#include <string.h>

struct example {
    const char *format, *good, *bad;
};

static void check_format(const char *name, const char *text, bool want) {
    const struct format *f = format_find(str_of(name));
    CHECK(f);
    if (f->check(str_of(text)) == want) return;
    test_note("%s: \"%s\" should be %s", name, text, want ? "good" : "bad");
    CHECK(false);
}

TEST(formats_know_their_values) {
    static const struct example list[] = {
        {"date-time", "1963-06-19T08:30:06.283185Z", "1963-06-19 08:30:06Z"},
        {"date-time", "1998-12-31T23:59:60Z", "1998-12-31T22:59:60Z"},
        {"date", "2000-02-29", "1900-02-29"},
        {"date", "2024-12-31", "2024-13-01"},
        {"time", "12:00:00+01:30", "12:00:00"},
        {"duration", "P4Y", "P"},
        {"duration", "PT1H30M", "PT1H30"},
        {"duration", "P2W", "P1Y2W"},
        {"email", "joe.bloggs@example.com", "joe..bloggs@example.com"},
        {"email", "\"a@b\"@example.com", "@example.com"},
        {"idn-email", "\xec\x8b\xa4@\xec\x8b\xa4.com", "\xec\x8b\xa4"},
        {"hostname", "r3---sn.example.com", "-x.example.com"},
        {"hostname", "xn--ihqwcrb4cv8a8dqg056pqjye", "xn--X"},
        {"idn-hostname", "l\xc2\xb7l", "a\xc2\xb7l"},
        {"idn-hostname", "\xd7\x90\xd7\xb3\xd7\x91", "a\xd7\x90"},
        {"ipv4", "192.168.0.1", "256.1.1.1"},
        {"ipv4", "0.0.0.0", "087.10.0.1"},
        {"ipv6", "::1", "1::2::3"},
        {"ipv6", "1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:7"},
        {"uri", "http://foo.bar/?q=%20#x", "//foo.bar/baz"},
        {"uri", "http://[::1]:80/", "http://[1::2::3]/"},
        {"uri", "urn:oasis:names", "http:// x"},
        {"uri-reference", "/abc?d", "\\\\WINDOWS"},
        {"iri", "http://\xc6\x92\xc3\xb8\xc3\xb8.com/", "\xc3\xa9"},
        {"iri-reference", "\xc3\xa9", "#\\x"},
        {"uri-template", "http://a/{x}/{y:3}{?z*}", "http://a/{x"},
        {"uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380",
         "2eb8aa08aa9811eab4aa73b441d16380"},
        {"json-pointer", "/a~0b/~1", "/a~2"},
        {"relative-json-pointer", "1/a", "01/a"},
        {"regex", "([abc])+\\s+$", "^(abc]"},
        {0},
    };
    for (const struct example *x = list; x->format; x++) {
        check_format(x->format, x->good, true);
        check_format(x->format, x->bad, false);
    }
    CHECK(!format_find(STR("no-such-format")));
}

/* ---- patterns
 * ------------------------------------------------------------------ */

static int match(const char *pattern, str subject, struct err *e) {
    struct regex *re = regex_new(str_of(pattern), e);
    struct regex_scratch *s = re ? regex_scratch_new(e) : NULL;
    int found = s ? regex_match(re, s, subject, REGEX_FULL, e) : -1;
    regex_scratch_free(s);
    regex_free(re);
    return found;
}

static void check_match(const char *pattern, const char *subject, int want) {
    struct err e = {0};
    int got = match(pattern, str_of(subject), &e);
    if (got == want) return;
    test_note("%s on \"%s\": %d %s", pattern, subject, got, e.text);
    CHECK(false);
}

TEST(patterns_mean_what_they_mean_in_ecmascript) {
    check_match("b", "abc", 1);
    check_match("^a$", "a\n", 0);
    check_match("^\\d$", "\xd9\xa0", 0); /* only ASCII digits */
    check_match("^\\w$", "\xc3\xa9", 0);
    check_match("^\\s$", "\xc2\xa0", 1); /* no-break space */
    check_match("^\\S$", "\xc2\xa0", 0);
    check_match("^[\\S]$", "x", 1);
    check_match("^[^\\s]$", "\xe2\x80\xa8", 0);
    check_match("^.$", "\xf0\x9f\x92\xa9", 1);
    check_match("^.$", "\xe2\x80\xa8", 0);
    check_match("^\\u00e9$", "\xc3\xa9", 1);
    check_match("^\\uD83D\\uDCA9$", "\xf0\x9f\x92\xa9", 1);
    check_match("^\\u{1f4a9}$", "\xf0\x9f\x92\xa9", 1);
    check_match("^\\p{Letter}+$", "\xc3\xa9t\xc3\xa9", 1);
    check_match("^\\p{Script=Greek}$", "\xce\xb1", 1);
    check_match("[]", "a", 0);
    check_match("^[^]$", "\n", 1);
    check_match("^[[:alpha:]]$", ":]", 1); /* no POSIX classes */
    check_match("^[\\w-.]+$", "a-.", 1);
    check_match("^x{,3}$", "x{,3}", 1);
    check_match("^\\v$", "\x0b", 1);
    check_match("^\\cA$", "\x01", 1);
    check_match("^(?<y>a)\\k<y>$", "aa", 1);
    check_match("^\\-\\/\\@$", "-/@", 1);
    check_match("(?<=a)b", "ab", 1);
}

TEST(extensions_of_pcre2_are_out_of_reach) {
    static const char *const patterns[] = {
        "(*UTF)a", "(?i)a",    "(?R)",  "(?1)",  "(?P<x>a)", "(?>a)",
        "(?#x)",   "(?|a)",    "a++",   "a*+",   "\\Qa\\E",  "\\A",
        "\\Z",     "\\z",      "\\G",   "\\K",   "\\R",      "\\X",
        "\\h",     "\\N{U+1}", "(?C1)", "(?&x)", "\\g1",     "\\a",
        "\\e",     "(",        "[a",    "a\\",   "*a",       "\\x1",
        "\\u12",   "\\p{x-y}", "\\01",  "(?:a",  "a**",      "\\c1",
    };
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct err e;
        struct regex *re = regex_new(str_of(patterns[i]), &e);
        if (re) test_note("%s was taken", patterns[i]);
        CHECK(!re);
        CHECK_EQ(e.kind, ERR_INVALID);
    }
}

TEST(a_pattern_may_take_longer_on_longer_text_but_not_for_ever) {
    struct err e;
    static char text[200000];
    memset(text, 'a', sizeof text - 1);
    CHECK_EQ(match("^[a-z]+$", (str){text, sizeof text - 1}, &e), 1);
    CHECK_EQ(match("^([a-z]|[0-9])+$", (str){text, 20000}, &e), 1);
    text[60] = '!';
    CHECK_EQ(match("^(a+)+$", (str){text, 61}, &e), -1);
    CHECK_EQ(e.kind, ERR_LIMIT);
}

TEST(text_that_is_not_utf8_is_matched_around) {
    check_match("^a", "a\xed\xa0\x80", 1); /* a lone surrogate */
    check_match("b$",
                "\xed\xa0\x80"
                "b",
                1);
}

static int use_regex(void) {
    struct err e;
    return match("^(a|b)+[^\\s]\\p{Lu}$", STR("ababab1Q"), &e) == 1 ? 0 : -1;
}

TEST(patterns_survive_every_failed_allocation) {
    TORTURE(use_regex());
}
