/* SPDX-License-Identifier: MIT
 *
 * schema_uri -- reference resolution of RFC 3986, for $id and $ref.
 */
#ifndef CORDON_JSON_SCHEMA_URI_H
#define CORDON_JSON_SCHEMA_URI_H

#include "base/buf.h"
#include "base/str.h"

/* Splits at the first '#'. *fragment is empty with p == NULL without one. */
str uri_without_fragment(str uri, str *fragment);

/* Appends ref resolved against base, both without fragment. Neither needs to
 * be absolute: what base lacks, the result lacks. */
int uri_resolve(str base, str ref, struct buf *out, struct err *e);

/* Appends s with each %XX decoded; a malformed escape stays as it is. */
int uri_decode(str s, struct buf *out, struct err *e);

#endif
