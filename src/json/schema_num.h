/* SPDX-License-Identifier: MIT
 *
 * schema_num -- comparisons of JSON numbers that are exact for every number,
 * not only for those a double holds.
 */
#ifndef CORDON_JSON_SCHEMA_NUM_H
#define CORDON_JSON_SCHEMA_NUM_H

#include "json/schema_ir.h"

/* Below, at or above 0 as a is less than, equal to or more than b. */
int number_compare(const struct json *a, const struct json *b);

bool number_is_integral(const struct json *v);

/* False when v is not above 0 or has more than 18 digits. */
bool number_step(const struct json *v, struct decimal_step *out);
bool number_is_multiple(const struct json *v, const struct decimal_step *step);

#endif
