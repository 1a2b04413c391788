/* SPDX-License-Identifier: MIT
 *
 * real -- doubles to the shortest text that reads back the same, and back.
 *
 * Both directions are exact and independent of the locale: reading rounds to
 * nearest, ties to even; writing gives the fewest digits that read back as the
 * same double and, among those, the nearest to it.
 */
#ifndef CORDON_BASE_REAL_H
#define CORDON_BASE_REAL_H

#include "base/str.h"

/* Room for any of the texts below. They are shorter, but all of it may be
 * written on. */
#define REAL_TEXT_SIZE 40

/* Shortest decimal digits of a finite d > 0: writes at most 17 digits (no
 * point, no trailing zeros) and sets *exp10 so that the value is
 * 0.DIGITS * 10^exp10. Returns the number of digits. */
size_t real_digits(double d, char digits[17], int *exp10);

/* Text as ECMAScript's Number::toString writes it (RFC 8785): "0.1", "1e+21",
 * "1e-7", "100". d is finite; no NUL; returns the length. */
size_t real_format_es(double d, char out[REAL_TEXT_SIZE]);

/* Text as Python's repr writes it: "0.1", "1e+16", "1e-05", "100.0". */
size_t real_format_py(double d, char out[REAL_TEXT_SIZE]);

/* Decimal text of a whole number; no NUL; returns the length. */
size_t real_format_int(int64_t v, char out[REAL_TEXT_SIZE]);

/* Correctly rounded value of a JSON/Python decimal literal (already checked to
 * be digits, optional point, optional exponent, optional sign). Too large
 * gives infinity. */
double real_parse(str text);

/* digits * 10^exp10, correctly rounded; too large gives infinity. For scanners
 * that gather the digits of a literal (at most 19) as they check it. */
double real_scale(uint64_t digits, int exp10);

#endif
