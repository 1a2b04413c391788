/* SPDX-License-Identifier: MIT
 *
 * toml -- reads TOML 1.0 text as a JSON value, to import configurations.
 *
 * Tables become objects, arrays of tables arrays of objects; dates and times
 * are kept as their text. Depth and size are bounded.
 */
#ifndef CORDON_GATEWAY_TOML_H
#define CORDON_GATEWAY_TOML_H

#include "json/json.h"

/* The error names the line. The value lives in the arena. */
int toml_parse(str text, struct arena *a, const struct json **out,
               struct err *e);

#endif
