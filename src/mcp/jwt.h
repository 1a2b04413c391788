/* SPDX-License-Identifier: MIT
 *
 * jwt -- signed tokens (RFC 7515, 7519) and the keys that sign them.
 */
#ifndef CORDON_MCP_JWT_H
#define CORDON_MCP_JWT_H

#include "base/buf.h"
#include "json/json.h"

struct jwt_key;

struct jwt_key *jwt_key_new(struct err *e); /* P-256, for ES256 */
/* A private key: P-256, RSA or Ed25519. */
struct jwt_key *jwt_key_read(str pem, struct err *e);
int jwt_key_write(const struct jwt_key *key, struct buf *pem, struct err *e);
void jwt_key_free(struct jwt_key *key);

const char *jwt_key_alg(const struct jwt_key *key); /* "ES256" ... */

/* Appends the public part of a P-256 key as a JWK. */
int jwt_key_public(const struct jwt_key *key, struct buf *jwk, struct err *e);

/* Appends header.claims.signature; both are JSON texts. */
int jwt_sign(const struct jwt_key *key, str header, str claims, struct buf *out,
             struct err *e);

/* Appends n random bytes as base64url. */
int jwt_random(size_t n, struct buf *out, struct err *e);

/* Checks the signature of a compact token against a set of public keys
 * ({"keys": [...]}, RFC 7517); its claims, an object, come out in the arena and
 * are not looked at: who, for whom and until when is the caller's to check.
 * *unknown tells that the set does not have the key it names. */
int jwt_verify(str token, const struct json *keys, struct arena *a,
               const struct json **claims, bool *unknown, struct err *e);

#endif
