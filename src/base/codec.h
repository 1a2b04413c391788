/* SPDX-License-Identifier: MIT
 *
 * codec -- bytes as text: hexadecimal, base64 and base64url (RFC 4648).
 *
 * Decoding is strict: no white space, no stray bits; padding is required in
 * base64 and refused in base64url.
 */
#ifndef CORDON_BASE_CODEC_H
#define CORDON_BASE_CODEC_H

#include "base/buf.h"

int hex_encode(str bytes, struct buf *out, struct err *e); /* lower case */
int hex_decode(str text, struct buf *out, struct err *e);  /* either case */
int base64_encode(str bytes, struct buf *out, struct err *e);
int base64_decode(str text, struct buf *out, struct err *e);
int base64url_encode(str bytes, struct buf *out, struct err *e);
int base64url_decode(str text, struct buf *out, struct err *e);

#endif
