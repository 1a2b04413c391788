/* SPDX-License-Identifier: MIT */
#include "policy/detect.h"

#include "base/utf8.h"

#include <arpa/inet.h>
#include <string.h>

#define SPAN_MAX                                                \
    4096 /* so that no text takes more than its length in steps \
          */

typedef size_t finder(str text, size_t at); /* bytes that match there */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
static bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_alnum(char c) {
    return is_digit(c) || is_alpha(c);
}

static bool one_of(char c, const char *set) {
    return c && strchr(set, c);
}

/* How many bytes from at on satisfy a class of characters. */
static size_t span(str t, size_t at, const char *extra) {
    size_t n = 0;
    while (at + n < t.n && n < SPAN_MAX &&
           (is_alnum(t.p[at + n]) || one_of(t.p[at + n], extra)))
        n++;
    return n;
}

/* No letter or digit directly before: a word begins here. */
static bool begins(str t, size_t at) {
    return at == 0 || !is_alnum(t.p[at - 1]);
}

/* Nor a sign that such words hold: each is looked at once. */
static bool begins_name(str t, size_t at) {
    return begins(t, at) && (at == 0 || !one_of(t.p[at - 1], "_-"));
}

/* -- personal data ----------------------------------------------------------
 */

static size_t find_email(str t, size_t at) {
    if (at > 0 && (is_alnum(t.p[at - 1]) || one_of(t.p[at - 1], "._%+-")))
        return 0;
    size_t local = span(t, at, "._%+-");
    if (local == 0 || local > 64 || at + local >= t.n || t.p[at + local] != '@')
        return 0;
    size_t host = span(t, at + local + 1, ".-");
    while (host > 0 && !is_alpha(t.p[at + local + host]))
        host--;
    str name = str_sub(t, at + local + 1, at + local + 1 + host);
    ptrdiff_t dot = str_find_char(name, '.');
    return dot > 0 ? local + 1 + host : 0;
}

/* +49 30 123456, +1 (555) 123-4567: international form only, since plain digit
 * groups are everywhere. */
static size_t find_phone(str t, size_t at) {
    if (t.p[at] != '+' || !begins(t, at)) return 0;
    size_t digits = 0, n = 1, last = 0;
    for (; at + n < t.n && n < 24; n++) {
        char c = t.p[at + n];
        if (is_digit(c)) {
            digits++;
            last = n + 1;
        } else if (!one_of(c, " -().")) {
            break;
        }
    }
    return digits >= 7 && digits <= 15 ? last : 0;
}

/* The remainder by 97 of the account number with its first four characters
 * moved to the end and letters as 10..35. */
static unsigned iban_remainder(const char *s, size_t n) {
    unsigned r = 0;
    for (size_t i = 0; i < n; i++) {
        char c = s[(i + 4) % n];
        unsigned v = is_digit(c) ? (unsigned)(c - '0')
                                 : (unsigned)((c & ~0x20) - 'A') + 10;
        r = (v > 9 ? r * 100 + v : r * 10 + v) % 97;
    }
    return r;
}

static size_t find_iban(str t, size_t at) {
    char compact[34];
    size_t n = 0, used = 0, match = 0;
    if (!begins(t, at) || !is_alpha(t.p[at])) return 0;
    for (; at + used < t.n && n < sizeof compact; used++) {
        char c = t.p[at + used];
        if (c == ' ' && n >= 4) continue;
        bool fits = n < 2 ? is_alpha(c) : n < 4 ? is_digit(c) : is_alnum(c);
        if (!fits) break;
        compact[n++] = c;
        bool ends = at + used + 1 >= t.n || !is_alnum(t.p[at + used + 1]);
        if (n >= 15 && ends && iban_remainder(compact, n) == 1)
            match = used + 1;
    }
    return match;
}

static bool luhn(const char *digits, size_t n) {
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned d = (unsigned)(digits[n - 1 - i] - '0');
        if (i % 2 == 1) d = d * 2 > 9 ? d * 2 - 9 : d * 2;
        sum += d;
    }
    return sum % 10 == 0;
}

static size_t find_card(str t, size_t at) {
    char digits[19];
    size_t n = 0, used = 0;
    if (!begins(t, at) || !one_of(t.p[at], "23456")) return 0;
    while (at + used < t.n) {
        char c = t.p[at + used];
        bool gap = one_of(c, " -") && at + used + 1 < t.n &&
                   is_digit(t.p[at + used + 1]);
        if (!is_digit(c) && !gap) break;
        if (is_digit(c)) {
            if (n == sizeof digits) return 0;
            digits[n++] = c;
        }
        used++;
    }
    if (at + used < t.n && is_alpha(t.p[at + used])) return 0;
    return n >= 13 && luhn(digits, n) ? used : 0;
}

/* Does the text, cut to n bytes, read as an address of that family? */
static bool reads_as(str t, size_t at, size_t n, int family) {
    char text[46];
    unsigned char address[16];
    if (n < 3 || n >= sizeof text) return false;
    memcpy(text, t.p + at, n);
    text[n] = '\0';
    return inet_pton(family, text, address) == 1;
}

static size_t find_ip(str t, size_t at) {
    if (at > 0 && (is_alnum(t.p[at - 1]) || one_of(t.p[at - 1], ".:")))
        return 0;
    str near = str_sub(t, 0, at + 64);
    size_t four = span(near, at, "."), six = span(near, at, ".:");
    while (four > 0 && t.p[at + four - 1] == '.')
        four--;
    while (six > 1 && one_of(t.p[at + six - 1], ".:") &&
           t.p[at + six - 2] != ':')
        six--;
    if (six > 4 && str_find_char(str_sub(t, at, at + six), ':') >= 0 &&
        reads_as(t, at, six, AF_INET6))
        return six;
    return reads_as(t, at, four, AF_INET) ? four : 0;
}

/* -- credentials ------------------------------------------------------------
 */

static size_t find_jwt(str t, size_t at) {
    if (!str_starts(str_sub(t, at, t.n), STR("eyJ")) || !begins_name(t, at))
        return 0;
    size_t n = 0;
    for (int part = 0; part < 3; part++) {
        size_t part_n = span(t, at + n, "_-");
        if (part_n < (part < 2 ? 10U : 1U)) return 0;
        n += part_n;
        if (part == 2) break;
        if (at + n >= t.n || t.p[at + n] != '.') return 0;
        n++;
    }
    return n;
}

#define KEY_MAX 256

/* How the keys of well-known services begin, and how long the rest is. */
static const struct {
    const char *prefix;
    size_t least;
} keys[] = {
    {"AKIA", 16},   {"ASIA", 16},    {"ghp_", 30},     {"gho_", 30},
    {"ghu_", 30},   {"ghs_", 30},    {"ghr_", 30},     {"github_pat_", 40},
    {"glpat-", 20}, {"xoxb-", 20},   {"xoxp-", 20},    {"xoxa-", 20},
    {"xapp-", 20},  {"sk-ant-", 30}, {"sk-proj-", 30}, {"sk-", 32},
    {"AIza", 35},   {"ya29.", 20},   {"sk_live_", 20}, {"rk_live_", 20},
    {"npm_", 36},   {"hf_", 30},     {"SG.", 40},      {"dop_v1_", 40},
};

static size_t find_key(str t, size_t at) {
    if (!begins_name(t, at)) return 0;
    str rest = str_sub(t, at, t.n);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        str prefix = str_of(keys[i].prefix);
        if (!str_starts(rest, prefix)) continue;
        size_t n = span(str_sub(rest, 0, KEY_MAX), prefix.n, "_-.");
        if (n >= keys[i].least) return prefix.n + n;
    }
    return 0;
}

static size_t find_pem(str t, size_t at) {
    str rest = str_sub(t, at, t.n);
    if (!str_starts(rest, STR("-----BEGIN "))) return 0;
    ptrdiff_t kind = str_find(str_sub(rest, 0, 60), STR("PRIVATE KEY-----"));
    if (kind < 0) return 0;
    ptrdiff_t end = str_find(rest, STR("-----END "));
    if (end < 0) return rest.n;
    str tail = str_sub(rest, (size_t)end + 9, rest.n);
    ptrdiff_t dashes = str_find(tail, STR("-----"));
    return dashes < 0 ? rest.n : (size_t)end + 9 + (size_t)dashes + 5;
}

/* -- links ------------------------------------------------------------------
 */

static size_t find_url(str t, size_t at) {
    if (!begins(t, at)) return 0;
    str rest = str_sub(t, at, t.n);
    size_t scheme = span(str_sub(rest, 0, 32), 0, "+-.");
    bool full = scheme > 1 && is_alpha(rest.p[0]) &&
                str_starts(str_sub(rest, scheme, rest.n), STR("://"));
    bool bare = rest.n > 4 && str_eq_nocase(str_sub(rest, 0, 4), STR("www."));
    bool data =
        rest.n > 5 && (str_eq_nocase(str_sub(rest, 0, 5), STR("data:")) ||
                       str_eq_nocase(str_sub(rest, 0, 7), STR("mailto:")));
    if (!full && !bare && !data) return 0;
    size_t n = full ? scheme + 3 : 4;
    while (n < rest.n && (unsigned char)rest.p[n] > ' ' &&
           !one_of(rest.p[n], "<>\"'`)]}"))
        n++;
    return n > (full ? scheme + 3 : 5) ? n : 0;
}

/* -- what a person does not see ---------------------------------------------
 */

bool detect_invisible(uint32_t cp) {
    static const struct {
        uint32_t from, to;
    } ranges[] = {
        {0x00, 0x08},     {0x0b, 0x0c},       {0x0e, 0x1f},
        {0x7f, 0x9f},     {0xad, 0xad},       {0x34f, 0x34f},
        {0x61c, 0x61c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},
        {0x180b, 0x180f}, {0x200b, 0x200f},   {0x202a, 0x202e},
        {0x2060, 0x206f}, {0x3164, 0x3164},   {0xe000, 0xf8ff},
        {0xfe00, 0xfe0e}, {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
        {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}, {0xf0000, 0x10ffff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (cp >= ranges[i].from && cp <= ranges[i].to) return true;
    return false;
}

static size_t find_invisible(str t, size_t at) {
    size_t n = 0;
    while (at + n < t.n) {
        uint32_t cp;
        size_t len = utf8_decode_loose(t.p + at + n, t.n - at - n, &cp);
        if (len == 0 || !detect_invisible(cp)) break;
        n += len;
    }
    return n;
}

/* -- orders -----------------------------------------------------------------
 */

/* Lower case; a space stands for any white space. They are what injected text
 * says, and mail between people does not. */
static const char *const orders[] = {
#define ORDER(text) text,
#include "policy/orders.def"
#undef ORDER
};

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

/* Bytes of t at `at` that match the phrase; 0: none. */
static size_t phrase_at(str t, size_t at, const char *phrase) {
    size_t n = 0;
    for (const char *p = phrase; *p; p++) {
        if (at + n >= t.n) return 0;
        if (*p != ' ') {
            if (lower(t.p[at + n]) != *p) return 0;
            n++;
            continue;
        }
        size_t gap = 0;
        while (at + n + gap < t.n && one_of(t.p[at + n + gap], " \t\r\n"))
            gap++;
        if (gap == 0) return 0;
        n += gap;
    }
    return n;
}

static size_t find_order(str t, size_t at) {
    if (!begins(t, at)) return 0;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        size_t n = phrase_at(t, at, orders[i]);
        if (n > 0) return n;
    }
    return 0;
}

/* ---------------------------------------------------------------------------
 */

static const struct {
    const char *word, *placeholder, *meaning;
} kinds_table[] = {
#define DETECT(id, word, placeholder, meaning) {word, placeholder, meaning},
#include "policy/detect.def"
#undef DETECT
};

static finder *const finders[DETECT_COUNT] = {
    [DETECT_EMAIL] = find_email,
    [DETECT_PHONE] = find_phone,
    [DETECT_IBAN] = find_iban,
    [DETECT_CARD] = find_card,
    [DETECT_IP] = find_ip,
    [DETECT_JWT] = find_jwt,
    [DETECT_KEY] = find_key,
    [DETECT_PEM] = find_pem,
    [DETECT_URL] = find_url,
    [DETECT_INVISIBLE] = find_invisible,
    [DETECT_INSTRUCTIONS] = find_order,
};

unsigned detect_word(str word) {
    if (str_is(word, "pii")) return DETECT_PII;
    if (str_is(word, "secret")) return DETECT_SECRETS;
    for (unsigned i = 0; i < DETECT_COUNT; i++)
        if (str_is(word, kinds_table[i].word)) return DETECT_BIT(i);
    return 0;
}

const char *detect_placeholder(enum detect_kind kind) {
    return kinds_table[kind].placeholder;
}

const char *detect_meaning(enum detect_kind kind) {
    return kinds_table[kind].meaning;
}

bool detect_next(str text, size_t from, unsigned kinds,
                 struct detect_hit *hit) {
    for (size_t at = from; at < text.n; at++) {
        if (is_alnum(text.p[at]) && !begins(text, at)) continue;
        size_t best = 0;
        for (unsigned k = 0; k < DETECT_COUNT; k++) {
            if (!(kinds & DETECT_BIT(k))) continue;
            size_t n = finders[k](text, at);
            if (n <= best) continue;
            best = n;
            *hit = (struct detect_hit){(enum detect_kind)k, at, at + n};
        }
        if (best > 0) return true;
    }
    return false;
}

bool detect_any(str text, unsigned kinds) {
    struct detect_hit hit;
    return detect_next(text, 0, kinds, &hit);
}
