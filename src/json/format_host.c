/* SPDX-License-Identifier: MIT
 *
 * Addresses of machines and people: IPv4, IPv6, host names, mail.
 */
#include <string.h>

#include "base/utf8.h"
#include "json/format.h"
#include "json/format_idna.h"
#include "json/format_scan.h"

#define MAX_HOST 253 /* bytes of a name, RFC 1123 */

/* One to three digits up to 255, no leading zero. */
static bool take_octet(str *s) {
    int v = 0;
    size_t n = 0;
    bool zero = s->n > 0 && s->p[0] == '0';
    for (; n < 3 && s->n > 0 && is_digit(s->p[0]); n++) {
        v = v * 10 + (s->p[0] - '0');
        skip(s, 1);
    }
    return n > 0 && v <= 255 && !(zero && n > 1);
}

bool format_ipv4(str s) {
    for (int i = 0; i < 4; i++)
        if ((i > 0 && !take_char(&s, '.')) || !take_octet(&s)) return false;
    return s.n == 0;
}

static bool take_group(str *s) {
    size_t n = 0;
    for (; n < 5 && s->n > 0 && is_hex(s->p[0]); n++)
        skip(s, 1);
    return n >= 1 && n <= 4;
}

/* Groups between colons; an IPv4 address may stand for the last two. Returns
 * how many groups, or 99 where there is something else. */
static int count_groups(str s, bool last) {
    int groups = 0;
    if (s.n == 0) return 0;
    for (;;) {
        if (last && format_ipv4(s)) return groups + 2;
        if (!take_group(&s)) return 99;
        groups++;
        if (s.n == 0) return groups;
        if (!take_char(&s, ':') || groups > 8) return 99;
    }
}

bool format_ipv6(str s) {
    ptrdiff_t gap = str_find(s, STR("::"));
    if (gap < 0) return count_groups(s, true) == 8;
    int before = count_groups(str_sub(s, 0, (size_t)gap), false);
    int after = count_groups(str_sub(s, (size_t)gap + 2, s.n), true);
    return before + after <= 7;
}

/* ---- host names
 * ---------------------------------------------------------------- */

/* The dots that IDNA takes for U+002E, RFC 3490. Length of the one at p. */
static size_t dot_length(const char *p, size_t n, bool international) {
    static const char *const dots[] = {".", "\xe3\x80\x82", "\xef\xbc\x8e",
                                       "\xef\xbd\xa1"};
    size_t count = international ? sizeof dots / sizeof dots[0] : 1;
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(dots[i]);
        if (n >= len && !memcmp(p, dots[i], len)) return len;
    }
    return 0;
}

/* What the labels seen so far add up to. */
struct host {
    size_t ascii_length;
    bool right_to_left; /* some label is written so */
    bool bidi;          /* all labels keep the rule for such names */
};

static bool add_label(struct host *h, str label, bool composed) {
    struct idna_label l;
    if (!idna_label(label, composed, &l)) return false;
    h->ascii_length += l.ascii_length + 1;
    h->right_to_left |= l.right_to_left;
    h->bidi &= l.bidi;
    return true;
}

static bool is_host(str s, bool international, bool composed) {
    struct host h = {.bidi = true};
    size_t start = 0, i = 0;
    while (i < s.n) {
        size_t dot = dot_length(s.p + i, s.n - i, international);
        if (dot && !add_label(&h, str_sub(s, start, i), composed)) return false;
        i += dot ? dot : 1;
        if (dot) start = i;
    }
    return add_label(&h, str_sub(s, start, s.n), composed) &&
           h.ascii_length - 1 <= MAX_HOST && (h.bidi || !h.right_to_left);
}

bool format_hostname(str s) {
    return utf8_is_ascii(s.p, s.n) && is_host(s, false, true);
}

bool format_idn_hostname(str s) {
    return is_host(s, true, true);
}

/* ---- mail
 * ------------------------------------------------------------------------ */

static bool is_atom_char(char c) {
    return is_letter(c) || is_digit(c) ||
           (c && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

static bool is_dot_atom(str s, bool international) {
    if (s.n == 0 || s.p[0] == '.' || s.p[s.n - 1] == '.') return false;
    for (size_t i = 0; i < s.n; i++) {
        bool dots = s.p[i] == '.' && s.p[i + 1] == '.';
        bool other = international && (unsigned char)s.p[i] >= 0x80;
        if (dots || (s.p[i] != '.' && !other && !is_atom_char(s.p[i])))
            return false;
    }
    return true;
}

static bool is_quoted(str s, bool international) {
    if (s.n < 2 || s.p[0] != '"' || s.p[s.n - 1] != '"') return false;
    for (size_t i = 1; i + 1 < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        bool escape = c == '\\' && i + 2 < s.n;
        if (escape) c = (unsigned char)s.p[++i];
        if (c >= 0x7f && !(international && c >= 0x80)) return false;
        if (c < ' ' || (!escape && (c == '"' || c == '\\'))) return false;
    }
    return true;
}

static bool is_mail_literal(str s) {
    if (s.n < 2 || s.p[0] != '[' || s.p[s.n - 1] != ']') return false;
    s = str_sub(s, 1, s.n - 1);
    if (str_starts(s, STR("IPv6:"))) return format_ipv6(str_sub(s, 5, s.n));
    return format_ipv4(s);
}

static bool is_mail(str s, bool international) {
    size_t at = s.n;
    while (at > 0 && s.p[at - 1] != '@')
        at--;
    if (at == 0) return false;
    str local = str_sub(s, 0, at - 1), domain = str_sub(s, at, s.n);
    if (local.n > 64 || (!is_dot_atom(local, international) &&
                         !is_quoted(local, international)))
        return false;
    if (is_mail_literal(domain)) return true;
    return international ? is_host(domain, true, false)
                         : format_hostname(domain);
}

bool format_email(str s) {
    return is_mail(s, false);
}

bool format_idn_email(str s) {
    return is_mail(s, true);
}
