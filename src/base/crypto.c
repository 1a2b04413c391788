/* SPDX-License-Identifier: MIT */
#include "base/crypto.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <string.h>

#include "base/hash.h"

enum { NONCE = 12, TAG = 16 };

static const uint8_t *bytes(str s) {
    return (const uint8_t *)s.p;
}

#define broken(e, what) fail((e), ERR_INTERNAL, "libcrypto: %s failed", (what))

/* -- comparison --------------------------------------------------------------
 */

bool crypto_equal(const void *a, const void *b, size_t n) {
    return CRYPTO_memcmp(a, b, n) == 0;
}

bool crypto_equal_str(str a, str b) {
    return a.n == b.n && crypto_equal(a.p, b.p, a.n);
}

/* -- Ed25519 ----------------------------------------------------------------
 */

static EVP_PKEY *secret_key(const uint8_t secret[CRYPTO_KEY]) {
    return EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, secret,
                                        CRYPTO_KEY);
}

int crypto_sign_public(const uint8_t secret[CRYPTO_KEY],
                       uint8_t public_key[CRYPTO_KEY], struct err *e) {
    EVP_PKEY *key = secret_key(secret);
    size_t len = CRYPTO_KEY;
    bool ok = key && EVP_PKEY_get_raw_public_key(key, public_key, &len);
    EVP_PKEY_free(key);
    return ok ? 0 : broken(e, "Ed25519");
}

int crypto_sign(const uint8_t secret[CRYPTO_KEY], str data,
                uint8_t out[CRYPTO_SIGN], struct err *e) {
    EVP_PKEY *key = secret_key(secret);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    size_t len = CRYPTO_SIGN;
    bool ok = key && ctx && EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) &&
              EVP_DigestSign(ctx, out, &len, bytes(data), data.n);
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    return ok ? 0 : broken(e, "Ed25519");
}

bool crypto_verify(const uint8_t public_key[CRYPTO_KEY], str data,
                   const uint8_t signature[CRYPTO_SIGN]) {
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL,
                                                public_key, CRYPTO_KEY);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool ok =
        key && ctx && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) &&
        EVP_DigestVerify(ctx, signature, CRYPTO_SIGN, bytes(data), data.n) == 1;
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    return ok;
}

/* -- sealing ----------------------------------------------------------------
 */

static bool encrypt(EVP_CIPHER_CTX *ctx, const uint8_t *key, str context,
                    str plain, uint8_t *out) {
    int len = 0;
    uint8_t *text = out + NONCE;
    return EVP_EncryptInit_ex(ctx, EVP_aes_256_gcm(), NULL, key, out) &&
           EVP_EncryptUpdate(ctx, NULL, &len, bytes(context), (int)context.n) &&
           EVP_EncryptUpdate(ctx, text, &len, bytes(plain), (int)plain.n) &&
           EVP_EncryptFinal_ex(ctx, text + plain.n, &len) &&
           EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG,
                               text + plain.n) > 0;
}

static int check_sizes(str context, str text, struct err *e) {
    if (context.n > INT32_MAX || text.n > INT32_MAX - NONCE - TAG)
        return fail(e, ERR_LIMIT, "text too long to seal");
    return 0;
}

int crypto_seal(const uint8_t key[CRYPTO_KEY], str context, str plain,
                struct buf *out, struct err *e) {
    size_t size = NONCE + plain.n + TAG;
    if (check_sizes(context, plain, e)) return -1;
    uint8_t *room = (uint8_t *)buf_reserve(out, size, e);
    if (!room || hash_random(room, NONCE, e)) return -1;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    bool ok = ctx && encrypt(ctx, key, context, plain, room);
    EVP_CIPHER_CTX_free(ctx);
    if (!ok) return broken(e, "AES-GCM");
    buf_commit(out, size);
    return 0;
}

static bool decrypt(EVP_CIPHER_CTX *ctx, const uint8_t *key, str context,
                    str sealed, uint8_t *out) {
    int len = 0;
    size_t n = sealed.n - NONCE - TAG;
    uint8_t tag[TAG];
    memcpy(tag, sealed.p + sealed.n - TAG, TAG);
    return EVP_DecryptInit_ex(ctx, EVP_aes_256_gcm(), NULL, key,
                              bytes(sealed)) &&
           EVP_DecryptUpdate(ctx, NULL, &len, bytes(context), (int)context.n) &&
           EVP_DecryptUpdate(ctx, out, &len, bytes(sealed) + NONCE, (int)n) &&
           EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG, tag) > 0 &&
           EVP_DecryptFinal_ex(ctx, out + n, &len) > 0;
}

int crypto_open(const uint8_t key[CRYPTO_KEY], str context, str sealed,
                struct buf *out, struct err *e) {
    if (check_sizes(context, sealed, e)) return -1;
    if (sealed.n < NONCE + TAG)
        return fail(e, ERR_DENIED, "sealed text is too short");
    size_t n = sealed.n - NONCE - TAG;
    uint8_t *room = (uint8_t *)buf_reserve(out, n, e);
    if (!room) return -1;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    bool ok = ctx && decrypt(ctx, key, context, sealed, room);
    EVP_CIPHER_CTX_free(ctx);
    if (!ok) {
        OPENSSL_cleanse(room, n);
        return fail(e, ERR_DENIED, "sealed text was altered or is not ours");
    }
    buf_commit(out, n);
    return 0;
}
