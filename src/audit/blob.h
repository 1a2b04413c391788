/* SPDX-License-Identifier: MIT
 *
 * blob -- values that an event commits to but that can be erased later.
 *
 * The event holds {"$blob":"<commitment>","bytes":N}. The commitment is an
 * HMAC under a random salt that is stored with the value, so erasing the file
 * leaves nothing to guess the value from, while the chain still verifies.
 */
#ifndef CORDON_AUDIT_BLOB_H
#define CORDON_AUDIT_BLOB_H

#include "base/buf.h"
#include "json/build.h"

/* Stores value under dir/blobs and adds the reference to b. */
int blob_put(const char *dir, str value, struct json_build *b, struct err *e);

/* ERR_MISSING when it was erased, ERR_INVALID when it was altered. */
int blob_get(const char *dir, str commitment, struct buf *out, struct err *e);

int blob_erase(const char *dir, str commitment, struct err *e);

#endif
