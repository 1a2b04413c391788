/* SPDX-License-Identifier: MIT
 *
 * What is wrong with a pattern, in the words and at the position that Python
 * has for it. PCRE2 says where it stopped; Python mostly where the construct
 * began.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "vm/pattern.h"

#define NO_GROUP   SIZE_MAX
#define NAME_SHOWN 60 /* bytes */

/* What lies before `end`, as far as groups go. */
struct groups {
    size_t open;    /* of the innermost "(" that is not closed, or NO_GROUP */
    unsigned count; /* of groups that capture */
};

static bool captures(str s, size_t at) {
    if (at + 1 >= s.n || s.p[at + 1] != '?') return true;
    return at + 3 < s.n && s.p[at + 2] == 'P' && s.p[at + 3] == '<';
}

/* Behind the "]" of the class that begins at `at`. */
static size_t class_end(str s, size_t at) {
    at++;
    if (at < s.n && s.p[at] == '^') at++;
    if (at < s.n && s.p[at] == ']') at++;
    for (; at < s.n && s.p[at] != ']'; at++)
        if (s.p[at] == '\\') at++;
    return at + 1;
}

static struct groups groups_before(str s, size_t end) {
    size_t stack[256], depth = 0;
    struct groups g = {NO_GROUP, 0};
    for (size_t at = 0; at < end && at < s.n; at++) {
        if (s.p[at] == '\\') {
            at++;
        } else if (s.p[at] == '[') {
            at = class_end(s, at) - 1;
        } else if (s.p[at] == '(') {
            if (depth < 256) stack[depth] = at;
            depth++;
            g.count += captures(s, at);
        } else if (s.p[at] == ')' && depth > 0) {
            depth--;
        }
    }
    if (depth > 0 && depth <= 256) g.open = stack[depth - 1];
    return g;
}

/* The last place before `end` where this text begins, or `end`. */
static size_t last_before(str s, size_t end, const char *text) {
    size_t n = strlen(text);
    for (size_t at = end; at-- > 0;)
        if (at + n <= s.n && memcmp(s.p + at, text, n) == 0) return at;
    return end;
}

static bool inside_char(str s, size_t at) {
    return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

/* As much of a name as a message shows, in whole characters. */
static str name_at(str s, size_t at) {
    if (at > s.n) at = s.n;
    size_t end = at;
    while (end < s.n && s.p[end] != '>' && s.p[end] != ')')
        end++;
    if (end - at > NAME_SHOWN) end = at + NAME_SHOWN;
    while (inside_char(s, end))
        end--;
    return str_sub(s, at, end);
}

static void say(struct pattern_fault *f, size_t at, const char *words) {
    snprintf(f->text, sizeof f->text, "%s", words);
    f->at = at;
}

static void say_repeat(struct pattern_fault *f, str s, size_t at) {
    size_t brace = at; /* where {2,3} begins, if `at` is within it */
    while (brace > 0 && strchr("0123456789,", s.p[brace - 1]))
        brace--;
    if (brace > 0 && brace < at && s.p[brace - 1] == '{') at = brace - 1;
    bool again = at > 0 && at <= s.n && strchr("*+?}", s.p[at - 1]);
    bool escaped = at > 1 && s.p[at - 2] == '\\';
    say(f, at, again && !escaped ? "multiple repeat" : "nothing to repeat");
}

static void say_twice(struct pattern_fault *f, str s, size_t where) {
    size_t at = last_before(s, where, "(?P<") + 4;
    str name = name_at(s, at);
    char group[80];
    snprintf(group, sizeof group, "(?P<%.*s", STR_ARG(name));
    size_t first = 0;
    while (first < at && !str_starts(str_sub(s, first, s.n), str_of(group)))
        first++;
    snprintf(f->text, sizeof f->text,
             "redefinition of group name '%.*s' as group %u; was group %u",
             STR_ARG(name), groups_before(s, at).count,
             groups_before(s, first + 1).count);
    f->at = at;
}

static void say_reference(struct pattern_fault *f, str s, size_t where) {
    size_t at = last_before(s, where, "(?P=");
    if (at < where) {
        str name = name_at(s, at + 4);
        snprintf(f->text, sizeof f->text, "unknown group name '%.*s'",
                 STR_ARG(name));
        f->at = at + 4;
        return;
    }
    at = last_before(s, where + 1, "\\");
    unsigned n = 0;
    for (size_t i = at + 1; i < s.n && i < at + 3; i++)
        if (s.p[i] >= '0' && s.p[i] <= '9')
            n = n * 10 + (unsigned)(s.p[i] - '0');
    snprintf(f->text, sizeof f->text, "invalid group reference %u", n);
    f->at = at + 1;
}

static void say_range(struct pattern_fault *f, str s, size_t where) {
    size_t dash = last_before(s, where, "-");
    size_t from = dash > 0 ? dash - 1 : 0, to = dash + 2 < s.n ? dash + 2 : s.n;
    while (from > 0 && inside_char(s, from))
        from--;
    while (inside_char(s, to))
        to++;
    str range = str_sub(s, from, to);
    snprintf(f->text, sizeof f->text, "bad character range %.*s",
             STR_ARG(range));
    f->at = from;
}

static void say_name(struct pattern_fault *f, str s, size_t where) {
    size_t at = last_before(s, where, "<") + 1;
    str name = name_at(s, at);
    snprintf(f->text, sizeof f->text, "bad character in group name '%.*s'",
             STR_ARG(name));
    f->at = at;
}

static void say_open(struct pattern_fault *f, str s) {
    size_t at = groups_before(s, s.n).open;
    say(f, at == NO_GROUP ? s.n : at, "missing ), unterminated subpattern");
}

void pattern_explain(struct pattern_fault *f, str s, int why, size_t where) {
    if (where > s.n) where = s.n;
    switch (why) {
    case PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS: say_open(f, s); break;
    case PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS:
        say(f, where, "unbalanced parenthesis");
        break;
    case PCRE2_ERROR_QUANTIFIER_OUT_OF_ORDER:
        say(f, last_before(s, where, "{") + 1,
            "min repeat greater than max repeat");
        break;
    case PCRE2_ERROR_QUANTIFIER_INVALID: say_repeat(f, s, where); break;
    case PCRE2_ERROR_DUPLICATE_SUBPATTERN_NAME: say_twice(f, s, where); break;
    case PCRE2_ERROR_BAD_SUBPATTERN_REFERENCE:
        say_reference(f, s, where);
        break;
    case PCRE2_ERROR_CLASS_RANGE_ORDER: say_range(f, s, where); break;
    case PCRE2_ERROR_INVALID_SUBPATTERN_NAME: say_name(f, s, where); break;
    case PCRE2_ERROR_SUBPATTERN_NAME_EXPECTED:
        say(f, where, "missing group name");
        break;
    case PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH:
        say(f, PATTERN_NOWHERE, "look-behind requires fixed-width pattern");
        return;
    default:
        (void)pcre2_get_error_message(why, (PCRE2_UCHAR *)f->text,
                                      sizeof f->text);
        f->at = where;
    }
    f->at = utf8_count(s.p, f->at < s.n ? f->at : s.n);
}
