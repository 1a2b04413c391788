/* SPDX-License-Identifier: MIT
 *
 * Numbers: their extent and their faults. Values are read in literal.c.
 */
#include "lang/lex.h"

#include <string.h>

static bool is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}

/* Value of a digit in bases up to 16; 99 for anything else. */
static unsigned digit(unsigned char c) {
    if (is_digit(c)) return c - '0';
    unsigned char l = c | 0x20;
    return l >= 'a' && l <= 'f' ? l - 'a' + 10u : 99;
}

static int bad_literal(struct lexer *lx, uint32_t at, const char *kind) {
    return fault_set(lx->fault, FAULT_SYNTAX, at, at, "invalid %s literal",
                     kind);
}

/* A number may touch a keyword ("1if x"), but no other word. */
static int check_end(struct lexer *lx, const char *kind) {
    static const char *const allowed[] = {"and", "else", "for", "if", "in",
                                          "is",  "not",  "or",  NULL};
    if (!lex_ident_start(lx, lx->pos)) return 0;
    str rest = str_sub(lx->text, lx->pos, lx->text.n);
    for (size_t i = 0; allowed[i]; i++)
        if (str_starts(rest, str_of(allowed[i]))) return 0;
    return bad_literal(lx, lx->pos - 1, kind);
}

/* Digits with single underscores between them; at least one digit. */
static int decimal_part(struct lexer *lx) {
    for (;;) {
        while (is_digit(lex_at(lx, lx->pos)))
            lx->pos++;
        if (lex_at(lx, lx->pos) != '_') return 0;
        lx->pos++;
        if (!is_digit(lex_at(lx, lx->pos)))
            return bad_literal(lx, lx->pos - 1, "decimal");
    }
}

static int based_number(struct lexer *lx, unsigned base, const char *kind) {
    lx->pos += 2;
    do {
        if (lex_at(lx, lx->pos) == '_') lx->pos++;
        unsigned char c = lex_at(lx, lx->pos);
        if (digit(c) >= base) {
            if (is_digit(c))
                return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                                 "invalid digit '%c' in %s literal", c, kind);
            return bad_literal(lx, lx->pos - 1, kind);
        }
        while (digit(lex_at(lx, lx->pos)) < base)
            lx->pos++;
    } while (lex_at(lx, lx->pos) == '_');
    unsigned char c = lex_at(lx, lx->pos);
    if (is_digit(c))
        return fault_set(lx->fault, FAULT_SYNTAX, lx->pos, lx->pos + 1,
                         "invalid digit '%c' in %s literal", c, kind);
    return check_end(lx, kind);
}

static int exponent(struct lexer *lx, bool *real) {
    uint32_t i = lx->pos;
    if ((lex_at(lx, i) | 0x20) != 'e') return 0;
    i++;
    bool sign = lex_at(lx, i) == '+' || lex_at(lx, i) == '-';
    if (sign) i++;
    if (!is_digit(lex_at(lx, i)))
        return sign ? bad_literal(lx, i - 1, "decimal") : 0;
    lx->pos = i;
    *real = true;
    return decimal_part(lx);
}

static int leading_zeros(struct lexer *lx, uint32_t start) {
    const char *p = lx->text.p + start;
    uint32_t len = lx->pos - start;
    if (len < 2 || p[0] != '0') return 0;
    for (uint32_t i = 0; i < len; i++)
        if (p[i] != '0' && p[i] != '_')
            return fault_set(
                lx->fault, FAULT_SYNTAX, start, lx->pos,
                "leading zeros in decimal integer literals are not "
                "permitted; use an 0o prefix for octal integers");
    return 0;
}

static int decimal_number(struct lexer *lx) {
    uint32_t start = lx->pos;
    bool real = false;
    if (lex_at(lx, lx->pos) != '.' && decimal_part(lx)) return -1;
    if (lex_at(lx, lx->pos) == '.') {
        real = true;
        lx->pos++;
        if (is_digit(lex_at(lx, lx->pos)) && decimal_part(lx)) return -1;
    }
    if (exponent(lx, &real)) return -1;
    if ((lex_at(lx, lx->pos) | 0x20) == 'j') {
        lx->pos++;
        if (is_digit(lex_at(lx, lx->pos)))
            return bad_literal(lx, lx->pos - 1, "imaginary");
        return check_end(lx, "imaginary");
    }
    if (!real && leading_zeros(lx, start)) return -1;
    return check_end(lx, "decimal");
}

int lex_number(struct lexer *lx, struct token *out) {
    int bad;
    unsigned char next = lex_at(lx, lx->pos + 1) | 0x20;
    bool zero = lex_at(lx, lx->pos) == '0';
    if (zero && next == 'x')
        bad = based_number(lx, 16, "hexadecimal");
    else if (zero && next == 'o')
        bad = based_number(lx, 8, "octal");
    else if (zero && next == 'b')
        bad = based_number(lx, 2, "binary");
    else
        bad = decimal_number(lx);
    if (bad) return -1;
    out->kind = TOK_NUMBER;
    out->end = lx->pos;
    return 0;
}
