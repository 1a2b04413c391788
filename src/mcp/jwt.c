/* SPDX-License-Identifier: MIT */
#include "mcp/jwt.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "base/codec.h"
#include "base/hash.h"
#include "base/mem.h"

enum { COORDINATE = 32, SIGNATURE_MAX = 1024, RANDOM_MAX = 64 };

struct jwt_key {
    EVP_PKEY *pkey;
    const char *alg;
};

static struct jwt_key *wrap(EVP_PKEY *pkey, const char *alg, struct err *e) {
    struct jwt_key *key = mem_zalloc(1, sizeof *key, e);
    if (!key) {
        EVP_PKEY_free(pkey);
        return NULL;
    }
    *key = (struct jwt_key){pkey, alg};
    return key;
}

struct jwt_key *jwt_key_new(struct err *e) {
    EVP_PKEY *pkey = EVP_EC_gen("P-256");
    if (!pkey) {
        err_set(e, ERR_INTERNAL, "no key could be made");
        return NULL;
    }
    return wrap(pkey, "ES256", e);
}

static bool is_p256(EVP_PKEY *pkey) {
    char name[64];
    size_t n;
    return EVP_PKEY_get_group_name(pkey, name, sizeof name, &n) == 1 &&
           str_is(str_of(name), "prime256v1");
}

static const char *alg_of(EVP_PKEY *pkey) {
    if (EVP_PKEY_is_a(pkey, "EC") && is_p256(pkey)) return "ES256";
    if (EVP_PKEY_is_a(pkey, "RSA")) return "RS256";
    if (EVP_PKEY_is_a(pkey, "ED25519")) return "EdDSA";
    return NULL;
}

struct jwt_key *jwt_key_read(str pem, struct err *e) {
    BIO *bio = pem.n > INT32_MAX ? NULL : BIO_new_mem_buf(pem.p, (int)pem.n);
    EVP_PKEY *pkey =
        bio ? PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL) : NULL;
    BIO_free(bio);
    const char *alg = pkey ? alg_of(pkey) : NULL;
    if (!alg) {
        EVP_PKEY_free(pkey);
        err_set(e, ERR_INVALID, "not a private key of P-256, RSA or Ed25519");
        return NULL;
    }
    return wrap(pkey, alg, e);
}

int jwt_key_write(const struct jwt_key *key, struct buf *pem, struct err *e) {
    BIO *bio = BIO_new(BIO_s_mem());
    char *text = NULL;
    int result = -1;
    if (bio && PEM_write_bio_PKCS8PrivateKey(bio, key->pkey, NULL, NULL, 0,
                                             NULL, NULL) == 1) {
        long n = BIO_get_mem_data(bio, &text);
        result = buf_add(pem, text, (size_t)n, e);
    } else {
        err_set(e, ERR_INTERNAL, "the key could not be written");
    }
    BIO_free(bio);
    return result;
}

void jwt_key_free(struct jwt_key *key) {
    if (!key) return;
    EVP_PKEY_free(key->pkey);
    mem_free(key);
}

const char *jwt_key_alg(const struct jwt_key *key) {
    return key->alg;
}

static int add_coordinate(const struct jwt_key *key, const char *name,
                          struct buf *out, struct err *e) {
    unsigned char bytes[COORDINATE];
    BIGNUM *n = NULL;
    bool good = EVP_PKEY_get_bn_param(key->pkey, name, &n) == 1 &&
                BN_bn2binpad(n, bytes, COORDINATE) == COORDINATE;
    BN_free(n);
    if (!good) return fail(e, ERR_INTERNAL, "not a P-256 key");
    return base64url_encode((str){(const char *)bytes, COORDINATE}, out, e);
}

/* Members in the order of their names: the text is also what a thumbprint
 * (RFC 7638) is taken of. */
int jwt_key_public(const struct jwt_key *key, struct buf *jwk, struct err *e) {
    if (buf_add_text(jwk, "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"", e) ||
        add_coordinate(key, OSSL_PKEY_PARAM_EC_PUB_X, jwk, e) ||
        buf_add_text(jwk, "\",\"y\":\"", e) ||
        add_coordinate(key, OSSL_PKEY_PARAM_EC_PUB_Y, jwk, e))
        return -1;
    return buf_add_text(jwk, "\"}", e);
}

/* -- signing -----------------------------------------------------------------
 */

/* OpenSSL gives ECDSA signatures as DER; JWS wants the two numbers alone. */
static int flatten(unsigned char *sig, size_t *n) {
    const unsigned char *p = sig;
    ECDSA_SIG *s = d2i_ECDSA_SIG(NULL, &p, (long)*n);
    if (!s) return -1;
    bool good =
        BN_bn2binpad(ECDSA_SIG_get0_r(s), sig, COORDINATE) > 0 &&
        BN_bn2binpad(ECDSA_SIG_get0_s(s), sig + COORDINATE, COORDINATE) > 0;
    ECDSA_SIG_free(s);
    *n = (size_t)2 * COORDINATE;
    return good ? 0 : -1;
}

static int sign_bytes(const struct jwt_key *key, str data, unsigned char *sig,
                      size_t *n, struct err *e) {
    bool edwards = str_is(str_of(key->alg), "EdDSA");
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good =
        ctx &&
        EVP_DigestSignInit(ctx, NULL, edwards ? NULL : EVP_sha256(), NULL,
                           key->pkey) == 1 &&
        EVP_DigestSign(ctx, sig, n, (const unsigned char *)data.p, data.n) == 1;
    EVP_MD_CTX_free(ctx);
    if (good && str_is(str_of(key->alg), "ES256")) good = flatten(sig, n) == 0;
    return good ? 0 : fail(e, ERR_INTERNAL, "the key does not sign");
}

int jwt_sign(const struct jwt_key *key, str header, str claims, struct buf *out,
             struct err *e) {
    unsigned char sig[SIGNATURE_MAX];
    size_t n = sizeof sig, start = out->len;
    if (base64url_encode(header, out, e) || buf_add_char(out, '.', e) ||
        base64url_encode(claims, out, e))
        return -1;
    str signed_part = str_sub(buf_str(out), start, out->len);
    if (sign_bytes(key, signed_part, sig, &n, e) || buf_add_char(out, '.', e))
        return -1;
    return base64url_encode((str){(const char *)sig, n}, out, e);
}

int jwt_random(size_t n, struct buf *out, struct err *e) {
    char bytes[RANDOM_MAX];
    if (n > sizeof bytes) return fail(e, ERR_INTERNAL, "too many bytes");
    if (hash_random(bytes, n, e)) return -1;
    return base64url_encode((str){bytes, n}, out, e);
}
