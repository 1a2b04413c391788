/* SPDX-License-Identifier: MIT
 *
 * literal -- the values of number and string tokens.
 */
#ifndef CORDON_LANG_LITERAL_H
#define CORDON_LANG_LITERAL_H

#include "base/arena.h"
#include "lang/constant.h"
#include "lang/fault.h"
#include "lang/token.h"

/* Value of a NUMBER token's text. -1 with a fault for an int with more than
 * 4300 decimal digits, else for memory. */
int literal_number(str text, const struct token *t, struct arena *a,
                   struct constant *out, struct fault *f, struct err *e);

/* Value of the text of a STRING token (prefix and quotes included) or of an
 * FSTRING_MIDDLE token. Points into the text where nothing had to be changed,
 * else into the arena. */
int literal_string(str text, const struct token *t, struct arena *a, str *out,
                   struct fault *f, struct err *e);

#endif
