/* SPDX-License-Identifier: MIT */
#include "vm/unicode.h"

#include "base/utf8.h"

#include <utf8proc.h>

struct range {
    uint32_t first, last;
};

static const struct range digits[] = {
#define DIGIT(a, b) {a, b},
#include "vm/unicode.def"
#undef DIGIT
};

static const struct range numerics[] = {
#define NUMERIC(a, b) {a, b},
#include "vm/unicode.def"
#undef NUMERIC
};

static const uint32_t zeros[] = {
#define ZERO(cp) cp,
#include "vm/unicode.def"
#undef ZERO
};

static const struct {
    uint32_t cp;
    const char *upper, *title;
} cases[] = {
#define CASE(cp, upper, title) {cp, upper, title},
#include "vm/unicode.def"
#undef CASE
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static bool among(const struct range *r, size_t n, uint32_t cp) {
    while (n) {
        size_t mid = n / 2;
        if (cp < r[mid].first) {
            n = mid;
        } else if (cp > r[mid].last) {
            r += mid + 1;
            n -= mid + 1;
        } else {
            return true;
        }
    }
    return false;
}

static utf8proc_category_t category(uint32_t cp) {
    return utf8proc_category((utf8proc_int32_t)cp);
}

/* -- properties -------------------------------------------------------------
 */

bool unicode_alpha(uint32_t cp) {
    if (cp < 128) return (cp | 32) >= 'a' && (cp | 32) <= 'z';
    utf8proc_category_t c = category(cp);
    return c >= UTF8PROC_CATEGORY_LU && c <= UTF8PROC_CATEGORY_LO;
}

int unicode_decimal_value(uint32_t cp) {
    if (cp < 128) return cp >= '0' && cp <= '9' ? (int)(cp - '0') : -1;
    size_t low = 0, high = COUNT(zeros);
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (zeros[mid] + 9 < cp)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == COUNT(zeros) || cp < zeros[low]) return -1;
    return (int)(cp - zeros[low]);
}

bool unicode_decimal(uint32_t cp) {
    return unicode_decimal_value(cp) >= 0;
}

bool unicode_digit(uint32_t cp) {
    return unicode_decimal(cp) ||
           (cp > 127 && among(digits, COUNT(digits), cp));
}

bool unicode_numeric(uint32_t cp) {
    return unicode_digit(cp) ||
           (cp > 127 && among(numerics, COUNT(numerics), cp));
}

bool unicode_wide_space(uint32_t cp) {
    return cp == 0x85 || cp == 0xa0 || cp == 0x1680 ||
           (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 || cp == 0x2029 ||
           cp == 0x202f || cp == 0x205f || cp == 0x3000;
}

bool unicode_line_break(uint32_t cp) {
    return (cp >= 0x0a && cp <= 0x0d) || (cp >= 0x1c && cp <= 0x1e) ||
           cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

bool unicode_lower(uint32_t cp) {
    if (cp < 128) return cp >= 'a' && cp <= 'z';
    return utf8proc_islower((utf8proc_int32_t)cp);
}

bool unicode_upper(uint32_t cp) {
    if (cp < 128) return cp >= 'A' && cp <= 'Z';
    return utf8proc_isupper((utf8proc_int32_t)cp);
}

bool unicode_title(uint32_t cp) {
    return cp > 127 && category(cp) == UTF8PROC_CATEGORY_LT;
}

bool unicode_cased(uint32_t cp) {
    return unicode_lower(cp) || unicode_upper(cp) || unicode_title(cp);
}

bool unicode_case_ignorable(uint32_t cp) {
    if (cp == '\'' || cp == '.' || cp == ':' || cp == '^' || cp == '`' ||
        cp == 0xb7 || cp == 0x2018 || cp == 0x2019)
        return true;
    utf8proc_category_t c = category(cp);
    return c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME ||
           c == UTF8PROC_CATEGORY_CF || c == UTF8PROC_CATEGORY_LM ||
           c == UTF8PROC_CATEGORY_SK;
}

bool unicode_printable(uint32_t cp) {
    if (cp < 128) return cp >= 32 && cp < 127;
    utf8proc_category_t c = category(cp);
    return c != UTF8PROC_CATEGORY_CN && !(c >= UTF8PROC_CATEGORY_ZS);
}

bool unicode_id_start(uint32_t cp) {
    if (cp < 128) return unicode_alpha(cp) || cp == '_';
    utf8proc_category_t c = category(cp);
    return unicode_alpha(cp) || c == UTF8PROC_CATEGORY_NL ||
           (cp >= 0x1885 && cp <= 0x1886) || cp == 0x2118 || cp == 0x212e;
}

bool unicode_id_continue(uint32_t cp) {
    if (cp < 128) return unicode_id_start(cp) || (cp >= '0' && cp <= '9');
    utf8proc_category_t c = category(cp);
    return unicode_id_start(cp) || c == UTF8PROC_CATEGORY_MN ||
           c == UTF8PROC_CATEGORY_MC || c == UTF8PROC_CATEGORY_ND ||
           c == UTF8PROC_CATEGORY_PC || cp == 0xb7 || cp == 0x387 ||
           (cp >= 0x1369 && cp <= 0x1371) || cp == 0x19da;
}

str unicode_number(str s, char *out, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < s.n && n < room;) {
        uint32_t cp = 0;
        size_t len = utf8_decode_loose(s.p + i, s.n - i, &cp);
        i += len ? len : 1;
        int digit = unicode_decimal_value(cp);
        out[n++] = digit >= 0          ? (char)('0' + digit)
                   : unicode_space(cp) ? ' '
                   : cp < 128          ? (char)cp
                                       : '?';
    }
    return (str){out, n};
}

/* -- case -------------------------------------------------------------------
 */

static size_t expand(const char *text, uint32_t out[UNICODE_CASE_MAX]) {
    str s = str_of(text);
    size_t n = 0;
    for (size_t i = 0; i < s.n && n < UNICODE_CASE_MAX; n++)
        i += utf8_decode(s.p + i, s.n - i, &out[n]);
    return n;
}

static const char *special(uint32_t cp, bool title) {
    size_t low = 0, high = COUNT(cases);
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (cases[mid].cp < cp)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == COUNT(cases) || cases[low].cp != cp) return NULL;
    return title ? cases[low].title : cases[low].upper;
}

size_t unicode_to_upper(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]) {
    if (cp < 128) {
        out[0] = cp >= 'a' && cp <= 'z' ? cp - 32 : cp;
        return 1;
    }
    const char *text = special(cp, false);
    if (text) return expand(text, out);
    out[0] = (uint32_t)utf8proc_toupper((utf8proc_int32_t)cp);
    return 1;
}

size_t unicode_to_title(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]) {
    if (cp < 128) return unicode_to_upper(cp, out);
    const char *text = special(cp, true);
    if (text) return expand(text, out);
    out[0] = (uint32_t)utf8proc_totitle((utf8proc_int32_t)cp);
    return 1;
}

size_t unicode_to_lower(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]) {
    if (cp < 128) {
        out[0] = cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
        return 1;
    }
    if (cp == 0x130) {
        out[0] = 'i';
        out[1] = 0x307;
        return 2;
    }
    out[0] = (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
    return 1;
}

size_t unicode_fold(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]) {
    if (cp < 128) return unicode_to_lower(cp, out);
    utf8proc_int32_t folded[8];
    int boundclass = 0;
    utf8proc_ssize_t n = utf8proc_decompose_char(
        (utf8proc_int32_t)cp, folded, 8, UTF8PROC_CASEFOLD, &boundclass);
    if (n < 1 || n > UNICODE_CASE_MAX) {
        out[0] = cp;
        return 1;
    }
    for (utf8proc_ssize_t i = 0; i < n; i++)
        out[i] = (uint32_t)folded[i];
    return (size_t)n;
}
