/* SPDX-License-Identifier: MIT
 *
 * decimal -- the exact value of a number's text, for those no int64_t and no
 * double holds: compared, and written in one canonical way.
 */
#ifndef CORDON_JSON_DECIMAL_H
#define CORDON_JSON_DECIMAL_H

#include "base/buf.h"
#include "base/str.h"

/* 0.DIGITS * 10^exp10 with neither a leading nor a trailing zero. */
struct decimal {
    str digits; /* part of the text; may hold a '.', which does not count */
    size_t count;
    int64_t exp10;
    bool negative;
};

/* False where the exponent is beyond counting (over 18 digits). Zero has no
 * digits. */
bool decimal_of(str text, struct decimal *out);

bool decimal_equal(const struct decimal *a, const struct decimal *b);

/* As ECMAScript spells numbers: "-1.5e+400". */
int decimal_write(const struct decimal *d, struct buf *out, struct err *e);

#endif
