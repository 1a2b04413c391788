/* SPDX-License-Identifier: MIT
 *
 * libpq -- PostgreSQL's client library, loaded when the first database needs it
 * (base/library.h).
 */
#ifndef CORDON_CALL_LIBPQ_H
#define CORDON_CALL_LIBPQ_H

#include "base/err.h"

#include <libpq-fe.h>

struct libpq {
#define FUNCTION(name) __typeof__(PQ##name) *name;
#include "call/libpq.def"
#undef FUNCTION
};

int libpq_load(struct libpq *out, struct err *e);

#endif
