/* SPDX-License-Identifier: MIT
 *
 * unicode -- properties and case mappings of code points, as Python has them.
 */
#ifndef CORDON_VM_UNICODE_H
#define CORDON_VM_UNICODE_H

#include "base/str.h"

bool unicode_alpha(uint32_t cp);
bool unicode_decimal(uint32_t cp);
bool unicode_digit(uint32_t cp);
bool unicode_numeric(uint32_t cp);
bool unicode_wide_space(uint32_t cp); /* beyond ASCII */
static inline bool unicode_space(uint32_t cp) {
    if (cp >= 128) return unicode_wide_space(cp);
    return (cp >= 9 && cp <= 13) || (cp >= 28 && cp <= 32);
}
bool unicode_lower(uint32_t cp);
bool unicode_upper(uint32_t cp);
bool unicode_title(uint32_t cp);
bool unicode_cased(uint32_t cp);
bool unicode_case_ignorable(uint32_t cp);
bool unicode_printable(uint32_t cp);
bool unicode_id_start(uint32_t cp);
bool unicode_id_continue(uint32_t cp);
bool unicode_line_break(uint32_t cp);

/* The value of a decimal digit, or -1. */
int unicode_decimal_value(uint32_t cp);

/* Text of a number with the digits of any script: out has it in ASCII, spaces
 * included; other characters become '?'. Cut when out is full. */
str unicode_number(str s, char *out, size_t room);

/* Case mappings give one to three code points; returns how many. Final sigma is
 * the caller's affair. */
#define UNICODE_CASE_MAX 3
size_t unicode_to_upper(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]);
size_t unicode_to_lower(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]);
size_t unicode_to_title(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]);
size_t unicode_fold(uint32_t cp, uint32_t out[UNICODE_CASE_MAX]);

#endif
