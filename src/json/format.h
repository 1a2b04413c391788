/* SPDX-License-Identifier: MIT
 *
 * format -- the values that JSON Schema's "format" names.
 */
#ifndef CORDON_JSON_FORMAT_H
#define CORDON_JSON_FORMAT_H

#include "base/str.h"

struct format {
    const char *name; /* "date-time" */
    bool (*check)(str s);
};

/* NULL for a name that is not in format.def: such formats are ignored. */
const struct format *format_find(str name);

#define FORMAT(name, function) bool function(str s);
#include "json/format.def"
#undef FORMAT

#endif
