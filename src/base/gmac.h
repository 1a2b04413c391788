/* SPDX-License-Identifier: MIT
 *
 * gmac -- AES-256-GMAC (NIST SP 800-38D) of a message under a key that is used
 * for no other: the nonce is all zeros.
 *
 * Apart from crypto.h, so that a program that seals nothing does without it.
 */
#ifndef CORDON_BASE_GMAC_H
#define CORDON_BASE_GMAC_H

#include "base/crypto.h"

#define GMAC_TAG 16

/* By the widest instructions that the processor has. */
int gmac(const uint8_t key[CRYPTO_KEY], str bytes, uint8_t out[GMAC_TAG],
         struct err *e);

/* By libcrypto on any processor; gmac() gives the same tag. */
int gmac_plain(const uint8_t key[CRYPTO_KEY], str bytes, uint8_t out[GMAC_TAG],
               struct err *e);

#endif
