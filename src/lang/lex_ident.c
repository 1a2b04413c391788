/* SPDX-License-Identifier: MIT
 *
 * Identifier characters: ASCII by test, the rest by Unicode category, as
 * XID_Start and XID_Continue are defined from them.
 */
#include "lang/lex.h"

#include <utf8proc.h>

#include "base/utf8.h"

static bool ascii_start(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Other_ID_Start and Other_ID_Continue: kept by Unicode for stability. */
static bool other_start(uint32_t cp) {
    return cp == 0x1885 || cp == 0x1886 || cp == 0x2118 || cp == 0x212e ||
           cp == 0x309b || cp == 0x309c;
}

static bool other_part(uint32_t cp) {
    return cp == 0xb7 || cp == 0x387 || (cp >= 0x1369 && cp <= 0x1371) ||
           cp == 0x19da;
}

static bool wide_start(uint32_t cp, utf8proc_category_t cat) {
    return (cat >= UTF8PROC_CATEGORY_LU && cat <= UTF8PROC_CATEGORY_LO) ||
           cat == UTF8PROC_CATEGORY_NL || other_start(cp);
}

static bool wide_part(uint32_t cp, utf8proc_category_t cat) {
    return wide_start(cp, cat) || cat == UTF8PROC_CATEGORY_MN ||
           cat == UTF8PROC_CATEGORY_MC || cat == UTF8PROC_CATEGORY_ND ||
           cat == UTF8PROC_CATEGORY_PC || other_part(cp);
}

static size_t wide(const struct lexer *lx, size_t i, bool first) {
    uint32_t cp;
    size_t n = utf8_decode(lx->text.p + i, lx->text.n - i, &cp);
    if (n == 0) return 0;
    utf8proc_category_t cat = utf8proc_category((utf8proc_int32_t)cp);
    return (first ? wide_start(cp, cat) : wide_part(cp, cat)) ? n : 0;
}

size_t lex_ident_start(const struct lexer *lx, size_t i) {
    unsigned char c = lex_at(lx, i);
    if (c < 0x80) return ascii_start(c);
    return wide(lx, i, true);
}

size_t lex_ident_part(const struct lexer *lx, size_t i) {
    unsigned char c = lex_at(lx, i);
    if (c < 0x80) return ascii_start(c) || (c >= '0' && c <= '9');
    return wide(lx, i, false);
}
