/* SPDX-License-Identifier: MIT
 *
 * token -- the words of Python source.
 *
 * A token is a kind and a span of bytes. Lines and columns are not stored:
 * fault.h computes them from an offset when somebody has to be told.
 */
#ifndef CORDON_LANG_TOKEN_H
#define CORDON_LANG_TOKEN_H

#include "base/str.h"

#include <stdint.h>

enum token_kind {
#define TOK(name, text)     TOK_##name,
#define OP(name, text)      TOK_##name,
#define KEYWORD(name, text) TOK_##name,
#include "lang/token.def"
#undef TOK
#undef OP
#undef KEYWORD
};

struct token {
    uint8_t kind;   /* enum token_kind */
    uint8_t flags;  /* TOKEN_* */
    uint16_t depth; /* brackets open around it */
    uint32_t start; /* byte offsets into the source */
    uint32_t end;
};

enum {
    TOKEN_RAW = 1,    /* f-string text: backslashes stand for themselves */
    TOKEN_SPEC = 2,   /* f-string text: part of a format spec */
    TOKEN_BYTES = 4,  /* string: b prefix */
    TOKEN_TRIPLE = 8, /* string: three quotes */
};

/* "'('", "newline": how a message names the kind. */
const char *token_text(enum token_kind kind);

/* The keyword's kind, or TOK_NAME. */
enum token_kind token_keyword(str word);

#endif
