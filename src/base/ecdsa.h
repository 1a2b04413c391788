/* SPDX-License-Identifier: MIT
 *
 * ecdsa -- signatures over P-256 with SHA-256, as package registries give them.
 */
#ifndef CORDON_BASE_ECDSA_H
#define CORDON_BASE_ECDSA_H

#include "base/str.h"

/* Is it a key of that curve (SubjectPublicKeyInfo, DER)? */
bool ecdsa_is_key(str public_key);

/* The signature is DER as well. */
bool ecdsa_verify(str public_key, str data, str signature);

#endif
