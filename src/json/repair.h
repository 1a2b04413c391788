/* SPDX-License-Identifier: MIT
 *
 * repair -- argument text that is almost JSON, made JSON, or refused.
 *
 * Only damage with one reading is undone: a code fence, a comma after the last
 * item, raw control characters in a string, arguments encoded twice, prose
 * around the one value. Text that ends early is always refused: closing what a
 * model never wrote yields a call it never made.
 */
#ifndef CORDON_JSON_REPAIR_H
#define CORDON_JSON_REPAIR_H

#include "json/json.h"

enum repair_rule {
#define REPAIR(name, code, text) REPAIR_##name,
#include "json/repair.def"
#undef REPAIR
    REPAIR_COUNT
};

const char *repair_code(enum repair_rule rule);
const char *repair_text(enum repair_rule rule);

struct repair_result {
    const struct json *value;
    unsigned rules; /* bit 1 << rule for each repair made; 0: it was JSON */
};

/* Parses strictly first, then with the repairs. On failure the error is that
 * of the strict parse, with "truncated" in it where the text ended early. */
int repair_parse(str text, const struct json_limits *limits, struct arena *a,
                 struct repair_result *out, struct err *e);

#endif
