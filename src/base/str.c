/* SPDX-License-Identifier: MIT */
#include "base/str.h"

#include <string.h>

str str_of(const char *cstr) {
    return cstr ? (str){cstr, strlen(cstr)} : STR("");
}

bool str_eq(str a, str b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool str_is(str a, const char *cstr) {
    return str_eq(a, str_of(cstr));
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool str_eq_nocase(str a, str b) {
    if (a.n != b.n) return false;
    for (size_t i = 0; i < a.n; i++)
        if (lower(a.p[i]) != lower(b.p[i])) return false;
    return true;
}

int str_cmp(str a, str b) {
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.p, b.p, n) : 0;
    if (order != 0) return order < 0 ? -1 : 1;
    return (a.n > b.n) - (a.n < b.n);
}

bool str_starts(str s, str prefix) {
    return s.n >= prefix.n && str_eq((str){s.p, prefix.n}, prefix);
}

bool str_ends(str s, str suffix) {
    return s.n >= suffix.n && str_eq(str_sub(s, s.n - suffix.n, s.n), suffix);
}

str str_sub(str s, size_t from, size_t to) {
    if (to > s.n) to = s.n;
    if (from > to) from = to;
    return from == 0 ? (str){s.p, to} : (str){s.p + from, to - from};
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

str str_trim(str s) {
    while (s.n > 0 && is_space(s.p[0]))
        s = str_sub(s, 1, s.n);
    while (s.n > 0 && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

ptrdiff_t str_find(str s, str needle) {
    if (needle.n == 0) return 0;
    const char *at = s.n > 0 ? memmem(s.p, s.n, needle.p, needle.n) : NULL;
    return at ? at - s.p : -1;
}

ptrdiff_t str_find_char(str s, char c) {
    const char *at = s.n > 0 ? memchr(s.p, c, s.n) : NULL;
    return at ? at - s.p : -1;
}

str str_cut(str *rest, char sep) {
    str whole = *rest;
    ptrdiff_t at = str_find_char(whole, sep);
    if (at < 0) {
        *rest = (str){NULL, 0};
        return whole;
    }
    *rest = str_sub(whole, (size_t)at + 1, whole.n);
    return str_sub(whole, 0, (size_t)at);
}

#define DISTANCE_MAX 64

static size_t least(size_t a, size_t b, size_t c) {
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

size_t str_distance(str a, str b, size_t limit) {
    if (a.n > DISTANCE_MAX || b.n > DISTANCE_MAX) return limit + 1;
    /* Distances of a[0..i) to each b[0..j), for i, i - 1 and i - 2. */
    size_t rows[3][DISTANCE_MAX + 1];
    size_t *now = rows[0], *last = rows[1], *before = rows[2];
    for (size_t j = 0; j <= b.n; j++)
        now[j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t *free_row = before;
        before = last;
        last = now;
        now = free_row;
        now[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            size_t change = last[j - 1] + (a.p[i - 1] != b.p[j - 1]);
            now[j] = least(change, now[j - 1] + 1, last[j] + 1);
            bool swapped = i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] &&
                           a.p[i - 2] == b.p[j - 1];
            if (swapped && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
    }
    return now[b.n] > limit ? limit + 1 : now[b.n];
}

const char *str_nearest(str s, const char *const *names) {
    /* One slip per three letters, so that short names are not guessed. */
    size_t limit = s.n / 3 < 3 ? (s.n + 2) / 3 : 3;
    const char *best = NULL;
    size_t best_distance = limit + 1;
    for (; *names; names++) {
        size_t d = str_distance(s, str_of(*names), limit);
        if (d >= best_distance || d >= strlen(*names)) continue;
        best = *names;
        best_distance = d;
    }
    return best;
}

/* Only the newest star can matter: whatever an older one matched may stay as
 * it is. So one restart point suffices and the time is at most |p| * |s|. */
bool str_glob(str pattern, str s) {
    size_t p = 0, i = 0, star = SIZE_MAX, resume = 0;
    while (i < s.n) {
        if (p < pattern.n && pattern.p[p] == '*') {
            star = p++;
            resume = i;
        } else if (p < pattern.n &&
                   (pattern.p[p] == '?' || pattern.p[p] == s.p[i])) {
            p++;
            i++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            i = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.n && pattern.p[p] == '*')
        p++;
    return p == pattern.n;
}
