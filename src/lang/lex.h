/* SPDX-License-Identifier: MIT
 *
 * lex -- Python 3.12 source text to tokens, one logical line at a time.
 *
 * Everything the grammar leaves to the tokenizer happens here: indentation
 * (with CPython's rule for mixing tabs and spaces), line joining, the nesting
 * of brackets, and f-strings, whose text and fields arrive as tokens of their
 * own. A lexer allocates nothing; its stacks have CPython's sizes.
 */
#ifndef CORDON_LANG_LEX_H
#define CORDON_LANG_LEX_H

#include "lang/fault.h"
#include "lang/token.h"

#include <stdbool.h>

enum {
    LEX_BRACKETS = 200, /* deepest nesting of brackets */
    LEX_INDENTS = 100,  /* deepest indentation */
    LEX_FSTRINGS = 150, /* f-strings inside each other */
};

struct lex_bracket {
    char open;
    bool field;  /* the brace of an f-string's replacement field */
    bool spec;   /* ... of which the format spec is being read */
    uint32_t at; /* offset */
};

struct lex_fstring {
    char quote;
    uint8_t quotes; /* 1 or 3 */
    bool raw;
    uint32_t base; /* brackets open where it started */
    uint32_t at;   /* offset */
};

struct lexer {
    str text;
    uint32_t pos;      /* next byte */
    uint32_t depth;    /* brackets in use */
    uint32_t indents;  /* levels in use, the outermost (0) not counted */
    uint32_t fstrings; /* f-strings in use */
    int32_t pending;   /* INDENT (> 0) or DEDENT (< 0) tokens still to give */
    bool line_start;   /* indentation comes next */
    bool line_empty;   /* no token on this logical line so far */
    struct fault *fault;
    struct lex_bracket bracket[LEX_BRACKETS];
    struct lex_fstring fstring[LEX_FSTRINGS];
    struct {
        uint32_t col; /* tabs go to the next multiple of 8 */
        uint32_t alt; /* tabs count as one: must order lines the same way */
    } indent[LEX_INDENTS + 1];
};

/* The text is strict UTF-8 without NULs, below 4 GiB; it and the fault stay
 * the caller's. */
void lex_init(struct lexer *lx, str text, struct fault *fault);

/* The next token. -1 where the text is no token; *lx->fault says why. After
 * TOK_END it gives TOK_END again. */
int lex_next(struct lexer *lx, struct token *out);

/* Shared by the lexer's files. */
static inline unsigned char lex_at(const struct lexer *lx, size_t i) {
    return i < lx->text.n ? (unsigned char)lx->text.p[i] : 0;
}
int lex_number(struct lexer *lx, struct token *out);
int lex_string(struct lexer *lx, uint32_t start, struct token *out);
int lex_fstring_text(struct lexer *lx, struct token *out);

/* True inside the text, or the format spec, of an f-string. */
bool lex_in_fstring_text(const struct lexer *lx);

/* Bytes of an identifier's first or later code point at i; 0: none there. */
size_t lex_ident_start(const struct lexer *lx, size_t i);
size_t lex_ident_part(const struct lexer *lx, size_t i);

#endif
