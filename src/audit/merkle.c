/* SPDX-License-Identifier: MIT */
#include "audit/merkle.h"

#include <string.h>

/* Leaves and inner nodes are told apart by their first byte, so that a leaf
 * can never be passed off as a node. */
static int hash_leaf(str leaf, uint8_t out[CRYPTO_SHA256], struct err *e) {
    struct sha256 *h = sha256_new(e);
    if (!h) return -1;
    int r = sha256_add(h, STR("\0"), e) || sha256_add(h, leaf, e) ||
            sha256_end(h, out, e);
    sha256_free(h);
    return r ? -1 : 0;
}

static int hash_node(const uint8_t left[CRYPTO_SHA256],
                     const uint8_t right[CRYPTO_SHA256],
                     uint8_t out[CRYPTO_SHA256], struct err *e) {
    char text[1 + 2 * CRYPTO_SHA256] = {1};
    memcpy(text + 1, left, CRYPTO_SHA256);
    memcpy(text + 1 + CRYPTO_SHA256, right, CRYPTO_SHA256);
    return crypto_sha256((str){text, sizeof text}, out, e);
}

int merkle_add(struct merkle *m, str leaf, struct err *e) {
    uint8_t node[CRYPTO_SHA256];
    if (hash_leaf(leaf, node, e)) return -1;
    int level = 0;
    for (; m->size >> level & 1; level++)
        if (hash_node(m->edge[level], node, node, e)) return -1;
    memcpy(m->edge[level], node, sizeof node);
    m->size++;
    return 0;
}

int merkle_root(const struct merkle *m, uint8_t out[CRYPTO_SHA256],
                struct err *e) {
    if (!m->size) return crypto_sha256(STR(""), out, e);
    bool first = true;
    for (int level = 0; level < 64; level++) {
        if (!(m->size >> level & 1)) continue;
        if (first)
            memcpy(out, m->edge[level], CRYPTO_SHA256);
        else if (hash_node(m->edge[level], out, out, e))
            return -1;
        first = false;
    }
    return 0;
}
