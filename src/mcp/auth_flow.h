/* SPDX-License-Identifier: MIT
 *
 * auth_flow -- inside authorisation: the state of one search for a token, and
 * the steps it takes. Each step ends by starting the next or by flow_fail and
 * flow_succeed. Users include auth.h.
 */
#ifndef CORDON_MCP_AUTH_FLOW_H
#define CORDON_MCP_AUTH_FLOW_H

#include "io/url.h"
#include "mcp/auth.h"
#include "mcp/jwt.h"
#include "json/json.h"

enum { FLOW_CANDIDATES = 4, FLOW_MEMORY = 16 << 20, FLOW_URL = 8192 };

/* A WWW-Authenticate header (RFC 9110) as far as it concerns us: the first
 * Bearer or DPoP challenge. Pieces of the text; p NULL: not there. Values
 * with escapes are given as they stand. */
struct flow_challenge {
    bool found, dpop;
    str resource_metadata, scope, error;
};
struct flow_challenge flow_read_challenge(str header);

/* How the token endpoint wants to know who we are. */
enum flow_method { FLOW_NONE, FLOW_BASIC, FLOW_POST, FLOW_KEY };

/* An answer to a request of the flow. */
struct flow_answer {
    unsigned status;
    const struct json *json; /* an object, or NULL */
    str nonce;               /* DPoP-Nonce */
    const struct err *err;   /* no answer at all */
};
typedef void flow_step(struct mcp_auth *a, const struct flow_answer *answer);

/* What an authorization server says of itself. Texts in the flow's arena. */
struct flow_server {
    const char *issuer, *authorize, *token, *registration;
    bool s256, cimd, iss, dpop;
    bool methods_told, none, basic, post;
    const struct json *scopes; /* scopes_supported, or NULL */
};

/* What is kept of it over flows, and in the store. */
struct flow_token {
    char *issuer; /* who gave it */
    char *access, *refresh, *scope;
    bool dpop;
    int64_t expires_s; /* since 1970; 0: not told */
};

struct flow_identity {
    char *issuer; /* where it is known */
    char *id, *secret;
    char *redirect_uri; /* it was registered with */
    enum flow_method method;
};

struct mcp_auth {
    struct loop *loop;
    struct mcp_auth_config config; /* texts in `memory` */
    struct arena memory;
    bool local; /* the server is on this machine */
    unsigned depth;
    bool dead;
    struct io_task free_task, start_task, renew_task;
    struct mcp_auth_waiter *waiters;
    uint64_t generation;
    struct flow_token token;
    struct flow_identity identity;
    struct jwt_key *key;        /* binds tokens (DPoP); NULL: none yet */
    struct jwt_key *client_key; /* proves who we are */
    char *server_nonce, *issuer_nonce;

    /* The flow under way. */
    bool running;
    struct arena flow;
    unsigned status;
    const char *metadata_url, *wanted_scope; /* of the challenge */
    bool dpop_wanted;
    struct request *request;
    flow_step *next;
    const char *candidates[FLOW_CANDIDATES];
    size_t candidate, candidate_count;
    flow_step *found, *missing; /* the two ends of flow_search */
    const struct json *prm;     /* the server's metadata, or NULL */
    const char *resource;       /* what tokens are for, as it calls itself */
    struct flow_server as;
    const char *scope; /* asked for */
    const char *verifier, *state;
    bool visiting;    /* a person is at it */
    const char *body; /* of the token request */
    flow_step *token_next;
    const char *token_url;
    bool nonce_tried;
};

/* -- life (auth.c) -----------------------------------------------------------
 */

void flow_begin(struct mcp_auth *a);
void flow_fail(struct mcp_auth *a, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void flow_fail_err(struct mcp_auth *a, const struct err *e);
void flow_succeed(struct mcp_auth *a);

/* Replaces an owned text. */
int flow_set(char **to, str text, struct err *e);

/* -- fetching (auth_fetch.c) -------------------------------------------------
 */

/* body NULL: GET; else a POST of that content type. authorization and proof
 * may be NULL. */
struct flow_request {
    const char *url, *body, *type, *authorization, *proof;
};
void flow_fetch(struct mcp_auth *a, const struct flow_request *r,
                flow_step *next);

/* Tries the candidates in turn until one is an object; then `found`, else
 * `missing` with the last answer. */
void flow_search(struct mcp_auth *a, flow_step *found, flow_step *missing);
int flow_candidate(struct mcp_auth *a, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A text of the flow; after a failure the flow has failed and NULL comes. */
char *flow_text(struct mcp_auth *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* -- steps -------------------------------------------------------------------
 */

void flow_discover(struct mcp_auth *a); /* auth_discover.c */
void flow_identify(struct mcp_auth *a); /* auth_identify.c */
void flow_grant(struct mcp_auth *a);    /* auth_grant.c */
bool flow_can_refresh(const struct mcp_auth *a);
void flow_request_token(struct mcp_auth *a, const char *url, struct buf *form,
                        flow_step *next); /* auth_token.c */
void flow_take_token(struct mcp_auth *a, const struct flow_answer *answer);
int flow_form(struct buf *form, const char *name, const char *value,
              struct err *e);
int flow_proof(struct mcp_auth *a, const char *method, const char *url,
               const char *nonce, const char *token, struct buf *out,
               struct err *e);

/* -- the file (auth_store.c) -------------------------------------------------
 */

int flow_load(struct mcp_auth *a, struct err *e);
int flow_save(struct mcp_auth *a, struct err *e);
/* The identity at an issuer, from the file: true when there is one. */
bool flow_recall(struct mcp_auth *a, const char *issuer);

#endif
