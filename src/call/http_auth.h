/* SPDX-License-Identifier: MIT
 *
 * http_auth -- who we are towards an HTTP API.
 */
#ifndef CORDON_CALL_HTTP_AUTH_H
#define CORDON_CALL_HTTP_AUTH_H

#include "call/host.h"
#include "call/openapi_request.h"

#define AUTH_RULES 16

enum auth_place {
    AUTH_BEARER,
    AUTH_BASIC,
    AUTH_HEADER,
    AUTH_QUERY,
    AUTH_COOKIE
};

struct auth_rule {
    enum auth_place place;
    str name;   /* of the header, parameter or cookie */
    str scheme; /* only for operations that ask for it; empty: for all */
    str value;  /* with references to secrets */
};

struct http_auth {
    struct auth_rule rules[AUTH_RULES];
    size_t count;
};

/* From "auth" and "headers" of the configuration, which must outlive it. */
int http_auth_read(struct http_auth *auth, const struct json *config,
                   const struct api *api, struct err *e);

/* Secrets are looked up here, for this request alone. */
int http_auth_apply(const struct http_auth *auth, const struct provider_host *h,
                    const struct api_op *op, struct api_request *r,
                    struct arena *a, struct err *e);

#endif
