/* SPDX-License-Identifier: MIT
 *
 * weights -- the numbers that selection is tuned by.
 */
#ifndef CORDON_TOOLS_SELECT_WEIGHTS_H
#define CORDON_TOOLS_SELECT_WEIGHTS_H

#include "base/str.h"
#include "tools/select/document.h"

enum weight {
#define WEIGHT(id, name, value, text) WEIGHT_##id,
#include "tools/select/weights.def"
#undef WEIGHT
    WEIGHT_COUNT,
};

struct weights {
    float w[WEIGHT_COUNT];
    float lexical[FIELD_COUNT]; /* of words in BM25F and n-grams */
    float vector[FIELD_COUNT];  /* of words in the tool's vector */
};

struct weights weights_default(void);
const char *weight_name(enum weight w);

/* Sets one by name: a weight ("vector") or a field's ("field.name",
 * "vector.name"). ERR_MISSING with a suggestion when there is none. */
int weights_set(struct weights *w, str name, float value, struct err *e);

#endif
