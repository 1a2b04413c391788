/* SPDX-License-Identifier: MIT */
#include "json/parse.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

void parse_locate(str text, struct json_fault *fault) {
    const char *at = text.p + fault->offset, *line = text.p;
    fault->line = 1;
    for (const char *p = text.p; p < at; p++) {
        if (*p != '\n') continue;
        fault->line++;
        line = p + 1;
    }
    fault->column = 1;
    for (const char *p = line; p < at; p++)
        fault->column += ((unsigned char)*p & 0xc0) != 0x80;
}

/* Controls, and the marks that change the direction of what follows. */
static bool is_unsafe(uint32_t cp) {
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0xfeff ||
           (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
           (cp >= 0x2060 && cp <= 0x206f);
}

char *parse_quote(str s, char out[PARSE_QUOTE_SIZE]) {
    size_t len = 0, room = PARSE_QUOTE_SIZE - sizeof "...";
    while (s.n > 0) {
        uint32_t cp;
        size_t n = utf8_decode(s.p, s.n, &cp);
        bool safe = n > 0 && !is_unsafe(cp);
        if (len + (safe ? n : 1) > room) {
            memcpy(out + len, "...", 3);
            len += 3;
            break;
        }
        memcpy(out + len, safe ? s.p : "?", safe ? n : 1);
        len += safe ? n : 1;
        s = str_sub(s, n > 0 ? n : 1, s.n);
    }
    out[len] = '\0';
    return out;
}

/* What stands at the fault, for people. */
static void describe(str rest, char out[32]) {
    uint32_t cp;
    size_t n = utf8_decode(rest.p, rest.n, &cp);
    if (rest.n == 0)
        memcpy(out, "the end", sizeof "the end");
    else if (n == 0 || is_unsafe(cp))
        snprintf(out, 32, "byte 0x%02x", (unsigned char)rest.p[0]);
    else
        snprintf(out, 32, "'%.*s'", (int)n, rest.p);
}

void parse_explain(str text, const struct json_fault *fault, struct err *e) {
    char got[32];
    describe(str_sub(text, fault->offset, text.n), got);
    err_set(e, ERR_INVALID, "line %zu, column %zu: expected %s, got %s",
            fault->line, fault->column, fault->expected, got);
}

/* p stands at '/'. */
static char *skip_comment(char *p, const char *end, struct parse_fault *fault) {
    if (p[1] == '/') {
        while (p < end && *p != '\n')
            p++;
        return p;
    }
    if (p[1] != '*') return parse_wrong(p + 1, "a comment after '/'", fault);
    for (p += 2; p < end; p++)
        if (p[0] == '*' && p[1] == '/') return p + 2;
    return parse_wrong(end, "the end of the comment", fault);
}

char *parse_skip_comments(char *p, const char *end, struct parse_fault *fault) {
    for (;;) {
        p += scan_space(p, (size_t)(end - p));
        if (*p != '/') return p;
        p = skip_comment(p, end, fault);
        if (!p) return NULL;
    }
}

char *parse_wrong_word(char *p, const char *end, const char *word,
                       struct parse_fault *fault) {
    while (p < end && *p == *word) {
        p++;
        word++;
    }
    return parse_wrong(p, "a value", fault);
}
