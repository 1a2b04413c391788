/* SPDX-License-Identifier: MIT */
#include "lang/lex.h"

#include <string.h>

#include "base/utf8.h"

static const struct {
    const char *text;
    uint8_t len;
} token_texts[] = {
#define TOK(name, text)     {text, sizeof(text) - 1},
#define OP(name, text)      {"'" text "'", sizeof(text) + 1},
#define KEYWORD(name, text) {"'" text "'", sizeof(text) + 1},
#include "lang/token.def"
#undef TOK
#undef OP
#undef KEYWORD
};

const char *token_text(enum token_kind kind) {
    return token_texts[kind].text;
}

enum token_kind token_keyword(str word) {
    if (word.n < 2 || word.n > 8) return TOK_NAME;
    for (unsigned k = TOK_FALSE; k <= TOK_YIELD; k++) {
        const char *text = token_texts[k].text + 1;
        if (text[0] == word.p[0] && token_texts[k].len == word.n + 2 &&
            memcmp(text, word.p, word.n) == 0)
            return (enum token_kind)k;
    }
    return TOK_NAME;
}

void lex_init(struct lexer *lx, str text, struct fault *fault) {
    /* The stacks are left as they are: entries in use are always written. */
    memset(lx, 0, offsetof(struct lexer, bracket));
    lx->text = text;
    lx->fault = fault;
    lx->pos = str_starts(text, STR("\xef\xbb\xbf")) ? 3 : 0;
    lx->line_start = true;
    lx->line_empty = true;
    lx->indent[0].col = lx->indent[0].alt = 0;
}

static int fault_here(struct lexer *lx, enum fault_kind kind, uint32_t start,
                      const char *text) {
    return fault_set(lx->fault, kind, start, lx->pos, "%s", text);
}

static uint32_t newline_at(const struct lexer *lx, uint32_t i) {
    return i < lx->text.n ? newline_len(lx->text.p + i, lx->text.n - i) : 0;
}

static void skip_comment(struct lexer *lx) {
    if (lex_at(lx, lx->pos) != '#') return;
    while (lx->pos < lx->text.n && !newline_at(lx, lx->pos))
        lx->pos++;
}

/* Past a backslash that joins two lines. */
static int join_lines(struct lexer *lx) {
    uint32_t at = lx->pos++;
    uint32_t skip = newline_at(lx, lx->pos);
    if (!skip) {
        if (lx->pos >= lx->text.n)
            return fault_here(lx, FAULT_SYNTAX, at,
                              "unexpected EOF while parsing");
        return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                         "unexpected character after line continuation "
                         "character");
    }
    lx->pos += skip;
    if (lx->pos >= lx->text.n)
        return fault_here(lx, FAULT_SYNTAX, at, "unexpected EOF while parsing");
    return 0;
}

/* -- indentation ---------------------------------------------------------- */

static int push_indent(struct lexer *lx, uint32_t col, uint32_t alt) {
    if (alt <= lx->indent[lx->indents].alt)
        return fault_here(lx, FAULT_TAB, lx->pos,
                          "inconsistent use of tabs and spaces in indentation");
    if (lx->indents + 1 >= LEX_INDENTS)
        return fault_here(lx, FAULT_INDENT, lx->pos,
                          "too many levels of indentation");
    lx->indents++;
    lx->indent[lx->indents].col = col;
    lx->indent[lx->indents].alt = alt;
    lx->pending = 1;
    return 0;
}

static int pop_indents(struct lexer *lx, uint32_t col, uint32_t alt) {
    while (lx->indents > 0 && col < lx->indent[lx->indents].col) {
        lx->indents--;
        lx->pending--;
    }
    if (col != lx->indent[lx->indents].col)
        return fault_here(
            lx, FAULT_INDENT, lx->pos,
            "unindent does not match any outer indentation level");
    if (alt != lx->indent[lx->indents].alt)
        return fault_here(lx, FAULT_TAB, lx->pos,
                          "inconsistent use of tabs and spaces in indentation");
    return 0;
}

/* Measures white space; a form feed starts the count anew. */
static int measure(struct lexer *lx, uint32_t *col, uint32_t *alt) {
    *col = *alt = 0;
    for (;; lx->pos++) {
        switch (lex_at(lx, lx->pos)) {
        case ' ':
            ++*col;
            ++*alt;
            break;
        case '\t':
            *col = (*col / 8 + 1) * 8;
            ++*alt;
            break;
        case '\f': *col = *alt = 0; break;
        case '\\':
            if (join_lines(lx)) return -1;
            lx->pos--;
            break;
        default: return 0;
        }
    }
}

/* Skips lines without tokens and sets how the next one is indented. */
static int begin_line(struct lexer *lx) {
    uint32_t col, alt;
    for (;;) {
        if (measure(lx, &col, &alt)) return -1;
        skip_comment(lx);
        uint32_t skip = newline_at(lx, lx->pos);
        if (!skip) break;
        lx->pos += skip;
    }
    lx->line_start = false;
    if (lx->pos >= lx->text.n) col = alt = 0;
    uint32_t old = lx->indent[lx->indents].col;
    if (col > old) return push_indent(lx, col, alt);
    return pop_indents(lx, col, alt);
}

/* -- brackets ------------------------------------------------------------- */

static int open_bracket(struct lexer *lx, char open, bool field) {
    if (lx->depth == LEX_BRACKETS)
        return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                         "too many nested parentheses");
    lx->bracket[lx->depth++] =
        (struct lex_bracket){.open = open, .field = field, .at = lx->pos};
    return 0;
}

static char closing(char open) {
    if (open == '(') return ')';
    return open == '[' ? ']' : '}';
}

static int mismatch(struct lexer *lx, char c, const struct lex_bracket *b) {
    uint32_t here = place_of(lx->text, lx->pos).line;
    uint32_t there = place_of(lx->text, b->at).line;
    const char *f = b->field ? "f-string: " : "";
    if (here == there)
        return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                         "%sclosing parenthesis '%c' does not match opening "
                         "parenthesis '%c'",
                         f, c, b->open);
    return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                     "%sclosing parenthesis '%c' does not match opening "
                     "parenthesis '%c' on line %u",
                     f, c, b->open, there);
}

static int close_bracket(struct lexer *lx, char c) {
    const struct lex_fstring *f =
        lx->fstrings ? &lx->fstring[lx->fstrings - 1] : NULL;
    if (lx->depth == (f ? f->base : 0))
        return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                         f ? "f-string: unmatched '%c'" : "unmatched '%c'", c);
    const struct lex_bracket *b = &lx->bracket[lx->depth - 1];
    if (b->field && c != '}')
        return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                         "f-string: unmatched '%c'", c);
    if (closing(b->open) != c) return mismatch(lx, c, b);
    lx->depth--;
    return 0;
}

/* -- operators ------------------------------------------------------------ */

/* What follows from an operator character alone, before '=', doubled, and
 * doubled before '='. 0 (TOK_END): no such operator. */
static const struct op {
    char c;
    uint8_t one, eq, two, two_eq;
} ops[] = {
    {'+', TOK_PLUS, TOK_PLUS_ASSIGN, 0, 0},
    {'-', TOK_MINUS, TOK_MINUS_ASSIGN, 0, 0},
    {'*', TOK_STAR, TOK_STAR_ASSIGN, TOK_POWER, TOK_POWER_ASSIGN},
    {'/', TOK_SLASH, TOK_SLASH_ASSIGN, TOK_FLOOR, TOK_FLOOR_ASSIGN},
    {'%', TOK_PERCENT, TOK_PERCENT_ASSIGN, 0, 0},
    {'@', TOK_AT, TOK_AT_ASSIGN, 0, 0},
    {'&', TOK_AMPERSAND, TOK_AMPERSAND_ASSIGN, 0, 0},
    {'|', TOK_PIPE, TOK_PIPE_ASSIGN, 0, 0},
    {'^', TOK_CARET, TOK_CARET_ASSIGN, 0, 0},
    {'~', TOK_TILDE, 0, 0, 0},
    {'<', TOK_LESS, TOK_LESS_EQ, TOK_SHIFT_LEFT, TOK_SHIFT_LEFT_ASSIGN},
    {'>', TOK_GREATER, TOK_GREATER_EQ, TOK_SHIFT_RIGHT, TOK_SHIFT_RIGHT_ASSIGN},
    {'=', TOK_ASSIGN, TOK_EQUAL, 0, 0},
    {'!', TOK_EXCLAIM, TOK_NOT_EQUAL, 0, 0},
    {':', TOK_COLON, TOK_WALRUS, 0, 0},
    {',', TOK_COMMA, 0, 0, 0},
    {';', TOK_SEMICOLON, 0, 0, 0},
    {'.', TOK_DOT, 0, 0, 0},
};

static int take(struct lexer *lx, struct token *out, unsigned kind,
                uint32_t len) {
    out->kind = (uint8_t)kind;
    lx->pos += len;
    out->end = lx->pos;
    return 0;
}

static int bad_character(struct lexer *lx, struct token *out) {
    uint32_t cp = 0, at = lx->pos;
    size_t n = utf8_decode(lx->text.p + at, lx->text.n - at, &cp);
    uint32_t end = at + (uint32_t)(n ? n : 1);
    if (cp < 0x80 && cp > ' ' && cp != 0x7f)
        return take(lx, out, TOK_UNKNOWN, 1); /* the parser refuses it */
    if (cp <= ' ' || (cp >= 0x7f && cp <= 0xa0) || cp == 0xad ||
        (cp >= 0x2000 && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202f) ||
        (cp >= 0x205f && cp <= 0x206f) || cp == 0x3000 || cp == 0xfeff)
        return fault_set(lx->fault, FAULT_SYNTAX, at, end,
                         "invalid non-printable character U+%04X", cp);
    return fault_set(lx->fault, FAULT_SYNTAX, at, end,
                     "invalid character '%.*s' (U+%04X)", (int)n,
                     lx->text.p + at, cp);
}

static int operator(struct lexer *lx, struct token *out) {
    unsigned char c = lex_at(lx, lx->pos), d = lex_at(lx, lx->pos + 1);
    struct lex_bracket *top = lx->depth ? &lx->bracket[lx->depth - 1] : NULL;
    bool field = top && top->field && lx->fstrings;
    if (c == ':' && field) {
        top->spec = true;
        return take(lx, out, TOK_COLON, 1);
    }
    if (c == '-' && d == '>') return take(lx, out, TOK_ARROW, 2);
    if (c == '.' && d == '.' && lex_at(lx, lx->pos + 2) == '.')
        return take(lx, out, TOK_ELLIPSIS, 3);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        const struct op *op = &ops[i];
        if (op->c != (char)c) continue;
        if (d == c && op->two_eq && lex_at(lx, lx->pos + 2) == '=')
            return take(lx, out, op->two_eq, 3);
        if (d == c && op->two) return take(lx, out, op->two, 2);
        if (d == '=' && op->eq) return take(lx, out, op->eq, 2);
        if (op->one) return take(lx, out, op->one, 1);
    }
    return bad_character(lx, out);
}

/* -- the rest ------------------------------------------------------------- */

/* An identifier, a keyword, or the prefix of a string. */
static int word(struct lexer *lx, struct token *out) {
    uint32_t start = lx->pos;
    bool ascii = true;
    for (size_t n; (n = lex_ident_part(lx, lx->pos)); lx->pos += (uint32_t)n)
        if (n > 1) ascii = false;
    unsigned char c = lex_at(lx, lx->pos);
    uint32_t len = lx->pos - start;
    if ((c == '"' || c == '\'') && len <= 2 && ascii) {
        str prefix = {lx->text.p + start, len};
        for (size_t i = 0; i < len; i++)
            if (!strchr("rRbBuUfF", prefix.p[i])) len = 0;
        if (len > 0) {
            uint32_t end = lx->pos;
            int done = lex_string(lx, start, out);
            if (done <= 0) return done;
            lx->pos = end; /* "ub" and the like: a name, then a string */
        }
    }
    str text = {lx->text.p + start, lx->pos - start};
    return take(lx, out, ascii ? token_keyword(text) : TOK_NAME, 0);
}

static int end_of_text(struct lexer *lx, struct token *out) {
    if (lx->depth > 0 || lx->line_empty) return take(lx, out, TOK_END, 0);
    lx->line_start = true;
    lx->line_empty = true;
    return take(lx, out, TOK_NEWLINE, 0);
}

/* White space, comments and joined lines. 1: stands at a line end that is a
 * token. */
static int skip_blanks(struct lexer *lx) {
    for (;;) {
        unsigned char c = lex_at(lx, lx->pos);
        if (c == ' ' || c == '\t' || c == '\f') {
            lx->pos++;
        } else if (c == '\\') {
            if (join_lines(lx)) return -1;
        } else if (c == '#') {
            skip_comment(lx);
        } else if (c == '\n' || c == '\r') {
            if (lx->depth == 0) return 1;
            lx->pos += newline_at(lx, lx->pos);
        } else {
            return 0;
        }
    }
}

static int bracket(struct lexer *lx, struct token *out, unsigned char c) {
    unsigned kind = TOK_LPAREN;
    if (c == '[' || c == ']') kind = TOK_LBRACKET;
    if (c == '{' || c == '}') kind = TOK_LBRACE;
    if (c == ')' || c == ']' || c == '}') {
        if (close_bracket(lx, (char)c)) return -1;
        kind++;
    } else if (open_bracket(lx, (char)c, lex_in_fstring_text(lx))) {
        return -1;
    }
    return take(lx, out, kind, 1);
}

static int scan(struct lexer *lx, struct token *out) {
    unsigned char c = lex_at(lx, lx->pos);
    if (lex_ident_start(lx, lx->pos)) return word(lx, out);
    if (c >= '0' && c <= '9') return lex_number(lx, out);
    switch (c) {
    case '(':
    case '[':
    case '{':
    case ')':
    case ']':
    case '}': return bracket(lx, out, c);
    case '"':
    case '\'': return lex_string(lx, lx->pos, out);
    case '.': {
        unsigned char d = lex_at(lx, lx->pos + 1);
        if (d >= '0' && d <= '9') return lex_number(lx, out);
        return operator(lx, out);
    }
    default: return operator(lx, out);
    }
}

static int give_pending(struct lexer *lx, struct token *out) {
    bool in = lx->pending > 0;
    lx->pending += in ? -1 : 1;
    return take(lx, out, in ? TOK_INDENT : TOK_DEDENT, 0);
}

int lex_next(struct lexer *lx, struct token *out) {
    *out = (struct token){.depth = (uint16_t)lx->depth};
    if (lex_in_fstring_text(lx)) {
        int done = lex_fstring_text(lx, out);
        if (done <= 0) return done;
        out->start = lx->pos;
        return bracket(lx, out, lex_at(lx, lx->pos));
    }
    if (lx->line_start && begin_line(lx)) return -1;
    out->start = lx->pos;
    if (lx->pending) return give_pending(lx, out);
    int at_newline = skip_blanks(lx);
    if (at_newline < 0) return -1;
    out->start = lx->pos;
    if (lx->pos >= lx->text.n) return end_of_text(lx, out);
    if (at_newline) {
        lx->line_start = true;
        lx->line_empty = true;
        return take(lx, out, TOK_NEWLINE, newline_at(lx, lx->pos));
    }
    lx->line_empty = false;
    if (scan(lx, out)) return -1;
    return 0;
}
