/* SPDX-License-Identifier: MIT */
#include "policy/words.h"

#include "base/utf8.h"
#include "json/json.h"

#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0))) static int
vfail(const struct words *l, size_t line, struct err *e, const char *fmt,
      va_list ap) {
    char text[256];
    vsnprintf(text, sizeof text, fmt, ap);
    return fail(e, ERR_INVALID, "%s:%zu: %s", l->name, line, text);
}

int words_fail_at(const struct words *l, size_t line, struct err *e,
                  const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int result = vfail(l, line, e, fmt, ap);
    va_end(ap);
    return result;
}

int words_fail(const struct words *l, struct err *e, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int result = vfail(l, l->token.line, e, fmt, ap);
    va_end(ap);
    return result;
}

static bool more(const struct words *l) {
    return l->at < l->text.n;
}
static char here(const struct words *l) {
    return l->text.p[l->at];
}

static char ahead(const struct words *l) {
    return l->at + 1 < l->text.n ? l->text.p[l->at + 1] : '\0';
}

static bool is_word(const struct words *l) {
    char c = here(l);
    if (c == '-') return ahead(l) != '>';
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c && strchr("_.*?/$@+%~", c));
}

static void skip_comment(struct words *l) {
    while (more(l) && here(l) != '\n')
        l->at++;
}

/* Behind spaces, comments and line ends that mean nothing; *ended when one of
 * them ended the statement. */
static void skip_space(struct words *l, bool *ended) {
    *ended = false;
    while (more(l)) {
        char c = here(l);
        if (c == '#') {
            skip_comment(l);
        } else if (c == '\n') {
            l->line++;
            l->at++;
            bool indented = more(l) && (here(l) == ' ' || here(l) == '\t');
            if (!indented && l->depth == 0) *ended = true;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            l->at++;
        } else {
            return;
        }
    }
    *ended = true;
}

static int read_string(struct words *l, struct err *e) {
    size_t start = l->at++;
    while (more(l) && here(l) != '"' && here(l) != '\n')
        l->at += here(l) == '\\' ? 2 : 1;
    if (!more(l) || here(l) != '"')
        return words_fail(l, e, "a string that is not closed");
    l->at++;
    const struct json *v;
    str quoted = str_sub(l->text, start, l->at);
    if (json_parse(quoted, NULL, l->arena, &v, e))
        return words_fail(l, e, "%.*s is no string", STR_ARG(quoted));
    l->token.kind = WORDS_STRING;
    l->token.text = json_str(v);
    return 0;
}

static void count_bracket(struct words *l, char c) {
    if (strchr("([{", c)) l->depth++;
    if (strchr(")]}", c) && l->depth > 0) l->depth--;
}

static int read_sign(struct words *l, struct err *e) {
    static const char *const two[] = {"->", "=>", ">=", "<=", "!="};
    str rest = str_sub(l->text, l->at, l->text.n);
    l->token.kind = WORDS_SIGN;
    for (size_t i = 0; i < sizeof two / sizeof two[0]; i++) {
        if (!str_starts(rest, str_of(two[i]))) continue;
        l->token.text = str_sub(rest, 0, 2);
        l->at += 2;
        return 0;
    }
    if (!strchr("<>=;,()[]{}:|", here(l)))
        return words_fail(l, e, "a stray character (0x%02x)",
                          (unsigned)(unsigned char)here(l));
    count_bracket(l, here(l));
    l->token.text = str_sub(rest, 0, 1);
    l->at++;
    return 0;
}

static void read_word(struct words *l) {
    size_t start = l->at;
    while (more(l) && is_word(l))
        l->at++;
    l->token.kind = WORDS_WORD;
    l->token.text = str_sub(l->text, start, l->at);
}

int words_next(struct words *l, struct err *e) {
    bool ended, was_end = l->token.kind == WORDS_END;
    size_t line = l->line;
    skip_space(l, &ended);
    if (ended && !was_end) {
        l->token =
            (struct words_token){WORDS_END, STR("the end of the line"), line};
        return 0;
    }
    l->token.line = l->line;
    if (!more(l)) {
        l->token = (struct words_token){WORDS_STOP, STR("the end of the file"),
                                        l->line};
        return 0;
    }
    if (here(l) == '\0') return words_fail(l, e, "a NUL in the file");
    if (here(l) == '"') return read_string(l, e);
    if (!is_word(l)) return read_sign(l, e);
    read_word(l);
    return 0;
}

int words_init(struct words *l, str text, const char *name, struct arena *a,
               struct err *e) {
    *l = (struct words){.text = text, .line = 1, .name = name, .arena = a};
    l->token.line = 1;
    if (text.n > WORDS_FILE_BYTES)
        return fail(e, ERR_LIMIT, "%s: longer than %zu bytes", name,
                    WORDS_FILE_BYTES);
    if (utf8_valid(text.p, text.n) != text.n)
        return fail(e, ERR_INVALID, "%s: not UTF-8", name);
    return words_next(l, e);
}

bool words_is(const struct words *l, const char *sign_or_word) {
    return (l->token.kind == WORDS_SIGN || l->token.kind == WORDS_WORD) &&
           str_is(l->token.text, sign_or_word);
}

int words_take(struct words *l, const char *sign_or_word, struct err *e) {
    if (!words_is(l, sign_or_word)) return 0;
    return words_next(l, e) ? -1 : 1;
}

int words_expect(struct words *l, const char *sign, const char *where,
                 struct err *e) {
    if (words_is(l, sign)) return words_next(l, e);
    return words_fail(l, e, "expected '%s' %s, got %.*s", sign, where,
                      STR_ARG(l->token.text));
}
