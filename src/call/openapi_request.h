/* SPDX-License-Identifier: MIT
 *
 * openapi_request -- an operation and its arguments as an HTTP request.
 *
 * Arguments fit their schema but are still the model's: they fill the places
 * the document gives them and reach nothing else. What would change the path,
 * start another header or leave the server is refused.
 */
#ifndef CORDON_CALL_OPENAPI_REQUEST_H
#define CORDON_CALL_OPENAPI_REQUEST_H

#include "call/openapi_doc.h"
#include "io/server.h" /* struct http_header */

#define REQUEST_HEADERS 64

struct api_request {
    const char *method;
    const char *url;
    struct http_header headers[REQUEST_HEADERS + 1]; /* ends with NULL */
    size_t header_count;
    str body; /* p NULL: none */
};

/* base: URL without a slash at its end. Everything lives in the arena. */
int api_request_make(const struct api_op *op, str base, const struct json *args,
                     struct arena *a, struct api_request *out, struct err *e);

int api_request_header(struct api_request *r, str name, str value,
                       struct arena *a, struct err *e);

/* "&name=value", or "?" for the first of a URL. */
int api_request_query(struct api_request *r, str name, str value,
                      struct arena *a, struct err *e);

#endif
