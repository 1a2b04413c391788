/* SPDX-License-Identifier: MIT
 *
 * The table of formats, and those about time and identity. Hosts and mail are
 * in format_host.c, addresses of documents in format_uri.c.
 */
#include "json/format.h"

#include "json/format_scan.h"
#include "json/regex.h"

static const struct format formats[] = {
#define FORMAT(name, function) {name, function},
#include "json/format.def"
#undef FORMAT
};

const struct format *format_find(str name) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (str_is(name, formats[i].name)) return &formats[i];
    return NULL;
}

/* ---- RFC 3339 ---------------------------------------------------------- */

static int days_in_month(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool take_date(str *s) {
    int year, month, day;
    return take_digits(s, 4, &year) && take_char(s, '-') &&
           take_digits(s, 2, &month) && take_char(s, '-') &&
           take_digits(s, 2, &day) && month >= 1 && month <= 12 && day >= 1 &&
           day <= days_in_month(year, month);
}

static bool take_fraction(str *s) {
    if (!take_char(s, '.')) return true;
    size_t n = 0;
    for (; s->n > 0 && is_digit(s->p[0]); n++)
        skip(s, 1);
    return n > 0;
}

/* "Z" or "+hh:mm", in minutes. */
static bool take_offset(str *s, int *minutes) {
    *minutes = 0;
    if (take_char(s, 'Z') || take_char(s, 'z')) return true;
    bool minus = s->n > 0 && s->p[0] == '-';
    int h, m;
    if (!take_char(s, '+') && !take_char(s, '-')) return false;
    if (!take_digits(s, 2, &h) || !take_char(s, ':') || !take_digits(s, 2, &m))
        return false;
    *minutes = minus ? -(h * 60 + m) : h * 60 + m;
    return h <= 23 && m <= 59;
}

/* A leap second exists only at 23:59:60 UTC. */
static bool take_time(str *s) {
    int h, m, sec, offset;
    bool ok = take_digits(s, 2, &h) && take_char(s, ':') &&
              take_digits(s, 2, &m) && take_char(s, ':') &&
              take_digits(s, 2, &sec) && take_fraction(s) &&
              take_offset(s, &offset);
    if (!ok || h > 23 || m > 59 || sec > 60) return false;
    int utc = ((h * 60 + m - offset) % 1440 + 1440) % 1440;
    return sec < 60 || utc == 23 * 60 + 59;
}

bool format_date(str s) {
    return take_date(&s) && s.n == 0;
}

bool format_time(str s) {
    return take_time(&s) && s.n == 0;
}

bool format_date_time(str s) {
    return take_date(&s) && (take_char(&s, 'T') || take_char(&s, 't')) &&
           take_time(&s) && s.n == 0;
}

/* ---- ISO 8601 durations, as RFC 3339's appendix has them --------------- */

/* Digits and one of the units, in their order: a unit, once passed over, may
 * not come back, and none between two that are given may be left out. */
static bool take_units(str *s, const char *units, size_t *taken) {
    size_t next = 0;
    *taken = 0;
    while (s->n > 0 && is_digit(s->p[0])) {
        while (s->n > 0 && is_digit(s->p[0]))
            skip(s, 1);
        size_t u = next;
        while (units[u] && !(s->n > 0 && s->p[0] == units[u]))
            u++;
        if (!units[u] || (*taken > 0 && u != next)) return false;
        skip(s, 1);
        next = u + 1;
        ++*taken;
    }
    return true;
}

bool format_duration(str s) {
    size_t days = 0, times = 0;
    if (!take_char(&s, 'P')) return false;
    str weeks = s;
    if (take_units(&weeks, "W", &days) && days == 1 && weeks.n == 0)
        return true;
    if (!take_units(&s, "YMD", &days)) return false;
    if (s.n == 0) return days > 0;
    return take_char(&s, 'T') && take_units(&s, "HMS", &times) && times > 0 &&
           s.n == 0;
}

/* ---- identity
 * ----------------------------------------------------------------- */

bool format_uuid(str s) {
    if (s.n != 36) return false;
    for (size_t i = 0; i < 36; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s.p[i] != '-' : !is_hex(s.p[i])) return false;
    }
    return true;
}

bool format_json_pointer(str s) {
    if (s.n > 0 && s.p[0] != '/') return false;
    for (size_t i = 0; i < s.n; i++) {
        bool escape = s.p[i] == '~';
        if (escape &&
            (i + 1 >= s.n || (s.p[i + 1] != '0' && s.p[i + 1] != '1')))
            return false;
    }
    return true;
}

bool format_relative_json_pointer(str s) {
    if (s.n == 0 || !is_digit(s.p[0])) return false;
    bool zero = s.p[0] == '0';
    size_t n = 0;
    for (; s.n > 0 && is_digit(s.p[0]); n++)
        skip(&s, 1);
    if (zero && n > 1) return false;
    return str_is(s, "#") || format_json_pointer(s);
}

bool format_regex(str s) {
    struct err ignored;
    struct regex *re = regex_new(s, &ignored);
    regex_free(re);
    return re != NULL;
}
