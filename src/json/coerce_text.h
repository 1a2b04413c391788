/* SPDX-License-Identifier: MIT
 *
 * coerce_text -- the values that a text spells out exactly.
 *
 * Each function leaves *out NULL when the text is nothing of the kind; -1 is
 * for memory alone.
 */
#ifndef CORDON_JSON_COERCE_TEXT_H
#define CORDON_JSON_COERCE_TEXT_H

#include "json/json.h"

/* One JSON number, whole, and without a digit lost; with `integral` an integer
 * ("5.0" gives 5). */
int text_number(str text, bool integral, struct arena *a,
                const struct json **out, struct err *e);

/* true, false, and Python's True and False. */
int text_boolean(str text, struct arena *a, const struct json **out,
                 struct err *e);

/* A whole JSON array or object. */
int text_container(str text, struct arena *a, const struct json **out,
                   struct err *e);

/* True when the text could be meant as several items, or as JSON: such a text
 * is not put into a list as it is. */
bool text_may_be_list(str text);

#endif
