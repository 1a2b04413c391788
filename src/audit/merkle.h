/* SPDX-License-Identifier: MIT
 *
 * merkle -- the root of a growing list (RFC 6962 trees, SHA-256).
 *
 * Only the roots of the complete subtrees on the right edge are kept, one per
 * set bit of the size, so adding is cheap and the state is small.
 */
#ifndef CORDON_AUDIT_MERKLE_H
#define CORDON_AUDIT_MERKLE_H

#include "base/crypto.h"

struct merkle {
    uint64_t size;                   /* leaves */
    uint8_t edge[64][CRYPTO_SHA256]; /* edge[i] counts when bit i of size is
                                        set: the root of 2^i leaves */
};

int merkle_add(struct merkle *m, str leaf, struct err *e);

/* Of an empty list: the digest of nothing. */
int merkle_root(const struct merkle *m, uint8_t out[CRYPTO_SHA256],
                struct err *e);

#endif
