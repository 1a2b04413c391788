/* SPDX-License-Identifier: MIT */
#include "call/libpq.h"

#include "base/library.h"

int libpq_load(struct libpq *out, struct err *e) {
    static const struct library_symbol symbols[] = {
#define FUNCTION(name) {"PQ" #name, offsetof(struct libpq, name)},
#include "call/libpq.def"
#undef FUNCTION
        {NULL, 0}};
    return library_load(LIBPQ, symbols, out, e);
}
