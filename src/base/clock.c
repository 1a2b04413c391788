/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include "base/num.h"

#include <time.h>

#define SECOND ((int64_t)1000000000)
#define DAY    ((int64_t)86400)

static int64_t read_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t); /* cannot fail for these clocks */
    return t.tv_sec * SECOND + t.tv_nsec;
}

int64_t clock_mono_ns(void) {
    return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_wall_ns(void) {
    return read_clock(CLOCK_REALTIME);
}

int64_t clock_cpu_ns(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Calendar arithmetic of our own, because mktime and timegm read the
 * environment and accept days that do not exist. Years start in March, so that
 * the leap day is the last one; 146097 days make 400 years. */

struct date {
    int64_t year;
    unsigned month, day; /* from 1 */
};

static int64_t days_since_1970(struct date d) {
    int64_t year = d.month > 2 ? d.year : d.year - 1;
    int64_t month = d.month > 2 ? d.month - 3 : d.month + 9;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * month + 2) / 5 + d.day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           719468;
}

static struct date date_of(int64_t days) {
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    struct date d = {year + era * 400,
                     (unsigned)(month < 10 ? month + 3 : month - 9),
                     (unsigned)(of_year - (153 * month + 2) / 5 + 1)};
    if (d.month <= 2) d.year++;
    return d;
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static int64_t floor_mod(int64_t a, int64_t b) {
    return a % b + (a % b < 0 ? b : 0);
}

/* n digits, zeros in front, then one more character. */
static char *put(char *out, int64_t value, size_t n, char then) {
    for (size_t i = n; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
    out[n] = then;
    return out + n + 1;
}

char *clock_format(int64_t wall_ns, char *out) {
    int64_t seconds = floor_div(wall_ns, SECOND);
    int64_t millis = floor_mod(wall_ns, SECOND) / 1000000;
    int64_t days = floor_div(seconds, DAY), of_day = floor_mod(seconds, DAY);
    struct date d = date_of(days);
    char *at = put(out, d.year, 4, '-');
    at = put(at, d.month, 2, '-');
    at = put(at, d.day, 2, 'T');
    at = put(at, of_day / 3600, 2, ':');
    at = put(at, of_day / 60 % 60, 2, ':');
    at = put(at, of_day % 60, 2, '.');
    at = put(at, millis, 3, 'Z');
    *at = '\0';
    return out;
}

/* Exactly n digits at s[at]; -1 where there are none. */
static int digits(str s, size_t at, size_t n) {
    int value = 0;
    for (size_t i = at; i < at + n; i++) {
        if (i >= s.n || s.p[i] < '0' || s.p[i] > '9') return -1;
        value = value * 10 + (s.p[i] - '0');
    }
    return value;
}

static bool has(str s, size_t at, const char *any_of) {
    for (; at < s.n && *any_of; any_of++)
        if (s.p[at] == *any_of) return true;
    return false;
}

static bool parse_date(str s, struct date *d) {
    int year = digits(s, 0, 4), month = digits(s, 5, 2), day = digits(s, 8, 2);
    if (year < 0 || month < 1 || day < 1 || !has(s, 4, "-") || !has(s, 7, "-"))
        return false;
    *d = (struct date){year, (unsigned)month, (unsigned)day};
    /* A day that does not exist comes back as another one. */
    struct date back = date_of(days_since_1970(*d));
    return month <= 12 && back.month == d->month && back.day == d->day;
}

static bool parse_time(str s, int64_t *seconds) {
    int h = digits(s, 11, 2), m = digits(s, 14, 2), sec = digits(s, 17, 2);
    *seconds = h * 3600 + m * 60 + sec;
    return h >= 0 && h < 24 && m >= 0 && m < 60 && sec >= 0 && sec < 61 &&
           has(s, 10, "Tt ") && has(s, 13, ":") && has(s, 16, ":");
}

/* ".123456789" at s[*at], digits past nanoseconds ignored. */
static bool parse_fraction(str s, size_t *at, int64_t *ns) {
    *ns = 0;
    if (!has(s, *at, ".")) return true;
    size_t first = ++*at;
    for (int64_t unit = SECOND / 10; digits(s, *at, 1) >= 0; ++*at) {
        *ns += digits(s, *at, 1) * unit;
        unit /= 10;
    }
    return *at > first;
}

static bool parse_zone(str s, size_t at, int64_t *seconds) {
    *seconds = 0;
    if (has(s, at, "Zz")) return at + 1 == s.n;
    int h = digits(s, at + 1, 2), m = digits(s, at + 4, 2);
    *seconds = (h * 60 + m) * 60 * (has(s, at, "-") ? -1 : 1);
    return has(s, at, "+-") && has(s, at + 3, ":") && at + 6 == s.n && h >= 0 &&
           h < 24 && m >= 0 && m < 60;
}

int clock_parse(str s, int64_t *wall_ns, struct err *e) {
    struct date d;
    int64_t of_day, ns, zone, value;
    size_t at = 19;
    if (!parse_date(s, &d) || !parse_time(s, &of_day) ||
        !parse_fraction(s, &at, &ns) || !parse_zone(s, at, &zone))
        return fail(e, ERR_INVALID,
                    "\"%.*s\" is not a time like 2026-01-31T12:00:00Z",
                    STR_ARG(s));
    int64_t seconds = days_since_1970(d) * DAY + of_day - zone;
    if (num_mul(seconds, SECOND, &value) || num_add(value, ns, &value))
        return fail(e, ERR_LIMIT, "%.*s is out of range", STR_ARG(s));
    *wall_ns = value;
    return 0;
}
