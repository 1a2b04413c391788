/* SPDX-License-Identifier: MIT
 *
 * auth -- tokens for one MCP server, got when the server asks for them.
 *
 * A 401 or 403 of the server starts the search: protected-resource metadata,
 * the authorization server's metadata, an identity there (given, known from
 * earlier, a metadata document, or registered now), and a grant. Tokens and
 * identities are bound to the issuer that gave them and to the server they are
 * for; another issuer never sees them. What a server names is fetched only from
 * public addresses, unless the server itself is on this machine.
 */
#ifndef CORDON_MCP_AUTH_H
#define CORDON_MCP_AUTH_H

#include "base/log.h"
#include "io/client.h"

struct mcp_auth;

enum mcp_grant {
    MCP_GRANT_CODE,       /* a person allows it, in a browser */
    MCP_GRANT_CLIENT,     /* our own identity: a secret or a key */
    MCP_GRANT_ENTERPRISE, /* an ID token of the company's identity provider */
    MCP_GRANT_WORKLOAD,   /* an assertion from the platform we run on */
};

struct mcp_auth_config {
    struct client *http;
    const char *server; /* its URL: what the tokens are for */
    const char *store;  /* file for tokens, owner only; NULL: memory */
    const char *ca_file;
    enum mcp_grant grant;

    /* Who we are there. Without an id a metadata document or a registration
     * takes its place. */
    const char *client_id, *client_secret;
    const char *client_key; /* PEM, for private_key_jwt */
    const char *client_url; /* https URL of our metadata document */
    const char *client_name;
    const char *scope; /* where the server names none */

    /* MCP_GRANT_CODE. visit: a person must open the URL; afterwards
     * mcp_auth_redirected or mcp_auth_abandoned. */
    const char *redirect_uri;
    void (*visit)(void *data, struct mcp_auth *a, const char *url);
    void *data;

    /* MCP_GRANT_ENTERPRISE */
    const char *id_token, *idp_token_endpoint, *idp_client_id,
        *idp_client_secret;

    const char *assertion; /* MCP_GRANT_WORKLOAD: a JWT */
    struct log *log;       /* may be NULL */
};

/* Everything but http, data and log is copied. */
struct mcp_auth *mcp_auth_new(struct loop *loop,
                              const struct mcp_auth_config *config,
                              struct err *e);
void mcp_auth_free(struct mcp_auth *a); /* waiters are not told */

/* The URL the browser came back with, or its query. */
void mcp_auth_redirected(struct mcp_auth *a, str url);
void mcp_auth_abandoned(struct mcp_auth *a, const char *reason);

/* -- for the transport -------------------------------------------------------
 */

/* Appends the value of Authorization and, for a bound token, of DPoP; nothing
 * while there is no token. *generation tells which token it was. */
int mcp_auth_sign(struct mcp_auth *a, const char *method, const char *url,
                  struct buf *authorization, struct buf *proof,
                  uint64_t *generation, struct err *e);

/* The nonce for the next proofs, from any answer of the server. */
void mcp_auth_nonce(struct mcp_auth *a, str nonce);

struct mcp_challenge {
    unsigned status;     /* 401 or 403 */
    str authenticate;    /* all WWW-Authenticate headers, joined; or empty */
    uint64_t generation; /* of the token that was refused; 0: none */
};

/* Something that waits for a token; embedded in its owner. */
struct mcp_auth_waiter {
    void (*done)(void *data, const struct err *e); /* NULL: try again */
    void *data;
    struct mcp_auth_waiter *next, **link;
};

/* done is called from the loop, never from within. False: the answer is no
 * challenge that a token could meet. */
bool mcp_auth_want(struct mcp_auth *a, const struct mcp_challenge *challenge,
                   struct mcp_auth_waiter *w);
void mcp_auth_unwait(struct mcp_auth_waiter *w);

#endif
