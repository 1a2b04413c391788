/* SPDX-License-Identifier: MIT
 *
 * ECMAScript patterns in PCRE2's syntax. The two agree on most of the grammar;
 * this rewrites what differs and refuses what ECMAScript does not have, so that
 * no PCRE2 extension (verbs, callouts, recursion, inline options) is reachable
 * from a schema.
 */
#include <string.h>

#include "base/utf8.h"
#include "json/regex.h"

/* ECMAScript's white space, and its complement, inside a class. */
#define SPACES                                                      \
    "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}" \
    "\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
#define NOT_SPACES                                              \
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}"     \
    "\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" \
    "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{d7ff}" \
    "\\x{e000}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

struct scan {
    str s;
    size_t i;
    bool in_class;
    struct buf *out;
    struct err *e;
};

static int bad(struct scan *x, const char *why) {
    return fail(x->e, ERR_INVALID, "bad pattern, near byte %zu: %s", x->i, why);
}

static int put(struct scan *x, const char *text) {
    return buf_add_text(x->out, text, x->e);
}

static int put_code(struct scan *x, uint32_t cp) {
    return buf_addf(x->out, x->e, "\\x{%x}", cp);
}

static char peek(const struct scan *x, size_t ahead) {
    return x->i + ahead < x->s.n ? x->s.p[x->i + ahead] : '\0';
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* n hex digits from here on, or -1. */
static int32_t hex(const struct scan *x, size_t from, size_t n) {
    int32_t v = 0;
    for (size_t k = 0; k < n; k++) {
        int d = hex_digit(peek(x, from + k));
        if (d < 0) return -1;
        v = v * 16 + d;
    }
    return v;
}

/* \u{...}; x->i stands at the brace. */
static int put_braced(struct scan *x) {
    uint32_t cp = 0;
    size_t n = 1;
    for (; hex_digit(peek(x, n)) >= 0; n++) {
        cp = cp * 16 + (uint32_t)hex_digit(peek(x, n));
        if (cp > 0x10ffff) return bad(x, "no such code point");
    }
    if (n == 1 || peek(x, n) != '}') return bad(x, "expected \\u{hex}");
    x->i += n + 1;
    return put_code(x, cp);
}

/* \uXXXX, two of them where they make up one code point. */
static int put_unicode(struct scan *x) {
    if (peek(x, 0) == '{') return put_braced(x);
    int32_t high = hex(x, 0, 4);
    if (high < 0) return bad(x, "expected \\u and four hex digits");
    x->i += 4;
    bool pair = high >= 0xd800 && high < 0xdc00 && peek(x, 0) == '\\' &&
                peek(x, 1) == 'u';
    int32_t low = pair ? hex(x, 2, 4) : -1;
    if (low >= 0xdc00 && low < 0xe000) {
        x->i += 6;
        return put_code(x, 0x10000 + ((uint32_t)(high - 0xd800) << 10) +
                               (uint32_t)(low - 0xdc00));
    }
    if (high >= 0xd800 && high < 0xe000) /* matches no text that is UTF-8 */
        return put(x, x->in_class ? "" : "(?!)");
    return put_code(x, (uint32_t)high);
}

static const struct {
    const char *name, *pcre;
} properties[] = {
#define PROPERTY(name, pcre) {name, pcre},
#include "json/regex_properties.def"
#undef PROPERTY
};

/* The part of \p{...} that PCRE2 understands. */
static int put_property_name(struct scan *x, str name) {
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++)
        if (str_is(name, properties[i].name)) return put(x, properties[i].pcre);
    str value = name;
    str key = str_cut(&value, '=');
    bool script = str_is(key, "Script") || str_is(key, "sc");
    bool extended = str_is(key, "Script_Extensions") || str_is(key, "scx");
    bool category = str_is(key, "General_Category") || str_is(key, "gc");
    if (!value.p) return buf_add_str(x->out, name, x->e);
    if (category) return put_property_name(x, value);
    if (!script && !extended) return bad(x, "unknown property");
    if (put(x, script ? "sc:" : "scx:")) return -1;
    return buf_add_str(x->out, value, x->e);
}

/* \p{...} and \P{...}; x->i stands at the brace. */
static int put_property(struct scan *x, char letter) {
    str rest = str_sub(x->s, x->i, x->s.n);
    ptrdiff_t end = str_find_char(rest, '}');
    if (peek(x, 0) != '{' || end < 2) return bad(x, "expected \\p{name}");
    str name = str_sub(rest, 1, (size_t)end);
    for (size_t k = 0; k < name.n; k++) {
        char c = name.p[k];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (c >= '0' && c <= '9') || c == '_' || c == '=';
        if (!word) return bad(x, "expected \\p{name}");
    }
    x->i += (size_t)end + 1;
    const char open[] = {'\\', letter, '{', '\0'};
    return put(x, open) || put_property_name(x, name) || put(x, "}") ? -1 : 0;
}

static int put_space(struct scan *x, bool negated) {
    if (x->in_class) return put(x, negated ? NOT_SPACES : SPACES);
    return put(x, negated ? "[^" SPACES "]" : "[" SPACES "]");
}

/* A decimal escape: a back-reference, or \0. */
static int put_number(struct scan *x, char first) {
    bool more = peek(x, 0) >= '0' && peek(x, 0) <= '9';
    if (first == '0') return more ? bad(x, "no octal escapes") : put_code(x, 0);
    if (x->in_class) return bad(x, "no back-references in a class");
    if (put(x, "\\g{") || buf_add_char(x->out, first, x->e)) return -1;
    for (; peek(x, 0) >= '0' && peek(x, 0) <= '9'; x->i++)
        if (buf_add_char(x->out, peek(x, 0), x->e)) return -1;
    return put(x, "}");
}

/* \k<name>; x->i stands at the '<'. */
static int put_named_back_reference(struct scan *x) {
    if (peek(x, 0) != '<' || x->in_class) return bad(x, "expected \\k<name>");
    return put(x, "\\k");
}

static int put_control(struct scan *x) {
    char c = peek(x, 0);
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter) return bad(x, "expected a letter after \\c");
    x->i++;
    return put_code(x, (uint32_t)(c & 0x1f));
}

static int put_hex(struct scan *x) {
    int32_t v = hex(x, 0, 2);
    if (v < 0) return bad(x, "expected \\x and two hex digits");
    x->i += 2;
    return put_code(x, (uint32_t)v);
}

/* Anything else that is not a letter or digit stands for itself. */
static int put_identity(struct scan *x, char c) {
    bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (word) return bad(x, "ECMAScript has no such escape");
    if ((unsigned char)c >= 0x80 || c < ' ')
        return buf_add_char(x->out, c, x->e);
    return put_code(x, (uint32_t)c);
}

static int put_escape(struct scan *x) {
    if (x->i + 1 >= x->s.n) return bad(x, "the pattern ends in a backslash");
    char c = x->s.p[x->i + 1];
    const char as_is[] = {'\\', c, '\0'};
    x->i += 2;
    if (c >= '0' && c <= '9') return put_number(x, c);
    switch (c) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 'n':
    case 'r':
    case 't':
    case 'f': return put(x, as_is);
    case 'b': return x->in_class ? put_code(x, 8) : put(x, as_is);
    case 'B': return x->in_class ? bad(x, "no \\B in a class") : put(x, as_is);
    case 'v': return put_code(x, 11);
    case 's':
    case 'S': return put_space(x, c == 'S');
    case 'c': return put_control(x);
    case 'x': return put_hex(x);
    case 'u': return put_unicode(x);
    case 'p':
    case 'P': return put_property(x, c);
    case 'k': return put_named_back_reference(x);
    }
    return put_identity(x, c);
}

/* True at an escape that stands for many characters. */
static bool at_set(const struct scan *x, size_t ahead) {
    return peek(x, ahead) == '\\' && peek(x, ahead + 1) &&
           strchr("dDwWsSpP", peek(x, ahead + 1));
}

/* One character or escape of a class. A hyphen beside a set, as in [\w-.],
 * makes no range; PCRE2 wants that said. */
static int put_class_item(struct scan *x, bool after_set) {
    char c = x->s.p[x->i];
    if (c == '\\') return put_escape(x);
    bool range = c == '-' && !after_set && !at_set(x, 1);
    x->i++;
    if (c == '[' || (c == '-' && !range)) return put_code(x, (uint32_t)c);
    return buf_add_char(x->out, c, x->e);
}

/* [] matches nothing, [^] everything; '[' inside is an ordinary character. */
static int put_class(struct scan *x) {
    bool negated = peek(x, 1) == '^';
    x->i += negated ? 2 : 1;
    if (peek(x, 0) == ']' && x->i < x->s.n) {
        x->i++;
        return put(x, negated ? "(?s:.)" : "(?!)");
    }
    x->in_class = true;
    if (put(x, negated ? "[^" : "[")) return -1;
    bool after_set = false;
    while (x->i < x->s.n && x->s.p[x->i] != ']') {
        bool set = at_set(x, 0);
        if (put_class_item(x, after_set)) return -1;
        after_set = set;
    }
    if (x->i >= x->s.n) return bad(x, "the class is not closed");
    x->in_class = false;
    x->i++;
    return put(x, "]");
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Of what may follow "(?", only what ECMAScript has. */
static int put_group(struct scan *x) {
    char a = peek(x, 1), b = peek(x, 2), c = peek(x, 3);
    x->i++;
    if (a == '*') return bad(x, "nothing to repeat");
    if (a != '?') return put(x, "(");
    bool look_behind = b == '<' && (c == '=' || c == '!');
    bool named = b == '<' && is_name_start(c);
    if (b != ':' && b != '=' && b != '!' && !look_behind && !named)
        return bad(x, "ECMAScript has no such group");
    size_t n = look_behind ? 3 : 2;
    str mark = str_sub(x->s, x->i, x->i + n);
    x->i += n;
    return put(x, "(") || buf_add_str(x->out, mark, x->e) ? -1 : 0;
}

/* {n}, {n,} or {n,m}: its length, else 0. */
static size_t quantifier_length(const struct scan *x) {
    size_t n = 1, digits = 0;
    for (; peek(x, n) >= '0' && peek(x, n) <= '9'; n++)
        digits++;
    if (digits == 0) return 0;
    if (peek(x, n) == ',') n++;
    while (peek(x, n) >= '0' && peek(x, n) <= '9')
        n++;
    return peek(x, n) == '}' ? n + 1 : 0;
}

/* A brace that is no quantifier stands for itself. After a quantifier comes at
 * most '?': a '+' would make it possessive in PCRE2. */
static int put_quantifier(struct scan *x) {
    char c = x->s.p[x->i];
    size_t n = c == '{' ? quantifier_length(x) : 1;
    if (n == 0) {
        x->i++;
        return put(x, "\\{");
    }
    if (buf_add_str(x->out, str_sub(x->s, x->i, x->i + n), x->e)) return -1;
    x->i += n;
    if (peek(x, 0) == '?') {
        x->i++;
        if (put(x, "?")) return -1;
    }
    char after = peek(x, 0);
    bool again = after == '*' || after == '+' || after == '?' ||
                 (after == '{' && quantifier_length(x));
    return again ? bad(x, "nothing to repeat") : 0;
}

static int put_one(struct scan *x) {
    char c = x->s.p[x->i];
    switch (c) {
    case '\\': return put_escape(x);
    case '[': return put_class(x);
    case '(': return put_group(x);
    case '.': x->i++; return put(x, "[^\\n\\r\\x{2028}\\x{2029}]");
    case '*':
    case '+':
    case '?':
    case '{': return put_quantifier(x);
    case '}':
    case ']': x->i++; return put_code(x, (uint32_t)c);
    }
    x->i++;
    return buf_add_char(x->out, c, x->e);
}

int regex_translate(str pattern, struct buf *out, struct err *e) {
    struct scan x = {.s = pattern, .out = out, .e = e};
    if (utf8_valid(pattern.p, pattern.n) != pattern.n)
        return fail(e, ERR_INVALID, "bad pattern: a lone surrogate");
    while (x.i < pattern.n)
        if (put_one(&x)) return -1;
    return 0;
}
