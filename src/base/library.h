/* SPDX-License-Identifier: MIT
 *
 * library -- a shared library that is loaded when it is first needed.
 *
 * Linking libcurl, libmicrohttpd and libpq costs milliseconds and megabytes at
 * every start, and most starts use none of them. A user of such a library has
 * a .def file with the functions it calls, and makes of it
 *
 *     struct curl_api { __typeof__(curl_easy_init) *easy_init; ... };
 *
 * and a list of symbols that says which name goes where.
 */
#ifndef CORDON_BASE_LIBRARY_H
#define CORDON_BASE_LIBRARY_H

#include "base/err.h"

#include <stddef.h>

struct library_symbol {
    const char *name;
    size_t offset; /* of the function pointer in the struct */
};

/* Fills the struct at `api`; the list ends with a NULL name. Loading it a
 * second time is cheap. It stays loaded. */
int library_load(const char *file, const struct library_symbol *symbols,
                 void *api, struct err *e);

#endif
