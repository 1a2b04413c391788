/* SPDX-License-Identifier: MIT */
#include "base/ecdsa.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <string.h>

static const unsigned char *bytes(str s) {
    return (const unsigned char *)s.p;
}

static bool is_p256(EVP_PKEY *key) {
    char name[32] = "";
    return EVP_PKEY_get_base_id(key) == EVP_PKEY_EC &&
           EVP_PKEY_get_group_name(key, name, sizeof name, NULL) == 1 &&
           strcmp(name, "prime256v1") == 0;
}

/* NULL: no such key. The whole text must be the key. */
static EVP_PKEY *read_key(str der) {
    const unsigned char *at = bytes(der);
    EVP_PKEY *key = d2i_PUBKEY(NULL, &at, (long)der.n);
    if (key && at == bytes(der) + der.n && is_p256(key)) return key;
    EVP_PKEY_free(key);
    return NULL;
}

bool ecdsa_is_key(str public_key) {
    EVP_PKEY *key = read_key(public_key);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return key != NULL;
}

bool ecdsa_verify(str public_key, str data, str signature) {
    EVP_PKEY *key = read_key(public_key);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool good = key && ctx &&
                EVP_DigestVerifyInit(ctx, NULL, EVP_sha256(), NULL, key) == 1 &&
                EVP_DigestVerify(ctx, bytes(signature), signature.n,
                                 bytes(data), data.n) == 1;
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return good;
}
