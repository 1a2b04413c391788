/* SPDX-License-Identifier: MIT
 *
 * SHA-256, and what is made of it, by libcrypto's own routine. The newer
 * interface in front of it brings providers, configuration files and a third of
 * the library along, which a program that only needs a digest should not carry.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#include <string.h>

#include "base/crypto.h"
#include "base/mem.h"

#define DERIVE_MAX 1024 /* bytes of a purpose */

struct sha256 {
    SHA256_CTX state;
};

static int broken(struct err *e) {
    return fail(e, ERR_INTERNAL, "libcrypto: SHA-256 failed");
}

struct sha256 *sha256_new(struct err *e) {
    struct sha256 *h = mem_zalloc(1, sizeof *h, e);
    if (h && !SHA256_Init(&h->state)) {
        sha256_free(h);
        (void)broken(e);
        return NULL;
    }
    return h;
}

int sha256_add(struct sha256 *h, str data, struct err *e) {
    return SHA256_Update(&h->state, data.p, data.n) ? 0 : broken(e);
}

int sha256_end(struct sha256 *h, uint8_t out[CRYPTO_SHA256], struct err *e) {
    return SHA256_Final(out, &h->state) ? 0 : broken(e);
}

void sha256_free(struct sha256 *h) {
    mem_free(h);
}

int crypto_sha256(str data, uint8_t out[CRYPTO_SHA256], struct err *e) {
    struct sha256 h;
    if (!SHA256_Init(&h.state)) return broken(e);
    return sha256_add(&h, data, e) || sha256_end(&h, out, e) ? -1 : 0;
}

/* -- HMAC (RFC 2104) and HKDF (RFC 5869), of one block
 * -------------------------
 */

static int begin_padded(struct sha256 *h, const uint8_t key[SHA256_CBLOCK],
                        uint8_t pad, struct err *e) {
    uint8_t block[SHA256_CBLOCK];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = key[i] ^ pad;
    int bad = !SHA256_Init(&h->state) ||
              !SHA256_Update(&h->state, block, sizeof block);
    mem_wipe(block, sizeof block);
    return bad ? broken(e) : 0;
}

int crypto_hmac(const uint8_t *key, size_t key_len, str data,
                uint8_t out[CRYPTO_SHA256], struct err *e) {
    uint8_t block[SHA256_CBLOCK] = {0}, inner[CRYPTO_SHA256];
    struct sha256 h;
    str long_key = {(const char *)key, key_len}, digest = {NULL, sizeof inner};
    if (key_len <= sizeof block)
        memcpy(block, key, key_len);
    else if (crypto_sha256(long_key, block, e))
        return -1;
    digest.p = (const char *)inner;
    int bad = begin_padded(&h, block, 0x36, e) || sha256_add(&h, data, e) ||
              sha256_end(&h, inner, e) || begin_padded(&h, block, 0x5c, e) ||
              sha256_add(&h, digest, e) || sha256_end(&h, out, e);
    mem_wipe(block, sizeof block);
    mem_wipe(&h, sizeof h);
    return bad ? -1 : 0;
}

/* Without salt, which is a block of zeros then. */
int crypto_derive(const uint8_t master[CRYPTO_KEY], str purpose,
                  uint8_t out[CRYPTO_KEY], struct err *e) {
    static const uint8_t salt[CRYPTO_SHA256];
    uint8_t key[CRYPTO_SHA256];
    char info[DERIVE_MAX + 1];
    if (purpose.n > DERIVE_MAX) return broken(e);
    memcpy(info, purpose.p, purpose.n);
    info[purpose.n] = 1; /* the number of the block */
    int bad = crypto_hmac(salt, sizeof salt,
                          (str){(const char *)master, CRYPTO_KEY}, key, e) ||
              crypto_hmac(key, sizeof key, (str){info, purpose.n + 1}, out, e);
    mem_wipe(key, sizeof key);
    return bad ? -1 : 0;
}
