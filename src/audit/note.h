/* SPDX-License-Identifier: MIT
 *
 * note -- signed checkpoints in the C2SP tlog-checkpoint and signed-note forms:
 *
 *     cordon/audit
 *     1234
 *     <base64 of the Merkle root>
 *
 *     — cordon/audit <base64 of key id (4 bytes) and Ed25519 signature>
 *
 * so that other people's tools can verify and countersign them.
 */
#ifndef CORDON_AUDIT_NOTE_H
#define CORDON_AUDIT_NOTE_H

#include "base/crypto.h"

#define NOTE_NAME "cordon/audit"
#define NOTE_MAX  1024 /* bytes of one note */

struct note {
    uint64_t size;
    uint8_t root[CRYPTO_SHA256];
};

/* Appends the note, its signature and an empty line. */
int note_write(const struct note *n, const uint8_t secret[CRYPTO_KEY],
               struct buf *out, struct err *e);

/* Takes the first note off *text, checks its signature and fills *n. */
int note_read(str *text, const uint8_t public_key[CRYPTO_KEY], struct note *n,
              struct err *e);

/* The verifier key as C2SP writes it: name+hash+base64. */
int note_key_write(const uint8_t public_key[CRYPTO_KEY], struct buf *out,
                   struct err *e);
int note_key_read(str text, uint8_t public_key[CRYPTO_KEY], struct err *e);

#endif
