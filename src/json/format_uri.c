/* SPDX-License-Identifier: MIT
 *
 * RFC 3986 and 3987 references, RFC 6570 templates.
 */
#include <string.h>

#include "base/utf8.h"
#include "json/format.h"
#include "json/format_scan.h"

/* What a text may consist of. */
enum charset { CHARS_URI, CHARS_IRI };

static bool one_of(char c, const char *set) {
    return c && strchr(set, c);
}

static bool is_unreserved(char c) {
    return is_letter(c) || is_digit(c) || one_of(c, "-._~");
}

static bool is_sub_delim(char c) {
    return one_of(c, "!$&'()*+,;=");
}

/* Beyond ASCII: RFC 3987's ucschar, and iprivate in queries. */
static bool is_international(uint32_t cp, bool query) {
    if (cp < 0xa0) return false;
    bool private_use = (cp >= 0xe000 && cp <= 0xf8ff) || cp >= 0xf0000;
    if (private_use) return query;
    bool surrogate = cp >= 0xd800 && cp < 0xe000;
    bool nonchar = (cp & 0xfffe) == 0xfffe || (cp >= 0xfdd0 && cp <= 0xfdef);
    bool special = cp >= 0xfff0 && cp <= 0xffff;
    return !surrogate && !nonchar && !special;
}

/* One character of a component: plain, escaped, or international. */
static bool take_pchar(str *s, enum charset set, const char *also, bool query) {
    char c = s->p[0];
    if (c == '%') {
        if (s->n < 3 || !is_hex(s->p[1]) || !is_hex(s->p[2])) return false;
        skip(s, 3);
        return true;
    }
    if (is_unreserved(c) || is_sub_delim(c) || one_of(c, also)) {
        skip(s, 1);
        return true;
    }
    uint32_t cp;
    size_t n = set == CHARS_IRI ? utf8_decode(s->p, s->n, &cp) : 0;
    if (n == 0 || !is_international(cp, query)) return false;
    skip(s, n);
    return true;
}

static bool all_pchars(str s, enum charset set, const char *also, bool query) {
    while (s.n > 0)
        if (!take_pchar(&s, set, also, query)) return false;
    return true;
}

/* "[...]": an IPv6 address or a later version's. */
static bool is_ip_literal(str s) {
    if (s.n < 2 || s.p[s.n - 1] != ']') return false;
    str inner = str_sub(s, 1, s.n - 1);
    if (inner.n == 0 || (inner.p[0] != 'v' && inner.p[0] != 'V'))
        return format_ipv6(inner);
    ptrdiff_t dot = str_find_char(inner, '.');
    if (dot < 2 || (size_t)dot + 1 >= inner.n) return false;
    for (ptrdiff_t i = 1; i < dot; i++)
        if (!is_hex(inner.p[i])) return false;
    str rest = str_sub(inner, (size_t)dot + 1, inner.n);
    return all_pchars(rest, CHARS_URI, ":", false) &&
           str_find_char(rest, '%') < 0;
}

static bool is_port(str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!is_digit(s.p[i])) return false;
    return true;
}

static bool is_authority(str s, enum charset set) {
    ptrdiff_t at = str_find_char(s, '@');
    if (at >= 0) {
        if (!all_pchars(str_sub(s, 0, (size_t)at), set, ":", false))
            return false;
        s = str_sub(s, (size_t)at + 1, s.n);
    }
    if (s.n > 0 && s.p[0] == '[') {
        ptrdiff_t close = str_find_char(s, ']');
        str host = str_sub(s, 0, (size_t)(close + 1));
        str port = str_sub(s, (size_t)(close + 1), s.n);
        return close > 0 && is_ip_literal(host) &&
               (port.n == 0 || (take_char(&port, ':') && is_port(port)));
    }
    str port = s;
    str host = str_cut(&port, ':');
    return all_pchars(host, set, "", false) && is_port(port);
}

static size_t scheme_length(str s) {
    if (s.n == 0 || !is_letter(s.p[0])) return 0;
    size_t n = 1;
    while (n < s.n &&
           (is_letter(s.p[n]) || is_digit(s.p[n]) || one_of(s.p[n], "+-.")))
        n++;
    return n < s.n && s.p[n] == ':' ? n + 1 : 0;
}

static size_t until(str s, const char *stops) {
    size_t n = 0;
    while (n < s.n && !one_of(s.p[n], stops))
        n++;
    return n;
}

/* A relative path may not look like a scheme. */
static bool is_path(str path, bool scheme, bool authority, enum charset set) {
    if (authority && path.n > 0 && path.p[0] != '/') return false;
    str first = str_sub(path, 0, until(path, "/"));
    if (!scheme && !authority && str_find_char(first, ':') >= 0) return false;
    return all_pchars(path, set, ":@/", false);
}

static bool is_reference(str s, enum charset set, bool *absolute) {
    size_t n = scheme_length(s);
    *absolute = n > 0;
    skip(&s, n);
    str fragment = s;
    s = str_cut(&fragment, '#');
    str query = s;
    s = str_cut(&query, '?');
    bool authority = str_starts(s, STR("//"));
    if (authority) {
        skip(&s, 2);
        size_t end = until(s, "/");
        if (!is_authority(str_sub(s, 0, end), set)) return false;
        skip(&s, end);
    }
    return is_path(s, *absolute, authority, set) &&
           all_pchars(query, set, ":@/?", true) &&
           all_pchars(fragment, set, ":@/?", false);
}

bool format_uri(str s) {
    bool absolute;
    return is_reference(s, CHARS_URI, &absolute) && absolute;
}

bool format_uri_reference(str s) {
    bool absolute;
    return is_reference(s, CHARS_URI, &absolute);
}

bool format_iri(str s) {
    bool absolute;
    return is_reference(s, CHARS_IRI, &absolute) && absolute;
}

bool format_iri_reference(str s) {
    bool absolute;
    return is_reference(s, CHARS_IRI, &absolute);
}

/* ---- RFC 6570 ---------------------------------------------------------- */

static bool take_varchars(str *s) {
    size_t taken = 0;
    while (s->n > 0) {
        bool escape =
            s->n >= 3 && s->p[0] == '%' && is_hex(s->p[1]) && is_hex(s->p[2]);
        bool word = is_letter(s->p[0]) || is_digit(s->p[0]) || s->p[0] == '_';
        if (!escape && !word) break;
        skip(s, escape ? 3 : 1);
        taken++;
    }
    return taken > 0;
}

/* A name with dots inside, then ":n" or "*". */
static bool take_variable(str *s) {
    do
        if (!take_varchars(s)) return false;
    while (take_char(s, '.'));
    if (take_char(s, '*')) return true;
    if (!take_char(s, ':')) return true;
    if (s->n == 0 || s->p[0] < '1' || s->p[0] > '9') return false;
    size_t n = 0;
    for (; s->n > 0 && is_digit(s->p[0]); n++)
        skip(s, 1);
    return n <= 4;
}

static bool is_expression(str s) {
    if (s.n > 0 && one_of(s.p[0], "+#./;?&=,!@|")) skip(&s, 1);
    do
        if (!take_variable(&s)) return false;
    while (take_char(&s, ','));
    return s.n == 0;
}

static bool take_literal(str *s) {
    char c = s->p[0];
    if (c == '%') return take_pchar(s, CHARS_URI, "", false);
    uint32_t cp;
    size_t n = utf8_decode(s->p, s->n, &cp);
    if (n == 0 || cp <= ' ' || cp == 0x7f || one_of(c, "\"<>\\^`{|}"))
        return false;
    if (cp >= 0x80 && !is_international(cp, true)) return false;
    skip(s, n);
    return true;
}

bool format_uri_template(str s) {
    while (s.n > 0) {
        if (s.p[0] != '{') {
            if (!take_literal(&s)) return false;
            continue;
        }
        ptrdiff_t close = str_find_char(s, '}');
        if (close < 0 || !is_expression(str_sub(s, 1, (size_t)close)))
            return false;
        skip(&s, (size_t)close + 1);
    }
    return true;
}
