/* SPDX-License-Identifier: MIT */
#include "call/sql_lex.h"

#include <string.h>

#define NAME_BYTES 128

enum kind { KIND_END, KIND_NAME, KIND_OTHER, KIND_SIGN };

struct lex {
    str text;
    size_t at;
    enum kind kind;
    char sign;             /* KIND_SIGN */
    char name[NAME_BYTES]; /* KIND_NAME: in lower case unless it was quoted */
    size_t len;
    struct err *e;
};

static char peek(const struct lex *l, size_t ahead) {
    return l->at + ahead < l->text.n ? l->text.p[l->at + ahead] : '\0';
}

static bool is_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_part(char c) {
    return is_start(c) || (c >= '0' && c <= '9') || c == '$';
}

static int unfinished(struct lex *l, const char *what) {
    return fail(l->e, ERR_INVALID, "unfinished %s in the query", what);
}

/* ---- what is passed over ---- */

static int skip_comment(struct lex *l) {
    size_t depth = 1;
    for (l->at += 2; depth > 0; l->at++) {
        if (l->at >= l->text.n) return unfinished(l, "comment");
        if (peek(l, 0) == '/' && peek(l, 1) == '*')
            depth++, l->at++;
        else if (peek(l, 0) == '*' && peek(l, 1) == '/')
            depth--, l->at++;
    }
    return 0;
}

static int skip_blank(struct lex *l) {
    for (;;) {
        if (l->at < l->text.n && strchr(" \t\r\n\f\v", peek(l, 0)) &&
            peek(l, 0)) {
            l->at++;
        } else if (peek(l, 0) == '-' && peek(l, 1) == '-') {
            while (l->at < l->text.n && peek(l, 0) != '\n' &&
                   peek(l, 0) != '\r')
                l->at++;
        } else if (peek(l, 0) == '/' && peek(l, 1) == '*') {
            if (skip_comment(l)) return -1;
        } else {
            return 0;
        }
    }
}

/* From the opening quote; a backslash counts in E'...' alone. */
static int skip_string(struct lex *l, bool escapes) {
    for (l->at++; l->at < l->text.n; l->at++) {
        if (escapes && peek(l, 0) == '\\') {
            l->at++;
        } else if (peek(l, 0) == '\'') {
            if (peek(l, 1) != '\'') {
                l->at++;
                return 0;
            }
            l->at++;
        }
    }
    return unfinished(l, "text");
}

/* $tag$ ... $tag$; false: it is no such thing. */
static bool dollar_tag(const struct lex *l, str *tag) {
    size_t n = 1;
    while (is_start(peek(l, n)) ||
           (n > 1 && peek(l, n) >= '0' && peek(l, n) <= '9'))
        n++;
    if (peek(l, n) != '$') return false;
    *tag = str_sub(l->text, l->at, l->at + n + 1);
    return true;
}

static int skip_dollar(struct lex *l, str tag) {
    l->at += tag.n;
    ptrdiff_t end = str_find(str_sub(l->text, l->at, l->text.n), tag);
    if (end < 0) return unfinished(l, "text");
    l->at += (size_t)end + tag.n;
    return 0;
}

/* ---- names ---- */

static int too_long(struct lex *l) {
    return fail(l->e, ERR_LIMIT, "a name of more than %d bytes", NAME_BYTES);
}

static int read_quoted(struct lex *l) {
    l->len = 0;
    for (l->at++; l->at < l->text.n; l->at++) {
        if (peek(l, 0) == '"') {
            l->at++;
            if (peek(l, 0) != '"') {
                l->kind = KIND_NAME;
                return 0;
            }
        }
        if (l->len == NAME_BYTES) return too_long(l);
        l->name[l->len++] = peek(l, 0);
    }
    return unfinished(l, "name");
}

static int read_name(struct lex *l) {
    l->len = 0;
    for (; is_part(peek(l, 0)); l->at++) {
        char c = peek(l, 0);
        if (l->len == NAME_BYTES) return too_long(l);
        l->name[l->len++] = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
    }
    l->kind = KIND_NAME;
    return 0;
}

/* ---- tokens ---- */

static int next(struct lex *l) {
    str tag;
    if (skip_blank(l)) return -1;
    char c = peek(l, 0), after = peek(l, 1);
    l->kind = KIND_OTHER;
    if (l->at >= l->text.n) {
        l->kind = KIND_END;
        return 0;
    }
    if ((c == 'u' || c == 'U') && after == '&' &&
        (peek(l, 2) == '"' || peek(l, 2) == '\''))
        return fail(l->e, ERR_DENIED, "U& texts and names are not allowed");
    if (strchr("eEbBxXnN", c) && after == '\'') {
        l->at++;
        return skip_string(l, c == 'e' || c == 'E');
    }
    if (c == '\'') return skip_string(l, false);
    if (c == '"') return read_quoted(l);
    if (c == '$' && dollar_tag(l, &tag)) return skip_dollar(l, tag);
    if (is_start(c)) return read_name(l);
    l->at++;
    l->kind = KIND_SIGN;
    l->sign = c;
    return 0;
}

/* ---- the check ---- */

static bool is_word(const struct lex *l, const char *word) {
    return l->kind == KIND_NAME && str_is((str){l->name, l->len}, word);
}

static bool is_query(const struct lex *l) {
    return is_word(l, "select") || is_word(l, "with") || is_word(l, "values") ||
           is_word(l, "table") || (l->kind == KIND_SIGN && l->sign == '(');
}

static bool is_sign(const struct lex *l, char c) {
    return l->kind == KIND_SIGN && l->sign == c;
}

/* A name before '(' or behind '.' may be that of a function. */
static int check_name(struct lex *l, bool behind_dot,
                      bool (*refused)(void *data, str name), void *data) {
    struct lex ahead = *l;
    if (next(&ahead)) return -1;
    if (!behind_dot && !is_sign(&ahead, '(')) return 0;
    if (!refused(data, (str){l->name, l->len})) return 0;
    return fail(l->e, ERR_DENIED,
                "the function %.*s is not allowed: it may do more than read",
                (int)l->len, l->name);
}

int sql_lex_check(str sql, bool (*refused)(void *data, str name), void *data,
                  struct err *e) {
    struct lex l = {.text = sql, .e = e};
    bool dot = false, over = false;
    if (memchr(sql.p, 0, sql.n))
        return fail(e, ERR_INVALID, "a NUL in the query");
    if (next(&l)) return -1;
    if (l.kind == KIND_END) return fail(e, ERR_INVALID, "an empty query");
    if (!is_query(&l))
        return fail(e, ERR_DENIED, "anything but SELECT is not allowed");
    while (l.kind != KIND_END) {
        if (over) return fail(e, ERR_DENIED, "one statement at a time");
        if (l.kind == KIND_NAME && check_name(&l, dot, refused, data))
            return -1;
        dot = is_sign(&l, '.');
        over = is_sign(&l, ';');
        if (next(&l)) return -1;
    }
    return over ? fail(e, ERR_INVALID, "without a ';' at the end") : 0;
}
