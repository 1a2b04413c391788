/* SPDX-License-Identifier: MIT
 *
 * secret_fetch -- where the value behind a reference is kept.
 */
#ifndef CORDON_POLICY_SECRET_FETCH_H
#define CORDON_POLICY_SECRET_FETCH_H

#include "base/buf.h"

/* kind and name are the two sides of "env:NAME". One line end at the end of a
 * file or of what a command prints is dropped. */
int secret_fetch(str kind, str name, struct buf *out, struct err *e);

#endif
