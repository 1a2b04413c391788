/* SPDX-License-Identifier: MIT
 *
 * http_head -- the head of an HTTP/1 request, read strictly.
 *
 * What two parsers could read differently is refused: folded lines, bare line
 * feeds, spaces before colons, repeated lengths, a length beside an encoding.
 * Everything points into the text that was parsed.
 */
#ifndef CORDON_SANDBOX_HTTP_HEAD_H
#define CORDON_SANDBOX_HTTP_HEAD_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

enum { HTTP_MAX_FIELDS = 64 };

struct http_head {
    str method, target;
    struct {
        str name, value;
    } fields[HTTP_MAX_FIELDS];
    size_t field_count;
    uint64_t length; /* of the body */
};

/* text is a whole head, the empty line at its end included. */
int http_head_parse(str text, struct http_head *out, struct err *e);

/* The parts of "http://host:port/path". */
int http_split_url(str url, str *host, uint64_t *port, str *path,
                   struct err *e);

/* "host:port"; both are required. */
int http_split_authority(str text, uint64_t fallback, str *host, uint64_t *port,
                         struct err *e);

#endif
