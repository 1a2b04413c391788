/* SPDX-License-Identifier: MIT
 *
 * SHA-256 by libcrypto's own routine. The newer interface in front of it brings
 * providers, configuration files and a third of the library along, which a
 * program that only needs a digest should not carry.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "base/crypto.h"
#include "base/mem.h"

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
