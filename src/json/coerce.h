/* SPDX-License-Identifier: MIT
 *
 * coerce -- makes tool arguments fit their schema where nothing can be lost.
 *
 * Models write "5" for 5, "true" for true, a list as a JSON string, one item
 * where a list of one is wanted, null for an option they do not set. Each of
 * these has one meaning, so it is carried out and recorded. Everything else is
 * left as it is: no rounding, no defaults, no number for a flag, no text for a
 * number, no splitting at commas, no choice between two readings that are both
 * valid.
 *
 * The result always satisfies the schema.
 */
#ifndef CORDON_JSON_COERCE_H
#define CORDON_JSON_COERCE_H

#include "json/schema.h"

enum coerce_rule {
#define COERCE(name, code, text) COERCE_##name,
#include "json/coerce.def"
#undef COERCE
};

/* The stable word for a rule ("number_from_text") and a sentence on it. */
const char *coerce_code(enum coerce_rule rule);
const char *coerce_text(enum coerce_rule rule);

struct coerce_change {
    str path; /* JSON pointer into the value that was given */
    enum coerce_rule rule;
    const struct json *from;
    const struct json *to; /* NULL: the member was dropped */
};

struct coerce_result {
    const struct json *value; /* the one given when nothing was changed */
    const struct coerce_change *changes; /* in the order they were made */
    size_t count;
};

/* -1 with ERR_INVALID and the first violation of the value as it was given
 * when no lossless way to the schema exists, or more than one does. The result
 * lives in the arena, or in v where that was kept. */
int coerce_value(struct schema *s, const struct json *v, struct arena *a,
                 struct coerce_result *out, struct err *e);

#endif
