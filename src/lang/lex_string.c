/* SPDX-License-Identifier: MIT
 *
 * Strings. A plain string is one token. An f-string is FSTRING_START, then
 * text and fields in turn, then FSTRING_END; whether text or a field comes
 * next follows from the brackets opened since it started.
 */
#include "lang/lex.h"

static uint32_t newline_at(const struct lexer *lx, uint32_t i) {
    return i < lx->text.n ? newline_len(lx->text.p + i, lx->text.n - i) : 0;
}

static bool closes(const struct lexer *lx, uint32_t i, char quote,
                   unsigned quotes) {
    for (unsigned k = 0; k < quotes; k++)
        if (lex_at(lx, i + k) != (unsigned char)quote) return false;
    return true;
}

static int unterminated(struct lexer *lx, uint32_t start, uint32_t at,
                        unsigned quotes, const char *what) {
    uint32_t line = place_of(lx->text, at).line;
    /* CPython ends its last line even where the file does not. */
    if (quotes == 3 && at > 0 && newline_at(lx, at - 1)) line--;
    return fault_set(lx->fault, FAULT_SYNTAX, start, start,
                     "unterminated %s%s literal (detected at line %u)",
                     quotes == 3 ? "triple-quoted " : "", what, line);
}

/* A string that does not end, in a field: where its quote is the f-string's
 * own, what is missing is the field's brace. */
static int unterminated_plain(struct lexer *lx, uint32_t start, uint32_t at,
                              unsigned quotes, char quote) {
    const struct lex_fstring *f =
        lx->fstrings ? &lx->fstring[lx->fstrings - 1] : NULL;
    if (f && f->quote == quote && f->quotes == quotes)
        return fault_set(lx->fault, FAULT_SYNTAX, start, start,
                         "f-string: expecting '}'");
    return unterminated(lx, start, at, quotes, "string");
}

static int plain(struct lexer *lx, uint32_t start, unsigned quotes, char quote,
                 struct token *out) {
    uint32_t i = lx->pos + quotes;
    while (!closes(lx, i, quote, quotes)) {
        uint32_t nl = newline_at(lx, i);
        if (i >= lx->text.n || (nl && quotes == 1))
            return unterminated_plain(lx, start, i, quotes, quote);
        if (lex_at(lx, i) == '\\') {
            i++;
            nl = newline_at(lx, i);
            if (i >= lx->text.n)
                return unterminated_plain(lx, start, i, quotes, quote);
        }
        i += nl ? nl : 1;
    }
    lx->pos = i + quotes;
    out->kind = TOK_STRING;
    out->end = lx->pos;
    return 0;
}

static int begin_fstring(struct lexer *lx, uint32_t start, unsigned quotes,
                         char quote, bool raw, struct token *out) {
    if (lx->fstrings == LEX_FSTRINGS)
        return fault_set(lx->fault, FAULT_SYNTAX, start, start + 1,
                         "too many nested f-strings");
    lx->fstring[lx->fstrings++] =
        (struct lex_fstring){.quote = quote,
                             .quotes = (uint8_t)quotes,
                             .raw = raw,
                             .base = lx->depth,
                             .at = start};
    lx->pos += quotes;
    out->kind = TOK_FSTRING_START;
    out->end = lx->pos;
    return 0;
}

/* Stands at the quote; the prefix runs from start to it. 1: those letters are
 * no prefix. */
int lex_string(struct lexer *lx, uint32_t start, struct token *out) {
    bool raw = false, bytes = false, uni = false, fmt = false;
    for (uint32_t i = start; i < lx->pos; i++) {
        char c = (char)(lx->text.p[i] | 0x20);
        bool *seen = c == 'r' ? &raw : c == 'b' ? &bytes : &uni;
        if (c == 'f') seen = &fmt;
        if (*seen) return 1;
        *seen = true;
    }
    if ((uni && lx->pos - start > 1) || (bytes && fmt)) return 1;
    char quote = lx->text.p[lx->pos];
    unsigned quotes = closes(lx, lx->pos, quote, 3) ? 3 : 1;
    if (raw) out->flags |= TOKEN_RAW;
    if (bytes) out->flags |= TOKEN_BYTES;
    if (quotes == 3) out->flags |= TOKEN_TRIPLE;
    if (fmt) return begin_fstring(lx, start, quotes, quote, raw, out);
    return plain(lx, start, quotes, quote, out);
}

bool lex_in_fstring_text(const struct lexer *lx) {
    if (lx->fstrings == 0) return false;
    if (lx->depth == lx->fstring[lx->fstrings - 1].base) return true;
    return lx->bracket[lx->depth - 1].spec;
}

static int end_fstring(struct lexer *lx, struct token *out) {
    const struct lex_fstring *f = &lx->fstring[--lx->fstrings];
    out->start = lx->pos;
    lx->pos += f->quotes;
    out->kind = TOK_FSTRING_END;
    out->end = lx->pos;
    lx->depth = f->base; /* a field left open is the parser's to report */
    return 0;
}

/* Bytes of the escape at i (a backslash). Braces after it keep their meaning
 * except in \N{...}, which is all text. */
static uint32_t escape_len(const struct lexer *lx, uint32_t i, bool raw) {
    unsigned char c = lex_at(lx, i + 1);
    if (c == '{' || c == '}') return 1;
    if (c == 'N' && !raw && lex_at(lx, i + 2) == '{') {
        uint32_t k = i + 3;
        while (k < lx->text.n && lx->text.p[k] != '}' && !newline_at(lx, k) &&
               lx->text.p[k] != '"' && lx->text.p[k] != '\'')
            k++;
        return lex_at(lx, k) == '}' ? k + 1 - i : k - i;
    }
    uint32_t nl = newline_at(lx, i + 1);
    return 1 + (nl ? nl : 1);
}

/* Text up to a field or the end of the f-string. 1: there is none, a bracket
 * stands here. */
int lex_fstring_text(struct lexer *lx, struct token *out) {
    const struct lex_fstring *f = &lx->fstring[lx->fstrings - 1];
    bool spec = lx->depth > f->base;
    uint32_t i = lx->pos;
    out->start = i;
    for (;;) {
        unsigned char c = lex_at(lx, i);
        uint32_t nl = newline_at(lx, i);
        if (i >= lx->text.n || (nl && f->quotes == 1))
            return unterminated(lx, f->at, i, f->quotes, "f-string");
        if (closes(lx, i, f->quote, f->quotes)) break;
        bool twice = !spec && lex_at(lx, i + 1) == c;
        if ((c == '{' || c == '}') && !twice) {
            if (c == '}' && !spec)
                return fault_set(lx->fault, FAULT_SYNTAX, i, i + 1,
                                 "f-string: single '}' is not allowed");
            break;
        }
        if (c == '\\')
            i += escape_len(lx, i, f->raw);
        else if (c == '{' || c == '}')
            i += 2;
        else
            i += nl ? nl : 1;
    }
    if (i == lx->pos) {
        unsigned char c = lex_at(lx, i);
        return c == '{' || c == '}' ? 1 : end_fstring(lx, out);
    }
    out->kind = TOK_FSTRING_MIDDLE;
    out->flags = (uint8_t)((f->raw ? TOKEN_RAW : 0) | (spec ? TOKEN_SPEC : 0));
    lx->pos = out->end = i;
    return 0;
}
