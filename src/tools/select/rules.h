/* SPDX-License-Identifier: MIT
 *
 * rules -- what a request says outright, before anything is ranked.
 */
#ifndef CORDON_TOOLS_SELECT_RULES_H
#define CORDON_TOOLS_SELECT_RULES_H

#include "tools/select/corpus.h"

/* Called for each living document found; returning false ends the search. */
typedef bool rules_found(void *context, uint32_t doc);

/* Documents whose name or alias stands in the text, written as a name: as one
 * identifier (get_weather), in quotes, or as the whole text. "search" is a
 * name in `search`, and a verb elsewhere. */
void rules_named(const struct corpus *ix, str text, rules_found *found,
                 void *context);

/* Documents that declare a keyword which stands in the text. */
void rules_keywords(const struct corpus *ix, str text, rules_found *found,
                    void *context);

/* Do the words stand in the text, next to each other? */
bool rules_match(str text, str words);

#endif
