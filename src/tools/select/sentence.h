/* SPDX-License-Identifier: MIT
 *
 * sentence -- cuts text into sentences and requests into clauses.
 */
#ifndef CORDON_TOOLS_SELECT_SENTENCE_H
#define CORDON_TOOLS_SELECT_SENTENCE_H

#include "base/str.h"

/* Takes the next sentence off *rest, trimmed, end mark included; false when
 * nothing is left. A full stop inside a name, a number or an abbreviation
 * ("e.g. v1.2 of api.x") does not end one; a line break does. */
bool sentence_next(str *rest, str *sentence);

/* Takes the next clause of a request: a sentence, or a part of one before a
 * comma, a semicolon, "and" or "then". */
bool clause_next(str *rest, str *clause);

/* Does the sentence say what a tool is not for ("Do not use for ...")? Such
 * sentences name the very words that must not lead here. */
bool sentence_is_negative(str sentence);

#endif
