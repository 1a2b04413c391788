/* SPDX-License-Identifier: MIT */
#include "lang/literal.h"
#include "lang/charname.h"

#include <string.h>

#include "base/num.h"
#include "base/real.h"
#include "base/utf8.h"

/* -- numbers -------------------------------------------------------------- */

enum { MAX_DECIMAL_DIGITS = 4300 }; /* as sys.set_int_max_str_digits() */

static unsigned digit(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    return (unsigned)((c | 0x20) - 'a') + 10;
}

/* The text without underscores; in place when it has none. */
static int without_underscores(str s, struct arena *a, str *out,
                               struct err *e) {
    *out = s;
    if (str_find_char(s, '_') < 0) return 0;
    char *p = arena_alloc(a, s.n, e);
    if (!p) return -1;
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '_') p[n++] = s.p[i];
    *out = (str){p, n};
    return 0;
}

/* Octal and binary digits, too many for 64 bits, as "0x" text. */
static int to_hex(str digits, unsigned bits, struct arena *a, str *out,
                  struct err *e) {
    size_t total = digits.n * bits, n = (total + 3) / 4;
    char *p = arena_zalloc(a, n + 2, 1, e);
    if (!p) return -1;
    memcpy(p, "0x", 2);
    for (size_t i = 0; i < total; i++) { /* i: bit from the right */
        char d = digits.p[digits.n - 1 - i / bits];
        if (digit(d) >> (i % bits) & 1) p[n + 1 - i / 4] |= (char)(1 << i % 4);
    }
    for (size_t i = 2; i < n + 2; i++)
        p[i] = "0123456789abcdef"[(unsigned char)p[i]];
    *out = (str){p, n + 2};
    return 0;
}

static int integer(str s, unsigned base, const struct token *t, struct arena *a,
                   struct constant *out, struct fault *f, struct err *e) {
    str digits = base == 10 ? s : str_sub(s, 2, s.n);
    int64_t v = 0;
    bool big = false;
    for (size_t i = 0; i < digits.n && !big; i++)
        big = num_mul(v, (int64_t)base, &v) ||
              num_add(v, (int64_t)digit(digits.p[i]), &v);
    *out = (struct constant){.kind = CONST_INT, .as.integer = v};
    if (!big) return 0;
    *out = (struct constant){.kind = CONST_BIG, .as.text = s};
    if (base == 10 && digits.n > MAX_DECIMAL_DIGITS)
        return fault_set(f, FAULT_SYNTAX, t->start, t->end,
                         "Exceeds the limit (%d digits) for integer string "
                         "conversion: value has %zu digits; use "
                         "sys.set_int_max_str_digits() to increase the limit - "
                         "Consider hexadecimal for huge integer literals to "
                         "avoid decimal conversion limits.",
                         MAX_DECIMAL_DIGITS, digits.n);
    if (base == 8) return to_hex(digits, 3, a, &out->as.text, e);
    if (base == 2) return to_hex(digits, 1, a, &out->as.text, e);
    return 0;
}

int literal_number(str text, const struct token *t, struct arena *a,
                   struct constant *out, struct fault *f, struct err *e) {
    str s;
    if (without_underscores(text, a, &s, e)) return -1;
    char mark = s.n > 1 && s.p[0] == '0' ? (char)(s.p[1] | 0x20) : '0';
    if (mark == 'x') return integer(s, 16, t, a, out, f, e);
    if (mark == 'o') return integer(s, 8, t, a, out, f, e);
    if (mark == 'b') return integer(s, 2, t, a, out, f, e);
    if ((s.p[s.n - 1] | 0x20) == 'j') {
        double im = real_parse(str_sub(s, 0, s.n - 1));
        *out = (struct constant){.kind = CONST_COMPLEX, .as.complex.im = im};
        return 0;
    }
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] >= '0' && s.p[i] <= '9') continue;
        *out = (struct constant){.kind = CONST_REAL, .as.real = real_parse(s)};
        return 0;
    }
    return integer(s, 10, t, a, out, f, e);
}

/* -- strings -------------------------------------------------------------- */

struct decoder {
    str in;
    size_t at;
    char *out; /* as long as `in`: no escape is shorter than its value */
    size_t len;
    const struct token *t;
    struct fault *fault;
};

static int bad_unicode(struct decoder *d, size_t from, const char *why) {
    return fault_set(d->fault, FAULT_SYNTAX, d->t->start, d->t->end,
                     "(unicode error) 'unicodeescape' codec can't decode bytes "
                     "in position %zu-%zu: %s",
                     from, d->at - 1, why);
}

static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* \x, \u or \U with exactly `want` digits. */
static int hex_escape(struct decoder *d, size_t from, unsigned want) {
    uint32_t cp = 0;
    unsigned n = 0;
    for (; n < want && d->at < d->in.n && is_hex(d->in.p[d->at]); n++)
        cp = cp << 4 | digit(d->in.p[d->at++]);
    bool bytes = d->t->flags & TOKEN_BYTES;
    if (n < want && bytes)
        return fault_set(d->fault, FAULT_SYNTAX, d->t->start, d->t->end,
                         "(value error) invalid \\x escape at position %zu",
                         from);
    if (n < want)
        return bad_unicode(d, from,
                           want == 2   ? "truncated \\xXX escape"
                           : want == 4 ? "truncated \\uXXXX escape"
                                       : "truncated \\UXXXXXXXX escape");
    if (cp > 0x10ffff) return bad_unicode(d, from, "illegal Unicode character");
    if (bytes)
        d->out[d->len++] = (char)cp;
    else
        d->len += utf8_encode(cp, d->out + d->len);
    return 0;
}

static void octal_escape(struct decoder *d) {
    uint32_t v = 0;
    for (int n = 0; n < 3 && d->at < d->in.n; n++) {
        char c = d->in.p[d->at];
        if (c < '0' || c > '7') break;
        v = v << 3 | digit(c);
        d->at++;
    }
    if (d->t->flags & TOKEN_BYTES)
        d->out[d->len++] = (char)v;
    else
        d->len += utf8_encode(v, d->out + d->len);
}

/* Stands behind the N. */
static int named_escape(struct decoder *d, size_t from) {
    str rest = str_sub(d->in, d->at, d->in.n);
    ptrdiff_t close = str_find_char(rest, '}');
    if (!str_starts(rest, STR("{")) || close < 2) {
        d->at = close > 0 ? d->at + (size_t)close + 1 : d->in.n;
        return bad_unicode(d, from, "malformed \\N character escape");
    }
    str name = str_sub(rest, 1, (size_t)close);
    int32_t cp = charname_find(name);
    d->at += (size_t)close + 1;
    if (cp < 0) return bad_unicode(d, from, "unknown Unicode character name");
    d->len += utf8_encode((uint32_t)cp, d->out + d->len);
    return 0;
}

/* The value of a one-letter escape, or 0. */
static char simple_escape(char c) {
    static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
    const char *p = c ? strchr(from, c) : NULL;
    return p ? to[p - from] : 0;
}

/* Stands behind the backslash. An unknown escape stands for itself. */
static int escape(struct decoder *d) {
    size_t from = d->at - 1;
    char c = d->at < d->in.n ? d->in.p[d->at] : 0;
    bool text = !(d->t->flags & TOKEN_BYTES);
    uint32_t nl = newline_len(d->in.p + d->at, d->in.n - d->at);
    if (nl) {
        d->at += nl;
        return 0;
    }
    if (c >= '0' && c <= '7') {
        octal_escape(d);
        return 0;
    }
    char value = simple_escape(c);
    if (!value && (c == 'x' || (text && (c == 'u' || c == 'U')))) {
        d->at++;
        return hex_escape(d, from, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    }
    if (c == 'N' && text) {
        d->at++;
        return named_escape(d, from);
    }
    d->out[d->len++] = value ? value : '\\';
    if (value) d->at++;
    return 0;
}

/* Line ends become \n; in f-string text doubled braces become one. */
static int decode(struct decoder *d) {
    bool raw = d->t->flags & TOKEN_RAW;
    bool braces = d->t->kind == TOK_FSTRING_MIDDLE;
    while (d->at < d->in.n) {
        char c = d->in.p[d->at++];
        if (c == '\\' && !raw) {
            if (escape(d)) return -1;
            continue;
        }
        d->out[d->len++] = c == '\r' ? '\n' : c;
        char next = d->at < d->in.n ? d->in.p[d->at] : 0;
        if ((c == '\r' && next == '\n') ||
            (braces && (c == '{' || c == '}') && next == c))
            d->at++;
    }
    return 0;
}

static str body_of(str text, const struct token *t) {
    if (t->kind == TOK_FSTRING_MIDDLE) return text;
    size_t from = 0, quotes = t->flags & TOKEN_TRIPLE ? 3 : 1;
    while (text.p[from] != '"' && text.p[from] != '\'')
        from++;
    return str_sub(text, from + quotes, text.n - quotes);
}

static bool needs_decoding(str s, const struct token *t) {
    if (!(t->flags & TOKEN_RAW) && str_find_char(s, '\\') >= 0) return true;
    if (str_find_char(s, '\r') >= 0) return true;
    if (t->kind != TOK_FSTRING_MIDDLE) return false;
    return str_find_char(s, '{') >= 0 || str_find_char(s, '}') >= 0;
}

int literal_string(str text, const struct token *t, struct arena *a, str *out,
                   struct fault *f, struct err *e) {
    str body = body_of(text, t);
    if (t->flags & TOKEN_BYTES && !utf8_is_ascii(body.p, body.n))
        return fault_set(f, FAULT_SYNTAX, t->start, t->end,
                         "bytes can only contain ASCII literal characters");
    if (!needs_decoding(body, t)) {
        *out = body;
        return 0;
    }
    struct decoder d = {.in = body, .t = t, .fault = f};
    d.out = arena_alloc(a, body.n, e);
    if (!d.out || decode(&d)) return -1;
    *out = (str){d.out, d.len};
    return 0;
}
