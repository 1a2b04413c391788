/* SPDX-License-Identifier: MIT
 *
 * crypto -- digests, message authentication, signatures and sealing, by
 * OpenSSL's libcrypto. Keys and tags are plain byte arrays; failures that only
 * a broken library could cause are errors all the same.
 */
#ifndef CORDON_BASE_CRYPTO_H
#define CORDON_BASE_CRYPTO_H

#include "base/buf.h"

#define CRYPTO_SHA256 32 /* bytes of a digest or HMAC tag */
#define CRYPTO_KEY    32 /* bytes of any key, Ed25519 seeds included */
#define CRYPTO_SIGN   64 /* bytes of an Ed25519 signature */

int crypto_sha256(str data, uint8_t out[CRYPTO_SHA256], struct err *e);
int crypto_hmac(const uint8_t *key, size_t key_len, str data,
                uint8_t out[CRYPTO_SHA256], struct err *e);

/* A key for one purpose from a master key (HKDF-SHA256 with info = purpose). */
int crypto_derive(const uint8_t master[CRYPTO_KEY], str purpose,
                  uint8_t out[CRYPTO_KEY], struct err *e);

/* Takes the same time wherever the difference is. */
bool crypto_equal(const void *a, const void *b, size_t n);
bool crypto_equal_str(str a, str b); /* lengths may differ, and may show */

/* A digest over pieces. */
struct sha256;
struct sha256 *sha256_new(struct err *e);
int sha256_add(struct sha256 *h, str data, struct err *e);
int sha256_end(struct sha256 *h, uint8_t out[CRYPTO_SHA256], struct err *e);
void sha256_free(struct sha256 *h);

/* Ed25519. The secret is the 32-byte seed. */
int crypto_sign_public(const uint8_t secret[CRYPTO_KEY],
                       uint8_t public_key[CRYPTO_KEY], struct err *e);
int crypto_sign(const uint8_t secret[CRYPTO_KEY], str data,
                uint8_t out[CRYPTO_SIGN], struct err *e);
bool crypto_verify(const uint8_t public_key[CRYPTO_KEY], str data,
                   const uint8_t signature[CRYPTO_SIGN]);

/* AES-256-GCM with a random nonce: nonce, ciphertext, tag are appended to out.
 * `context` is authenticated and not stored; opening needs the same. A key must
 * not seal more than 2^32 messages. */
int crypto_seal(const uint8_t key[CRYPTO_KEY], str context, str plain,
                struct buf *out, struct err *e);
int crypto_open(const uint8_t key[CRYPTO_KEY], str context, str sealed,
                struct buf *out, struct err *e); /* ERR_DENIED when altered */

#endif
