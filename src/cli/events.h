/* SPDX-License-Identifier: MIT
 *
 * events -- events of an audit log, one JSON object a line, as `cordon audit
 * export` writes them and as the log itself holds them.
 */
#ifndef CORDON_CLI_EVENTS_H
#define CORDON_CLI_EVENTS_H

#include "base/err.h"
#include "json/json.h"

/* Calls fn for each event of a file of JSON lines, however long: "-" is
 * standard input, NULL the log of this installation. */
int events_each(const char *path,
                int (*fn)(void *data, const struct json *event, struct err *e),
                void *data, struct err *e);

#endif
