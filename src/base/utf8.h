/* SPDX-License-Identifier: MIT
 *
 * utf8 -- decoding, encoding and checking of UTF-8.
 *
 * "Strict" is RFC 3629. "Loose" also takes lone surrogates (U+D800..DFFF as
 * three bytes), which Python strings and JSON escapes can hold.
 */
#ifndef CORDON_BASE_UTF8_H
#define CORDON_BASE_UTF8_H

#include "base/str.h"

#define UTF8_MAX 4 /* bytes of the longest sequence */

/* Decodes the sequence at p[0..n) into *cp and returns its length, or 0 where
 * it is malformed or n is 0. */
size_t utf8_decode(const char *p, size_t n, uint32_t *cp);
size_t utf8_decode_loose(const char *p, size_t n, uint32_t *cp);

/* Writes at most UTF8_MAX bytes, surrogates included; 0 when cp > U+10FFFF. */
size_t utf8_encode(uint32_t cp, char *out);

/* Length of the valid prefix: equals n when all of it is strict UTF-8. */
size_t utf8_valid(const char *p, size_t n);
size_t utf8_valid_loose(const char *p, size_t n);

bool utf8_is_ascii(const char *p, size_t n);

/* Code points in valid text. */
size_t utf8_count(const char *p, size_t n);

#endif
