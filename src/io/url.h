/* SPDX-License-Identifier: MIT
 *
 * url -- http and https URLs taken apart, put together and encoded.
 */
#ifndef CORDON_IO_URL_H
#define CORDON_IO_URL_H

#include "base/buf.h"

/* Pieces of the text it was made from. */
struct url {
    str scheme; /* "http" or "https", in whatever case */
    str host;   /* without brackets */
    str port;   /* empty: the scheme's */
    str origin; /* scheme, host and port as written: "https://a.example:1" */
    str path;   /* begins with '/', or is empty */
    str query;  /* without '?'; p NULL: none */
};

/* Absolute, http or https, without a user. A fragment is dropped. */
int url_parse(str text, struct url *out, struct err *e);

/* Same scheme, host and port. */
bool url_same_origin(const struct url *a, const struct url *b);

/* The host is this machine by name or by literal address. */
bool url_is_local(const struct url *u);

/* Appends what `reference` means on the page at `base`. */
int url_resolve(str base, str reference, struct buf *out, struct err *e);

/* Percent-encoding of everything but letters, digits and "-._~"; decoding takes
 * '+' for a space, as in queries. */
int url_encode(str s, struct buf *out, struct err *e);
int url_decode(str s, struct buf *out, struct err *e);

/* The decoded value of a parameter in "a=1&b=2" is appended; false when it is
 * not there. */
bool url_query(str query, const char *name, struct buf *out);

#endif
