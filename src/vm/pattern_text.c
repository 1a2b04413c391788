/* SPDX-License-Identifier: MIT
 *
 * Python's regular expressions in the words of PCRE2. The two differ in few
 * places, but PCRE2 accepts much that Python refuses, and what is refused here
 * cannot surprise later.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "vm/pattern.h"

struct rewrite {
    str in;
    size_t at; /* byte */
    struct buf *out;
    bool verbose;
    struct pattern_fault *fault;
    struct err *e;
};

static int wrong(struct rewrite *r, size_t at, const char *why, str what) {
    (void)snprintf(r->fault->text, sizeof r->fault->text, "%s%.*s", why,
                   STR_ARG(str_sub(what, 0, 40)));
    r->fault->at = utf8_count(r->in.p, at);
    return fail(r->e, ERR_INVALID, "%s", r->fault->text);
}

static int copy(struct rewrite *r, size_t n) {
    str piece = str_sub(r->in, r->at, r->at + n);
    r->at += n;
    return buf_add_str(r->out, piece, r->e);
}

static char peek(const struct rewrite *r, size_t ahead) {
    return r->at + ahead < r->in.n ? r->in.p[r->at + ahead] : 0;
}

/* \xHH, \uHHHH, \UHHHHHHHH */
static int code_point(struct rewrite *r, size_t digits) {
    static const char hex[] = "0123456789abcdefABCDEF";
    str escape = str_sub(r->in, r->at, r->at + 2 + digits);
    for (size_t i = 2; i < 2 + digits; i++)
        if (i >= escape.n || !memchr(hex, escape.p[i], sizeof hex - 1))
            return wrong(r, r->at, "incomplete escape ", escape);
    r->at += 2 + digits;
    return buf_addf(r->out, r->e, "\\x{%.*s}",
                    STR_ARG(str_sub(escape, 2, escape.n)));
}

static int escape(struct rewrite *r, bool in_set) {
    char c = peek(r, 1);
    if (!c && r->at + 1 >= r->in.n)
        return wrong(r, r->at, "bad escape (end of pattern)", STR(""));
    if (c == 'x') return code_point(r, 2);
    if (c == 'u') return code_point(r, 4);
    if (c == 'U') return code_point(r, 8);
    if (c == 'Z' && !in_set) {
        r->at += 2;
        return buf_add_text(r->out, "\\z", r->e);
    }
    const char *letters = in_set ? "abdDsSwWfnrtv" : "AbBdDsSwWafnrtv";
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter && !strchr(letters, c))
        return wrong(r, r->at, "bad escape ", str_sub(r->in, r->at, r->at + 2));
    if (c == 'v') { /* PCRE2: any vertical space; Python: U+000B */
        r->at += 2;
        return buf_add_text(r->out, "\\x{0b}", r->e);
    }
    uint32_t cp;
    size_t n = utf8_decode_loose(r->in.p + r->at + 1, r->in.n - r->at - 1, &cp);
    return copy(r, 1 + (n ? n : 1));
}

/* [...]: a bracket inside is itself, not a class of POSIX. */
static int set(struct rewrite *r) {
    size_t start = r->at;
    if (copy(r, 1)) return -1;
    if (peek(r, 0) == '^' && copy(r, 1)) return -1;
    if (peek(r, 0) == ']') {
        r->at++;
        if (buf_add_text(r->out, "\\]", r->e)) return -1;
    }
    for (;;) {
        if (r->at >= r->in.n)
            return wrong(r, start, "unterminated character set", STR(""));
        char c = peek(r, 0);
        if (c == ']') return copy(r, 1);
        if (c == '\\') {
            if (escape(r, true)) return -1;
        } else if (c == '[') {
            r->at++;
            if (buf_add_text(r->out, "\\[", r->e)) return -1;
        } else if (copy(r, 1)) {
            return -1;
        }
    }
}

/* (?aiLmsux-imsx) and (?i:...): PCRE2 has no a, u, L. */
static int inline_flags(struct rewrite *r) {
    size_t start = r->at;
    r->at += 2;
    if (buf_add_text(r->out, "(?", r->e)) return -1;
    for (;; r->at++) {
        char c = peek(r, 0);
        if (c == ')' || c == ':') return copy(r, 1);
        if (c == 'x') r->verbose = true;
        if (c == 'a' || c == 'u' || c == 'L') continue;
        if (!c || !strchr("imsx-", c))
            return wrong(r, start + 1, "unknown extension ?",
                         str_sub(r->in, start + 2, start + 3));
        if (buf_add_char(r->out, c, r->e)) return -1;
    }
}

static int group(struct rewrite *r) {
    if (peek(r, 1) == '*')
        return wrong(r, r->at + 1, "nothing to repeat", STR(""));
    if (peek(r, 1) != '?') return copy(r, 1);
    char c = peek(r, 2), d = peek(r, 3);
    if (c == 'P') {
        if (d == '<' || d == '=') return copy(r, 4);
        return wrong(r, r->at + 1, "unknown extension ?P",
                     str_sub(r->in, r->at + 3, r->at + 4));
    }
    if (c == '<') {
        if (d == '=' || d == '!') return copy(r, 4);
        return wrong(r, r->at + 1, "unknown extension ?<",
                     str_sub(r->in, r->at + 3, r->at + 4));
    }
    if (c == ':' || c == '=' || c == '!' || c == '>' || c == '#' || c == '(')
        return copy(r, c == '(' ? 2 : 3);
    return inline_flags(r);
}

/* {,n} means {0,n}; other braces that are no repetition are themselves in both
 * languages. */
static int brace(struct rewrite *r) {
    size_t n = 1;
    while (peek(r, n) >= '0' && peek(r, n) <= '9')
        n++;
    if (n == 1 && peek(r, 1) == ',') {
        size_t end = 2;
        while (peek(r, end) >= '0' && peek(r, end) <= '9')
            end++;
        if (peek(r, end) == '}') {
            r->at++;
            return buf_add_text(r->out, "{0", r->e);
        }
    }
    return copy(r, 1);
}

static int comment(struct rewrite *r) {
    size_t n = 0;
    while (r->at + n < r->in.n && peek(r, n) != '\n')
        n++;
    r->at += n;
    return 0;
}

int pattern_translate(str text, unsigned flags, struct buf *out,
                      struct pattern_fault *fault, struct err *e) {
    struct rewrite r = {.in = text,
                        .out = out,
                        .verbose = flags & PATTERN_VERBOSE,
                        .fault = fault,
                        .e = e};
    while (r.at < text.n) {
        char c = peek(&r, 0);
        int bad = c == '\\'               ? escape(&r, false)
                  : c == '['              ? set(&r)
                  : c == '('              ? group(&r)
                  : c == '{'              ? brace(&r)
                  : c == '#' && r.verbose ? comment(&r)
                                          : copy(&r, 1);
        if (bad) return -1;
    }
    return 0;
}
